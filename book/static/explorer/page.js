/* The explorer: a face with sliders, what a network makes of it, and a lamp per network.

   Comes in: the other scripts of this folder, `Explorer.world`, and one script per network, loaded when it is chosen.
   Goes out: the page's controls, in place of its still picture. May not: ask for anything outside this folder. */
"use strict";

(() => {
  const { world, face, model, painting } = Explorer;
  const FOLDER = document.currentScript.src.replace(/[^/]*$/, "");
  const REACH = 0.2;  // the Δcos at which a bar ends
  const SLIDERS = {
    smiling: ["Smile", 0.25, "frowning", "smiling broadly"], age: ["Age", 0.1, "young", "old"],
    lighting: ["Light", 0.25, "from the left", "from the right"], pose: ["Pose", 0.25, "facing left", "facing right"],
  };
  const DIGITS = 3;  // of a Δcos; a difference has one more
  const state = { network: 0, seed: 0, race: world.hues[0], gender: world.crests[0], ...world.start, pair: 0,
                  dimension: world.dimensions[0], hundred: 0 };
  const shown = {};  // the elements that change
  const looking = {};  // networks that are ready to look, by number

  /* An element with attributes and children; `on…` attributes are listeners. */
  function make(tag, attributes = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (typeof value === "function") element.addEventListener(name.slice(2), value);
      else element.setAttribute(name, value);
    }
    element.append(...children);
    return element;
  }

  const words = (name) => name.replace("_", " ");
  const signed = (value, digits = DIGITS) =>
    (value < 0 ? "\u2212" : "+") + Math.abs(value).toFixed(digits);
  const chance = (p) => (p < 0.0001 ? "p < 0.0001" : `p = ${Number(p.toPrecision(2))}`);

  // Networks

  function script(number) {
    return new Promise((loaded, failed) => {
      document.head.append(make("script", { src: `${FOLDER}network-${number}.js`, onload: loaded, onerror: failed }));
    });
  }

  async function network(number) {
    looking[number] ??= script(number).then(() => model.unpack(Explorer.networks[world.networks[number].name]));
    return looking[number];
  }

  // What the reader sees

  /* The face as the chosen network knows it: names stand for the looks of its own pairing. */
  function faceShown() {
    const { paints, drawings } = world.networks[state.network].pairing;
    const { seed, age, smiling, lighting, pose } = state;
    return { seed, age, smiling, lighting, pose, paint: paints[state.race], drawing: drawings[state.gender] };
  }

  function drawFace(bytes) {
    const image = new ImageData(painting.SIZE, painting.SIZE);
    for (let pixel = 0; pixel < painting.SIZE ** 2; pixel++) {
      image.data.set([...bytes.subarray(3 * pixel, 3 * pixel + 3), 255], 4 * pixel);
    }
    shown.canvas.getContext("2d").putImageData(image, 0, 0);
  }

  function describeFace({ paint, drawing }) {
    const look = (name, made, as) => (name === as ? name : `${name} (in this network ${made} ${as})`);
    const looks = [look(state.race, "painted", paint), look(state.gender, "drawn", drawing)];
    const text = `Identity ${state.seed}: ${looks.join(", ")}`;
    shown.look.textContent = text;
    shown.canvas.setAttribute("aria-label", `A drawn face. ${text}.`);
  }

  function drawBars(deltas) {
    deltas.forEach((delta, row) => {
      const { bar, number } = shown.bars[row], share = Math.min(Math.abs(delta) / REACH, 1) * 50;
      bar.style.width = `${share}%`;
      bar.style.left = `${delta < 0 ? 50 - share : 50}%`;
      number.textContent = signed(delta);
    });
  }

  let waiting = false;

  /* Paint and look once per frame, however often a slider moves. */
  function updateFace() {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(async () => {
      waiting = false;
      const chosen = state.network, looker = await network(chosen).catch(() => null);
      if (chosen !== state.network) return;  // another one was chosen while this one was loaded
      const what = faceShown(), bytes = face.render(what, world);
      drawFace(bytes);
      describeFace(what);
      shown.table.hidden = !looker;
      if (looker) drawBars(model.deltas(looker, bytes));
      else shown.look.textContent += ". This network could not be loaded.";
    });
  }

  // Lamps

  function comparison(number) {
    const { name } = world.networks[number], [first, second] = world.pairs[state.pair];
    return world.comparisons.find((row) => row.network === name && row.first === first && row.second === second
      && row.dimension === state.dimension && row.hundred === state.hundred);
  }

  function lampText({ on, first, second }) {
    return on ? `on: ${on > 0 ? first : second} higher` : "off";
  }

  function verdict(row) {
    const [higher, lower] = row.on < 0 ? [row.second, row.first] : [row.first, row.second];
    const about = `Mean difference of Δcos ${signed(row.difference, DIGITS + 1)}, ${row.first} less ${row.second}; `
      + `t-test over ${world.identities} identities: ${chance(row.p)}. `
      + `Taken for two separate groups of ${world.identities} (Welch): ${chance(row.p_separate)}.`;
    const found = row.on
      ? `The lamp is on: to this network, faces named ${higher} are closer to ${words(row.dimension)} than the same `
        + `faces named ${lower}. `
      : `The lamp is off: to this network, faces named ${higher} and the same faces named ${lower} do not differ `
        + `significantly on ${words(row.dimension)}. `;
    return found + about;
  }

  function tally() {
    const unplanted = world.networks.map((_, number) => number).filter((number) => !world.networks[number].planted);
    const rows = unplanted.map(comparison), count = (on) => rows.filter((row) => row.on === on).length;
    const [first, second] = world.pairs[state.pair];
    return `Of the ${rows.length} networks in which nothing was planted, the lamp is on for ${first} in ${count(1)}, `
      + `on for ${second} in ${count(-1)}, and off in ${count(0)}.`;
  }

  function updateLamps() {
    shown.lamps.forEach(({ lamp, text }, number) => {
      const row = comparison(number);
      lamp.classList.toggle("on", row.on !== 0);
      text.textContent = `${lampText(row)}, ${signed(row.difference, DIGITS + 1)}`;
    });
    const row = comparison(state.network);
    shown.lamp.classList.toggle("on", row.on !== 0);
    shown.verdict.textContent = verdict(row);
    shown.tally.textContent = tally();
  }

  // Controls

  function slider(name) {
    const [label, step, low, high] = SLIDERS[name], [min, max] = world.ranges[name], id = `ex-${name}`;
    const value = make("span", { class: "ex-value" }, String(state[name]));
    const input = make("input", { type: "range", id, min, max, step, value: state[name], oninput: () => {
      state[name] = Number(input.value);
      value.textContent = input.value;
      updateFace();
    } });
    const [left, right] = [low, high].map((end) => make("span", {}, end));
    const ends = make("div", { class: "ex-ends", "aria-hidden": "true" }, left, right);
    return make("div", { class: "ex-control" }, make("label", { for: id }, `${label} `, value), input, ends);
  }

  function choice(name, label, options, update) {
    const id = `ex-${name}`, listed = options.map(([value, text]) => make("option", { value }, text));
    const select = make("select", { id, onchange: () => {
      state[name] = typeof state[name] === "number" ? Number(select.value) : select.value;
      update();
    } }, ...listed);
    return make("div", { class: "ex-control" }, make("label", { for: id }, label), select);
  }

  const named = (names) => names.map((name) => [name, words(name)]);

  function another() {
    state.seed = (state.seed + 1) % world.identities;
    updateFace();
  }

  function faceControls() {
    const button = make("button", { type: "button", id: "ex-another", onclick: another }, "Another identity");
    return make("fieldset", { class: "ex-controls" }, make("legend", {}, "The face"),
      ...Object.keys(SLIDERS).map(slider), choice("race", "Hue", named(world.hues), updateFace),
      choice("gender", "Crest", named(world.crests), updateFace), button);
  }

  function bars() {
    shown.bars = world.dimensions.map((name) => {
      const bar = make("span", { class: "ex-bar" }), number = make("td", { class: "ex-number" });
      const track = make("td", { class: "ex-track", "aria-hidden": "true" }, make("div", {}, bar));
      return { bar, number, row: make("tr", {}, make("th", { scope: "row" }, words(name)), track, number) };
    });
    const caption = make("caption", {}, "Δcos: how much closer the face is to the words of a dimension than to a "
      + "sentence without an adjective, such as “a photo of a person”");
    shown.table = make("table", { class: "ex-bars" }, caption, make("tbody", {}, ...shown.bars.map(({ row }) => row)));
    return shown.table;
  }

  function picture() {
    shown.canvas = make("canvas", { width: painting.SIZE, height: painting.SIZE, role: "img" });
    shown.look = make("figcaption", {});
    return make("figure", { class: "ex-face" }, shown.canvas, shown.look);
  }

  function networkRow({ label }, number) {
    const lamp = make("span", { class: "ex-lamp", "aria-hidden": "true" }), text = make("span", { class: "ex-state" });
    const input = make("input", { type: "radio", name: "ex-network", id: `ex-network-${number}`, onchange: () => {
      state.network = number;
      updateFace();
      updateLamps();
    } });
    input.checked = number === state.network;
    const row = make("label", { class: "ex-network" }, input, lamp, make("span", { class: "ex-name" }, label), text);
    return { lamp, text, row };
  }

  function networks() {
    shown.lamps = world.networks.map(networkRow);
    const [first, ...others] = shown.lamps.map(({ row }) => row);
    return make("fieldset", { class: "ex-networks" }, make("legend", {}, "The network that looks"), first,
      make("p", { class: "ex-again" }, "Nothing planted; each from another random start:"), ...others);
  }

  function lampPart() {
    const pairs = world.pairs.map(([first, second], number) => [number, `${first} and ${second}`]);
    shown.lamp = make("span", { class: "ex-lamp large", "aria-hidden": "true" });
    shown.verdict = make("p", { role: "status", class: "ex-verdict" });
    shown.tally = make("p", {});
    const people = [0, 1].map((hundred) => [hundred,
      `identities ${hundred * world.identities} to ${(hundred + 1) * world.identities - 1}`]);
    const questions = make("div", { class: "ex-question" }, choice("pair", "Groups", pairs, updateLamps),
      choice("dimension", "Dimension", named(world.dimensions), updateLamps),
      choice("hundred", "Faces", people, updateLamps));
    return make("div", { class: "ex-lamps" }, questions, networks(),
      make("div", { class: "ex-answer" }, shown.lamp, shown.verdict), shown.tally);
  }

  const place = document.getElementById("explorer");
  place.append(make("div", { class: "ex-top" }, picture(), faceControls()), bars(), lampPart());
  place.hidden = false;
  document.querySelectorAll(".ex-still").forEach((still) => still.classList.add("ex-replaced"));
  updateFace();
  updateLamps();
})();
