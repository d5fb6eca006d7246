/* Nine models: one of the tests that stand in the page is shown, chosen from a list. */
"use strict";

Play.mount("nine-models", (content, place) => {
  const tests = [...place.querySelectorAll("figure")], options = tests.map((test, number) => [number, test.querySelector("figcaption").textContent]);
  const show = (chosen) => tests.forEach((test, number) => { test.hidden = number !== chosen; });
  tests.forEach((test) => test.querySelector("p").setAttribute("aria-live", "polite"));
  place.classList.add("nm-one");
  show(0);
  return [Play.ui.choice("nm-test", "Pick a test:", options, show).place];
});
