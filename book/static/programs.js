// Shows or hides the programs of a page, remembers which, and prints every page light. Comes in: the boxes of code
// beside prose. Goes out: the attribute data-programs of <html>, which the style sheet reads, and buttons that turn it.
// May not: hide a solution, or what a program printed. Without this script every program is shown.
"use strict";
(() => {
  const KEY = "vlmbias-programs", page = document.documentElement;
  const remembered = () => {
    try { return localStorage.getItem(KEY); } catch { return null; } // where a browser keeps nothing for files
  };
  const hidden = () => page.dataset.programs === "hidden";
  // at once, before anything is drawn; a phone begins without them: they are half of a chapter's height there
  page.dataset.programs = remembered() ?? (matchMedia("(max-width: 700px)").matches ? "hidden" : "shown");

  const button = (name) => {
    const made = document.createElement("button");
    made.type = "button";
    made.className = `vb-programs ${name}`;
    made.addEventListener("click", turn);
    return made;
  };
  const say = () => {
    const words = hidden() ? "Show programs" : "Hide programs";
    for (const one of document.querySelectorAll("button.vb-programs")) {
      one.querySelector(".vb-words").textContent = words;
      one.title = words;
    }
    for (const line of document.querySelectorAll(".vb-programs-line")) line.hidden = !hidden();
  };
  // what stands at the top of the window stays there
  const turn = () => {
    const below = [...document.querySelectorAll(".bd-article :is(h1, h2, h3, p, figure, li)")].find(
      (one) => one.checkVisibility() && !one.closest(".cell_input, .vb-programs-line") && one.getBoundingClientRect().top > 60);
    const before = below?.getBoundingClientRect().top;
    page.dataset.programs = hidden() ? "shown" : "hidden";
    try { localStorage.setItem(KEY, page.dataset.programs); } catch { /* it holds for this page */ }
    say();
    if (below) scrollBy({ top: below.getBoundingClientRect().top - before, behavior: "instant" });
  };

  addEventListener("DOMContentLoaded", () => {
    const programs = [...document.querySelectorAll(".bd-article .cell_input")].filter((one) => !one.closest(".solution"));
    if (!programs.length) return;
    const above = button("btn btn-sm"), line = document.createElement("p"), inside = button("vb-inside");
    above.innerHTML = '<span aria-hidden="true">&lt;/&gt;</span> <span class="vb-words"></span>';
    inside.innerHTML = '<span class="vb-words"></span>';
    line.className = "vb-programs-line";
    line.append(`This page computes what it shows; its ${programs.length} programs are hidden. `, inside);
    document.querySelector(".article-header-buttons")?.prepend(above);
    document.querySelector(".bd-article h1")?.after(line);
    say();
  });
  // paper is light
  let theme = null;
  addEventListener("beforeprint", () => { theme = page.dataset.theme; page.dataset.theme = "light"; });
  addEventListener("afterprint", () => { page.dataset.theme = theme; });
  addEventListener("storage", (event) => { // another window of the book
    if (event.key === KEY && event.newValue) { page.dataset.programs = event.newValue; say(); }
  });
})();
