/* A collection of photographs: a slider says how strongly smiling goes along with a group, and estimates of a gap move. */
"use strict";

Play.mount("collection", (content) => {
  const { make, drawn, across, cells, slider, choice, radios, tries, table, scrolling, folded, status, note, beside } = Play.ui;
  const SIZE = 220, LARGEST = 7;  // pixels: the height of the picture, and the radius of its largest dot
  const state = { pair: 0, world: 0, dimension: 0, stop: content.stops.indexOf(0) };

  const signed = (value, digits = 2) => Play.ui.signed(value, digits);
  const pair = () => content.pairs[state.pair];
  const world = () => pair().worlds[state.world];
  const dimension = () => content.dimensions[state.dimension];
  const estimate = (method) => {
    const stops = world().estimates[method][state.dimension];
    return stops[Math.min(state.stop, stops.length - 1)];
  };
  const truth = (method) => world().planted[method === "controlled" ? "experiment" : "photographs"][state.dimension];

  function change(changes) {
    Object.assign(state, changes);
    show();
  }

  // Its parts

  const dial = slider("cl-smile", "In the collection", { min: 0, step: 1, max: content.stops.length - 1, ends: ["", ""] },
    (stop) => change({ stop }));
  const pairs = choice("cl-pair", "Groups", content.pairs.map(({ first, second }, number) => [number, `${first} and ${second}`]),
    (number) => change({ pair: number }));
  const dimensions = choice("cl-dimension", "Dimension", content.dimensions.map((name, number) => [number, name]),
    (number) => change({ dimension: number }));
  const worlds = radios("cl-world", "Networks", content.networks.map((label) => [label]), (number) => change({ world: number }));
  const tried = tries("cl-try", content.tries, (one) => change({ pair: one.pair, stop: one.stop, world: 0, dimension: 0 }));
  const truthTold = make("p", { class: "cl-truth" }), said = status(), matched = note(content.matched);
  const cloud = drawn("svg", { class: "cl-cloud", "aria-hidden": "true", width: "100%", height: SIZE });
  const key = make("div", { class: "cl-keys", "aria-hidden": "true" }), up = make("div", { "aria-hidden": "true" });
  const axes = make("figcaption"), ends = [0, 1, 2].map(() => make("span"));
  const rows = Object.keys(content.methods).map((method) => {
    const [line, dot, tick] = ["line", "dot", "tick"].map((part) => make("span", { class: `play-${part}` }));
    const picture = make("td", { class: "play-track", "aria-hidden": "true" }, make("div", {}, tick, dot, line));
    return { method, line, dot, tick, picture, number: make("td", { class: "play-number" }), numbers: cells(4) };
  });
  const estimates = table("", ["estimate", make("div", { class: "play-ends" }, ...ends), "gap"], rows.map(({ method, picture, number }) =>
    [make("span", {}, make("b", {}, content.short[method]), ` ${content.methods[method]}`), picture, number]), { class: "cl-now" });
  const heads = ["estimate", "mean over networks", "95%, low", "95%, high", "true gap"];
  const numbers = table("Estimates", heads, rows.map((row) => [content.short[row.method], ...row.numbers]));
  estimates.querySelector("tbody tr:last-child").className = "cl-aside";

  // What the reader sees

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

  function showCloud() {
    const { group, faces, first, second } = pair(), counted = weights();
    const [smile, scores] = [content.cloud.smile, content.cloud.scores[state.world][state.dimension]]
      .map((values) => faces.map((face) => values[face]));
    const within = (values) => {
      const low = Math.min(...values), high = Math.max(...values);
      return (value) => (value - low) / (high - low);
    };
    const [right, upwards] = [within(smile), within(scores)];
    const x = (value) => `${4 + 92 * right(value)}%`, y = (value) => SIZE - 10 - (SIZE - 20) * upwards(value);
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
    cloud.replaceChildren(...marks);
    key.replaceChildren(...[[1, "●", first], [0, "■", second]].flatMap(([side, mark, name]) =>
      [make("span", { class: `cl-key-${side}` }, mark), ` ${name}  `]));
    up.textContent = `↑ more ${dimension()}, as the networks see it`;
    axes.textContent = "Each mark is one of our drawn faces. The larger, the more often the collection holds it: so it gets the "
      + `smiles that you choose. Lines: mean of ${first} (solid) and of ${second} (dashed) faces; their distance is the naive `
      + "gap. Ticks below: mean smile.";
  }

  /* The largest end of any interval that any groups and dimension can bring, rounded up: one scale for all of them. */
  const reaches = content.networks.map((_, which) => {
    const every = content.pairs.flatMap((one) => [one.worlds[which].estimates, one.worlds[which].planted].flatMap(Object.values));
    return Math.ceil(2 * Math.max(...every.flat(Infinity).map(Math.abs))) / 2;
  });

  function showEstimates() {
    const reach = reaches[state.world];
    [-reach, 0, reach].forEach((value, place) => { ends[place].textContent = value ? signed(value, 1) : "0"; });
    estimates.caption.textContent = `Gap in ${dimension()}, ${pair().first} minus ${pair().second}, in logits. Dot: mean of the `
      + "networks. Line: its 95% confidence interval. Upright bar: the true gap.";
    for (const { method, line, dot, tick, number, numbers: own } of rows) {
      const [middle, low, high] = estimate(method);
      line.style.left = across(low, reach);
      line.style.width = `${50 * (high - low) / reach}%`;
      dot.style.left = across(middle, reach);
      tick.style.left = across(truth(method), reach);
      number.textContent = signed(middle);
      [middle, low, high, truth(method)].forEach((value, column) => { own[column].textContent = signed(value); });
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
    dial.set(state.stop, more);
    [second, first].forEach((name, end) => { dial.ends[end].textContent = `${name} smile more`; });
    const [photographs, experiment] = [truth("naive"), truth("controlled")];
    const gap = signed(photographs) === signed(experiment) ? signed(photographs)
      : `${signed(photographs)} for the faces of the photographs, and ${signed(experiment)} for those of the experiment`;
    truthTold.textContent = `Two groups of drawn faces, ${first} and ${second}. The networks learned from captions in which `
      + (photographs || experiment ? `the group makes a difference. The true gap in ${dimension()} is ${gap}.`
        : "smiles and clothes matter, but the group makes no difference: the true gap is 0.");
    said.textContent = result(more);
  }

  function show() {
    pairs.set(state.pair);
    dimensions.set(state.dimension);
    worlds.set(state.world);
    tried.set((one) => state.pair === one.pair && state.stop === one.stop && !state.world && !state.dimension);
    matched.hidden = state.pair !== 0;  // it is about the first pair
    showCloud();
    showEstimates();
    describe();
  }

  show();
  const picture = make("figure", {}, key, up, cloud, make("div", { class: "cl-right", "aria-hidden": "true" }, "more smiling →"), axes);
  const controls = make("div", {}, dial.place, make("div", { class: "cl-choices" }, pairs.place, dimensions.place), worlds.place);
  return [truthTold, tried.place, said, beside(controls, picture), estimates, matched,
    folded("These numbers as a table", scrolling("Estimates", numbers))];
});
