// What is wrong with the open page at its present width and theme: a list of [kind, what].
// Everything folded is opened first; whatever stands in a box that scrolls is in order.
(async () => {
  const article = document.querySelector(".bd-article") ?? document.body;
  const found = [], seen = new Set();
  const say = (kind, element, more = "") => {
    const words = (element.textContent || element.getAttribute?.("alt") || element.tagName).trim().replace(/\s+/g, " ");
    const line = `${words.slice(0, 70)}${more}`;
    if (!seen.has(kind + line)) found.push([kind, line]);
    seen.add(kind + line);
  };
  const hidden = ".visually-hidden, .sr-only, mjx-assistive-mml, .tooltip, script, style, template, noscript";
  const style = new Map();
  const look = (element) => style.get(element) ?? style.set(element, getComputedStyle(element)).get(element);

  const page = document.documentElement, wide = page.clientWidth;
  if (page.scrollWidth > wide + 1) say("page scrolls sideways", page.querySelector("h1"), ` (${page.scrollWidth} px)`);

  // the box that cuts or scrolls what stands in it, for one direction
  const box = (element, side) => {
    for (let one = element; one && one !== document.body; one = one.parentElement)
      if (look(one)[`overflow${side}`] !== "visible") return one;
    return null;
  };
  const scrolls = (one, side) => ["auto", "scroll"].includes(look(one)[`overflow${side}`]);
  const judge = (rect, element, more = "") => {
    const across = box(element, "X"), down = box(element, "Y");
    if (!across && rect.right > wide + 1) say("out of the page", element, ` ${more} (${Math.round(rect.right - wide)} px)`);
    if (across && !scrolls(across, "X") && rect.right > across.getBoundingClientRect().right + 1.5)
      say("cut off at the right", element, more);
    if (down && !scrolls(down, "Y") && rect.bottom > down.getBoundingClientRect().bottom + 3)
      say("cut off at the bottom", element, more);
  };

  const range = document.createRange(), texts = document.createTreeWalker(article, NodeFilter.SHOW_TEXT);
  const light = ([red, green, blue]) => [red, green, blue].map((part) => part / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    .reduce((total, part, at) => total + part * [0.2126, 0.7152, 0.0722][at], 0);
  const parts = (colour) => colour.match(/[\d.]+/g)?.map(Number) ?? [0, 0, 0];
  const ground = (element) => {  // the colours behind it, laid over each other
    if (!element) return [255, 255, 255];
    const [red, green, blue, cover = 1] = parts(look(element).backgroundColor);
    if (cover === 1) return [red, green, blue];
    return ground(element.parentElement).map((part, at) => part * (1 - cover) + [red, green, blue][at] * cover);
  };
  // WCAG 2.2, 1.4.3: 4.5 to 1, or 3 to 1 where the type is large
  const pale = (element) => {
    if (element.closest(".headerlink, :disabled, [aria-hidden='true']")) return;
    const [red, green, blue, cover = 1] = parts(look(element).color), behind = ground(element);
    const ink = [red, green, blue].map((part, at) => part * cover + behind[at] * (1 - cover));
    const [first, second] = [light(ink), light(behind)];
    const ratio = (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05);
    const size = parseFloat(look(element).fontSize), bold = Number(look(element).fontWeight) >= 700;
    if (ratio < (size >= 24 || (bold && size >= 18.66) ? 3 : 4.495)) say("text too pale for its ground", element, ` (${ratio.toFixed(2)})`);
  };
  while (texts.nextNode()) {
    const node = texts.currentNode, element = node.parentElement;
    if (!node.data.trim() || element.closest(hidden) || element.closest("svg, mjx-container")) continue;
    if (!element.checkVisibility({ visibilityProperty: true })) continue;
    range.selectNodeContents(node);
    judge(range.getBoundingClientRect(), element);
    pale(element);
  }
  if (article !== document.body) {
    const around = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (around.nextNode()) {
      const element = around.currentNode.parentElement;
      if (around.currentNode.data.trim() && !article.contains(element) && !element.closest(hidden + ", svg")
          && element.checkVisibility({ visibilityProperty: true })) pale(element);
    }
  }
  for (const picture of article.querySelectorAll("img, svg.main-svg, canvas, input, select"))
    if (picture.checkVisibility()) judge(picture.getBoundingClientRect(), picture.parentElement);

  for (const formula of article.querySelectorAll("mjx-container")) {
    const inside = formula.querySelector("mjx-math");
    if (!inside || !formula.checkVisibility()) continue;
    const own = look(formula), rect = inside.getBoundingClientRect(), shown = formula.getBoundingClientRect();
    const text = inside.nextSibling?.textContent ?? "";
    if (wide > 1000 && formula.scrollWidth > formula.clientWidth + 1 && own.overflowX !== "visible")
      say("formula wider than its column", formula, text);
    if (own.overflowX === "visible") judge(rect, formula, text);
    else if (!scrolls(formula, "X") && rect.width > shown.width + 1) say("formula clipped", formula, text);
    if (!["visible", "auto", "scroll"].includes(own.overflowY) && formula.scrollHeight > formula.clientHeight + 1)
      say("formula clipped above or below", formula, `${text} (${formula.scrollHeight} of ${formula.clientHeight} px)`);
  }
  return found;
})()
