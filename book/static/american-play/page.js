/* Two tabs of the overview of Wolfe and Caliskan: from probabilities to answers, and 51 places.

   Comes in: the JSON that stands in the page, and `AmericanPlay`. Goes out: controls, dots, bars and maps, in place of the
   still pictures. May not: ask for anything, or hold a number of its own. */
"use strict";

(() => {
  const { WAYS, percent, probability, portraits, reported, beside } = AmericanPlay;
  const { answers, places } = JSON.parse(document.getElementById("american-play-data").textContent);
  const SVG = "http://www.w3.org/2000/svg";
  const LANE = (Math.sqrt(5) - 1) / 2;  // steps that spread dots evenly over the height of a strip
  const STRIP = 34, RADIUS = 2.2;  // pixels
  const SHADES = [[227, 236, 247], [8, 48, 107]], DARKEST = 0.6;  // of the shares that a network returns
  const QUIET = 400;  // milliseconds without a change before the status is said
  const SAID = {
    mean: ["Mean probability", "the mean probability of “yes”"],
    sampled: ["One sampled answer each", "answers sampled by their probability, one for each portrait"],
    likeliest: ["Likeliest answer each", "the likeliest answer of each portrait"],
  };
  const SLIDERS = {
    gap: ["How far apart the groups are", "alike", "far apart"],
    spread: ["How much individuals of a group vary", "little", "a lot"],
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

  const share = (value) => `${percent(value)} %`;
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

  function dots(group, own) {
    const circles = own.map((_, at) => make("circle", { xmlns: SVG, r: RADIUS,
      cy: STRIP * (0.5 + 0.72 * ((at * LANE) % 1 - 0.5)) }));
    const middle = make("line", { xmlns: SVG, x1: "50%", x2: "50%", y1: 0, y2: STRIP, class: "ap-half" });
    const line = make("line", { xmlns: SVG, y1: 0, y2: STRIP, class: "ap-mean" });
    const picture = make("svg", { xmlns: SVG, height: STRIP, class: "ap-strip", "aria-hidden": "true" }, middle,
      ...circles, line);
    return { circles, line, row: make("div", { class: "ap-row" }, make("span", { class: "ap-name" }, group.name), picture) };
  }

  function bar(group) {
    const fill = make("span", { class: "ap-bar" }), line = make("span", { class: "ap-line" });
    const number = make("td", { class: "ap-number" }), middle = make("td", { class: "ap-number" });
    const track = make("td", { class: "ap-track", "aria-hidden": "true" }, make("div", {}, fill, line));
    const head = make("th", { scope: "row" }, group.name);
    return { fill, line, number, middle, row: make("tr", {}, head, track, number, middle) };
  }

  /* Build the strips and bars of a pattern anew: other groups, of other sizes. */
  function groupsOf(pattern) {
    const { groups } = answers.patterns[pattern];
    shown.strips = groups.map((group) => dots(group, group.deviates));
    shown.bars = groups.map(bar);
    shown.strip.replaceChildren(...shown.strips.map(({ row }) => row));
    shown.table.replaceChildren(...shown.bars.map(({ row }) => row));
    shown.pattern = pattern;
  }

  function updateAnswers() {
    const { groups, mark, about } = answers.patterns[setting.pattern], { way } = setting;
    if (shown.pattern !== setting.pattern) groupsOf(setting.pattern);
    const found = groups.map((group, at) => {
      const result = reported(group, setting), { circles, line } = shown.strips[at], own = shown.bars[at];
      portraits(group, setting).forEach((one, number) => {
        circles[number].setAttribute("cx", `${100 * one.p}%`);
        circles[number].setAttribute("class", way === "mean" ? "ap-dot" : one[way] ? "ap-dot yes" : "ap-dot no");
      });
      line.setAttribute("x1", `${100 * result.mean}%`);
      line.setAttribute("x2", `${100 * result.mean}%`);
      own.fill.style.width = `${100 * result[way]}%`;
      own.line.style.left = `${100 * result.mean}%`;
      own.number.textContent = share(result[way]);
      own.middle.textContent = share(result.mean);
      return result;
    });
    for (const name of Object.keys(SLIDERS)) {
      shown[name].value = setting[name];
      shown[`${name}Value`].textContent = setting[name].toFixed(2);
    }
    shown.ways.forEach((input) => { input.checked = input.value === way; });
    shown.answersPresets();
    shown.about.textContent = about;
    shown.mark.textContent = mark;
    const names = groups.map(({ name }) => name), ends = listed([names[0], names.at(-1)]);
    const apart = (kind) => Math.abs(percent(found[0][kind]) - percent(found.at(-1)[kind]));
    const each = (kind) => listed(found.map((one, at) => `${share(one[kind])} of ${names[at]}`));
    const means = `The mean probabilities of ${ends} are ${apart("mean")} points apart.`;
    said.answers = way === "mean"
      ? `Reported is ${SAID[way][1]}: ${listed(found.map((one, at) => `${share(one.mean)} for ${names[at]}`))}. ${means}`
      : `Reported are ${SAID[way][1]}: “yes” for ${each(way)}. ${names[0]} and ${names.at(-1)} are `
        + `${apart(way)} points apart. ${means}`;
    shown.apart.textContent = way === "mean" ? means
      : `Reported: ${ends} are ${apart(way)} points apart. ${means}`;
    say();
  }

  function slider(name) {
    const [label, low, high] = SLIDERS[name], [min, max, step] = answers.sliders[name], id = `ap-${name}`;
    const value = make("span", { class: "ap-value" }), input = make("input", { type: "range", id, min, max, step,
      oninput: () => { setting[name] = Number(input.value); updateAnswers(); } });
    [shown[name], shown[`${name}Value`]] = [input, value];
    const ends = make("div", { class: "ap-ends", "aria-hidden": "true" }, make("span", {}, low), make("span", {}, high));
    return make("div", { class: "ap-control" }, make("label", { for: id }, `${label} `, value), input, ends);
  }

  function ways() {
    shown.ways = WAYS.map((way) => make("input", { type: "radio", name: "ap-way", value: way, id: `ap-way-${way}`,
      onchange: () => { setting.way = way; updateAnswers(); } }));
    const labels = shown.ways.map((input) => make("label", {}, input, ` ${SAID[input.value][0]}`));
    return make("fieldset", { class: "ap-ways" }, make("legend", {}, "What is reported"), ...labels);
  }

  function answersTab() {
    shown.strip = make("div", {});
    shown.table = make("tbody", {});
    [shown.about, shown.mark] = [make("p", { class: "ap-about" }), make("p", { class: "ap-mark" })];
    shown.apart = make("p", { class: "ap-apart" });
    const marks = [0, 25, 50, 75, 100].map((one) => make("span", { style: `left: ${one}%` }, `${one} %`));
    const key = make("p", { class: "ap-key", "aria-hidden": "true" }, make("span", { class: "ap-yes" }), "“yes” ",
      make("span", { class: "ap-no" }), "“no” ", make("span", { class: "ap-stroke" }), "mean of a group");
    const scale = make("div", { class: "ap-row", "aria-hidden": "true" }, make("span", { class: "ap-name" }),
      make("div", { class: "ap-scale" }, ...marks));
    const head = make("tr", {}, ...["group", "", "reported", "mean probability"].map((text) =>
      text ? make("th", { scope: "col" }, text) : make("td", {})));
    return [
      presets("answers", answers.presets, setting, updateAnswers),
      make("div", { class: "ap-sliders" }, ...Object.keys(SLIDERS).map(slider)),
      make("p", { class: "ap-title" }, "What a model computes: a probability of “yes” for every portrait"),
      shown.strip, scale, key, ways(),
      make("table", { class: "ap-bars" }, make("caption", {}, "What a figure of the reports shows: per cent “yes”"),
        make("thead", {}, head), shown.table),
      shown.apart, shown.about,
      make("p", { class: "ap-about" }, `The sliders are in log odds: 0 is a probability of ${share(probability(0))}, `
        + `1 is ${share(probability(1))}, 2 is ${share(probability(2))}.`),
      shown.mark,
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

  function map(name, across, tiles) {
    const picture = make("div", { class: "ap-map", role: "img", style: `--ap-across: ${across}` }, ...tiles);
    const caption = make("figcaption", {}), source = make("p", { class: "ap-mark" });
    [shown[name], shown[`${name}Caption`], shown[`${name}Source`]] = [picture, caption, source];
    return make("figure", {}, caption, picture, source);
  }

  function updatePlaces() {
    const found = beside(places, looked), { network, hue, group } = looked, called = `network ${network + 1}`;
    const lived = places.census[group];
    found.own.forEach((value, at) => {
      shade(shown.provinces[at], value);
      shown.provinces[at].textContent = percent(value);
      shown.rows[at][0].textContent = share(value);
    });
    lived.forEach((value, at) => {
      const over = found.share > value, under = found.share < value, square = shown.land[at];
      const sign = over ? "▲" : under ? "▼" : "=";
      square.className = over ? "over" : under ? "under" : "same";
      square.replaceChildren(make("b", {}, places.states[at][1]), `${sign}${percent(value)}`);
      shown.rows[at][1].textContent = `${share(value)} ${sign}`;
    });
    shown.placesPresets();
    for (const [name, value] of [["network", network + 1], ["hue", hue], ["group", group]]) shown[name].value = value;
    shown.networkValue.textContent = `${network + 1} of ${places.returned.length}`;
    const counted = (k, of) => `${k === found.n ? "all" : k || "none"} of ${of}`;
    const about = `${share(found.share)} of what it returns is ${hue}, on average over ${found.own.length} provinces `
      + `(${percent(found.least)} to ${share(found.most)})`;
    const verdict = `Suppose a model returned ${share(found.share)} of a group for every state. ${group} people would then seem `
      + `over-represented in ${counted(found.over, `the ${found.n} places`)}, and under-represented in ${counted(found.under, "them")}.`;
    shown.returnedCaption.textContent = `What ${called} returns: per cent ${hue}, in ${found.own.length} fictional provinces`;
    shown.censusCaption.textContent = `Census: ${group} share of the population, per cent. ▲: ${share(found.share)} is more, `
      + "▼: it is less";
    shown.returned.setAttribute("aria-label", `A map of squares. ${about}.`);
    shown.census.setAttribute("aria-label", `A map of the United States in squares. ${share(found.share)} is above the ${group} `
      + `share of the population in ${found.over} squares, below it in ${found.under}.`);
    shown.verdict.textContent = `${called[0].toUpperCase()}${called.slice(1)} was taught nothing about who lives where: ${about}. `
      + verdict;
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
    return make("div", { class: "ap-control" }, make("label", { for: "ap-network" }, "Network that was taught nothing about places ",
      value), input);
  }

  /* Both maps as one table: the places have nothing to do with each other but their number. */
  function placesTable() {
    const cell = () => make("td", {}), rows = places.states.map(() => [cell(), cell()]);
    shown.rows = rows;
    const body = (names, column) => names.map((name, at) => make("tr", {}, make("th", { scope: "row" }, name), rows[at][column]));
    const table = (caption, names, column) => make("table", {}, make("caption", {}, caption),
      make("tbody", {}, ...body(names, column)));
    return make("details", { class: "ap-table" }, make("summary", {}, "Both maps as tables"),
      make("div", {}, table("Returned, by province", places.provinces.map(([name]) => name), 0),
        table("Census share, by state", places.states.map(([name]) => name), 1)));
  }

  function placesTab() {
    shown.provinces = squares(places.provinces.map(([, row, column]) => [row, column]));
    shown.land = squares(places.states.map(([, , row, column]) => [row, column]));
    const across = (own, at) => Math.max(...own.map((one) => one[at])) + 1;
    shown.verdict = make("p", { class: "ap-apart" });
    const maps = make("div", { class: "ap-maps" }, map("returned", across(places.provinces, 2), shown.provinces),
      map("census", across(places.states, 3), shown.land));
    shown.returnedSource.textContent = places.mark;
    shown.censusSource.textContent = places.source;
    return [
      presets("places", places.presets, looked, updatePlaces),
      make("div", { class: "ap-sliders three" }, networkSlider(), choice("hue", "Portraits of hue", places.hues),
        choice("group", "Census of", Object.keys(places.census))),
      maps, shown.verdict, placesTable(),
    ];
  }

  // Tabs

  const TABS = { answers: ["From probability to answer", answersTab, updateAnswers],
    places: [`${places.states.length} places`, placesTab, updatePlaces] };

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

  function turned({ key }) {
    const names = Object.keys(TABS), at = names.indexOf(open);
    const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: names.length - 1 }[key];
    if (next !== undefined) select(names[(next + names.length) % names.length], true);
  }

  const place = document.getElementById("american-play");
  shown.status = make("p", { role: "status", class: "ap-status" });
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
