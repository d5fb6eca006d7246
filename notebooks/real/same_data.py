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
# **Question.** Nine CLIP models learned from the same pictures and sentences. Does a test that one of them passes come out the same in the others? And do the
# different results of one model resemble each other?
#
# **Answer in short.** [In {glue:text}`agree.nine` tests, all nine models have the same sign, far more than by chance.]{.holds #more_agree} [In {glue:text}`turned` tests, one model is significant in one direction and another in the other; chance can give as many.]{.holds #few_turned}
# [Over the tests of Ghate et al., the results of one model do not measurably resemble each other.]{.holds #not_alike} [For tests about race alone, they do.]{.holds #race_alike}
#
# **In 20 minutes:** {ref}`What the table holds <same-table>`, {ref}`Do nine models agree? <same-agree>`, {ref}`How alike are the results of one model? <same-alike>`,
# {ref}`What it means <same-means>`. **In 75 minutes:** everything, with both exercises.
#
# **You need:** effect size and permutation test, as in the primer "[Embedding association tests](../../book/primers/association.md)".
#
# **Content note.** The tests pair photographs of people of different race, gender, age, religion, weight and disability with pleasant and unpleasant things. No photograph is shown. Every number is
# about models, none about people.
# :::
#
# **We ran no model.** The numbers on this page were computed and published by others {cite:p}`ghate2025`, in an early state of their repository. We thank them for it.

# %% tags=["parameters", "hide-input"]
table = ""  # a CSV of your own with the columns of data/published/clip_image_tests.csv, in its place; empty or a table
models = []  # which models of the table to use; none: all of them; empty or a text
twin = "ViT-L/14@336px"  # a model that continues the training of another one, left out where models count as independent; a text
one = "ViT-B/32"  # the model that stands for a study of a single model (Hausladen et al. used this one); a text
alpha = 0.05  # level of significance, two-sided; from 0.001 to 0.2
results = "_build/results/real/same_data.json"  # where this notebook writes the values it recomputes

# %% tags=["hide-input"]
import numpy as np
import pandas as pd
from scipy import stats
from statsmodels.stats.multitest import multipletests

import vlmbias as vb
from vlmbias.external import facts

vb.figures.style()

# %% [markdown]
# (same-table)=
# ## What the table holds
#
# CLIP is a family of networks that score how well a picture fits a sentence. OpenAI published nine of them {cite:p}`radford2021`. All learned from the same 400 million pairs of pictures and sentences. They differ in size and in architecture,
# which is how a network is built: five are *ResNets*, four are *vision transformers* (ViT).
#
# One of the nine, ViT-L/14@336px, is ViT-L/14, trained a little further on larger pictures: its near twin. So there are really eight trainings.
#
# Each model took the same {glue:text}`tests` *association tests*. A test asks whether the photographs of one group are nearer to pleasant scenes than those of another group. The result is an *effect
# size* $d$. It is 0 if the model treats both groups alike, and positive if it treats them as the authors of the tests expected.
#
# All models saw the same photographs. So if two models differ, it is not because of different pictures. Here are three rows; `n_target` is the number of photographs on each side.

# %%
tests = facts.table("clip_image_tests", table)
if models:
    tests = tests[tests["model"].isin(models)]
tests[["called", "n_target", "model", "d", "p"]].head(3).round(3)

# %% [markdown]
# The p-values of the table are one-sided: they ask whether $d$ is *larger* than in random splits of the photographs. A p near 1 is therefore significant the other way. We make them two-sided.

# %%
lower = tests["p"]
upper = 1 - tests["p"] + 1 / tests["n_splits"]  # the observed split counts in both tails
tests["p_two_sided"] = np.minimum(1, 2 * np.minimum(lower, upper))
tests["significant"] = tests["p_two_sided"] <= alpha

d = tests.pivot(index="called", columns="model", values="d")
d = d[list(dict.fromkeys(tests["model"]))]  # models in the order of the table
pictures = tests.groupby("called")["n_target"].first()
d.head(3).round(2)

# %% [markdown]
# (same-agree)=
# ## What came out
#
# ### Do nine models agree?
#
# Each row of the figure is one test, and each dot is one model.

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
    caption="Every test in every model. In brackets: photographs on each side. Right of zero: the first group is nearer to the first attribute. All models learned from one data set.",
    source="published:clip_image_tests",
)

# %% [markdown]
# Now we count: in how many tests do all models have one sign?

# %%
def same_sign(d):
    """Whether all models have the same sign, test by test."""
    return (d > 0).all(axis=1) | (d < 0).all(axis=1)


agree = same_sign(d)
eight = d.drop(columns=twin, errors="ignore")
by_chance = len(d) * 2 * 0.5 ** d.shape[1]  # as for coins
print(f"{agree.sum()} of {len(d)}; without the twin {same_sign(eight).sum()}; "
      f"by chance {by_chance:.2f}")

# %% tags=["hide-input"]
surely = stats.binom.sf(agree.sum() - 1, len(d), by_chance / len(d)) if agree.any() else 1.0
vb.note(tests=len(d), models=d.shape[1], agree={"nine": f"{agree.sum()} of {len(d)}", "eight": f"{same_sign(eight).sum()} of {len(d)}"}, chance_agree=by_chance)
vb.holds(more_agree=surely < alpha)

# %% [markdown]
# They agree in {glue:text}`agree.nine` tests, and without the near twin in {glue:text}`agree.eight`. [This is far more than if each model tossed a coin for each test: then we would expect {glue:text}`chance_agree:.2f` tests.]{.holds #more_agree} So the agreement comes from what
# the models share: the training data, the photographs of the test, or both.
#
# And where they do not agree? Signs may differ because all effects are near zero. So we look for real contradictions: one model has a significant result in one direction, and another model one in the other direction.

# %%
ahead = tests[tests["significant"] & (tests["d"] > 0)].groupby("called").size()
behind = tests[tests["significant"] & (tests["d"] < 0)].groupby("called").size()
counts = pd.DataFrame({"ahead": ahead, "behind": behind}).reindex(d.index).fillna(0).astype(int)
turned = (counts["ahead"] > 0) & (counts["behind"] > 0)
counts[turned]

# %% [markdown]
# How many such contradictions would chance give? Suppose that no model has any association. Then each result is significant in either direction with a probability of at most {glue:text}`half:.1%`. The next cell computes the expected number for models that are independent of
# each other. Models that share something contradict each other less often.

# %%
splits = tests.groupby("called")["n_splits"].first()
tail = np.floor(alpha / 2 * splits) / splits  # chance of a significant result on one side
m = d.shape[1]
contradict = 1 - 2 * (1 - tail) ** m + (1 - 2 * tail) ** m
expected_turned = contradict.sum()

number = np.array([1.0])  # distribution of the number of contradictions
for chance in contradict:
    number = np.convolve(number, [1 - chance, chance])
p_turned = number[turned.sum():].sum()

# %% tags=["hide-input"]
holm = multipletests(tests["p_two_sided"], method="holm")[1] <= alpha
strict = tests.assign(up=holm & (tests["d"] > 0), down=holm & (tests["d"] < 0)).groupby("called")[["up", "down"]].any()
cannot = 2 / splits > alpha / len(tests)
vb.note(turned=f"{turned.sum()} of {len(d)}", expected_turned=expected_turned, p_turned=p_turned, half=alpha / 2, strict_turned=int((strict["up"] & strict["down"]).sum()),
        holm=int(holm.sum()), results_all=len(tests), cannot=f"{cannot.sum()} of {len(d)}", most_pictures=int(pictures[cannot].max()) if cannot.any() else 0)
vb.holds(few_turned=p_turned > alpha, none_strict=not (strict["up"] & strict["down"]).any(), some_cannot=cannot.any())

# %% [markdown]
# Models contradict each other in {glue:text}`turned` tests. By chance, {glue:text}`expected_turned:.1f` are expected, and so many or more occur with a probability of {glue:text}`p_turned:.2f`. [So the contradictions may be chance.]{.holds #few_turned}
#
# We planned to be strict: to correct all {glue:text}`results_all` p-values together (Holm's method). [Then no test has a contradiction.]{.holds #none_strict} [But this says little, since {glue:text}`cannot` tests could not become significant at all.]{.holds #some_cannot} With {glue:text}`most_pictures` photographs on each
# side or fewer, even the most extreme split has too large a p.
#
# ### Where do they disagree? Where photographs are few
#
# Let us see how far the nine results of a test are spread, and how many photographs it has.

# %%
spread = d.std(axis=1)
r, p_rank = stats.spearmanr(pictures[d.index], spread)
print(f"rank correlation {r:.2f}, p = {p_rank:.3f}")

# %% tags=["hide-input"]
fig, ((axis,),) = vb.figures.panels(height=3.4)
axis.plot(pictures[d.index], spread, "o", color=vb.figures.PALETTE[0], alpha=0.8)
axis.set(xscale="log", xticks=[4, 6, 10, 20, 40], xticklabels=["4", "6", "10", "20", "40"], xlabel="photographs on each side", ylabel="SD of d\nbetween models", ylim=(0, None))
axis.minorticks_off()
vb.figures.show(
    fig,
    name="same-data-spread",
    alt=f"The standard deviation of d between {m} models against the number of photographs on each side, {len(d)} tests; rank correlation {r:.2f}.",
    caption="Each dot is one test. The fewer photographs, the more its result depends on the model.",
    source="published:clip_image_tests",
)
few, many = pictures[d.index] <= 10, pictures[d.index] > 10
vb.note(r_spread=r, spread={"few": spread[few].median(), "many": spread[many].median()}, n_many=int(many.sum()))
vb.holds(fewer_wider=(r < 0) and (p_rank < alpha))

# %% [markdown]
# [The fewer photographs a test has, the more its results differ between models (rank correlation {glue:text}`r_spread:.2f`).]{.holds #fewer_wider} All models see the same photographs, so this is no sampling error in the usual sense. With few photographs, however, each model's view of
# a single photograph counts for much, and these views differ. Only {glue:text}`n_many` tests have more than ten photographs, so the pattern could also come from what these tests are about.
#
# ### How far does one model speak for the others?
#
# Hausladen et al. used one of these models, {glue:text}`one`. How well does it speak for the others? We compare it with each of them, over all tests.

# %%
def agreement(name, d):
    """Tests in which two models have the same sign, and the correlation of their results."""
    others = d.drop(columns=name)
    same = (np.sign(others).mul(np.sign(d[name]), axis=0) > 0).sum()
    return pd.DataFrame({"same sign": same, "correlation": others.corrwith(d[name])})


every = pd.concat({name: agreement(name, eight) for name in eight})
means = every.groupby(level=0).mean().round(2)
means.sort_values("correlation")

# %% tags=["hide-input"]
def components(d):
    """Variance between tests, between models, and of what is left."""
    rows, columns, whole = d.mean(axis=1), d.mean(), d.to_numpy().mean()
    k, n = d.shape
    left = d.sub(rows, axis=0).sub(columns, axis=1).add(whole)
    error = (left**2).to_numpy().sum() / ((k - 1) * (n - 1))
    between = n * ((rows - whole) ** 2).sum() / (k - 1), k * ((columns - whole) ** 2).sum() / (n - 1)
    return pd.Series({"tests": (between[0] - error) / n, "models": max((between[1] - error) / k, 0), "both": error})


share = components(eight) / components(eight).sum()
own = every.loc[one] if one in eight and every["correlation"].notna().all() else None
vb.note(one=one, same=None if own is None else f"{own['same sign'].mean():.1f} of {len(d)}", r_one=None if own is None else own["correlation"].mean(),
        r_all=every["correlation"].mean(), share=share.to_dict(), eight=eight.shape[1])
vb.holds(one_below=None if own is None else means["correlation"].idxmin() == one, tests_most=share["tests"] > share["both"], no_lean=share["models"] < 0.05)

# %% [markdown]
# With each of the other seven trainings, {glue:text}`one` shares the sign in {glue:text}`same` tests on average. Its results correlate with theirs by {glue:text}`r_one:.2f`; the mean over all pairs of models is {glue:text}`r_all:.2f`. [Of the eight, it has the lowest mean correlation with the others.]{.holds #one_below} (The difference may be chance: the tests are few.)
#
# Another way to say this is to split the variation of all results. [Most of it lies between tests: {glue:text}`share.tests:.0%`.]{.holds #tests_most} [Almost nothing lies between models as such: no model has larger effects in all tests.]{.holds #no_lean} The rest, {glue:text}`share.both:.0%`, is what one model does in
# one test and the others do not.
#
# (same-alike)=
# ### How alike are the results of one model?
#
# {cite:t}`ghate2025` gave the same tests to 131 models. One regression explains all results by architecture, data and size. Beyond that, it takes the results of one model as independent of each other.
#
# Are they? If a model with a large $d$ in one test tends to have a large $d$ in the next, then many results of one model say less than as many results of different models. What decides this is the *resemblance* ρ of the results of one model: the mean covariance of two tests over models, divided by their mean
# variance. If ρ is 0, results do not go together; if it is 1, one result of a model tells all others. The paper does not print it.
#
# For our models, {glue:text}`n_tests` of the 26 tests exist, with an earlier choice of pleasant and unpleasant words and pictures. Missing are three tests of instruments and five of gender. The next cell lists those that exist. Gender is turned round, so that $d$ has the sign of
# the paper.

# %%
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
R = R.dropna().drop(index=twin, errors="ignore")  # one row per training
R.iloc[:3, :3].round(2)


# %%
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


covariance = R.cov().to_numpy()
off = covariance[~np.eye(len(covariance), dtype=bool)].mean()
alike = resemblance(R)
assert np.isclose(alike["rho"], off / np.diag(covariance).mean())
print({name: round(value, 3) for name, value in alike.items()})

# %% tags=["hide-input"]
kind = {name: name.split("/")[0] for name in R}
parameters = {"RN50": 102, "RN101": 120, "RN50x4": 178, "RN50x16": 291, "RN50x64": 623, "ViT-B/32": 151, "ViT-B/16": 150, "ViT-L/14": 428}  # millions, as open_clip lists them
X = np.column_stack([np.ones(len(R)), [name.startswith("ViT") for name in R.index], np.log([parameters.get(name, np.nan) for name in R.index])])
fitted = R - X @ np.linalg.lstsq(X, R.to_numpy(), rcond=None)[0] if len(R) > 4 and np.isfinite(X).all() else None
valence = everything[~everything["row"].isin(["SENT-WEAT6", "SENT-WEAT8", "WEAT6", "WEAT8", "SENT-WEAT6B", "SENT-WEAT8B", "WEAT6B", "WEAT8B"])]
wide = valence.assign(name=valence["table"] + " " + valence["row"]).pivot_table(index="model", columns="name", values="d").loc[R.index].T.round(6).drop_duplicates().T  # copies once
people = [name for name in R if kind[name] in ("race", "gender", "age")]
cases = {
    f"the paper's {R.shape[1]} tests": resemblance(R),
    "the same, each test with SD 1": resemblance(R / R.std()),
    "the same, with the near twin": resemblance(found.pivot(index="model", columns="paper's test", values="d").dropna()),
    "after architecture and size": resemblance(fitted, explained=3) if fitted is not None else None,
    f"about people only ({len(people)})": resemblance(R[people]),
    f"all distinct valence tests ({wide.shape[1]})": resemblance(wide),
    f"text only ({sum('all-text' in name for name in R)})": resemblance(R[[name for name in R if "all-text" in name]]),
    f"race only ({sum(kind[name] == 'race' for name in R)})": resemblance(R[[name for name in R if kind[name] == "race"]]),
}
cases = pd.DataFrame({name: own for name, own in cases.items() if own is not None}).T
block = np.array([[kind[a] + " " + kind[b] for b in R] for a in R])
correlation = R.corr().to_numpy()
pairs = {"race": correlation[(block == "race race") & ~np.eye(len(block), dtype=bool)].mean(), "race_age": correlation[block == "race age"].mean()}

# %% [markdown]
# What would follow for the paper's regression? The standard errors that it prints hold if ρ is 0. If not, they are too small by a factor of $\sqrt{1 + 25ρ}$, for 26 tests per model. The next cell divides each printed $z$ of a data family by this factor.

# %%
claims = vb.ledger.load("pretraining").set_index("id")["value"]
z = claims.filter(regex=r"^upstream\.dataset\.[\w-]+\.z$").astype(float)


def significant_families(rho):
    """Data families with p < .01, as in the paper, if results of a model resemble by rho."""
    inflated = np.sqrt(max(1 + 25 * rho, 0.01))
    return int((z / inflated > stats.norm.ppf(0.995)).sum())


families = {end: significant_families(max(alike[end], 0)) for end in ("rho", "high")}
three = next(r for r in np.arange(0, 0.2, 0.001) if significant_families(r) <= 3)
families

# %% tags=["hide-input"]
fig, ((axis,),) = vb.figures.panels(height=4.2)
place = np.arange(len(cases))[::-1]
axis.hlines(place, cases["low"], cases["high"], color=vb.figures.PALETTE[0], lw=2)
axis.plot(cases["rho"], place, "o", color=vb.figures.PALETTE[0])
axis.axvline(0, color=vb.figures.COLOURS["reference"], lw=1)
axis.axvline(three, color=vb.figures.PALETTE[1], lw=1, ls="--", label=f"from here on, at most three\nof the {len(z)} data families remain")
axis.set(yticks=place, yticklabels=cases.index, xlabel="resemblance ρ of the results of one model, 95 % interval")
fig.legend(loc="outside upper left")
first = cases.iloc[0]
vb.figures.show(
    fig,
    name="same-data-alike",
    alt=f"Resemblance of the results of one model under {len(cases)} definitions with 95 % intervals. First: {first['rho']:.2f}, from {first['low']:.2f} to {first['high']:.2f}; last: {cases.iloc[-1]['rho']:.2f}. A line marks {three:.3f}.",
    caption=f"How alike the results of one model are, in {len(R)} models of one data set. The first row was fixed before we computed anything. Dashed: beyond it, the printed regression of Ghate et al. would keep at most three of its eight significant data families.",
    source=["published:clip_image_tests", "published:clip_text_tests", "published:clip_cross_modal_tests"],
)
vb.note(n_tests=R.shape[1], alike=alike, families=families, three=three, n_families=significant_families(0), race=cases.iloc[-1].to_dict(), pairs=pairs, people_rho=cases.loc[f"about people only ({len(people)})"].to_dict())
vb.holds(not_alike=alike["low"] < 0 < alike["high"], below_three=alike["high"] < three, race_alike=cases.iloc[-1]["low"] > 0, mixed=pairs["race"] > 0 > pairs["race_age"],
         all_stay=families["rho"] == significant_families(0), some_go=families["high"] < significant_families(0))

# %% [markdown]
# **We see no resemblance.** [Over the tests of the paper, the interval of ρ includes 0: it goes from {glue:text}`alike.low:.2f` to {glue:text}`alike.high:.2f`.]{.holds #not_alike} This speaks for the authors' analysis, as far as eight models of one data set can.
#
# What would it mean for the paper? [At the estimate, all {glue:text}`n_families` data families that are significant in the paper stay significant.]{.holds #all_stay} [At the upper end of the interval, {glue:text}`families.high` of them do.]{.holds #some_go} [To leave only three, ρ would have to be larger than the interval allows.]{.holds #below_three} (The value is {glue:text}`three:.3f`.)
#
# **But the mean hides two kinds of pairs.** [Tests about race do resemble each other: their ρ is {glue:text}`race.rho:.2f`, and its interval lies above 0.]{.holds #race_alike} [A test about race and one about age, however, go in opposite directions: their mean correlation is {glue:text}`pairs.race_age:.2f`.]{.holds #mixed} A regression over all
# tests adds these up, and they cancel. A regression on tests about race alone would have standard errors that are too small.
#
# :::{dropdown} Details: copies, the interval, and what ρ can be
# - The table of tests that cross pictures and sentences has 44 rows for each model, but only 31 different tests. Where pictures are the targets, two lists of sentences with the same pleasant and unpleasant words give the same result. We use none twice.
# - The tests about race share one set of six and six photographs, and lists of names that overlap. So their resemblance is partly one of stimuli.
# - The F interval assumes that all pairs of tests have the same covariance. They do not, as the text says. What it says of the mean of a model's results does not depend on this; the degrees of freedom of the rest do, a little.
# - With {glue:text}`n_tests` tests, ρ cannot lie below −1/17, which is −0.06. A ρ below zero would make the printed standard errors too large.
# :::
#
# ## What it cannot say
#
# - **Nine models are one data set and one laboratory.** What differs *between data sets*, which is the claim of the third paper, cannot be seen here. Two models are near twins.
# - **Few photographs.** {glue:text}`cannot` tests have so few that one result can hardly be significant. Agreement in sign may come from these photographs as well as from the data.
# - **Other words.** The paper's final tests use other pleasant and unpleasant words and pictures, and eight of its 26 tests are missing.
# - **For a user, an accident is real.** If two models disagree, neither is wrong about itself. Whoever uses one of them passes its associations on, whether or not the next model has them.
#
# (same-means)=
# ## What it means for the three papers
#
# **Hausladen et al.** used {glue:text}`one`. That their findings hold for this model is not touched by this page. [Of the eight trainings, it is the one whose image tests correlate least with those of the others.]{.holds #one_below} So "CLIP" should be read as this one model, until others are shown.
#
# **Wolfe and Caliskan** connect "American" with White people. Two tests of the table are near to that question. In *European American / Asian American, American / foreign*, {glue:text}`foreign` models have the expected sign. In *European American / Native American, US / world*, {glue:text}`world` models do. [In neither do all models
# agree.]{.holds #american_open} The pictures differ from the paper's, and are six and eight on a side.
#
# **Ghate et al.** needed the results of one model to be independent. [In these models, for their set of tests, we find nothing against it.]{.holds #not_alike} The table of all 131 models would decide.

# %% tags=["hide-cell"]
foreign = d.filter(like="American / foreign", axis=0)
world = d.filter(like="US / world", axis=0)
has = len(foreign) == len(world) == 1
vb.note(foreign=f"{(foreign > 0).sum().sum()} of {m}" if has else None, world=f"{(world > 0).sum().sum()} of {m}" if has else None)
vb.holds(american_open=not (same_sign(foreign).any() or same_sign(world).any()) if has else None)

# %% [markdown]
# :::{admonition} Rerun this with your own parameters
# :class: dropdown tip
# ```
# .venv/bin/vlmbias run real/same_data -p models RN50 RN101 ViT-B/32 ViT-B/16
# .venv/bin/vlmbias run real/same_data -p table my_results.csv
# ```
# The rerun goes into its own folder. It says which sentences of this page no longer hold, and how its numbers differ. A table of your own needs the columns of the shipped one, in `data/published`.
# :::
#
# ## Take-aways
#
# - Models that learned from the same data agree on many associations, and disagree on others. One model does not tell which is which.
# - Results from few photographs depend most on the model.
# - Whether results of one model are independent is a number that can be computed. Compute it for *your* tests, and look at it kind by kind.
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
coins = len(d) * 2 * stats.binom.sf(m - 2, m, 0.5)
print(f"{(most >= m - 1).sum()} tests; coins: {coins:.2f}")
assert (most >= m - 1).sum() >= agree.sum() and coins > by_chance

# %% [markdown]
# ```{solution-end}
# ```
#
# :::{exercise} Tests about race alone
# :label: same-data-regression
# :level: intermediate
# :minutes: 15
# :code: yes
# A regression uses only the eight tests about race. By which factor would its standard errors be too small, if two results of one model resemble each other as here?
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
# ```{solution-end}
# ```
#
# ## Questions to discuss
#
# 1. All nine models agree that one group is nearer to pleasant scenes. Name two explanations that have nothing to do with the training data.
# 2. You use one model, and the test of another model of the same family contradicts yours. What do you tell your users?
