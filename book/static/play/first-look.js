/* One face in two colours, as two networks see it: two faces with a lamp each, a switch and a sentence. */
"use strict";

Play.mount("first-look", ({ faces, states, switch: label, rule }) => {
  const { make, status, note } = Play.ui;
  const shown = faces.map(({ name, picture, alt }) => {
    const lamp = make("span", { class: "play-lamp", "aria-hidden": "true" }), text = make("span");
    return { name, lamp, text, figure: make("figure", {}, make("img", { src: picture, alt }), make("figcaption", {}, lamp, text)) };
  });
  const said = status();
  const turn = make("button", { type: "button", role: "switch", id: "fl-switch", onclick: () => {
    show(turn.getAttribute("aria-checked") === "true" ? 0 : 1);
  } }, make("span", { class: "fl-track", "aria-hidden": "true" }), make("span", {}, label));

  function show(number) {
    const state = states[number];
    turn.setAttribute("aria-checked", String(number === 1));
    shown.forEach(({ name, lamp, text }, column) => {
      lamp.classList.toggle("on", column === state.on);
      text.textContent = `${name}: lamp ${column === state.on ? "on" : "off"}`;
    });
    said.textContent = state.said;
  }

  show(0);
  return [make("div", { class: "fl-faces" }, ...shown.map(({ figure }) => figure)), turn, said, note(rule)];
});
