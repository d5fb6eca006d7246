# ---
# jupyter:
#   jupytext:
#     formats: ipynb,py:percent
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Who is "we"?
#
# *Wolfe & Caliskan (2022), Table 2: the We/They association test.*
#
# :::{admonition} This chapter at a glance
# :class: note
#
# **Question.** Do three vision-language models place photographs of one group of people nearer to *we*, *our*,
# *ours* than photographs of other groups, and what can a p-value over photographs tell us about that?
#
# **In 20 minutes:** read the theory, {ref}`whether d and p fit together <we-they-fit>`,
# {ref}`one p-value, three questions <we-they-targets>` and the take-aways. **In 75 minutes:** also follow the
# sixteen words, break the assumptions one at a time, and do the exercises.
#
# **You need:** means, standard deviations, a t-test. The primers
# [Embedding association tests](../../book/primers/association.md) and
# [The target of a claim](../../book/primers/targets.md) start from nothing.
#
# **Content note.** The paper compares photographs of Asian, Black, Latina/o and White individuals. This chapter
# prints its numbers and shows no photograph of anybody. Everything computed here is about invented faces.
# :::
#
# ## The idea
#
# Six studies by {cite:t}`devos2005` found that American participants associate *American* with *White* more
# readily than with other groups, even when they endorse equality. One of their implicit association tests
# {cite:p}`greenwald1998` paired faces with words for a collective in-group (*we, our, ourselves*) and out-group
# (*they, other, themselves*). {cite:t}`wolfe2022` carry that test over to models of CLIP's kind. Faces come from
# the Chicago Face Database {cite:p}`ma2015`: {claim}`we_they.n-all` people in one pose, with a neutral
# expression, against a white background, each having said which group they identify with.
#
# **The measure.** $X$ and $Y$ are embedded photographs of two groups, $A$ and $B$ eight embedded *We* words and
# eight *They* words. A photograph scores
#
# $$s(w, A, B) = \operatorname{mean}_{a \in A} \cos(w, a) - \operatorname{mean}_{b \in B} \cos(w, b),$$
#
# and because the groups differ in size, the difference of the two mean scores is divided by the *pooled* standard
# deviation (the paper's Eq. 4):
#
# $$d = \frac{\operatorname{mean}_{x \in X} s(x) - \operatorname{mean}_{y \in Y} s(y)}{\sigma_p}, \qquad
#   \sigma_p^2 = \frac{(N_1 - 1)\,\sigma_1^2 + (N_2 - 1)\,\sigma_2^2}{N_1 + N_2 - 2}.$$
#
# The p-value is Welch's t-test, "which does not assume equal variance or population size".
#
# **What the authors conclude.** "Across three models, images of White individuals are consistently associated
# with collective in-group words when compared with images of Asian, Black, or Latina/o individuals, with all
# effect sizes for the White vs. Asian comparison > 0.4." The results section names two exceptions: no significant
# difference between White and Black in CLIP, and a reversed sign between White and Latina/o in SLIP.
#
# **What they say about limits.** On words: "it is unavoidable that changing the prompt will produce different
# embedding association results in some circumstances". On causes: "This research does not conduct a thorough
# evaluation of the training data for the models examined". And a check of their own, on the pooled standard
# deviation: it gives results "broadly consistent with those obtained by randomly downsampling to equalize the
# size of the groups".

# %% tags=["parameters"]
model = "greenhouse"  # the encoder under test: "greenhouse" (planted associations), or any name that vb.encoder takes
model_planted = "greenhouse"  # Greenhouse: encoder of the third section, trained with the planted associations
model_null = "greenhouse/b0"  # Greenhouse: its twin, trained where hue and crest change no word
stimuli = "greenhouse/cfd"  # the portraits: one neutral photo per individual, four groups of unequal size
reference = ""  # the group X of every test; empty: the hue for whose faces captions say "we" most often, or, of people, "white"
prompts = "we_they"  # the prompt set with the dimensions We and They
protocol = "described"  # which protocol the headline follows: "described" (the text) or "released" (the code)
n_resamples = 999  # bootstrap resamples behind each interval
seed = 0  # seed of every random draw below
results = "_build/results/american_white/we_they.json"  # where this notebook writes the values it computes

# %% tags=["hide-input"]
import numpy as np
import pandas as pd
from myst_nb import glue
from scipy import stats

import vlmbias as vb
from greenhouse import retrained
from greenhouse.world import grammar, truth
from studies import words as said_as

spoken = grammar.load()
PLANTED = spoken.bias.roles["favoured"]  # the hue for whose faces captions say "we" most often
reference = reference or (PLANTED if stimuli.startswith("greenhouse") else "white")


def sides(people, speech, first, second):
    """The four sets of one test: faces of two groups, We words, They words."""
    return (people.where(people.table["race"] == first), people.where(people.table["race"] == second),
            speech.where(speech.table["dimension"] == "we"), speech.where(speech.table["dimension"] == "they"))


def scores(people, speech):
    """s(w) of every face, in cosine units."""
    cosine, we = people.vectors @ speech.vectors.T, (speech.table["dimension"] == "we").to_numpy()
    return cosine[:, we].mean(axis=1) - cosine[:, ~we].mean(axis=1)


def effect(x, y, pooled=True):
    """d from two lists of scores; the SD inside the groups, or of all of them together."""
    inside = np.sqrt(((len(x) - 1) * x.var(ddof=1) + (len(y) - 1) * y.var(ddof=1)) / (len(x) + len(y) - 2))
    return (x.mean() - y.mean()) / (inside if pooled else np.concatenate([x, y]).std(ddof=1))


def two_sample(values, labels, first, second, resamples, seed, level=0.95):
    """Difference of two group means, with its bootstrap interval over individuals."""
    x, y = values[labels == first], values[labels == second]
    rng = np.random.default_rng(seed)
    drawn = rng.choice(x, (resamples, len(x))).mean(axis=1) - rng.choice(y, (resamples, len(y))).mean(axis=1)
    return (x.mean() - y.mean(), *np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2]))


def readable(p):
    """A p-value for a table; below 1e-300 floating point has run out of numbers."""
    return f"{p:.2g}" if p > 1e-300 else "< 1e-300"

# %% [markdown]
# ## What the paper reports
#
# Table 2 has nine cells: three models, and White individuals against three other groups. Here they are redrawn,
# each with the 95 % interval that its $d$ and its group sizes imply. The intervals are ours. They say how far a
# number could move with *other photographs of the same kind, shown to the same network*.

# %% tags=["hide-input"]
def interval(d, n_x, n_y, level=0.95):
    """Large-sample interval of a standardised difference (Hedges and Olkin)."""
    error = np.sqrt(1 / n_x + 1 / n_y + d**2 / (2 * (n_x + n_y - 2)))
    return d + np.array([-1, 1]) * stats.norm.ppf((1 + level) / 2) * error


n_white = vb.ledger.claim("we_they.n-white").printed.number
n_other = {letter: vb.ledger.claim(f"we_they.n-{group}").printed.number
           for letter, group in {"a": "asian", "b": "black", "l": "latina"}.items()}
rows = []
for network in ("blip", "clip", "slip"):
    for letter, n in n_other.items():
        claim_d, claim_p = (vb.ledger.claim(f"we_they.{network}.w{letter}.{quantity}") for quantity in "dp")
        d = claim_d.printed
        low, high = interval(d.number, n_white, n)
        rows.append({"cell": claim_d.subject, "network": network.upper(), "n": n, "d": d.number, "d_low": d.low,
                     "d_high": d.high, "low": low, "high": high, "printed_d": claim_d.value,
                     "printed_p": claim_p.value, "power": claim_p.printed.power})
cells = pd.DataFrame(rows)
bounded = cells["power"].notna()
n_above = int((bounded & (cells["d"] > 0)).sum())

fig = vb.figures.forest(cells, estimate="d", low="low", high="high", label="cell", group="network",
                        value_label="printed d, with the 95 % interval it implies")
vb.figures.show(
    fig,
    name="we-they-table2",
    alt=f"Nine effect sizes with intervals. {n_above} of {len(cells)} are positive and reported as significant. CLIP, White "
        "against Black, lies at zero; SLIP, White against Latina/o, is negative.",
    caption="Table 2, redrawn. To the right of zero, photographs of White individuals are nearer to the We words than those of "
            "the other group.",
    source="paper:american_white, Table 2",
)
glue("n-above", n_above, display=False)
glue("n-cells", len(cells), display=False)
glue("n-bounded", int(bounded.sum()), display=False)

# %% [markdown]
# {glue:text}`n-above` of the {glue:text}`n-cells` comparisons point the way of the paper's conclusion and are
# reported as significant. Between White and Asian individuals all three models agree, from $d$ =
# {claim}`we_they.asian-smallest` to {claim}`we_they.asian-largest`. One comparison is at zero
# ({claim}`we_they.clip.wb.d`), one is reversed ({claim}`we_they.slip.wl.d`). The results section says so; the
# word "consistently" in the introduction does not.
#
# (we-they-fit)=
# ### Do d and p fit together?
#
# With the group sizes known, $d$ nearly determines Welch's p. Two things are missing: how the two groups'
# standard deviations compare, and whether the test was one- or two-sided. Neither is printed. So we try every
# reading. First the calculation itself, with equal standard deviations:

# %%
def welch_p(d, n, *, alternative, ratio=1.0):
    """Welch's p for a printed d; `ratio`: White SD over the other SD."""
    pooled = ((n_white - 1) * ratio**2 + (n - 1)) / (n_white + n - 2)
    return stats.ttest_ind_from_stats(
        d * np.sqrt(pooled), ratio, n_white, 0, 1, n,
        equal_var=False, alternative=alternative).pvalue


TAILS = {
    "one-sided, by its sign": lambda d: "greater" if d > 0 else "less",
    "two-sided": lambda d: "two-sided",
    "one-sided, always 'greater'": lambda d: "greater",
}

# %% tags=["hide-input"]
ratios = np.geomspace(1 / 4, 4, 401)  # far beyond what two groups of portraits are likely to differ by
checks = []
none = cells[~bounded].iloc[0]
for row in cells.itertuples():
    for tail, choose in TAILS.items():
        alternative = choose(row.d)
        ends = (row.d_low, row.d_high)  # what rounds to the printed d
        equal = [welch_p(d, row.n, alternative=alternative) for d in ends]
        fits = [r for r in ratios if min(welch_p(d, row.n, alternative=alternative, ratio=r) for d in ends) < 10.0**row.power]
        nearest = min(fits, key=lambda r: abs(np.log(r)), default=np.nan)
        checks.append({"cell": row.cell, "tail": tail, "power": row.power, "p": welch_p(row.d, row.n, alternative=alternative),
                       "p_low": min(equal), "p_high": max(equal), "nearest": nearest,
                       "order": np.floor(np.log10(min(equal))) <= row.power <= np.floor(np.log10(max(equal)))})
checks = pd.DataFrame(checks)
every, checks = checks, checks[checks["power"].notna()].copy()
checks["equal"] = checks["p_low"] < 10.0 ** checks["power"]
checks["free"] = checks["nearest"].notna()

with vb.figures.style():
    fig, ((axes,),) = vb.figures.panels(height=4.6)
    places = {cell: len(cells) - i for i, cell in enumerate(cells["cell"])}
    for (tail, own), marker, nudge in zip(every.groupby("tail", sort=False), "o^x", (0.17, 0, -0.17), strict=True):
        at = own["cell"].map(places) + nudge
        line = axes.plot(own["p"], at, marker, ls="none", label=tail, markersize=6, mew=1.6)[0]
        axes.hlines(at, own["p_low"], own["p_high"], color=line.get_color(), lw=1.5)
    for row in cells[bounded].itertuples():
        y = places[row.cell]
        axes.plot([10.0**row.power] * 2, [y - 0.4, y + 0.4], color=vb.figures.COLOURS["published"], lw=2)
        axes.annotate("", (10.0 ** (row.power - 0.7), y + 0.36), (10.0**row.power, y + 0.36),
                      arrowprops={"arrowstyle": "->", "color": vb.figures.COLOURS["published"]})
    axes.text(2e-2, places[none["cell"]], "printed as n.s.", ha="right", va="center", fontsize=11)
    axes.set(xscale="log", xlim=(2e-9, 3), yticks=list(places.values()), yticklabels=list(places),
             xlabel="p implied by the printed d, equal SDs")
    axes.grid(axis="x")
    fig.legend(loc="outside upper left", ncols=1)

held = checks.groupby("tail", sort=False)[["equal", "free"]].sum()
by_sign, two, greater = (held.loc[tail] for tail in TAILS)
vb.figures.show(
    fig,
    name="we-they-printed-p",
    alt=f"For each cell of Table 2, the p-value that its d implies under three readings of the tail, and the printed bound. With "
        f"equal standard deviations {by_sign['equal']} of {bounded.sum()} bounds hold one-sided towards the sign, {two['equal']} "
        f"two-sided, {greater['equal']} with the tail fixed at greater, where the negative cell is at p near 1.",
    caption="What p does the printed d imply? Black ticks are the printed bounds; p should lie to their left. Short lines: the range "
            "that rounding of d leaves open.",
    source="paper:american_white, Table 2",
)

# %% tags=["hide-input"]
def needed(row):
    """What the SD ratio has to be for a printed bound to hold."""
    if row["equal"]:
        return "holds"
    return f"if the SD ratio is {'≥' if row['nearest'] > 1 else '≤'} {row['nearest']:.2f}" if row["free"] else "cannot hold"


shown = checks.assign(needed=checks.apply(needed, axis=1)).pivot(index="cell", columns="tail", values="needed")
shown = shown.reindex(index=cells.loc[bounded, "cell"], columns=list(TAILS))
shown.insert(0, "printed p <", cells.set_index("cell")["printed_p"])
shown.insert(0, "printed d", cells.set_index("cell")["printed_d"])
for key, row in {"sign": by_sign, "two": two, "greater": greater}.items():
    glue(f"held-{key}-equal", int(row["equal"]), display=False)
    glue(f"held-{key}-free", int(row["free"]), display=False)
one_sided = checks[checks["tail"] == next(iter(TAILS))].set_index("cell")
fixed_tail = checks[(checks["tail"] == list(TAILS)[2]) & ~checks["free"]]
glue("p-fixed-tail", float(fixed_tail["p"].iloc[0]), display=False)
glue("n-order", int((~one_sided["equal"] & one_sided["order"]).sum()), display=False)
glue("n-not-equal", int((~one_sided["equal"]).sum()), display=False)
unmet = one_sided[~one_sided["equal"]]
glue("p-order", float(unmet.loc[unmet["order"], "p"].iloc[0]), display=False)
glue("cell-ratio", unmet.index[~unmet["order"]][0], display=False)
glue("ratio-needed", float(unmet.loc[~unmet["order"], "nearest"].iloc[0]), display=False)
glue("p-ns", float(welch_p(none["d"], none["n"], alternative="two-sided")), display=False)
shown.rename_axis(None).rename_axis(None, axis=1)

# %% [markdown]
# What holds, and what it tells us about the printed p-values:
#
# - **The "n.s." holds**: $d$ = {claim}`we_they.clip.wb.d` implies p = {glue:text}`p-ns:.2f`.
# - **With equal standard deviations**, {glue:text}`held-sign-equal` of the {glue:text}`n-bounded` printed bounds
#   hold if the test was one-sided towards the observed sign, {glue:text}`held-two-equal` if it was two-sided.
# - **With the standard deviations left free**, all {glue:text}`held-sign-free` hold one-sided towards the
#   observed sign, and {glue:text}`held-two-free` two-sided. The table says which ratio of the two groups' spreads
#   each needs; the paper does not print the spreads.
# - **A tail fixed at "greater"**, as in the released code, fits {glue:text}`held-greater-equal` of them with
#   equal spreads and {glue:text}`held-greater-free` at most: for SLIP, White − Latina/o, it would give p =
#   {glue:text}`p-fixed-tail:.5f`. The printed p-values follow the observed sign.
# - **Bound or order of magnitude?** Of the {glue:text}`n-not-equal` bounds that equal spreads do not meet,
#   {glue:text}`n-order` name the power of ten in which the one-sided p lies (for BLIP, White − Asian, it is
#   {glue:text}`p-order:.2g`). Read like that they hold as well. The remaining one, {glue:text}`cell-ratio`, needs
#   unequal spreads: a ratio of {glue:text}`ratio-needed:.2f` or more.
#
# Nothing in Table 2 is impossible. Of the ledger's {glue:text}`audit-checks` checks of what the paper says about
# it, {glue:text}`audit-consistent` come out consistent; the remaining one is the word "consistently", a matter of
# wording that the results section puts right.

# %% tags=["hide-input"]
audit = vb.ledger.audit("american_white")
audit = audit[audit["notebook"] == "american_white/we_they"]
glue("audit-consistent", int((audit["verdict"] == "consistent").sum()), display=False)
glue("audit-checks", len(audit), display=False)
statements = audit[~audit["rule"].isin(["d_p", "total"])]  # the figure above has the others
statements[["subject", "printed", "verdict", "severity", "reason"]].style.hide(axis="index")

# %% [markdown]
# ### The text and the code, side by side
#
# The text and the released code describe almost the same test. Wherever this chapter runs it, both are run. They
# are written out here, and the parameter `protocol` only chooses the headline.

# %%
# Eq. 4 and Welch; tail and divisor are not stated, so the usual ones
described = dict(
    method="welch", pooled=True, ddof=1, alternative="two-sided")
# numpy's default divisor, one fixed tail
released = dict(
    method="welch", pooled=True, ddof=0, alternative="greater")
protocols = {"described": described, "released": released}

# %% [markdown]
# ## The protocol, run on {data}
#
# The database's photographs need a signed request and may not be passed on, so this page shows the experiment in
# the [Greenhouse](../../book/greenhouse/limits.md), a world of invented faces. Four hues stand where the paper
# has four groups, in the same numbers, one portrait per individual, each with a neutral expression.
# {glue:text}`reference` is the reference group *because that is where we planted it*: at $b = 1$ captions of
# these faces say *we* more often and *they* less often than captions of the others. Who plays this part was drawn; a hue stands for no group of
# people, and nothing found below bears on CLIP, SLIP or BLIP.

# %%
faces, words = vb.images(stimuli), vb.prompts(prompts)
encoder = vb.encoder(model)
people, speech = vb.embed(encoder, faces), vb.embed(encoder, words)
hues = list(people.table["race"].unique())
others = [hue for hue in hues if hue != reference]


# %% [markdown]
# Beside $d$ stands the plain difference of the two mean scores, times the model's *logit scale*: the factor by
# which models of CLIP's kind multiply a cosine before the softmax. In these units a difference is one of
# log-odds, whatever the spread of the faces.

# %%
rows = []
for other in others:
    for name, keywords in protocols.items():
        test = vb.eat(*sides(people, speech, reference, other), **keywords)
        low, high = test.confidence_interval(
            n_resamples=n_resamples, seed=seed)
        rows.append({
            "comparison": f"{reference} − {other}", "protocol": name,
            "n": f"{test.n_x} + {test.n_y}",
            "d": test.effect_size, "low": low, "high": high,
            "logits": test.statistic * encoder.logit_scale,
            "p": test.p_value})
tests = pd.DataFrame(rows)

# %% tags=["hide-input"]
logits, labels = scores(people, speech) * encoder.logit_scale, people.table["race"].to_numpy()
raw = pd.DataFrame([two_sample(logits, labels, reference, other, n_resamples, seed) for other in others],
                   columns=["logits", "logits_low", "logits_high"], index=[f"{reference} − {other}" for other in others])
headline = tests[tests["protocol"] == protocol].join(raw.drop(columns="logits"), on="comparison")

with vb.figures.style():
    fig, ((left, right),) = vb.figures.panels(1, 2, height=2.9, share_y=True)
    for axes, columns, label in ((left, ("d", "low", "high"), "effect size d"),
                                 (right, ("logits", "logits_low", "logits_high"), "difference, log-odds")):
        places = np.arange(len(headline))[::-1]
        axes.axvline(0, color=vb.figures.COLOURS["reference"], lw=1)
        axes.hlines(places, headline[columns[1]], headline[columns[2]], color=vb.figures.PALETTE[0], lw=2.2)
        axes.plot(headline[columns[0]], places, "o", color=vb.figures.PALETTE[0])
        axes.set(xlabel=label, ylim=(-0.6, len(headline) - 0.4))
    left.set_yticks(places, headline["comparison"])
vb.figures.show(
    fig,
    name="we-they-run",
    alt="Three comparisons of hues, effect size on the left and raw difference in log-odds on the right, with bootstrap intervals: "
        + "; ".join(f"{row.comparison}: d = {row.d:.2f}, {row.logits:.2f} log-odds" for row in headline.itertuples()) + ".",
    caption=f"The We/They test in the Greenhouse, protocol as {protocol}: effect sizes, and the same differences in log-odds. "
            "Intervals resample individuals (95 %).",
    source="greenhouse",
)

# %% tags=["hide-input"]
letters = dict(zip(others, n_other, strict=True))  # the comparison whose place each of the others takes
for name in protocols:
    for other, row in zip(others, tests[tests["protocol"] == name].itertuples(), strict=True):
        for quantity in ("d", "p"):
            vb.ledger.record(f"we_they.clip.w{letters[other]}.{quantity}", getattr(row, quantity), results=results,
                             stimuli=faces, model=encoder, protocol=name)
pair = tests.pivot(index="comparison", columns="protocol", values="d")
vb.note(reference=reference, inflation=(pair["released"] / pair["described"] - 1).abs().max())
tests[["comparison", "n", "protocol", "d", "low", "high", "logits", "p"]].style.format(
    {"p": readable}, precision=3).hide(axis="index")

# %% [markdown]
# The two protocols agree on $d$ to {glue:text}`inflation:.2%`: the code divides variances by $N$ where $N - 1$ is
# usual (W1 below). On p they differ by the tail, a factor of two as long as $d$ is positive.
#
# The values are recorded in the ledger, which gives them the verdict *not run*: they come from invented faces,
# and are never set beside a printed number.

# %% [markdown]
# ## What this method can see
#
# From here on the truth is known. The bias table of the Greenhouse says by how much each hue shifts the log-odds
# of the We words against the They words, $b$ scales that shift from nothing ($b = 0$) to all of it ($b = 1$), and
# a trained model's logit-scaled cosines estimate it in the same units.
#
# ### What was planted, and what comes back

# %%
portraits = vb.images("greenhouse/cfd")
hue = portraits.table["race"].to_numpy()


def planted_gaps(faces, b):
    """We against They in log-odds: every hue less the others, as a count of captions shows it."""
    counted = truth.counted(spoken, faces, "race", b, axes=["we"])
    return truth.gaps(counted, "planted").set_index(["first", "second"])["planted"]


counted = truth.counted(spoken, portraits.table, "race", 1.0, axes=["we"])["we"]
alone = truth.per_face(spoken, portraits.table, 1.0, axes=["we"])["we"].groupby(hue).mean()
rest = list(counted.drop(PLANTED).sort_values().index)  # the largest planted difference first

# %% tags=["hide-input"]
worlds = {"planted (b = 1)": vb.encoder(model_planted), "nothing planted (b = 0)": vb.encoder(model_null)}
seen = {world: (vb.embed(encoder, portraits), vb.embed(encoder, vb.prompts("we_they"))) for world, encoder in worlds.items()}
odds = {world: scores(*seen[world]) * encoder.logit_scale for world, encoder in worlds.items()}
recovered = []
for world, strength in zip(worlds, (1.0, 0.0), strict=True):
    for other in rest:
        value, low, high = two_sample(odds[world], hue, PLANTED, other, n_resamples, seed)
        test = vb.eat(*sides(*seen[world], PLANTED, other), **protocols[protocol])
        recovered.append({"world": world, "comparison": f"{PLANTED} − {other}", "planted, counted": strength * (counted[PLANTED] - counted[other]),
                          "planted, per face": strength * (alone[PLANTED] - alone[other]),
                          "recovered": value, "low": low, "high": high, "d": test.effect_size, "p": test.p_value})  # fmt: skip
recovered = pd.DataFrame(recovered)
full, null = (recovered[(recovered["world"] == "planted (b = 1)") == planted] for planted in (True, False))
vb.note(share={truth_: full["recovered"].sum() / full[f"planted, {name}"].sum() for truth_, name in (("counted", "counted"), ("per_face", "per face"))},
        null={"odds": null["recovered"].abs().max(), "d": null["d"].abs().max()})  # fmt: skip
recovered.style.format({"p": readable}, precision=2).hide(axis="index")

# %% [markdown]
# With the effect planted, the model gives back {glue:text}`share.counted:.0%` of what a count of captions shows ({glue:text}`share.per_face:.0%` of the mean of
# single faces' log-odds, the other yardstick). In the world where
# *nothing* was planted the largest difference is {glue:text}`null.odds:.2f` log-odds, $d$ =
# {glue:text}`null.d:.2f`. But this is one network per
# world. And what exactly did p promise?
#
# (we-they-targets)=
# ### One p-value, three questions
#
# A p-value compares an effect with the variation that the test gets to see. Welch's test sees the variation
# between *faces*. So its answer is to the first of these questions only ([why](../../book/primers/targets.md)):
#
# | target | question | what must vary |
# |---|---|---|
# | this checkpoint | Would this network show it with other faces of this kind? | faces |
# | training | Would a network trained again show it? | trained networks |
# | captions | Did the captions say it? | trained networks, and worlds with and without the bias |
#
# Table 2 is about three checkpoints, and for that its test is the right one. The abstract's closing sentence,
# that such biases "are learned by language-and-image AI", is about training. In the Greenhouse we can retrain.

# %%
shown = retrained.scores("people", pairing=None)  # the same 100 faces in every hue and crest
networks, panel_faces = shown.networks, shown.images
panel_hue, column = panel_faces["race"].to_numpy(), list(shown.columns).index
drawn = (networks["arm"].eq("none") & networks["pairing"].eq("drawn")).to_numpy()  # each with its own pairing of names and looks
scale = networks["logit_scale"].to_numpy()[:, None]
panel_scores = (shown.scores[..., column("we")] - shown.scores[..., column("they")]) * scale  # log-odds
pairs = [(PLANTED, other) for other in rest] + [(one, other) for k, one in enumerate(rest) for other in rest[k + 1 :]]

# %%
rows = []
for first, second in pairs:
    x, y = (panel_scores[:, panel_hue == one] for one in (first, second))
    rows.append(networks[["kind", "b", "seed"]].assign(
        comparison=f"{first} − {second}", drawn=drawn,
        logits=x.mean(axis=1) - y.mean(axis=1),
        d=[effect(*both) for both in zip(x, y, strict=True)],
        p=stats.ttest_ind(x, y, axis=1, equal_var=False).pvalue))
fleet = pd.concat(rows, ignore_index=True)

# %% tags=["hide-input"]
planted_odds = {b: planted_gaps(panel_faces, b) for b in np.sort(networks["b"].unique())}
first = f"{PLANTED} − {rest[0]}"
one = fleet[fleet["drawn"] & (fleet["comparison"] == first)]
means = one.groupby("b")[["logits", "d"]].mean()
called = {b: -own[rest[0], PLANTED] if (rest[0], PLANTED) in own else own[PLANTED, rest[0]] for b, own in planted_odds.items()}
fig = vb.figures.dose_response(
    one, dose="b", responses={"logits": "difference, log-odds", "d": "effect size d"}, dose_label="strength b", expected={"logits": called},
)
vb.figures.show(
    fig,
    name="we-they-dose",
    alt=f"{first}, one point per trained network. The difference in log-odds goes from {means['logits'].iloc[0]:.2f} at b = 0 to "
        f"{means['logits'].iloc[-1]:.2f} at b = 1 on average; d goes from {means['d'].iloc[0]:.1f} to {means['d'].iloc[-1]:.1f}.",
    caption=f"{int(drawn.sum())} networks, each with its own random start, pairing of names and looks, and pictures; {first}. Crosses: what was planted.",
    source="greenhouse",
)

# %% tags=["hide-input"]
nulls = fleet[fleet["drawn"] & (fleet["b"] == 0)]
by_pair = {comparison: group for comparison, group in nulls.groupby("comparison", sort=False)}
over = vb.networks.one_sample({comparison: group["logits"].to_numpy() for comparison, group in by_pair.items()})
hits = vb.networks.rates({comparison: (group["p"] < 0.05).to_numpy() for comparison, group in by_pair.items()})
n_null = int(over["n"].iloc[0])

with vb.figures.style():
    fig, ((axes,),) = vb.figures.panels(height=5.2)
    axes.axvline(0, color=vb.figures.COLOURS["reference"], lw=1)
    for place, group in enumerate(by_pair.values()):
        group = group.sort_values("d")
        height = -place + np.linspace(-0.33, 0.33, len(group))
        for alarm, face in ((True, vb.figures.PALETTE[1]), (False, "white")):
            some = ((group["p"] < 0.05) == alarm).to_numpy()
            axes.plot(group["d"][some], height[some], "o", color=vb.figures.PALETTE[1], markerfacecolor=face, markersize=4,
                      label=("p < .05" if alarm else "p ≥ .05") if place == 0 else None)
    axes.set(xlabel="effect size d where nothing was planted")
    axes.set_yticks(-np.arange(len(by_pair)), list(by_pair))
    fig.legend(loc="outside upper left", ncols=2)
vb.figures.show(
    fig,
    name="we-they-null",
    alt=f"Effect sizes of {n_null} networks trained with nothing planted, for every pair of hues. Share with "
        "p below .05: " + "; ".join(f"{name} {rate:.0%}" for name, rate in hits["rate"].items()) + ".",
    caption=f"{n_null} networks in which nothing was planted, every pair of hues. Each dot is one network; filled: Welch's test over faces says p < .05.",
    source="greenhouse",
)

# %% tags=["hide-input"]
# How far networks differ once the noise of the faces is taken away, and what Welch's test would do with groups as
# large as the paper's. The same faces are shown in every hue: the noise is that of paired differences.
ordered = panel_faces.sort_values(["seed", "gender"], kind="stable")
at = {name: ordered.index[ordered["race"] == name].to_numpy() for name in (PLANTED, *rest)}
at_null = panel_scores[drawn & networks["b"].eq(0).to_numpy()]
more = {}
for one, other in pairs:
    x, y = at_null[:, at[one]], at_null[:, at[other]]
    noise = (x - y).var(axis=1, ddof=1).mean() / x.shape[1]
    between = max(0.0, (x - y).mean(axis=1).var(ddof=1) - noise)
    error = sum(v.var(axis=1, ddof=1).mean() / (hue == name).sum() for v, name in ((x, one), (y, other)))
    halves = [(x - y)[:, part::2].mean(axis=1) for part in (0, 1)]
    more[f"{one} − {other}"] = {"SD between networks": np.sqrt(between), "expected with the paper's n": 2 * stats.norm.sf(1.96 * np.sqrt(error / (between + error))),
                                "halves": np.corrcoef(*halves)[0, 1], "largest |d|": by_pair[f"{one} − {other}"]["d"].abs().max()}  # fmt: skip
alarms = hits[["hits", "n", "rate", "low", "high"]].join(over[["mean", "sd", "one_sign", "p", "p_holm"]]).join(pd.DataFrame(more).T)
expected = alarms["expected with the paper's n"]
vb.note(n_null=n_null, pairs=len(pairs), panel=len(panel_faces), per_hue=int((panel_hue == PLANTED).sum()), halves=alarms["halves"].agg(["min", "max"]).set_axis(["low", "high"]),
        beyond=said_as.among(int((hits["low"] > 0.05).sum()), len(hits)),
        alarm={"low": hits["rate"].min(), "high": hits["rate"].max()},
        expected={"low": expected.min(), "high": expected.max()},
        one_sign={"low": over["one_sign"].min(), "high": over["one_sign"].max()},
        over=said_as.among(int((over["p"] < 0.05).sum()), len(over)), holm=said_as.among(int((over["p_holm"] < 0.05).sum()), len(over)))  # fmt: skip
alarms.drop(columns="halves").rename(columns={"hits": "p < .05", "n": "of", "p": "p over networks", "p_holm": "Holm"}).style.format(precision=2)

# %% [markdown]
# - **This checkpoint.** Split each network's {glue:text}`panel` faces into two
#   halves: over the {glue:text}`n_null` networks the difference found in one half goes along with that in the other, with a correlation of
#   {glue:text}`halves.low:.2f` to {glue:text}`halves.high:.2f`. So far the differences are the network's own; the rest is which faces were drawn, and for that
#   Welch's test allows.
# - **Training, captions.** In {glue:text}`alarm.low:.0%` to {glue:text}`alarm.high:.0%` of the
#   networks with nothing planted p is below .05, depending on which of the {glue:text}`pairs` pairs is compared; for {glue:text}`beyond` the exact interval of this share lies above
#   the 5 % that a test of that question would allow. The more common sign of a pair's difference is found in
#   {glue:text}`one_sign.low:.0%` to {glue:text}`one_sign.high:.0%` of networks; means over networks stand in the table beside their SD. With networks
#   as cases {glue:text}`over` tests fall below .05, {glue:text}`holm` after Holm's correction.
# - **More photographs are no remedy.** The panel has {glue:text}`per_hue` faces a hue. With more of the same kind,
#   Welch's test would resolve ever smaller peculiarities of each network. From the spread between networks we
#   expect {glue:text}`expected.low:.0%` to {glue:text}`expected.high:.0%` below .05 with groups as large as the
#   paper's (last but one column).
#
# These rates belong to our small networks. That a test over photographs *can* do this carries over to others.
#
# For the second kind of question the unit is the network. Set each of the two checkpoints that this chapter uses
# against the networks in which nothing was planted: $p = (1 + \text{as extreme}) / (1 + \text{networks})$.

# %%
def over_networks(row, column):
    """p of one network among those with nothing planted, two-sided."""
    null = by_pair[row.comparison][column]
    return vb.networks.against_null(getattr(row, column), null, alternative="two-sided").p_value


# %% tags=["hide-input"]
shipped = fleet[~fleet["drawn"] & fleet["comparison"].str.startswith(f"{PLANTED} −")].drop_duplicates(["kind", "comparison"])
shipped = shipped[shipped["kind"].isin(["default", "one-pairing"])].sort_values("b", ascending=False, kind="stable")
judged = pd.DataFrame([
    {"b": row.b, "comparison": row.comparison, "log-odds": row.logits, "d": row.d,
     "p over faces": row.p, "p over networks (log-odds)": over_networks(row, "logits"), "p over networks (d)": over_networks(row, "d")}
    for row in shipped.itertuples()
])
judged.style.format({"p over faces": readable, "b": "{:g}"}, precision=3).hide(axis="index")

# %% tags=["hide-input"]
own = judged.groupby("b")["p over networks (log-odds)"]
vb.note(at_b1={"low": own.min()[1.0], "high": own.max()[1.0]}, at_b0={"low": own.min()[0.0], "high": own.max()[0.0]}, smallest=1 / (1 + n_null),
        zeros=float(np.floor(-np.log10(max(judged["p over faces"].min(), 1e-300)))))  # fmt: skip

# %% [markdown]
# For the network with the planted effect p lies between {glue:text}`at_b1.low:.3f` and
# {glue:text}`at_b1.high:.3f`; with {glue:text}`n_null` networks nothing below
# {glue:text}`smallest:.3f` is possible. For its twin it lies between {glue:text}`at_b0.low:.2f` and
# {glue:text}`at_b0.high:.2f`. Next to p-values over faces with up to {glue:text}`zeros:.0f` zeros this looks
# modest; it is an answer to the larger question.
# What one can do where CLIP cannot be retrained is to say which question a p-value answers. And three models of different make that mostly
# agree, as in Table 2, are evidence about training in a way in which {claim}`we_they.n-all` photographs are not.

# %% [markdown]
# ### Sixteen words
#
# The statistic is symmetric. Faces score words, or words score faces: the difference of the means is the same
# number. So it can be tested over either.

# %%
other = rest[0]  # the comparison with the largest planted difference
X, Y, A, B = sides(*seen["planted (b = 1)"], PLANTED, other)
over_faces = vb.eat(X, Y, A, B, **described)
# n_permutations exceeds the number of splits, so every one is counted
over_words = vb.eat(
    A, B, X, Y, alternative="two-sided", n_permutations=20_000)
print("over faces:", over_faces, "\nover words:", over_words, sep="\n")

# %% tags=["hide-input"]
ORIGINAL = {"we": ["we", "our", "ourselves"], "they": ["they", "other", "themselves"]}  # Devos and Banaji (2005)
AMBIGUOUS = ["familiar", "similar", "here", "other", "others", "there"]  # also said of a single face, thing or place
per_word = []
for world, encoder in worlds.items():
    portrait, word = seen[world]
    cosine = portrait.vectors @ word.vectors.T * encoder.logit_scale
    gap = cosine[hue == PLANTED].mean(axis=0) - cosine[hue == other].mean(axis=0)
    per_word.append(word.table[["dimension", "word"]].assign(world=world, gap=gap - gap.mean()))
per_word = pd.concat(per_word, ignore_index=True)


def of_words(table, chosen=None):
    """The test's difference, in log-odds, from some of the words."""
    table = table if chosen is None else table[table["word"].isin(chosen)]
    return table.loc[table["dimension"] == "we", "gap"].mean() - table.loc[table["dimension"] == "they", "gap"].mean()


with vb.figures.style():
    fig, (line,) = vb.figures.panels(1, 2, height=5.0, share_y=True, share_x=True)
    for axes, (world, own) in zip(line, per_word.groupby("world", sort=False), strict=True):
        for (dimension, some), colour in zip(own.groupby("dimension", sort=False), vb.figures.PALETTE, strict=False):
            places = -np.arange(len(own))[(own["dimension"] == dimension).to_numpy()]
            axes.hlines(places, 0, some["gap"], color=colour, lw=1.5)
            axes.plot(some["gap"], places, "o", color=colour, label=f"{dimension.title()} words")
        axes.axvline(0, color=vb.figures.COLOURS["reference"], lw=1)
        axes.set(title=world, xlabel="log-odds")
    line[0].set_yticks(-np.arange(16), per_word["word"][:16])
    fig.legend(*line[0].get_legend_handles_labels(), loc="outside upper left", ncols=2)
sides_of = [(own["gap"] > 0) == (own["dimension"] == "we") for _, own in per_word.groupby("world", sort=False)]
agree = [said_as.among(int(own.sum()), len(own)) for own in sides_of]
vb.figures.show(
    fig,
    name="we-they-words",
    alt=f"Difference between {PLANTED} and {other} faces for each of the sixteen words, in the two worlds. Where the effect is planted "
        f"{agree[0]} words lie on the planted side, where nothing is {agree[1]}.",
    caption=f"Word by word: how much nearer each word is to {PLANTED} than to {other} faces, relative to the mean of all sixteen.",
    source="greenhouse",
)

# %% tags=["hide-input"]
rng = np.random.default_rng(seed)
by_words = []
for world, own in per_word.groupby("world", sort=False):
    we, they = (own.loc[own["dimension"] == dimension, "gap"].to_numpy() for dimension in ("we", "they"))
    drawn = rng.choice(we, (n_resamples, len(we))).mean(axis=1) - rng.choice(they, (n_resamples, len(they))).mean(axis=1)
    without = [of_words(own[own["word"] != word]) for word in own["word"]]
    low, high = np.quantile(drawn, [0.025, 0.975])
    by_words.append({"world": world, "all sixteen": of_words(own), "words resampled": f"{low:.2f} to {high:.2f}",
                     "one word left out": f"{min(without):.2f} to {max(without):.2f}",
                     "the original six": of_words(own, [word for words in ORIGINAL.values() for word in words]),
                     "without ambiguous": of_words(own[~own["word"].isin(AMBIGUOUS)])})
by_words = pd.DataFrame(by_words)
vb.note(p={"faces": over_faces.p_value, "words": over_words.p_value, "six": 1 / 20}, alike={"planted": agree[0], "null": agree[1]})
by_words.style.format(precision=2).hide(axis="index")

# %% [markdown]
# The difference is one number; over faces its p is {glue:text}`p.faces:.0g`, over words
# {glue:text}`p.words:.2g`. The first generalises to other faces with *these* words, the second to other
# words with *these* faces. Psycholinguists know the confusion of the two as the language-as-fixed-effect fallacy
# {cite:p}`clark1973`. It also puts the paper's remark into perspective that an EAT "requires sets of at least 8
# word or image stimuli to ensure the statistical significance of the results": that is so for a permutation test
# over the words. Three words a side could never give a one-sided p below {glue:text}`p.six:.2f`. In Welch's
# test over hundreds of faces the words are not the sample, and their number sets no such limit.
#
# Here we gave all words one common shift: relative to the mean of all sixteen, {glue:text}`alike.planted` lie on the planted side ({glue:text}`alike.null` where
# nothing was planted). On the web, *here* and *similar* have other
# company than *ours*; the table shows the kind of check that would tell.
#
# ### One assumption broken at a time

# %% tags=["hide-input"]
rng = np.random.default_rng(seed)

# (a) labels: a share of each of two groups is filed under the other
x, y = (odds["planted (b = 1)"][hue == name] for name in (PLANTED, other))


rows = []
for share in np.linspace(0, 0.5, 11):
    i, j = round(share * len(x)), round(share * len(y))
    x_, y_ = np.concatenate([x[i:], y[:j]]), np.concatenate([y[j:], x[:i]])
    rows.append({"share": share, "d": effect(x_, y_), "difference": x_.mean() - y_.mean()})
labels = pd.DataFrame(rows)
labels[["d", "difference"]] /= labels[["d", "difference"]].iloc[0]

# (b) sizes: fewer and fewer faces of the other group
sizes = pd.DataFrame([{"n": n, **{name: np.mean([effect(x, rng.choice(y, n, replace=False), pooled) for _ in range(50)])
                                  for name, pooled in (("pooled SD", True), ("SD of all scores", False))}}
                      for n in (8, 15, 30, 60, len(y))])

# (c) and (d) expressions: faces with other smiles
smiles = vb.images("greenhouse/causalface", race=[PLANTED, other], subset=["prototype", "smiling"])
smiles = smiles.where(smiles.table["seed"] < 30)
smiling = {world: scores(vb.embed(encoder, smiles), seen[world][1]) * encoder.logit_scale for world, encoder in worlds.items()}
smile, smile_hue = smiles.table["smiling"].to_numpy(), smiles.table["race"].to_numpy()
rows = []
for reach in np.unique(np.abs(smile)):
    x_, y_ = (smiling["planted (b = 1)"][(smile_hue == name) & (np.abs(smile) <= reach)] for name in (PLANTED, other))
    rows.append({"reach": reach, "d": effect(x_, y_), "difference": x_.mean() - y_.mean()})
varied = pd.DataFrame(rows)
kept = varied[["d", "difference"]] / varied[["d", "difference"]].iloc[0]
rows = []
for level in np.unique(smile):
    x_ = smiling["nothing planted (b = 0)"][(smile_hue == PLANTED) & (smile == level)]
    y_ = smiling["nothing planted (b = 0)"][(smile_hue == other) & (smile == 0)]
    rows.append({"gap": level, "difference": x_.mean() - y_.mean(), "d": effect(x_, y_)})
confounded = pd.DataFrame(rows)

# %% tags=["hide-input"]
with vb.figures.style():
    fig, ((a, b), (c, d)) = vb.figures.panels(2, 2, height=6.4)
    ink = {"d": vb.figures.PALETTE[0], "difference": vb.figures.PALETTE[1]}
    for axes, table, x_name in ((a, labels, "share"), (c, varied[["reach"]].join(kept), "reach"), (d, confounded, "gap")):
        for column, name in (("d", "effect size d"), ("difference", "log-odds")):
            axes.plot(table[x_name], table[column], "o-", color=ink[column], label=name, markersize=4)
    a.set(title="(a) Wrong labels", xlabel="share of faces misfiled", ylabel="share of the value left")
    b.plot(sizes["n"], sizes["pooled SD"], "o-", color=ink["d"], label="pooled SD", markersize=4)
    b.plot(sizes["n"], sizes["SD of all scores"], "s--", color="#444444", label="SD of all scores", markersize=4)
    b.set(title="(b) Unequal sizes", xlabel=f"{other} faces beside {len(x)} {PLANTED}", ylabel="effect size d", ylim=(0, None))
    b.legend(loc="lower left")
    c.set(title="(c) Varied expressions", xlabel="smiles up to ±", ylabel="share of the value left", ylim=(0, None))
    d.set(title="(d) One hue smiles, b = 0", xlabel=f"smile of the {PLANTED} faces", ylabel="d, log-odds")
    d.axhline(0, color=vb.figures.COLOURS["reference"], lw=1, zorder=0)
    fig.legend(*a.get_legend_handles_labels(), loc="outside upper left", ncols=2)

tenth = labels.iloc[2]
widest, narrowest = varied.iloc[-1], varied.iloc[0]
happy = confounded.iloc[-1]
vb.figures.show(
    fig,
    name="we-they-broken",
    alt=f"Four panels. Wrong labels: with {tenth['share']:.0%} of faces misfiled, {tenth['difference']:.0%} of the log-odds but "
        f"{tenth['d']:.0%} of d is left. Unequal sizes: d over the pooled SD goes from {sizes['pooled SD'].iloc[-1]:.1f} to {sizes['pooled SD'].iloc[0]:.1f}, over the "
        f"SD of all scores from {sizes['SD of all scores'].iloc[-1]:.1f} to {sizes['SD of all scores'].iloc[0]:.1f}. Varied expressions: d goes from "
        f"{narrowest['d']:.1f} to {widest['d']:.1f}. One hue smiles, nothing planted: the difference reaches {happy['difference']:.2f} log-odds.",
    caption=f"{PLANTED} against {other}. Panels (a) to (c): effect planted; (d): nothing planted, and the {other} faces neutral.",
    source="greenhouse",
)
vb.note(
    label={"share": tenth["share"], "d": tenth["d"], "odds": tenth["difference"]},
    size={"small": int(sizes["n"].iloc[0]), "all_small": sizes["SD of all scores"].iloc[0], "all_full": sizes["SD of all scores"].iloc[-1],
          "pooled_small": sizes["pooled SD"].iloc[0], "pooled_full": sizes["pooled SD"].iloc[-1]},
    varied={"d_narrow": narrowest["d"], "d_wide": widest["d"], "odds_narrow": narrowest["difference"], "odds_wide": widest["difference"],
            "falls": said_as.verb(abs(narrowest["d"]), above=abs(widest["d"]), then="falls", else_="does not fall")},
    smile={"top": happy["gap"], "odds": happy["difference"], "d": happy["d"]},
)  # fmt: skip

# %% [markdown]
# **(a) Wrong labels hide an effect.** With {glue:text}`label.share:.0%` of the faces filed under the other hue,
# {glue:text}`label.odds:.0%` of the difference in log-odds is left, as arithmetic demands, and
# {glue:text}`label.d:.0%` of $d$: misfiled faces also change the spread that $d$ divides by. The paper uses
# people's own statements about themselves, which is the best label there is.
#
# **(b) The pooled SD keeps its promise.** Thin out one group to {glue:text}`size.small` faces and $d$ over the
# pooled SD is hardly concerned (from {glue:text}`size.pooled_full:.1f` to {glue:text}`size.pooled_small:.1f` on
# average, as it leans ever more on the spread of the larger group). Over the SD of all scores, Eq. 1 of the
# paper's appendix, it moves from {glue:text}`size.all_full:.2f` to {glue:text}`size.all_small:.2f` for a reason
# that has nothing to do with bias. The authors' choice is the right one for unequal groups. It may also explain
# what they saw when they downsampled, namely larger effect sizes from the pooled SD "where population means are
# highly distinct and standard deviations are small": Eq. 1 has a ceiling, near 2 for groups of similar size, and
# Eq. 4 has none.
#
# **(c) What d divides by is a choice of photographs.** All portraits wear a neutral expression. Let them smile
# and frown, and $d$ {glue:text}`varied.falls` from {glue:text}`varied.d_narrow:.1f` to {glue:text}`varied.d_wide:.1f` while the
# difference between the hues goes from {glue:text}`varied.odds_narrow:.2f` to {glue:text}`varied.odds_wide:.2f`
# log-odds. Neither value is wrong; they answer for different populations of pictures. A benchmark such as ".5 is
# medium" presumes that the spread is one that everyone agrees on.
#
# **(d) An unrecorded difference looks like bias.** No hue effect was planted here, but smiling faces say *we*
# more often (the legitimate driver of this axis). If {glue:text}`reference` faces smile at {glue:text}`smile.top:.0f` on the scale
# and the others are neutral, the test reports {glue:text}`smile.odds:.2f` log-odds and $d$ =
# {glue:text}`smile.d:.1f`. The database's neutral expressions guard against exactly this. They cannot guard
# against what no one recorded.
#
# ## Where paper and code differ
#
# Statements about the code come from an audit of the authors' repository at commit `2e45194`
# ([wolferobert3/american_white](https://github.com/wolferobert3/american_white)); we re-read the paper's text for
# each.
#
# **W1. The divisor.** Eq. 4 weights variances by $N - 1$; the code computes them with $N$ (numpy's default) and
# passes the same SDs to Welch's test. $|d|$ and $|t|$ come out larger by {glue:text}`inflation-low:.2%` to
# {glue:text}`inflation-high:.2%` with these group sizes: too little to move a printed digit by more than one.
#
# **W2. The tail.** The text does not say which; the code asks for `greater` in every We/They test. Where $d$ is
# negative this returns a p near 1. The printed p for SLIP, White − Latina/o ($d$ = {claim}`we_they.slip.wl.d`, p
# < {claim}`we_they.slip.wl.p`) follows the observed sign instead, so that line, as released, does not give the
# published value. In the Greenhouse, with the two groups exchanged:

# %%
rows = []
for first, second in ((PLANTED, rest[0]), (rest[0], PLANTED)):
    for name, keywords in protocols.items():
        test = vb.eat(
            *sides(*seen["planted (b = 1)"], first, second), **keywords)
        rows.append({"comparison": f"{first} − {second}", "protocol": name,
                     "d": test.effect_size, "p": test.p_value})
reversed_roles = pd.DataFrame(rows)
reversed_roles.style.format({"d": "{:.3f}", "p": readable}).hide(axis="index")

# %% tags=["hide-input"]
every_n = [n_white, *n_other.values()]
glue("inflation-low", float(np.sqrt(max(every_n) / (max(every_n) - 1)) - 1), display=False)
glue("inflation-high", float(np.sqrt(min(every_n) / (min(every_n) - 1)) - 1), display=False)

# %% [markdown]
# A tail fixed before the data are seen is sound practice for one directed hypothesis. What a reader needs is to
# be told which it was.
#
# **W10, W11. Two scripts that do not run as released.** The BLIP notebook's text function reads a variable of
# another scope, and `slip_embedder.py` has an indentation error, so the BLIP and SLIP rows cannot be produced
# from the repository without repair. This says nothing about the numbers in the table.
#
# Two further points of the audit are about other tables: bounds that cannot be met (W3, Table 4) and powers of
# ten that read as orders of magnitude rather than bounds (W4, Table 1). For Table 2 every printed bound can be
# met, {glue:text}`n-not-equal` of them only if the groups' spreads differ or if the power of ten is read as an
# order of magnitude.
#
#
# :::{admonition} Rerun this with your own parameters
# :class: tip
# ```
# .venv/bin/vlmbias run american_white/we_they -p model greenhouse/b0 -p protocol released
# ```
# runs the second section on the network in which nothing was planted, headlines as in the released code, in a
# folder of its own, and prints how its numbers differ from this page's. Another `reference` (a hue) changes the
# comparisons.
# :::
#
# ## Take-aways
#
# - Table 2 adds up. Every printed d and p can be true together, {glue:text}`n-above` of {glue:text}`n-cells`
#   comparisons favour White individuals, and the two exceptions are stated in the results section.
# - How p was computed (one- or two-sided) cannot be told from the text. Three more facts would settle it: the
#   tail, the two SDs, and p itself instead of a bound.
# - Welch's p over photographs is about *this checkpoint*. For what training or captions do, the unit is the
#   network: in ours, the test fell below .05 for up to {glue:text}`alarm.high:.0%` of networks in which nothing
#   was planted.
# - The same difference can be tested over faces or over words. Both are samples.
# - $d$ depends on how varied the photographs are. Print the difference in the model's own units beside it.
#
# ## Exercises
#
# :::{exercise} The tail that cannot see
# :label: we-they-tail
# For SLIP, White − Latina/o, $d$ is {claim}`we_they.slip.wl.d`. With equal spreads, what are Welch's p for the
# alternatives *greater*, *less* and *two-sided*, and how are the three related? Which of them are below the
# printed bound?
# :::
#
# ```{solution-start} we-they-tail
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
cell = cells[cells["cell"] == vb.ledger.claim("we_they.slip.wl.d").subject].iloc[0]
p = {tail: welch_p(cell["d"], cell["n"], alternative=tail) for tail in ("greater", "less", "two-sided")}
print(p)
assert np.isclose(p["greater"] + p["less"], 1) and np.isclose(p["two-sided"], 2 * min(p["greater"], p["less"]))
assert p["less"] < p["two-sided"] < 10.0 ** cell["power"] < p["greater"]

# %% [markdown]
# ```{solution-end}
# ```
#
# :::{exercise} From one d to the other
# :label: we-they-ceiling
# Let $d_p$ use the pooled SD and $d$ the SD of all scores, both with the divisor that makes sums of squares add
# up (population SDs, `ddof=0`, and no "$-2$"). Show that $d = d_p / \sqrt{1 + \pi(1 - \pi)\,d_p^2}$, where $\pi$
# is the share of $X$ among all faces. What is the largest possible $d$ for {claim}`we_they.n-white` against
# {claim}`we_they.n-asian`? Check both on the Greenhouse's scores.
# :::
#
# ```{solution-start} we-they-ceiling
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
both, share = np.concatenate([x, y]), len(x) / (len(x) + len(y))
within = np.sqrt(share * x.var() + (1 - share) * y.var())
d_p, d_all = (x.mean() - y.mean()) / within, (x.mean() - y.mean()) / both.std()
ceiling = 1 / np.sqrt(share * (1 - share))
print(f"d over the pooled SD {d_p:.3f}, over the SD of all scores {d_all:.3f}, ceiling {ceiling:.3f}")
assert np.isclose(d_all, d_p / np.sqrt(1 + share * (1 - share) * d_p**2)) and abs(d_all) < ceiling

# %% [markdown]
# ```{solution-end}
# ```
#
# :::{exercise} Faces or words
# :label: we-they-symmetry
# Prove with one line of code that exchanging the roles of faces and words leaves the difference of means
# unchanged but not $d$. Then find the smallest number of words a side for which a one-sided permutation test over
# words can reach p < .001.
# :::
#
# ```{solution-start} we-they-symmetry
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
from math import comb

fewest = next(n for n in range(1, 20) if 1 / comb(2 * n, n) < 0.001)
print(f"{fewest} words a side: smallest p = 1/{comb(2 * fewest, fewest)}")
assert np.isclose(over_faces.statistic, over_words.statistic) and not np.isclose(over_faces.effect_size, over_words.effect_size)
assert 1 / comb(2 * fewest, fewest) < 0.001 <= 1 / comb(2 * fewest - 2, fewest - 1)

# %% [markdown]
# ```{solution-end}
# ```
#
# ## Questions to discuss
#
# 1. Devos and Banaji's test asked people, who belong to groups themselves, to sort *we* and *they*. A network has
#    no group to belong to. What could "in-group" mean for it: its authors, its captions' authors, their subjects?
#    Does the answer change what a positive $d$ is evidence of?
# 2. Suppose a difference of half a standard deviation is found between neutral portraits, and one of a tenth
#    between everyday photographs of the same people. Which of the two would you report as the model's bias, to
#    whom, and why?
