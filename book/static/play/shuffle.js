/* Shuffle the families: a dial, buttons, one shuffle as a table, and how all of them came out. */
"use strict";

Play.mount("shuffle", (content, place) => {
  const { make, drawn, mean, percent, across, cells, slider, radios, button, tries, table, scrolling, folded, status, note, beside } = Play.ui;
  const { RULES, takenApart, fitted, counted, beyond } = Play.fit;
  const fleets = content.fleets.map(takenApart);
  const REACH = 2;  // the coefficient at which the table's picture ends
  const WIDE = 2.6;  // the deviation of a result at which the strips end
  const AT_ONCE = 8;  // shuffles per frame
  const STRIPS = 6;  // networks whose results are shown
  const AXES = [10, 20, 50, 100, 200, 500, 1000];
  /* Where the dial of some networks begins: at what real models have in common, if this is known. */
  const start = ({ own, stops: all }) => content.real ? all.findIndex((one) => one.share === content.real.share) : own;
  const state = { fleet: 0, stop: start(content.fleets[0]), done: 1, wanted: 1 };
  const signed = (value) => Play.ui.signed(value, 2);
  const stops = () => content.fleets[state.fleet].stops;
  const stop = () => stops()[state.stop];
  /* The stop of the first networks at which a try begins: the measured one, where it names no share. */
  const begins = ({ share }) => {
    const { own, stops: all } = content.fleets[0];
    return share === null ? own : all.findIndex((one) => one.share === share);
  };
  const networks = (count) => `${count} network${count === 1 ? "" : "s"}`;

  const near = (share) => {
    if (content.real && share === content.real.share) return ", the stop nearest to real models";
    return content.real && share === content.real.end ? ", the stop nearest to the upper end for real models" : "";
  };

  // Its parts

  const dial = slider("sh-share", `How much the ${content.tests} results of a network have in common`,
    { min: 0, step: 1, max: stops().length - 1, ends: ["nothing", "half"] }, turn);
  const kinds = radios("sh-fleet", "Networks", content.fleets.map(({ label }) => [label]), choose);
  const tried = tries("sh-try", content.tries, attempt), said = status();
  const presses = make("div", { class: "play-tries" }, button("sh-one", "Shuffle once more", () => press(1)),
    button("sh-hundred", "100 more", () => press(100)), button("sh-again", "Start again", again));
  const strips = drawn("svg", { class: "sh-strips", "aria-hidden": "true", width: "100%", height: 15 * STRIPS });
  const perRule = (made) => Object.fromEntries(RULES.map((rule) => [rule, made(rule)]));
  const counters = perRule((rule) => make("strong", { class: `sh-${rule}` }));
  const bars = perRule((rule) => fleets[0].sizes.map(() => make("span", { class: `sh-bar sh-${rule}` })));
  const counts = perRule(() => cells(fleets[0].sizes.length));
  const top = make("span", { class: "sh-top" });
  const families = content.letters.map((letter) => ({
    letter, models: make("span", { class: "sh-models" }), dot: make("span", { class: "play-dot" }),
    lines: perRule((rule) => make("span", { class: `sh-line sh-${rule}` })), stars: perRule(() => make("span", { role: "img" })),
    numbers: cells(2 + 2 * RULES.length),
  }));
  const now = table("", ["family", `difference from R (−${REACH} to ${REACH})`, ...RULES.map((rule) => content.short[rule])],
    families.map(({ letter, models, dot, lines, stars }) => [make("span", {}, `${letter} `, models),
      make("td", { class: "play-track", "aria-hidden": "true" }, make("div", {}, lines.networks, lines.published, dot)),
      ...RULES.map((rule) => stars[rule])]), { class: "sh-now" });
  RULES.forEach((rule, at) => now.tHead.rows[0].cells[2 + at].classList.add(`sh-${rule}`));

  // What the reader sees

  function showDial() {
    const { share, own } = stop();
    dial.input.max = stops().length - 1;
    dial.set(state.stop, `${percent(share)} of their variance${own ? ", as measured in these networks" : ""}${near(share)}`);
    kinds.set(state.fleet);
    const fleet = fleets[state.fleet], order = fleet.own.map((_, network) => network)
      .sort((one, other) => fleet.own[one] - fleet.own[other]);
    const marks = [];
    for (let row = 0; row < STRIPS; row++) {
      const network = order[Math.round(row * (order.length - 1) / (STRIPS - 1))], y = 8 + 15 * row;
      const values = beyond(fleet, network, share);
      const middle = across(mean(values), WIDE);
      marks.push(...values.map((value) => drawn("circle", { cx: across(value, WIDE), cy: y, r: 2.5 })));
      marks.push(drawn("line", { x1: middle, x2: middle, y1: y - 6, y2: y + 6 }));
    }
    strips.replaceChildren(...marks);
  }

  /* What came out, and why, in words. */
  function result(some, few) {
    const of = state.done, by = `${few} of ${of} if each network counts once`;
    if (of === 1) return "One shuffle is made: the table below shows it. One shuffle says little, so make a hundred.";
    const usual = (count) => count <= Math.max(1, content.chance * of / 100);
    const counts = `At least one family is significant in ${some} of ${of} shuffles as published, and in ${by}. `
      + `By chance, at most ${content.chance} of 100 are expected: there are ${content.letters.length} families, and each is significant in `
      + `${content.chance / content.letters.length} of 100 shuffles by mistake. `;
    if (stop().share === 0 && usual(some) && usual(few))
      return `${counts}Both ways of counting are in order, as long as the results of a network have nothing in common.`;
    if (!usual(some) && usual(few))
      return `${counts}The labels mean nothing in either case. Only the counting differs: ${content.tests} results that `
        + "resemble one another are not as good as independent ones.";
    return `${counts}${of < 100 ? "Shuffle more often to see how they differ." : ""}`.trim();
  }

  /* One shuffle: a row per family, with its coefficient, both intervals and a star for each that is significant. */
  function showTable() {
    const within = (value) => Math.max(-REACH, Math.min(REACH, value));
    now.caption.textContent = `The last shuffle (number ${state.done}) as an example. Every family is compared with `
      + `family R, which has ${networks(fleets[state.fleet].sizes[0])}; so several often become significant together. `
      + `Dot: difference in d. Lines: its ${content.confidence}% confidence interval, by either way of counting, cut at `
      + `±${REACH}. ★ significant at ${content.level}, – not.`;
    fitted(fleets[state.fleet], state.done, stop()).forEach((row, family) => {
      const { models, lines, dot, stars, numbers } = families[family];
      models.textContent = networks(row.models);
      for (const rule of RULES) {
        const [low, high] = [row.low[rule], row.high[rule]].map(within);
        lines[rule].style.left = across(low, REACH);
        lines[rule].style.width = `${50 * (high - low) / REACH}%`;
        stars[rule].textContent = row.significant[rule] ? "★" : "–";
        stars[rule].setAttribute("aria-label", row.significant[rule] ? "significant" : "not significant");
      }
      dot.style.left = across(within(row.coef), REACH);
      const texts = [row.models, signed(row.coef), ...RULES.flatMap((rule) =>
        [row.se[rule].toFixed(3), row.significant[rule] ? "yes" : "no"])];
      texts.forEach((text, column) => { numbers[column].textContent = text; });
    });
  }

  function tally() {
    const fleet = fleets[state.fleet], often = perRule(() => Array(fleet.sizes.length).fill(0));
    for (let number = 1; number <= state.done; number++) {
      const found = counted(fleet, number, stop());
      for (const rule of RULES) often[rule][found[rule]] += 1;
    }
    return often;
  }

  function showTally(often) {
    const most = Math.max(...RULES.flatMap((rule) => often[rule])), high = AXES.find((one) => one >= most);
    for (const rule of RULES) {
      counters[rule].textContent = `${state.done - often[rule][0]} of ${state.done} shuffle${state.done === 1 ? "" : "s"}`;
      often[rule].forEach((count, significant) => {
        bars[rule][significant].style.height = `${100 * count / high}%`;
        counts[rule][significant].textContent = count;
      });
    }
    top.textContent = `${high} shuffles`;
  }

  function show({ say }) {
    showTable();
    const often = tally();
    showTally(often);
    if (!say) return;
    const [some, few] = RULES.map((rule) => state.done - often[rule][0]);
    said.textContent = result(some, few);
    tried.set((one) => state.fleet === 0 && state.done === one.shuffles && state.stop === begins(one));
  }

  // What the reader does

  let running = false;

  function run() {
    if (running) return;
    running = true;
    place.setAttribute("aria-busy", "true");
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const step = () => {
      state.done = Math.min(state.wanted, state.done + (still ? content.most : AT_ONCE));
      const last = state.done >= state.wanted;
      show({ say: last });
      running = !last;
      if (running) requestAnimationFrame(step);
      else place.removeAttribute("aria-busy");
    };
    requestAnimationFrame(step);
  }

  function press(more) {
    state.wanted = Math.min(content.most, Math.max(state.wanted, state.done) + more);
    run();
  }

  function turn(number) {
    state.stop = number;
    showDial();
    show({ say: true });
  }

  function choose(number) {
    state.fleet = number;
    turn(start(content.fleets[number]));
  }

  function again() {
    Object.assign(state, { done: 1, wanted: 1 });
    show({ say: true });
  }

  function attempt(one) {
    choose(0);
    turn(begins(one));
    state.done = state.wanted = Math.min(state.done, one.shuffles);
    if (state.done < one.shuffles) press(one.shuffles - state.done);
    else show({ say: true });
  }

  // How they stand

  function controls() {
    const { real } = content;
    const about = note((real ? "It begins near the value of eight real models of one data set: a correlation of "
      + `${real.words.rho}${real.below ? " (below 0 counts as 0)" : ""}, with an interval from ${real.words.low} to ${real.words.high}. ` : "")
      + "If you move it, the page stretches or shrinks what a network’s results share.");
    const picture = make("figure", {}, strips, make("figcaption", {},
      `${STRIPS} of the networks: ${content.tests} results each (dots) and their mean (line). The more the results of a network share, `
      + `the less ${content.tests} results of one network tell beside one result of each of ${content.tests} networks.`));
    return make("div", {}, kinds.place, dial.place, about, picture);
  }

  function chances() {
    const parts = RULES.map((rule) => make("p", { class: "sh-counter" }, counters[rule], " ", content.rules[rule]));
    const columns = fleets[0].sizes.map((_, significant) => make("div", { class: "sh-column" },
      make("div", { class: "sh-bars" }, ...RULES.map((rule) => bars[rule][significant])), String(significant)));
    return make("div", {}, ...parts, make("figure", {}, make("div", { class: "sh-chart", "aria-hidden": "true" }, top, ...columns),
      make("figcaption", {}, "Across: significant families in one shuffle. Height: number of shuffles.")));
  }

  function numbers() {
    const listed = (caption, heads, rows) => scrolling(caption, table(caption, heads, rows));
    return folded("These numbers as tables",
      listed("The last shuffle", ["family", "networks", "coefficient", ...RULES.flatMap((rule) =>
        [`standard error, ${content.short[rule]}`, `significant, ${content.short[rule]}`])],
      families.map((one) => [one.letter, ...one.numbers])),
      listed("Shuffles by their number of significant families",
        ["significant families", ...RULES.map((rule) => `shuffles, ${content.short[rule]}`)],
        fleets[0].sizes.map((_, significant) => [String(significant), ...RULES.map((rule) => counts[rule][significant])])));
  }

  /* What this may mean for the paper, at the end, apart from the shuffles. */
  function paper() {
    const heads = ["correlation of two results of a model", `significant, ${content.short.published}`, "significant, each model once"];
    const different = perRule((rule) => [...new Set(content.listed.map((one) => one[rule]))]);
    const say = (found, of) => found.length === 1 ? `always ${found[0]} of ${of}` : `${Math.max(...found)} to ${Math.min(...found)} of ${of}`;
    const [{ of }] = content.listed;
    const rows = content.listed.map((one) => [one.alike.toFixed(3), ...RULES.map((rule) => `${one[rule]} of ${one.of}`)]);
    return make("section", { class: "sh-twin", "aria-labelledby": "sh-paper" },
      make("p", { id: "sh-paper", class: "sh-title" }, "And the paper’s own table?"),
      make("p", {}, `The paper does not print how much the ${content.tests} results of one model have in common, and our small networks `
        + `cannot tell it. ${content.real ? "The eight real models say little or nothing, but they learned from one data set. " : ""}So we invented results for the paper’s models, ${content.listed.length} times. All coefficients that the `
        + "paper prints come out each time. Only what the results of one model have in common is different."),
      table("How many data families are significant, each time", heads, rows),
      make("p", {}, `The paper’s way of counting finds ${say(different.published, of)}: it does not look at how alike results are. If `
        + `each model counts once, it is ${say(different.networks, of)}. `
        + (content.real ? `The value of the eight real models lies in the first row; the upper end of its interval is ${content.real.words.high}${content.real.held ? `, or ${content.real.held} with architecture and size held constant, as in these tables` : ""}. ` : "")
        + (different.networks.length > 1 ? "Which row is like the paper’s own results, cannot be seen in print. The results that the authors "
          + "released can tell. They have to be fetched; this page was made without a network." : "")));
  }

  showDial();
  show({ say: true });
  return [make("p", {}, content.rule, make("strong", {}, content.false)), tried.place, presses, said,
    beside(controls(), chances()), now, paper(), numbers()];
});
