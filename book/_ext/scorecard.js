/* The filter of the scorecard. Comes in: the rows of #records, folded by chapter, with their paper, chapter and verdicts as
   data-… of each row. Goes out: which rows are shown, at first those that do not hold. May not: ask a server for anything;
   without this script every row can be unfolded. */
(function () {
  const all = document.getElementById("records");
  const bar = document.querySelector(".vb-filter");
  const folds = Array.from(all.querySelectorAll("details"), (fold) => ({
    fold, rows: Array.from(fold.querySelectorAll("tbody tr")), said: fold.querySelector(".vb-shown"),
  }));
  const rows = folds.flatMap((one) => one.rows);
  const names = { paper: "paper", chapter: "chapter", audit: "audit verdict", rerun: "rerun verdict" };
  const FIRST = "inconsistent";
  const selects = {};
  const count = document.createElement("output");

  function fill(name) {
    const select = selects[name];
    const chosen = select.value;
    const paper = name === "chapter" ? selects.paper.value : "";
    const values = new Set(rows.filter((row) => !paper || row.dataset.paper === paper).map((row) => row.dataset[name]));
    select.replaceChildren(new Option("all", ""), ...Array.from(values, (value) => new Option(value, value)));
    select.value = values.has(chosen) ? chosen : "";
  }

  function apply() {
    fill("chapter");
    let shown = 0;
    for (const { fold, rows: own, said } of folds) {
      for (const row of own)
        row.hidden = Object.keys(names).some((name) => selects[name].value && row.dataset[name] !== selects[name].value);
      const left = own.filter((row) => !row.hidden).length;
      fold.hidden = !left;
      said.textContent = left + " of " + own.length + (own.length === 1 ? " record" : " records");
      shown += left;
    }
    count.textContent = shown + " of " + rows.length + " records";
  }

  function show_linked() {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const chapter = folds.find((one) => one.fold === target || one.rows.includes(target));
    if (!chapter) return;
    if (chapter.fold === target || target.hidden) {
      Object.values(selects).forEach((select) => { select.value = ""; });
      apply();
    }
    chapter.fold.open = true;
    target.scrollIntoView();
  }

  for (const [name, words] of Object.entries(names)) {
    const label = document.createElement("label");
    selects[name] = document.createElement("select");
    selects[name].addEventListener("change", apply);
    label.append(words + " ", selects[name]);
    bar.append(label);
  }
  bar.append(count);
  Object.keys(names).forEach(fill);
  selects.audit.value = FIRST;
  bar.hidden = false;
  apply();
  window.addEventListener("hashchange", show_linked);
  if (location.hash) show_linked();
})();
