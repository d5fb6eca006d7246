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
# **Question.** Nine CLIP models learned from the same pictures and sentences. If a test finds something in one of them, is it there in the others? And if a model has a large result in one test, does it tend to have a large one in the next?
#
# **Answer in short.** [In {glue:text}`agree.nine` tests, all models point the same way, far more often than nine tossed coins would.]{.holds #more_agree} [In {glue:text}`turned` tests, one model is significant in one direction and another in the opposite one.]{.holds #some_turned} [In one of these, chance is no explanation.]{.holds #one_strong}
# [Over the tests that Ghate et al. used, a model with a large result in one test has no larger results in the others, as far as we can measure it.]{.holds #not_alike} (Two of the nine are nearly the same model. Here they count as one.)
#
# **In 20 minutes:** {ref}`What the table holds <same-table>`, {ref}`Do nine models agree? <same-agree>`, {ref}`Do the results of one model go together? <same-alike>`,
# {ref}`What it means for the three papers <same-means>`. **In 75 minutes:** everything, with both exercises.
#
# **You need:** effect size and permutation test, as in the primer "[Embedding association tests](../../book/primers/association.md)".
#
# **Content note.** The tests pair photographs of people of different race, gender, age, religion, weight and disability with words or scenes, mostly pleasant and unpleasant ones. No photograph is shown. Every number is
# about models, none about people.
# :::
#
# **We ran no model.** Others computed and published the numbers on this page, in an early state of the repository of {cite:t}`ghate2025`. The tests of pictures and their photographs are those of {cite:t}`steed2021`, the tests of sentences those of {cite:t}`may2019`. We thank them all.
#
# **Why it matters for the three papers of this book.** Hausladen et al. tested one of these nine models. Wolfe and Caliskan tested the same one, beside two models of other kinds. Ghate et al. compared 131 models, and counted 26 tests of each.

# %% tags=["parameters", "hide-input"]
table = ""  # a CSV of your own with the columns of data/published/clip_image_tests.csv, in its place; empty or a table
models = []  # which models of the table to use; none: all of them; empty or a text
twin = "ViT-L/14@336px"  # a model that continues the training of another one, left out where models count as independent; a text
one = "ViT-B/32"  # the model that stands for a study of a single model (Hausladen et al., and Wolfe and Caliskan, used this one); a text
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
# Each model took the same {glue:text}`tests` *association tests*. Most ask whether the photographs of one group are nearer to pleasant scenes than those of another group. Some have other things in place of pleasant scenes, such as career and family.
#
# The result is an *effect size* $d$. It is 0 if the model treats both groups alike. It is positive if the first-named group is nearer to the first-named things. This is not always a direction that somebody expected.
#
# All models saw the same photographs. So if two models differ, it is not because of different pictures. Here are three rows; `n_target` is the number of photographs of each group.

# %%
tests = facts.table("clip_image_tests", table)
if models:
    tests = tests[tests["model"].isin(models)]
tests[["called", "n_target", "model", "d", "p"]].tail(3).round(3)

# %% [markdown]
# The p-values of the table ask only whether $d$ is *larger* than in random splits of the photographs. If $d$ is unusually small, p is near 1. We want both directions. So we take the smaller of the two tails, and double it.

# %%
lower = tests["p"]
upper = 1 - tests["p"] + 1 / tests["n_splits"]  # the observed split counts in both tails
tests["p_two_sided"] = np.minimum(1, 2 * np.minimum(lower, upper))
tests["significant"] = tests["p_two_sided"] <= alpha

d = tests.pivot(index="called", columns="model", values="d")
d = d[list(dict.fromkeys(tests["model"]))]  # models in the order of the table
pictures = tests.groupby("called")["n_target"].first()
d.iloc[3:6].round(2)

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
    caption="Every test in every model. In brackets: photographs of each group. Right of zero: the first-named group is nearer to the first-named things. All models learned from one data set.",
    source="published:clip_image_tests",
)

# %% [markdown]
# Now we count: in how many tests do all models have one sign?

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
      f"without the twin {same_sign(eight).sum()}, coins {coins(eight):.2f}")

# which way, and in how many models significant
significant = tests[tests["significant"]].groupby("called").size()
significant = significant.reindex(d.index).fillna(0).astype(int)
listed = pd.DataFrame({"mean d": d.mean(axis=1), "significant in": significant})
listed[agree].round(2)

# %% tags=["hide-input"]
m = d.shape[1]
surely = stats.binom.sf(agree.sum() - 1, len(d), coins(d) / len(d)) if agree.any() else 1.0
small = tests.groupby("called")["test"].first().isin(["Disabled", "Sexuality"])  # few pictures: not among our examples
share_all = (significant[agree] == m).sum()
vb.note(tests=len(d), models=m, agree={"nine": f"{agree.sum()} of {len(d)}", "eight": f"{same_sign(eight).sum()} of {len(d)}", "rest": f"{agree[~small].sum()} of {(~small).sum()}"}, chance_agree=coins(d), chance_eight=coins(eight),
        all_significant=int(share_all), none_significant=int((significant[agree] == 0).sum()))
vb.holds(more_agree=surely < alpha)

# %% [markdown]
# All nine agree in {glue:text}`agree.nine` tests. If each model tossed a coin in each test, we would expect {glue:text}`chance_agree:.2f` such tests. Without the near twin, the eight others agree in {glue:text}`agree.eight` tests; coins would give {glue:text}`chance_eight:.2f`. So models share something: the training data, the photographs of the test, or what any such network would see in them.
#
# Agreement in sign is not the same as a clear effect. In {glue:text}`all_significant` of the tests, all nine models are significant; in {glue:text}`none_significant`, none is. These two, about disability and sexuality, rest on few pictures. Without them, the count is {glue:text}`agree.rest`.
#
# (same-turned)=
# ### Do models contradict each other?
#
# Signs may also differ because all effects are near zero. So we look for real contradictions: one model is significant in one direction, and another model in the opposite one.

# %%
up = tests[tests["significant"] & (tests["d"] > 0)].groupby("called").size()
down = tests[tests["significant"] & (tests["d"] < 0)].groupby("called").size()
counts = pd.DataFrame({"d > 0": up, "d < 0": down}).reindex(d.index).fillna(0).astype(int)
counts.insert(0, "photographs", pictures)
turned = (counts["d > 0"] > 0) & (counts["d < 0"] > 0)

# if no model had an association: so many or more significant results of nine
splits = tests.groupby("called")["n_splits"].first()
tail = np.floor(alpha / 2 * splits) / splits  # one model significant by chance, each side
counts["chance of so many"] = stats.binom.sf(significant - 1, m, 2 * tail)
counts[turned]

# %% tags=["hide-input"]
def expected(m):
    """Contradictions to expect among independent models without any association."""
    return (1 - 2 * (1 - tail) ** m + (1 - 2 * tail) ** m).sum()


eight_significant = tests[tests["significant"] & (tests["model"] != twin)].groupby("called").size().reindex(d.index).fillna(0)
chance_twin = pd.Series(stats.binom.sf(eight_significant - 1, eight.shape[1], 2 * tail), index=d.index)
strong = turned & (counts["chance of so many"] * len(d) <= 0.01)
holm = multipletests(tests["p_two_sided"], method="holm")[1] <= alpha
strict = tests.assign(up=holm & (tests["d"] > 0), down=holm & (tests["d"] < 0)).groupby("called")[["up", "down"]].any()
cannot = 2 / splits > alpha / len(tests)
e = tests[tests["model"] != twin]
turned_eight = sum(len(set(np.sign(own["d"]))) > 1 for _, own in e[e["significant"]].groupby("called"))
vb.note(turned=f"{turned.sum()} of {len(d)}", expected_turned=expected(m), expected_eight=expected(m - 1), chance_twin=chance_twin[strong].max() if strong.any() else None, turned_eight=turned_eight, results_all=len(tests), cannot=f"{cannot.sum()} of {len(d)}",
        strong=", ".join(name.split(",")[0] for name in counts.index[strong]) or None)
vb.holds(some_turned=turned.any(), one_strong=strong.sum() == 1, weak_chance=bool(turned.any() and ((turned & ~strong).sum() <= 2 * expected(m))),
         none_strict=not (strict["up"] & strict["down"]).any(), some_cannot=cannot.any())

# %% [markdown]
# There are two. Among {glue:text}`tests` tests, we expect {glue:text}`expected_turned:.1f` if no model has any association and models are independent. (Without the near twin, there are also {glue:text}`turned_eight`, and {glue:text}`expected_eight:.1f` are expected.)
#
# But this count says too little, for it takes two significant models as much as six. The last column of the table gives a probability: that at least so many of the nine models are significant, in whichever direction, if none has an association and the models are independent. [For the pair *{glue:text}`strong`*, this is so unlikely that chance is no explanation.]{.holds #one_strong} Here are its nine results.

# %%
d.loc[counts.index[turned & (counts["chance of so many"] < 0.0005)]].round(2)

# %% [markdown]
# Models that learned from the same data here point in opposite directions, with the same photographs. (We looked at this test because it came out so. But one in a million stays rare after a choice among 19. Without the near twin, the probability is {glue:text}`chance_twin:.5f`.) [The other contradiction may be chance.]{.holds #weak_chance}
#
# Our plan, fixed before we computed anything, asked for a stricter count: correct all {glue:text}`results_all` p-values together (*Holm's method*). [Then no contradiction is left.]{.holds #none_strict} This says little. With few photographs there are few ways to split them, so p cannot be very small. [After the correction, {glue:text}`cannot` tests cannot be significant whatever comes out.]{.holds #some_cannot}
#
# ### How far does one model speak for another?
#
# Hausladen et al. used one of these models, {glue:text}`one`. In how many of the tests does it have the same sign as another training?

# %%
def shared_signs(d):
    """For each model: in how many tests another model has the same sign, on average."""
    signs = np.sign(d)
    pairs = pd.DataFrame({a: {b: (signs[a] * signs[b] > 0).sum() for b in d} for a in d})
    return (pairs.sum() - len(d)) / (d.shape[1] - 1)


shared = shared_signs(eight)
shared.sort_values().round(1)

# %% tags=["hide-input"]
few = pictures[d.index] <= 10
spread = d.std(axis=1)
r_few = stats.spearmanr(pictures[d.index][few], spread[few]) if few.sum() > 2 else None
vb.note(one=one, same=shared.get(one), coins_half=len(d) / 2, spread={"few": spread[few].median(), "many": spread[~few].median()}, n_many=int((~few).sum()), r_few=None if r_few is None else r_few.statistic, p_few=None if r_few is None else r_few.pvalue)
vb.holds(one_average=None if one not in shared else bool(shared.min() < shared[one] < shared.max()), beyond_coins=bool((shared > len(d) / 2).all()), few_wider=bool(len(spread[few]) and len(spread[~few]) and spread[few].median() > spread[~few].median()))

# %% [markdown]
# {glue:text}`one` shares the sign with another training in {glue:text}`same:.1f` of {glue:text}`tests` tests on average. [With coins, it would be {glue:text}`coins_half:.1f`; all eight models lie above this.]{.holds #beyond_coins} [{glue:text}`one` has neither the lowest nor the highest number.]{.holds #one_average} So from one model, one can tell the direction in another model in about three of four tests.
#
# :::{dropdown} Does it depend on the number of photographs?
# [With at most ten photographs, results spread more between models: the median SD of $d$ is {glue:text}`spread.few:.2f`, and {glue:text}`spread.many:.2f` with more.]{.holds #few_wider} But only {glue:text}`n_many` tests have more than ten. Among the others alone, the
# number of photographs does not clearly matter (rank correlation {glue:text}`r_few:.2f`, p = {glue:text}`p_few:.2f`). So this is open.
# :::
#
# (same-alike)=
# ### Do the results of one model go together?
#
# {cite:t}`ghate2025` gave 26 tests to 131 models. One regression explains all results by architecture, training data and size. What these do not explain is treated as chance. The regression takes this chance part to be independent from test to test, also within one model.
#
# Suppose this is wrong. Some models have a large $d$ in nearly all tests, and others a small one. Then a second test of a model tells little that is new, and 26 results of one model are not 26 observations. The regression would be too sure of itself.
#
# The number that decides is the *resemblance* ρ (rho). It is, roughly, the mean correlation of two tests over models. If ρ is 0, the results of a model go up and down independently. If ρ is 1, a model that is high in one test is high in all. (Exactly, ρ is the mean covariance of two tests divided by the mean variance of a test.) The paper does not print it.
#
# For our models, other tables of the same repository have results for {glue:text}`n_tests` of the paper's 26 tests, with pictures and with sentences. They use other pleasant and unpleasant things than the paper's final version. The next cell lists them. Its column `sign` is −1 where we turn a result round, so that it has the paper's direction.

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
R = R.dropna().drop(index=twin, errors="ignore")  # models × tests, one row per training
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


covariance = R.cov().to_numpy()  # the same by its definition
off = covariance[~np.eye(len(covariance), dtype=bool)].mean()
alike = resemblance(R)
assert np.isclose(alike["rho"], off / np.diag(covariance).mean())
print({name: round(value, 3) for name, value in alike.items()})

# %% [markdown]
# What would follow for the paper? It sorts training data into *families*, such as LAION or DataComp. Eight of them have a significantly larger $d$ than the reference, a model trained on CC12M. Their standard errors are right if ρ is 0.
#
# Otherwise they are too small. The mean of 26 results has a variance of $(1 + 25ρ)/26$ in place of $1/26$, so standard errors grow by $\sqrt{1 + 25ρ}$. The paper prints each estimate divided by its standard error, $z$. So we divide $z$ by this factor, and count how many families stay significant. (If ρ is estimated below 0, we take 0.)

# %%
claims = vb.ledger.load("pretraining").set_index("id")["value"]
z = claims.filter(regex=r"^upstream\.dataset\.[\w-]+\.z$").astype(float)


def significant_families(rho):
    """Data families with p < .01, as in the paper, if results of a model resemble by rho."""
    return int((z / np.sqrt(1 + 25 * max(rho, 0)) > stats.norm.ppf(0.995)).sum())


families = {end: significant_families(alike[end]) for end in ("rho", "high")}
print(f"at the estimate {families['rho']}, at the upper end {families['high']}")

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
cases = {
    f"the paper's tests ({R.shape[1]})": resemblance(R),
    "… each with SD 1": resemblance(R / R.std()),
    "… with the near twin": resemblance(found.pivot(index="model", columns="paper's test", values="d").dropna()),
    "… after architecture and size": resemblance(fitted, explained=3) if fitted is not None else None,
    f"about people only ({len(people)})": resemblance(R[people]),
    f"all of valence ({wide.shape[1]})": resemblance(wide),
    f"sentences only ({len(texts)})": resemblance(R[texts]),
    f"race only ({len(race)})": resemblance(R[race]),
    "… after architecture and size ": resemblance(fitted[race], explained=3) if fitted is not None else None,
}
cases = pd.DataFrame({name: own for name, own in cases.items() if own is not None}).T
three = next(r for r in np.arange(0, 0.2, 0.001) if significant_families(r) <= 3)
fig, ((axis,),) = vb.figures.panels(height=4.6)
place = np.arange(len(cases))[::-1]
axis.hlines(place, cases["low"], cases["high"], color=vb.figures.PALETTE[0], lw=2)
axis.plot(cases["rho"], place, "o", color=vb.figures.PALETTE[0])
axis.axvline(0, color=vb.figures.COLOURS["reference"], lw=1)
axis.axvline(three, color=vb.figures.PALETTE[1], lw=1, ls="--", label=f"to the right: at most three\nof the {significant_families(0)} families stay significant")
axis.set(yticks=place, yticklabels=cases.index, xlabel="resemblance ρ of the results of one model,\n95 % interval")
fig.legend(loc="outside upper left")
vb.figures.show(
    fig,
    name="same-data-alike",
    alt=f"Resemblance of the results of one model, {len(cases)} rows with 95 % intervals. " + "; ".join(f"{name}: {row.rho:.2f}, from {row.low:.2f} to {row.high:.2f}" for name, row in cases.iterrows()) + f". A line marks {three:.3f}.",
    caption=f"Do large results of one model go together? {len(R)} models of one data set. The first row was fixed before we computed anything; in brackets, the number of tests. To the right of the dashed line, at most three data families of Ghate et al. would stay significant.",
    source=["published:clip_image_tests", "published:clip_text_tests", "published:clip_cross_modal_tests"],
)
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
last = cases.iloc[-1] if fitted is not None else None
vb.note(n_tests=R.shape[1], alike=alike, families=families, three=three, n_families=significant_families(0), race=cases.loc[f"race only ({len(race)})"].to_dict(), race_after=None if last is None else last.to_dict(), opposite=opposite.mean(),
        beyond=f"{(cases['high'] > three).sum()} of {len(cases)}", wider=wider)
vb.holds(not_alike=alike["low"] < 0 < alike["high"], below=alike["rho"] < 0, race_alike=cases.loc[f"race only ({len(race)})", "low"] > 0, race_open=None if last is None else last["low"] < 0 < last["high"], against=opposite.mean() < 0,
         some_go=families["high"] < significant_families(0))

# %% [markdown]
# **Over the paper's tests, we find no resemblance.** [The estimate is even below 0.]{.holds #below} [Its interval includes 0: it goes from {glue:text}`alike.low:.2f` to {glue:text}`alike.high:.2f`.]{.holds #not_alike} This speaks for the authors' analysis: with ρ at 0, nothing changes, and all {glue:text}`n_families` families stay significant.
#
# **It is not a proof.** [At the upper end of the interval, {glue:text}`families.high` of the {glue:text}`n_families` families would stay.]{.holds #some_go} The formula for the interval assumes that all tests vary equally. Without this assumption, the upper end lies a little higher, at {glue:text}`wider.high:.2f`, and {glue:text}`wider.families` families would stay. Other ways to compute ρ are in the figure.
#
# **The mean hides two kinds of pairs.** [Tests about race do go together: their ρ is {glue:text}`race.rho:.2f`, and the interval lies above 0.]{.holds #race_alike} [If one takes architecture and size into account, as the paper does, it is {glue:text}`race_after.rho:.2f`, and the interval includes 0.]{.holds #race_open} [Other pairs go in opposite directions: a model that is high in tests about race tends to be
# low in the two tests with photographs of young and old people.]{.holds #against} (We saw this only afterwards.) In a regression over all tests, these two kinds of pairs cancel. In a regression on tests about race alone, nothing would cancel.
#
# :::{dropdown} Details: copies, the interval, and the line
# - The table of tests that cross pictures and sentences has 44 rows for each model, but only 31 different tests. Where pictures are the targets, two lists of sentences with the same pleasant and unpleasant words give the same result. We use none twice.
# - The tests about race share one set of six and six photographs, and lists of names that overlap. One of them, with sentences about terms such as "Black people" as targets, does not go with the others.
# - The F interval assumes equal variances and covariances. For the wider one, we estimate the degrees of freedom of the rest from its covariances (Satterthwaite's method): {glue:text}`wider.df:.0f` in place of {glue:text}`wider.formula:.0f`.
# - In {glue:text}`beyond` rows of the figure, the interval reaches beyond the dashed line. The mean correlation of a test about race and one with photographs of young and old people is {glue:text}`opposite:.2f`.
# - The dashed line stands at {glue:text}`three:.3f`, from the printed $z$ and 26 tests a model. Our plan named 0.036, from another approximation.
# - With {glue:text}`n_tests` tests, ρ cannot lie below −1/17, which is −0.06. A ρ below zero would make the printed standard errors too large.
# :::
#
# ## What it cannot say
#
# - **Nine models are one data set and one laboratory.** Ghate et al. compare data sets. What differs *between* data sets cannot be seen here.
# - **Few photographs.** Agreement in sign may come from these photographs as well as from the data.
# - **Other words.** The final tests of Ghate et al. use other pleasant and unpleasant things, and eight of their 26 tests are missing.
# - **For a user, an accident is real.** Where two models disagree, each result is still true of its own model. Whoever uses one of them passes its associations on, whether or not the next model has them.
#
# (same-means)=
# ## What it means for the three papers
#
# **Hausladen et al.** tested {glue:text}`one`, and say themselves that results of one model should not be generalised naively. None of our {glue:text}`tests` tests is one of theirs. What the tests show is the risk: in about one of four tests, another model has the opposite sign.
#
# **Wolfe and Caliskan** find that CLIP connects "American" with White people. Two of our tests come near to that question, with other photographs.
#
# - *European American / Asian American, American / foreign*: {glue:text}`foreign.up` models have $d$ above 0, as their finding would lead one to expect. [No result is significant.]{.holds #foreign_open}
# - *European American / Native American, US / world*: {glue:text}`world.up` models have $d$ above 0. [Four models are significant, all in the opposite direction.]{.holds #world_against}
#
# [Their own CLIP, {glue:text}`one`, is significant in neither.]{.holds #own_open} So these tests neither support nor refute their finding, which rests on other photographs and words.
#
# **Ghate et al.** needed the results of one model to be uncorrelated on average, over all tests. [In these eight models, we find no sign against it.]{.holds #not_alike} The interval still allows that half of the families or more drop out. The table of all 131 models would decide.

# %% tags=["hide-cell"]
near = {key: tests[tests["called"].str.endswith(end)].set_index("model") for key, end in (("foreign", "American / foreign"), ("world", "US / world"))}
foreign, world = near["foreign"], near["world"][near["world"]["significant"]]
both = pd.concat(near.values())
vb.note(**{key: {"up": f"{(own['d'] > 0).sum()} of {len(own)}" if len(own) else None} for key, own in near.items()})
vb.holds(world_against=len(world) == 4 and bool((world["d"] < 0).all()), foreign_open=not foreign["significant"].any() if len(foreign) else None,
         own_open=not both.loc[[one], "significant"].any() if one in both.index else None)

# %% [markdown]
# :::{admonition} Rerun this with your own parameters
# :class: dropdown tip
# ```
# .venv/bin/vlmbias run real/same_data -p models '[RN50, RN101, ViT-B/32, ViT-B/16]'
# .venv/bin/vlmbias run real/same_data -p table my_results.csv
# ```
# The rerun goes into its own folder. It says which sentences of this page no longer hold, and how its numbers differ. A table of your own needs the columns of the shipped one, in `data/published`.
# :::
#
# ## Take-aways
#
# - Models that learned from the same data agree on many associations, and disagree on others. One model does not tell which is which.
# - A count of contradictions says little without the number of models behind each.
# - Whether the results of one model go together is a number that can be computed. Compute it for *your* tests, and look at it kind by kind.
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
# A coin shows at least eight equal sides of nine in few of many trials: nine ways to have one exception and one way to have none, for each side. Models share data and photographs,
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
# A regression uses only the eight tests about race. By which factor would its standard errors be too small, if the results of one model resemble each other as here, and nothing else in the regression takes this up?
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
# The mean of eight results that resemble each other varies more than the mean of eight independent ones. The factor is the root of that ratio of variances. If architecture or size
# explain a part of the resemblance, the factor is smaller.
#
# ```{solution-end}
# ```
#
# ## Questions to discuss
#
# 1. All nine models agree that one group is nearer to pleasant scenes. Name two explanations that have nothing to do with the training data.
# 2. You use one model, and the test of another model of the same family contradicts yours. What do you tell your users?
