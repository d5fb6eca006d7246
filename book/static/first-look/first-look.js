/* The first page's switch: the same two faces, as two networks see them.

   Comes in: the JSON that stands in the page. Goes out: two faces with a lamp each, a switch and a sentence, in place of
   the still picture. May not: ask for anything, or hold a number of its own. */
"use strict";

(() => {
  const { faces, states, switch: label, rule } = JSON.parse(document.getElementById("first-look-data").textContent);
  const place = document.getElementById("first-look");

  function make(tag, attributes = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (typeof value === "function") element.addEventListener(name.slice(2), value);
      else element.setAttribute(name, value);
    }
    element.append(...children);
    return element;
  }

  const shown = faces.map(({ name, picture, alt }) => {
    const lamp = make("span", { class: "fl-lamp", "aria-hidden": "true" }), text = make("span");
    const caption = make("figcaption", {}, lamp, text);
    return { name, lamp, text, figure: make("figure", {}, make("img", { src: picture, alt }), caption) };
  });
  const said = make("p", { role: "status", class: "fl-said" });
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

  place.append(make("div", { class: "fl-faces" }, ...shown.map(({ figure }) => figure)), turn, said,
    make("p", { class: "fl-rule" }, rule));
  show(0);
  place.hidden = false;
  document.querySelectorAll(".fl-still").forEach((still) => still.classList.add("fl-replaced"));
})();
