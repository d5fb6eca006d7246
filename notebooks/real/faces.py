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
# *Real models. Portraits of the Chicago Face Database in nine CLIP models of OpenAI, computed from results in the repository of Ghate et al.*
#
# :::{admonition} This chapter at a glance
# :class: note
#
# **Question.** Hausladen et al. found in one CLIP, a network that scores how well a picture fits a text: a smile changes the scores of faces, and those of Black women stand out. Do nine CLIPs
# show this in photographs?
#
# **Answer in short.** A portrait's *valence* is how much nearer it lies to pleasant words than to unpleasant words. [With a smile, valence rises in all nine models and in all four groups of
# people.]{.holds #all_rise}
#
# The next sentences are about the average of the nine models. A difference is *clear* if its 95 % interval does not include 0. [From neutral to smiling, valence rises clearly more in portraits of Black
# women than in those of Black men and of White men.]{.holds #above_men} [It does not rise clearly more than in portraits of White women.]{.holds #like_white_women} [From angry to smiling, the difference is clear from White women and White men, but not from Black men.]{.holds #swing_turns} [Among angry portraits, no
# group is clearly the lowest.]{.holds #no_lowest}
#
# Hausladen et al. used one of the nine. [In this model, angry portraits of Black women clearly lie furthest from pleasant words. They also lie furthest from unpleasant words, so that the two cancel in valence.]{.holds #own_lowest}
#
# **In 20 minutes:** {ref}`What the table holds <faces-table>`, {ref}`Does every group gain? <faces-rise>`, {ref}`Is the rise largest for Black women? <faces-most>`,
# {ref}`What it means <faces-means>`. **In 75 minutes:** everything, with both exercises.
#
# **You need:** a mean and a confidence interval. The primer "[Embedding association tests](../../book/primers/association.md)" explains the rest.
#
# **Content note.** Portraits of people of different race and gender are compared with pleasant and unpleasant words. Every number is about models and photographs, none about people.
#
# :::
#
# **What the authors found.** {cite:t}`hausladen2025` generated faces that go from a frown to a smile. One CLIP, ViT-B/32, scored them for {claim}`smiling.panels` traits, positive and negative
# ones. With the smile, faces became "more positive" and "less negative". Frowning Black women had the lowest score in all traits but {claim}`smiling.lowest-but`. In
# {claim}`smiling.steepest-panels`, their score also rose most steeply. The authors call Black women "an outlier group".
#
# **We ran no model.** Others computed and published how near each portrait lies to the words {cite:p}`ghate2025`, in an early state of their repository. We thank them, and show only means.

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
# **Portraits** come from the Chicago Face Database {cite:p}`ma2015`. Everybody was photographed with a *neutral* face. Many Black and White people also looked *angry*, and smiled with closed and with
# open mouth.
# "Black women" stands for portraits of people who call themselves so.
#
# **Models.** Nine CLIPs of OpenAI {cite:p}`radford2021` scored the same portraits. All learned from one data set. Names with RN and ViT stand for two ways of building a network.
# The *mean of nine* is a result averaged over the nine models. The *mean of eight* leaves {glue:text}`twin` out, since it is nearly a copy of another model.
#
# **Valence.** A *cosine* says how near a picture and a word lie in a model. A portrait's *pleasant half* is its mean cosine with 25 pleasant words. Its *unpleasant half* is the same for 25
# unpleasant words. Valence is the pleasant half minus the unpleasant half. Zero is no neutral point, so only differences count.
#
# **Two units.** Our main unit is the thousandth of a cosine. In the other unit, $d$, a portrait's valence is divided by the standard deviation (SD) of its own 50 cosines. Exercise 2
# shows why the two can disagree.
#
# **Rise.** The *rise* is a person's valence when smiling minus the same person's valence when neutral. We planned six *measures* of it: closed mouth, open mouth, or the mean of
# both smiles, each in both units. The *main measure* is the mean of both smiles, in cosines. In the table, it is called `smile: change`.
#
# **Intervals.** The columns `low` and `high` are the ends of a 95 % interval: how far the mean might move if other people had been photographed. A difference is *clear* if its interval does not include 0.
#
# Here are three rows. `n` counts persons.

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
valence[valence["what"] == "smile: change"].head(3).round(2)

# %% tags=["hide-cell"]
Code(facts.made_by("cfd_valence"), language="python")

# %% [markdown]
# Not everybody posed every expression, so the number of people differs:

# %%
SMILE, ANGER = "smile: change", "angry: change"
SWING = "from angry to smile: change"
CLOSED, OPEN = "smile, mouth closed: change", "smile, mouth open: change"


def by_group(what, value="mean", unit="cosine"):
    """One number for each model and each of the four groups."""
    own = valence[(valence["what"] == what) & (valence["unit"] == unit)]
    wide = own.pivot(index="model", columns="group", values=value)
    return wide.reindex(index=[*MODELS, *MEANS], columns=GROUPS)


people = {what: by_group(what, "n").iloc[0] for what in ("neutral", SMILE, "angry", SWING)}
pd.DataFrame(people).T

# %% [markdown]
# *A worked case,* for portraits of Black women in {glue:text}`one`: why do we compare person by person?

# %%
case = valence[(valence["unit"] == "cosine") & (valence["model"] == one)]
case = case[case["group"] == "Black women"].set_index("what")[["n", "mean"]]
case = case.reindex(["neutral", "smile, mouth closed", "smile, mouth open", SMILE])
neutral, closed, opened, change = case["mean"]

of_means = (closed + opened) / 2 - neutral
assert np.isclose(change, by_group(SMILE)["Black women"].get(one, change), equal_nan=True)
case.round(2)

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
vb.note(twin=twin, one=one, case={"changes": change, "of_means": of_means, "n_neutral": case.loc["neutral", "n"], "n_smile": case.loc[SMILE, "n"]})

# %% [markdown]
# The mean of the smiling portraits minus that of the neutral ones is {glue:text}`case.of_means:.1f`, but not everybody smiled. For those who did, the mean rise is
# {glue:text}`case.changes:.1f`.
#
# (faces-rise)=
# ## What came out
#
# ### Does every group gain by a smile?
#
# The figure shows the change from a neutral to a smiling face: of valence, and of its two halves.

# %% tags=["hide-input"]
UNITS = {"cosine": "valence", "pleasant words": "nearness to\npleasant words", "unpleasant words": "nearness to\nunpleasant words"}
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
persons = ", ".join(f"{name} {n:.0f}" for name, n in people[SMILE].items())
vb.figures.show(
    fig,
    name="faces-changes",
    alt=f"Change with a smile in four groups and {many} models, in thousandths of a cosine. Dots lie between "
    + "; ".join(f"{own.min(axis=None):.1f} and {own.max(axis=None):.1f} for {UNITS[unit]}".replace("\n", " ") for unit, own in ranges.items()) + ".",
    caption=f"From neutral to smiling, person by person: valence, and its two halves. Each dot is one model. Bars: the mean of nine, with a 95 % interval. Persons: {persons}.",
    source="published:cfd_valence",
)

# %% [markdown]
# One group in one model is one *result*. Of the {glue:text}`results_all` results, how many go clearly up, how many clearly down?

# %%
def clear_changes(what, unit):
    low, high = ends(what, unit)
    return f"{(low > 0).sum(axis=None)} up, {(high < 0).sum(axis=None)} down"


steps = {"neutral to smile": SMILE, "neutral to angry": ANGER, "angry to smile": SWING}
units = ["cosine", "d", "pleasant words", "unpleasant words"]
pd.DataFrame({
    unit: {step: clear_changes(what, unit) for step, what in steps.items()} for unit in units
}).rename(columns={"cosine": "valence, cosines", "d": "valence, d"})

# %% tags=["hide-input"]
def clearly(what, unit, up=True):
    """How many of the results are clearly above 0, or clearly below."""
    low, high = ends(what, unit)
    return int(((low > 0) if up else (high < 0)).sum(axis=None))


def have(*keys):
    """The ends of intervals that a statement needs."""
    return [part for what, unit in keys for part in ends(what, unit)]


half, other_half = "pleasant words", "unpleasant words"
results_all = many * len(GROUPS)
vb.note(results_all=results_all)
each = [(what, unit) for what in (CLOSED, OPEN) for unit in ("cosine", "d")]
vb.note(halves={"unpleasant_down": clearly(SMILE, other_half, False), "pleasant_up": clearly(SMILE, half), "pleasant_down": clearly(SMILE, half, False)})
vb.holds(
    all_rise=stands(clearly(SMILE, "cosine") == clearly(SMILE, "d") == results_all, *have((SMILE, "cosine"), (SMILE, "d"))),
    each_smile=stands(all(clearly(*key) == results_all for key in each), *have(*each)),
    anger_falls=stands(min(clearly(ANGER, unit, False) for unit in ("cosine", "d")) > 0.9 * results_all, *have((ANGER, "cosine"), (ANGER, "d"))),
    less_unpleasant=stands(clearly(SMILE, other_half, False) > results_all / 2 > clearly(SMILE, half), *have((SMILE, half), (SMILE, other_half))),
    pleasant_mixed=stands(min(clearly(SMILE, half), clearly(SMILE, half, False)) > results_all / 5, *have((SMILE, half))),
    both_halves=stands(clearly(SWING, half) > results_all / 2 and clearly(SWING, other_half, False) > results_all / 2, *have((SWING, half), (SWING, other_half))),
)

# %% [markdown]
# [Valence clearly rises with a smile in every result, in both units.]{.holds #all_rise} [So it does with closed and with open mouth, each by itself.]{.holds #each_smile} [With anger, it clearly
# falls in nearly every result.]{.holds #anger_falls}
#
# (faces-halves)=
# ### Do both halves move?
#
# Hausladen et al. scored positive and negative traits apart, so we look at the halves apart. [From neutral to smiling, portraits clearly move away from unpleasant words in
# {glue:text}`halves.unpleasant_down` of {glue:text}`results_all` results.]{.holds #less_unpleasant} [They clearly move towards pleasant words in {glue:text}`halves.pleasant_up`, and clearly away
# from them in {glue:text}`halves.pleasant_down`.]{.holds #pleasant_mixed}
#
# From angry to smiling, both halves move, as the authors saw from frown to smile. [In most results, portraits clearly move towards pleasant words, and clearly away from unpleasant
# words.]{.holds #both_halves}
#
# (faces-most)=
# ### Is the rise largest for Black women?
#
# The figure shows the rise of Black women minus that of each other group (main measure).

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
rows = [*MODELS, *MEANS]
place = np.arange(len(rows))[::-1] + np.array([0.4] * many + [0.0] * len(MEANS))
for axis, name in zip(axes[0], more.columns, strict=True):
    for colour, some in ((blue, slice(0, many)), (orange, slice(many, None))):
        axis.hlines(place[some], low[name].iloc[some], high[name].iloc[some], color=colour, lw=2)
        axis.plot(more[name].iloc[some], place[some], "o" if colour == blue else "D", color=colour, ms=5)
    axis.axvline(0, color=vb.figures.COLOURS["reference"], lw=1, zorder=0)
    axis.set(title="minus\n" + name, yticks=place, yticklabels=[line.replace("@", "\n@") for line in rows])
axes[0, 1].set_xlabel("difference between rises, thousandths of a cosine")
vb.figures.show(
    fig,
    name="faces-differences",
    alt=f"Rise of valence with a smile, Black women minus three other groups, in {many} models and two means, with 95 % intervals. The mean of nine: "
    + "; ".join(f"minus {name} {more.loc[MEANS[0], name]:.1f} ({low.loc[MEANS[0], name]:.1f} to {high.loc[MEANS[0], name]:.1f})" for name in more) + " thousandths of a cosine.",
    caption=f"Rise with a smile (mean of both smiles): Black women minus each other group. Bars: 95 % intervals. The last two rows average models. Persons: {persons}.",
    source="published:cfd_contrasts",
)

# %% [markdown]
# The table shows the mean of nine for all six planned measures, with intervals. The measures use the same people, so they do not confirm each other. The last two rows start from the angry face; they were not
# planned.

# %%
MEASURES = {
    f"{unit}, {name}": (what, unit)
    for name, what in [("both smiles", SMILE), ("closed", CLOSED), ("open", OPEN),
                       ("from angry", SWING)]
    for unit in ("cosine", "d")
}
COMPARED = [("Black women", "Black men"), ("Black women", "White men"),
            ("Black women", "White women"), ("White women", "Black men"),
            ("White women", "White men")]


def interval(group, minus, what, unit):
    values = ("difference", "low", "high")
    mean, low, high = (against(group, what, v, unit).loc["mean of nine", minus] for v in values)
    return f"{mean:.2f} ({low:.2f} to {high:.2f})"


def by_measure(cell):
    rows = {name: [cell(*pair, *key) for pair in COMPARED] for name, key in MEASURES.items()}
    columns = pd.MultiIndex.from_tuples(COMPARED, names=["", "minus"])
    return pd.DataFrame(rows, index=columns).T


by_measure(interval)

# %% [markdown]
# The folded table counts single models: in how many of the nine is the difference clearly above 0 / clearly below 0?

# %% tags=["hide-cell"]
def clear_models(group, minus, what, unit):
    low, high = (against(group, what, v, unit).loc[MODELS, minus] for v in ("low", "high"))
    return f"{(low > 0).sum()} / {(high < 0).sum()}"


by_measure(clear_models)

# %% tags=["hide-input"]
white, men = "White women", ["Black men", "White men"]
planned = [key for key in MEASURES.values() if key[0] != SWING]
of = {(group, *key): {value: against(group, *key[:1], value, key[1]) for value in ("difference", "low", "high")} for group in ("Black women", white) for key in MEASURES.values()}


def at_nine(group, value="low", keys=planned):
    """Measures × other groups, in the mean of nine."""
    return pd.DataFrame([of[(group, *key)][value].loc[nine] for key in keys])


signs = at_nine("Black women", "difference")[white]
like = (at_nine("Black women")[white] < 0) & (at_nine("Black women", "high")[white] > 0)
below = [(model, name, *key) for key in planned if key != (SMILE, "cosine") for name in more for model in MODELS if of[("Black women", *key)]["high"].loc[model, name] < 0]
rises = {unit: by_group(SMILE, unit=unit).loc[MODELS].dropna().idxmax(axis=1) for unit in ("cosine", "d")}
swing, swing_high = (at_nine("Black women", value, [(SWING, "cosine"), (SWING, "d")]) for value in ("low", "high"))
own, own_high = low.reindex([one]).iloc[0], high.reindex([one]).iloc[0]
vb.note(first={f"{name.replace(' ', '_')}_{unit}": f"{(who == name).sum()} of {many}" for unit, who in rises.items() for name in ("Black women", white)}, chance=many / len(GROUPS),
        rise={"Black_women": (rise := by_group(SMILE).loc[nine])["Black women"], "Black_men": rise["Black men"], "part": more.loc[nine, "Black men"] / rise["Black women"] if rise["Black women"] else np.nan},
        own={name.replace(" ", "_"): gap for name, gap in more.reindex([one]).iloc[0].items()})
everything = [at_nine(group, value) for group in ("Black women", white) for value in ("difference", "low", "high")]
vb.holds(
    above_men=stands((at_nine("Black women")[men] > 0).all(axis=None) and (low.loc[MEANS, men] > 0).all(axis=None), *everything, low),
    white_above_men=stands((at_nine(white)[men] > 0).all(axis=None), *everything),
    like_white_women=stands(like.all() and low.loc[MEANS, white].max() < 0 < high.loc[MEANS, white].min(), *everything, low, high),
    sign_turns=stands(signs.min() < 0 < signs.max(), signs),
    none_below=stands(not (high.loc[MODELS] < 0).any(axis=None), high),
    one_below=stands(len(below) == 1 and below[0][1:] == (white, CLOSED, "d"), *(of[("Black women", *key)]["high"] for key in planned)),
    first_shared=stands(set(rises["cosine"]) == {"Black women", white}, by_group(SMILE).loc[MODELS]),
    own_alike=stands((own[men] > 0).all() and own[white] < 0 < own_high[white], own, own_high) if one in MODELS else None,
    swing_turns=stands((swing[[white, "White men"]] > 0).all(axis=None) and (swing["Black men"] < 0).all() and (swing_high["Black men"] > 0).all(), swing, swing_high),
)

# %% [markdown]
# **Larger than men's: yes.** [In the mean of nine, valence rises clearly more in portraits of Black women than in those of Black men and of White men, by each planned measure.]{.holds #above_men}
# The rise of Black women is {glue:text}`rise.Black_women:.1f` thousandths, that of Black men {glue:text}`rise.Black_men:.1f`. So the difference is {glue:text}`rise.part:.0%` of Black women's
# rise.
#
# [In portraits of White women, too, valence rises clearly more than in those of both groups of men.]{.holds #white_above_men} So the difference from men may be about women in general.
#
# **Larger than White women's: not clearly.** [This difference is clear by no planned measure.]{.holds #like_white_women} [It is so near 0 that its sign depends on the
# measure.]{.holds #sign_turns}
#
# **In {glue:text}`one`,** the authors' model, [the result is the same. Black women's rise is clearly larger than that of Black men (by {glue:text}`own.Black_men:.1f`) and of White men (by
# {glue:text}`own.White_men:.1f`). It is not clearly larger than that of White women (by {glue:text}`own.White_women:.1f`).]{.holds #own_alike}
#
# **From angry to smiling,** [the result is another one. The rise of Black women is clearly larger than that of White women, but not clearly larger than that of Black men. So the answer
# depends on the face that one starts from.]{.holds #swing_turns}
#
# (faces-angry)=
# ### Who is lowest when angry? No single group
#
# In how many models is a group the lowest of the four, and in how many is it *clearly* lower than each of the others? (By chance, each would be the lowest in about {glue:text}`chance:.0f`.)

# %%
def lowest(what, unit):
    """In how many models each group has the lowest mean."""
    own = by_group(what, unit=unit).loc[MODELS].dropna()
    return own.idxmin(axis=1).value_counts().reindex(GROUPS).fillna(0).astype(int)


def clearly_lowest(what, unit):
    """Models in which a group lies clearly below all three others."""
    ends = {name: against(name, what, "high", unit) for name in GROUPS}
    return pd.DataFrame({name: (own < 0).all(axis=1) for name, own in ends.items()})


pd.DataFrame({(unit, title): count for unit in units for title, count in [
    ("lowest", lowest("angry", unit)),
    ("clearly", clearly_lowest("angry", unit).loc[MODELS].sum()),
]})

# %% [markdown]
# [In the mean of nine, no group lies clearly below all three others, neither in valence nor in one of its halves.]{.holds #no_lowest}
#
# If two groups are close, neither can be clearly the lowest. So we also compare Black with White people, women and men averaged. (This was not planned.)

# %%
def contrast(what, weights, unit="cosine"):
    """A weighted sum of the means of four groups, with a 95 % interval."""
    weights = pd.Series(weights, GROUPS)
    variance = by_group(what, "sd", unit) ** 2 / by_group(what, "n", unit)
    mean, half = by_group(what, unit=unit) @ weights, 1.96 * (variance @ weights**2) ** 0.5
    return pd.DataFrame({"mean": mean, "low": mean - half, "high": mean + half})


black_white = {unit: contrast("angry", [0.5, 0.5, -0.5, -0.5], unit) for unit in ("cosine", "d")}
rows = pd.DataFrame({unit: own.loc["mean of nine"] for unit, own in black_white.items()}).T
rows["models below 0"] = [(own.loc[MODELS, "mean"] < 0).sum() for own in black_white.values()]
rows["clearly below 0"] = [(own.loc[MODELS, "high"] < 0).sum() for own in black_white.values()]
rows.round(2)

# %% tags=["hide-input"]
sure = {(what, unit): clearly_lowest(what, unit) for what in ("angry", "neutral") for unit in units}
needed = {key: [against(name, key[0], "high", key[1]) for name in GROUPS] for key in sure}
halves = {what: sure[what, half]["Black women"] & sure[what, other_half]["Black women"] for what in ("angry", "neutral")}
neutral_halves = [*needed["neutral", half], *needed["neutral", other_half]]
up = {unit: against("White women", "angry", "low", unit).loc[MODELS, "White men"] > 0 for unit in ("cosine", "d")}
down = {unit: against("White women", "angry", "high", unit).loc[MODELS, "White men"] < 0 for unit in ("cosine", "d")}
two_units = [against("White women", "angry", value, unit).loc[MODELS, "White men"] for value in ("low", "high") for unit in ("cosine", "d")]
vb.note(unit={"below": f"{down['cosine'].sum()} of {many}", "above": f"{up['d'].sum()} of {many}"})
vb.note(both={"neutral": f"{halves['neutral'][MODELS].sum()} of {many}", "angry": f"{halves['angry'][MODELS].sum()} of {many}"})
vb.holds(
    no_lowest=stands(not any(sure["angry", unit].loc[nine].any() for unit in units), *(own.loc[nine] for unit in units for own in needed["angry", unit])),
    own_lowest=stands(halves["angry"][one], *(own.loc[one] for unit in (half, other_half) for own in needed["angry", unit])) if one in MODELS else None,
    neutral_lowest=stands(halves["neutral"][nine] and halves["neutral"][MODELS].mean() > 0.5, *neutral_halves),
    unit_turns=stands(not up["cosine"].any() and down["cosine"].any() and up["d"].any() and not down["d"].any(), *two_units),
    never_both=stands(not ((up["cosine"] & down["d"]) | (down["cosine"] & up["d"])).any(), *two_units),
    black_white=stands(all(own.loc[nine, "high"] < 0 for own in black_white.values()), *black_white.values()),
)

# %% [markdown]
# [The difference between Black and White people is clear: angry portraits of Black people have the lower valence, in both units.]{.holds #black_white}
#
# **Low in both halves.** The authors report low *scores*, and valence cannot test this. Suppose a group's portraits lie further from both kinds of words, by the same amount. Then both
# halves are lower, but valence is the same. So here are the halves.

# %%
pd.DataFrame({
    (model, face, words): by_group(face, unit=words).reindex([model]).iloc[0]
    for model in (one, "mean of nine")
    for face in ("angry", "neutral")
    for words in ("pleasant words", "unpleasant words")
}).T.round(1)

# %% [markdown]
# [In the authors' model, {glue:text}`one`, angry portraits of Black women are clearly the lowest in both halves. This agrees with the authors.]{.holds #own_lowest} In all, it
# is so in {glue:text}`both.angry` models.
#
# But low scores are not special to angry faces. [Already among *neutral* portraits, those of Black women are clearly the lowest in both
# halves, in most models and in the mean of nine.]{.holds #neutral_lowest} We do not know why.
#
# (faces-neutral)=
# ### 597 neutral portraits
#
# This section was not planned. {cite:t}`wolfe2022` used neutral portraits of four racial groups. In most of their comparisons, White portraits were nearer than others to *patriotic*, and to *we*
# rather than *they*. A simple explanation would be that White portraits lie nearer to everything pleasant. Then they should be nearer to pleasant words, or have a higher valence.
#
# Of our nine models, they used {glue:text}`one` alone, so the table is about this one. It shows White portraits minus those of each other group, with 95 % intervals.

# %%
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


kinds = {"valence": "cosine", "pleasant half": "pleasant words",
         "unpleasant half": "unpleasant words"}
columns = {name: as_text(white_minus(one, unit))
           for name, unit in kinds.items()}
shown = pd.DataFrame(columns, index=RACES[:-1]).reindex(RACES, fill_value="")
shown.insert(0, "n", by_race(one)["n"])
shown

# %% tags=["hide-input"]
portraits = by_race(nine)["n"].sum(min_count=len(RACES))
gaps = white_minus(nine)
own, own_half, own_other = (white_minus(one, unit) for unit in kinds.values())
calm = valence[(valence["what"] == "neutral") & (valence["unit"] == "cosine")].pivot(index="model", columns="group", values="mean").reindex(MODELS)
low_white = {}
for gender in ("women", "men"):
    same = calm.reindex(columns=[f"{name} {gender}" for name in RACES]).dropna()
    low_white[gender] = (same.idxmin(axis=1) == f"White {gender}").sum()
wider = abs((valence["high"] - valence["low"]) / 2 / (1.96 * valence["sd"] / valence["n"] ** 0.5).replace(0, np.nan) - 1)
eight = more.loc[[name for name in MODELS if name != twin]]
reach = stats.t.ppf(0.975, max(len(eight) - 1, 1)) * eight.sem()
vb.note(portraits=int(portraits) if np.isfinite(portraits) else None, gap=wider[valence["unit"].isin(["cosine", "d"])].max(), low_white={gender: f"{count} of {many}" for gender, count in low_white.items()})
vb.holds(
    white_below=stands((gaps["high"] < 0).all() and (white_minus(nine, "d")["high"] < 0).all(), gaps, white_minus(nine, "d")),
    more_women=stands(low_white["women"] > many / 2 > low_white["men"], calm),
    not_asian=stands(own.loc["Asian", "high"] < 0 and own_half.loc["Asian", "low"] <= 0, own, own_half) if one in MODELS else None,
    open_others=stands(all(min(gap.loc[name, "low"] for gap in (own_half, own_other)) > 0 and own.loc[name, "low"] < 0 < own.loc[name, "high"] for name in ("Black", "Latino")), own, own_half, own_other) if one in MODELS else None,
    over_models=stands((eight[men].mean() > reach[men]).all() and abs(eight[white].mean()) < reach[white], eight, reach),
)

# %% [markdown]
# [Compared with Asian portraits, White ones are not clearly nearer to pleasant words, and their valence is clearly lower.]{.holds #not_asian} Here the simple explanation does not fit.
#
# [Compared with Black and with Latino portraits, White ones are clearly nearer to both kinds of words, and their valence is not clearly different.]{.holds #open_others} Here it stays
# open.
#
# :::{dropdown} Details: intervals, other trainings, many comparisons
# - The intervals of the table are from a *bootstrap*: the persons are sampled again and again, the same ones for all models.
# - Intervals that we put together ourselves (by race) add up variances, since the groups are different persons. Where the table has an interval, one that is computed like this
#   has the same width, up to {glue:text}`gap:.0%`.
# - *All nine models.* The table has {glue:text}`portraits` neutral portraits. [In the mean of nine, the White group's valence is clearly below that of each other group, in both
#   units.]{.holds #white_below} [This is more about women.]{.holds #more_women} White women are the lowest of four groups of women in {glue:text}`low_white.women` models; White men are the
#   lowest of the men in {glue:text}`low_white.men`.
# - *Single models.* [In cosines, Black women have the largest rise in {glue:text}`first.Black_women_cosine` models, and White women in the others.]{.holds #first_shared} In $d$, Black
#   women have it in {glue:text}`first.Black_women_d`. By chance, each of the four groups would have it in about {glue:text}`chance:.0f`.
# - *The opposite finding,* named in our plan: a group with a clearly larger rise than Black women. [By the main measure, no model shows one.]{.holds #none_below} [By the five other
#   planned measures, there is a single case, of White women in one model.]{.holds #one_below} Among so many intervals, this is no surprise.
# - *Other trainings.* Suppose that the eight models without the near copy were a random sample of ways to build a network, with the same data and the same portraits. [Over such models, too, the
#   rise of Black women is clearly larger than that of both groups of men, and not than that of White women.]{.holds #over_models} (Main measure, t interval.)
# - We did not correct for many comparisons. "Largest" and "lowest" ask for three intervals at once, which is strict already. Where we count models, all of them saw the same persons, so the
#   counts are not independent.
# :::
#
# ## What it cannot say
#
# - **Groups are different people.** They may have smiled differently. So a difference between groups may come from the photographs. A difference between models
#   cannot: all models saw the same photographs.
# - **One training set.** Models that learned from other data may give other results.
# - **Other words.** Pleasant is not warm or competent.
# - **Halves.** A half also changes if a portrait comes nearer to *all* words. Hausladen et al. remove this by subtracting the score of a neutral sentence. The table has none.
# - **Four groups.** Hausladen et al. also studied Asian people, of whom there are no smiles here.
# - **No clear difference is not equality.** Where an interval includes 0, a small difference may exist.
# - **For a user, one model counts.** Its associations are real for its users, whether or not the next model shares them.
#
# (faces-means)=
# ## What it means for the three papers
#
# **Hausladen et al., the smile.** Their finding goes beyond their model. [In all nine models, valence rises with a smile, with other words and with real people.]{.holds #all_rise}
#
# **Hausladen et al., Black women.** Their finding holds in part. [For it: from neutral to smiling, valence rises clearly more in portraits of Black women than in those of both groups of
# men.]{.holds #above_men} [In the authors' model, their angry portraits are clearly the lowest in both halves.]{.holds #own_lowest} [Against it: it does not rise clearly more than in portraits of
# White women.]{.holds #like_white_women} [And in the mean of nine, no group is clearly the lowest when angry.]{.holds #no_lowest}
#
# This does not refute the authors: their faces, words and expressions are other ones, and they claim the steepest rise for {claim}`smiling.steepest-panels` traits only.
#
# **Wolfe and Caliskan.** [In their CLIP, White portraits are not clearly nearer to pleasant words than Asian ones, and their valence is clearly
# lower.]{.holds #not_asian} So for this pair, their finding is more than nearness to everything pleasant. This speaks for the authors.
#
# **Ghate et al.** measure bias by valence, in $d$. The unit can matter, as in angry portraits of White people. [In cosines, the women's valence is clearly lower in
# {glue:text}`unit.below` models, and the men's in none. In $d$, the men's is clearly lower in {glue:text}`unit.above`, and the women's in none.]{.holds #unit_turns} [No single model is clear both
# ways.]{.holds #never_both} A result is safer if it holds in both units.
#
# :::{admonition} Rerun this with your own parameters
# :class: dropdown tip
# ```
# .venv/bin/vlmbias run real/faces -p models '[RN50, ViT-B/32, ViT-L/14]'
# .venv/bin/vlmbias run real/faces -p table my_means.csv -p contrasts my_differences.csv
# ```
# The rerun goes into its own folder. It says which sentences of this page no longer hold, and how its numbers differ. A table of your own needs the columns of the shipped one, in
# `data/published`.
# :::
#
# ## Take-aways
#
# - [A smile raises valence in all nine models.]{.holds #all_rise} That Black women stand out holds in part. [From neutral to smiling, they do compared with men,]{.holds #above_men} [and not compared with White
#   women.]{.holds #like_white_women} [From angry to smiling, it is White people from whom they differ clearly.]{.holds #swing_turns}
# - "Largest" is several comparisons, not one. Show each with its interval.
# - Compare a person with the same person.
#
# ## Exercises
#
# :::{exercise} More than the sum?
# :label: faces-sum
# :level: intermediate
# :minutes: 20
# :code: yes
#
# Is the rise of Black women more than the sum of what race and gender do? Compare two gaps: women minus men, in Black and in White people. Give the difference of the gaps in each model, and
# an interval for the mean of nine. The function `contrast` above computes a weighted sum of four groups.
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
vb.note(sum={"mean": main["mean"], "high": main["high"]}, sum_below=f"{(beyond[MODELS] < 0).sum()} of {many}")
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
# If anything, it is less. [With open mouth, and from angry to smiling, the difference of the gaps is clearly below 0, in cosines.]{.holds #rather_less}
#
# This was not planned. To be more, or less, than the sum is the definition of an outlier that the chapter on [intersections](../causalface/intersections.ipynb) proposes.
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
# In $d$, a portrait's valence is divided by the SD of its own 50 cosines. Estimate this SD from the table, as mean valence in cosines divided by mean valence in $d$, for neutral and for angry
# portraits. What happens to a change that is measured in $d$?
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
# 1. Name two reasons why the smiles of two groups may differ in the photographs. How would you check each?
# 2. The chapter [](same_data.ipynb) compares photographs with pleasant *pictures*. Find its rows on European and African Americans. How do they fit the neutral portraits here?
#
# 3. You use one of these models to pick portraits for a website. Which result of this page matters to you?
