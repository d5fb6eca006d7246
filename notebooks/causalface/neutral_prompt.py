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
# # Who is just "a person"?
#
# *Hausladen, Knott, Camerer and Perona (2025), Appendix E: the neutral prompt, its bias, and why perception is measured as a difference from it.*
#
# :::{admonition} This chapter at a glance
# :class: note
#
# **Question.** Some faces lie nearer to "a photo of a person" than others. Subtracting that closeness from every judgement: when does it remove a
# bias, and when does it move the bias into every trait?
#
# **In 20 minutes:** {ref}`the fifteen tests <neutral_prompt-tests>`, {ref}`the planted neutral bias <neutral_prompt-arms>`, take-aways.
# **In 75 minutes:** also the densities, the condition for narrowing, networks with nothing planted, both exercises.
#
# **You need:** paired t-tests, variance of a difference, correlation. The primer
# [Cosines, neutral prompts and social perception](../../book/primers/perception.md) explains the measure.
#
# **Content note.** The paper studies race and gender as seen by a model. The faces on this page are drawings in
# invented hues; they stand for nobody.
# :::
#
# **The idea.** CLIP's cosine of a face with *any* sentence about a person depends on the face: on its pose, its light, its background, and on group.
# {cite:t}`hausladen2025` show the model a sentence without an adjective, and take what it says as the zero of every judgement,
#
# $$\Delta\cos(i, D) = \underbrace{W_D(i)}_{\text{words of } D} - \underbrace{N(i)}_{\text{no adjective}}.$$
#
# Three things follow from this line alone, whatever the model.
#
# 1. **Between groups**, $\operatorname{gap}_\Delta(D) = \operatorname{gap}_W(D) - \operatorname{gap}_N$: *one and the same number* is subtracted in all eight dimensions.
# 2. **Within groups**, $\operatorname{Var}(\Delta) < \operatorname{Var}(W)$ exactly if $\operatorname{Var}(N) < 2 \operatorname{Cov}(N, W)$, that is, if the slope of $W$ on $N$ exceeds one half.
# 3. **Within one image**, the order of the words does not change: which label or trait is nearest is the same before and after.
#
# **What the authors conclude.** "We conclude that there exists a bias towards the concept of "person" that needs to be accounted for when assessing social biases": in their data,
# Asian women lie {claim}`neutral_prompt.asian-women`, Black men {claim}`neutral_prompt.black-men` than all other groups (p ≤ {claim}`neutral_prompt.p`). The bias "is removed" when
# it is subtracted, and the "Δ cosine similarities result in narrower densities and tighter confidence intervals".
#
# **Their own checks and limits.** They call the bias "small", show that much of it belongs to the seed and not to the group (correlations from {claim}`neutral_prompt.r.smallest` to
# {claim}`neutral_prompt.r.largest`), and draw the consequence that background, hairstyle and face geometry "influence the association with a neutral text prompt and, thus, likely also with a valenced text prompt".

# %% tags=["parameters"]
stimuli = "greenhouse/causalface"  # image set with columns seed, race, gender, subset
root = ""  # folder of its images; empty: none needed
cosines = ""  # folder of the authors' released cosine tables, instead of images and model
model = "greenhouse"  # encoder that looks at it
prompts = "social_perception"  # prompt set: dimensions, words, templates, neutral prompts
labels = "greenhouse/labels"  # prompt set of the groups' own labels
protocol = "described"  # whose templates give the headline: "described" (the paper's) or "released" (the authors' code)
n_resamples = 500  # bootstrap resamples of the identities
seed = 42  # seed of every random draw
results = "_build/results/causalface/neutral_prompt.json"  # where this notebook writes the values it recomputes

# %% tags=["hide-input"]
from itertools import combinations

import numpy as np
import pandas as pd
from myst_nb import glue
from scipy import stats

import vlmbias as vb
from studies import roles, words as wording
from vlmbias.papers import CAUSALFACE

claims = vb.ledger.table("causalface/neutral_prompt")


def note(**values):
    """Glue plain numbers and words for the prose."""
    for key, value in values.items():
        plain = value if isinstance(value, str) else float(value) if isinstance(value, float) else int(value)
        glue(key.replace("_", "-"), plain, display=False)


def holm(p):
    """Holm's correction along the last axis, for many families of tests at once."""
    order = np.argsort(p, axis=-1)
    stepped = np.maximum.accumulate(np.take_along_axis(p, order, -1) * np.arange(p.shape[-1], 0, -1), axis=-1)
    corrected = np.empty_like(p)
    np.put_along_axis(corrected, order, np.minimum(stepped, 1), -1)
    return corrected


# %% [markdown]
# ## What the paper reports
#
# Appendix E prints three figures and few numbers; most of its claims are orderings and verdicts.

# %% tags=["hide-input"]
vb.ledger.show(claims)

# %% [markdown]
# Two remarks on the logic, before any data. The smallest and largest of {claim}`neutral_prompt.tests` paired tests are reported at p ≤ {claim}`neutral_prompt.p`, uncorrected: with Holm's correction the
# smallest of fifteen would have to be below .01/15. And the sentence that CLIP can classify faces by gender and race, "right column, rows 1–4", holds of the centre column as well: by the third
# property above, subtracting the same number from all labels of an image cannot change which label is nearest.
#
# How much is known of a correlation from {claim}`neutral_prompt.n` pairs of pictures?

# %%
printed = claims.set_index("claim")["printed"]
n_pairs = int(printed["neutral_prompt.n"])
ends = {}
for which in ("smallest", "largest"):
    r = float(printed[f"neutral_prompt.r.{which}"])
    ends[which] = np.tanh(np.arctanh(r) + np.array([-1.96, 1.96]) / np.sqrt(n_pairs - 3))
    print(f"printed r = {r:.2f}, n = {n_pairs}: 95 % interval {ends[which][0]:.2f} to {ends[which][1]:.2f}")

# %% [markdown]
# ## The protocol, run on {data}

# %%
def released(name):
    """The variant of a prompt set with the templates of the authors' code."""
    return name.removesuffix("/released") + "/released"


PROTOCOLS = {
    "described": dict(words=prompts, names=labels),
    "released": dict(words=released(prompts), names=released(labels)),
}


def look(words, names):
    """What the model makes of the prototypes: the dimensions' words, and the groups' labels."""
    shown = stimuli
    if not cosines:  # no need to look at the other pictures
        images = vb.images(stimuli, root or None)
        shown = images.where(images.table["subset"] == "prototype")
    seen = [vb.perceive(shown, model, one, cosines=cosines) for one in (words, names)]
    return [one.where(one.table["subset"] == "prototype") for one in seen]


looks = {name: look(**choices) for name, choices in PROTOCOLS.items()}
seen, named = looks[protocol]
templates_differ = np.abs(looks["described"][0].neutral() - looks["released"][0].neutral())
print(f"{seen}; templates as described and as released: neutral cosines differ by at most {templates_differ.max():.2g}")

# %% tags=["hide-input"]
table = seen.table
dimensions = seen.dimensions
groups = list(table[["race", "gender"]].drop_duplicates().itertuples(index=False, name=None))
group_of = table["race"].astype(str) + " " + table["gender"].astype(str)
names = [" ".join(group) for group in groups]
hues = vb.figures.colours_for(dict.fromkeys(race for race, _ in groups))
dashes = dict(zip(dict.fromkeys(gender for _, gender in groups), ("-", "--"), strict=True))
LOOKS = {name: dict(color=hues[race], linestyle=dashes[gender]) for name, (race, gender) in zip(names, groups, strict=True)}
source = "greenhouse" if seen.source == "greenhouse" else f"real:{seen.stimuli}"


def by_group(values):
    """One column per group, one row per seed, of cosines × 100."""
    wide = table.assign(value=100 * np.asarray(values), group=group_of)
    return wide.pivot(index="seed", columns="group", values="value")[names].dropna()


# %% [markdown]
# ### Fifteen paired tests: Figure S.13
#
# For every seed there is one prototype of each group, so groups are compared within seeds.

# %%
def paired(wide):
    """Paired t-tests of all pairs of columns, uncorrected and after Holm."""
    rows = []
    for one, other in combinations(wide.columns, 2):
        test = stats.ttest_rel(wide[one], wide[other])
        low, high = test.confidence_interval()
        rows.append({
            "first": one, "second": other,
            "difference": (wide[one] - wide[other]).mean(),
            "low": low, "high": high, "p": test.pvalue,
        })
    tests = pd.DataFrame(rows)
    tests["p (Holm)"] = holm(tests["p"].to_numpy())
    return tests


neutral = by_group(seen.neutral())
tests = paired(neutral)

# %% tags=["hide-input"]
def apart(tests, p="p", level=0.01):
    """The groups that differ from all others in one direction: `{"above": […], "below": […]}`."""
    found = {"above": [], "below": []}
    for name in names:
        own = tests[(tests["first"] == name) | (tests["second"] == name)]
        signs = np.sign(own["difference"]) * np.where(own["first"] == name, 1, -1)
        if (own[p] <= level).all() and abs(signs.sum()) == len(own):
            found["above" if signs.iloc[0] > 0 else "below"].append(name)
    return found


fig, axes = vb.figures.panels(1, 2, height=5.2)
left, right = axes[0]
for place, name in enumerate(names[::-1]):
    values = neutral[name]
    jitter = place + 0.5 * (np.random.default_rng(seed).random(len(values)) - 0.5)
    left.plot(values, jitter, "o", color=LOOKS[name]["color"], markersize=2.5, alpha=0.35)
    left.errorbar(values.mean(), place, xerr=1.96 * values.sem(), fmt="D", color="black", markersize=5, capsize=3)
left.set(yticks=range(len(names)), yticklabels=[name.replace(" ", "\n") for name in names[::-1]], xlabel="cosine × 100", title="with “a person”")
lines = tests.iloc[::-1].reset_index(drop=True)
right.axvline(0, color=vb.figures.COLOURS["reference"], linewidth=1)
for k, line in lines.iterrows():
    clear = line["p (Holm)"] <= 0.05
    right.errorbar(line["difference"], k, xerr=[[line["difference"] - line["low"]], [line["high"] - line["difference"]]],
                   fmt="o", color=vb.figures.COLOURS["recomputed" if clear else "reference"], markersize=4)
short = {name: "".join(part[0].upper() if k == 0 else part[0] for k, part in enumerate(name.split())) for name in names}
right.set(yticks=range(len(lines)), yticklabels=[f"{short[line['first']]} − {short[line['second']]}" for _, line in lines.iterrows()],
          xlabel="difference × 100", title="15 pairs")
n_clear = int((tests["p (Holm)"] <= 0.05).sum())
vb.figures.show(fig, name="neutral_prompt-tests", source=source,
    alt=f"Left: cosines of six groups' prototypes with the neutral prompt, means from {neutral.mean().min():.2f} to {neutral.mean().max():.2f} (× 100). "
    f"Right: fifteen paired differences, {n_clear} of them different from zero after Holm's correction.",
    caption=f"Cosine with the neutral prompt, {len(neutral)} prototypes per group (diamonds: means, 95 % intervals), and the paired differences; grey where Holm's p exceeds .05. "
    + ", ".join(f"{code}: {name}" for name, code in short.items()) + ".")

# %% tags=["hide-input", "scroll-output"]
kinds = {kind: apart(tests, p) for kind, p in (("uncorrected", "p"), ("Holm", "p (Holm)"))}


def listed(found):
    return ", ".join(found) if found else "none"


spread = float(np.sqrt(neutral.var().mean()))
note(n_01=int((tests["p"] <= 0.01).sum()), n_holm=int((tests["p (Holm)"] <= 0.01).sum()), above=listed(kinds["uncorrected"]["above"]), below=listed(kinds["uncorrected"]["below"]),
     above_holm=listed(kinds["Holm"]["above"]), below_holm=listed(kinds["Holm"]["below"]), largest=float(tests["difference"].abs().max()), spread=spread)
tests.style.format({"difference": "{:.3f}", "low": "{:.3f}", "high": "{:.3f}", "p": "{:.2g}", "p (Holm)": "{:.2g}"}).hide(axis="index").set_caption(
    "Paired t-tests, cosine × 100: mean difference with 95 % interval, p uncorrected (as published) and after Holm")

# %% [markdown]
# {glue:text}`n-01` of 15 differences have p ≤ .01, {glue:text}`n-holm` after Holm. Unlike all five others at p ≤ .01: above, {glue:text}`above`; below, {glue:text}`below` (after Holm: {glue:text}`above-holm`;
# {glue:text}`below-holm`). The largest difference is {glue:text}`largest:.2f` hundredths, against a spread of {glue:text}`spread:.2f` between prototypes of one group. On our faces this pattern means nothing
# beyond this network; what such a pattern is worth as evidence is the first question of the third section.
#
# ### Seeds: Figure S.14

# %% tags=["hide-input"]
pairs = list(combinations(names, 2))
correlations = pd.DataFrame([{"first": one, "second": other, "r": (test := stats.pearsonr(neutral[one], neutral[other])).statistic,
    "low": (interval := test.confidence_interval()).low, "high": interval.high} for one, other in pairs])
fig, axes = vb.figures.panels(5, 5, height=6.4, share_x=True, share_y=True)
for axis in axes.flat:
    axis.set_axis_off()
for _, line in correlations.iterrows():
    row, column = names.index(line["second"]) - 1, names.index(line["first"])
    axis = axes[row, column]
    axis.set_axis_on()
    axis.plot(neutral[line["first"]], neutral[line["second"]], "o", color=vb.figures.COLOURS["recomputed"], markersize=1.6, alpha=0.6)
    axis.plot(neutral[line["first"]].mean(), neutral[line["second"]].mean(), "^", color=vb.figures.COLOURS["planted"], markersize=6)
    axis.set_title(f"r = {line['r']:.2f}", fontsize=10)
    axis.tick_params(labelsize=9)
    if not column:
        axis.set_ylabel(line["second"].replace(" ", "\n"), fontsize=10)
    if row == 4:
        axis.set_xlabel(line["first"].replace(" ", "\n"), fontsize=10)
note(n_positive=int((correlations["low"] > 0).sum()), r_low=float(correlations["r"].min()), r_high=float(correlations["r"].max()), r_widest=float((correlations["high"] - correlations["low"]).max()))
vb.figures.show(fig, source=source,
    alt=f"Fifteen scatter plots of the neutral cosine of one group's prototype against another's, same seed; r from {correlations['r'].min():.2f} to {correlations['r'].max():.2f}.",
    caption="Cosine × 100 with the neutral prompt: two prototypes of one seed per dot, group means as triangles.")

# %% tags=["hide-input", "scroll-output"]
correlations.style.format({"r": "{:.2f}", "low": "{:.2f}", "high": "{:.2f}"}).hide(axis="index").set_caption("Pearson r over seeds, 95 % intervals (Fisher)")

# %% [markdown]
# Correlations over seeds run from {glue:text}`r-low:.2f` to {glue:text}`r-high:.2f`; with a hundred seeds an interval spans up to {glue:text}`r-widest:.2f`, so neighbours among the fifteen cannot be
# ordered. {glue:text}`n-positive` of the fifteen intervals lie above zero: what the seed brings along (garment, hair, background) moves the neutral cosine whatever the group.
#
# ### Densities: Figure S.12

# %% tags=["hide-input"]
def densities(rows, height):
    """KDE rows: neutral, raw, Δ; one line per group. `rows`: name → (raw, delta), arrays of (n,)."""
    fig, axes = vb.figures.panels(len(rows), 3, height=height)
    for line, (name, (raw, delta)) in zip(axes, rows.items(), strict=True):
        parts = [by_group(values) for values in (seen.neutral(), raw, delta)]
        reach = 0.6 * max(wide.max().max() - wide.min().min() for wide in parts)  # one scale per row: widths can be compared
        for axis, wide, title in zip(line, parts, ("neutral", name, f"Δ {name}"), strict=True):
            at = (wide.max().max() + wide.min().min()) / 2 + np.linspace(-reach, reach, 200)
            for group in names:
                axis.plot(at, stats.gaussian_kde(wide[group])(at), **LOOKS[group], linewidth=1.4, label=group)
            axis.set(yticks=[])
            axis.set_title(title.replace("_", " "), fontsize=10)
            axis.tick_params(labelsize=9)
    fig.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper left", ncols=3)
    return fig


words = [word for word in dict.fromkeys(named.words["word"].astype(object)) if word and str(named.words.set_index("word").loc[word, "dimension"]) != "age"]
rows = {word: (named.word(word), named.word(word) - named.neutral()) for word in words}
race_words, gender_words = ([word for word in words if word in set(table[column])] for column in ("race", "gender"))


def nearest(candidates, column, scores):
    """Share of images whose own label is the nearest of the candidates."""
    stacked = np.stack([scores[word] for word in candidates], axis=1)
    return float((np.array(candidates)[stacked.argmax(axis=1)] == table[column].to_numpy()).mean())


raw_scores, delta_scores = ({word: pair[k] for word, pair in rows.items()} for k in (0, 1))
hit = {(column, kind): nearest(candidates, column, scores) for column, candidates in (("race", race_words), ("gender", gender_words))
       for kind, scores in (("raw", raw_scores), ("Δ", delta_scores))}
note(hit_race=100 * hit["race", "Δ"], hit_gender=100 * hit["gender", "Δ"], hit_race_raw=100 * hit["race", "raw"], hit_gender_raw=100 * hit["gender", "raw"])
vb.figures.show(densities(rows, 7.2), source=source,
    alt=f"Densities of cosines for six groups, labels {', '.join(words)}: neutral, raw, Δ. The nearest label is right for {hit['race', 'Δ']:.0%} of images by race and {hit['gender', 'Δ']:.0%} by gender.",
    caption="Labels: cosine × 100 with the neutral prompt (left), with the label (centre), and the difference (right), per group; each row on one scale.")

# %% [markdown]
# The nearest race label is the right one for {glue:text}`hit-race:.0f` % of the prototypes by Δcos and for {glue:text}`hit-race-raw:.0f` % by the raw cosine, the nearest gender label for
# {glue:text}`hit-gender:.0f` % and {glue:text}`hit-gender-raw:.0f` %: the same, as it must be.

# %% tags=["hide-input"]
raw, delta = seen.raw(), seen.delta()
rows = {dimension: (raw[dimension].to_numpy(), delta[dimension].to_numpy()) for dimension in dimensions}
vb.figures.show(densities(rows, 10.5), source=source,
    alt=f"Densities of cosines for six groups in eight dimensions: neutral, raw, Δ. The spread over all images shrinks in {sum(delta[d].std() < raw[d].std() for d in dimensions)} of {len(dimensions)} dimensions.",
    caption="Dimensions: cosine × 100 with the neutral prompt (left), mean cosine with the dimension's words (centre), Δcos × 100 (right), per group; each row on one scale.")

# %% [markdown]
# ### "Narrower densities and tighter confidence intervals"
#
# By the second property, that depends on the slope of $W$ on $N$ within groups: above one half, Δcos is narrower; at exactly 1 no multiple of $N$ would do better. Below, each alternative's spread relative to the raw
# cosine's: Δcos, *relative* Δcos (divided by the neutral cosine, as in one of the authors' figures), and *centring*, the distance from the mean of all adjectives.

# %%
def within(values):
    """Values minus their group's mean."""
    return values - values.groupby(group_of.to_numpy()).transform("mean")


METHODS = {
    "raw": seen.raw(),
    "Δcos": seen.delta(),
    "relative Δcos": seen.delta(relative=True) * seen.neutral().mean() / 100,
    "centred": seen.centred(),
}
inside = {name: within(values) for name, values in METHODS.items()}
baseline = within(pd.Series(seen.neutral()))

# %% tags=["hide-input"]
slopes = {dimension: float((inside["raw"][dimension] * baseline).mean() / (baseline**2).mean()) for dimension in dimensions}
ratios = {name: {dimension: float(inside[name][dimension].std() / inside["raw"][dimension].std()) for dimension in dimensions}
          for name in list(METHODS)[1:]}
weights = vb.cluster_weights(table["seed"], n_resamples=n_resamples, seed=seed)
boot = {dimension: weights @ (inside["raw"][dimension] * baseline).to_numpy() / (weights @ (baseline**2).to_numpy()) for dimension in dimensions}
narrow = pd.DataFrame({"slope of W on N": slopes, "low": {d: np.quantile(b, 0.025) for d, b in boot.items()}, "high": {d: np.quantile(b, 0.975) for d, b in boot.items()},
                       **{f"{name}: SD / raw SD": ratio for name, ratio in ratios.items()}})
fig, ((axis,),) = vb.figures.panels(height=3.6)
at = np.linspace(min(0, min(slopes.values())), max(1.25, max(slopes.values()) * 1.05), 50)
axis.axhline(1, color=vb.figures.COLOURS["reference"], linewidth=1)
axis.axvline(0.5, color=vb.figures.COLOURS["reference"], linewidth=1)
for name, marker in (("Δcos", "o"), ("centred", "s")):
    axis.plot([slopes[d] for d in dimensions], [ratios[name][d] for d in dimensions], marker, label=name,
              color=vb.figures.COLOURS["recomputed" if name == "Δcos" else "planted"], markersize=7, alpha=0.85)
axis.set(xlabel="slope of W on N within groups", ylabel="SD relative to raw", ylim=(0, max(1.1, 1.1 * max(max(one.values()) for one in ratios.values()))))
fig.legend(*axis.get_legend_handles_labels(), loc="outside upper left", ncols=2)
n_narrow = {name: sum(value < 1 for value in ratio.values()) for name, ratio in ratios.items()}
note(n_narrow=n_narrow["Δcos"], n_dimensions=len(dimensions), slope_low=min(slopes.values()), slope_high=max(slopes.values()), ratio_low=min(ratios["Δcos"].values()),
     ratio_high=max(ratios["Δcos"].values()), centred_low=min(ratios["centred"].values()), centred_high=max(ratios["centred"].values()),
     better=sum(ratios["Δcos"][d] < ratios["centred"][d] for d in dimensions))
vb.figures.show(fig, source=source,
    alt=f"Spread of Δcos and of centred cosines relative to raw ones against the slope on the neutral cosine, eight dimensions. Δcos is narrower in {n_narrow['Δcos']}, centring in {n_narrow['centred']}.",
    caption="Below the horizontal line a method is narrower than the raw cosine within groups; right of the vertical one, Δcos must be.")
narrow.rename(index=lambda name: name.replace("_", " ")).style.format("{:.2f}")

# %% [markdown]
# Here Δcos is narrower in {glue:text}`n-narrow` of {glue:text}`n-dimensions` dimensions (slopes {glue:text}`slope-low:.2f` to {glue:text}`slope-high:.2f`; spread {glue:text}`ratio-low:.2f` to
# {glue:text}`ratio-high:.2f` of the raw one); centring brings it to {glue:text}`centred-low:.2f` to {glue:text}`centred-high:.2f`, and Δcos is the narrower of the two in {glue:text}`better` dimensions.
# **Narrower is not nearer to the truth.** A spread within groups says how much images differ; it bears on the standard error of a group mean, not on what that mean means.
#
# For the means, the first property sets the question: does the trait gap contain the neutral gap? Here are the six group means of both, the traits averaged over all adjectives.

# %%
adjectives = seen.raw().mean(axis=1) - seen.centred().mean(axis=1)  # mean over all adjectives
means = pd.DataFrame({"N": 100 * seen.neutral(), "W": 100 * adjectives})
means = means.groupby(group_of.to_numpy()).mean().loc[names]
transfer_here = float(np.polyfit(means["N"], means["W"], 1)[0])
means.T.style.format("{:.2f}").set_caption(f"Group means, cosine × 100; slope of W on N over groups: {transfer_here:.2f}")

# %% tags=["hide-input"]
note(transfer=transfer_here)

# %% [markdown]
# Over these six groups the slope is {glue:text}`transfer:.2f`. At 1, subtracting the neutral prompt takes a bias out of the average trait; at 0 it puts one in. Six groups make a rough estimate, and where trait
# gaps exist it mixes with them; the third section asks what this slope is in networks for which the answer is known.

# %% tags=["hide-input"]
who = roles.of(seen, CAUSALFACE)
high, low = who.group("asian female"), who.group("black male")
OF_PEOPLE = ("asian-women", "s13-asian-women", "black-men", "s13-black-men", "p", "s13-p", "removed")  # not evaluated on drawings
for name, (found, found_names) in looks.items():
    wide = by_group(found.neutral())
    own = paired(wide)
    ten = own[own[["first", "second"]].isin([high, low]).any(axis=1)]
    unlike = apart(own)
    ratio = within(found.delta()).std() / within(found.raw()).std()
    r = [stats.pearsonr(wide[one], wide[other]).statistic for one, other in pairs]
    gaps = {kind: np.abs(np.diff(values.groupby(group_of.to_numpy()).mean().loc[[high, low]].to_numpy(), axis=0)).mean()
            for kind, values in (("raw", found.raw()), ("delta", found.delta()))}
    scores = {word: found_names.word(word) for word in words}
    can = min(nearest(race_words, "race", scores), nearest(gender_words, "gender", scores)) > 0.9 if race_words and gender_words else False
    held = {
        "asian-women": high in unlike["above"], "s13-asian-women": high in unlike["above"],
        "black-men": low in unlike["below"], "s13-black-men": low in unlike["below"],
        "p": float(ten["p"].max()), "s13-p": float(ten["p"].max()), "tests": len(own), "n": len(wide), "s12-n": len(wide), "groups": len(names),
        "bias": bool((own["p (Holm)"] <= 0.05).any()), "across-images": bool(found.neutral().std() > 1e-4),
        "narrower": bool((ratio < 1).all()), "classifies": can,
        "small-bias": bool(own["difference"].abs().max() < np.sqrt(wide.var().mean())), "removed": bool(gaps["delta"] < gaps["raw"]),
        "r.smallest": float(min(r)), "r.largest": float(max(r)), "notable-seed": bool(min(r) > 0 and max(r) < 0.7),
    }
    for claim, value in held.items():
        if claim not in OF_PEOPLE or found.source != "greenhouse":
            vb.ledger.record(f"neutral_prompt.{claim}", value, results=results, stimuli=found.stimuli, model=found.model, protocol=name)

# %% [markdown]
# Statements that name groups of people are computed and recorded where the faces show people; on drawings they are *not evaluated*.

# %% [markdown]
# ## What this method can see
#
# ### Silence: nothing planted
#
# {glue:text}`n-silent` Greenhouse networks were trained on captions in which every face has the same chance of a neutral caption, whatever its hue and crest. How often does the paper's analysis find a difference?

# %% tags=["hide-input"]
from greenhouse import retrained
from greenhouse.world import grammar, truth

panel = retrained.scores("grid")
shown = (panel.images["set"] == "grid") & (panel.images["subset"] == "prototype")
faces = panel.images[shown].reset_index(drop=True)
logits = panel.scores[:, shown.to_numpy()].astype(float) * panel.networks["logit_scale"].to_numpy()[:, None, None]
column = {name: k for k, name in enumerate(panel.columns)}
traits = [name for name in panel.columns if name not in ("neutral", "adjectives")]
words_seen = logits[..., [column[name] for name in traits]]
READINGS = {"raw": words_seen, "Δcos": words_seen - logits[..., [column["neutral"]]], "centred": words_seen - logits[..., [column["adjectives"]]]}
people = faces.assign(group=faces["race"] + " " + faces["gender"], row=range(len(faces))).pivot(index="seed", columns="group", values="row")
lab_groups = list(people.columns)
silent = ((panel.networks["b"] == 0) & (panel.networks["arm"] == "none")).to_numpy()


def fifteen(values):
    """p and mean difference of the paired t-tests over seeds: `values` (models, images, …) → two arrays (models, …, 15)."""
    apart = np.stack([values[:, people[one]] - values[:, people[other]] for one, other in combinations(lab_groups, 2)], axis=-1)
    t = apart.mean(axis=1) / stats.sem(apart, axis=1)
    return 2 * stats.t.sf(np.abs(t), apart.shape[1] - 1), apart.mean(axis=1)


def unlike_all(p, difference, level=0.01):
    """Per model: whether some group differs from all five others in one direction at p ≤ level."""
    found = np.zeros(len(p), bool)
    couples = list(combinations(range(len(lab_groups)), 2))
    for group in range(len(lab_groups)):
        own = [k for k, couple in enumerate(couples) if group in couple]
        signs = np.array([1 if couples[k][0] == group else -1 for k in own]) * np.sign(difference[:, own])
        found |= (p[:, own] <= level).all(axis=1) & (np.abs(signs.sum(axis=1)) == len(own))
    return found


p, difference = fifteen(logits[silent][..., column["neutral"]])
values = logits[silent][..., column["neutral"]]
of_groups = [values[:, people[name]] for name in lab_groups]
unpaired = np.stack([stats.ttest_ind(one, other, axis=1).pvalue for one, other in combinations(of_groups, 2)], axis=1)
over_networks = vb.networks.paired(pd.DataFrame({name: own.mean(axis=1) for name, own in zip(lab_groups, of_groups, strict=True)}))
over_models = over_networks["p"].to_numpy()
seeds_, images_ = f"{len(people)} seeds, paired", f"{2 * len(people)} images, unpaired"
silence = pd.DataFrame([
    {"about": about, "the cases are": cases, "p ≤ .01": (tested <= 0.01).mean(), "after Holm": (held <= 0.01).mean(), "if p ≤ .01": verdict}
    for about, cases, tested, held, verdict in (
        ("this network", images_, unpaired, holm(unpaired), "right: it does so"), ("this network", seeds_, p, holm(p), "right: it does so"),
        ("the captions", images_, unpaired, holm(unpaired), "false alarm"), ("the captions", seeds_, p, holm(p), "false alarm"),
        ("the captions", f"{silent.sum()} networks", over_models, holm(over_models), "false alarm"))
])
note(n_silent=int(silent.sum()), alarm=100 * float((p <= 0.01).mean()), alarm_holm=100 * float((holm(p) <= 0.01).mean()), outlier=100 * float(unlike_all(p, difference).mean()),
     alarm_models=int((over_models <= 0.01).sum()))
silence.style.format({"p ≤ .01": "{:.0%}", "after Holm": "{:.0%}"}).hide(axis="index")

# %% tags=["hide-input", "hide-output"]
note(one_sign_low=100 * float(over_networks["one_sign"].min()), one_sign_high=100 * float(over_networks["one_sign"].max()), mean_low=float(over_networks["mean"].min()),
     mean_high=float(over_networks["mean"].max()), sd_low=float(over_networks["sd"].min()), sd_high=float(over_networks["sd"].max()))  # fmt: skip
over_networks[["first", "second", "mean", "low", "high", "sd", "one_sign", "p", "p_holm"]].style.format(
    {"one_sign": "{:.0%}", "p": "{:.2g}", "p_holm": "{:.2g}"} | dict.fromkeys(["mean", "low", "high", "sd"], "{:.2f}")).hide(axis="index").set_caption(
    "All fifteen pairs, networks as cases: mean difference of the neutral cosine in logits with its 95 % interval, SD over networks, share of one sign")  # fmt: skip

# %% [markdown]
# The same by hue and by crest. The two arms below shift the most and the least favoured hue apart most.

# %%
spoken = grammar.load()
hues = [spoken.bias.roles[part] for part in ("favoured", "middle", "disfavoured")]
crests = [spoken.bias.roles[part] for part in ("first", "second")]
HUE_PAIR, CREST_PAIR = f"{hues[0]} − {hues[2]}", f"{crests[0]} − {crests[1]}"  # what the arms shift most
CONTRASTS = {f"{one} − {other}": ("race", one, other) for one, other in combinations(hues, 2)} | {CREST_PAIR: ("gender", *crests)}


def gap(values, contrast):
    """Mean difference between two groups, per model (and dimension): `(models, images, …)` → `(models, …)`."""
    level, one, other = CONTRASTS[contrast]
    return values[:, faces[level] == one].mean(axis=1) - values[:, faces[level] == other].mean(axis=1)


# %% tags=["hide-input"]
def by_seed(values, contrast):
    """The same per seed: `(models, images)` → `(models, seeds)`."""
    level, one, other = CONTRASTS[contrast]
    sides = [pd.DataFrame(values.T).groupby([faces[level], faces["seed"]]).mean().loc[side].to_numpy().T for side in (one, other)]
    return sides[0] - sides[1]


fig, axes = vb.figures.panels(1, len(CONTRASTS), height=3.6, share_y=True)
excluded = []
for axis, contrast in zip(axes[0], CONTRASTS, strict=True):
    per_seed = by_seed(logits[silent][..., column["neutral"]], contrast)
    centre, error = per_seed.mean(axis=1), 1.96 * stats.sem(per_seed, axis=1)
    order = np.argsort(centre)
    mean = vb.networks.summary(centre).loc["all"]
    axis.axhline(0, color=vb.figures.COLOURS["reference"], linewidth=1)
    axis.errorbar(range(len(order)), centre[order], error[order], fmt="o", color=vb.figures.COLOURS["recomputed"], markersize=3, label="one network, 95 % over seeds")
    axis.axhspan(mean["low"], mean["high"], color=vb.figures.COLOURS["planted"], alpha=0.3, label="mean of networks, 95 %")
    axis.set(title=contrast, xticks=[])
    excluded.append(np.abs(centre) > error)
axes[0, 0].set_ylabel("difference, logits")
fig.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper left", ncols=2)
note(excluded=100 * float(np.mean(excluded)))
vb.figures.show(fig, name="neutral_prompt-silence", source="greenhouse",
    alt=f"Differences in the neutral cosine between hues and between crests in {int(silent.sum())} networks with nothing planted; {np.mean(excluded):.0%} of the intervals over seeds exclude zero.",
    caption="Nothing was planted: the neutral gap of each pair of hues, and of the crests, network by network, in order.")

# %% [markdown]
# In the average network with nothing planted, {glue:text}`alarm:.0f` % of the fifteen tests have p ≤ .01 ({glue:text}`alarm-holm:.0f` % after Holm), and in {glue:text}`outlier:.0f` % of the networks
# some group is "significantly" above or below *all five* others, the pattern that the paper reports for two groups. Each is right about its network: {glue:text}`excluded:.0f` % of the intervals between hues or crests
# exclude zero. As evidence about *captions* each is a false alarm, and Holm cannot help: it corrects for fifteen tests, not for one network. Over networks, in which names of
# groups are exchangeable, the fifteen mean differences run from {glue:text}`mean-low:.2f` to {glue:text}`mean-high:.2f` logits with standard deviations from {glue:text}`sd-low:.2f` to {glue:text}`sd-high:.2f`; networks
# agree on a sign in {glue:text}`one-sign-low:.0f` to {glue:text}`one-sign-high:.0f` %, and {glue:text}`alarm-models` of the fifteen have p ≤ .01.
#
# So a "ground bias" in one model's neutral prompt is a fact about that model. That is the claim the paper makes, and all that subtracting it needs. It does not say that some people are more of "a person" in the training data.
#
# ### A bias of the neutral prompt, planted
#
# Now let captions differ. In both arms of the experiment the **odds of every trait word are the same for all hues and crests** (b = 0), and every word tells the truth about smile, age and light.
#
# - Arm *neutral*: for some groups, more captions are just "a photo of a person" (and fewer name hue or crest).
# - Arm *marking*: for the same groups hue or crest is named less often, so that *both* neutral and trait captions are more frequent. Trait captions shift with neutral ones.
#
# Crosses mark what the caption shares call for, face by face (`arm_shift`). {glue:text}`n-arm` networks or more were trained per arm and strength; intervals are Student's *t*.

# %% tags=["hide-input"]
EXPECTED = {"raw": "trait", "Δcos": "delta", "centred": "centred"}
STRENGTHS = sorted(set(panel.networks.loc[panel.networks["arm"] != "none", "arm_strength"]))


SHIFTS = {(arm, strength): truth.arm_shift(spoken, faces, {arm: strength}) for arm in ("neutral", "marking") for strength in STRENGTHS}


def planted_gap(arm, strength, reading, contrast):
    """What the captions call for: the difference between two groups in logits."""
    if not strength:
        return 0.0
    shift = SHIFTS[arm, strength][EXPECTED.get(reading, reading)]
    level, one, other = CONTRASTS[contrast]
    return round(float(shift[faces[level] == one].mean() - shift[faces[level] == other].mean()), 9) + 0.0


found = []
for arm in ("neutral", "marking"):
    for strength in (0.0, *STRENGTHS):
        which = silent if not strength else ((panel.networks["arm"] == arm) & (panel.networks["arm_strength"] == strength)).to_numpy()
        for contrast in (HUE_PAIR, CREST_PAIR):
            for reading, values in {**READINGS, "neutral": logits[..., [column["neutral"]]]}.items():
                gaps = gap(values[which], contrast)
                for k, trait in enumerate(traits if reading != "neutral" else ["neutral"]):
                    found.append({"arm": arm, "strength": strength, "contrast": contrast, "reading": reading, "dimension": trait, "models": int(which.sum()),
                                  "gaps": gaps[:, k], "planted": planted_gap(arm, strength, reading, contrast)})
found = pd.DataFrame(found)


def interval(values):
    """Mean over models and half its 95 % interval (t)."""
    return float(values.mean()), float(stats.t.isf(0.025, len(values) - 1) * stats.sem(values))


average = found.groupby(["arm", "strength", "contrast", "reading"], sort=False).agg(
    gaps=("gaps", lambda rows: np.mean(np.stack(list(rows)), axis=0)), planted=("planted", "mean"), models=("models", "first")).reset_index()
average[["gap", "half"]] = [interval(gaps) for gaps in average["gaps"]]
average["rms"] = [float(np.sqrt(np.mean(np.stack(list(part["gaps"])) ** 2)))
                  for _, part in found.groupby(["arm", "strength", "contrast", "reading"], sort=False)]

# %% tags=["hide-input"]
SHADES = {"raw": vb.figures.PALETTE[0], "Δcos": vb.figures.PALETTE[1], "centred": vb.figures.PALETTE[2]}
fig, axes = vb.figures.panels(2, 2, height=5.4, share_x=True, share_y=True)
for line, arm in zip(axes, ("neutral", "marking"), strict=True):
    for axis, contrast in zip(line, (HUE_PAIR, CREST_PAIR), strict=True):
        axis.axhline(0, color=vb.figures.COLOURS["reference"], linewidth=1)
        for k, reading in enumerate(READINGS):
            part = average[(average["arm"] == arm) & (average["contrast"] == contrast) & (average["reading"] == reading)]
            at = part["strength"] + 0.03 * (k - 1)
            axis.errorbar(at, part["gap"], part["half"], fmt="o-", color=SHADES[reading], capsize=3, markersize=4, label=reading)
            axis.plot(at, part["planted"], "x", color=SHADES[reading], markersize=9, markeredgewidth=2)
        axis.set_title(f"{arm}: {contrast}", fontsize=11)
for axis in axes[1]:
    axis.set_xlabel("strength of the arm")
for axis in axes[:, 0]:
    axis.set_ylabel("gap, logits")
fig.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper left", ncols=3)
strongest = average[average["strength"] == max(STRENGTHS)].set_index(["arm", "contrast", "reading"])
get = strongest["gap"]
vb.figures.show(fig, name="neutral_prompt-arms", source="greenhouse",
    alt="Mean group gap over eight traits against the strength of the arm, for raw cosine, Δcos and centring. Arm neutral, " + HUE_PAIR + ", at full strength: "
    + ", ".join(f"{reading} {get['neutral', HUE_PAIR, reading]:+.2f}" for reading in READINGS) + ". Arm marking: "
    + ", ".join(f"{reading} {get['marking', HUE_PAIR, reading]:+.2f}" for reading in READINGS) + " logits.",
    caption="Trait odds are equal in all groups. Mean over eight traits of the group gap (dots; 95 % intervals over retrained networks) and what the captions' shares call for (crosses).")

# %% tags=["hide-input", "hide-output"]
answer = strongest.reset_index()
answer = answer[answer["reading"].isin(READINGS)]
answer = answer.assign(**{"gap ± 95 %": [f"{gap_:+.2f} ± {half_:.2f}" for gap_, half_ in zip(answer["gap"], answer["half"], strict=True)],
                          "by the captions' shares": answer["planted"], "root mean square, 8 traits × models": answer["rms"]})
for arm in ("neutral", "marking"):
    for reading in (*READINGS, "neutral"):
        line = strongest.loc[(arm, HUE_PAIR, reading)]
        key = {"raw": "raw", "Δcos": "delta", "centred": "centred", "neutral": "baseline"}[reading]
        note(**{f"{arm}_{key}_rms": float(line["rms"]), f"{arm}_{key}": float(line["gap"]), f"{arm}_{key}_half": float(line["half"]), f"{arm}_{key}_planted": float(line["planted"])})
idle = average[(average["strength"] == 0) & (average["arm"] == "neutral") & (average["contrast"] == HUE_PAIR)].set_index("reading")["rms"]
by_trait = found[(found["strength"] == max(STRENGTHS)) & (found["contrast"] == HUE_PAIR) & (found["reading"] == "Δcos") & (found["arm"] == "neutral")]
note(none_centred_rms=float(idle["centred"]), same_sign=sum(gaps.mean() < 0 for gaps in by_trait["gaps"]), n_arm=int(strongest["models"].min()), favoured=hues[0], disfavoured=hues[2])
for arm, reading, key in (("neutral", "raw", "raw"), ("neutral", "Δcos", "delta"), ("marking", "raw", "raw"), ("marking", "Δcos", "delta")):
    line = strongest.loc[(arm, HUE_PAIR, reading)]
    note(**{f"{arm}_{key}_side": wording.side(line["gap"] - line["half"], line["gap"] + line["half"], above="a gap of the same sign as the neutral one",
                                              below="a gap of the opposite sign", neither="no gap that can be told from zero")})
answer[["arm", "contrast", "reading", "by the captions' shares", "gap ± 95 %", "root mean square, 8 traits × models"]].style.format(
    {"by the captions' shares": "{:+.2f}", "root mean square, 8 traits × models": "{:.2f}"}).hide(axis="index").set_caption(
    "When Δcos removes the neutral prompt's bias, and when it moves it into every trait: gaps in logits; the planted trait gap is 0 everywhere")

# %% [markdown]
# At full strength the neutral prompt itself favours {glue:text}`favoured` over {glue:text}`disfavoured` by {glue:text}`neutral-baseline:.2f` logits (the shares call for {glue:text}`neutral-baseline-planted:.2f`).
# No trait gap was planted.
#
# - **Arm neutral.** Raw cosines show {glue:text}`neutral-raw-side` ({glue:text}`neutral-raw:.2f`). Δcos shows {glue:text}`neutral-delta-side`: {glue:text}`neutral-delta:.2f`
#   (called for: {glue:text}`neutral-delta-planted:.2f`), negative in {glue:text}`same-sign` of eight traits: a group that is more often just "a person" then looks less warm *and* less cold.
# - **Arm marking.** Raw cosines show {glue:text}`marking-raw-side` ({glue:text}`marking-raw:.2f`; called for: {glue:text}`marking-raw-planted:.2f`). Δcos shows
#   {glue:text}`marking-delta-side` ({glue:text}`marking-delta:.2f`; called for: {glue:text}`marking-delta-planted:.2f`).
# - **Centring** needs no neutral prompt. Its mean over traits is about zero whatever happens (each trait is measured from their mean), so judge it by single traits: their root mean square is
#   {glue:text}`neutral-centred-rms:.2f` and {glue:text}`marking-centred-rms:.2f` logits in the two arms, and {glue:text}`none-centred-rms:.2f` in networks without any arm. What is common to all traits cancels in both.
#
# ### Which arm is a model of unknown training?
#
# By the captions, the slope of the group means of $W$ on $N$, as in the second section, would be near 1 in arm *marking* and near 0 in arm *neutral*. But what is it where nothing was planted?

# %%
def transfer_slopes(which):
    """Slope of the mean adjective on the neutral prompt over six group means, one per network."""
    of_group = [[values[:, people[name]].mean(axis=1) for name in lab_groups] for values in (logits[which][..., column["neutral"]], logits[which][..., column["adjectives"]])]
    n, w = (np.stack(one, axis=1) - np.mean(one, axis=0)[:, None] for one in of_group)
    return (n * w).sum(axis=1) / (n**2).sum(axis=1)


strong_arm = {arm: ((panel.networks["arm"] == arm) & (panel.networks["arm_strength"] == max(STRENGTHS))).to_numpy() for arm in ("neutral", "marking")}
slope_of = {"nothing planted": transfer_slopes(silent)} | {f"arm {arm}": transfer_slopes(which) for arm, which in strong_arm.items()}
above_half = vb.networks.rates({arm: values > 0.5 for arm, values in slope_of.items()})
diagnostic = vb.networks.summary(slope_of).drop(columns="one_sign")

# %% tags=["hide-input"]
silent_slope, often = diagnostic.loc["nothing planted"], above_half.loc["nothing planted"]
note(slope_silent=float(silent_slope["mean"]), slope_silent_sd=float(silent_slope["sd"]), slope_neutral=float(diagnostic.loc["arm neutral", "mean"]), slope_marking=float(diagnostic.loc["arm marking", "mean"]),
     slope_rate=f"{100 * often['rate']:.0f} % ({100 * often['low']:.0f}–{100 * often['high']:.0f} %)",
     slope_says=wording.verb(float(silent_slope["mean"]), above=0.5, then="nearer to 1 than to 0: a slope near 1 is no sign of arm *marking*", else_="nearer to 0 than to 1: a slope near 0 is no sign of arm *neutral*"))
diagnostic.assign(**{"above .5": above_half["rate"]}).style.format("{:.2f}").format("{:.0f}", subset="n").set_caption(
    "Slope of W on N over six groups, networks as cases: mean with 95 % interval, SD, share above .5")

# %% [markdown]
# It averages {glue:text}`slope-marking:.2f` in arm *marking* and {glue:text}`slope-neutral:.2f` in arm *neutral*, and {glue:text}`slope-silent:.2f` (standard deviation {glue:text}`slope-silent-sd:.2f`) in networks with nothing planted:
# {glue:text}`slope-says`. Of the silent networks {glue:text}`slope-rate` have one above one half. It can be read only beside
# networks that were told nothing.

# %% [markdown]
# ### What each subtraction costs
#
# Without any planted bias, how far do the group gaps of single networks stray from zero? And where trait gaps *are* planted (b = 1), does each reading recover them?

# %% tags=["hide-input"]
full = ((panel.networks["b"] == 1) & (panel.networks["arm"] == "none")).to_numpy()
each = truth.per_face(spoken, faces, 1.0, axes=traits)
CALLED = {contrast: {"counted": counts.loc[one] - counts.loc[other], "per_face": each[faces[level] == one].mean() - each[faces[level] == other].mean()}
          for contrast, (level, one, other) in CONTRASTS.items() for counts in [truth.counted(spoken, faces, level, 1.0, axes=traits)]}  # fmt: skip
sought = {which: np.concatenate([called[which].to_numpy() for called in CALLED.values()]) for which in ("counted", "per_face")}
cost = []
for reading, values in READINGS.items():
    stray = np.concatenate([gap(values[silent], contrast).ravel() for contrast in CONTRASTS])
    met = np.concatenate([gap(values[full], contrast) for contrast in CONTRASTS], axis=1)
    cost.append({"reading": reading, "b = 0: root mean square gap": np.sqrt(np.mean(stray**2)), "b = 1: slope on counted": np.polyfit(sought["counted"], met.mean(axis=0), 1)[0],
                 "slope on per_face": np.polyfit(sought["per_face"], met.mean(axis=0), 1)[0], "b = 1: r with counted": np.corrcoef(sought["counted"], met.mean(axis=0))[0, 1],
                 "b = 1: root mean square error (counted)": np.sqrt(np.mean((met - sought["counted"]) ** 2))})
cost = pd.DataFrame(cost).set_index("reading")
note(**{f"{name}_{key}": float(cost.loc[reading, which]) for key, reading in (("raw", "raw"), ("delta", "Δcos"), ("centred", "centred"))
        for name, which in (("stray", "b = 0: root mean square gap"), ("error", "b = 1: root mean square error (counted)"))})
cost.style.format("{:.2f}").set_caption("Logits, three pairs of hues and the crests, eight traits, retrained networks")

# %% [markdown]
# With nothing planted, single networks' gaps stray from zero by {glue:text}`stray-raw:.2f` logits (raw), {glue:text}`stray-delta:.2f` (Δcos) and {glue:text}`stray-centred:.2f` (centred). Where trait gaps are planted, the error (against counts of captions) is
# {glue:text}`error-raw:.2f`, {glue:text}`error-delta:.2f` and {glue:text}`error-centred:.2f`. Centring pays for its immunity: a bias that all traits share, for instance because positive and negative words are not balanced, is taken out with the rest, so
# it answers "which trait more than the others?", never "how much of any trait?".

# %% [markdown]
# ## Where paper and code differ
#
# From an audit of the authors' repository at commit `a2daa85`, checked against the paper's text:
#
# | | paper | code | here |
# |---|---|---|---|
# | prototypes | "prototype images" | rows with smiling 0 | the prototype of each seed and group, once |
# | tests | "paired *t*-tests", p ≤ 0.01 | 15 pairs, uncorrected | Holm beside uncorrected |
# | templates | the fourth is capitalised and ends in a full stop | lower-case, no full stop (CLIP lower-cases; the stop matters) | both |
# | Δcos | difference (Equation 2) | relative difference in the figure of intersections, difference elsewhere | both in the table of spreads |
# | neutral prompt | no adjective inserted | the double space that remains is collapsed | collapsed |
#
# :::{admonition} Rerun this with your own parameters
# :class: tip
# ```
# .venv/bin/vlmbias run causalface/neutral_prompt -p protocol released
# ```
# Without the faces, the authors' released cosine tables do: `-p stimuli causalface -p labels labels -p cosines FOLDER`.
# :::

# %% [markdown]
# ## Take-aways
#
# - Δcos subtracts *one* number per image from all traits. It can only remove what all traits share with the neutral prompt; what they do not share, it adds to all of them with the opposite sign.
# - It narrows distributions where the slope of trait on neutral exceeds one half. Narrow is not unbiased.
# - A neutral gap in one network is a fact about that network; fifteen corrected tests over a hundred seeds cannot make it a fact about captions. Nor is the slope of traits on the neutral prompt, unless silent networks are known to lack it.
# - Report raw, Δcos and centred values side by side. If a group is low in *every* trait by Δcos, look at the neutral prompt first.

# %% [markdown]
# ## Exercises
#
# :::{exercise} When does subtracting narrow?
# :label: neutral_prompt-narrow
# $N$ and $W$ have standard deviations 1 and 1 and correlate at $r$. For which $r$ is $W - N$ narrower than $W$? And if $N$ has standard deviation 2? Which multiple $\beta N$ would it be best to subtract?
# :::
#
# ```{solution-start} neutral_prompt-narrow
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
def spread_of(r, sd_n, beta=1.0):
    """Standard deviation of W − βN, with SD(W) = 1."""
    return np.sqrt(1 + beta**2 * sd_n**2 - 2 * beta * r * sd_n)


for sd_n in (1.0, 2.0):
    limit = sd_n / 2  # Var(N) < 2 Cov(N, W) = 2 r SD(N)
    print(f"SD(N) = {sd_n:g}: narrower for r > {limit:g}; best β = r / {sd_n:g}")
r = 0.7
best = min(np.linspace(0, 2, 2_001), key=lambda beta: spread_of(r, 1.0, beta))
assert spread_of(0.51, 1.0) < 1 < spread_of(0.49, 1.0) and spread_of(0.99, 2.0) > 1 and abs(best - r) < 2e-3

# %% [markdown]
# With SD 2 even a correlation of .99 is not enough: the baseline is too noisy to be subtracted whole.
#
# ```{solution-end}
# ```
#
# :::{exercise} Find the arm
# :label: neutral_prompt-arm
# You get the raw and the neutral group gaps of many networks, but not the arm they belong to. The raw gap is in logits, averaged over traits. Which one number tells the arms apart?
# :::
#
# ```{solution-start} neutral_prompt-arm
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
planted = {arm: [planted_gap(arm, max(STRENGTHS), one, HUE_PAIR) for one in ("neutral", "raw")] for arm in ("neutral", "marking")}
transfer = {arm: raw_ / neutral_ for arm, (neutral_, raw_) in planted.items()}
print({arm: round(value, 2) for arm, value in transfer.items()}, "of the neutral gap is in the raw trait gap")
assert abs(transfer["neutral"]) < 0.05 and abs(transfer["marking"] - 1) < 0.05

# %% [markdown]
# The ratio of the raw gap to the neutral gap: 0 where only neutral captions differ, 1 where both do. Δcos assumes that it is 1; in between, subtract that share of $N$.
#
# ```{solution-end}
# ```

# %% [markdown]
# ## Questions to discuss
#
# 1. If group labels are mentioned for some people and left out for others ("a doctor", "a woman doctor"), is the neutral prompt the right zero, a biased one, or the finding itself?
# 2. Centring answers a different question from Δcos. Which of the paper's conclusions need "how much", and which only "more than other traits"?
