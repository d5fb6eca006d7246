/* Two tabs of the overview of Wolfe and Caliskan: from probabilities to answers, and 51 places.

   Comes in: the JSON that stands in the page, and `AmericanPlay`. Goes out: controls, dots, bars and maps, in place of the
   still pictures. May not: ask for anything, or hold a number of its own. */
"use strict";

(() => {
  const { WAYS, percent, tenths, probability, portraits, reported, beside } = AmericanPlay;
  const { answers, places } = JSON.parse(document.getElementById("american-play-data").textContent);
  const SVG = "http://www.w3.org/2000/svg";
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
  const first = ({ presets: [{ label, ...values }] }) => values;
  const setting = first(answers), looked = first(places);  // what the controls are set to
  const shown = {};  // the elements that change
  const said = {};  // by tab, what one would see
  let open = "answers";

  /* An element with attributes and children; `on…` attributes are listeners. */
  function make(tag, attributes = {}, ...children) {
    const element = attributes.xmlns ? document.createElementNS(attributes.xmlns, tag) : document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (typeof value === "function") element.addEventListener(name.slice(2), value);
      else if (name !== "xmlns") element.setAttribute(name, value);
    }
    element.append(...children);
    return element;
  }

  const share = (value) => `${percent(value)}%`;
  const listed = (words) => `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;

  let waiting;

  /* Say what one would see, once the reader has stopped moving a control. */
  function say() {
    clearTimeout(waiting);
    waiting = setTimeout(() => { shown.status.textContent = said[open]; }, QUIET);
  }

  /* Buttons that set everything at once; the one whose values are shown looks pressed. */
  function presets(tab, own, values, update) {
    const buttons = own.map(({ label, ...preset }) => make("button", { type: "button", class: "ap-preset",
      onclick: () => { Object.assign(values, preset); update(); } }, label));
    shown[`${tab}Presets`] = () => buttons.forEach((button, number) => {
      const { label, ...preset } = own[number];
      button.setAttribute("aria-pressed", String(Object.entries(preset).every(([name, value]) => values[name] === value)));
    });
    return make("div", { class: "ap-try", role: "group", "aria-label": "Try this" }, make("span", {}, "Try this:"), ...buttons);
  }

  // From probabilities to answers

  /* A table row with a name, a picture over the whole scale, and a number: dots and bars stand below one another. */
  function row({ name, colour }, picture) {
    const swatch = colour ? [make("span", { class: "ap-swatch", style: `background: ${colour}` })] : [];
    const number = make("td", { class: "ap-number" });
    return { number, row: make("tr", {}, make("th", { scope: "row" }, ...swatch, name),
      make("td", { "aria-hidden": "true" }, picture), number) };
  }

  function strip(group) {
    const circles = group.deviates.map((_, at) => make("circle", { xmlns: SVG, r: RADIUS,
      cy: STRIP * (0.5 + 0.8 * ((at * LANE) % 1 - 0.5)) }));
    const half = make("line", { xmlns: SVG, x1: "50%", x2: "50%", y1: 0, y2: STRIP, class: "ap-half" });
    const line = make("line", { xmlns: SVG, y1: 0, y2: STRIP, class: "ap-mean" });
    const picture = make("svg", { xmlns: SVG, height: STRIP, class: "ap-strip" }, half, ...circles, line);
    return { circles, line, ...row(group, picture) };
  }

  function bar(group) {
    const fill = make("span", { class: "ap-bar" }), line = make("span", { class: "ap-line" });
    return { fill, line, ...row(group, make("div", { class: "ap-track" }, make("span", { class: "ap-middle" }), fill, line)) };
  }

  /* A table of such rows, with a scale below them. */
  function scaled(name, heading) {
    const marks = [0, 25, 50, 75, 100].map((one) => make("span", { style: `left: ${one}%` }, `${one}%`));
    const scale = make("tr", { "aria-hidden": "true" }, make("td"), make("td", {}, make("div", { class: "ap-scale" }, ...marks)),
      make("td"));
    [shown[`${name}Title`], shown[name]] = [make("caption"), make("tbody")];
    const head = make("tr", {}, make("th", { scope: "col" }, "group"), make("td"), make("th", { scope: "col" }, heading));
    return make("table", { class: `ap-rows ap-${name}` }, shown[`${name}Title`], make("thead", {}, head), shown[name],
      make("tfoot", {}, scale));
  }

  /* Build the strips and bars of a pattern anew: other groups, of other sizes. */
  function groupsOf(pattern) {
    const { groups, title, about, mark } = answers.patterns[pattern];
    shown.dots = groups.map(strip);
    shown.reports = groups.map(bar);
    shown.strips.replaceChildren(...shown.dots.map((one) => one.row));
    shown.bars.replaceChildren(...shown.reports.map((one) => one.row));
    shown.stripsTitle.textContent = title;
    shown.about.textContent = about;
    shown.mark.textContent = mark;
    shown.pattern = pattern;
  }

  /* What the sliders are set to, as probabilities of portraits. */
  function slidersSay(groups, names) {
    const [one, other] = [groups[0], groups.at(-1)].map(({ position }) => share(probability(setting.gap * position)));
    const [low, high] = [-setting.spread, setting.spread].map((logOdds) => share(probability(logOdds)));
    const words = {
      gap: `middle portrait of ${names[0]} ${one}, of ${names.at(-1)} ${other}`,
      spread: `in a group around 50%, two of three portraits lie between ${low} and ${high}`,
    };
    for (const name of ["gap", "spread"]) {
      shown[name].value = setting[name];
      shown[name].setAttribute("aria-valuetext", words[name]);
      shown[`${name}Value`].textContent = words[name];
    }
  }

  /* With one of the two buttons that give the same chart: how far apart the means are with the other one, in points. */
  function twin() {
    const two = answers.presets.slice(0, 2).map(({ label, ...values }) => values);
    const at = two.findIndex((values) => Object.entries(values).every(([name, value]) => setting[name] === value));
    if (at < 0) return undefined;
    const { groups } = answers.patterns[two[1 - at].pattern];
    const [one, other] = [groups[0], groups.at(-1)].map((group) => percent(reported(group, two[1 - at]).mean));
    return Math.abs(one - other);
  }

  function updateAnswers() {
    if (shown.pattern !== setting.pattern) groupsOf(setting.pattern);
    const { groups } = answers.patterns[setting.pattern], { way } = setting, names = groups.map(({ name }) => name);
    const found = groups.map((group, at) => {
      const result = reported(group, setting), { circles, line, number: middle } = shown.dots[at], own = shown.reports[at];
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
    shown.ways.forEach((input) => { input.checked = input.value === way; });
    shown.key.hidden = way === "mean";
    shown.barsTitle.textContent = SAID[way][2];
    shown.answersPresets();
    const apart = (kind) => Math.abs(percent(found[0][kind]) - percent(found.at(-1)[kind]));
    const same = twin(), ends = listed([names[0], names.at(-1)]), each = found.map((one, at) => `${share(one[way])} of ${names[at]}`);
    shown.apart.textContent = way === "mean" ? `The chart shows ${ends} ${apart("mean")} points apart: their mean probabilities.`
      : `The chart shows ${ends} ${apart(way)} points apart. Their mean probabilities are ${apart("mean")} points apart.`
        + (same === undefined ? "" : ` The same chart, a very different model: with the other of the first two buttons, the means are ${same} points `
          + "apart. So the chart does not tell how far apart the probabilities are.");
    said.answers = `Reported: ${SAID[way][3]}. “Yes”: ${listed(each)}. ${shown.apart.textContent}`;
    say();
  }

  function slider(name, label) {
    const [min, max, step] = answers.sliders[name], id = `ap-${name}`;
    const value = make("p", { class: "ap-value", "aria-hidden": "true" }), input = make("input", { type: "range", id, min, max,
      step, oninput: () => { setting[name] = Number(input.value); updateAnswers(); } });
    [shown[name], shown[`${name}Value`]] = [input, value];
    return make("div", { class: "ap-control" }, make("label", { for: id }, label), input, value);
  }

  function ways() {
    shown.ways = WAYS.map((way) => make("input", { type: "radio", name: "ap-way", value: way, id: `ap-way-${way}`,
      onchange: () => { setting.way = way; updateAnswers(); } }));
    const labels = shown.ways.map((input) => make("label", {}, input, " ", make("b", {}, SAID[input.value][0]),
      `: ${SAID[input.value][1]}`));
    return make("fieldset", { class: "ap-ways" }, make("legend", {}, "What is reported"), ...labels);
  }

  function key(...parts) {
    return parts.map(([kind, text]) => make("span", { class: "ap-part" }, make("span", { class: `ap-${kind}` }), text));
  }

  function answersTab() {
    [shown.about, shown.mark] = [make("p", { class: "ap-about" }), make("p", { class: "ap-mark" })];
    shown.apart = make("p", { class: "ap-apart" });
    shown.key = make("span", {}, ...key(["yes", "answered “yes”"], ["no", "answered “no”"]));
    return [
      presets("answers", answers.presets, setting, updateAnswers),
      make("div", { class: "ap-sliders" }, slider("gap", "How far apart the groups are"),
        slider("spread", "How much portraits of one group differ")),
      scaled("strips", "mean"),
      make("p", { class: "ap-key", "aria-hidden": "true" }, shown.key, ...key(["stroke", "mean of a group"], ["dashes", "50%"])),
      ways(), scaled("bars", "shown"),
      make("p", { class: "ap-key", "aria-hidden": "true" }, ...key(["fill", "what is reported"], ["stroke", "mean probability"])),
      shown.apart, shown.about, shown.mark,
    ];
  }

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

  function squares(own) {
    return own.map(([row, column]) => make("span", { style: `grid-row: ${row + 1}; grid-column: ${column + 1}` }));
  }

  function map(name, own, source) {
    const across = Math.max(...own.map(([, column]) => column)) + 1;
    shown[`${name}Squares`] = squares(own);
    shown[name] = make("div", { class: "ap-map", role: "img", style: `--ap-across: ${across}` }, ...shown[`${name}Squares`]);
    [shown[`${name}Title`], shown[`${name}Key`]] = [make("figcaption"), make("p", { class: "ap-key", "aria-hidden": "true" })];
    return make("figure", {}, shown[`${name}Title`], shown[name], shown[`${name}Key`], make("p", { class: "ap-mark" }, source));
  }

  function updatePlaces() {
    const found = beside(places, looked), { network, hue, group } = looked, lived = places.census[group];
    const counted = (k, of) => `${k === found.n ? "all" : k || "none"} of ${of}`;
    const exactly = `${tenths(found.share)}%`;
    found.own.forEach((value, at) => {
      shade(shown.returnedSquares[at], value);
      shown.returnedSquares[at].textContent = percent(value);
      shown.rows[at][0].textContent = share(value);
    });
    lived.forEach((value, at) => {
      const kind = found.share > value ? "over" : found.share < value ? "under" : "same", square = shown.censusSquares[at];
      square.className = kind;
      square.replaceChildren(make("b", {}, places.states[at][1]), tenths(value));
      shown.rows[at][1].textContent = `${tenths(value)}%${kind === "same" ? "" : `, ${kind}-represented`}`;
    });
    shown.placesPresets();
    for (const [name, value] of [["network", network + 1], ["hue", hue], ["group", group]]) shown[name].value = value;
    shown.networkValue.textContent = `number ${network + 1} of ${places.returned.length}`;
    const returned = `about ${share(found.share)} ${hue} portraits for each of ${found.own.length} provinces `
      + `(${percent(found.least)} to ${share(found.most)})`;
    const compared = `${group} people would be over-represented in ${counted(found.over, `the ${found.n} places`)}, `
      + `and under-represented in ${counted(found.under, "them")}`;
    const reason = found.under === found.n ? "one low share is enough" : found.over === found.n ? "one high share is enough"
      : "the census differs from state to state, the model does not";
    shown.verdict.textContent = `This network knows nothing about places. It returns ${returned}; these differ by chance. Now suppose `
      + `that a model returns ${exactly} portraits of a group for every state, and compare this one number with each census share. `
      + `Then ${compared}: ${reason}. So such a result does not show that a model knows something about places. It depends on how `
      + "large the group’s share of the returned portraits is overall, and on the census.";
    shown.returnedTitle.textContent = `What the network returns: ${hue} portraits, per cent, in ${found.own.length} fictional provinces`;
    shown.returnedKey.replaceChildren(...key(["pale", "few"], ["deep", "many"]));
    shown.censusTitle.textContent = `United States, census of 2019: ${group} share of the population, per cent`;
    shown.censusKey.replaceChildren(...key(["over", `below ${exactly}: “over-represented”`],
      ["under", `above ${exactly}: “under-represented”`]));
    shown.returned.setAttribute("aria-label", `A map of squares. The network returns ${returned}.`);
    shown.census.setAttribute("aria-label", `A map of the United States in squares. The ${group} share of the population is `
      + `below ${exactly} in ${found.over} squares, and above it in ${found.under}.`);
    said.places = shown.verdict.textContent;
    say();
  }

  function choice(name, label, options) {
    const id = `ap-${name}`, select = make("select", { id, onchange: () => { looked[name] = select.value; updatePlaces(); } },
      ...options.map((one) => make("option", { value: one }, one)));
    shown[name] = select;
    return make("div", { class: "ap-control" }, make("label", { for: id }, label), select);
  }

  function networkSlider() {
    const value = make("span", { class: "ap-value" }), input = make("input", { type: "range", id: "ap-network", min: 1,
      max: places.returned.length, step: 1, oninput: () => { looked.network = Number(input.value) - 1; updatePlaces(); } });
    [shown.network, shown.networkValue] = [input, value];
    return make("div", { class: "ap-control" }, make("label", { for: "ap-network" }, "A network that knows no places: ", value),
      input);
  }

  /* Both maps as tables: their places have nothing to do with each other but their number. */
  function placesTable() {
    shown.rows = places.states.map(() => [make("td"), make("td")]);
    const table = (caption, names, column) => make("table", {}, make("caption", {}, caption), make("tbody", {},
      ...names.map((name, at) => make("tr", {}, make("th", { scope: "row" }, name), shown.rows[at][column]))));
    return make("details", { class: "ap-table" }, make("summary", {}, "Both maps as tables"),
      make("div", {}, table("Returned, by province", places.provinces.map(([name]) => name), 0),
        table("Census share, by state", places.states.map(([name]) => name), 1)));
  }

  function placesTab() {
    shown.verdict = make("p", { class: "ap-apart" });
    return [
      make("p", {}, places.asked), make("p", { class: "ap-about" }, places.about), presets("places", places.presets, looked, updatePlaces),
      make("div", { class: "ap-sliders three" }, networkSlider(), choice("hue", "Portraits of hue", places.hues),
        choice("group", "Compared with", Object.keys(places.census))),
      shown.verdict,
      make("div", { class: "ap-maps" }, map("returned", places.provinces.map(([, ...at]) => at), places.mark),
        map("census", places.states.map(([, , ...at]) => at), places.source)),
      placesTable(),
    ];
  }

  // Tabs

  const TABS = { answers: ["From probability to answer", answersTab, updateAnswers],
    places: ["Over- or under-represented?", placesTab, updatePlaces] };

  function select(name, focus) {
    open = name;
    for (const [other, { tab, panel }] of Object.entries(shown.tabs)) {
      tab.setAttribute("aria-selected", String(other === name));
      tab.tabIndex = other === name ? 0 : -1;
      panel.hidden = other !== name;
    }
    if (focus) shown.tabs[name].tab.focus();
    TABS[name][2]();
  }

  function turned({ key: pressed }) {
    const names = Object.keys(TABS), at = names.indexOf(open);
    const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: names.length - 1 }[pressed];
    if (next !== undefined) select(names[(next + names.length) % names.length], true);
  }

  const place = document.getElementById("american-play");
  shown.status = make("p", { role: "status", class: "ap-status visually-hidden" });
  shown.tabs = Object.fromEntries(Object.entries(TABS).map(([name, [title, fill]]) => {
    const tab = make("button", { type: "button", role: "tab", id: `ap-tab-${name}`, "aria-controls": `ap-panel-${name}`,
      onclick: () => select(name), onkeydown: turned }, title);
    const panel = make("div", { role: "tabpanel", id: `ap-panel-${name}`, "aria-labelledby": `ap-tab-${name}` }, ...fill());
    return [name, { tab, panel }];
  }));
  const list = make("div", { role: "tablist", "aria-label": "Two things to try", class: "ap-tabs" },
    ...Object.values(shown.tabs).map(({ tab }) => tab));
  place.append(list, ...Object.values(shown.tabs).map(({ panel }) => panel), shown.status);
  select("answers");
  place.hidden = false;
  document.querySelectorAll(".ap-still").forEach((still) => still.classList.add("ap-replaced"));
})();
