// Says of every box that scrolls at which edges it goes on, in data-more; the style sheet lets it fade out there.
"use strict";
(() => {
  const BOXES = ".output.text_html, .pst-scrollable-table-container, .vb-scroll, .vb-card, details.claims, pre, " +
    "div.math, mjx-container[display='true'], mjx-container.vb-wide";
  const look = (box) => {
    const right = box.scrollWidth - box.clientWidth - box.scrollLeft;
    const below = box.scrollHeight - box.clientHeight - box.scrollTop;
    const cut = { X: getComputedStyle(box).overflowX !== "visible", Y: getComputedStyle(box).overflowY === "auto" };
    const more = [cut.X && box.scrollLeft > 2 && "left", cut.X && right > 2 && "right", cut.Y && below > 8 && "below"];
    const said = more.filter(Boolean).join(" ");
    if (said) box.dataset.more = said;
    else delete box.dataset.more;
    if (said && box.tabIndex < 0) box.tabIndex = 0; // so that arrow keys scroll it
  };
  const sizes = new ResizeObserver((seen) => seen.forEach((one) => look(one.target)));
  const watch = () => {
    // a formula in a sentence cannot break: one wider than its column scrolls by itself
    for (const formula of document.querySelectorAll(".bd-article mjx-container:not([display])"))
      if (formula.getBoundingClientRect().width > (formula.closest("p, li, dd, td")?.clientWidth ?? Infinity))
        formula.classList.add("vb-wide");
    for (const box of document.querySelectorAll(".bd-article :is(" + BOXES + ")")) {
      box.addEventListener("scroll", () => look(box), { passive: true });
      sizes.observe(box);
      look(box);
    }
  };
  // formulas are set after the page is read
  addEventListener("load", () => Promise.resolve(window.MathJax?.startup?.promise).then(watch, watch));
})();
