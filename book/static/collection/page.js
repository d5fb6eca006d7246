/* A collection of photographs: a slider says how strongly smiling goes along with a group, and estimates of a gap move.

   Comes in: the JSON that stands in the page. Goes out: the controls, in place of the chapter's still picture. May not:
   ask for anything, or hold a number of its own. */
"use strict";

(() => {
  const content = JSON.parse(document.getElementById("collection-data").textContent);
  const place = document.getElementById("collection");
  const SIZE = 220, LARGEST = 7;  // pixels: the height of the picture, and the radius of its largest dot
  const state = { pair: 0, world: 0, dimension: 0, stop: content.stops.indexOf(0) };
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

  const signed = (value, digits = 2) => {
    const text = Math.abs(value).toFixed(digits);
    return (value < 0 && Number(text) ? "−" : "+") + text;
  };
  const pair = () => content.pairs[state.pair];
  const world = () => pair().worlds[state.world];
  const dimension = () => content.dimensions[state.dimension];
  const estimate = (method, stop = state.stop) => {
    const stops = world().estimates[method][state.dimension];
    return stops[Math.min(stop, stops.length - 1)];
  };
  const truth = (method) => world().planted[method === "controlled" ? "experiment" : "photographs"][state.dimension];

  /* How often each photograph is in the collection; in each group, the sum is 1. */
  function weights() {
    const { group, faces, steepness } = pair(), k = steepness[state.stop];
    const found = faces.map((face, one) => Math.exp(k * (2 * group[one] - 1) * content.cloud.smile[face])), sums = [0, 0];
    found.forEach((weight, one) => { sums[group[one]] += weight; });
    return found.map((weight, one) => weight / sums[group[one]]);
  }

  /* The mean of some numbers over the photographs of a group in the collection. */
  function mean(values, side, counted) {
    return values.reduce((total, value, one) => total + (pair().group[one] === side ? counted[one] * value : 0), 0);
  }

  // What the reader sees

  function showCloud() {
    const { group, faces, first, second } = pair(), counted = weights();
    const [smile, scores] = [content.cloud.smile, content.cloud.scores[state.world][state.dimension]]
      .map((values) => faces.map((face) => values[face]));
    const ends = (values) => {
      const low = Math.min(...values), high = Math.max(...values);
      return (value) => (value - low) / (high - low);
    };
    const [right, up] = [ends(smile), ends(scores)];
    const x = (value) => `${4 + 92 * right(value)}%`, y = (value) => SIZE - 10 - (SIZE - 20) * up(value);
    const most = Math.max(...counted), marks = smile.map((z, one) => {
      const radius = LARGEST * Math.sqrt(counted[one] / most), attributes = { class: `cl-side-${group[one]}` };
      return group[one] ? drawn("circle", { ...attributes, cx: x(z), cy: y(scores[one]), r: radius })
        : drawn("rect", { ...attributes, x: x(z), y: y(scores[one]), width: 1.8 * radius, height: 1.8 * radius,
          transform: `translate(${-0.9 * radius} ${-0.9 * radius})` });
    });
    for (const side of [1, 0]) {
      const [middle, level] = [smile, scores].map((values) => mean(values, side, counted));
      marks.push(drawn("line", { class: `cl-mean cl-side-${side}`, x1: "0%", x2: "100%", y1: y(level), y2: y(level) }),
        drawn("line", { class: `cl-mean cl-side-${side}`, x1: x(middle), x2: x(middle), y1: SIZE - 14, y2: SIZE }));
    }
    shown.cloud.replaceChildren(...marks);
    shown.key.replaceChildren(...[[1, "●", first], [0, "■", second]].flatMap(([side, mark, name]) =>
      [make("span", { class: `cl-key cl-side-${side}` }, mark), ` ${name}  `]));
    shown.up.textContent = `↑ more ${dimension()}, as the networks see it`;
    shown.axes.textContent = "Each mark is one of our drawn faces. The larger, the more often the collection holds it: so it gets the "
      + `smiles that you choose. Lines: mean of ${first} (solid) and of ${second} (dashed) faces; their distance is the naive `
      + "gap. Ticks below: mean smile.";
  }

  /* The largest end of any interval that any groups and dimension can bring, rounded up: one scale for all of them. */
  const reaches = content.networks.map((_, which) => {
    const every = content.pairs.flatMap(({ worlds }) => [worlds[which].estimates, worlds[which].planted].flatMap(Object.values));
    return Math.ceil(2 * Math.max(...every.flat(Infinity).map(Math.abs))) / 2;
  });

  function showEstimates() {
    const reach = reaches[state.world], across = (value) => `${50 + 50 * value / reach}%`;
    [-reach, 0, reach].forEach((value, place) => { shown.ends[place].textContent = value ? signed(value, 1) : "0"; });
    shown.caption.textContent = `Gap in ${dimension()}, ${pair().first} minus ${pair().second}, in logits. Dot: mean of the `
      + "networks. Line: its 95% confidence interval. Upright bar: the true gap.";
    for (const [method, { line, dot, tick, number, cells }] of Object.entries(shown.rows)) {
      const [middle, low, high] = estimate(method);
      line.style.left = across(low);
      line.style.width = `${50 * (high - low) / reach}%`;
      dot.style.left = across(middle);
      tick.style.left = across(truth(method));
      number.textContent = signed(middle);
      [middle, low, high, truth(method)].forEach((value, column) => { cells[column].textContent = signed(value); });
    }
  }

  const off = (method) => estimate(method)[0] - truth(method);
  const near = (method) => Math.abs(off(method)) <= content.near;

  /* What came out, in words. */
  function result(more) {
    const { first, second } = pair(), parts = [];
    parts.push(`In the collection, ${more}. The naive gap in ${dimension()}, ${first} minus ${second}, is ${signed(estimate("naive")[0])}: `
      + (near("naive") ? "near the truth." : `off by ${signed(off("naive"))}.`));
    if (near("adjusted")) parts.push(near("naive") ? "Adjusting for what is recorded changes little."
      : `Adjusting for what is recorded helps: ${signed(estimate("adjusted")[0])}.`);
    else parts.push(`Adjusting for what is recorded is not enough: ${signed(estimate("adjusted")[0])}.`
      + (near("all known") ? ` An analysis that knew the clothes, too, would find ${signed(estimate("all known")[0])}.` : ""));
    const [middle, low, high] = estimate("controlled").map((value) => signed(value)), [, from, to] = estimate("controlled");
    parts.push(`The experiment gives ${middle} (95%: ${low} to ${high}), whatever the collection is like.`);
    const planted = truth("controlled");
    if (!state.world && (from > planted || to < planted)) parts.push(content.misses);
    return parts.join(" ");
  }

  function describe() {
    const { first, second } = pair(), r = content.stops[state.stop];
    const more = r === 0 ? "smiling goes along with neither group"
      : `${r > 0 ? first : second} faces smile more (correlation ${signed(r, 1)})`;
    shown.dial.setAttribute("aria-valuetext", more);
    shown.more.textContent = more;
    shown.low.textContent = `${second} smile more`;
    shown.high.textContent = `${first} smile more`;
    const [photographs, experiment] = [truth("naive"), truth("controlled")];
    const gap = signed(photographs) === signed(experiment) ? signed(photographs)
      : `${signed(photographs)} for the faces of the photographs, and ${signed(experiment)} for those of the experiment`;
    shown.truth.textContent = `Two groups of drawn faces, ${first} and ${second}. The networks learned from captions in which `
      + (photographs || experiment ? `the group makes a difference. The true gap in ${dimension()} is ${gap}.`
        : "smiles and clothes matter, but the group makes no difference: the true gap is 0.");
    shown.said.textContent = result(more);
  }

  function show() {
    shown.dial.value = state.stop;
    shown.pair.value = state.pair;
    shown.dimension.value = state.dimension;
    shown.tries.forEach((button, which) => {
      const one = content.tries[which];
      button.setAttribute("aria-pressed", state.pair === one.pair && state.stop === one.stop && !state.world && !state.dimension);
    });
    shown.worlds.forEach((input, number) => { input.checked = number === state.world; });
    shown.note.hidden = state.pair !== 0;  // it is about the first pair
    showCloud();
    showEstimates();
    describe();
  }

  function change(changes) {
    Object.assign(state, changes);
    show();
  }

  // Its parts

  function choice(name, label, options) {
    const select = make("select", { id: `cl-${name}`, onchange: () => change({ [name]: Number(select.value) }) },
      ...options.map((text, value) => make("option", { value }, text)));
    shown[name] = select;
    return make("div", { class: "cl-control" }, make("label", { for: `cl-${name}` }, label), select);
  }

  function controls() {
    shown.worlds = content.networks.map((_, number) => make("input", { type: "radio", name: "cl-world",
      id: `cl-world-${number}`, onchange: () => change({ world: number }) }));
    const worlds = content.networks.map((label, number) =>
      make("label", { class: "cl-world" }, shown.worlds[number], make("span", {}, label)));
    shown.more = make("strong", {});
    shown.dial = make("input", { type: "range", id: "cl-smile", min: 0, step: 1, max: content.stops.length - 1,
      oninput: () => change({ stop: Number(shown.dial.value) }) });
    [shown.low, shown.high] = [make("span", {}), make("span", {})];
    return make("div", {}, make("label", { for: "cl-smile" }, "In the collection: ", shown.more), shown.dial,
      make("div", { class: "cl-ends", "aria-hidden": "true" }, shown.low, shown.high),
      make("div", { class: "cl-choices" },
        choice("pair", "Groups", content.pairs.map(({ first, second }) => `${first} and ${second}`)),
        choice("dimension", "Dimension", content.dimensions)),
      make("fieldset", {}, make("legend", {}, "Networks"), ...worlds));
  }

  function cloud() {
    shown.up = make("div", { class: "cl-axis", "aria-hidden": "true" });
    shown.cloud = drawn("svg", { "aria-hidden": "true", width: "100%", height: SIZE });
    shown.key = make("div", { class: "cl-keys", "aria-hidden": "true" });
    shown.axes = make("figcaption", {});
    return make("figure", {}, shown.key, shown.up, shown.cloud,
      make("div", { class: "cl-axis cl-right", "aria-hidden": "true" }, "more smiling →"), shown.axes);
  }

  function estimates() {
    shown.rows = {};
    shown.caption = make("caption", {});
    shown.ends = [0, 1, 2].map(() => make("span", {}));
    const scale = make("th", { scope: "col" }, make("div", { class: "cl-scale" }, ...shown.ends));
    const rows = Object.entries(content.methods).map(([method, words]) => {
      const [line, dot, tick] = ["line", "dot", "tick"].map((part) => make("span", { class: `cl-${part}` }));
      const number = make("td", { class: "cl-number" });
      shown.rows[method] = { line, dot, tick, number };
      return make("tr", { class: method === "all known" ? "cl-aside" : "" },
        make("th", { scope: "row" }, make("b", {}, content.short[method]), ` ${words}`),
        make("td", { class: "cl-picture", "aria-hidden": "true" }, make("div", {}, tick, dot, line)), number);
    });
    return make("table", { class: "cl-now" }, shown.caption, make("thead", {}, make("tr", {},
      make("th", { scope: "col" }, "estimate"), scale, make("th", { scope: "col" }, "gap"))),
      make("tbody", {}, ...rows));
  }

  function numbers() {
    const heads = ["estimate", "mean over networks", "95%, low", "95%, high", "true gap"];
    const rows = Object.keys(content.methods).map((method) => {
      const cells = heads.slice(1).map(() => make("td", {}));
      shown.rows[method].cells = cells;
      return make("tr", {}, make("th", { scope: "row" }, content.short[method]), ...cells);
    });
    return make("details", {}, make("summary", {}, "These numbers as a table"),
      make("div", { class: "cl-scroll", tabindex: 0, role: "region", "aria-label": "Estimates" },
        make("table", {}, make("thead", {}, make("tr", {}, ...heads.map((head) => make("th", { scope: "col" }, head)))),
          make("tbody", {}, ...rows))));
  }

  shown.tries = content.tries.map(({ words, pair: number, stop }, which) => make("button", { type: "button",
    id: `cl-try-${which}`, onclick: () => change({ pair: number, stop, world: 0, dimension: 0 }) }, words));
  shown.truth = make("p", { class: "cl-truth" });
  shown.said = make("p", { role: "status", class: "cl-said" });
  shown.note = make("p", { class: "cl-note" }, content.matched);
  place.append(shown.truth, make("div", { class: "cl-tries", role: "group", "aria-label": "Try this" }, make("span", {}, "Try this:"), ...shown.tries),
    shown.said, make("div", { class: "cl-top-row" }, controls(), cloud()), estimates(), shown.note, numbers());
  show();
  place.hidden = false;
  document.getElementById(content.figure)?.classList.add("cl-replaced");
})();
