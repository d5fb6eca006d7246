/* The dice of the Greenhouse: numbers that depend on (seed, name) alone, the same float32
   numbers as those of src/greenhouse/world/nuisance.py. */
"use strict";

Play.dice = (() => {
  const f32 = Math.fround;
  const TILE = 256;  // edge of the tile of noise
  const channels = new Map();
  let tile = null;

  /* The checksum that turns a name into a channel of the dice. */
  function crc32(text) {
    let crc = ~0;
    for (const letter of text) {
      crc ^= letter.charCodeAt(0);
      for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xEDB88320 : 0);
    }
    return BigInt(~crc >>> 0);
  }

  function channel(name) {
    if (!channels.has(name)) channels.set(name, crc32(name));
    return channels.get(name);
  }

  /* The finaliser of SplitMix64 (Steele et al. 2014). */
  function scramble(x) {
    x = BigInt.asUintN(64, (x ^ (x >> 30n)) * 0xBF58476D1CE4E5B9n);
    x = BigInt.asUintN(64, (x ^ (x >> 27n)) * 0x94D049BB133111EBn);
    return x ^ (x >> 31n);
  }

  /* A number in [0, 1). */
  function uniform(seed, name) {
    const first = scramble((BigInt(seed) << 32n) | channel(name));
    const bits = scramble(BigInt.asUintN(64, first + 0x9E3779B97F4A7C15n)) >> 40n;
    return Number(bits) / 2 ** 24;
  }

  /* A number in [-amplitude, amplitude). */
  function spread(seed, name, amplitude) {
    return f32(f32(2 * uniform(seed, name) - 1) * f32(amplitude));
  }

  /* A colour with channels in [low, high). */
  function tint(seed, name, low, high) {
    return [..."rgb"].map((part) => f32(f32(uniform(seed, `${name} ${part}`) * f32(high - low)) + f32(low)));
  }

  /* A number in [-1, 1) for each pixel of a square picture: a window of one fixed tile of noise. */
  function noise(seed, name, size) {
    tile ??= new Float32Array(TILE * TILE).fill(NaN);
    const across = Math.trunc(f32(uniform(seed, `${name} across`) * (TILE - size)));
    const down = Math.trunc(f32(uniform(seed, `${name} down`) * (TILE - size)));
    const picture = new Float32Array(size * size);
    for (let pixel = 0; pixel < picture.length; pixel++) {
      const place = (down + Math.trunc(pixel / size)) * TILE + across + pixel % size;
      if (Number.isNaN(tile[place])) tile[place] = spread(place, "noise tile", 1);  // only what is looked at is made
      picture[pixel] = tile[place];
    }
    return picture;
  }

  return { uniform, spread, tint, noise };
})();
