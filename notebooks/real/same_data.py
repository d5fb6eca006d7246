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
# # Nine CLIPs, one data set: do they agree?
#
# *Real models. Association tests of nine CLIP models of OpenAI, as published in the repository of Ghate et al.*
#
# :::{admonition} This chapter at a glance
# :class: note
#
# **Question.** Nine CLIP models learned from the same pictures and sentences. If a test finds something in one of them, do the others show it, too? And does a model with a large result in one test have large results in others?
#
# **Answer in short.** [In {glue:text}`agree.nine` tests, all nine models point the same way; if each model tossed a coin in each test, we would expect {glue:text}`chance_agree:.2f` such tests.]{.holds #more_agree}
#
# [In {glue:text}`turned` tests, one model is significant in one direction and another in the opposite one.]{.holds #some_turned} By chance alone, we would expect {glue:text}`expected_turned:.1f` such tests, if the models were independent.
# [After the planned correction for testing all {glue:text}`results_all` results (each test in each model), no such test is left.]{.holds #none_strict} [Yet for one of them, chance is an unlikely explanation]{.holds #one_strong} (we asked this after we had seen the table).
#
# Ghate et al. would call too many results significant if large results of one model went together, even weakly. [In eight of the nine models and earlier versions of {glue:text}`n_tests` of their tests, we find no sign of it on average,]{.holds #not_alike} [but eight models are too few to rule it out.]{.holds #some_go} [Tests about race may be an exception.]{.holds #race_alike}
#
# **In 20 minutes:** {ref}`What the table holds <same-table>`, {ref}`Do nine models agree? <same-agree>`, {ref}`Do the results of one model go together? <same-alike>`,
# {ref}`What it means for the three papers <same-means>`. At the end, {ref}`two networks of our own <same-greenhouse>` take the same test. **In 75 minutes:** everything, with both exercises.
#
# **You need:** effect size and permutation test, as in the primer "[Embedding association tests](../../book/primers/association.md)".
#
# **Content note.** The tests pair photographs of people of different race, gender, age, religion, weight and disability with pleasant and unpleasant scenes. No photograph is shown. Every number is about models, none about people.
# :::
#
# **We ran no model.** Others computed these numbers, and committed them in 2023 to what became the repository of {cite:t}`ghate2025`. The tests of pictures and their photographs are those of {cite:t}`steed2021`, the tests of sentences those of {cite:t}`may2019`. We thank them all.

# %% tags=["parameters", "hide-input"]
table = ""  # a CSV of your own with the columns of data/published/clip_image_tests.csv, in its place; empty or a table
models = []  # which models of the table to use; none: all of them; empty or a text
twin = "ViT-L/14@336px"  # a model that continues the training of another one, left out where models count as independent; a text
one = "ViT-B/32"  # the model that stands for a study of a single model (Hausladen et al., and Wolfe and Caliskan, used this one); a text
alpha = 0.05  # level of significance, two-sided; from 0.001 to 0.2
paper = "causalface"  # whose chapters are compared at the end, as run with two networks; one of: causalface, american_white, pretraining
beside = []  # models to set beside the book's own there, by name; none: every one at hand; empty or a text
results = "_build/results/real/same_data.json"  # where this notebook writes the values it recomputes

# %% tags=["hide-input"]
from math import comb

import numpy as np
import pandas as pd
from scipy import stats
from statsmodels.stats.multitest import multipletests

import vlmbias as vb
from vlmbias.external import facts
from vlmbias.stimuli.reader_folders import COUNTERPARTS

vb.figures.style()
pd.set_option("display.max_colwidth", None)  # whole names of tests

# %% [markdown]
# (same-table)=
# ## What the table holds
#
# CLIP is a family of networks that score how well a picture fits a sentence. OpenAI published nine of them {cite:p}`radford2021`, trained on the same 400 million pairs of pictures and sentences. They differ in size and *architecture* (how a network is built): five are *ResNets*, four are *vision transformers*.
#
# ViT-L/14@336px is ViT-L/14, trained a little further. Without this *near twin*, eight separate trainings remain.
#
# Each model took the same {glue:text}`tests` *association tests*, with the same photographs. A test asks, for example, whether the model finds photographs of one group more similar to pleasant scenes than those of another group.
#
# The result is an *effect size* $d$. It is 0 if the model treats both groups alike, and above 0 if the first-named group is nearer to the first-named things. We call a result *significant* if random splits of the same photographs rarely give a $d$ so far from 0 (p at most {glue:text}`alpha`).

# %%
tests = facts.table("clip_image_tests", table)
if models:
    tests = tests[tests["model"].isin(models)]

# the published p looks at one direction only (is d larger?); we ask for both
tests["p_two_sided"] = facts.two_sided(tests)  # twice the smaller tail
tests["significant"] = tests["p_two_sided"] <= alpha

# %% [markdown]
# Here, a $d$ above 0 means that photographs of men are nearer to science than those of women.

# %%
heads = {"n_target": "photographs of each group", "p_two_sided": "p"}
shown = tests[tests["called"].str.contains("science")].drop(columns="p")
shown = shown.rename(columns=heads)
shown[["model", "photographs of each group", "d", "p"]].head(3).round(3)

# %% tags=["hide-input"]
d = tests.pivot(index="called", columns="model", values="d")
d = d[list(dict.fromkeys(tests["model"]))]  # models in the order of the table
pictures = tests.groupby("called")["n_target"].first()
vb.note(alpha=alpha)

# %% [markdown]
# (same-agree)=
# ## What came out
#
# ### Do nine models agree?
#
# Each dot of the figure is one model.

# %% tags=["hide-input"]
order = d.mean(axis=1).sort_values().index
resnets = d.columns[d.columns.str.startswith("RN")]
fig, ((axis,),) = vb.figures.panels(height=8.6)
for place, name in enumerate(order):
    for group, mark, colour in ((resnets, "o", vb.figures.PALETTE[0]), (d.columns.difference(resnets), "s", vb.figures.PALETTE[1])):
        axis.plot(d.loc[name, group], [place] * len(group), mark, color=colour, alpha=0.75, ms=6, mec="white", mew=0.5)
axis.axvline(0, color=vb.figures.COLOURS["reference"], lw=1, zorder=0)
lines = [f"{name.replace(', ', chr(10))} ({pictures[name]})" for name in order]
axis.set(yticks=range(len(order)), yticklabels=lines, xlabel="effect size d", ylim=(-0.7, len(order) - 0.3))
axis.tick_params(axis="y", labelsize=8)
for mark, colour, label in (("o", vb.figures.PALETTE[0], "ResNet"), ("s", vb.figures.PALETTE[1], "vision transformer")):
    axis.plot([], [], mark, color=colour, label=label)
fig.legend(loc="outside upper left", ncols=2)
vb.figures.show(
    fig,
    name="same-data-tests",
    alt=f"{len(d)} image tests, one row each, with the effect size of {d.shape[1]} CLIP models as dots; the means run from {d.mean(axis=1).min():.2f} to {d.mean(axis=1).max():.2f}. "
    f"The dots of a row spread over {(d.max(axis=1) - d.min(axis=1)).min():.2f} to {(d.max(axis=1) - d.min(axis=1)).max():.2f}.",
    caption="Every test in every model. In brackets: photographs of each group. Right of zero: the first-named group is nearer to the first-named things. All models learned from one data set.",
    source="published:clip_image_tests",
)

# %% [markdown]
# In how many tests do all dots lie on one side of 0?

# %%
def same_sign(d):
    """Whether all models have the same sign, test by test."""
    return (d > 0).all(axis=1) | (d < 0).all(axis=1)


def coins(d):
    """Tests in which as many tossed coins as there are models would all agree."""
    return len(d) * 2 * 0.5 ** d.shape[1]


agree = same_sign(d)
eight = d.drop(columns=twin, errors="ignore")  # one model for each training
print(f"{agree.sum()} of {len(d)}, coins {coins(d):.2f}; "
      f"without the near twin {same_sign(eight).sum()}, coins {coins(eight):.2f}")

# in how many models is each test significant?
significant = tests[tests["significant"]].groupby("called").size()
significant = significant.reindex(d.index).fillna(0).astype(int)

# %% tags=["hide-input"]
m = d.shape[1]
surely = stats.binom.sf(agree.sum() - 1, len(d), coins(d) / len(d)) if agree.any() else 1.0
small = tests.groupby("called")["test"].first().isin(["Disabled", "Sexuality"])  # few pictures: not among our examples
share_all = (significant[agree] == m).sum()
unclear = agree & (significant == 0)  # all models agree, and none is significant
vb.note(tests=len(d), agree={"nine": f"{agree.sum()} of {len(d)}"}, chance_agree=coins(d),
        all_significant=int(share_all), none_significant=int(unclear.sum()))
vb.holds(more_agree=surely < alpha, two_small=bool(unclear.sum() == 2 and small[unclear].all()))

# %% [markdown]
# All nine agree in {glue:text}`agree.nine` tests. If each model tossed a coin in each test, we would expect {glue:text}`chance_agree:.2f` such tests.
# So the models share something: the training data, the photographs, or what any such network would see in them.
#
# Models may agree without a clear effect. Of the tests in which all nine agree, {glue:text}`all_significant` are significant in every model, and {glue:text}`none_significant` in none.
# [Those without any significant result, about disability and sexuality, rest on few photographs.]{.holds #two_small}
#
# (same-turned)=
# ### Do models contradict each other?
#
# A *contradiction* is a test in which one model is significant with $d$ above 0, and another with $d$ below 0. Each row of this table is one contradiction. The columns count the models on each side.

# %%
up = tests[tests["significant"] & (tests["d"] > 0)].groupby("called").size()
down = tests[tests["significant"] & (tests["d"] < 0)].groupby("called").size()
counts = pd.DataFrame({"significant, d > 0": up, "significant, d < 0": down})
counts = counts.reindex(d.index).fillna(0).astype(int)
turned = (counts > 0).all(axis=1)
clear = (counts > 1).all(axis=1)  # at least two models on each side
counts[turned]

# %% tags=["hide-input"]
splits = tests.groupby("called")["n_splits"].first()
tail = np.floor(alpha / 2 * splits) / splits  # one model significant by chance, each side


def both_sides(m, up, down, least):
    """Probability that of m independent models, at least `least` are significant on each side."""
    few = sum(comb(m, u) * comb(m - u, v) * up**u * down**v * (1 - up - down) ** max(m - u - v, 0) for u in range(least) for v in range(least))
    return 1 - stats.binom.cdf(least - 1, m, up) - stats.binom.cdf(least - 1, m, down) + few


n_eight = eight.shape[1]
e = tests[tests["model"] != twin]
sides = pd.DataFrame({side: e[e["significant"] & (side * e["d"] > 0)].groupby("called").size() for side in (1, -1)}).reindex(d.index).fillna(0)  # eight models
strong = clear & (sides > 1).all(axis=1)
expected = both_sides(m, tail, tail, 1).sum()
two = {"independent": both_sides(n_eight, tail, tail, 2).sum(), "pairs": both_sides(n_eight // 2, tail, tail, 1).sum()}
holm = multipletests(tests["p_two_sided"], method="holm")[1] <= alpha
strict = tests.assign(up=holm & (tests["d"] > 0), down=holm & (tests["d"] < 0)).groupby("called")[["up", "down"]].any()
cannot = 2 / splits > alpha / len(tests)
own = tests[tests["called"].isin(strong.index[strong])]
own_holm = own["model"][multipletests(own["p_two_sided"], method="holm")[1] <= alpha] if strong.sum() == 1 else None
six = pictures[d.index] == 6
fewest = splits[six].min() if six.any() else None
vb.note(turned=f"{turned.sum()} of {len(d)}", expected_turned=expected, results_all=len(tests), cannot=f"{cannot.sum()} of {len(d)}",
        two=two, pairs=n_eight // 2, strong="; ".join(counts.index[strong]) or None, correction={"splits": fewest, "least": 2 / fewest if fewest else None, "asked": alpha / len(tests)})
vb.holds(some_turned=turned.any(), one_strong=bool(strong.sum() == 1 and two["independent"] <= 0.01), weak_chance=bool(turned.any() and ((turned & ~strong).sum() <= 2 * expected)),
         none_strict=not (strict["up"] & strict["down"]).any(), some_cannot=cannot.any(), strong_can=bool(strong.any() and not cannot[strong].any()), only_twin=own_holm is not None and list(own_holm) == [twin])

# %% [markdown]
# If no model had any association, and the models were independent, we would expect {glue:text}`expected_turned:.1f` contradictions. [So one of the two may be chance.]{.holds #weak_chance}
#
# [In the other, *{glue:text}`strong`*, chance is an unlikely explanation: at least two models are significant on each side, also without the near twin.]{.holds #one_strong} By chance, eight models would have {glue:text}`two.independent:.3f` tests with two models on each side, under the same assumptions.
#
# But two models on one side may be closely related. If the eight models were {glue:text}`pairs` pairs of copies, this number would be {glue:text}`two.pairs:.2f`.
# We also asked for two models on each side only after we had seen the table. So chance is unlikely, but not excluded.
#
# Our plan asked for a correction, because we tested {glue:text}`results_all` results: each test in each model. [After this correction (Holm's method), no contradiction is left.]{.holds #none_strict} [But {glue:text}`cannot` tests have so few photographs that none of their results can pass it: there are too few ways to split them.]{.holds #some_cannot}
#
# :::{dropdown} Details: the correction
# - In *Holm's method*, the more results are tested, the smaller each *p* must be. Here, the smallest must be at most {glue:text}`correction.asked:.4f`. But six and six photographs can be split in only {glue:text}`correction.splits:.0f` ways, so *p* is at least {glue:text}`correction.least:.4f`.
# - [*{glue:text}`strong`* has enough photographs, but its results are not clear enough to pass.]{.holds #strong_can}
#   The correction looks at each result alone; the counts above look at all results of one test together. So the two can disagree. [If we correct only for the nine results of this test, one stays significant: that of the near twin.]{.holds #only_twin}
# :::
#
# ### How far does one model speak for another?
#
# Hausladen et al. used {glue:text}`one`. In how many tests does its $d$ have the same sign as that of another model? (The near twin is left out.)

# %%
def shared_signs(d):
    """For each model: in how many tests another model has the same sign, on average."""
    signs = np.sign(d)
    pairs = pd.DataFrame({a: {b: (signs[a] * signs[b] > 0).sum() for b in d} for a in d})
    return (pairs.sum() - len(d)) / (d.shape[1] - 1)


shared = shared_signs(eight)

# %% tags=["hide-input"]
vb.note(one=one, same=shared.get(one), coins_half=len(d) / 2)
vb.holds(three_of_four=None if one not in shared else bool(abs(shared[one] / len(d) - 0.75) < 0.05))

# %% [markdown]
# On average, {glue:text}`one` has the same sign as another model in {glue:text}`same:.1f` of {glue:text}`tests` tests. Two tossed coins would agree in {glue:text}`coins_half:.1f`. [So in about three of four tests, this model has the same direction as another model.]{.holds #three_of_four}
#
# (same-alike)=
# ### Do the results of one model go together?
#
# {cite:t}`ghate2025` gave 26 tests to 131 models. Apart from architecture, training data and size, their regression treats the 26 results of one model as independent.
# But perhaps a model with a large $d$ in one test tends to have a large $d$ in the others. Then the paper would call too many results significant.
#
# Even a weak correlation matters, because each model has 26 results. The paper compares *families* of training data with one of them, CC12M. If two results of a model correlated by only {glue:text}`example.rho:.2f` on average, one of these families, MetaCLIP, would no longer differ significantly.
#
# ρ (rho) is roughly the average of this correlation over all pairs of tests: the mean covariance divided by the mean variance. If large results do not go together, it is near 0. The paper does not print ρ.
# We compute it from eight models of OpenAI (all but the near twin) and {glue:text}`n_tests` of the 26 tests. The repository lacks the others. These are earlier versions, with other pleasant and unpleasant things than in the final paper.

# %% tags=["hide-input"]
# sign: −1 where we turn a result round, so that it has the paper's direction
names = ["paper's test", "table", "row", "sign"]
paper_tests = pd.DataFrame([
    ("flower-insect/all-image", "image", "Insect-Flower", 1),
    ("race/all-image", "image", "Race", 1),
    ("gender/all-image", "image", "Gender", -1),
    ("age/all-image", "image", "Age", 1),
    ("flower-insect/all-text", "text", "sent-weat1", 1),
    ("instrument-weapon/all-text", "text", "sent-weat2", 1),
    ("race/all-text/names", "text", "sent-weat3", 1),
    ("race/all-text/half of the names", "text", "sent-weat4", 1),
    ("race/all-text/terms", "text", "sent-weat3b", 1),
    ("age/all-text", "text", "sent-weat10", 1),
    ("flower-insect/image-target", "image-target", "SENT-WEAT1", 1),
    ("race/image-target", "image-target", "SENT-WEAT3", 1),
    ("age/image-target", "image-target", "SENT-WEAT10", 1),
    ("flower-insect/text-target", "text-target", "SENT-WEAT1", 1),
    ("race/text-target/names", "text-target", "SENT-WEAT3", 1),
    ("race/text-target/half of the names", "text-target", "SENT-WEAT4", 1),
    ("race/text-target/terms", "text-target", "SENT-WEAT3B", 1),
    ("age/text-target", "text-target", "SENT-WEAT10", 1),
], columns=names)

image = tests[tests["a"] == "Pleasant"].rename(columns={"test": "row"}).assign(table="image")
text = facts.table("clip_text_tests").rename(columns={"test": "row"}).assign(table="text")
cross = facts.table("clip_cross_modal_tests")
cross = cross.rename(columns={"text_test": "row", "order": "table"})
everything = pd.concat([image, text, cross])[["table", "row", "model", "d"]]
found = paper_tests.merge(everything, on=["table", "row"])
found["d"] *= found["sign"]
R = found.pivot(index="model", columns="paper's test", values="d")
R = R.dropna().drop(index=twin, errors="ignore")  # models × tests, one row per training


def resemblance(R, level=0.95, explained=1):
    """ρ of results (models × tests) with its F interval; `explained`: columns fitted before."""
    k, df = R.shape[1], len(R) - explained
    centred = R - R.mean()
    between = k * (centred.mean(axis=1) ** 2).sum() / df  # mean squares
    rest = centred.sub(centred.mean(axis=1), axis=0)
    within = (rest**2).to_numpy().sum() / (df * (k - 1))
    F = between / within
    ends = stats.f.ppf([0.5 + level / 2, 0.5 - level / 2], df, df * (k - 1))
    to_rho = [(f - 1) / (f + k - 1) for f in (F, *(F / ends))]
    return dict(zip(("rho", "low", "high"), to_rho, strict=True))

# %%
# R has one row for each model and one column for each test
covariance = R.cov().to_numpy()  # of two tests, over models
off = covariance[~np.eye(len(covariance), dtype=bool)].mean()
rho = off / np.diag(covariance).mean()
alike = resemblance(R)  # in the folded code above: ρ with its 95 % interval
assert np.isclose(rho, alike["rho"], equal_nan=True)
print(f"rho {rho:.3f}, from {alike['low']:.3f} to {alike['high']:.3f}")

# %% tags=["hide-input"]
# z: how much larger d is than in the reference, in standard errors, for each family of training data
claims = vb.ledger.load("pretraining").set_index("id")["value"]
z = claims.filter(regex=r"^upstream\.dataset\.[\w-]+\.z$").astype(float)


def growth(rho):
    """How much larger standard errors are, if 26 results correlate by rho."""
    return np.sqrt(1 + 25 * max(rho, 0))


def significant_families(rho):
    """Data families that stay significant; p < .01, as in the paper; a ρ below 0 counts as 0."""
    return int((z / growth(rho) > stats.norm.ppf(0.995)).sum())


families = {"high": significant_families(alike["high"])}

# %% tags=["hide-input"]
kind = {name: name.split("/")[0] for name in R}
race = [name for name in R if kind[name] == "race"]
people = [name for name in R if kind[name] in ("race", "gender", "age")]
texts = [name for name in R if "all-text" in name]
parameters = {"RN50": 102, "RN101": 120, "RN50x4": 178, "RN50x16": 291, "RN50x64": 623, "ViT-B/32": 151, "ViT-B/16": 150, "ViT-L/14": 428}  # millions, as open_clip lists them
X = np.column_stack([np.ones(len(R)), [name.startswith("ViT") for name in R.index], np.log([parameters.get(name, np.nan) for name in R.index])])
fitted = R - X @ np.linalg.lstsq(X, R.to_numpy(), rcond=None)[0] if len(R) > 4 and np.isfinite(X).all() else None
other = ["SENT-WEAT6", "SENT-WEAT8", "WEAT6", "WEAT8", "SENT-WEAT6B", "SENT-WEAT8B", "WEAT6B", "WEAT8B"]  # career and science: no valence
valence = everything[~everything["row"].isin(other)]
wide = valence.assign(name=valence["table"] + " " + valence["row"]).pivot_table(index="model", columns="name", values="d").loc[R.index].T.round(6).drop_duplicates().T  # copies once
main, races_only = f"the paper's\ntests ({R.shape[1]})", f"about race\n({len(race)})"
all_after, races_after = (f"{asked}, after\narchitecture\nand size ({n})" for asked, n in (("the paper's", R.shape[1]), ("about race", len(race))))
cases = {
    main: resemblance(R),
    "all, each with SD 1": resemblance(R / R.std()),
    "all, with the near twin": resemblance(found.pivot(index="model", columns="paper's test", values="d").dropna()),
    all_after: resemblance(fitted, explained=3) if fitted is not None else None,
    f"about people ({len(people)})": resemblance(R[people]),
    f"all published tests of pleasantness ({wide.shape[1]})": resemblance(wide),
    f"with sentences only ({len(texts)})": resemblance(R[texts]),
    races_only: resemblance(R[race]),
    races_after: resemblance(fitted[race], explained=3) if fitted is not None else None,
}
cases = pd.DataFrame({name: own for name, own in cases.items() if own is not None}).T
three = next(r for r in np.arange(0, 0.2, 0.001) if significant_families(r) <= 3)
plotted = cases[cases.index.isin([main, all_after, races_only, races_after])]
fig, ((axis,),) = vb.figures.panels(height=3.3)
place = np.arange(len(plotted))[::-1]
axis.hlines(place, plotted["low"], plotted["high"], color=vb.figures.PALETTE[0], lw=2)
axis.plot(plotted["rho"], place, "o", color=vb.figures.PALETTE[0])
axis.axvline(0, color=vb.figures.COLOURS["reference"], lw=1)
axis.set(yticks=place, yticklabels=plotted.index, xlabel="ρ, roughly the average correlation of two tests\nover models, 95 % interval", ylim=(-0.5, len(plotted) - 0.5))
vb.figures.show(
    fig,
    name="same-data-alike",
    alt=f"ρ, roughly the average correlation of two tests over models, {len(plotted)} rows with 95 % intervals. " + "; ".join(f"{name.replace(chr(10), ' ')}: {row.rho:.2f}, from {round(row.low, 2) + 0:.2f} to {row.high:.2f}" for name, row in plotted.iterrows()) + ".",
    caption=f"Do large results of one model go together? {len(R)} models of one data set; in brackets, the number of tests. The first row was fixed before we computed anything.",
    source=["published:clip_image_tests", "published:clip_text_tests", "published:clip_cross_modal_tests"],
)

# %% tags=["hide-cell"]
# nine ways to compute ρ; in brackets, the number of tests; last column: families that would stay significant at the upper end
ways = cases.rename(columns={"low": "lower end", "high": "upper end"}).round(3)
ways.index = [name.replace("\n", " ") for name in ways.index]
ways["families, upper end"] = [significant_families(rho) for rho in cases["high"]]
ways

# %% tags=["hide-input"]
centred = R - R.mean()
W = centred.sub(centred.mean(axis=1), axis=0).cov().to_numpy()  # of the rest
df = (len(R) - 1) * np.trace(W) ** 2 / (W**2).sum()
F = (1 + (R.shape[1] - 1) * alike["rho"]) / (1 - alike["rho"])
end = F / stats.f.ppf(0.025, len(R) - 1, df)
wider = {"high": (end - 1) / (end + R.shape[1] - 1), "df": df, "formula": (len(R) - 1) * (R.shape[1] - 1)}
wider["families"] = significant_families(wider["high"])
correlation = R.corr()
pictured = [name for name in R if name in ("age/all-image", "age/image-target")]
opposite = correlation.loc[race, pictured].to_numpy()
is_race = np.array([kind[name] == "race" for name in R])
other_pairs = covariance[~np.outer(is_race, is_race) & ~np.eye(len(covariance), dtype=bool)].mean()
last, held = (cases.loc[name] if name in cases.index else None for name in (races_after, all_after))
same = cases.index.isin([main, "all, each with SD 1", "all, with the near twin", all_after])  # the same tests
ends = [wider["high"], *cases.loc[same, "high"]]
stay = [significant_families(end) for end in ends]
at = 0.01
metaclip, asked = z["upstream.dataset.metaclip.z"], stats.norm.ppf(0.995)
assert metaclip > asked > metaclip / growth(at)  # printed numbers only: no longer significant
vb.note(n_tests=R.shape[1], alike=alike, families=families, three=three, n_families=significant_families(0), race=cases.loc[races_only].to_dict(), opposite=opposite.mean(),
        wider=wider, example={"rho": at}, after=None if held is None else held.to_dict() | {"families": significant_families(held["high"])}, others={"few": min(stay), "many": max(stay)})
vb.holds(not_alike=alike["low"] < 0 < alike["high"], race_alike=cases.loc[races_only, "low"] > 0, race_open=None if last is None else last["low"] < 0 < last["high"], against=opposite.mean() < 0, hides=bool(other_pairs < 0),
         some_go=wider["families"] <= families["high"] < significant_families(0), others_further=bool(cases.loc[~same, "high"].min() > max(ends)))

# %% [markdown]
# **Over all {glue:text}`n_tests` tests, we find no sign that large results go together.** [The 95 % interval of ρ includes 0.]{.holds #not_alike} This speaks for the authors. If ρ is 0, all {glue:text}`n_families` families that are significant in the paper stay so.
#
# **But eight models are too few to be sure.** [If ρ were as high as the upper end of the interval, at most {glue:text}`families.high` of these {glue:text}`n_families` families would stay significant.]{.holds #some_go} Once architecture and size are taken into account, as in the paper, the interval ends at {glue:text}`after.high:.3f`, where {glue:text}`after.families` would.
#
# **Tests about race may be an exception.** [Their interval does not include 0.]{.holds #race_alike}
# [Once architecture and size are taken into account, as in the paper, it does (last row of the figure).]{.holds #race_open}
#
# :::{dropdown} Details: the interval and the race tests
# - The F interval assumes that all tests vary and correlate equally. Without this (Satterthwaite's method: {glue:text}`wider.df:.0f` degrees of freedom, not {glue:text}`wider.formula:.0f`), it ends at {glue:text}`wider.high:.3f`, and {glue:text}`wider.families` families stay significant.
# - With all ways to compute ρ over these tests, {glue:text}`others.few` to {glue:text}`others.many` families stay at the upper end. [Intervals of other sets of tests (folded table above) reach further up.]{.holds #others_further} From ρ = {glue:text}`three:.3f` on, at most three families stay. (Our plan named 0.036, from another approximation.)
# - The race tests share six and six photographs, and lists of names that overlap. [Other pairs of tests correlate negatively on average, which hides the race tests in the mean over all:]{.holds #hides}
#   [models high in race tests tend to be low in the two with photographs of young and old people]{.holds #against} (mean correlation {glue:text}`opposite:.2f`). We saw this afterwards.
# :::
#
# ## What it cannot say
#
# - **Nine models are one data set and one laboratory.** They cannot show what differs *between* data sets, and the tests hold few photographs.
# - **What is an accident for science is real for users.** Whoever uses a model passes its associations on.
#
# (same-means)=
# ## What it means for the three papers
#
# **Hausladen et al.** say themselves that results of their one model should not be generalised naively. [In about one of four of these tests, another model points the other way.]{.holds #three_of_four}
#
# **Wolfe and Caliskan** find that CLIP connects "American" with White people. Two of our tests are near to this, but compare photographs with *pictures*, without words. [With European American and Asian American people, no model is significant.]{.holds #foreign_open}
# [With European American and Native American people, four of nine models are significant: Native American people are nearer to the US pictures.]{.holds #world_against} But [two of the four are the near twins,]{.holds #near_twins} [and their own CLIP is significant in neither test.]{.holds #own_open} These tests neither support nor refute the finding.
#
# **Ghate et al.** take the results of one model as independent. [On average over {glue:text}`n_tests` tests, eight models of OpenAI give no sign against it,]{.holds #not_alike} [but they are too few to rule it out.]{.holds #some_go} The table of all 131 models would decide.

# %% tags=["hide-cell"]
near = {key: tests[tests["called"].str.endswith(end)].set_index("model") for key, end in (("foreign", "American / foreign"), ("world", "US / world"))}
foreign, world = near["foreign"], near["world"][near["world"]["significant"]]
both = pd.concat(near.values())
vb.holds(world_against=len(world) == 4 and bool((world["d"] < 0).all()), near_twins={twin, twin.split("@")[0]} <= set(world.index) if twin in world.index else None, foreign_open=not foreign["significant"].any() if len(foreign) else None,
         own_open=not both.loc[[one], "significant"].any() if one in both.index else None)

# %% [markdown]
# (same-greenhouse)=
# ## The Greenhouse's two networks, the same test
#
# The chapters on Hausladen et al. repeat the paper's analyses with one small network of the [Greenhouse](../../book/greenhouse/limits.md), our laboratory. We ran these chapters with a second network, on the same pictures. The captions of the **first network** treat groups differently. Those of the **second network** do not.
#
# Two networks agree on a value that the chapters record if one question gets the same answer: is a *number* above zero, a *p-value* below {glue:text}`alpha`, a *statement* of the paper true? Beside each share stands the agreement *by chance*, that of two unrelated networks that say yes as often as ours do.

# %% tags=["hide-input"]
PLURALS = {"men": "male", "man": "male", "males": "male", "women": "female", "woman": "female", "females": "female", "whites": "white", "blacks": "black", "asians": "asian"}
_, recorded = vb.ledger.compared(paper, beside)
about = vb.ledger.load(paper).set_index("id")[["quantity", "subject", "unit", "model"]].rename(columns={"model": "needs"})
recorded = recorded.join(about, on="claim").query("needs != 'none'")  # what does not depend on a model is the same for all
if recorded["stimuli"].astype(str).str.startswith("greenhouse").any():  # a statement about people is none about drawings
    said = (recorded["quantity"].fillna("") + " " + recorded["subject"].fillna("")).str.lower().str.findall("[a-z]+")
    named = said.map(lambda words: any(PLURALS.get(word, word) in COUNTERPARTS for word in words)).astype(bool)
    recorded = recorded[~(recorded["unit"].eq("statement") & named)]

# %%
keys = ["chapter", "claim", "protocol"]
in_book = recorded["book"].astype(bool)
of_book = recorded[in_book].set_index(keys)["value"].rename("in_book")
same_values = recorded[~in_book].join(of_book, on=keys).dropna(subset="in_book")


def answers(unit, value):
    """Whether a value is true, significant, or above zero."""
    if unit == "statement":
        return bool(value)
    return float(value) < alpha if unit == "p" else float(value) > 0


for column in ("in_book", "value"):
    columns = same_values["unit"], same_values[column]
    same_values[f"yes {column}"] = [answers(*row) for row in zip(*columns, strict=True)]
same_values["agree"] = same_values["yes in_book"] == same_values["yes value"]
KINDS = {"statement": "statements: true?", "p": f"p-values: below {alpha:g}?"}
same_values["kind"] = same_values["unit"].map(KINDS).fillna("numbers: above zero?")

by_chapter = same_values.groupby(["model", "chapter", "kind"], sort=False)
shares = by_chapter[["yes in_book", "yes value", "agree"]].mean().astype(float)
first, second = shares["yes in_book"], shares["yes value"]
shares["by chance"] = first * second + (1 - first) * (1 - second)  # both yes, or both no
shares["values"] = by_chapter.size()

# where both always give one and the same answer, agreement tells nothing
telling = shares[shares["by chance"] < 0.999].reset_index()
weighted = telling.assign(**{c: telling[c] * telling["values"] for c in ("agree", "by chance")})
over = weighted.groupby(["model", "kind"])[["values", "agree", "by chance"]].sum()
over[["agree", "by chance"]] = over[["agree", "by chance"]].div(over["values"], axis=0)
over["chapters"] = telling.groupby(["model", "kind"])["chapter"].agg(", ".join)
over.round(2)

# %% tags=["hide-input"]
vb.note(compared=len(same_values), left=int(telling["values"].sum()) if len(telling) else None, fixed=f"{len(shares) - len(telling)} of {len(shares)}")

# %% [markdown]
# We compare {glue:text}`compared` values. [Where both networks say yes to every value of a chapter, or both say no ({glue:text}`fixed` of chapters and kinds), agreement shows nothing. The table has the other {glue:text}`left` values.]{.if-run}
#
# These shares have no interval, because the values come from the same pictures and are not independent. [Another chapter](../greenhouse/sensitivity.ipynb) says how much changes when training is merely repeated.
#
# (same-add)=
# ### Add a model
#
# [](../../book/rerun.md) says how to run every chapter of a paper with other models; `make book` then adds them here. A real CLIP model was never shown such drawings, so this only tests that everything runs. The results lie in `_build/models/`, one folder per model; to drop a model, delete its folder.

# %% [markdown]
# :::{admonition} Rerun this with your own parameters
# :class: dropdown tip
# ```
# .venv/bin/vlmbias run real/same_data -p models='[RN50, RN101, ViT-B/32, ViT-B/16]'
# .venv/bin/vlmbias run real/same_data -p table=my_results.csv
# ```
# A table of your own needs the columns of the shipped one, in `data/published` ([more](../../book/rerun.md)).
# :::
#
# ## Take-aways
#
# - Models that learned from the same data agree on many associations, and disagree on others. One model does not show which is which.
# - Test the model that you use. To speak about its training data, test several.
# - Agreement counts only beyond what chance gives.
# - Before you count the results of one model as independent, compute how much they go together in *your* tests.
#
# ## Exercises
#
# :::{exercise} Eight of nine
# :label: same-data-coins
# :level: introductory
# :minutes: 10
# :code: yes
# In how many tests do at least eight of the nine models have the same sign? How many would coins give?
# :::
#
# ```{solution-start} same-data-coins
# :class: dropdown
# ```

# %% tags=["hide-input", "solution"]
most = np.maximum((d > 0).sum(axis=1), (d < 0).sum(axis=1))
by_coins = len(d) * 2 * stats.binom.sf(m - 2, m, 0.5)
print(f"{(most >= m - 1).sum()} tests; coins: {by_coins:.2f}")
assert (most >= m - 1).sum() >= agree.sum() and by_coins > coins(d)

# %% [markdown]
# Of nine coins, at least eight rarely show the same side. For each side, there are nine ways to have one exception and one way to have none. Models share data and photographs,
# so they need not behave like coins.
#
# ```{solution-end}
# ```
#
# :::{exercise} Tests about race alone
# :label: same-data-regression
# :level: intermediate
# :minutes: 15
# :code: yes
# A regression uses only the eight tests about race. By which factor are its standard errors too small, with the ρ of these tests found here?
# :::
#
# ```{solution-start} same-data-regression
# :class: dropdown
# ```

# %% tags=["hide-input", "solution"]
races = [name for name in R if kind[name] == "race"]
rho = resemblance(R[races])["rho"]
factor = np.sqrt(1 + (len(races) - 1) * rho)
mean, single = R[races].mean(axis=1).var(), R[races].var().mean()
print(f"{factor:.2f}")
assert np.isclose(factor**2, mean / (single / len(races)), rtol=1e-6)

# %% [markdown]
# The mean of eight results that go together varies more than the mean of eight independent ones. The factor is the square root of the first variance divided by the second. If architecture or size
# explain a part of ρ, the factor is smaller.
#
# ```{solution-end}
# ```
#
# ## Questions to discuss
#
# 1. All nine models agree that one group is nearer to pleasant scenes. Name two explanations besides the training data.
# 2. Another model, trained on the same data, contradicts the one that you use. What do you tell your users?
