// Slides: arrow keys, space, Home and End; N opens the speaker's notes, which are then printed, too.
(() => {
  const slides = [...document.querySelectorAll("section")];
  const counter = document.querySelector("nav output");
  const notes = document.querySelector("[data-notes]");
  let at = 0;

  function show(number) {
    at = Math.max(0, Math.min(slides.length - 1, number));
    slides.forEach((slide, n) => slide.classList.toggle("shown", n === at));
    counter.textContent = `${at + 1} / ${slides.length}`;
  }
  function go(number) {
    show(number);
    location.replace(`#s${at + 1}`);
  }
  function turnNotes() {
    const open = document.body.classList.toggle("with-notes");
    document.querySelectorAll(".notes").forEach(one => { one.open = open; });
    notes.setAttribute("aria-pressed", open);
  }
  const fromAddress = () => show(Number(location.hash.replace("#s", "") || 1) - 1 || 0);

  const steps = { ArrowRight: 1, PageDown: 1, " ": 1, ArrowLeft: -1, PageUp: -1 };
  const narrow = matchMedia("(max-width: 699px)");
  addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey || narrow.matches) return;
    if (event.key === " " && event.target.closest("button, a, summary")) return;
    if (event.key in steps) go(at + steps[event.key]);
    else if (event.key === "Home") go(0);
    else if (event.key === "End") go(slides.length - 1);
    else if (event.key === "n" || event.key === "N") return turnNotes();
    else return;
    event.preventDefault();
  });
  document.querySelectorAll("[data-step]").forEach(button =>
    button.addEventListener("click", () => go(at + Number(button.dataset.step))));
  notes.addEventListener("click", turnNotes);
  addEventListener("hashchange", fromAddress);
  document.documentElement.classList.add("deck");
  fromAddress();
})();
