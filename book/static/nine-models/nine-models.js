/* Shows one of the tests that stand in the page, chosen from a list; arrow keys change it, as in any list. */
"use strict";

(() => {
  const place = document.getElementById("nine-models");
  const tests = [...place.querySelectorAll(".nm-test")];
  const label = document.createElement("label"), list = document.createElement("select");
  label.append("Pick a test: ", list);
  tests.forEach((test, number) => {
    list.append(new Option(test.querySelector("figcaption").textContent, number));
  });
  const show = () => tests.forEach((test, number) => { test.hidden = number !== Number(list.value); });
  list.addEventListener("change", show);
  tests.forEach((test) => test.querySelector("p").setAttribute("aria-live", "polite"));
  place.prepend(label);
  place.classList.add("nm-one");
  show();
})();
