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
# # A smile in nine CLIPs: what it changes, and for whom
#
# *Real models. Portraits of the Chicago Face Database in nine CLIP models of OpenAI.*
#
# :::{admonition} This chapter at a glance
# :class: note
#
# **Question.** In the one CLIP of Hausladen et al., faces got more positive scores with a smile, and Black women's scores
# changed in a way of their own. Do nine CLIPs show this in photographs?
#
# **Answer in short.** A portrait's *valence* is its mean score with pleasant words minus its mean score with unpleasant words. (*Clearly* means: the 95 % interval of a change or difference does not include 0.)
#
# *A smile.* [From a neutral face to a smile, valence rises in all nine models, for Black and White women and men.]{.holds #all_rise} [Mostly, the score with unpleasant words
# falls.]{.holds #less_unpleasant}
#
# *Who rises most?* On average over the models, [from a neutral face, Black women's valence rises clearly more than Black men's and White men's,]{.holds #above_men} [but not clearly more than White
# women's.]{.holds #like_white_women} [From an angry face, which is nearer to the authors' frown, it rises clearly more than White women's and White men's, and not clearly more than Black men's.]{.holds #swing_turns} [In the authors' model, it then rises clearly more than that of both groups of men, and not clearly more than White women's.]{.holds #own_swing}
#
# *Who is lowest when angry?* On average, [none of the four groups has clearly lower valence than all the others.]{.holds #no_lowest} [With women and men together, Black people's portraits have clearly lower
# valence than White people's.]{.holds #black_white}
#
# *Caution:* the groups are different people ({glue:text}`people.low:.0f` to {glue:text}`people.high:.0f` in each), who may have smiled differently.
#
# **In 20 minutes:** {ref}`What the table holds <faces-table>`, {ref}`Does every group gain? <faces-rise>`, {ref}`Is the rise largest for Black women? <faces-most>`,
# {ref}`What it means <faces-means>`. **In 75 minutes:** everything.
#
# **You need:** a mean, a standard deviation, a confidence interval.
#
# **Content note.** Portraits of people of different race and gender are compared with pleasant and unpleasant words. Every number is about models and photographs, none about people.
#
# :::
#
# **What the authors found.** {cite:t}`hausladen2025` generated faces that go from a frown to a smile. One CLIP scored them for {claim}`smiling.panels` traits. Smiling faces
# became "more positive" and "less negative". Frowning Black women had the lowest score in all traits but {claim}`smiling.lowest-but`. With the smile, Black women's score rose most
# steeply in {claim}`smiling.steepest-panels` traits.
#
# **We ran no model.** The scores were committed in 2022 to what became the repository of {cite:t}`ghate2025`. We thank their authors, and show only means.

# %% tags=["parameters", "hide-input"]
table = ""  # a CSV of your own with the columns of data/published/cfd_valence.csv, in its place; empty or a table
contrasts = ""  # a CSV of your own with the columns of data/published/cfd_contrasts.csv, in its place; empty or a table
models = []  # which models of the tables to use; none: all of them; empty or a text
twin = "ViT-L/14@336px"  # a model that continues the training of another one, left out where models count as independent; a text
one = "ViT-B/32"  # the model of the worked case (Hausladen et al., and Wolfe and Caliskan, used this CLIP); a text
results = "_build/results/real/faces.json"  # where this notebook writes the values it recomputes

# %% tags=["hide-input"]
import numpy as np
import pandas as pd
from IPython.display import Code
from scipy import stats

import vlmbias as vb
from vlmbias.external import facts

vb.figures.style()

# %% [markdown]
# (faces-table)=
# ## What the table holds
#
# **Portraits** come from the Chicago Face Database {cite:p}`ma2015`: *neutral*, and of many Black and White people also *angry* and smiling, with closed and with open mouth. "Black women" means portraits of people who call themselves so. (The table also has portraits from two extensions, of Multiracial and of Indian people {cite:p}`ma2021,lakshmi2021`, which this page does not use.)
#
# **Models.** Nine CLIPs of OpenAI {cite:p}`radford2021` scored the same portraits. All learned from the same data set. The *mean of nine* averages over them. The *authors' model*,
# used by Hausladen et al., is {glue:text}`one`.
#
# **Valence.** The score of a portrait with a word is a *cosine*; we count in thousandths. The *pleasant score* is the mean over 25 words, such as *happy* and *rainbow*. The *unpleasant score* is
# the mean over 25 others, such as *grief* and *accident*. Valence is the first minus the second. We call these two scores its *halves*.
#
# Zero has no meaning: we only compare. The *rise* is a person's valence when smiling (mean of both smiles) minus the same person's valence when neutral.
#
# **Interval.** A 95 % interval says how far a mean might move if other people had been photographed.
#
# **Plan.** We planned three questions beforehand. Does valence rise? Does it rise most for Black women? Who has the lowest valence when angry? *Added later:* the two halves, changes from anger, other comparisons of groups, and the neutral portraits.
#
# In the table, `persons` is how many smiled, and `rise` their mean rise.

# %%
valence = facts.table("cfd_valence", table)
differences = facts.table("cfd_contrasts", contrasts)
GROUPS = ["Black women", "Black men", "White women", "White men"]
MEANS = ["mean of nine", "mean of eight"]  # the second one without the near twin
MODELS = [name for name in dict.fromkeys(valence["model"]) if name not in MEANS]
MODELS = [name for name in MODELS if not models or name in models]

for one_table in (valence, differences):  # cosines in thousandths
    times = np.where(one_table["unit"] == "d", 1, 1000)
    for column in one_table.columns.intersection(["mean", "sd", "low", "high", "difference"]):
        one_table[column] *= times
rows = valence[valence["what"] == "smile: change"].head(3)
rows = rows.rename(columns={"n": "persons", "mean": "rise"})
rows[["group", "model", "persons", "rise"]].round(2)

# %% tags=["hide-cell"]
Code(facts.made_by("cfd_valence"), language="python")

# %%
SMILE, ANGER = "smile: change", "angry: change"
SWING = "from angry to smile: change"
CLOSED, OPEN = "smile, mouth closed: change", "smile, mouth open: change"


def by_group(what, value="mean", unit="cosine"):
    """One number for each model and each of the four groups."""
    own = valence[(valence["what"] == what) & (valence["unit"] == unit)]
    wide = own.pivot(index="model", columns="group", values=value)
    return wide.reindex(index=[*MODELS, *MEANS], columns=GROUPS)


people = by_group(SMILE, "n").iloc[0]

# %% [markdown]
# *A worked case* (Black women, {glue:text}`one`). The last row is the mean rise.

# %%
case = valence[(valence["unit"] == "cosine") & (valence["model"] == one)]
case = case[case["group"] == "Black women"].set_index("what")[["n", "mean"]]
case = case.reindex(["neutral", "smile, mouth closed", "smile, mouth open", SMILE])
change = case["mean"][SMILE]  # of the women with all three expressions
assert np.isclose(change, by_group(SMILE)["Black women"].get(one, change), equal_nan=True)
names = {"n": "persons", "mean": "valence"}
case.rename(index={SMILE: "rise"}, columns=names).round(2)

# %% tags=["hide-input"]
def whole(*tables):
    """Whether there is a number in every place of these tables."""
    return all(np.size(one_table) and np.isfinite(np.asarray(one_table, float)).all() for one_table in tables)


def stands(statement, *tables):
    """A statement, or None where a number that it needs is missing."""
    return bool(statement) if whole(*tables) else None


def ends(what, unit="cosine"):
    """The lower and the upper ends of the intervals, for single models."""
    return [by_group(what, value, unit).loc[MODELS] for value in ("low", "high")]


many, nine = len(MODELS), MEANS[0]
half, other_half = "pleasant words", "unpleasant words"
counted = pd.concat([by_group(what, "n").loc[MODELS] for what in (SMILE, "angry", SWING)])
vb.note(people={"low": counted.min(axis=None), "high": counted.max(axis=None)})
some = by_group("angry", "n").loc[MODELS]
vb.note(photographed={"angry_min": some.min(axis=None), "angry_max": some.max(axis=None)})
vb.note(twin=twin, one=one, case={"changes": change})

# %% [markdown]
# The rise, {glue:text}`case.changes:.1f`, compares only women who smiled, each with herself.
#
# (faces-rise)=
# ## What came out
#
# ### Does every group gain by a smile?
#
# [Yes. Valence clearly rises in all nine models and four groups.]{.holds #all_rise}

# %% tags=["hide-input"]
UNITS = {"cosine": "valence", "pleasant words": "pleasant\nscore", "unpleasant words": "unpleasant\nscore"}
fig, axes = vb.figures.panels(1, 3, height=3.6, share_x=True, share_y=True)
blue, orange = vb.figures.PALETTE[:2]
place = np.arange(len(GROUPS))[::-1]
for axis, (unit, title) in zip(axes[0], UNITS.items(), strict=True):
    for k, name in enumerate(GROUPS):
        axis.plot(by_group(SMILE, unit=unit).loc[MODELS, name], [place[k] + 0.17] * many, "o", color=blue, alpha=0.6, ms=5, mec="white", mew=0.5, label="one model" if k == 0 else None)
    low, high = by_group(SMILE, "low", unit).loc[nine], by_group(SMILE, "high", unit).loc[nine]
    axis.hlines(place - 0.17, low, high, color=orange, lw=2.5)
    axis.plot(by_group(SMILE, unit=unit).loc[nine], place - 0.17, "D", color=orange, ms=5, label="mean of nine, 95 % interval")
    axis.axvline(0, color=vb.figures.COLOURS["reference"], lw=1, zorder=0)
    axis.set(title=title, yticks=place, yticklabels=[name.replace(" ", "\n") for name in GROUPS], ylim=(-0.6, len(GROUPS) - 0.4))
axes[0, 1].set_xlabel("smile − neutral, thousandths of a cosine")
fig.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper left", ncols=2)
ranges = {unit: by_group(SMILE, unit=unit).loc[MODELS] for unit in UNITS}
persons = ", ".join(f"{name} {n:.0f}" for name, n in people.items())
vb.figures.show(
    fig,
    name="faces-changes",
    alt=f"Change with a smile in four groups and {many} models, in thousandths of a cosine. Dots lie between "
    + "; ".join(f"{own.min(axis=None):.1f} and {own.max(axis=None):.1f} for {UNITS[unit]}".replace("\n", " ") for unit, own in ranges.items()) + ".",
    caption=f"From neutral to smiling, person by person: valence, and its two halves. Each dot is one model. Bars: the mean of nine, with a 95 % interval. Persons: {persons}.",
    source="published:cfd_valence",
)

# %% [markdown]
# One group in one model is one *result*, so there are {glue:text}`results_all`. Cells count those that go clearly
# up or clearly down.

# %%
def clear_changes(what, unit):
    low, high = ends(what, unit)
    return f"{(low > 0).sum(axis=None)} up, {(high < 0).sum(axis=None)} down"


steps = {"neutral to smile": SMILE, "angry to smile": SWING}
scores = {"valence": "cosine", "pleasant score": "pleasant words",
          "unpleasant score": "unpleasant words"}
pd.DataFrame({
    name: {step: clear_changes(what, unit) for step, what in steps.items()}
    for name, unit in scores.items()
})

# %% tags=["hide-input"]
def clearly(what, unit, up=True):
    """How many of the results are clearly above 0, or clearly below."""
    low, high = ends(what, unit)
    return int(((low > 0) if up else (high < 0)).sum(axis=None))


def have(*keys):
    """The ends of intervals that a statement needs."""
    return [part for what, unit in keys for part in ends(what, unit)]


results_all = many * len(GROUPS)
vb.note(results_all=results_all)
vb.note(from_angry={"pleasant_up": clearly(SWING, half), "pleasant_down": clearly(SWING, half, False)})
vb.note(halves={"unpleasant_down": clearly(SMILE, other_half, False), "pleasant_up": clearly(SMILE, half), "pleasant_down": clearly(SMILE, half, False), "chance": 0.025 * results_all})
vb.holds(
    all_rise=stands(clearly(SMILE, "cosine") == clearly(SMILE, "d") == results_all, *have((SMILE, "cosine"), (SMILE, "d"))),
    less_unpleasant=stands(clearly(SMILE, other_half, False) > results_all / 2 > clearly(SMILE, half), *have((SMILE, half), (SMILE, other_half))),
    pleasant_mixed=stands(min(clearly(SMILE, half), clearly(SMILE, half, False)) > results_all / 5, *have((SMILE, half))),
    both_halves=stands(clearly(SWING, half) > results_all / 2 and clearly(SWING, other_half, False) > results_all / 2, *have((SWING, half), (SWING, other_half))),
)

# %% [markdown]
# (faces-halves)=
# ### Do both halves contribute?
#
# **From neutral to smiling: mostly one half.** [The unpleasant score clearly falls in {glue:text}`halves.unpleasant_down` of {glue:text}`results_all` results.]{.holds #less_unpleasant} [The pleasant score
# clearly rises in {glue:text}`halves.pleasant_up` and clearly falls in {glue:text}`halves.pleasant_down`.]{.holds #pleasant_mixed} Chance alone would make about {glue:text}`halves.chance:.0f` clear in each direction.
#
# **From angry to smiling: both halves.** [In most results, the pleasant score clearly rises. In most, the unpleasant score clearly falls.]{.holds #both_halves}
#
# (faces-most)=
# ### Is the rise largest for Black women?
#
# The figure shows Black women's rise minus that of each other group.

# %%
swapped = {"group": "minus", "minus": "group", "low": "high", "high": "low"}
reverse = differences.rename(columns=swapped)
reverse[["difference", "low", "high"]] *= -1
pairs = pd.concat([differences, reverse])
pairs = pairs.drop_duplicates(["unit", "what", "group", "minus", "model"])


def against(group, what, value="difference", unit="cosine"):
    """One group minus each other group: one number for each model."""
    own = pairs[(pairs["group"] == group) & (pairs["what"] == what)]
    own = own[own["unit"] == unit]
    wide = own.pivot(index="model", columns="minus", values=value)
    others = [name for name in GROUPS if name != group]
    return wide.reindex(index=[*MODELS, *MEANS], columns=others)


more, low, high = (against("Black women", SMILE, v) for v in ("difference", "low", "high"))

# %% tags=["hide-input"]
fig, axes = vb.figures.panels(1, 3, height=4.4, share_x=True, share_y=True)
rows = [*MODELS, nine]
place = np.arange(len(rows))[::-1] + np.array([0.4] * many + [0.0])
for axis, name in zip(axes[0], more.columns, strict=True):
    for colour, some in ((blue, slice(0, many)), (orange, slice(many, many + 1))):
        axis.hlines(place[some], low[name].iloc[some], high[name].iloc[some], color=colour, lw=2)
        axis.plot(more[name].iloc[some], place[some], "o" if colour == blue else "D", color=colour, ms=5)
    axis.axvline(0, color=vb.figures.COLOURS["reference"], lw=1, zorder=0)
    axis.set(title="minus\n" + name, yticks=place, yticklabels=[line.replace("@", "\n@") for line in rows])
axes[0, 1].set_xlabel("difference between rises, thousandths of a cosine")
vb.figures.show(
    fig,
    name="faces-differences",
    alt=f"Rise of valence with a smile, Black women minus three other groups, in {many} models and their mean, with 95 % intervals. The mean of nine: "
    + "; ".join(f"minus {name} {more.loc[MEANS[0], name]:.1f} ({low.loc[MEANS[0], name]:.1f} to {high.loc[MEANS[0], name]:.1f})" for name in more) + " thousandths of a cosine.",
    caption=f"Rise with a smile (mean of both smiles): Black women minus each other group. Bars: 95 % intervals over people. The last row averages the models. Persons: {persons}.",
    source="published:cfd_contrasts",
)

# %% [markdown]
# **Larger than men's: yes.** [In the mean of nine, Black women's rise is clearly larger than Black men's and White men's.]{.holds #above_men} [White women's rise is clearly larger than men's,
# too.]{.holds #white_above_men} So this may be about women in general.
#
# **Larger than White women's: not clearly.** [In the mean of nine, even the sign of the difference turns: below 0 with closed mouth, above 0 with open mouth.]{.holds #sign_turns} [Its interval includes 0 by each of six planned measures.]{.holds #like_white_women}
#
# **From angry to smiling, the answer is different.** [In the mean of nine, Black women's valence rises clearly more than White women's and White men's, but not clearly more than
# Black men's.]{.holds #swing_turns} The first is clear in {glue:text}`swing_clear.white_women` models, the last in {glue:text}`swing_clear.black_men`. [In the authors' model, Black women's valence rises clearly more than that of both groups of men, and not clearly more than White women's.]{.holds #own_swing}
#
# Folded: the same differences by other measures ($d$: see Exercise 2), and for each half.

# %% tags=["hide-cell"]
MEASURES = {
    f"{unit}, {name}": (what, unit)
    for name, what in [("both smiles", SMILE), ("closed", CLOSED), ("open", OPEN),
                       ("from angry", SWING)]
    for unit in ("cosine", "d")
}
MEASURES["pleasant score, both smiles"] = (SMILE, "pleasant words")
MEASURES["unpleasant score, both smiles"] = (SMILE, "unpleasant words")
COMPARED = [("Black women", "Black men"), ("Black women", "White men"),
            ("Black women", "White women"), ("White women", "Black men"),
            ("White women", "White men")]


def interval(group, minus, what, unit):
    values = ("difference", "low", "high")
    mean, low, high = (against(group, what, v, unit).loc["mean of nine", minus] for v in values)
    return f"{mean:.2f} ({low:.2f} to {high:.2f})"


pd.DataFrame({
    f"{group} minus {minus}": {name: interval(group, minus, *key) for name, key in MEASURES.items()}
    for group, minus in COMPARED
})

# %% tags=["hide-input"]
white, men = "White women", ["Black men", "White men"]
planned = [key for key in MEASURES.values() if key[0] != SWING and key[1] in ("cosine", "d")]
of = {(group, *key): {value: against(group, *key[:1], value, key[1]) for value in ("difference", "low", "high")} for group in ("Black women", white) for key in MEASURES.values()}


def at_nine(group, value="low", keys=planned):
    """Measures × other groups, in the mean of nine."""
    return pd.DataFrame([of[(group, *key)][value].loc[nine] for key in keys])


like = (at_nine("Black women")[white] < 0) & (at_nine("Black women", "high")[white] > 0)
below = [(model, name, *key) for key in planned if key != (SMILE, "cosine") for name in more for model in MODELS if of[("Black women", *key)]["high"].loc[model, name] < 0]
swing, swing_high = (at_nine("Black women", value, [(SWING, "cosine"), (SWING, "d")]) for value in ("low", "high"))
swings = {(value, unit): against("Black women", SWING, value, unit).reindex([one]).iloc[0] for value in ("low", "high") for unit in ("cosine", "d")}
swing_clear = (against("Black women", SWING, "low").loc[MODELS] > 0).sum()
above_all = [list(own.index[(own > 0).all(axis=1)]) for own in (against("Black women", what, "low").loc[MODELS] for what in (SMILE, SWING))]
vb.note(swing_clear={"white_women": f"{swing_clear[white]} of {many}", "black_men": f"{swing_clear['Black men']} of {many}"})
mouths = [against("Black women", what).loc[nine, white] for what in (CLOSED, OPEN)]
everything = [at_nine(group, value) for group in ("Black women", white) for value in ("difference", "low", "high")]
vb.holds(
    above_men=stands((at_nine("Black women")[men] > 0).all(axis=None) and (low.loc[MEANS, men] > 0).all(axis=None), *everything, low),
    white_above_men=stands((at_nine(white)[men] > 0).all(axis=None), *everything),
    like_white_women=stands(like.all() and low.loc[MEANS, white].max() < 0 < high.loc[MEANS, white].min(), *everything, low, high),
    six_alike=stands((at_nine("Black women")[men] > 0).all(axis=None) and (at_nine(white)[men] > 0).all(axis=None) and like.all(), *everything),
    all_above_white_men=stands((low.loc[MODELS, "White men"] > 0).all(), low.loc[MODELS]),  # for session 2
    eight_same=stands((low.loc[MEANS[1], men] > 0).all() and low.loc[MEANS[1], white] < 0 < high.loc[MEANS[1], white], low, high),
    none_below=stands(not (high.loc[MODELS] < 0).any(axis=None), high),
    one_below=stands(len(below) == 1 and below[0][1:] == (white, CLOSED, "d"), *(of[("Black women", *key)]["high"] for key in planned)),
    own_swing=stands(all((swings["low", unit][men] > 0).all() and swings["low", unit][white] < 0 < swings["high", unit][white] for unit in ("cosine", "d")), *swings.values()) if one in MODELS else None,
    above_all=stands(len(above_all[0]) == len(above_all[1]) == 1, *(against("Black women", what, "low").loc[MODELS] for what in (SMILE, SWING))),
    sign_turns=stands(mouths[0] < 0 < mouths[1], mouths),
    swing_turns=stands((swing[[white, "White men"]] > 0).all(axis=None) and (swing["Black men"] < 0).all() and (swing_high["Black men"] > 0).all(), swing, swing_high),
)

# %% [markdown]
# (faces-angry)=
# ### Who is lowest when angry? On average, no single group
#
# The table has mean scores of angry portraits, {glue:text}`photographed.angry_min:.0f` to {glue:text}`photographed.angry_max:.0f` people in each group.

# %%
pd.DataFrame({
    f"{model}: {name}": by_group("angry", unit=unit).reindex([model]).iloc[0]
    for model in (one, "mean of nine")
    for name, unit in scores.items()
}).T.round(1)

# %% [markdown]
# **Four groups, one by one.** [In the mean of nine, no group is clearly lower than all three others, neither in valence nor in one of its halves.]{.holds #no_lowest}
#
# **Women and men together.** [In the mean of nine, portraits of Black people have a clearly lower valence than those of White people, by {glue:text}`black_white.gap:.1f` thousandths.]{.holds #black_white}
# It is clear in {glue:text}`black_white.clear` models. Both results can be true: two groups may be low together.
#
# Folded: in how many models each group is lowest (in brackets: clearly).

# %% tags=["hide-cell"]
def lowest(what, unit):
    """In how many models each group has the lowest mean."""
    own = by_group(what, unit=unit).loc[MODELS].dropna()
    return own.idxmin(axis=1).value_counts().reindex(GROUPS).fillna(0).astype(int)


def clearly_lowest(what, unit):
    """Models in which a group lies clearly below all three others."""
    ends = {name: against(name, what, "high", unit) for name in GROUPS}
    return pd.DataFrame({name: (own < 0).all(axis=1) for name, own in ends.items()})


pd.DataFrame({
    name: [f"{lowest('angry', unit)[group]} ({clearly_lowest('angry', unit).loc[MODELS, group].sum()})"
           for group in GROUPS]
    for name, unit in (scores | {"valence in d": "d"}).items()
}, index=GROUPS)

# %% [markdown]
# **The authors' model.** [Here, angry portraits of Black women clearly have the lowest pleasant and the lowest unpleasant score.]{.holds #own_lowest} [So do their neutral portraits, and those that smile with closed mouth.]{.holds #own_others} So it is not about anger: these portraits may fit all words less well. [In valence, Black women's angry portraits are clearly below White men's only.]{.holds #own_valence} The authors subtract the score of a neutral sentence, and our table has none. So this neither supports nor contradicts them.
#
# **Other models.** [Among the four groups, Black women's *neutral* portraits clearly have the lowest scores with both kinds of words, in most models and in the mean of nine.]{.holds #neutral_lowest}

# %% tags=["hide-input"]
def contrast(what, weights, unit="cosine"):
    """A weighted sum of the means of four groups, with a 95 % interval."""
    weights = pd.Series(weights, GROUPS)
    variance = by_group(what, "sd", unit) ** 2 / by_group(what, "n", unit)
    mean, half = by_group(what, unit=unit) @ weights, 1.96 * (variance @ weights**2) ** 0.5
    return pd.DataFrame({"mean": mean, "low": mean - half, "high": mean + half})


black_white = {unit: contrast("angry", [0.5, 0.5, -0.5, -0.5], unit) for unit in ("cosine", "d")}

# %% tags=["hide-input"]
units = ["cosine", "d", half, other_half]
sure = {(what, unit): clearly_lowest(what, unit) for what in ("angry", "neutral", "smile, mouth closed") for unit in units}
needed = {key: [against(name, key[0], "high", key[1]) for name in GROUPS] for key in sure}
halves = {what: sure[what, half]["Black women"] & sure[what, other_half]["Black women"] for what in ("angry", "neutral", "smile, mouth closed")}
neutral_halves = [*needed["neutral", half], *needed["neutral", other_half]]
up = {unit: against("White women", "angry", "low", unit).loc[MODELS, "White men"] > 0 for unit in ("cosine", "d")}
down = {unit: against("White women", "angry", "high", unit).loc[MODELS, "White men"] < 0 for unit in ("cosine", "d")}
two_units = [against("White women", "angry", value, unit).loc[MODELS, "White men"] for value in ("low", "high") for unit in ("cosine", "d")]
vb.note(unit={"below": f"{down['cosine'].sum()} of {many}", "above": f"{up['d'].sum()} of {many}"})
vb.note(black_white={"gap": -black_white["cosine"].loc[nine, "mean"], "clear": f"{(black_white['cosine'].loc[MODELS, 'high'] < 0).sum()} of {many}"})
own_gaps = {(unit, value): against("Black women", "angry", value, unit).reindex([one]).iloc[0] for unit in units for value in ("difference", "low", "high")}
part = abs(own_gaps["cosine", "difference"]) / np.minimum(*(abs(own_gaps[unit, "difference"]) for unit in (half, other_half))).replace(0, np.nan)
vb.holds(
    no_lowest=stands(not any(sure["angry", unit].loc[nine].any() for unit in units), *(own.loc[nine] for unit in units for own in needed["angry", unit])),
    own_lowest=stands(halves["angry"][one], *(own.loc[one] for unit in (half, other_half) for own in needed["angry", unit])) if one in MODELS else None,
    own_others=stands(all(halves[what][one] for what in ("neutral", "smile, mouth closed")), *(own.loc[one] for what in ("neutral", "smile, mouth closed") for unit in (half, other_half) for own in needed[what, unit])) if one in MODELS else None,
    own_valence=stands((part < 0.5).all() and all(own_gaps[unit, "high"]["White men"] < 0 and all(own_gaps[unit, "low"][name] < 0 < own_gaps[unit, "high"][name] for name in ("Black men", "White women")) for unit in ("cosine", "d")), part, *own_gaps.values()) if one in MODELS else None,
    neutral_lowest=stands(halves["neutral"][nine] and halves["neutral"][MODELS].mean() > 0.5, *neutral_halves),
    unit_turns=stands(not up["cosine"].any() and down["cosine"].any() and up["d"].any() and not down["d"].any(), *two_units),
    never_both=stands(not ((up["cosine"] & down["d"]) | (down["cosine"] & up["d"])).any(), *two_units),
    black_white=stands(all(own.loc[nine, "high"] < 0 for own in black_white.values()), *black_white.values()),
)

# %% [markdown]
# (faces-neutral)=
# ### 597 neutral portraits
#
# {cite:t}`wolfe2022` used neutral portraits of the same database, in {glue:text}`one`. In all three comparisons, White portraits fitted *patriotic* better than others. Do they simply fit
# pleasant words better?
#
# [In the authors' model, White portraits do not fit pleasant words clearly better than Asian portraits do. The valence of Asian portraits is clearly higher.]{.holds #not_asian} [White portraits do fit pleasant words clearly better
# than Black and Latina/o portraits. But they also fit unpleasant words clearly better, and valence does not clearly differ.]{.holds #open_others} [In the mean of all nine models, White portraits have a clearly lower valence than each other group.]{.holds #white_below}
#
# Folded: White minus each other group, one row each.

# %% tags=["hide-cell"]
RACES = ["Asian", "Black", "Latino", "White"]


def by_race(model, unit="cosine"):
    """Portraits, mean valence and its variance, of neutral portraits by race."""
    calm = valence[(valence["what"] == "neutral") & (valence["unit"] == unit)]
    calm = calm[calm["model"] == model].copy()
    calm["race"] = calm["group"].str.split().str[0]
    share = calm["n"] / calm.groupby("race")["n"].transform("sum")
    calm["mean"], calm["variance"] = share * calm["mean"], share**2 * calm["sd"] ** 2 / calm["n"]
    return calm.groupby("race")[["n", "mean", "variance"]].sum().reindex(RACES)


def white_minus(model, unit="cosine"):
    own = by_race(model, unit)
    gap = own.loc["White", "mean"] - own["mean"]
    half = 1.96 * (own.loc["White", "variance"] + own["variance"]) ** 0.5
    gaps = pd.DataFrame({"White minus this": gap, "low": gap - half, "high": gap + half})
    return gaps.drop(index="White")


def as_text(gaps):
    return [f"{gap:.1f} ({low:.1f} to {high:.1f})" for gap, low, high in gaps.to_numpy()]


columns = {name: as_text(white_minus(one, unit)) for name, unit in scores.items()}
shown = pd.DataFrame(columns, index=RACES[:-1]).reindex(RACES, fill_value="")
shown.insert(0, "n", by_race(one)["n"])
shown

# %% tags=["hide-input"]
portraits = by_race(nine)["n"].sum(min_count=len(RACES))
gaps = white_minus(nine)
own, own_half, own_other = (white_minus(one, unit) for unit in ("cosine", half, other_half))
eight = more.loc[[name for name in MODELS if name != twin]]
reach = stats.t.ppf(0.975, max(len(eight) - 1, 1)) * eight.sem()
vb.note(portraits=int(portraits) if np.isfinite(portraits) else None)
vb.holds(
    white_below=stands((gaps["high"] < 0).all() and (white_minus(nine, "d")["high"] < 0).all(), gaps, white_minus(nine, "d")),
    not_asian=stands(own.loc["Asian", "high"] < 0 and own_half.loc["Asian", "low"] <= 0, own, own_half) if one in MODELS else None,
    open_others=stands(all(min(gap.loc[name, "low"] for gap in (own_half, own_other)) > 0 and own.loc[name, "low"] < 0 < own.loc[name, "high"] for name in ("Black", "Latino")), own, own_half, own_other) if one in MODELS else None,
    over_models=stands((eight[men].mean() > reach[men]).all() and abs(eight[white].mean()) < reach[white], eight, reach),
)

# %% [markdown]
# :::{dropdown} Details: intervals, and other measures of the rise
# - The intervals are from a *bootstrap*: the persons are sampled again and again, the same ones for all models. We did not correct for many comparisons. "Largest" and "lowest" ask for three intervals at once, which is strict already.
# - *Six measures were planned:* closed mouth, open mouth, or both smiles, in cosines and in $d$. [In the mean of nine, the same differences are clear with each.]{.holds #six_alike} They use the same people, so they do not confirm each other.
# - *The opposite finding,* named in our plan: a group with a clearly larger rise than Black women, or a sign that turns. [By the main measure, no model shows a clearly larger
#   rise.]{.holds #none_below} [By the five other planned measures, there is a single case, of White women in one model.]{.holds #one_below} [The reverse, Black women's rise clearly above all three others, is found in one model from a neutral face, and in one from an angry face.]{.holds #above_all} But a sign does turn, as said above.
# - *A near copy.* {glue:text}`twin` is another of the nine models, trained a little further. [Without it, the mean of eight gives the same answers about the rise.]{.holds #eight_same} [So does a t interval over these
#   eight models, which asks about other trainings on the same data (added later).]{.holds #over_models}
# :::
#
# :::{dropdown} Details: two units, all neutral portraits
# - *Two units* (added later). [In cosines, angry White women have a clearly lower valence than angry White men in {glue:text}`unit.below` models, and a clearly higher one in none. In $d$, it is clearly
#   higher in {glue:text}`unit.above`, and clearly lower in none.]{.holds #unit_turns}
# - *Neutral portraits.* The table has {glue:text}`portraits`.
# :::
#
# ## What it cannot say
#
# - **Different people may smile differently.**
# - **Not covered:** other training data, other words, and smiles of Asian people, whom Hausladen et al. also studied.
# - **No clear difference is not equality.**
# - **For a user, one model counts,** whether or not the next model shares its associations.
#
# (faces-means)=
# ## What it means for the three papers
#
# **Hausladen et al., the smile.** [In all nine models, valence rises, with other words and real people.]{.holds #all_rise} So this goes beyond the authors' model. But the authors' faces became
# more positive *and* less negative. [We find both in most results from angry to smiling;]{.holds #both_halves} [from neutral to smiling, the pleasant score clearly rises in fewer than half.]{.holds #less_unpleasant}
#
# **Hausladen et al., Black women.** That they stand out holds in part. In the mean of nine: [from a neutral face, Black women's valence rises clearly more than men's,]{.holds #above_men} [but not clearly more than White women's.]{.holds #like_white_women} [From an angry face, which is closer to the authors' frown, it does, but not clearly more than Black men's.]{.holds #swing_turns}
# [In the mean of nine, no group has clearly the lowest valence when angry.]{.holds #no_lowest}
# This does not refute the authors. They used other faces and words, and claim the steepest rise for {claim}`smiling.steepest-panels` traits only.
#
# **Wolfe and Caliskan.** [Compared with Asian portraits, pleasant words do not explain why White portraits fit *patriotic* better.]{.holds #not_asian} This speaks for the authors.
# [Compared with Black and Latina/o portraits, pleasant words may be a part of it.]{.holds #open_others}
#
# **Ghate et al.** compare two groups by their mean valences in cosines, divided by the SD over all pictures. So their direction is that of our cosines. The $d$ of a single portrait (Exercise 2) is another unit.
# [In it, which of two groups is clearly lower can differ,]{.holds #unit_turns} [though not in one and the same model.]{.holds #never_both}
#
# :::{admonition} Rerun this with your own parameters
# :class: dropdown tip
# ```
# .venv/bin/vlmbias run real/faces -p models='[RN50, ViT-B/32, ViT-L/14]'
# .venv/bin/vlmbias run real/faces -p table=my_means.csv -p contrasts=my_differences.csv
# ```
# A table of your own needs the columns of the shipped one, in `data/published` ([more](../../book/rerun.md)).
# :::
#
# ## Take-aways
#
# - [A smile raises valence in all nine models,]{.holds #all_rise} [but from a neutral face, it does not always raise the pleasant score.]{.holds #pleasant_mixed}
# - "Largest" is several comparisons. Show each with its interval.
#
# ## Exercises
#
# :::{exercise} More than the sum?
# :label: faces-sum
# :level: intermediate
# :minutes: 20
# :code: yes
#
# Is the rise of Black women more than the sum of what race and gender do? Compute the gap between women and men, in Black and in White people. How much do the two gaps differ? Give an interval for the
# mean of nine (`contrast`, folded above, helps).
#
# :::
#
# ```{solution-start} faces-sum
# :class: dropdown
# ```

# %% tags=["hide-input", "solution"]
rises_by = by_group(SMILE)
beyond = (rises_by["Black women"] - rises_by["Black men"]) - (rises_by["White women"] - rises_by["White men"])
sums = {name: contrast(what, [1, -1, -1, 1], unit).loc[nine] for name, (what, unit) in MEASURES.items()}
print(pd.DataFrame(sums).T.round(2))
print(f"main measure: below 0 in {(beyond[MODELS] < 0).sum()} of {many} models")
main, opened = sums["cosine, both smiles"], sums["cosine, open"]
clear_below = contrast(SWING, [1, -1, -1, 1]).loc[MODELS, "high"] < 0
vb.note(sum={"mean": main["mean"], "high": main["high"]}, sum_clear=f"{clear_below.sum()} of {many}", sum_below=f"{(beyond[MODELS] < 0).sum()} of {many}")
vb.holds(
    not_more=stands((beyond[MODELS] < 0).mean() > 0.5 and main["low"] < 0 < main["high"], beyond, main),
    rather_less=stands(opened["high"] < 0 and sums["cosine, from angry"]["high"] < 0, opened, sums["cosine, from angry"]),
)
# the same number as a difference of two gaps between races
by_race_gap = (rises_by["Black women"] - rises_by["White women"]) - (rises_by["Black men"] - rises_by["White men"])
assert np.allclose(beyond, by_race_gap, equal_nan=True) and np.allclose(beyond[nine], main["mean"], equal_nan=True)

# %% [markdown]
# [It is not more than the sum. The difference of the gaps is below 0 in {glue:text}`sum_below` models. In the mean of nine, it is {glue:text}`sum.mean:.2f`, but not clearly below 0: the interval
# goes up to {glue:text}`sum.high:.2f`.]{.holds #not_more}
#
# If anything, it is less. [With open mouth, and from angry to smiling, the difference of the gaps is clearly below 0, in cosines.]{.holds #rather_less} (From angry to smiling, clearly in {glue:text}`sum_clear` single models.) Which of the four groups is unusual, this cannot say.
#
# This was added later. The chapter on [intersections](../causalface/intersections.ipynb) proposes to call a group an outlier if it is more, or less, than such a sum.
#
# ```{solution-end}
# ```
#
# :::{exercise} Why two units can disagree
# :label: faces-units
# :level: intermediate
# :minutes: 15
# :code: yes
#
# In $d$, a portrait's valence is divided by the standard deviation (SD) of its own 50 cosines. Estimate this SD, for neutral and for angry portraits, as mean valence in
# cosines divided by mean valence in $d$. What happens to a change measured in $d$?
#
# :::
#
# ```{solution-start} faces-units
# :class: dropdown
# ```

# %% tags=["hide-input", "solution"]
sds = pd.DataFrame({what: (by_group(what) / by_group(what, unit="d").replace(0, np.nan)).loc[nine] for what in ("neutral", "angry")})
sds["fall in d"] = by_group(ANGER, unit="d").loc[nine]
sds["if the SD stayed"] = by_group(ANGER).loc[nine] / sds["neutral"]
print(sds.round(2))
vb.holds(sd_grows=stands((sds["angry"] > sds["neutral"]).all() and (sds["if the SD stayed"] < sds["fall in d"]).all(), sds))
again = sds["neutral"] * by_group("neutral", unit="d").loc[nine]
kept = again.notna()
assert np.allclose(again[kept], by_group("neutral").loc[nine][kept])

# %% [markdown]
# [With an angry face, the 50 cosines spread more, in all four groups, and the fall in $d$ is smaller than it would be with the same SD.]{.holds #sd_grows} If the spread grows more in one
# group than in another, the order of the groups can turn.
#
# ```{solution-end}
# ```
#
# ## Questions to discuss
#
# 1. Why may the smiles of two groups differ in the photographs? Name two reasons.
# 2. You use one of these models to pick portraits for a website. Which result matters to you?
