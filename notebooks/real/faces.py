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
# **Question.** A study of one CLIP model found that a smile changes its judgement of a face, and most so for Black women. Do nine models show this in real photographs?
#
# **Answer in short.** A portrait's *valence* is its nearness to pleasant words minus its nearness to unpleasant words. [A smile raises it in every model and in each of four
# groups.]{.holds #all_rise} Is this rise largest for Black women? [The answer depends on the mouth, on the unit and on the model.]{.holds #turns} [Their rise is larger than that of both
# groups of men, in the mean of nine models.]{.holds #above_men} [It is not measurably larger than that of White women.]{.holds #like_white_women} [Among angry portraits, no group is clearly
# the lowest.]{.holds #no_lowest}
#
# **In 20 minutes:** {ref}`What the table holds <faces-table>`, {ref}`Does every group gain? <faces-rise>`, {ref}`Is the rise largest for Black women? <faces-most>`,
# {ref}`What it means <faces-means>`. **In 75 minutes:** everything, with both exercises.
#
# **You need:** a mean, a difference and a confidence interval. The primer "[Embedding association tests](../../book/primers/association.md)" explains how pictures and words are compared.
#
# **Content note.** The page compares how models place portraits of people of different race and gender, with pleasant and unpleasant words. No photograph is shown. Every number is about
# models and photographs, none about people.
# :::
#
# **We ran no model.** Others computed and published how near each portrait lies to the words {cite:p}`ghate2025`, in an early state of their repository. We thank them for it. What stands
# here are means that we computed from it, and no row is about one person.

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
# The photographs come from the Chicago Face Database {cite:p}`ma2015`. Volunteers faced the camera before a white background and looked *neutral*. Some also posed four expressions: *angry*,
# *fearful*, a smile with the mouth *closed* and one with the mouth *open*. They named their race and gender themselves.
#
# All expressions exist for {glue:text}`groups` groups only: Black women, Black men, White women and White men. In each, {glue:text}`persons.fewest` to {glue:text}`persons.most` people posed
# both smiles. Where we write "Black women", we mean portraits of people who call themselves so.
#
# Nine CLIP models of OpenAI {cite:p}`radford2021` looked at the portraits. All learned from one data set. They are really eight trainings, since {glue:text}`twin` continues another model
# (see [](same_data.ipynb)).
#
# A portrait's *valence* is its mean cosine with 25 pleasant words minus its mean cosine with 25 unpleasant words. (A cosine says how near a picture and a word lie in the model.) Most
# portraits have a negative valence. That says nothing, because 0 is no neutral point. Only differences count.
#
# Valence has two units. In *cosines* it is the plain difference. We fixed this unit beforehand as the main one, and print it in thousandths. In *d*, the difference is divided by the
# standard deviation (SD) of the portrait's 50 cosines.
#
# A *change* is taken person by person: the valence of a smile minus that of the same person's neutral portrait. The main definition takes the mean of both smiles. `low` and `high` are a
# 95 % interval, for other people who might have been photographed. (It is a *bootstrap*: the persons are sampled again and again, the same ones for all models.)

# %%
valence = facts.table("cfd_valence", table)
differences = facts.table("cfd_contrasts", contrasts)
GROUPS = ["Black women", "Black men", "White women", "White men"]
MEANS = ["mean of nine", "mean of eight"]  # the second one without the near twin
MODELS = [name for name in dict.fromkeys(valence["model"]) if name not in MEANS]
MODELS = [name for name in MODELS if not models or name in models]
EIGHT = [name for name in MODELS if name != twin]

for one_table in (valence, differences):  # cosines in thousandths
    times = one_table["unit"].map({"cosine": 1000}).fillna(1)
    for column in one_table.columns.intersection(["mean", "sd", "low", "high", "difference"]):
        one_table[column] *= times
valence[valence["what"] == "smile: change"].head(3).round(2)

# %% tags=["hide-cell"]
Code(facts.made_by("cfd_valence"), language="python")

# %% [markdown]
# Now one row for each model, and one column for each group:

# %%
SMILE, ANGER = "smile: change", "angry: change"
CLOSED, OPEN = "smile, mouth closed: change", "smile, mouth open: change"


def by_group(what, value="mean", unit="cosine"):
    """One number for each model and each of the four groups."""
    own = valence[(valence["what"] == what) & (valence["unit"] == unit)]
    wide = own.pivot(index="model", columns="group", values=value)
    return wide.reindex(index=[*MODELS, *MEANS], columns=GROUPS)


by_group(SMILE).tail(3).round(1)

# %% [markdown]
# *A worked case.* Why person by person? More people have a neutral portrait than a smiling one. So the difference of two means compares different people. Here are both, for one model and
# one group.

# %%
case = valence[(valence["unit"] == "cosine") & (valence["model"] == one)]
case = case[case["group"] == "Black women"].set_index("what")[["n", "mean"]]
case = case.reindex(["neutral", "smile, mouth closed", "smile, mouth open", CLOSED, OPEN, SMILE])
neutral, closed, opened, closed_change, open_change, change = case["mean"]

of_means = (closed + opened) / 2 - neutral
print(f"difference of means {of_means:.2f}, mean of changes {change:.2f}")

print(f"mean of both mouths {(closed_change + open_change) / 2:.2f}")

assert np.isclose(change, by_group(SMILE).loc[one, "Black women"], equal_nan=True)
case.round(2)

# %% tags=["hide-input"]
def whole(*tables):
    """Whether there is a number in every place of these tables."""
    return all(np.size(one_table) and np.isfinite(np.asarray(one_table, float)).all() for one_table in tables)


def stands(statement, *tables):
    """A statement, or None where a number that it needs is missing."""
    return bool(statement) if whole(*tables) else None


many = len(MODELS)
counted = by_group(SMILE, "n").iloc[:1]
vb.note(groups=len(GROUPS), twin=twin, one=one, persons={"fewest": counted.min(axis=None), "most": counted.max(axis=None)},
        case={"changes": change, "n_neutral": case.loc["neutral", "n"], "n_smile": case.loc[SMILE, "n"]})
vb.holds(case_differs=stands(not np.isclose(of_means, change, atol=0.05), [of_means, change]))

# %% [markdown]
# The mean change is {glue:text}`case.changes:.1f` thousandths, over {glue:text}`case.n_smile:.0f` people. [The difference of the means is not the same, because
# {glue:text}`case.n_neutral:.0f` people have a neutral portrait.]{.holds #case_differs}
#
# (faces-rise)=
# ## What came out
#
# ### Does every group gain by a smile?
#
# The figure shows the change from a neutral to a smiling face and, beside it, to an angry one.

# %% tags=["hide-input"]
fig, axes = vb.figures.panels(1, 2, height=3.1, share_y=True)
blue, orange = vb.figures.PALETTE[:2]
place = np.arange(len(GROUPS))[::-1]
for axis, (what, title) in zip(axes[0], {SMILE: "smile − neutral", ANGER: "angry − neutral"}.items(), strict=True):
    for k, name in enumerate(GROUPS):
        axis.plot(by_group(what).loc[MODELS, name], [place[k] + 0.17] * many, "o", color=blue, alpha=0.6, ms=5, mec="white", mew=0.5, label="one model" if k == 0 else None)
    low, high = by_group(what, "low").loc[MEANS[0]], by_group(what, "high").loc[MEANS[0]]
    axis.hlines(place - 0.17, low, high, color=orange, lw=2.5)
    axis.plot(by_group(what).loc[MEANS[0]], place - 0.17, "D", color=orange, ms=5, label="mean of nine, 95 % interval")
    axis.axvline(0, color=vb.figures.COLOURS["reference"], lw=1, zorder=0)
    axis.set(title=title, yticks=place, yticklabels=[name.replace(" ", "\n") for name in GROUPS], xlabel="change of valence,\nthousandths of a cosine", ylim=(-0.6, len(GROUPS) - 0.4))
fig.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper left", ncols=2)
rise, fall = by_group(SMILE), by_group(ANGER)
vb.figures.show(
    fig,
    name="faces-changes",
    alt=f"Change of valence in four groups and {many} models, in thousandths of a cosine. With a smile, dots lie between {rise.loc[MODELS].min(axis=None):.1f} and "
    f"{rise.loc[MODELS].max(axis=None):.1f}; with anger, between {fall.loc[MODELS].min(axis=None):.1f} and {fall.loc[MODELS].max(axis=None):.1f}.",
    caption="What an expression changes, person by person. Each dot is one model. Bars: the mean of nine models, with a 95 % interval over persons.",
    source="published:cfd_valence",
)

# %% [markdown]
# We count in how many of these results the whole interval lies on one side of 0.

# %%
rises = by_group(SMILE, "low").loc[MODELS] > 0
falls = by_group(ANGER, "high").loc[MODELS] < 0
print(f"rise with a smile: {rises.sum(axis=None)} of {rises.size}; "
      f"fall with anger: {falls.sum(axis=None)} of {falls.size}")

neutral_range = np.ptp(by_group("neutral").loc[MODELS].to_numpy(), axis=1)  # of four groups
smallest_rise = by_group(SMILE).loc[MODELS].min(axis=1)

# %% tags=["hide-input"]
ways = {(mouth, unit): what for unit in ("cosine", "d") for mouth, what in (("closed", CLOSED), ("open", OPEN))}
everywhere = [by_group(what, "low", unit).loc[MODELS] for (_, unit), what in ways.items()]
all_groups = valence[(valence["what"] == "neutral") & (valence["unit"] == "cosine") & (valence["model"] == MEANS[0])]
vb.note(rises=f"{rises.sum(axis=None)} of {rises.size}", falls=f"{falls.sum(axis=None)} of {falls.size}", rise=rise.loc[MEANS[0]].mean(),
        range_all=np.ptp(all_groups["mean"]) if len(all_groups) else None, n_all=len(all_groups))
vb.holds(all_rise=stands(rises.all(axis=None), by_group(SMILE, "low").loc[MODELS]), all_rise_everywhere=stands(all((low > 0).all(axis=None) for low in everywhere), *everywhere),
         all_fall=stands(falls.all(axis=None), by_group(ANGER, "high").loc[MODELS]), beyond_groups=stands((smallest_rise > neutral_range).all(), smallest_rise, neutral_range),
         comparable=stands(0.8 < np.ptp(all_groups["mean"]) / (rise.loc[MEANS[0]].mean() or np.nan) < 1.25, all_groups["mean"], rise.loc[[MEANS[0]]]) if len(all_groups) else None)

# %% [markdown]
# [A smile raises valence in every group and every model: {glue:text}`rises` intervals lie above 0.]{.holds #all_rise} [The same holds for each mouth and each unit by
# itself.]{.holds #all_rise_everywhere} [Anger lowers valence in {glue:text}`falls` results.]{.holds #all_fall} So far, what the paper found for one model holds in all of them.
#
# The change is large. [In each model, a smile moves every group by more than any two of the four groups differ when neutral.]{.holds #beyond_groups} Their mean rise is {glue:text}`rise:.1f`
# thousandths. [Among the neutral portraits of all {glue:text}`n_all` groups in the table, the largest difference is {glue:text}`range_all:.1f`, much like the smile.]{.holds #comparable}
# This fits the paper, which calls the two kinds of variation comparable.
#
# (faces-most)=
# ### Is the rise largest for Black women?
#
# **It depends on how one measures.** [With the mouth open, their mean rise is above that of White women; with the mouth closed, it is below.]{.holds #mouth_turns} [With the mouth closed,
# the sign also differs between cosines and $d$.]{.holds #unit_alone} [In {glue:text}`turning` single models, too, the sign turns with the mouth or the unit.]{.holds #some_turn} Other
# comparisons are clearer.
#
# The next cell takes Black women minus each other group.

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
pd.DataFrame({
    "mean of nine": more.loc["mean of nine"].round(1),
    "from": low.loc["mean of nine"].round(1),
    "to": high.loc["mean of nine"].round(1),
    "models above 0": (more.loc[MODELS] > 0).sum(),
    "interval above 0": (low.loc[MODELS] > 0).sum(),
    "interval below 0": (high.loc[MODELS] < 0).sum(),
})

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
    caption="Rise with a smile (mean of both smiles): Black women minus each other group. Bars: 95 % intervals over persons. The last two rows average models.",
    source="published:cfd_contrasts",
)

# %% [markdown]
# In how many models are Black women ahead of all three groups? And what if other models had been trained? For this we take the eight trainings as a sample.

# %%
ahead = (more.loc[MODELS] > 0).all(axis=1)
surely = (low.loc[MODELS] > 0).all(axis=1)
print(f"ahead of all three in {ahead.sum()} of {len(MODELS)} models, "
      f"with all three intervals above 0 in {surely.sum()}")

e = more.loc[EIGHT]
reach = stats.t.ppf(0.975, len(e) - 1) * e.sem()
pd.DataFrame({"mean": e.mean(), "from": e.mean() - reach, "to": e.mean() + reach}).round(1)

# %% tags=["hide-input"]
white = "White women"
nine = MEANS[0]
combos = {key: {value: against("Black women", what, value, key[1]) for value in ("difference", "low", "high")} for key, what in ways.items()}
signs = pd.concat([np.sign(own["difference"].loc[MODELS, white]) for own in combos.values()], axis=1)
turning = (signs.min(axis=1) < 0) & (signs.max(axis=1) > 0)
first = pd.Series({key: (own["difference"].loc[nine] > 0).all() for key, own in combos.items()})
most = max(abs(low.loc[nine, white]), abs(high.loc[nine, white]))
both_mouths = [combos[mouth, "cosine"]["difference"].loc[nine, white] for mouth in ("closed", "open")]
over_models = pd.DataFrame({"from": e.mean() - reach, "to": e.mean() + reach})
men = ["Black men", "White men"]
SWING = "from angry to smile: change"
swing, swing_low = by_group(SWING), against("Black women", SWING, "low")
swing_ahead = swing.loc[MODELS].eq(swing.loc[MODELS].max(axis=1), axis=0)["Black women"]
vb.note(turning=f"{turning.sum()} of {many}", ahead=f"{ahead.sum()} of {many}", surely=f"{surely.sum()} of {many}", chance=many / len(GROUPS), most=most,
        share_most=most / rise.loc[nine].mean() if rise.loc[nine].mean() else None,
        above={"Black_men": f"{(low.loc[MODELS, 'Black men'] > 0).sum()} of {many}"}, first=f"{first.sum()} of {len(first)}", swing_models=f"{swing_ahead.sum()} of {many}")
alone = [combos["closed", unit]["difference"].loc[nine, white] for unit in ("cosine", "d")]
s = by_group(SMILE)
extra = (s["Black women"] - s["Black men"]) - (s["White women"] - s["White men"])
error = (by_group(SMILE, "sd") ** 2 / by_group(SMILE, "n")).sum(axis=1, skipna=False) ** 0.5
vb.note(extra_below=f"{(extra[MODELS] < 0).sum()} of {many}")
for_all = {key: (own["low"].loc[nine, men] > 0).all() for key, own in combos.items()}
needed = [own[value].loc[[nine]] for own in combos.values() for value in ("difference", "low", "high")]
vb.holds(
    turns=stands(both_mouths[0] * both_mouths[1] < 0 and alone[0] * alone[1] < 0 and 0 < ahead.sum() < many, more, both_mouths, alone),
    unit_alone=stands(alone[0] * alone[1] < 0, alone),
    not_beyond=stands((extra[MODELS] < 0).mean() > 0.5 and extra[nine] - 1.96 * error[nine] < 0 < extra[nine] + 1.96 * error[nine], extra, error),
    mouth_turns=stands(both_mouths[0] < 0 < both_mouths[1], both_mouths),
    some_turn=stands(turning.any(), signs),
    above_men=stands(all(for_all.values()) and (low.loc[MEANS, men] > 0).all(axis=None), *needed, low),
    above_white_men=stands((low.loc[MODELS, "White men"] > 0).all(), low),
    above_most_black_men=stands((low.loc[MODELS, "Black men"] > 0).mean() > 0.5, low),
    like_white_women=stands(all(own["low"].loc[nine, white] < 0 < own["high"].loc[nine, white] for own in combos.values()) and low.loc[nine, white] < 0 < high.loc[nine, white], *needed, low, high),
    none_below=stands(not (high.loc[MODELS] < 0).any(axis=None), high),
    over_models=stands((over_models.loc[men, "from"] > 0).all() and over_models.loc[white, "from"] < 0 < over_models.loc[white, "to"], over_models),
    mostly_first=stands(first.mean() > 0.5, *needed),
    one_first=stands((more.loc[one] > 0).all(), more.loc[[one]]) if one in MODELS else None,
    one_unsure=stands(low.loc[one, white] < 0 < high.loc[one, white] and (low.loc[one, men] > 0).all(), low.loc[[one]], high.loc[[one]]) if one in MODELS else None,
    women_more=stands((against(white, SMILE, "low").loc[MODELS, "White men"] > 0).all(), against(white, SMILE, "low").loc[MODELS, ["White men"]]),
    swing_second=stands(swing_low.loc[nine, white] > 0 and swing_low.loc[nine, "White men"] > 0 > swing_low.loc[nine, "Black men"], swing_low.loc[[nine]]),
    swing_first=stands(swing.loc[nine].fillna(-np.inf).idxmax() == "Black women" and swing_ahead.mean() > 0.5, swing),
)

# %% [markdown]
# Compared with men, the answer is clear. [The rise of Black women is larger than that of White men in all models.]{.holds #above_white_men} [Compared with Black men, the interval lies above
# 0 in {glue:text}`above.Black_men` models.]{.holds #above_most_black_men} [In the mean of nine, both differences stand for each mouth and each unit.]{.holds #above_men}
#
# Compared with White women, there is no clear difference. [For each mouth and each unit, the interval of the mean of nine includes 0.]{.holds #like_white_women} In the main definition, it
# reaches no further than {glue:text}`most:.1f` thousandths to either side, which is {glue:text}`share_most:.0%` of the mean rise.
#
# "Largest" asks for all three comparisons at once. Black women have the largest estimate in {glue:text}`ahead` models. If the groups were alike, each of the four would have it in about
# {glue:text}`chance:.1f` of them. All three intervals are positive in {glue:text}`surely`. [No interval of a single model is negative.]{.holds #none_below}
#
# [If we ask for other trainings instead of other people, the answer is the same: clear for men, and not clear for White women.]{.holds #over_models}
#
# The figure shows all four ways to measure.

# %% tags=["hide-input"]
fig, axes = vb.figures.panels(2, 1, height=7)
lines = [(name, mouth) for name in more.columns for mouth in ("closed", "open")]
place = -np.array([k + 0.5 * (k // 2) for k in range(len(lines))])
for axis, unit in zip(axes[:, 0], ("cosine", "d"), strict=True):
    for k, (name, mouth) in enumerate(lines):
        own = combos[mouth, unit]
        axis.plot(own["difference"].loc[MODELS, name], [place[k] + 0.17] * many, "o", color=blue, alpha=0.6, ms=5, mec="white", mew=0.5, label="one model" if k == 0 else None)
        axis.hlines(place[k] - 0.17, own["low"].loc[nine, name], own["high"].loc[nine, name], color=orange, lw=2.5)
        axis.plot(own["difference"].loc[nine, name], place[k] - 0.17, "D", color=orange, ms=5, label="mean of nine, 95 % interval" if k == 0 else None)
    axis.axvline(0, color=vb.figures.COLOURS["reference"], lw=1, zorder=0)
    axis.set(yticks=place, yticklabels=[f"minus {name},\nmouth {mouth}" for name, mouth in lines], xlabel="thousandths of a cosine" if unit == "cosine" else "d")
fig.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper left", ncols=2)
means = ", ".join(f"{mouth} {own['difference'].loc[nine, white]:.2f}" + (" thousandths" if unit == "cosine" else " d") for (mouth, unit), own in combos.items())
vb.figures.show(
    fig,
    name="faces-four-ways",
    alt=f"Rise of Black women minus that of three groups, with closed and open mouth, above in cosines and below in d; {many} dots and the mean of nine with its interval. Minus White women: {means}.",
    caption="The same differences, measured in four ways. Above: cosines; below: d. Words at the left: minus which group, and how the mouth is. Dots: models. Bars: mean of nine.",
    source="published:cfd_contrasts",
)

# %% [markdown]
# [In the mean of nine, Black women have the largest estimate in {glue:text}`first` ways.]{.holds #mostly_first} None of the four is the right one.
#
# **The authors' own model**, {glue:text}`one`, is among the nine. [There, too, the estimate of Black women is the largest in the main definition.]{.holds #one_first} [It is clearly above
# both groups of men, and not clearly above White women.]{.holds #one_unsure}
#
# **From frown to smile.** The authors' curves begin with a frown. So we also took the change from angry to smiling, which was not planned. [It is largest for Black women in the mean of nine,
# and in {glue:text}`swing_models` models.]{.holds #swing_first} [In the mean of nine, the intervals to White women and to White men then lie above 0, and the one to Black men does
# not.]{.holds #swing_second} So the start of the scale matters, too.
#
# **Women and men.** [The rise of White women, too, is larger than that of White men, in all models.]{.holds #women_more} So what sets Black women apart from men may be about women in
# general. [What is left after race and gender is no extra rise of Black women (exercise 1).]{.holds #not_beyond}
#
# (faces-angry)=
# ### Who is lowest when angry? No single group
#
# The authors write that frowning Black women have the lowest score in all but one trait. Which group has the lowest valence here, with angry portraits?

# %%
angry = by_group("angry").loc[MODELS].dropna()
lowest = angry.idxmin(axis=1).value_counts()
below = {name: (against(name, "angry", "high").loc[MODELS] < 0) for name in GROUPS}
surely_lowest = {name: int(own.all(axis=1).sum()) for name, own in below.items()}
pd.DataFrame({
    "mean of nine": by_group("angry").loc["mean of nine"].round(1),
    "lowest in models": lowest,
    "below all three, intervals": surely_lowest,
}).reindex(GROUPS).fillna({"lowest in models": 0})

# %% tags=["hide-cell"]
six = []
for what in ("angry", ANGER):
    for unit in ("cosine", "d"):
        own = pairs[(pairs["what"] == what) & (pairs["unit"] == unit) & pairs["model"].isin([*MODELS, *MEANS])]
        for k, name in enumerate(GROUPS):
            for other in GROUPS[k + 1 :]:
                pair = own[(own["group"] == name) & (own["minus"] == other)].set_index("model")
                each, mean = pair.reindex(MODELS), pair.reindex([nine]).iloc[0]
                six.append({"what": what, "unit": unit, "pair": f"{name} − {other}", "mean of nine": mean["difference"], "from": mean["low"], "to": mean["high"],
                            "models above 0": (each["low"] > 0).sum(), "models below 0": (each["high"] < 0).sum()})
six = pd.DataFrame(six)
six.round(2)

# %% tags=["hide-input"]
of_angry = six.set_index(["what", "unit", "pair"])
one_way = {unit: by_group("angry", unit=unit).loc[nine].fillna(np.inf).idxmin() for unit in ("cosine", "d")}
white_men = [of_angry.loc[("angry", unit, f"{name} − White men"), "to"] for unit in ("cosine", "d") for name in GROUPS[:2]]
changes = by_group(ANGER).loc[MODELS].dropna().idxmin(axis=1)
tops = [against(name, "angry", "high", unit).loc[nine] for unit in ("cosine", "d") for name in GROUPS]
in_d = by_group("angry", unit="d").loc[MODELS].dropna().idxmin(axis=1)
vb.note(lowest={unit: f"{(own == 'Black women').sum()} of {many}" for unit, own in (("cosine", angry.idxmin(axis=1)), ("d", in_d))}, way=one_way,
        surely_lowest=sum(surely_lowest.values()))
vb.holds(
    no_lowest=stands(not any((own < 0).all() for own in tops), *tops),
    most_lowest=stands(lowest.get("Black women", 0) > many / 2, by_group("angry").loc[MODELS]),
    unit_turns=stands(one_way["cosine"] != one_way["d"], by_group("angry").loc[[nine]], by_group("angry", unit="d").loc[[nine]]),
    not_one_group=stands(sum(count > 0 for count in surely_lowest.values()) > 1, *(against(name, "angry", "high").loc[MODELS] for name in GROUPS)),
    below_white_men=stands(max(white_men[:2]) < 0, white_men),
    with_d_less=stands(max(white_men[2:]) > 0, white_men),
    change_differs=stands(changes.nunique() > 1, by_group(ANGER).loc[MODELS]),
)

# %% [markdown]
# [In the mean of nine, no group lies below all three others with its intervals, in cosines or in $d$.]{.holds #no_lowest} [In cosines, portraits of Black women are the lowest in most
# models, {glue:text}`lowest.cosine`.]{.holds #most_lowest} In $d$, they are in {glue:text}`lowest.d`. [The mean of nine turns with the unit, too: portraits of {glue:text}`way.cosine` are
# the lowest in cosines, those of {glue:text}`way.d` in $d$.]{.holds #unit_turns}
#
# In {glue:text}`surely_lowest` single models, one group lies below all three others with its intervals. [It is not the same group in these models.]{.holds #not_one_group} [In the mean of
# nine, portraits of Black women and of Black men lie below those of White men.]{.holds #below_white_men} [In $d$, this is not clear for both.]{.holds #with_d_less} [Which group falls most
# from neutral to angry also differs between models.]{.holds #change_differs} The folded table has all six pairs.
#
# (faces-neutral)=
# ### 597 neutral portraits
#
# {cite:t}`wolfe2022` used the neutral portraits of four racial groups, women and men together. Is the White group's valence the highest?

# %%
RACES = ["Asian", "Black", "Latino", "White"]


def by_race(unit="cosine"):
    """Portraits, mean valence and its variance: models × racial groups, neutral."""
    calm = valence[(valence["what"] == "neutral") & (valence["unit"] == unit)].copy()
    calm["race"] = calm["group"].str.split().str[0]
    share = calm["n"] / calm.groupby(["model", "race"])["n"].transform("sum")
    calm["mean"] *= share
    calm["variance"] = share**2 * calm["sd"] ** 2 / calm["n"]
    added = calm.groupby(["model", "race"])[["n", "mean", "variance"]].sum()
    places = {"index": [*MODELS, *MEANS], "columns": RACES}
    return [added[name].unstack().reindex(**places) for name in added]


size, race, variance = by_race()
gap = -race[RACES[:3]].sub(race["White"], axis=0)  # White minus this group
half = 1.96 * variance[RACES[:3]].add(variance["White"], axis=0) ** 0.5
pd.DataFrame({
    "portraits": size.loc["mean of nine"],
    "mean of nine": race.loc["mean of nine"].round(1),
    "highest in models": race.loc[MODELS].dropna().idxmax(axis=1).value_counts(),
    "White minus this": gap.loc["mean of nine"].round(1),
    "from": (gap - half).loc["mean of nine"].round(1),
    "to": (gap + half).loc["mean of nine"].round(1),
}).reindex(RACES).fillna({"highest in models": 0})

# %% tags=["hide-input"]
portraits = size.loc[MEANS[0]].sum()
paper = vb.ledger.load("american_white").set_index("id")["value"]
top, bottom = race.loc[MODELS].dropna().idxmax(axis=1), race.loc[MODELS].dropna().idxmin(axis=1)
wider = (abs((valence["high"] - valence["low"]) / 2 / (1.96 * valence["sd"] / valence["n"] ** 0.5).replace(0, np.nan) - 1))
_, race_d, variance_d = by_race("d")
gap_d = -race_d[RACES[:3]].sub(race_d["White"], axis=0)
half_d = 1.96 * variance_d[RACES[:3]].add(variance_d["White"], axis=0) ** 0.5
vb.note(portraits=int(portraits) if np.isfinite(portraits) else None, white={"lowest": f"{(bottom == 'White').sum()} of {many}"}, gap=wider.max(),
        of_smile=abs(gap.loc[nine]).max() / rise.loc[nine].mean() if rise.loc[nine].mean() else None)
vb.holds(
    as_many=stands(portraits == float(paper.get("we_they.n-all", np.nan)), [portraits]),
    white_never=stands((top == "White").sum() == 0, race.loc[MODELS]),
    white_mostly_lowest=stands((bottom == "White").sum() > many / 2, race.loc[MODELS]),
    white_below=stands((gap + half < 0).loc[MEANS].all(axis=None), gap, half),
    white_below_d=stands((gap_d + half_d < 0).loc[MEANS].all(axis=None), gap_d, half_d),
    white_none_above=stands(not (gap - half > 0).loc[MODELS].any(axis=None), gap, half),
    one_white=stands((top[one] != "White") if one in top.index else False, race.loc[[one]]) if one in MODELS else None,
)

# %% [markdown]
# [The groups have {glue:text}`portraits` portraits, as in the paper.]{.holds #as_many} [The White group's valence is the highest in no model.]{.holds #white_never} [It is the lowest in
# {glue:text}`white.lowest`.]{.holds #white_mostly_lowest} [In the means of nine and of eight models, it lies below that of each other group, and the intervals exclude
# 0.]{.holds #white_below} [No interval of a single model lies above 0.]{.holds #white_none_above}
#
# One should not make much of it. In the mean of nine, the largest of these differences is {glue:text}`of_smile:.0%` of the mean rise with a smile. If one group looked a little less neutral
# than another, this would be enough.
#
# :::{dropdown} Details: intervals, and many comparisons
# - In this section we put each group together from its women and men. They are different persons, so the variances add up. This gives the intervals. [In $d$, the White group also lies below
#   each other group in both means.]{.holds #white_below_d} Where the table has an interval, one that is computed like this has the same width, up to {glue:text}`gap:.0%`.
# - We did not correct for many comparisons. "Largest" and "lowest" ask for three intervals at once, which is strict already. Where we count models, all of them saw the same persons, so the
#   counts are not independent.
# - A few persons have two neutral portraits in the original, all in groups that this page does not compare. Their mean was taken.
# :::
#
# ## What it cannot say
#
# - **Groups are different people.** They may have posed their smiles differently. So a difference between groups may come from the photographs. Differences between models have no such
#   cause, since all saw the same ones.
# - **One training set.** Nine models are eight trainings of one laboratory. Other data may give other results.
# - **Other words.** Valence is not warmth or competence. Nor does it show whether a smile adds pleasant associations or takes away unpleasant ones. Nothing is said here about age, light and
#   pose.
# - **Four groups, few people.** At most {glue:text}`persons.most` persons of a group smiled. All other groups have neutral portraits only.
# - **A tie is not equality.** Where an interval includes 0, a small difference may exist.
# - **For a user, one model counts.** Whoever uses one of these models passes its associations on, whether or not the next one shares them.
#
# (faces-means)=
# ## What it means for the three papers
#
# **Hausladen et al., the smile.** [Their finding that a smile changes the judgement holds in all the models, with other words and with real people.]{.holds #all_rise} Valence is a
# difference of two opposites. So its rise cannot be "legibility", the authors' word for opposites that rise together. Our chapter on [smile, light and pose](../causalface/smiling.ipynb)
# asked for just such a difference, with an interval. For light and pose, it is still missing.
#
# **Hausladen et al., Black women.** The evidence is mixed. [For the claim: in the mean of nine, the portraits of Black women gain more by a smile than those of both groups of
# men.]{.holds #above_men} [The estimate is the largest from angry to smiling, too.]{.holds #swing_first} [Against it: they do not gain measurably more than those of White
# women.]{.holds #like_white_women} [Also, among angry portraits, no group is clearly the lowest.]{.holds #no_lowest} This does not refute the paper. Its generated faces keep everything else
# the same, its curves start with a frown, and its words are other ones.
#
# **Wolfe and Caliskan** found in most comparisons that White portraits lie nearer to *we* and to *patriotic*. [In the same portraits, and in the CLIP that they used, the White group does
# not have the highest valence.]{.holds #one_white} So their finding is no mere lean of the White portraits towards everything pleasant. This speaks for the authors.
#
# **Ghate et al.** measure bias by valence, as an effect size $d$. [Here, the unit alone can turn the sign of a small difference.]{.holds #unit_alone} A result is safer if it is given in
# both units.
#
# :::{admonition} Rerun this with your own parameters
# :class: dropdown tip
# ```
# .venv/bin/vlmbias run real/faces -p models RN50 ViT-B/32 ViT-L/14
# .venv/bin/vlmbias run real/faces -p table my_means.csv -p contrasts my_differences.csv
# ```
# The rerun goes into its own folder. It says which sentences of this page no longer hold, and how its numbers differ. A table of your own needs the columns of the shipped one, in `data/published`.
# :::
#
# ## Take-aways
#
# - A finding from one model can be tested in others without running them, where others have published their scores.
# - "Largest" is three comparisons, not one. Show each with its interval.
# - Compare a person with the same person. Means of different people mix a change with a choice of people.
# - Before you say that one group is an outlier, look at what is left after race and gender.
#
# ## Exercises
#
# :::{exercise} More than the sum?
# :label: faces-sum
# :level: intermediate
# :minutes: 20
# :code: yes
# Is the rise of Black women more than the sum of what race and gender do? Compare two gaps: women minus men, in Black and in White people. Give the difference of the two gaps in each model,
# and an interval for the mean of nine. (The four groups are different persons, so the variances of the four means add up.)
# :::
#
# ```{solution-start} faces-sum
# :class: dropdown
# ```

# %% tags=["hide-input", "solution"]
rises_by = by_group(SMILE)
beyond = (rises_by["Black women"] - rises_by["Black men"]) - (rises_by["White women"] - rises_by["White men"])
se = (by_group(SMILE, "sd") ** 2 / by_group(SMILE, "n")).sum(axis=1) ** 0.5
ends = beyond[nine] - 1.96 * se[nine], beyond[nine] + 1.96 * se[nine]
print(f"mean of nine: {beyond[nine]:.2f}, from {ends[0]:.2f} to {ends[1]:.2f}; below 0 in {(beyond[MODELS] < 0).sum()} of {many} models")
other_way = against("Black women", SMILE)["Black men"] - against("White women", SMILE)["White men"]
assert table or contrasts or np.allclose(beyond, other_way, atol=0.01)

# %% [markdown]
# It is not more than the sum. [The difference of the gaps is below 0 in {glue:text}`extra_below` models, but its interval in the mean of nine includes 0. If anything, the gap between women
# and men is smaller in the portraits of Black people.]{.holds #not_beyond} To be more, or less, than the sum is the definition of an outlier that the chapter on
# [intersections](../causalface/intersections.ipynb) proposes.
#
# ```{solution-end}
# ```
#
# :::{exercise} Why two units can disagree
# :label: faces-units
# :level: intermediate
# :minutes: 15
# :code: yes
# Why can $d$ and cosines disagree? In $d$, a portrait's valence is divided by the SD of its own 50 cosines. Estimate this SD from the table, as mean valence in cosines divided by mean
# valence in $d$, for neutral and for angry portraits. What happens to a change that is measured in $d$?
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
assert np.allclose(sds["neutral"] * by_group("neutral", unit="d").loc[nine], by_group("neutral").loc[nine], equal_nan=True)

# %% [markdown]
# [With an angry face, the 50 cosines spread more, in all four groups, and the fall in $d$ is smaller than it would be with the same SD.]{.holds #sd_grows} If the spread grows more in one
# group than in another, the order of the groups can turn.
#
# ```{solution-end}
# ```
#
# ## Questions to discuss
#
# 1. A photographer asks people to smile. Name two reasons why the smiles of two groups may differ in the photographs, and how you would check each.
# 2. In the chapter [](same_data.ipynb), photographs of two groups are compared by pleasant *pictures*. Find the rows on European and African Americans there, and compare them with the
#    neutral portraits here. What could explain what you see?
# 3. You use one of these models to pick portraits for a website. Which result of this page would matter to you, and which would not?
