/* What all things to play with share: elements, controls, tables, signs of numbers, and how a thing takes its place in the
   page. The script of a thing is named as it is, and begins with `Play.mount("<name>", …)`. */
"use strict";
var Play = {};

Play.ui = (() => {
  const SVG = "http://www.w3.org/2000/svg";

  function filled(element, attributes, children) {
    for (const [name, value] of Object.entries(attributes)) {
      if (typeof value === "function") element.addEventListener(name.slice(2), value);
      else element.setAttribute(name, value);
    }
    element.append(...children);
    return element;
  }

  /* An element of the page, or of a picture, with attributes and children; `on…` attributes are listeners. */
  const make = (tag, attributes = {}, ...children) => filled(document.createElement(tag), attributes, children);
  const drawn = (tag, attributes = {}, ...children) => filled(document.createElementNS(SVG, tag), attributes, children);

  // Numbers

  const mean = (values) => values.reduce((total, value) => total + value, 0) / values.length;
  const percent = (share) => `${Math.round(100 * share)}%`;
  const signed = (value, digits) => {
    const text = Math.abs(value).toFixed(digits);
    return (value < 0 && Number(text) ? "\u2212" : "+") + text;
  };
  /* Where a value lies on a scale from -reach to reach. */
  const across = (value, reach) => `${50 + 50 * value / reach}%`;

  // Controls: each is { place, set }, its element and what shows a value that was set elsewhere

  /* `ends` are the words below its ends; `set` takes a value and how it is called. */
  function slider(id, label, { ends = [], ...limits }, moved) {
    const said = make("strong", { "aria-hidden": "true" }), below = ends.map((end) => make("span", {}, end));
    const input = make("input", { type: "range", id, ...limits, oninput: () => moved(Number(input.value)) });
    const place = make("div", { class: "play-control" }, make("label", { for: id }, `${label}: `, said), input,
      make("div", { class: "play-ends", "aria-hidden": "true" }, ...below));
    const set = (value, words) => {
      input.value = value;
      input.setAttribute("aria-valuetext", words);
      said.textContent = words;
    };
    return { place, set, input, ends: below };
  }

  /* A list; `options` are pairs of a value and its words. */
  function choice(id, label, options, chosen) {
    const select = make("select", { id, onchange: () => chosen(options[select.selectedIndex][0]) },
      ...options.map(([value, words]) => make("option", { value }, words)));
    return {
      place: make("div", { class: "play-control" }, make("label", { for: id }, label), select),
      set: (value) => { select.value = value; },
    };
  }

  /* Radio buttons, numbered; each of `labels` is a list of what stands beside one. */
  function radios(id, legend, labels, chosen) {
    const inputs = labels.map((_, number) =>
      make("input", { type: "radio", name: id, id: `${id}-${number}`, onchange: () => chosen(number) }));
    const rows = labels.map((parts, number) => make("label", { class: "play-radio" }, inputs[number], ...parts));
    return {
      place: make("fieldset", {}, make("legend", {}, legend), ...rows),
      set: (number) => inputs.forEach((input, at) => { input.checked = at === number; }),
    };
  }

  const button = (id, words, pressed) => make("button", { type: "button", id, onclick: pressed }, words);

  /* Buttons that set everything at once; `set` shows as pressed those for which `is` holds. */
  function tries(id, options, chosen) {
    const buttons = options.map((one, number) => button(`${id}-${number}`, one.words, () => chosen(one)));
    return {
      place: make("div", { class: "play-tries", role: "group", "aria-label": "Try this" }, make("span", {}, "Try this:"), ...buttons),
      set: (is) => buttons.forEach((one, number) => one.setAttribute("aria-pressed", String(is(options[number])))),
    };
  }

  // Tables and what is told

  const cells = (count) => Array.from({ length: count }, () => make("td"));

  /* A table; the first of each row's parts is its head, cells among the others are taken as they are. */
  function table(caption, heads, rows, attributes) {
    const cell = (part) => (part instanceof HTMLTableCellElement ? part : make("td", {}, part));
    const head = heads.map((one) => make("th", { scope: "col" }, one));
    const body = rows.map(([first, ...others]) => make("tr", {}, make("th", { scope: "row" }, first), ...others.map(cell)));
    return make("table", attributes, make("caption", {}, caption),
      ...(heads.length ? [make("thead", {}, make("tr", {}, ...head))] : []), make("tbody", {}, ...body));
  }

  /* What is wider than a phone scrolls by itself. */
  const scrolling = (label, wide) => make("div", { class: "play-scroll", tabindex: 0, role: "region", "aria-label": label }, wide);
  const folded = (summary, ...parts) => make("details", {}, make("summary", {}, summary), ...parts);
  /* What a screen reader says whenever it changes; one in each thing. */
  const status = (kind = "play-said") => make("p", { role: "status", class: kind });
  const note = (...parts) => make("p", { class: "play-note" }, ...parts);
  /* Two parts side by side, one below the other on a phone. */
  const beside = (...parts) => make("div", { class: "play-beside" }, ...parts);

  return { make, drawn, mean, percent, signed, across, slider, choice, radios, button, tries, cells, table, scrolling,
           folded, status, note, beside };
})();

/* Put the parts that `build(content, place)` gives in the place of what stands still; then `ready` is called. */
Play.mount = (name, build) => {
  const place = document.getElementById(name), { replaces = "" } = place.dataset;
  const content = JSON.parse(document.getElementById(`${name}-data`).textContent);
  place.prepend(...build(content, place));
  place.hidden = false;
  for (const still of document.querySelectorAll(`.play-still[data-of="${name}"]${replaces && `, #${replaces}`}`)) {
    still.classList.add("play-replaced");
  }
};
