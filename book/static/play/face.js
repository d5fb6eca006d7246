/* A schematic face by formula, as src/greenhouse/world/faces.py paints it: the same bytes. It does not
   know which network looks at it, or what a group is called. */
"use strict";

Play.face = (() => {
  const { SIZE, add, sub, mul, div, sum, product, length, clip, mix, ramp, wave, shade, blend,
          Canvas, ellipse, box, segment, triangle, arch, ring, either } = Play.painting;
  const { uniform, spread, tint, noise } = Play.dice;
  const SIDES = [-1, 1];

  /* A colour of the seed, drawn towards its own grey as `vivid` falls to 0; amplitude 0 makes all the middle grey. */
  function own(seed, name, low, high, amplitude, vivid) {
    const drawn = tint(seed, name, low, high);
    const grey = div(sum(...drawn), 3);
    return drawn.map((part) => mix((low + high) / 2, mix(grey, part, vivid), amplitude));
  }

  /* Who a seed is, whatever its hue, crest and attributes: see identity.py. */
  function identity(seed, nuisance) {
    const vary = (name, amount, amplitude = nuisance.proportions) => spread(seed, name, amount * amplitude);
    const around = (middle, ...variation) => add(middle, vary(...variation));
    const has = (name, share) => Number(uniform(seed, name) < Math.fround(share * nuisance.accessories));
    const colour = (name, low, high, amplitude) => own(seed, name, low, high, amplitude, 0.8);
    const { hair, skin, garment } = nuisance;
    return {
      width: around(1, "head width", 0.12), height: around(1, "head height", 0.10), jaw: around(0.20, "jaw", 0.12),
      eyeGap: around(1, "eye gap", 0.14), eyeSize: around(1, "eye size", 0.16), eyeLine: vary("eye line", 1.6),
      browWidth: around(1, "brow width", 0.35), browTilt: vary("brow tilt", 0.9), browLift: vary("brow lift", 0.8),
      noseWidth: around(1, "nose width", 0.30), noseLength: vary("nose length", 1.2),
      mouthWidth: around(1, "mouth width", 0.18), mouthLine: vary("mouth line", 1.0), lips: around(1, "lips", 0.30),
      lightness: around(1, "lightness", 0.10, skin),
      undertone: tint(seed, "undertone", -0.06, 0.06).map((part) => add(1, mul(part, skin))),
      iris: colour("iris", 0.10, 0.55, hair), hair: colour("hair", 0.06, 0.88, hair),
      hairline: vary("hairline", 2.6, hair), fringe: around(1.5, "fringe", 1.5, hair),
      locks: around(5, "locks", 2.5, hair), parting: vary("parting", 0.5, hair),
      volume: around(1.6, "volume", 1.0, hair), length: around(9, "length", 5.0, hair),
      glasses: has("glasses", 0.35), square: uniform(seed, "square"), rim: colour("rim", 0.05, 0.5, 1),
      blush: has("blush", 0.5) * 0.5, freckles: has("freckles", 0.3),
      garment: colour("garment", 0.08, 0.92, garment), trim: colour("trim", 0.15, 0.95, garment),
      collar: uniform(seed, "collar"), shoulders: around(21, "shoulders", 3.5, garment),
    };
  }

  /* What paint and attributes make of a seed's head. */
  function headOf(shown, face, world) {
    const [youngest, oldest] = world.ranges.age;
    const age = Math.fround((shown.age - youngest) / (oldest - youngest)), turn = div(shown.pose, 3);
    const paint = world.paints[shown.paint].map((part) => div(part, 255));
    return {
      rx: product(17.2, face.width, sub(1.05, mul(0.08, age))),
      ry: product(18.2, face.height, add(0.90, mul(0.14, age))),
      // when the head turns, what is nearer to the viewer moves further, what is behind moves back
      x: mul(6, turn), y: 4, behind: mul(-1.5, turn), turn, age,
      skin: paint.map((part, at) => product(part, face.lightness, face.undertone[at])),
      grey: ramp(age, 0.40, 0.95), lines: ramp(age, 0.30, 1.0),
    };
  }

  /* An empty canvas with the framing of the seed. */
  function framed(seed, nuisance) {
    const shift = [..."xy"].map((axis) => spread(seed, `shift ${axis}`, 2.2 * nuisance.framing));
    return new Canvas(shift, Math.max(add(1, spread(seed, "zoom", 0.07 * nuisance.framing)), 0.5));
  }

  /* Stripes, dots or a plain gradient between two colours of the seed. */
  function backdrop(canvas, seed, nuisance) {
    const amplitude = nuisance.background;
    const turn = spread(seed, "turn", Math.min(1, amplitude)), square = mul(turn, turn);
    const along = div(sub(1, square), add(1, square)), across = div(mul(2, turn), add(1, square));
    const period = add(12, spread(seed, "period", Math.min(6, 6 * amplitude)));
    const phase = uniform(seed, "phase"), style = uniform(seed, "style");
    const [first, second] = ["back", "pattern"].map((name) => own(seed, name, 0.12, 0.95, amplitude, 0.65));
    const stripes = (u) => mul(0.40, wave(add(div(u, period), phase)));
    const pattern = (u, v) => {
      if (style < Math.fround(0.3)) return stripes(u);
      return style > Math.fround(0.7) ? mul(stripes(u), wave(div(v, period))) : mul(u, 1 / 64);
    };
    canvas.change((_, x, y, part) => {
      const share = pattern(add(mul(x, along), mul(y, across)), sub(mul(y, along), mul(x, across)));
      return mix(first[part], second[part], clip(add(share, 0.5), 0, 1));
    });
  }

  /* Neck, garment and its collar. */
  function shoulders(canvas, face, head) {
    const neck = shade(head.skin, 0.80), collar = face.collar;
    canvas.paint(box(0, 21, 5.5, 8, 2), neck);
    canvas.paint(ellipse(0, 33, face.shoulders, 9.5), face.garment);
    if (collar < Math.fround(0.35)) canvas.paint(triangle([[-5.5, 22], [5.5, 22], [0, 31]]), neck);
    else if (collar < Math.fround(0.7)) canvas.paint(ring(ellipse(0, 22, 8.5, 5.5), 1.3), face.trim);
    else canvas.paint(box(0, 29.5, 1.1, 6, 0.2), face.trim);
  }

  /* Budded: two stalks that end in round buds. */
  function buds(canvas, head, top, dark, pale) {
    for (const side of SIDES) {
      const foot = add(side * 6, head.behind), tip = add(side * 9, mul(1.6, head.behind));
      canvas.paint(segment(foot, add(top, 3), tip, sub(top, 8.5), 1), dark);
      canvas.paint(ellipse(tip, sub(top, 9), 3, 3), pale);
    }
  }

  /* Eared: two pointed tufts. */
  function tufts(canvas, head, top, dark, pale) {
    for (const side of SIDES) {
      const middle = add(mul(side * 0.66, head.rx), head.behind), foot = add(top, 7);
      for (const [grow, paint] of [[1, dark], [0.52, pale]]) {
        const apex = [add(middle, side * 3.2), sub(add(top, 2), 10.5 * grow)];
        const corners = [[sub(middle, 5.6 * grow), foot], apex, [add(middle, 5.6 * grow), foot]];
        canvas.paint(triangle(corners, 0.7), paint);
      }
    }
  }

  function crest(canvas, head, drawing) {
    const top = sub(head.y, head.ry), dark = shade(head.skin, 0.78), pale = blend(head.skin, [1, 1, 1], 0.45);
    (drawing === "eared" ? tufts : buds)(canvas, head, top, dark, pale);
  }

  /* The head: an ellipse that narrows towards the chin, less so in the young. */
  function outline(face, head, grow = 0) {
    const rx = add(head.rx, grow), ry = add(head.ry, grow), short = Math.min(rx, ry);
    const narrowing = mul(face.jaw, add(0.6, mul(0.7, head.age)));
    const distance = (x, y) => {
      const v = div(sub(y, head.y), ry), below = Math.max(v, 0);
      const u = div(x, mul(rx, sub(1, mul(mul(narrowing, below), below))));
      return mul(sub(length(u, v), 1), short);
    };
    return { distance, bounds: [-rx, head.y - ry, rx, head.y + ry], blur: 1.5 };
  }

  /* Furrows of the forehead and the folds beside the mouth: they come and deepen with age. */
  function lines(canvas, face, head) {
    const crease = shade(head.skin, 0.55);
    [0.35, 0.52, 0.70].forEach((start, step) => {
      const y = add(sub(sub(head.y, mul(0.40, head.ry)), 2.4 * step), 1.2);
      const furrow = arch(mul(0.7, head.x), y, 7.5 - step, -0.9, 0.42);
      canvas.paint(furrow, crease, mul(0.85, ramp(head.age, start, start + 0.3)));
    });
    for (const side of SIDES) {
      const inner = add(side * 4.2, head.x), outer = add(mul(side * 7.4, face.mouthWidth), head.x);
      const folds = [[inner, 6, outer, 8.6], [outer, 8.6, add(outer, 0.4 * side), 11.6]];
      for (const [x0, y0, x1, y1] of folds) {
        canvas.paint(segment(x0, head.y + y0, x1, head.y + y1, 0.45), crease, mul(0.8, head.lines));
      }
    }
  }

  /* How far hair has grown: short in the young, whole from a third of the age range on. */
  const grown = (head) => add(0.4, mul(0.6, ramp(head.age, 0, 0.35)));

  /* Hair behind the head. */
  function longHair(face, head) {
    const thick = grown(head);
    const wide = sum(head.rx, 1, mul(add(2.2, face.volume), thick));
    const top = head.y - 9, bottom = add(head.y, mul(add(2, face.length), thick));
    return box(head.behind, div(add(top, bottom), 2), wide, div(add(sub(bottom, head.y), 9), 2), 6);
  }

  /* Hair on the head: it grows in and recedes with age. */
  function hairOf(face, head) {
    const thick = grown(head), receding = ramp(head.age, 0.55, 1);
    const rooted = add(sub(head.y, mul(0.80, head.ry)), mul(add(5.2, face.hairline), thick));
    const line = sub(rooted, mul(4.5, receding));
    const depth = mul(face.fringe, thick), temples = product(7, thick, sub(1, mul(0.8, receding)));
    const belowHairline = (x, y) => {
      const side = div(sub(x, mul(0.6, head.x)), head.rx);
      const locks = wave(add(div(div(x, face.locks), 2), face.parting));
      return sub(y, add(add(line, mul(mul(temples, side), side)), mul(depth, locks)));
    };
    const scalp = outline(face, head, mul(face.volume, thick)), [left, top, right] = scalp.bounds;
    const distance = (x, y) => Math.max(scalp.distance(x, y), belowHairline(x, y));
    return { ...scalp, distance, bounds: [left, top, right, line + 2.5 * temples + depth] };
  }

  /* Blush and freckles of the seed. */
  function cheeks(canvas, face, head) {
    for (const side of SIDES) {
      const x = add(mul(side * 0.55, head.rx), mul(0.9, head.x)), y = head.y + 7;
      canvas.paint(ellipse(x, y, 3.6, 2.5), [0.93, 0.42, 0.45], face.blush);
      for (const [dx, dy] of [[-2.2, -0.6], [0.2, 1.0], [2.2, -0.9]]) {
        canvas.paint(ellipse(add(x, dx), y + dy, 0.62, 0.62), shade(head.skin, 0.55), face.freckles);
      }
    }
  }

  /* A bridge and a tip. */
  function nose(canvas, face, head) {
    const x = mul(1.35, head.x), y = sum(head.y + 4.9, mul(0.6, face.noseLength), mul(0.6, head.age));
    const bridge = segment(sub(x, mul(0.3, head.x)), sub(sub(y, 4.2), face.noseLength), x, y, 0.9);
    canvas.paint(bridge, shade(head.skin, 0.88));
    const width = product(2.4, face.noseWidth, add(0.85, mul(0.3, head.age)));
    canvas.paint(ellipse(x, y, width, 1.5), shade(head.skin, 0.74));
  }

  /* One parabola; its corners rise with smiling, and broad smiles open. */
  function mouth(canvas, face, head, smiling) {
    const smile = Math.fround(smiling), glad = Math.max(smile, 0);
    const x0 = mul(1.05, head.x), y0 = sum(head.y, mul(0.57, head.ry), mul(0.8, face.mouthLine));
    const turned = sub(1, mul(0.10, Math.abs(head.turn)));
    const half = product(6.1, face.mouthWidth, add(1, mul(0.07, glad)), turned);
    const rise = mul(1.3, smile), opening = mul(0.95, glad);
    const thick = product(0.85, face.lips, sub(1, mul(0.05, glad)));
    const across = (x) => div(sub(x, x0), half);
    const bowAt = (u) => Math.max(sub(1, mul(u, u)), 0);
    const upperAt = (bow) => add(y0, mul(rise, sub(bow, 0.5)));
    const beyond = (u) => mul(sub(Math.abs(u), 1), half);
    const inside = (x, y) => {
      const u = across(x), bow = bowAt(u), upper = upperAt(bow), lower = add(upper, mul(opening, bow));
      return Math.max(sub(upper, y), sub(y, lower), beyond(u));
    };
    const lips = (x, y) => {
      const u = across(x), bow = bowAt(u), upper = upperAt(bow), lower = add(upper, mul(opening, bow));
      const near = Math.min(Math.abs(sub(y, upper)), Math.abs(sub(y, lower)));
      return Math.max(sub(near, mul(thick, add(0.55, mul(0.45, bow)))), beyond(u));
    };
    const reach = Math.abs(rise) / 2 + thick, bounds = [x0 - half, y0 - reach, x0 + half, y0 + reach + opening];
    canvas.paint({ distance: inside, bounds, blur: 1 }, [0.97, 0.96, 0.93], Number(opening > 0));
    canvas.paint({ distance: lips, bounds, blur: 1 }, blend(shade(head.skin, 0.35), [0.55, 0.10, 0.16], 0.55));
  }

  /* One eyeball with its lid and the crease below it. */
  function eye(canvas, face, head, [x, y, rx, ry]) {
    const gaze = add(x, mul(0.6, head.turn));
    canvas.paint(ellipse(x, y, rx, ry), [0.97, 0.97, 0.94]);
    canvas.paint(ellipse(gaze, add(y, 0.2), mul(0.56, rx), mul(0.74, ry)), face.iris);
    canvas.paint(ellipse(gaze, add(y, 0.2), mul(0.30, rx), mul(0.40, ry)), [0.05, 0.05, 0.07]);
    canvas.paint(ellipse(sub(gaze, mul(0.22, rx)), sub(y, mul(0.28, ry)), 0.7, 0.7), [1, 1, 1]);
    const lid = arch(x, sub(y, mul(0.72, ry)), mul(1.06, rx), mul(-0.80, ry), 0.55);
    canvas.paint(lid, shade(head.skin, 0.42));
    canvas.paint(arch(x, sum(y, ry, 1.4), mul(0.95, rx), 1.3, 0.45), shade(head.skin, 0.55), head.lines);
  }

  /* The lines at the outer corner of an eye. */
  function crowsFeet(canvas, head, side, [x, y, rx]) {
    const outer = add(x, mul(side, add(rx, 0.6)));
    for (const lift of [-1.6, 0.2, 2.0]) {
      const foot = segment(outer, add(y, 0.4 * lift), add(outer, side * 2.6), add(y, lift), 0.36);
      canvas.paint(foot, shade(head.skin, 0.55), mul(0.9, head.lines));
    }
  }

  function browOf(face, head, side, young, [x, y, , ry]) {
    const lift = add(sub(sub(y, ry), 2), face.browLift), tilt = mul(0.6, face.browTilt);
    const thick = product(0.95, face.browWidth, sub(1.15, mul(0.65, young)));
    return segment(sub(x, side * 3.4), add(lift, tilt), add(x, side * 3.6), sub(lift, tilt), thick);
  }

  /* Eyes, brows and glasses; the young have large eyes and faint brows, the old creases. */
  function eyes(canvas, face, head) {
    const young = sub(1, head.age), scale = mul(face.eyeSize, add(0.86, mul(0.52, young)));
    const y = sum(head.y - 1.2, face.eyeLine, mul(2.6, sub(young, 0.5)));
    const dark = blend(shade(face.hair, 0.75), shade(head.skin, 0.6), mul(0.5, young));
    const brow = blend(dark, [0.9, 0.9, 0.9], head.grey);
    for (const side of SIDES) {
      // the far eye comes closer to the nose and gets narrower
      const near = add(1, mul(0.22 * side, head.turn));
      const x = add(product(side * 7.4, face.eyeGap, sub(1, mul(0.16, Math.abs(head.turn)))), head.x);
      const place = [x, y, product(3.6, scale, near), product(3, scale, sub(1, mul(0.22, head.lines)))];
      eye(canvas, face, head, place);
      crowsFeet(canvas, head, side, place);
      canvas.paint(browOf(face, head, side, young, place), brow);
      const frame = box(x, y, mul(5, near), 4.8, add(1.2, mul(3.2, face.square)));
      canvas.paint(ring(frame, 0.6), face.rim, face.glasses);
    }
    canvas.paint(segment(add(-2.6, head.x), y, add(2.6, head.x), y, 0.6), face.rim, face.glasses);
  }

  /* Light from the left (-1) to the right (6): a slope of brightness, strongest on the head, level at 2. */
  function light(canvas, lit, head, lighting) {
    const amount = div(sub(lighting, 2), 4), factor = new Float32Array(SIZE * SIZE).fill(1);
    canvas.covered(lit, (pixel, cover) => {
      const slope = product(clip(div(canvas.x[pixel % SIZE], head.rx), -1, 1), amount, 0.42);
      factor[pixel] = add(1, mul(slope, cover));
    });
    canvas.change((value, x, y, part, pixel) => mul(mul(value, factor[pixel]),
      add(1, mul(mul(0.16, amount), clip(div(x, 32), -1, 1)))));
  }

  /* The grain of the seed. */
  function develop(canvas, seed, nuisance) {
    const grain = noise(seed, "grain", SIZE), amplitude = 0.02 * nuisance.texture;
    canvas.change((value, x, y, part, pixel) => add(value, mul(grain[pixel], amplitude)));
  }

  /* The picture of a face: `shown` has seed, paint, drawing, age, smiling, lighting, pose. */
  function render(shown, world) {
    const { seed } = shown, { nuisance } = world;
    const face = identity(seed, nuisance), head = headOf(shown, face, world), canvas = framed(seed, nuisance);
    const hairShade = blend(face.hair, [0.86, 0.86, 0.86], mul(0.4, head.grey));
    const skull = outline(face, head), hair = hairOf(face, head);
    backdrop(canvas, seed, nuisance);
    shoulders(canvas, face, head);
    canvas.paint(longHair(face, head), hairShade);
    crest(canvas, head, shown.drawing);
    canvas.paint(skull, head.skin);
    lines(canvas, face, head);
    canvas.paint(hair, hairShade);
    cheeks(canvas, face, head);
    nose(canvas, face, head);
    mouth(canvas, face, head, shown.smiling);
    eyes(canvas, face, head);
    light(canvas, either(skull, hair), head, shown.lighting);
    develop(canvas, seed, nuisance);
    return canvas.finish();
  }

  return { render };
})();
