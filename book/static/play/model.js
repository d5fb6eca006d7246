/* The image side of a tiny CLIP, as open_clip computes it: a picture to delta-cos, per dimension how
   much closer it is to its words than to the neutral prompts. book/_ext/explorer_data.py writes the networks. */
"use strict";

Play.networks = {};
Play.model = (() => {
  const EPSILON = 1e-5;  // of torch's LayerNorm

  /* Numbers of 16 bits (IEEE 754 binary16) as float32. */
  function fromHalf(halves) {
    return Float32Array.from(halves, (half) => {
      const sign = half & 0x8000 ? -1 : 1, exponent = (half >> 10) & 31, fraction = half & 1023;
      return sign * (exponent ? (1 + fraction / 1024) * 2 ** (exponent - 15) : fraction * 2 ** -24);
    });
  }

  const bytesOf = (base64) => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)).buffer;

  /* A network ready to look: its arrays by name, and its directions as one row of numbers per dimension. */
  function unpack(packed) {
    const numbers = fromHalf(new Uint16Array(bytesOf(packed.weights))), weights = {};
    let start = 0;
    for (const [name, count] of packed.arrays) weights[name] = numbers.subarray(start, start += count);
    return { ...packed, weights, directions: new Float64Array(bytesOf(packed.directions)) };
  }

  /* The error function by its series of positive terms. */
  function erf(x) {
    if (Math.abs(x) > 6) return Math.sign(x);
    let term = x, total = x;
    for (let n = 1; Math.abs(term) > 1e-17 * Math.abs(total); n++) total += term *= (2 * x * x) / (2 * n + 1);
    return (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x) * total;
  }

  const gelu = (x) => 0.5 * x * (1 + erf(x / Math.SQRT2));

  /* Rows times a matrix of (outputs x inputs), plus a bias. */
  function linear(rows, matrix, bias) {
    const outputs = bias.length, inputs = matrix.length / outputs;
    return rows.map((row) => {
      const made = new Float64Array(outputs);
      for (let output = 0, at = 0; output < outputs; output++) {
        let total = bias[output];
        for (let input = 0; input < inputs; input++) total += matrix[at++] * row[input];
        made[output] = total;
      }
      return made;
    });
  }

  function normalised(rows, weight, bias) {
    return rows.map((row) => {
      const mean = row.reduce((total, value) => total + value, 0) / row.length;
      const variance = row.reduce((total, value) => total + (value - mean) ** 2, 0) / row.length;
      const scale = 1 / Math.sqrt(variance + EPSILON);
      return row.map((value, at) => (value - mean) * scale * weight[at] + bias[at]);
    });
  }

  const dot = (first, second) => first.reduce((total, value, at) => total + value * second[at], 0);
  const plus = (rows, more) => rows.map((row, at) => row.map((value, column) => value + more[at][column]));

  function softmax(values) {
    const top = Math.max(...values), raised = values.map((value) => Math.exp(value - top));
    const total = raised.reduce((sum, value) => sum + value, 0);
    return raised.map((value) => value / total);
  }

  /* One head of attention: for every token, the mean of the values of all tokens, weighted by query times key. */
  function attend(queries, keys, values, width) {
    return queries.map((query) => {
      const shares = softmax(keys.map((key) => dot(query, key) / Math.sqrt(width)));
      return values[0].map((_, column) => shares.reduce((total, share, at) => total + share * values[at][column], 0));
    });
  }

  function attention(rows, weight, headWidth) {
    const width = rows[0].length, joined = rows.map(() => new Float64Array(width));
    const mixed = linear(rows, weight("attn.in_proj_weight"), weight("attn.in_proj_bias"));
    for (let start = 0; start < width; start += headWidth) {
      const part = (number) => mixed.map((row) => row.subarray(number * width).subarray(start, start + headWidth));
      attend(part(0), part(1), part(2), headWidth).forEach((row, at) => joined[at].set(row, start));
    }
    return linear(joined, weight("attn.out_proj.weight"), weight("attn.out_proj.bias"));
  }

  /* One block of the transformer. */
  function block(rows, weight, headWidth) {
    const norm = (name, given) => normalised(given, weight(`${name}.weight`), weight(`${name}.bias`));
    const seen = plus(rows, attention(norm("ln_1", rows), weight, headWidth));
    const wide = linear(norm("ln_2", seen), weight("mlp.c_fc.weight"), weight("mlp.c_fc.bias"));
    return plus(seen, linear(wide.map((row) => row.map(gelu)), weight("mlp.c_proj.weight"), weight("mlp.c_proj.bias")));
  }

  /* The patches of a picture, each as one row: red, then green, then blue. */
  function patches(bytes, { size, patch, mean, std }) {
    const rows = [];
    for (let top = 0; top < size; top += patch) {
      for (let left = 0; left < size; left += patch) {
        rows.push(Float64Array.from({ length: 3 * patch * patch }, (_, at) => {
          const part = Math.trunc(at / (patch * patch));
          const y = top + Math.trunc(at / patch) % patch, x = left + at % patch;
          return (bytes[3 * (y * size + x) + part] / 255 - mean[part]) / std[part];
        }));
      }
    }
    return rows;
  }

  /* The unit vector that a network makes of a picture's bytes. */
  function embed(network, bytes) {
    const { weights, vision } = network, width = weights["class_embedding"].length;
    const seen = linear(patches(bytes, vision), weights["conv1.weight"], new Float64Array(width));
    const tokens = [Float64Array.from(weights["class_embedding"]), ...seen];
    const place = (at) => weights["positional_embedding"].subarray(at * width, (at + 1) * width);
    let rows = plus(tokens, tokens.map((_, at) => place(at)));
    rows = normalised(rows, weights["ln_pre.weight"], weights["ln_pre.bias"]);
    for (let layer = 0; layer < vision.layers; layer++) {
      rows = block(rows, (name) => weights[`transformer.resblocks.${layer}.${name}`], vision.headWidth);
    }
    const [first] = normalised(rows.slice(0, 1), weights["ln_post.weight"], weights["ln_post.bias"]);
    const projection = weights["proj"], d = projection.length / width;
    const vector = Float64Array.from({ length: d }, (_, column) =>
      first.reduce((total, value, at) => total + value * projection[at * d + column], 0));
    const far = Math.sqrt(dot(vector, vector));
    return vector.map((value) => value / far);
  }

  /* Delta-cos of every dimension. */
  function deltas(network, bytes) {
    const vector = embed(network, bytes), d = vector.length;
    const count = network.directions.length / d;
    return Array.from({ length: count }, (_, row) => dot(vector, network.directions.subarray(row * d, (row + 1) * d)));
  }

  return { unpack, deltas };
})();
