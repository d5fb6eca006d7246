/* Families assigned at random, and fitted under two analyses: what src/studies/pretraining/shuffle.py computes,
   of fleets as book/_ext/shuffle.py writes them. */
"use strict";

Play.fit = (() => {
  const RULES = ["published", "networks"];
  const SINGULAR = 1e-9;  // a pivot below it is rounding: a column follows from the others
  const { mean } = Play.ui;
  const squares = (values) => values.reduce((total, value) => total + value * value, 0);
  const product = (row, coef) => row.reduce((total, value, column) => total + value * coef[column], 0);

  /* The inverse of XᵀX by Cholesky's factor, or null where a column of X follows from others. */
  function inverse(X) {
    const p = X[0].length, L = Array.from({ length: p }, () => new Float64Array(p)), root = L.map(() => new Float64Array(p));
    for (let i = 0; i < p; i++) {
      for (let j = 0; j <= i; j++) {
        let left = X.reduce((total, row) => total + row[i] * row[j], 0);
        for (let k = 0; k < j; k++) left -= L[i][k] * L[j][k];
        if (i === j && left < SINGULAR) return null;
        L[i][j] = i === j ? Math.sqrt(left) : left / L[j][j];
      }
    }
    for (let column = 0; column < p; column++) {  // the inverse of L, then of L Lᵀ
      for (let i = column; i < p; i++) {
        let left = i === column ? 1 : 0;
        for (let k = column; k < i; k++) left -= L[i][k] * root[k][column];
        root[i][column] = left / L[i][i];
      }
    }
    return root.map((_, i) => root.map((_, j) => root.reduce((total, row) => total + row[i] * row[j], 0)));
  }

  /* Least squares, with the inverse of XᵀX if it is known: coefficients and what they leave of y. */
  function leastSquares(X, y, known = inverse(X)) {
    const products = X[0].map((_, column) => X.reduce((total, row, place) => total + row[column] * y[place], 0));
    const coef = known.map((row) => product(row, products));
    return { coef, left: y.map((value, place) => value - product(X[place], coef)) };
  }

  /* A fleet's results: each network's own part beyond what its row leads to expect, and the rest of each result. */
  function takenApart(fleet) {
    const { rows, results, groups, sizes, critical } = fleet;
    const means = results.map(mean), own = leastSquares(rows, means).left;
    const rest = results.map((row, network) => row.map((value) => value - means[network]));
    const slopes = rows.map((row) => [row[0], ...row.slice(-2)]), known = inverse(slopes);
    const kinds = [...new Set(groups)];
    for (const kind of kinds) {
      const same = groups.map((own, test) => (own === kind ? test : -1)).filter((test) => test >= 0);
      const middle = rest.map((row) => mean(same.map((test) => row[test])));
      const { left } = leastSquares(slopes, middle, known);
      rest.forEach((row, network) => same.forEach((test) => { row[test] -= middle[network] - left[network]; }));
    }
    const m = rows.length, tests = groups.length;
    const between = tests * squares(own) / (m - rows[0].length);
    const within = squares(rest.flat()) / (m * tests - m - 3 * (kinds.length - 1));
    const total = (between - within) / tests + within;
    return { rows, results, means, own, rest, sizes, critical, tests, between, within, total, assigned: new Map() };
  }

  /* By what the own part and the rest are multiplied, so that the own part has this share of their variance. */
  function factors({ tests, between, within, total }, share) {
    return [Math.sqrt(total * (1 + (tests - 1) * share) / between), Math.sqrt(total * (1 - share) / within)];
  }

  /* Shuffle number `number`: the family of each network, 0 for the reference, and the design with the families. */
  function assigned(fleet, number) {
    if (fleet.assigned.has(number)) return fleet.assigned.get(number);
    const order = fleet.sizes.flatMap((size, family) => Array(size).fill(family));
    for (let attempt = 0; ; attempt++) {
      const cast = fleet.rows.map((_, network) => Play.dice.uniform(network, `shuffle ${number} ${attempt}`));
      const places = cast.map((_, network) => network).sort((one, other) => cast[one] - cast[other] || one - other);
      const families = [];
      places.forEach((network, place) => { families[network] = order[place]; });
      const design = fleet.rows.map((row, network) =>
        [...row, ...fleet.sizes.slice(1).map((_, family) => Number(families[network] === family + 1))]);
      const known = inverse(design);
      if (known) {
        fleet.assigned.set(number, { families, design, known });
        return fleet.assigned.get(number);
      }
    }
  }

  /* One shuffle with the dial at a stop: per family but the reference, its networks, coefficient, standard errors. */
  function fitted(fleet, number, { share, variance }) {
    const { design, known } = assigned(fleet, number), [stretch] = factors(fleet, share);
    const means = fleet.means.map((value, network) => value + (stretch - 1) * fleet.own[network]);
    const { coef, left } = leastSquares(design, means, known);
    const m = design.length, p = design[0].length, q = fleet.rows[0].length, n = m * fleet.tests;
    const before = stretch ** 2 * squares(fleet.own), after = squares(left);
    const variances = {
      published: ((n - q) * variance - fleet.tests * (before - after)) / (n - p) / fleet.tests,
      networks: after / (m - p),
    };
    return fleet.sizes.slice(1).map((models, family) => {
      const place = q + family, se = {}, low = {}, high = {}, significant = {};
      for (const rule of RULES) {
        se[rule] = Math.sqrt(variances[rule] * known[place][place]);
        low[rule] = coef[place] - fleet.critical[rule] * se[rule];
        high[rule] = coef[place] + fleet.critical[rule] * se[rule];
        significant[rule] = Math.abs(coef[place]) > fleet.critical[rule] * se[rule];
      }
      return { models, coef: coef[place], se, low, high, significant };
    });
  }

  /* How many families are significant in one shuffle, by rule. */
  function counted(fleet, number, stop) {
    const rows = fitted(fleet, number, stop);
    return Object.fromEntries(RULES.map((rule) => [rule, rows.filter((row) => row.significant[rule]).length]));
  }

  /* What one network's results are beyond what is expected of them, with the dial at a share. */
  function beyond(fleet, network, share) {
    const [stretch, shrink] = factors(fleet, share);
    return fleet.rest[network].map((value) => shrink * value + stretch * fleet.own[network]);
  }

  return { RULES, takenApart, fitted, counted, beyond };
})();
