/* The filter of the scorecard. Comes in: the rows of #records, with their paper, chapter and verdicts as data-… of each
   row. Goes out: which rows are shown. May not: ask a server for anything; without this script every row is shown. */
(function () {
  const table = document.getElementById("records");
  const bar = document.querySelector(".vb-filter");
  const rows = Array.from(table.tBodies[0].rows);
  const names = { paper: "paper", chapter: "chapter", audit: "audit verdict", rerun: "rerun verdict" };
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
    for (const row of rows) {
      row.hidden = Object.keys(names).some((name) => selects[name].value && row.dataset[name] !== selects[name].value);
      shown += row.hidden ? 0 : 1;
    }
    count.textContent = shown + " of " + rows.length + " records";
  }

  function show_linked() {
    const row = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (row && row.hidden) {
      Object.values(selects).forEach((select) => { select.value = ""; });
      apply();
    }
    if (row && rows.includes(row)) row.scrollIntoView();
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
  bar.hidden = false;
  apply();
  window.addEventListener("hashchange", show_linked);
  if (location.hash) show_linked();
})();
