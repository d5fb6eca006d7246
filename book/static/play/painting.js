/* Painting: one picture of 64 x 64 pixels, one shape and one small patch at a time. Its bytes
   are those of src/greenhouse/world/painting.py. For that, every single step is rounded to float32 as numpy does it: hence
   `add`, `mul` and the others in place of + and *. */
"use strict";

Play.painting = (() => {
  const SIZE = 64, HALF = 32;
  const f32 = Math.fround;
  const add = (a, b) => f32(f32(a) + f32(b));
  const sub = (a, b) => f32(f32(a) - f32(b));
  const mul = (a, b) => f32(f32(a) * f32(b));
  const div = (a, b) => f32(f32(a) / f32(b));
  const sum = (...terms) => terms.reduce(add);
  const product = (...factors) => factors.reduce(mul);
  const length = (u, v) => f32(Math.sqrt(add(mul(u, u), mul(v, v))));
  const clip = (value, low, high) => Math.min(Math.max(value, low), high);

  /* `first` where `share` is 0, `second` where it is 1. */
  const mix = (first, second, share) => add(first, mul(sub(second, first), share));

  /* 0 below `low`, 1 above `high`, smooth in between. */
  function ramp(value, low, high) {
    const t = clip(div(sub(value, low), high - low), 0, 1);
    return mul(mul(t, t), sub(3, mul(2, t)));
  }

  /* A sine-like wave of period 1 and range -1..1, made of two parabolas. */
  function wave(turns) {
    const t = sub(sub(turns, Math.floor(turns)), 0.5);
    return mul(mul(8, t), sub(mul(2, Math.abs(t)), 1));
  }

  // Colours are three numbers.
  const shade = (colour, factor) => colour.map((part) => mul(part, factor));
  const blend = (first, second, share) => first.map((part, at) => mix(part, second[at], share));

  /* A picture on its way, planar float32 in 0..1; `shift` and `zoom` frame what is drawn on it. */
  class Canvas {
    constructor(shift, zoom) {
      const centre = (at) => at + 0.5 - HALF;
      const steps = [...Array(SIZE).keys()];
      const along = (offset) => Float32Array.from(steps, (at) => div(sub(centre(at), offset), zoom));
      [this.shift, this.zoom] = [shift, zoom];
      [this.x, this.y] = shift.map(along);
      this.pixels = new Float32Array(3 * SIZE * SIZE);
    }

    /* Call `visit(pixel, cover)` for every pixel of which a shape covers something. */
    covered(shape, visit) {
      const edges = shape.bounds.map((bound, at) => this.shift[at % 2] + bound * this.zoom + HALF);
      const spread = shape.blur + 1;
      const [left, top] = edges.slice(0, 2).map((edge) => Math.max(0, Math.floor(edge - spread)));
      const [right, bottom] = edges.slice(2).map((edge) => Math.min(SIZE, Math.ceil(edge + spread)));
      for (let row = top; row < bottom; row++) {
        for (let column = left; column < right; column++) {
          const cover = clip(sub(0.5, shape.distance(this.x[column], this.y[row])), 0, 1);
          if (cover > 0) visit(row * SIZE + column, cover);
        }
      }
    }

    /* Fill a shape with a colour. */
    paint(shape, colour, opacity = 1) {
      if (!opacity) return;
      this.covered(shape, (pixel, cover) => {
        const share = mul(cover, opacity);
        for (let part = 0, at = pixel; part < 3; part++, at += SIZE * SIZE) {
          this.pixels[at] = mix(this.pixels[at], colour[part], share);
        }
      });
    }

    /* Replace every value of the picture by `change(value, x, y, part, pixel)`. */
    change(change) {
      for (let part = 0, at = 0; part < 3; part++) {
        for (let pixel = 0; pixel < SIZE * SIZE; pixel++, at++) {
          this.pixels[at] = change(this.pixels[at], this.x[pixel % SIZE], this.y[Math.trunc(pixel / SIZE)], part, pixel);
        }
      }
    }

    /* The picture as bytes, red, green and blue of one pixel after the other. */
    finish() {
      const bytes = new Uint8Array(this.pixels.length);
      this.pixels.forEach((value, at) => {
        const pixel = at % (SIZE * SIZE), part = Math.trunc(at / (SIZE * SIZE));
        bytes[3 * pixel + part] = clip(add(mul(value, 255), 0.5), 0, 255);
      });
      return bytes;
    }
  }

  // Shapes: a signed distance, negative inside; the box it lies in; how far its edge may spread beyond the box.

  const boxAround = (xs, ys, reach) =>
    [Math.min(...xs) - reach, Math.min(...ys) - reach, Math.max(...xs) + reach, Math.max(...ys) + reach];

  function ellipse(cx, cy, rx, ry) {
    [cx, cy, rx, ry] = [cx, cy, rx, ry].map(f32);
    const short = Math.min(rx, ry);
    const distance = (x, y) => mul(sub(length(div(sub(x, cx), rx), div(sub(y, cy), ry)), 1), short);
    return { distance, bounds: [cx - rx, cy - ry, cx + rx, cy + ry], blur: Math.max(rx, ry) / short };
  }

  /* A rectangle of half sizes `rx`, `ry` with rounded corners. */
  function box(cx, cy, rx, ry, rounding) {
    [cx, cy, rx, ry, rounding] = [cx, cy, rx, ry, rounding].map(f32);
    const distance = (x, y) => {
      const u = sub(Math.abs(sub(x, cx)), sub(rx, rounding)), v = sub(Math.abs(sub(y, cy)), sub(ry, rounding));
      return sub(add(length(Math.max(u, 0), Math.max(v, 0)), Math.min(Math.max(u, v), 0)), rounding);
    };
    return { distance, bounds: [cx - rx, cy - ry, cx + rx, cy + ry], blur: 1 };
  }

  /* A line from one point to the other with round ends. */
  function segment(x0, y0, x1, y1, radius) {
    [x0, y0, x1, y1, radius] = [x0, y0, x1, y1, radius].map(f32);
    const dx = sub(x1, x0), dy = sub(y1, y0);
    const scale = div(1, add(mul(dx, dx), mul(dy, dy)));
    const distance = (x, y) => {
      const u = sub(x, x0), v = sub(y, y0);
      const along = clip(mul(add(mul(u, dx), mul(v, dy)), scale), 0, 1);
      return sub(length(sub(u, mul(along, dx)), sub(v, mul(along, dy))), radius);
    };
    return { distance, bounds: boxAround([x0, x1], [y0, y1], radius), blur: 1 };
  }

  /* A triangle, corners in clockwise order as seen, grown by `rounding`. */
  function triangle(corners, rounding = 0) {
    const points = corners.map((point) => point.map(f32));
    const sides = points.map(([x0, y0], at) => {
      const [x1, y1] = points[(at + 1) % 3];
      const dx = sub(x1, x0), dy = sub(y1, y0), far = length(dx, dy);
      return [div(dy, far), div(dx, far), div(sub(mul(y0, dx), mul(x0, dy)), far)];
    });
    const beyond = (x, y, [across, along, offset]) => add(sub(mul(x, across), mul(y, along)), offset);
    const distance = (x, y) =>
      sub(Math.max(beyond(x, y, sides[0]), beyond(x, y, sides[1]), beyond(x, y, sides[2])), rounding);
    const [xs, ys] = [0, 1].map((axis) => points.map((point) => point[axis]));
    return { distance, bounds: boxAround(xs, ys, 5 * rounding), blur: 5 };
  }

  /* A parabola through (cx ± width, cy - height / 2) and (cx, cy + height / 2), as a stroke. */
  function arch(cx, cy, width, height, thickness) {
    [cx, cy, width, height, thickness] = [cx, cy, width, height, thickness].map(f32);
    const distance = (x, y) => {
      const u = div(sub(x, cx), width);
      const curve = Math.abs(sub(y, add(cy, mul(height, sub(0.5, mul(u, u))))));
      return Math.max(sub(curve, thickness), mul(sub(Math.abs(u), 1), width));
    };
    const reach = Math.abs(height) / 2 + thickness;
    const bounds = [cx - width, cy - reach, cx + width, cy + reach];
    return { distance, bounds, blur: 1 + (Math.abs(height) / width) * 2 };
  }

  /* The outline of a shape, as a stroke of half width `thickness`. */
  function ring(shape, thickness) {
    const grown = thickness * shape.blur;
    const bounds = shape.bounds.map((bound, at) => bound + (at < 2 ? -grown : grown));
    return { ...shape, distance: (x, y) => sub(Math.abs(shape.distance(x, y)), thickness), bounds };
  }

  /* What lies inside at least one of two shapes. */
  function either(first, second) {
    const bounds = first.bounds.map((bound, at) => (at < 2 ? Math.min : Math.max)(bound, second.bounds[at]));
    const distance = (x, y) => Math.min(first.distance(x, y), second.distance(x, y));
    return { distance, bounds, blur: Math.max(first.blur, second.blur) };
  }

  return { SIZE, add, sub, mul, div, sum, product, length, clip, mix, ramp, wave, shade, blend,
           Canvas, ellipse, box, segment, triangle, arch, ring, either };
})();
