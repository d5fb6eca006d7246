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
# # One curve bends the other way: is that a finding?
#
# *Hausladen, Knott, Camerer and Perona (2025), Figures 5 and S.3–S.5: how CLIP's judgement of a face changes with age.*
#
# :::{admonition} This chapter at a glance
# :class: note
#
# **Question.** The curve of one group bends upwards, those of all others downwards. When is that a finding, and why is it not seen in
# photographs?
#
# **Answer in short.** One odd curve among six is common by chance. [A U of one and the same group in three traits, as in the paper, is rarer.]{.holds #rarer} [But small networks that were taught such a U do not show the pattern more often,]{.holds #planted_rare} [with an exception where all curves bend down.]{.holds #tells_between} So a search for it tells little. A curve is a finding if the group, the trait and the direction are named before one
# looks, and if the bend is larger than chance makes it. The paper's faces are well suited for that, small sets of photographs are not. The paper's curve was noticed in the figure, and no margin of error is printed, so whether it would pass in another model is open.
#
# **In 20 minutes:** {ref}`What the paper reports <age-found>`, {ref}`One curve, step by step <age-step>`,
# {ref}`An odd curve is common by chance <age-odd>`, {ref}`Named beforehand, the planted curve is mostly found <age-named>`,
# {ref}`Can photographs lose the curve? <age-photographs>`, {ref}`Take-aways <age-take>`. **In 75 minutes:** everything, with both exercises.
#
# **You need:** a parabola, and what a 95 % interval is. The primer
# "[Δcos and social perception](../../book/primers/perception.md)" explains the measure.
#
# **Content note.** The paper reports a pattern that singles out Black women, and names a stereotype as a possible reading. The
# drawn faces on this page belong to invented groups; they stand for nobody.
# :::

# %% tags=["parameters", "hide-input"]
stimuli = "greenhouse/causalface"  # faces of which age varies alone: columns seed, race, gender, age …; an image set
root = ""  # folder of the images, where a set has one; empty or a folder
fairface = "greenhouse/fairface"  # observational faces with age bins (column years: what stands for the bin); an image set
utkface = "greenhouse/utkface"  # observational faces with ages in years, the paper's three races; an image set
utkface_released = "greenhouse/utkface/all"  # the same without the filter on race, as the code takes it; an image set
cosines = ""  # folder of the authors' released cosine tables, instead of images and model; empty or a folder
model = "greenhouse"  # encoder that looks at them; a model
prompts = "social_perception"  # dimensions, words, templates, neutral prompts; a prompt set
protocol = "released"  # whose samples give the headline, those of the text or of the code; one of: described, released
min_per_age = 40  # images that an age needs to be used where ages are balanced (the paper's code: 100, of a set six times as large); at least 1
n_resamples = 400  # bootstrap resamples of identities or photographs; at least 20
seed = 42  # seed of every random draw (the authors' code uses 42, too); at least 0
results = "_build/results/causalface/age.json"  # where this notebook writes the values it recomputes

# %% tags=["hide-input"]
from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd
from scipy import stats

import vlmbias as vb
from greenhouse import retrained
from greenhouse.world import grammar, grid, truth
from studies import made_here, roles, tables, words
from studies.causalface import age
from vlmbias.papers import CAUSALFACE

vb.figures.style()
planted_for = " ".join(grammar.load().bias.outlier.values())  # drawn faces: the group with a curve of its own
AGES = (0.8, 4.4)  # rendered levels: one span for all sets, so that bends can be compared
PHOTOS = ("FairFace", "UTKFace")

# %% [markdown]
# (age-found)=
# ## What the paper reports: the curve of one group is a U
#
# CLIP is a network that scores how well a picture fits a sentence. The authors show it computer-generated faces of the same people at ten ages.
# Nothing else is meant to differ between the pictures. They call the set CausalFace; we shall say *controlled faces*.
#
# For each face they compare how well two sentences fit: "a photo of a warm person", say, and "a photo of a person". The difference, Δcos, is the face's *score* for the trait. For each of six groups (women and men who look Asian, Black or White), they draw a parabola through the scores.
#
# "Black women stand out because of a U-shaped pattern in how warmly they are perceived, the opposite of
# the inverted U-shaped pattern for White women." They see the same for two more of their eight traits: Positive Agency (words such as
# *powerful*) and Positive Communion (such as *trustworthy*). The figure below draws these words; the paper prints no numbers for the curves.

# %% tags=["hide-input"]
claims = vb.ledger.table("causalface/age")
said_of = claims.set_index("claim")["printed"]
BENDS = {"U-shape": 1, "inverse U-shape": -1}  # the words of Figure S.3's caption
fig, ((axis,),) = vb.figures.panels(height=2.6)
u = np.linspace(-1, 1, 60)
for place, group in enumerate(CAUSALFACE.crossed):
    alone = group == CAUSALFACE.outlier
    bend = BENDS[said_of["age.s3-u" if alone else "age.s3-others"]]
    axis.plot(
        u,
        bend * (u**2 - 0.4) + 0.05 * place,
        color=vb.figures.PALETTE[1] if alone else "0.6",
        lw=3 if alone else 1.2,
    )
axis.text(0.98, 1.0, "Black women: U-shape", ha="right", va="bottom", color=vb.figures.PALETTE[1])
axis.text(0.0, 0.85, "the five other groups: inverse U-shape", ha="center", va="bottom", color="0.35")
axis.set(
    xticks=[-1, 0, 1],
    xticklabels=["young", "middle", "old"],
    yticks=[],
    ylabel="judged warm",
    ylim=(-0.75, 1.3),
)
vb.figures.show(
    fig,
    name="age-sketch",
    alt="A sketch of what the caption says: over age, the curve of Black women goes down and up again; those of five other groups go up and down.",
    caption="What the caption of Figure S.3 says of Warmth. Only the shapes are the paper's; the heights are ours.",
    source="paper:causalface, Figure S.3",
)

# %% [markdown]
# In FairFace and UTKFace, two large collections of photographs from the web, the authors do not see this curve. They conclude: "This suggests that
# uncontrolled attributes in FairFace and UTKFace make for noisy measurements and may hide interesting phenomena." They mention the
# stereotype of the "strong Black woman" as one possible reading. It does not fit competence, where scores of White and Black women fall with age. "Further investigation is crucial".
#
# **Their own limits.** The findings "refer to one specific CLIP variant". Ages vary at one expression, light and pose only. And "it would be
# premature to draw firm conclusions on whether CLIP differs significantly in age perception from humans".
#
# **Do the statements agree with each other?** Where two places say the same thing, they agree, apart from slips of wording.

# %%
claims = vb.ledger.table("causalface/age")
vb.ledger.show(claims)

# %% [markdown]
# ### What one may doubt
#
# **Is one odd curve among six surprising?** If a coin decided for each group whether its curve bends up or down, how often would exactly one group bend against all others?

# %%
# 64 ways to toss six coins; in 12 of them exactly one coin differs from all others
alone = 2 * 6 / 2**6
# the same group the only U in three or more of eight independent panels
three_of_eight = 6 * stats.binom.sf(2, 8, 1 / 2**6)
vb.note(alone=alone, three_of_eight=three_of_eight)

# %% [markdown]
# In {glue:text}`alone:.0%` of all *panels*, as we call a figure with six curves. So one panel shows little. The paper sees a U of the same group in three of eight panels. If each panel were six independent coins, the same group would be the only U in three or more of the eight in only {glue:text}`three_of_eight:.2%` of cases. But panels are not independent: Warmth and Positive Communion share most of their words.
#
# **How sure is a bend?** The figures show no margin of error. The authors' published tables hold the scores for their model; we {ref}`did not have them <causalface-not-run>`. For other models, we know of none.
#
# ## The protocol, run on {data}
#
# The controlled faces show the
# same people at every age. In the two other sets, everybody is shown once, and smile, light and pose vary along with age.
#
# {.if-run}
# In this edition, what is shown comes from our laboratory, the *Greenhouse*: {glue:text}`drawn`. A *hue* (teal, amber or violet) stands for race, a *crest* (budded or eared) for gender. Two sets of drawings
# imitate FairFace and UTKFace ([pictures](../greenhouse/gallery.ipynb), and [what this world can and cannot show](../../book/greenhouse/limits.md)). For one group we *planted* a curve of its own: the captions from which the network learned call it warm more often when young and when old than in between. We follow this group.
#

# %% tags=["hide-cell"]
PROTOCOLS = {
    "described": dict(fairface_least=min_per_age, utkface=utkface),
    "released": dict(fairface_least=None, utkface=utkface_released),
}
look = partial(vb.perceive, model=model, words=prompts, cosines=cosines)
faces = look(stimuli, root=root)
photos = {name: look(name) for name in {fairface, utkface, utkface_released}}
who = roles.of(faces, CAUSALFACE)

# %% tags=["hide-input"]
if planted_for in who.groups:  # drawn faces: follow the group for which a curve was planted
    who = who.with_outlier(planted_for)
samples = {}
for name, chosen in PROTOCOLS.items():
    samples[name, "CausalFace"] = age.controlled(faces, who.groups)
    samples[name, "FairFace"] = age.photographs(
        photos[fairface], who.groups, min_count=chosen["fairface_least"], seed=seed
    )
    samples[name, "UTKFace"] = age.photographs(
        photos[chosen["utkface"]], who.groups, min_count=min_per_age, seed=seed
    )
made = made_here.of_ours(faces)
called = {"CausalFace": "the controlled faces"} | {
    name: f"the imitation of {name}" if made else name for name in PHOTOS
}
followed = {"described": "the text", "released": "the code"}[protocol]
vb.note(drawn=made, singled_out=who.outlier)

# %% tags=["hide-cell"]
here = {name: samples[protocol, name] for name in age.SETS}
one = here["CausalFace"]
tables.readable(one[["seed", "race", "gender", "age", *age.TRAITS]].head(3))

# %% [markdown]
# (age-step)=
# ### One curve, step by step
#
# We stretch the ages of every set from −1 to 1 and call them $u$. The *bend* of a parabola is then the number before $u^2$: how far the mean of the curve's two ends lies above its middle (for a U, it is positive). Here it is in units of Δcos × 100.

# %%
# one curve: Warmth of the group that is followed, where age alone varies
own = one[one["group"] == who.outlier]
u = np.interp(own["level"], [one["level"].min(), one["level"].max()], [-1, 1])
bend, slope, middle = np.polyfit(u, own["warmth"], 2)
assert np.isclose(bend, age.bends(one).loc["warmth", who.outlier])

# %% tags=["hide-input"]
vb.note(bend=bend)
sources = (
    roles.sources(faces)
    if faces.source == "greenhouse"
    else [f"real:{one.stimuli}" for one in (faces, photos[fairface], photos[utkface])]
)
lines, dots, u = [], [], np.linspace(-1, 1, 40)
for name, own in here.items():
    panel = called[name].removeprefix("the ") + ": "
    for fit in age.curves(own, ["warmth", "competence"]).dropna(subset="curvature").itertuples():
        height = fit.middle + fit.slope * u + fit.curvature * u**2
        ages = np.linspace(own["level"].min(), own["level"].max(), len(u))
        lines.append(
            pd.DataFrame({"panel": panel + fit.dimension, "group": fit.group, "age": ages, "value": height})
        )
    means = (
        own.groupby(["group", "level"])[["warmth", "competence"]]
        .mean()
        .melt(ignore_index=False, var_name="panel")
    )
    dots.append(means.assign(panel=panel + means["panel"]).rename_axis(["group", "age"]).reset_index())
vb.figures.show(
    vb.figures.levels(
        pd.concat(lines, ignore_index=True),
        level="age",
        value="value",
        group="group",
        panel="panel",
        points=pd.concat(dots, ignore_index=True),
        colours=who.colours,
        heavy=[who.outlier],
        dashed=who.having("male"),
        level_label="age (controlled faces: rendered level; photographs: years)",
        value_label="Δcos × 100",
    ),
    name="age-three",
    alt=f"Warmth and Competence against age for six groups in three sets of faces; {who.outlier} in a heavy line.",
    caption=f"As Figure 5: dots are means per age, lines are parabolas through single images. Heavy line: {who.outlier}; dashed lines: {who.called['male']}. "
    f"Photographs as {followed} takes them.",
    source=sources,
)

# %% [markdown]
# The heavy line is {glue:text}`singled_out`. Its bend in the first panel is {glue:text}`bend:+.2f`. How sure is it? We draw people at random from each set, with replacement, fit the curves again, and repeat this {glue:text}`resamples` times. We draw people, because pictures of one person resemble each other.
#
# A group's bend minus the mean bend of the five others is its *excess bend*.

# %%
def with_interval(draws):
    """Each trait's bend, its 95 % interval and standard error; draw 0 is the data."""
    again = draws.drop(0, level="draw").groupby("trait")
    ends = {"low": again.quantile(0.025), "high": again.quantile(0.975)}
    value = draws.xs(0, level="draw")
    return pd.DataFrame({"value": value, **ends, "se": again.std(ddof=0)})


bent = {}
for name, one in here.items():
    draws = age.resampled(one, n=n_resamples, seed=seed)
    parts = {
        "outlier": draws[who.outlier],
        "others": draws[list(who.others)].mean(axis="columns", skipna=False),
        "excess": age.excess(draws, who.outlier),
    }
    bent[name] = pd.concat({part: with_interval(own) for part, own in parts.items()})

excess = {name: table.loc[("excess", "warmth")] for name, table in bent.items()}

# %% tags=["hide-input"]
fig, axes = vb.figures.panels(1, 3, height=4.8, share_y=True)
place = np.arange(len(age.TRAITS))[::-1]
for axis, (name, table) in zip(axes[0], bent.items(), strict=True):
    for part, shift, colour in (("outlier", 0.16, who.colours[who.outlier]), ("others", -0.16, "0.45")):
        own = table.loc[part].loc[age.TRAITS]
        axis.hlines(place + shift, own["low"], own["high"], color=colour, lw=2)
        axis.plot(
            own["value"],
            place + shift,
            "s" if part == "outlier" else "o",
            color=colour,
            label=who.outlier if part == "outlier" else "mean of the others",
        )
    axis.axvline(0, color="0.6", lw=1)
    axis.set(
        yticks=place,
        yticklabels=[name.replace("_", " ") for name in age.TRAITS],
        title=called[name].removeprefix("the ").replace(" of ", "\nof "),
    )
    axis.margins(x=0.12)
    axis.locator_params(axis="x", nbins=3)
fig.supxlabel("bend, Δcos × 100 (right: U, left: inverse U)", fontsize=11)
fig.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper left", ncols=2)
width = {name: float(table.loc["outlier"]["se"].median()) for name, table in bent.items()}
wider = {name: width[name] / width["CausalFace"] for name in PHOTOS}
vb.figures.show(
    fig,
    name="age-curvature",
    alt=f"Bend over age of {who.outlier} and of the mean of the other groups, eight traits, three sets of faces. The standard error is "
    f"{wider['FairFace']:.1f} and {wider['UTKFace']:.1f} times that of the controlled set in the two others.",
    caption=f"Bends with 95 % intervals (bootstrap over people), photographs as {followed} takes them. Each panel has its own scale.",
    source=sources,
)
vb.note(
    wider=wider,
    resamples=n_resamples,
    called=called,
)
vb.holds(
    bends_more=bool(
        excess["CausalFace"]["low"] > 0
        and all(excess[name]["low"] < 0 < excess[name]["high"] for name in PHOTOS)
    ),
    wider_here=bool(min(wider.values()) > 2),
)

# %% [markdown]
# [With the controlled faces, the curve of {glue:text}`singled_out` for Warmth bends more upwards than the mean of the others. In both other sets, it cannot be distinguished from that mean.]{.holds #bends_more}
#
# [The margin of error of a bend is {glue:text}`wider.FairFace:.1f` times as wide in {glue:text}`called.FairFace`
# as in the controlled faces, and {glue:text}`wider.UTKFace:.1f` times in {glue:text}`called.UTKFace`.]{.holds #wider_here} With so wide a margin, a U may be there and not be seen. (Our sets are small; the paper uses many times as many pictures.)

# %% tags=["hide-cell"]
for name, chosen in PROTOCOLS.items():
    people = replace(
        photos[chosen["utkface"]], stimuli=photos[utkface].stimuli
    )  # one set, with or without its filter
    seen = {"CausalFace": faces, "FairFace": photos[fairface], "UTKFace": people}
    holds = age.claims({which: age.curves(samples[name, which]) for which in age.SETS}, who, widths=width)
    for claim, value in holds.items():
        # statements that name groups of people are recorded where the faces show people
        if faces.source == "greenhouse" and claim not in age.NAMES_NO_GROUP:
            continue
        about = [seen[which] for which in age.about(claim)]
        vb.ledger.record(f"age.{claim}", value, results=results, stimuli=about, model=faces, protocol=name)
    for claim, which in (("s4-equal", "FairFace"), ("s5-equal", "UTKFace")):
        equal = samples[name, which]["level"].value_counts().nunique() == 1  # every age has as many pictures
        vb.ledger.record(
            f"age.{claim}", equal, results=results, stimuli=seen[which], model=seen[which], protocol=name
        )

# %% [markdown]
# ## What this method can see: a bend that was named beforehand
#
# In the [Greenhouse](../../book/greenhouse/limits.md) we know the right answer, because we wrote the captions from which small networks learn. Now we look at many of them:
#
# - In the captions of {glue:text}`networks` networks, {glue:text}`outlier` is the group with a planted curve.
# - In those of {glue:text}`nulls` further networks, the *null networks*, all groups are spoken of alike.
#
# We show the same pictures to all. Bends are now in *logits*: 0.1 logits more mean that the odds of a word are about 10 % higher.
#
# (age-odd)=
# ### An odd curve is common by chance
#
# Like somebody who looks at a figure, we search for a group that bends against all others.

# %%
portraits = retrained.scores("grid")  # what every network made of every picture
world = roles.greenhouse_roles(CAUSALFACE).with_outlier(planted_for)
# leaves out two experiments of other pages
usual = portraits.networks["condition"] == "none"
networks = age.in_networks(
    portraits, "CausalFace", world.groups, networks=usual, span=AGES
)
bends = networks[list(world.groups)]  # one row per network and trait
up = (bends > 0).sum(axis="columns")
networks["excess"] = age.excess(bends, planted_for)
networks["some_alone"] = up.isin([1, 5])
networks["only_outlier"] = (bends[planted_for] > 0) & (up == 1)
warmth = networks[networks["dimension"] == "warmth"]
null, full = (warmth[warmth["b"] == b] for b in (0, 1))
show = ["network", *world.groups, "excess", "some_alone", "only_outlier"]
renamed = {"excess": "excess bend", "some_alone": "one against all others"}
renamed["only_outlier"] = "is the only U"
tables.readable(null[show].head(3), precision=3, names=renamed).hide(axis="index")

# %% [markdown]
# Each row is a null network, with the bend of each group's curve for Warmth. The last column is about {glue:text}`outlier`.

# %%
odd = words.among(int(null["some_alone"].sum()), len(null))
lone_u = words.among(int(full["only_outlier"].sum()), len(full))

# what captions say of age bends the curves of all groups alike: take it away
bends = null[list(world.groups)]
ups = (bends - bends.to_numpy().mean() > 0).sum(axis="columns")
odd_centred = int(ups.isin([1, 5]).sum())



def only_in_three(curves, less=0):
    """Per network: is one group the only U in three traits, with `less` taken from all bends?"""
    up = curves[list(world.groups)].sub(less, axis=0) > 0
    only = up[up.sum(axis=1) == 1].groupby(curves["network"]).sum()  # traits, per group
    return only.reindex(curves["network"].unique(), fill_value=0).max(axis=1) >= 3


# the same group is the only U in how many traits? all eight, null networks; then with a U planted
every, planted = (networks[networks["b"] == b] for b in (0, 1))
is_thrice = only_in_three(every)
thrice, planted_thrice = int(is_thrice.sum()), int(only_in_three(planted).sum())

# %% tags=["hide-cell"]
# both if all curves bent together by another amount: centre each trait, then shift it
of_trait = every.groupby("dimension")[list(world.groups)]
centre = of_trait.mean().mean(axis=1)
sd = (of_trait.var(ddof=0) + (of_trait.mean().sub(centre, axis=0)) ** 2).mean(axis=1) ** 0.5
NULL, PLANTED = "only U in three traits", "the same, U planted"
together = []
for towards_inverse_u in (0, 0.5, 1, 1.25, 1.5, 1.75, 2, 2.25, 2.5, 3, 4):  # standard deviations
    less = centre + towards_inverse_u * sd
    up = every[list(world.groups)].sub(every["dimension"].map(less), axis=0) > 0
    one_odd = up[every["dimension"] == "warmth"].sum(axis=1).isin([1, 5]).sum()
    row = {"common inverse U, SD": towards_inverse_u, "one odd curve, Warmth": one_odd}
    for name, own in {NULL: every, PLANTED: planted}.items():
        row[name] = only_in_three(own, own["dimension"].map(less)).sum()
    together.append(row)
together = pd.DataFrame(together)
tables.readable(together, precision=2).hide(axis="index")

# %% tags=["hide-input"]
odd_rate = vb.networks.rates({"odd": null["some_alone"]}).iloc[0]
centred = vb.networks.rates({"odd": ups.isin([1, 5])}).iloc[0]
thrice_rate = vb.networks.rates({"thrice": is_thrice}).iloc[0]
three_u, one_odd = together[NULL], together["one odd curve, Warmth"]
taught = together[together[PLANTED] > 0]  # the bends at which a planted U shows
vb.holds(
    above_coins=bool(odd_rate["low"] > alone),
    as_coins=bool(centred["low"] <= alone <= centred["high"]),
    thrice_rare=bool(thrice <= 0.05 * len(null)),
    rarer=bool(thrice < null["some_alone"].sum() and (three_u <= one_odd).all()),
    planted_rare=bool(planted_thrice / len(full) <= thrice / len(null)),
    tells_between=bool(
        np.ptp(taught.index) + 1 == len(taught)
        and 0 < taught.index.min() < taught.index.max() < together.index.max()
        and (taught[PLANTED] / len(full) > taught[NULL] / len(null)).all()
    ),
    only_u_missed=bool((full[planted_for] > 0).all() and full["only_outlier"].mean() < 0.2),
)
vb.note(
    thrice=words.among(thrice, len(null)),
    thrice_high=thrice_rate["high"],
    thrice_dial={"low": int(three_u.min()), "high": int(three_u.max())},
    thrice_planted=words.among(planted_thrice, len(full)),
    taught={
        "from": taught["common inverse U, SD"].min(),
        "to": taught["common inverse U, SD"].max(),
        "planted": f"{taught[PLANTED].min()} to {taught[PLANTED].max()} of the {len(full)}",
        "null": f"{taught[NULL].min()} to {taught[NULL].max()} of the {len(null)}",
    },
    bend_most=together["common inverse U, SD"].max(),
    odd_centred=words.among(odd_centred, len(null)),
    outlier=planted_for,
    odd=odd,
    lone_u=lone_u,
    networks=len(full),
    nulls=len(null),
)

# %% [markdown]
# [In {glue:text}`odd` null networks, some group bends against all others, more often than with coins ({glue:text}`alone:.0%`).]{.holds #above_coins} One reason: in the captions, age bends the warmth of all groups a little in the same direction. The five other curves then mostly agree, and one that happens to bend the other way is odd. With coins, the five must agree by luck, too. [If we take the mean bend away, it is {glue:text}`odd_centred`, about as often as with coins.]{.holds #as_coins} So the share depends on how all curves bend. It also depends on whom one shows: all networks saw the same people.
#
# The paper reports more: a U, of the same group, in three traits. [In {glue:text}`thrice` null networks, some group is the only U in at least three of the eight traits]{.holds #thrice_rare} (95 % interval: up to {glue:text}`thrice_high:.0%`).
#
# But a stricter pattern is always rarer. Is it more common where we planted a U for {glue:text}`outlier`, in three traits as in the paper? [No: it is there in {glue:text}`thrice_planted`.]{.holds #planted_rare} [In all these networks, the curve of {glue:text}`outlier` for Warmth bends upwards, but this curve is the *only* U in {glue:text}`lone_u`: another group's bends upwards, too.]{.holds #only_u_missed} So a search for the one curve that bends against all others can miss a planted one.
#
# :::{dropdown} Details: the same if all curves bend down
# In the paper, the other curves bend down. [So we took the mean bend of each trait away, and bent all eight curves down by the same amount (table in the folded cell above), from none to {glue:text}`bend_most:.0f` standard deviations (of bends in null networks). Of the {glue:text}`nulls` null networks, {glue:text}`thrice_dial.low` to {glue:text}`thrice_dial.high` then show the pattern; for each amount, at least as many show one odd curve for Warmth.]{.holds #rarer}
#
# [With a common bend of {glue:text}`taught.from:.2f` to {glue:text}`taught.to:.2f` standard deviations, a middle amount, the pattern (a U of whichever group) is more frequent where it was planted: there, it is in {glue:text}`taught.planted` planted networks, and in {glue:text}`taught.null` null networks. At the other bends that we tried, it is in no planted network.]{.holds #tells_between} In the caption of Figure S.3, the five other curves of these three traits do bend down. How far in this unit, is not known.
# :::
#
# (age-named)=
# ### Named beforehand, the planted curve is mostly found
#
# Now we name the group, the trait and the direction before we look: does the curve of {glue:text}`outlier` for Warmth have a positive excess bend? A network *shows the curve* if its excess bend is larger than in 90 % of the null networks. By chance alone, one network in ten would pass.
#
# How strongly captions speak of the curve is a number *b*: 0 for the null networks, 1 (full strength) for the networks above. Some further networks lie in between.

# %%
# one network: six parabolas, the excess of one group, and its p-value
shown = portraits.images[age.over_age(portraits.images, "CausalFace", world.groups)]
number = portraits.networks.query("condition == 'none' and b == 1").index[0]
scores = portraits.scores[number, shown.index]
scale = portraits.networks.loc[number, "logit_scale"]  # from cosines to logits
column = list(portraits.columns).index
judged = scale * (scores[:, column("warmth")] - scores[:, column("neutral")])
u = np.interp(shown["age"], AGES, [-1, 1])
group = shown["race"] + " " + shown["gender"]
bend = {}
for name in world.groups:
    bend[name], slope, middle = np.polyfit(u[group == name], judged[group == name], 2)
excess = bend[planted_for] - np.mean([bend[name] for name in world.others])
p = (1 + (null["excess"] >= excess).sum()) / (1 + len(null))
print(f"excess {excess:+.2f} logits; p = {p:.3f}")
assert np.isclose(excess, full["excess"].iloc[0])

# %%
# all networks: whose p among null networks is at most 0.1?
p = vb.networks.among_null(warmth["excess"], warmth["b"] == 0)
hits = vb.networks.rates({"named": p[warmth["b"] == 1] <= 0.1}).loc["named"]

# %% tags=["hide-input"]
own = warmth
strengths = sorted(own["b"].unique())
places = own["b"].map(strengths.index) + (own["network"] * 0.618 % 1 - 0.5) * 0.5
nothing = own["b"] == 0
fig, ((axis,),) = vb.figures.panels(height=3.6)
axis.plot(places[nothing], own.loc[nothing, "excess"], "o", color="0.6", ms=5, label="null network")
axis.plot(
    places[~nothing],
    own.loc[~nothing, "excess"],
    "o",
    color=vb.figures.COLOURS["planted"],
    ms=6,
    label="network with a planted curve",
)
axis.axhline(
    np.sort(own.loc[nothing, "excess"])[-round(0.1 * (nothing.sum() + 1))],
    color="0.3",
    ls="--",
    lw=1,
    label="90 % of null networks lie below",
)
axis.axhline(0, color="0.8", lw=1, zorder=0)
axis.set(
    xticks=range(len(strengths)),
    xticklabels=[f"{b:g}" for b in strengths],
    xlabel="how strongly captions speak of the curve, b",
    ylabel="excess bend, logits",
)
fig.legend(*axis.get_legend_handles_labels(), loc="outside upper left", ncols=2)
vb.figures.show(
    fig,
    name="age-answer",
    alt=f"Excess bend of {planted_for} for Warmth, a dot for each network. At b = 1, {hits['hits']:.0f} of {hits['n']:.0f} networks lie above 90 % of the null networks.",
    caption=f"Excess bend of {planted_for} for Warmth, with controlled faces. A dot is a network. "
    f"Of the networks with b = 1, {hits['rate']:.0%} lie above the dashed line (95 % interval {hits['low']:.0%} to {hits['high']:.0%}).",
    source="greenhouse",
)
said = truth.per_face(
    grammar.load(), shown, b=1.0, axes=CAUSALFACE.dimensions
)  # as the captions speak of each face
spoken = age.excess(age.bends(age.pictures(shown, said, world.groups), span=AGES), planted_for)["warmth"]
PAPER = {"FairFace": 38_744, "UTKFace": 14_630}  # photographs that the paper uses
vb.note(
    by_name=words.among(int(hits["hits"]), int(hits["n"])),
    learnt=full["excess"].mean(),
    spoken=float(spoken),
)
limit_by_name = np.sort(own.loc[nothing, "excess"])[-round(0.1 * (nothing.sum() + 1))]
by_strength = [float((own.loc[own["b"] == b, "excess"] > limit_by_name).mean()) for b in strengths[1:]]
vb.holds(
    fewer_if_weak=bool(max(by_strength[:-1]) < by_strength[-1]),
    found_named=bool(hits["rate"] > 0.5),
)

# %% [markdown]
# [At full strength, {glue:text}`by_name` networks show the curve:]{.holds #found_named} their dots lie above the dashed line. [With weaker curves, fewer do.]{.holds #fewer_if_weak} Even at full strength, they learnt only a part of it: an excess bend of {glue:text}`learnt:+.2f` logits on average, where the captions have {glue:text}`spoken:+.2f`.
#
# (age-photographs)=
# ### Can photographs lose the curve?
#
# The authors suspect uncontrolled attributes. We go from controlled faces to imitated photographs one step at a time. We take one network with a planted curve, and draw many sets of {glue:text}`pictures` pictures of adults for each step.

# %% tags=["hide-cell"]
looks = {}
for name in age.SETS:
    looks[name] = vb.perceive(f"greenhouse/{name.lower()}", "greenhouse")
unit = looks["CausalFace"].logit_scale
controlled = age.controlled(looks["CausalFace"], world.groups, scale=unit)
photographed = {}
for name in PHOTOS:
    photographed[name] = age.photographs(
        looks[name], world.groups, min_count=None, seed=seed, over="age", scale=unit
    )
size = min(600, *(len(one) for one in (controlled, *photographed.values())))
found = []
for name, one in photographed.items():
    rng = np.random.default_rng(seed)
    for step, draw in age.steps(controlled, one, size).items():
        for _ in range(max(n_resamples // 4, 20)):
            bends = age.bends(draw(rng), ["warmth"], span=AGES)
            found.append((name, step, age.excess(bends, planted_for)["warmth"]))
estimates = pd.DataFrame(found, columns=["set", "step", "excess"])

# the same where people differ half as much: how far a person's mean score lies from the mean
# of the group, halved
means = controlled.groupby(["group", "person"])["warmth"].transform("mean")
personal = means - controlled.groupby("group")["warmth"].transform("mean")
own = controlled.assign(warmth=controlled["warmth"] - 0.5 * personal)
draw, rng = list(age.steps(own, photographed["FairFace"], size).values())[1], np.random.default_rng(seed)
alike = np.std([  # the spread with other people
    age.excess(age.bends(draw(rng), ["warmth"], span=AGES), planted_for)["warmth"]
    for _ in range(max(n_resamples // 4, 20))
])

# %% tags=["hide-input"]
answer = float(
    age.excess(age.bends(controlled, span=AGES), planted_for)["warmth"]
)  # with all its controlled pictures
by_step = estimates.groupby(["set", "step"], sort=False)["excess"]
spreads = pd.DataFrame(
    {
        "middle": by_step.median(),
        "low": by_step.quantile(0.025),
        "high": by_step.quantile(0.975),
        "sd": by_step.std(ddof=0),
    }
)
steps = spreads.loc["FairFace"]["sd"]
vb.figures.show(
    vb.figures.forest(
        spreads.loc["FairFace"].reset_index(),
        estimate="middle",
        low="low",
        high="high",
        label="step",
        reference=answer,
        value_label="excess bend for Warmth, logits; bar: the middle 95 % of sets",
    ),
    name="age-lost",
    alt="Range of the excess bend found with sets of equal size. Standard deviations: "
    + "; ".join(f"{step}: {sd:.3f}" for step, sd in steps.items())
    + ".",
    caption=f"What one network shows in sets of {size} pictures. Each step keeps the changes of those above it; the last is the imitation of FairFace. "
    f"Line: the excess bend with all {len(controlled):,} controlled pictures.",
    source="greenhouse",
)
same, other, common, photograph = steps.index
ends = steps[[other, common]] * np.sqrt(size / PAPER["FairFace"])
utk = spreads.loc[("UTKFace", common), "sd"] * np.sqrt(size / PAPER["UTKFace"])
power = {  # in what share of sets a test (p < .05) would find the bend
    "paper": stats.norm.cdf(answer / ends[common] - 1.96),
    "half": stats.norm.cdf(answer / 2 / ends[common] - 1.96),
    "utkface": stats.norm.cdf(answer / utk - 1.96),
}
vb.note(
    pictures=size,
    spread={
        "other": steps[other] / steps[same],
        "logits": steps[common],
        "paper": ends[common],
        "utkface": utk,
    },
    answer=answer,
    power=power,
)
vb.holds(
    blurred=bool(steps[common] > answer),
    paper_clear=bool(power["paper"] > 0.8),
    half_missed=bool(power["half"] < 0.7 and power["utkface"] < 0.7),
    people_set_it=bool(alike < 0.7 * steps[other]),
)

# %% [markdown]
# With *other people* at every age (second bar), the answers spread
# {glue:text}`spread.other:.0f` times as widely as with the same people (first bar). If the same people are seen at every age, differences between people cancel out of the curve. [So the factor depends on how much people differ (here by clothes and hair, as our captions let them): with half the difference, the bar would be narrower.]{.holds #people_set_it}
#
# In the third bar, old people are also as rare as in FairFace. The last bar has everything else that varies in photographs, such as smile, light and pose.
#
# **How much is lost depends on the size of the set.** [In sets of {glue:text}`pictures` (third bar), the spread is {glue:text}`spread.logits:.2f` logits, more than the bend itself ({glue:text}`answer:.2f`).]{.holds #blurred}
#
# A spread shrinks with the square root of the number of pictures. [With FairFace's 38,744 photographs it would be about {glue:text}`spread.paper:.2f`, and a test (*p* < .05) would find this bend in {glue:text}`power.paper:.0%` of sets.]{.holds #paper_clear} [It would find a bend half as strong in {glue:text}`power.half:.0%`. With UTKFace's 14,630 (the code uses only a part of these), it would find this bend itself in {glue:text}`power.utkface:.0%`.]{.holds #half_missed}
#
# ### What goes along with age can bend the curve in a set of any size
#
# In photographs, clothes, for example, may go along with age. We draw six sets of 60,000 people for each imitation, and give each picture the score that follows from the rules of neutral captions (no network is needed). Nothing was planted, so the excess bend should lie around zero.

# %%
large = {}
for name, draw, clothes in (
    ("FairFace", grid.fairface, 1.0),
    ("UTKFace", grid.utkface, 1.0),
    # without clothes that go along with hue, age and smile
    ("UTKFace", grid.utkface, 0.0),
):
    for number in range(100, 106):
        crowd = draw(60_000, number, unrecorded=clothes)
        crowd = crowd[crowd["years"] >= age.ADULT].reset_index(drop=True)
        counted = truth.per_face(grammar.load(), crowd, b=0.0, axes=["warmth"])
        crowd = age.pictures(crowd, counted, world.groups)
        bend = age.excess(age.bends(crowd, ["warmth"], span=AGES), planted_for)
        large.setdefault((name, clothes), []).append(bend["warmth"])
stays = vb.networks.one_sample({key: np.array(own) for key, own in large.items()})

# %% tags=["hide-input"]
stays = {f"{name}_{clothes:.0f}": stays.loc[(name, clothes)] for name, clothes in large}
vb.note(stays={key: own["mean"] for key, own in stays.items()})
vb.holds(
    stays=bool(
        stays["UTKFace_1"]["high"] < 0
        and abs(stays["UTKFace_0"]["mean"]) < abs(stays["UTKFace_1"]["mean"]) / 2
    ),
    fairface_chance=bool(stays["FairFace_1"]["low"] < 0 < stays["FairFace_1"]["high"]),
)

# %% [markdown]
# [In the imitation of FairFace, there is no clear excess bend ({glue:text}`stays.FairFace_1:+.2f` on average).]{.holds #fairface_chance} [In that of UTKFace, there is one of {glue:text}`stays.UTKFace_1:+.2f`. We tied clothes to hue, age and smile; without this, it is {glue:text}`stays.UTKFace_0:+.2f`.]{.holds #stays}

# %% [markdown]
# ### What this means for the paper
#
# With the authors' design, the same people at every age, a bend can be measured well in one model, as long as the program that makes the faces changes nothing else with age ([Confounds](../greenhouse/confounds.ipynb)). That the curve is not seen in UTKFace says little against it: other people at every age may hide it. In a set as large as FairFace, they would mostly not hide a curve like ours, but could hide one half as strong; how strong CLIP's is, is not known. And what goes along with age may hide a curve in a set of any size.
#
# Two things are missing. *A margin of error for each bend:* it can be computed from the scores that the authors publish. *A fresh test:* the group and its U were noticed in the figure. Now they can be tested in other models with the same pictures.

# %% [markdown]
# ## Where paper and code differ
#
# :::{dropdown} What differs, point by point
# From an audit of the authors' repository at commit `a2daa85`:
#
# | | what the paper says | what the code does | here |
# |---|---|---|---|
# | curves (H13) | "a second-degree polynomial is fit", to means in Figure 3 | it fits single images in Figures 5 and S.3–S.5 | single images |
# | UTKFace (H3) | it takes White, Black and Asian people | it does not filter by race in these figures; all races count when ages are balanced | `utkface` and `utkface_released` |
# | ages in UTKFace | "an equal number of samples for each age range" | it uses ages with at least 100 images, and draws as many of each as the rarest has | `min_per_age` |
# | FairFace (H6) | the same | it draws no sample; an age is the middle of its bin, and the last bin counts as 70 | `protocol` |
# | traits (H12) | "Fig. 5 shows only the results for Agency" | it shows Warmth and Competence, as the caption says | all eight are measured |
# :::
#
# :::{admonition} Rerun this with your own parameters
# :class: tip
# ```
# .venv/bin/vlmbias run causalface/age -p protocol=described -p min_per_age=20
# ```
# With the authors' released scores no image and no model is needed: `-p stimuli=causalface -p fairface=fairface -p utkface=utkface -p
# utkface_released=utkface/all -p min_per_age=100 -p cosines=path/to/results -p prompts=social_perception/released`.
# :::

# %% [markdown]
# (age-take)=
# ## Take-aways
#
# - Name the group, the trait and the direction before you look, because among six curves some curve is often the odd one.
# - A stricter pattern is always rarer: ask how often it comes out where the curve is there.
# - Give every bend an interval, and resample people, not pictures.
# - To study a curve over age, show the same people at every age, and all ages equally often.
# - A curve that is not seen in a noisier set is not shown to be absent.

# %% [markdown]
# ## Exercises
#
# :::{exercise} Three groups instead of six
# :label: age-three-groups
# :level: introductory
# :minutes: 5
# :code: no
# Of *six* groups, one is alone with its sign in {glue:text}`alone:.0%` of panels if a coin tosses the signs. What is the share among three groups?
# :::
#
# ```{solution-start} age-three-groups
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
tosses = np.array(np.meshgrid([0, 1], [0, 1], [0, 1])).reshape(3, -1).sum(axis=0)
share = np.isin(tosses, [1, 2]).mean()
print(f"{share:.0%}, that is 2 · 3 / 2³: only if all three bend the same way is nobody alone")
assert share == 2 * 3 / 2**3

# %% [markdown]
# Of eight equally likely outcomes all three signs agree in two; in the six others exactly one group stands alone. So one odd group of three is no finding.
#
# ```{solution-end}
# ```
#
# :::{exercise} A bend made by a bin
# :label: age-bin
# :level: intermediate
# :minutes: 15
# :code: yes
# FairFace counts everybody over 70 as 70. Suppose warmth rises steadily with age, by one unit per ten years, up to the age of a hundred. There are as many
# people of each age. What curvature does a quadratic find over the ages 20 to 70? (`vb.quadratics` fits it.)
# :::
#
# ```{solution-start} age-bin
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
true_age = np.arange(20, 101)
straight = vb.quadratics(true_age[:, None] / 10.0, np.minimum(true_age, 70), span=(20, 70))
print(f"curvature {straight[2, 0]:+.2f}: a U out of a straight line")
assert straight[2, 0] > 0.1

# %% [markdown]
# People over 70 have the warmth of their own age, but are counted at the end of the axis. The mean there then lies above the straight line, and the quadratic bends up to meet it. A U for a group that has many old members may come from this alone.
#
# ```{solution-end}
# ```

# %% [markdown]
# ## Questions to discuss
#
# 1. The paper offers the “strong Black woman” stereotype as a reading of the U-shape, and notes that it does not fit competence. What would count as evidence for or
#    against a reading of this kind, in a model and its captions?
# 2. A synthetic face of sixty is a generator's idea of sixty. Which trajectories belong to the model under study, and which to the model that drew the faces?
