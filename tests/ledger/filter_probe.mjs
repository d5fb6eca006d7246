/* Runs the filter of the scorecard on a page with no browser: only the few parts of a document that it uses.
   Comes in: the page and the script, as arguments. Goes out: what the filter shows after each choice, as JSON. */
import { readFileSync } from "node:fs";

class Element {
  constructor(tag) { Object.assign(this, { tag, children: [], dataset: {}, hidden: false, listeners: {}, chosen: "" }); }
  append(...children) { this.children.push(...children); }
  replaceChildren(...children) { this.children = children; this.chosen = ""; }
  addEventListener(name, listener) { this.listeners[name] = listener; }
  scrollIntoView() { this.seen = true; }
  get value() { return this.chosen; }
  set value(value) { this.chosen = this.children.some((option) => option.value === value) ? value : ""; }
}

const page = readFileSync(process.argv[2], "utf8");
const rows = Array.from(page.matchAll(/<tr id="([^"]+)"((?: data-[a-z]+="[^"]*")+)>/g), ([, id, marks]) => {
  const row = Object.assign(new Element("tr"), { id });
  for (const [, name, value] of marks.matchAll(/data-([a-z]+)="([^"]*)"/g)) row.dataset[name] = value;
  return row;
});
const folds = Array.from(Map.groupBy(rows, (row) => row.dataset.chapter).values(), (own) => {
  const fold = new Element("details"), said = new Element("span");
  fold.querySelectorAll = () => own;
  fold.querySelector = () => said;
  return Object.assign(fold, { own, said });
});
const bar = Object.assign(new Element("div"), { hidden: true });
const listeners = {};
globalThis.Option = function (text, value) { Object.assign(this, { text, value }); };
globalThis.location = { hash: "" };
globalThis.window = { addEventListener: (name, listener) => { listeners[name] = listener; } };
globalThis.document = {
  getElementById: (id) => (id === "records" ? { querySelectorAll: () => folds } : rows.find((row) => row.id === id) ?? null),
  querySelector: () => bar,
  createElement: (tag) => new Element(tag),
};
(0, eval)(readFileSync(process.argv[3], "utf8"));

const [paper, chapter, audit] = bar.children.filter((child) => child.tag === "label").map((label) => label.children[1]);
const count = bar.children.at(-1);
const choose = (select, value) => { select.value = value; select.listeners.change(); };
const open = () => folds.filter((fold) => !fold.hidden).length;
const seen = { open: !bar.hidden, first: count.textContent, "chapters with some": open() };
choose(audit, "");
Object.assign(seen, { all: count.textContent, chapters: chapter.children.length, folds: open() });
choose(paper, "Ghate et al. 2025");
Object.assign(seen, { paper: count.textContent, "its chapters": chapter.children.map((option) => option.value) });
choose(audit, "inconsistent");
Object.assign(seen, { both: count.textContent, shown: rows.filter((row) => !row.hidden).map((row) => row.id) });
location.hash = "#record-we_they-consistently";
listeners.hashchange();
const linked = rows.find((row) => row.id === location.hash.slice(1));
Object.assign(seen, { linked: linked.seen && !linked.hidden && folds.find((fold) => fold.own.includes(linked)).open, "after a link": count.textContent });
console.log(JSON.stringify(seen));
