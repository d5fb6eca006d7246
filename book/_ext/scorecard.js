// The filter of the scorecard: which rows of #records are shown, at first those that do not hold. Each row has its
// paper, chapter and verdicts as data-…; without this script every row can be unfolded.
"use strict";
(() => {
  const names = { paper: "paper", chapter: "chapter", audit: "audit verdict", rerun: "rerun verdict" };
  const bar = document.querySelector(".vb-filter"), count = document.createElement("output");
  const folds = [...document.querySelectorAll("#records details")];
  const rows = [...document.querySelectorAll("#records tbody tr[id]")];
  const selects = {};

  // what there is to choose; of chapters, those of the chosen paper
  const fill = (name) => {
    const select = selects[name], chosen = select.value;
    const paper = name === "chapter" ? selects.paper.value : "";
    const own = rows.filter((row) => !paper || row.dataset.paper === paper);
    const values = new Set(own.map((row) => row.dataset[name]));
    select.replaceChildren(new Option("all", ""), ...[...values].map((value) => new Option(value, value)));
    select.value = values.has(chosen) ? chosen : "";
  };

  const apply = () => {
    fill("chapter");
    const asked = Object.keys(names).filter((name) => selects[name].value);
    for (const row of rows) row.hidden = asked.some((name) => row.dataset[name] !== selects[name].value);
    for (const fold of folds) {
      const own = [...fold.querySelectorAll("tbody tr[id]")], left = own.filter((row) => !row.hidden).length;
      fold.hidden = !left;
      for (const part of fold.querySelectorAll("tbody")) part.hidden = ![...part.rows].some((row) => row.id && !row.hidden);
      fold.querySelector(".vb-shown").textContent = `${left} of ${own.length} ${own.length === 1 ? "record" : "records"}`;
    }
    count.textContent = `${rows.filter((row) => !row.hidden).length} of ${rows.length} records`;
  };

  const showLinked = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const fold = target?.closest("#records details");
    if (!fold) return;
    if (fold === target || target.hidden) {
      for (const select of Object.values(selects)) select.value = "";
      apply();
    }
    fold.open = true;
    target.scrollIntoView();
  };

  for (const [name, words] of Object.entries(names)) {
    const label = document.createElement("label");
    selects[name] = document.createElement("select");
    selects[name].addEventListener("change", apply);
    label.append(`${words} `, selects[name]);
    bar.append(label);
  }
  bar.append(count);
  Object.keys(names).forEach(fill);
  selects.audit.value = "inconsistent";
  bar.hidden = false;
  apply();
  addEventListener("hashchange", showLinked);
  showLinked();
})();
