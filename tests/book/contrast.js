// The smallest contrast of marks with their ground within an element, by WCAG 2.2, 1.4.11; `marks` is a list of
// [selector, the property that has the mark's colour]. What is hidden is left out.
(place, marks) => {
  const light = (colour) => colour.match(/[\d.]+/g).slice(0, 3).map((part) => part / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    .reduce((total, part, at) => total + part * [0.2126, 0.7152, 0.0722][at], 0);
  const ground = (element) => {
    const own = getComputedStyle(element).backgroundColor;
    return element.parentElement && /, 0\)|transparent/.test(own) ? ground(element.parentElement) : own;
  };
  const ratio = (first, second) => (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05);
  const found = marks.flatMap(([query, property]) => [...document.querySelectorAll(`#${place} :is(${query})`)]
    .filter((one) => one.checkVisibility())
    .map((one) => ratio(light(getComputedStyle(one)[property]), light(ground(one.parentElement)))));
  if (!found.length) throw new Error(`no mark in #${place}`);
  return Math.min(...found);
}
