/* Two tabs of the overview of Wolfe and Caliskan: from probabilities to answers, and 51 places. */
"use strict";

Play.mount("american-play", ({ answers, places }) => {
  const { make, drawn, percent: share, slider, choice, radios, tries, cells, table, folded, status, note, beside } = Play.ui;
  const { WAYS, percent, tenths, probability, portraits, reported, compared } = Play.reports;
  const LANE = (Math.sqrt(5) - 1) / 2;  // steps that spread dots evenly over the height of a strip
  const STRIP = 38, RADIUS = 1.9;  // pixels
  const SHADES = [[227, 236, 247], [8, 48, 107]], DARKEST = 0.6;  // of the shares that a network returns
  const QUIET = 400;  // milliseconds without a change before the status is said
  const SAID = {  // of each way to report: a name, how it works, the bars' title, what the status calls it
    mean: ["No answers", "the mean probability itself", "The mean probabilities as a chart: per cent “yes”",
      "the mean probability of “yes”"],
    sampled: ["Sampled answers", "a portrait with 70% gets “yes” in 7 of 10 cases",
      "Sampled answers as a chart: per cent “yes”", "answers sampled by their probability, one for each portrait"],
    likeliest: ["Likeliest answers", "“yes” above 50%, “no” below", "Likeliest answers as a chart: per cent “yes”",
      "the likeliest answer of each portrait"],
  };
  const settingOf = ({ words, ...values }) => values;
  const setting = settingOf(answers.tries[0]), looked = settingOf(places.tries[0]);  // what the controls are set to
  const said = {};  // by tab, what one would see
  let open = "answers", shownPattern;

  const listed = (words) => `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;

  const heard = status("visually-hidden");
  let waiting;

  /* Say what one would see, once the reader has stopped moving a control. */
  function say() {
    clearTimeout(waiting);
    waiting = setTimeout(() => { heard.textContent = said[open]; }, QUIET);
  }

  const holds = (values, now) => Object.entries(settingOf(values)).every(([name, value]) => now[name] === value);

  /* Buttons that set all controls of a tab. */
  const triesOf = (tab, own, values, update) => tries(`ap-try-${tab}`, own, (one) => {
    Object.assign(values, settingOf(one));
    update();
  });
  const key = (...parts) => parts.map(([kind, text]) => make("span", { class: "ap-part" }, make("span", { class: `ap-${kind}` }), text));
  const quiet = (...parts) => make("p", { class: "play-note", "aria-hidden": "true" }, ...parts);

  // From probabilities to answers

  const swatched = ({ name, colour }) => make("span", {}, ...(colour
    ? [make("span", { class: "ap-swatch", style: `background: ${colour}` })] : []), name);
  const rowOf = (group, picture, number) => [swatched(group), make("td", { "aria-hidden": "true" }, picture), number];

  function strip(group) {
    const circles = group.deviates.map((_, at) => drawn("circle", { r: RADIUS, cy: STRIP * (0.5 + 0.8 * ((at * LANE) % 1 - 0.5)) }));
    const half = drawn("line", { x1: "50%", x2: "50%", y1: 0, y2: STRIP, class: "ap-half" });
    const line = drawn("line", { y1: 0, y2: STRIP, class: "ap-mean" }), number = make("td", { class: "play-number" });
    const picture = drawn("svg", { height: STRIP, class: "ap-strip" }, half, ...circles, line);
    return { circles, line, number, row: rowOf(group, picture, number) };
  }

  function bar(group) {
    const fill = make("span", { class: "ap-bar" }), line = make("span", { class: "ap-line" }), number = make("td", { class: "play-number" });
    const picture = make("div", { class: "ap-track" }, make("span", { class: "ap-middle" }), fill, line);
    return { fill, line, number, row: rowOf(group, picture, number) };
  }

  /* A table of such rows, with a scale below them. */
  function scaled(name, heading, rows) {
    const marks = [0, 25, 50, 75, 100].map((one) => make("span", { style: `left: ${one}%` }, `${one}%`));
    const made = table("", ["group", "", heading], rows, { class: `ap-rows ap-${name}` });
    made.tHead.rows[0].cells[1].replaceWith(make("td"));  // a head of nothing
    made.append(make("tfoot", {}, make("tr", { "aria-hidden": "true" }, make("td"),
      make("td", {}, make("div", { class: "ap-scale" }, ...marks)), make("td"))));
    return made;
  }

  const [about, answersMark, apart] = [note(), make("p", { class: "ap-mark" }), make("p", { class: "ap-apart" })];
  const answersKey = make("span", {}, ...key(["yes", "answered “yes”"], ["no", "answered “no”"]));
  const [strips, bars] = [make("div"), make("div")];
  let dots, reports;

  /* Build the strips and bars of a pattern anew: other groups, of other sizes. */
  function groupsOf(pattern) {
    const own = answers.patterns[pattern];
    [dots, reports] = [own.groups.map(strip), own.groups.map(bar)];
    strips.replaceChildren(scaled("strips", "mean", dots.map(({ row }) => row)));
    bars.replaceChildren(scaled("bars", "shown", reports.map(({ row }) => row)));
    strips.firstChild.caption.textContent = own.title;
    about.textContent = own.about;
    answersMark.textContent = own.mark;
    shownPattern = pattern;
  }

  /* What the sliders are set to, as probabilities of portraits. */
  function slidersSay(groups, names) {
    const [one, other] = [groups[0], groups.at(-1)].map(({ position }) => share(probability(setting.gap * position)));
    const [low, high] = [-setting.spread, setting.spread].map((logOdds) => share(probability(logOdds)));
    const words = {
      gap: `middle portrait of ${names[0]} ${one}, of ${names.at(-1)} ${other}`,
      spread: `in a group around 50%, two of three portraits lie between ${low} and ${high}`,
    };
    for (const [name, one] of Object.entries(dials)) one.set(setting[name], words[name]);
  }

  /* With one of the two buttons that give the same chart: how far apart the means are with the other one, in points. */
  function twin() {
    const two = answers.tries.slice(0, 2).map(settingOf), at = two.findIndex((values) => holds(values, setting));
    if (at < 0) return undefined;
    const { groups } = answers.patterns[two[1 - at].pattern];
    const [one, other] = [groups[0], groups.at(-1)].map((group) => percent(reported(group, two[1 - at]).mean));
    return Math.abs(one - other);
  }

  function updateAnswers() {
    if (shownPattern !== setting.pattern) groupsOf(setting.pattern);
    const { groups } = answers.patterns[setting.pattern], { way } = setting, names = groups.map(({ name }) => name);
    const found = groups.map((group, at) => {
      const result = reported(group, setting), { circles, line, number: middle } = dots[at], own = reports[at];
      portraits(group, setting).forEach((one, number) => {
        circles[number].setAttribute("cx", `${100 * one.p}%`);
        circles[number].setAttribute("class", way === "mean" ? "ap-dot" : one[way] ? "ap-dot yes" : "ap-dot no");
      });
      line.setAttribute("x1", `${100 * result.mean}%`);
      line.setAttribute("x2", `${100 * result.mean}%`);
      middle.textContent = share(result.mean);
      own.fill.style.width = `${100 * result[way]}%`;
      own.line.style.left = `${100 * result.mean}%`;
      own.number.textContent = share(result[way]);
      return result;
    });
    slidersSay(groups, names);
    ways.set(WAYS.indexOf(way));
    answersKey.hidden = way === "mean";
    bars.firstChild.caption.textContent = SAID[way][2];
    answersTries.set((one) => holds(one, setting));
    const points = (kind) => Math.abs(percent(found[0][kind]) - percent(found.at(-1)[kind]));
    const same = twin(), ends = listed([names[0], names.at(-1)]), each = found.map((one, at) => `${share(one[way])} of ${names[at]}`);
    apart.textContent = way === "mean" ? `The chart shows ${ends} ${points("mean")} points apart: their mean probabilities.`
      : `The chart shows ${ends} ${points(way)} points apart. Their mean probabilities are ${points("mean")} points apart.`
        + (same === undefined ? "" : ` The same chart, a very different model: with the other of the first two buttons, the means are ${same} points `
          + "apart. So the chart does not tell how far apart the probabilities are.");
    said.answers = `Reported: ${SAID[way][3]}. “Yes”: ${listed(each)}. ${apart.textContent}`;
    say();
  }

  const dials = Object.fromEntries([["gap", "How far apart the groups are"], ["spread", "How much portraits of one group differ"]]
    .map(([name, label]) => {
      const [min, max, step] = answers.sliders[name];
      return [name, slider(`ap-${name}`, label, { min, max, step }, (value) => { setting[name] = value; updateAnswers(); })];
    }));
  const ways = radios("ap-way", "What is reported", WAYS.map((way) => [make("span", {}, make("b", {}, SAID[way][0]), `: ${SAID[way][1]}`)]),
    (number) => { setting.way = WAYS[number]; updateAnswers(); });
  const answersTries = triesOf("answers", answers.tries, setting, updateAnswers);
  const answersTab = [
    answersTries.place, beside(dials.gap.place, dials.spread.place), strips, quiet(answersKey, ...key(["stroke", "mean of a group"], ["dashes", "50%"])),
    ways.place, bars, quiet(...key(["fill", "what is reported"], ["stroke", "mean probability"])), apart, about, answersMark,
  ];

  // 51 places

  function light(parts) {
    return parts.map((part) => part / 255).map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
      .reduce((total, part, at) => total + part * [0.2126, 0.7152, 0.0722][at], 0);
  }

  /* Paint a square the darker the larger the share, with ink that can be read on it. */
  function shade(square, value) {
    const dark = Math.min(value / DARKEST, 1), fill = SHADES[0].map((pale, at) => pale + dark * (SHADES[1][at] - pale));
    square.style.background = `rgb(${fill.map(Math.round).join(" ")})`;
    square.style.color = light(fill) > 0.18 ? "#000" : "#fff";
  }

  /* A map of squares: its picture, the squares, and what is written above and below. */
  function map(own, source) {
    const across = Math.max(...own.map(([, column]) => column)) + 1, title = make("figcaption"), below = quiet();
    const squares = own.map(([row, column]) => make("span", { style: `grid-row: ${row + 1}; grid-column: ${column + 1}` }));
    const picture = make("div", { class: "ap-map", role: "img", style: `--ap-across: ${across}` }, ...squares);
    return { title, squares, picture, below, figure: make("figure", {}, title, picture, below, make("p", { class: "ap-mark" }, source)) };
  }

  const returned = map(places.provinces.map(([, ...at]) => at), places.mark);
  const census = map(places.states.map(([, , ...at]) => at), places.source);
  const rows = places.states.map(() => cells(2)), verdict = make("p", { class: "ap-apart" });

  function updatePlaces() {
    const found = compared(places, looked), { network, hue, group } = looked, lived = places.census[group];
    const counted = (k, of) => `${k === found.n ? "all" : k || "none"} of ${of}`;
    const exactly = `${tenths(found.share)}%`;
    found.own.forEach((value, at) => {
      shade(returned.squares[at], value);
      returned.squares[at].textContent = percent(value);
      rows[at][0].textContent = share(value);
    });
    lived.forEach((value, at) => {
      const kind = found.share > value ? "over" : found.share < value ? "under" : "same", square = census.squares[at];
      square.className = kind;
      square.replaceChildren(make("b", {}, places.states[at][1]), tenths(value));
      rows[at][1].textContent = `${tenths(value)}%${kind === "same" ? "" : `, ${kind}-represented`}`;
    });
    placesTries.set((one) => holds(one, looked));
    networks.set(network + 1, `number ${network + 1} of ${places.returned.length}`);
    hues.set(hue);
    groups.set(group);
    const given = `about ${share(found.share)} ${hue} portraits for each of ${found.own.length} provinces `
      + `(${percent(found.least)} to ${share(found.most)})`;
    const judged = `${group} people would be over-represented in ${counted(found.over, `the ${found.n} places`)}, `
      + `and under-represented in ${counted(found.under, "them")}`;
    const reason = found.under === found.n ? "one low share is enough" : found.over === found.n ? "one high share is enough"
      : "the census differs from state to state, the model does not";
    verdict.textContent = `This network knows nothing about places. It returns ${given}; these differ by chance. Now suppose `
      + `that a model returns ${exactly} portraits of a group for every state, and compare this one number with each census share. `
      + `Then ${judged}: ${reason}. So such a result does not show that a model knows something about places. It depends on how `
      + "large the group’s share of the returned portraits is overall, and on the census.";
    returned.title.textContent = `What the network returns: ${hue} portraits, per cent, in ${found.own.length} fictional provinces`;
    returned.below.replaceChildren(...key(["pale", "few"], ["deep", "many"]));
    census.title.textContent = `United States, census of 2019: ${group} share of the population, per cent`;
    census.below.replaceChildren(...key(["over", `below ${exactly}: “over-represented”`],
      ["under", `above ${exactly}: “under-represented”`]));
    returned.picture.setAttribute("aria-label", `A map of squares. The network returns ${given}.`);
    census.picture.setAttribute("aria-label", `A map of the United States in squares. The ${group} share of the population is `
      + `below ${exactly} in ${found.over} squares, and above it in ${found.under}.`);
    said.places = verdict.textContent;
    say();
  }

  const looking = (name) => (value) => { looked[name] = value; updatePlaces(); };
  const networks = slider("ap-network", "A network that knows no places", { min: 1, max: places.returned.length, step: 1 },
    (number) => looking("network")(number - 1));
  const [hues, groups] = [["hue", "Portraits of hue", places.hues], ["group", "Compared with", Object.keys(places.census)]]
    .map(([name, label, names]) => choice(`ap-${name}`, label, names.map((one) => [one, one]), looking(name)));
  const placesTries = triesOf("places", places.tries, looked, updatePlaces);
  /* Places of the two tables have nothing to do with each other but their number. */
  const listedPlaces = (caption, own, column) => table(caption, [], own.map(([name], at) => [name, rows[at][column]]));
  const placesTab = [
    make("p", {}, places.asked), note(places.about), placesTries.place,
    make("div", { class: "ap-three" }, networks.place, hues.place, groups.place), verdict, beside(returned.figure, census.figure),
    folded("Both maps as tables", make("div", { class: "ap-tables" }, listedPlaces("Returned, by province", places.provinces, 0),
      listedPlaces("Census share, by state", places.states, 1))),
  ];

  // Tabs

  const TABS = { answers: ["From probability to answer", answersTab, updateAnswers],
    places: ["Over- or under-represented?", placesTab, updatePlaces] };
  const tabs = Object.fromEntries(Object.entries(TABS).map(([name, [title, parts]]) => {
    const tab = make("button", { type: "button", role: "tab", id: `ap-tab-${name}`, "aria-controls": `ap-panel-${name}`,
      onclick: () => select(name), onkeydown: turned }, title);
    const panel = make("div", { role: "tabpanel", id: `ap-panel-${name}`, "aria-labelledby": `ap-tab-${name}` }, ...parts);
    return [name, { tab, panel }];
  }));

  function select(name, focus) {
    open = name;
    for (const [other, { tab, panel }] of Object.entries(tabs)) {
      tab.setAttribute("aria-selected", String(other === name));
      tab.tabIndex = other === name ? 0 : -1;
      panel.hidden = other !== name;
    }
    if (focus) tabs[name].tab.focus();
    TABS[name][2]();
  }

  function turned({ key: pressed }) {
    const names = Object.keys(TABS), at = names.indexOf(open);
    const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: names.length - 1 }[pressed];
    if (next !== undefined) select(names[(next + names.length) % names.length], true);
  }

  select("answers");
  return [make("div", { role: "tablist", "aria-label": "Two things to try", class: "ap-tabs" },
    ...Object.values(tabs).map(({ tab }) => tab)), ...Object.values(tabs).map(({ panel }) => panel), heard];
});
