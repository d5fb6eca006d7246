/* Shuffle the families: a dial, a button, one shuffle as a table, and how all of them came out.

   Comes in: fit.js; the JSON that stands in the page. Goes out: the controls, in place of the still picture. May not:
   ask for anything, or hold a number of its own. */
"use strict";

(() => {
  const { RULES, takenApart, fitted, counted, beyond } = Shuffle.fit;
  const content = JSON.parse(document.getElementById("shuffle-data").textContent);
  const place = document.getElementById("shuffle");
  const fleets = content.fleets.map(takenApart);
  const REACH = 2;  // the coefficient at which the table's picture ends
  const WIDE = 2.6;  // the deviation of a result at which the strips end
  const AT_ONCE = 8;  // shuffles per frame
  const STRIPS = 6;  // networks whose results are shown
  const AXES = [10, 20, 50, 100, 200, 500, 1000];
  /* Where the dial of some networks begins: at what real models have in common, if this is known. */
  const start = ({ own, stops: all }) => content.real ? all.findIndex((one) => one.share === content.real.share) : own;
  const state = { fleet: 0, stop: start(content.fleets[0]), done: 1, wanted: 1 };
  const shown = {};

  function make(tag, attributes = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (typeof value === "function") element.addEventListener(name.slice(2), value);
      else element.setAttribute(name, value);
    }
    element.append(...children);
    return element;
  }

  function drawn(tag, attributes) {
    const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    return element;
  }

  const signed = (value, digits = 2) => (value < 0 ? "−" : "+") + Math.abs(value).toFixed(digits);
  const across = (value, reach = REACH) => `${50 + 50 * value / reach}%`;
  const stops = () => content.fleets[state.fleet].stops;
  const stop = () => stops()[state.stop];
  /* The stop of the first networks at which a try begins: the measured one, where it names no share. */
  const begins = ({ share }) => {
    const { own, stops: all } = content.fleets[0];
    return share === null ? own : all.findIndex((one) => one.share === share);
  };
  const percent = (share) => `${Math.round(100 * share)}%`;
  const networks = (count) => `${count} network${count === 1 ? "" : "s"}`;

  const near = (share) => {
    if (content.real && share === content.real.share) return ", the stop nearest to real models";
    return content.real && share === content.real.end ? ", the stop nearest to the upper end for real models" : "";
  };

  // What the reader sees

  function showDial() {
    const { share, own } = stop();
    shown.dial.max = stops().length - 1;
    shown.dial.value = state.stop;
    const said = `${percent(share)} of their variance${own ? ", as measured in these networks" : ""}${near(share)}`;
    shown.share.textContent = said;
    shown.dial.setAttribute("aria-valuetext", said);
    const fleet = fleets[state.fleet], order = fleet.own.map((_, network) => network)
      .sort((one, other) => fleet.own[one] - fleet.own[other]);
    const marks = [];
    for (let row = 0; row < STRIPS; row++) {
      const network = order[Math.round(row * (order.length - 1) / (STRIPS - 1))], y = 8 + 15 * row;
      const values = beyond(fleet, network, share);
      const middle = across(values.reduce((a, b) => a + b, 0) / values.length, WIDE);
      marks.push(...values.map((value) => drawn("circle", { cx: across(value, WIDE), cy: y, r: 2.5 })));
      marks.push(drawn("line", { x1: middle, x2: middle, y1: y - 6, y2: y + 6 }));
    }
    shown.strips.replaceChildren(...marks);
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
    const rows = fitted(fleets[state.fleet], state.done, stop());
    shown.caption.textContent = `The last shuffle (number ${state.done}) as an example. Every family is compared with `
      + `family R, which has ${networks(fleets[state.fleet].sizes[0])}; so several often become significant together. `
      + `Dot: difference in d. Lines: its ${content.confidence}% confidence interval, by either way of counting, cut at `
      + `±${REACH}. ★ significant at ${content.level}, – not.`;
    rows.forEach((row, family) => {
      const { models, lines, dot, stars, cells } = shown.rows[family];
      models.textContent = networks(row.models);
      for (const rule of RULES) {
        const [low, high] = [row.low[rule], row.high[rule]].map((end) => Math.max(-REACH, Math.min(REACH, end)));
        lines[rule].style.left = across(low);
        lines[rule].style.width = `${50 * (high - low) / REACH}%`;
        stars[rule].textContent = row.significant[rule] ? "★" : "–";
        stars[rule].setAttribute("aria-label", row.significant[rule] ? "significant" : "not significant");
      }
      dot.style.left = across(Math.max(-REACH, Math.min(REACH, row.coef)));
      const texts = [row.models, signed(row.coef), ...RULES.flatMap((rule) =>
        [row.se[rule].toFixed(3), row.significant[rule] ? "yes" : "no"])];
      texts.forEach((text, column) => { cells[column].textContent = text; });
    });
  }

  function tally() {
    const fleet = fleets[state.fleet], families = fleet.sizes.length;
    const often = Object.fromEntries(RULES.map((rule) => [rule, Array(families).fill(0)]));
    for (let number = 1; number <= state.done; number++) {
      const found = counted(fleet, number, stop());
      for (const rule of RULES) often[rule][found[rule]] += 1;
    }
    return often;
  }

  function showTally(often) {
    const most = Math.max(...RULES.flatMap((rule) => often[rule])), top = AXES.find((one) => one >= most);
    for (const rule of RULES) {
      shown.counters[rule].textContent = `${state.done - often[rule][0]} of ${state.done} shuffle${state.done === 1 ? "" : "s"}`;
      often[rule].forEach((count, families) => {
        shown.bars[rule][families].style.height = `${100 * count / top}%`;
        shown.counts[rule][families].textContent = count;
      });
    }
    shown.top.textContent = `${top} shuffles`;
  }

  function show({ say }) {
    showTable();
    const often = tally();
    showTally(often);
    if (!say) return;
    const [some, few] = RULES.map((rule) => state.done - often[rule][0]);
    shown.said.textContent = result(some, few);
    shown.tries.forEach((button, number) => {
      const one = content.tries[number];
      const pressed = state.fleet === 0 && state.done === one.shuffles && state.stop === begins(one);
      button.setAttribute("aria-pressed", pressed);
    });
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
    shown.fleets.forEach((input, which) => { input.checked = which === number; });
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

  // Its parts

  function controls() {
    shown.fleets = content.fleets.map((_, number) => make("input", { type: "radio", name: "sh-fleet",
      id: `sh-fleet-${number}`, onchange: () => choose(number) }));
    shown.fleets[0].checked = true;
    const labels = content.fleets.map(({ label }, number) =>
      make("label", { class: "sh-fleet" }, shown.fleets[number], make("span", {}, label)));
    shown.share = make("strong", {});
    shown.dial = make("input", { type: "range", id: "sh-share", min: 0, step: 1, max: stops().length - 1,
      oninput: () => turn(Number(shown.dial.value)) });
    shown.strips = drawn("svg", { class: "sh-strips", "aria-hidden": "true", width: "100%", height: 15 * STRIPS });
    const label = make("label", { for: "sh-share" }, `How much the ${content.tests} results of a network have in common: `, shown.share);
    const ends = make("div", { class: "sh-ends", "aria-hidden": "true" }, make("span", {}, "nothing"),
      make("span", {}, "half"));
    const { real } = content;
    const about = make("p", { class: "sh-ends" }, (real ? "It begins near the value of eight real models of one data set: a correlation of "
      + `${real.words.rho}${real.below ? " (below 0 counts as 0)" : ""}, with an interval from ${real.words.low} to ${real.words.high}. ` : "")
      + "If you move it, the page stretches or shrinks what a network’s results share.");
    const strips = make("figure", {}, shown.strips, make("figcaption", {},
      `${STRIPS} of the networks: ${content.tests} results each (dots) and their mean (line). The more the results of a network share, `
      + `the less ${content.tests} results of one network tell beside one result of each of ${content.tests} networks.`));
    return make("div", {}, make("fieldset", {}, make("legend", {}, "Networks"), ...labels), label, shown.dial, ends,
      about, strips);
  }

  function counters() {
    shown.counters = {};
    const parts = RULES.map((rule) => {
      shown.counters[rule] = make("strong", { class: `sh-${rule}` });
      return make("p", { class: "sh-counter" }, shown.counters[rule], " ", content.rules[rule]);
    });
    shown.bars = Object.fromEntries(RULES.map((rule) => [rule, []]));
    const columns = fleets[0].sizes.map((_, families) => {
      const bars = RULES.map((rule) => {
        const bar = make("span", { class: `sh-bar sh-${rule}` });
        shown.bars[rule].push(bar);
        return bar;
      });
      return make("div", { class: "sh-column" }, make("div", { class: "sh-bars" }, ...bars), String(families));
    });
    shown.top = make("span", { class: "sh-top" });
    const chart = make("figure", {}, make("div", { class: "sh-chart", "aria-hidden": "true" }, shown.top, ...columns),
      make("figcaption", {}, "Across: significant families in one shuffle. Height: number of shuffles."));
    return make("div", {}, ...parts, chart);
  }

  function buttons() {
    const one = make("button", { type: "button", id: "sh-one", onclick: () => press(1) }, "Shuffle once more");
    const hundred = make("button", { type: "button", id: "sh-hundred", onclick: () => press(100) }, "100 more");
    const anew = make("button", { type: "button", id: "sh-again", onclick: again }, "Start again");
    shown.tries = content.tries.map((one, number) =>
      make("button", { type: "button", id: `sh-try-${number}`, onclick: () => attempt(one) }, one.words));
    return make("div", {}, make("div", { class: "sh-tries", role: "group", "aria-label": "Try this" }, make("span", {}, "Try this:"), ...shown.tries),
      make("div", { class: "sh-press" }, one, hundred, anew));
  }

  function table() {
    shown.caption = make("caption", {});
    shown.rows = content.letters.map((letter) => {
      const models = make("span", { class: "sh-models" }), stars = {}, lines = {};
      for (const rule of RULES) {
        lines[rule] = make("span", { class: `sh-line sh-${rule}` });
        stars[rule] = make("span", { class: "sh-star", role: "img" });
      }
      const dot = make("span", { class: "sh-dot" });
      const picture = make("td", { class: "sh-picture", "aria-hidden": "true" },
        make("div", {}, lines.networks, lines.published, dot));
      const row = make("tr", {}, make("th", { scope: "row" }, `${letter} `, models), picture,
        ...RULES.map((rule) => make("td", { class: "sh-mark" }, stars[rule])));
      return { models, lines, dot, stars, row };
    });
    const heads = ["family", `difference from R (−${REACH} to ${REACH})`, ...RULES.map((rule) => content.short[rule])];
    const classes = ["", "", ...RULES.map((rule) => `sh-head sh-${rule}`)];
    return make("table", { class: "sh-now" }, shown.caption,
      make("thead", {}, make("tr", {}, ...heads.map((head, k) => make("th", { scope: "col", class: classes[k] }, head)))),
      make("tbody", {}, ...shown.rows.map(({ row }) => row)));
  }

  function numbers() {
    const heads = ["family", "networks", "coefficient", ...RULES.flatMap((rule) =>
      [`standard error, ${content.short[rule]}`, `significant, ${content.short[rule]}`])];
    const bodies = shown.rows.map((row, family) => {
      row.cells = heads.slice(1).map(() => make("td", {}));
      return make("tr", {}, make("th", { scope: "row" }, content.letters[family]), ...row.cells);
    });
    shown.counts = Object.fromEntries(RULES.map((rule) => [rule, fleets[0].sizes.map(() => make("td", {}))]));
    const often = fleets[0].sizes.map((_, families) => make("tr", {}, make("th", { scope: "row" }, String(families)),
      ...RULES.map((rule) => shown.counts[rule][families])));
    const listed = (caption, columns, rows) => make("div", { class: "sh-scroll", tabindex: 0, role: "region", "aria-label": caption },
      make("table", {}, make("caption", {}, caption),
        make("thead", {}, make("tr", {}, ...columns.map((one) => make("th", { scope: "col" }, one)))),
        make("tbody", {}, ...rows)));
    return make("details", {}, make("summary", {}, "These numbers as tables"),
      listed("The last shuffle", heads, bodies),
      listed("Shuffles by their number of significant families",
        ["significant families", ...RULES.map((rule) => `shuffles, ${content.short[rule]}`)], often));
  }

  /* What this may mean for the paper, at the end, apart from the shuffles. */
  function paper() {
    const heads = ["correlation of two results of a model", `significant, ${content.short.published}`, "significant, each model once"];
    const counts = Object.fromEntries(RULES.map((rule) => [rule, [...new Set(content.listed.map((one) => one[rule]))]]));
    const say = (found, of) => found.length === 1 ? `always ${found[0]} of ${of}` : `${Math.max(...found)} to ${Math.min(...found)} of ${of}`;
    const [{ of }] = content.listed;
    const rows = content.listed.map((one) => make("tr", {}, make("th", { scope: "row" }, one.alike.toFixed(3)),
      ...RULES.map((rule) => make("td", {}, `${one[rule]} of ${one.of}`))));
    return make("section", { class: "sh-twin", "aria-labelledby": "sh-paper" },
      make("p", { id: "sh-paper", class: "sh-title" }, "And the paper’s own table?"),
      make("p", {}, `The paper does not print how much the ${content.tests} results of one model have in common, and our small networks `
        + `cannot tell it. ${content.real ? "The eight real models say little or nothing, but they learned from one data set. " : ""}So we invented results for the paper’s models, ${content.listed.length} times. All coefficients that the `
        + "paper prints come out each time. Only what the results of one model have in common is different."),
      make("table", {}, make("caption", {}, "How many data families are significant, each time"),
        make("thead", {}, make("tr", {}, ...heads.map((head) => make("th", { scope: "col" }, head)))), make("tbody", {}, ...rows)),
      make("p", {}, `The paper’s way of counting finds ${say(counts.published, of)}: it does not look at how alike results are. If `
        + `each model counts once, it is ${say(counts.networks, of)}. `
        + (content.real ? `The value of the eight real models lies in the first row; the upper end of its interval is ${content.real.words.high}. ` : "")
        + (counts.networks.length > 1 ? "Which row is like the paper’s own results, cannot be seen in print. The results that the authors "
          + "released can tell. They have to be fetched; this page was made without a network." : "")));
  }

  shown.said = make("p", { role: "status", class: "sh-said" });
  place.append(make("p", {}, content.rule, make("strong", {}, content.false)), buttons(), shown.said,
    make("div", { class: "sh-top-row" }, controls(), counters()), table(), paper(), numbers());
  showDial();
  show({ say: true });
  place.hidden = false;
  document.querySelectorAll(".sh-still").forEach((still) => still.classList.add("sh-replaced"));
})();
