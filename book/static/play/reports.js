/* What a figure reports of probabilities, and what a network returns beside a census: numbers alone.
   They are those of `studies.american_white.reported` and `placeless`. */
"use strict";

Play.reports = (() => {
  const WAYS = ["mean", "sampled", "likeliest"];
  const { mean } = Play.ui;
  const percent = (share) => Math.floor(100 * share + 0.5);
  const tenths = (share) => (Math.floor(1000 * share + 0.5) / 10).toFixed(1);  // of a per cent
  const probability = (logOdds) => 1 / (1 + Math.exp(-logOdds));

  /* Of each portrait of a group: its probability of "yes", whether a sampled answer is "yes", and the likeliest one. */
  function portraits({ position, deviates, ranks }, { gap, spread }) {
    const n = deviates.length;
    return deviates.map((deviate, at) => {
      const logOdds = gap * position + spread * deviate, p = probability(logOdds);
      return { p, sampled: (ranks[at] + 0.5) / n < p, likeliest: logOdds > 0 };
    });
  }

  /* What each way to report makes of a group. */
  function reported(group, setting) {
    const own = portraits(group, setting);
    return Object.fromEntries(WAYS.map((way) => [way, mean(own.map((one) => Number(way === "mean" ? one.p : one[way])))]));
  }

  /* One network's share of a hue, as if it were returned in every place of a census. */
  function compared({ hues, returned, top, census }, { network, hue, group }) {
    const own = returned[network].map((row) => row[hues.indexOf(hue)] / top), lived = census[group];
    const share = mean(own);
    return {
      own, share, least: Math.min(...own), most: Math.max(...own), n: lived.length,
      over: lived.filter((one) => share > one).length, under: lived.filter((one) => share < one).length,
    };
  }

  return { WAYS, percent, tenths, probability, portraits, reported, compared };
})();
