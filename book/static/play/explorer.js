/* The explorer: a face with sliders, what a network makes of it, and a lamp per network. The script of a network, with its
   weights, is loaded when it is chosen. */
"use strict";

Play.mount("explorer", (world) => {
  const { ui, face, model, painting } = Play, { make } = ui;
  const FOLDER = document.currentScript.src.replace(/[^/]*$/, "");
  const REACH = 0.2;  // the Δcos at which a bar ends
  const DIGITS = 3;  // of a Δcos; a difference has one more
  const SLIDERS = {
    smiling: ["Smile", 0.25, "frowning", "smiling broadly"], age: ["Age", 0.1, "young", "old"],
    lighting: ["Light", 0.25, "from the left", "from the right"], pose: ["Pose", 0.25, "facing left", "facing right"],
  };
  const state = { network: 0, seed: 0, race: world.hues[0], gender: world.crests[0], ...world.start, pair: 0,
                  dimension: world.dimensions[0], hundred: 0 };
  const looking = {};  // networks that are ready to look, by number

  const words = (name) => name.replace("_", " ");
  const named = (names) => names.map((name) => [name, words(name)]);
  const chance = (p) => (p < 0.0001 ? "p < 0.0001" : `p = ${Number(p.toPrecision(2))}`);

  function script(number) {
    return new Promise((loaded, failed) => {
      document.head.append(make("script", { src: `${FOLDER}network-${number}.js`, onload: loaded, onerror: failed }));
    });
  }

  async function network(number) {
    looking[number] ??= script(number).then(() => model.unpack(Play.networks[world.networks[number].name]));
    return looking[number];
  }

  // The face and its bars

  const canvas = make("canvas", { width: painting.SIZE, height: painting.SIZE, role: "img" }), look = make("figcaption");
  const bars = world.dimensions.map(() => ({ bar: make("span", { class: "play-bar" }), number: make("td", { class: "play-number" }) }));
  const track = (bar) => make("td", { class: "play-track", "aria-hidden": "true" }, make("div", {}, bar));
  const table = ui.table("Δcos: how much closer the face is to the words of a dimension than to a sentence without an adjective, "
    + "such as “a photo of a person”", [], bars.map(({ bar, number }, row) => [words(world.dimensions[row]), track(bar), number]));

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
    canvas.getContext("2d").putImageData(image, 0, 0);
  }

  function describeFace({ paint, drawing }) {
    const called = (name, made, as) => (name === as ? name : `${name} (in this network ${made} ${as})`);
    const text = `Identity ${state.seed}: ${called(state.race, "painted", paint)}, ${called(state.gender, "drawn", drawing)}`;
    look.textContent = text;
    canvas.setAttribute("aria-label", `A drawn face. ${text}.`);
  }

  function drawBars(deltas) {
    deltas.forEach((delta, row) => {
      const { bar, number } = bars[row], share = Math.min(Math.abs(delta) / REACH, 1) * 50;
      bar.style.width = `${share}%`;
      bar.style.left = `${delta < 0 ? 50 - share : 50}%`;
      number.textContent = ui.signed(delta, DIGITS);
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
      table.hidden = !looker;
      if (looker) drawBars(model.deltas(looker, bytes));
      else look.textContent += ". This network could not be loaded.";
    });
  }

  function slider(name) {
    const [label, step, ...ends] = SLIDERS[name], [min, max] = world.ranges[name];
    const one = ui.slider(`ex-${name}`, label, { min, max, step, ends }, (value) => {
      state[name] = value;
      one.set(value, String(value));
      updateFace();
    });
    one.set(state[name], String(state[name]));
    return one.place;
  }

  const choice = (name, label, options, update) => ui.choice(`ex-${name}`, label, options, (value) => {
    state[name] = value;
    update();
  }).place;

  const another = () => {
    state.seed = (state.seed + 1) % world.identities;
    updateFace();
  };

  // Lamps

  const lamps = world.networks.map(() => ({ lamp: make("span", { class: "play-lamp", "aria-hidden": "true" }), text: make("span") }));
  const lamp = make("span", { class: "play-lamp large", "aria-hidden": "true" }), verdict = ui.status(), tally = make("p");
  const networks = ui.radios("ex-network", "The network that looks", world.networks.map(({ label }, number) =>
    [lamps[number].lamp, make("span", {}, label), lamps[number].text]), (number) => {
    state.network = number;
    updateFace();
    updateLamps();
  });

  function comparison(number) {
    const { name } = world.networks[number], [first, second] = world.pairs[state.pair];
    return world.comparisons.find((row) => row.network === name && row.first === first && row.second === second
      && row.dimension === state.dimension && row.hundred === state.hundred);
  }

  const lampText = ({ on, first, second }) => (on ? `on: ${on > 0 ? first : second} higher` : "off");

  function verdictOf(row) {
    const [higher, lower] = row.on < 0 ? [row.second, row.first] : [row.first, row.second];
    const about = `Mean difference of Δcos ${ui.signed(row.difference, DIGITS + 1)}, ${row.first} less ${row.second}; `
      + `t-test over ${world.identities} identities: ${chance(row.p)}. `
      + `Taken for two separate groups of ${world.identities} (Welch): ${chance(row.p_separate)}.`;
    const found = row.on
      ? `The lamp is on: to this network, faces named ${higher} are closer to ${words(row.dimension)} than the same `
        + `faces named ${lower}. `
      : `The lamp is off: to this network, faces named ${higher} and the same faces named ${lower} do not differ `
        + `significantly on ${words(row.dimension)}. `;
    return found + about;
  }

  function tallied() {
    const unplanted = world.networks.map((_, number) => number).filter((number) => !world.networks[number].planted);
    const rows = unplanted.map(comparison), count = (on) => rows.filter((row) => row.on === on).length;
    const [first, second] = world.pairs[state.pair];
    return `Of the ${rows.length} networks in which nothing was planted, the lamp is on for ${first} in ${count(1)}, `
      + `on for ${second} in ${count(-1)}, and off in ${count(0)}.`;
  }

  function updateLamps() {
    lamps.forEach(({ lamp: own, text }, number) => {
      const row = comparison(number);
      own.classList.toggle("on", row.on !== 0);
      text.textContent = `${lampText(row)}, ${ui.signed(row.difference, DIGITS + 1)}`;
    });
    const row = comparison(state.network);
    lamp.classList.toggle("on", row.on !== 0);
    verdict.textContent = verdictOf(row);
    tally.textContent = tallied();
  }

  const { identities } = world;
  const pairs = world.pairs.map(([first, second], number) => [number, `${first} and ${second}`]);
  const people = [0, 1].map((hundred) => [hundred, `identities ${hundred * identities} to ${(hundred + 1) * identities - 1}`]);
  networks.set(state.network);
  networks.place.querySelector("label").after(make("p", {}, "Nothing planted; each from another random start:"));
  updateFace();
  updateLamps();
  return [
    make("div", { class: "ex-top" }, make("figure", {}, canvas, look), make("fieldset", { class: "ex-controls" },
      make("legend", {}, "The face"), ...Object.keys(SLIDERS).map(slider), choice("race", "Hue", named(world.hues), updateFace),
      choice("gender", "Crest", named(world.crests), updateFace), ui.button("ex-another", "Another identity", another))),
    table,
    make("div", { class: "ex-question" }, choice("pair", "Groups", pairs, updateLamps),
      choice("dimension", "Dimension", named(world.dimensions), updateLamps), choice("hundred", "Faces", people, updateLamps)),
    networks.place, make("div", { class: "ex-answer" }, lamp, verdict), tally,
  ];
});
