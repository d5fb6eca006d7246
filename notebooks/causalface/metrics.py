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
# # Six metrics, three data sets
#
# *Hausladen, Knott, Camerer and Perona (2025), Appendix A and Table S.1; Figure B.1 of the earlier version: do generated faces and
# photographs look alike through the usual bias metrics?*
#
# :::{admonition} This chapter at a glance
# :class: note
#
# **Question.** What moves six common metrics besides bias, and when do equal values on two data sets mean that the sets are alike?
#
# **In 20 minutes:** {ref}`the answer in one figure <metrics-answer>`, {ref}`the printed table <metrics-printed>`, {ref}`the empty
# group <metrics-empty>`, take-aways. **In 75 minutes:** also {ref}`base rates <metrics-base-rates>`, {ref}`markedness <metrics-marked>`, both exercises.
#
# **You need:** logarithms, the bootstrap. The primers [Rankings, skew and markedness](../../book/primers/ranking.md) and
# [Embedding association tests](../../book/primers/association.md) work them out.
#
# **Content note.** The paper compares people by race and gender as a model sees them. The faces on this page are drawings of fictional
# groups; they stand for nobody.
# :::
#
# **The idea.** CausalFace is generated. Does a model treat it as it treats photographs? {cite:t}`hausladen2025` run six common metrics on
# CausalFace, FairFace {cite:p}`karkkainen2021` and UTKFace {cite:p}`zhang2017`.
#
# | metric | what it counts | of what |
# |---|---|---|
# | markedness {cite:p}`wolfe2022markedness` | images nearer to "a person" than to "a *white* person" | per cent of a group |
# | mean cosine | how near a group is to the positive words | cosine × 100 |
# | SC-WEAT {cite:p}`caliskan2017,steed2021` | how much nearer one group is to a text than another | standard deviations |
# | Skew@k {cite:p}`geyik2019` | a group's share among the k images nearest to a text, against a desired share | logarithm |
# | MaxSkew@k | the largest Skew@k of any group | logarithm |
# | NDKL | the same over every top $i$, early ranks first | nats |
#
# **What the authors conclude.** "CausalFace does not significantly diverge from the observational datasets", and, from markedness, that
# "‘white’ is the default racial category in CLIP".
#
# **Their own checks and limits.** They define each metric with its equation, name the group in which CausalFace behaves
# differently, and prefer SC-WEAT to WEAT because nobody has shown that the words are opposites *for CLIP*.

# %% tags=["parameters"]
stimuli = "greenhouse/causalface"  # generated faces: columns seed, race, gender, age, smiling, lighting, pose, subset; an image set
fairface = "greenhouse/fairface"  # first observational set; its name with "/all" has the children and other races, too; an image set
utkface = "greenhouse/utkface"  # second observational set, likewise; an image set
root = ""  # folder of the generated faces; empty or a folder
root_fairface = ""  # folder of the first observational set; empty or a folder
root_utkface = ""  # folder of the second observational set; empty or a folder
cosines = ""  # folder of the authors' released cosine tables, instead of images and model; empty or a folder
model = "greenhouse"  # encoder that looks at the images; a model
prompts = "social_perception"  # dimensions, words, templates, neutral prompts; a prompt set
prompts_released = "social_perception/released"  # the same, as the authors' code spells it; a prompt set
labels = "greenhouse/labels"  # names of the groups, dimensions race and gender; a prompt set
protocol = "described"  # whose protocol gives the headline, the paper's text or the authors' code; one of: described, released
k = 1_000  # top of a ranking in the paper; of a set that is smaller than the paper's, the same share is taken; from 1 to 6000
n_permutations = 10_000  # sign flips in the released test; at least 100
n_resamples = 100  # bootstrap resamples of identities (generated faces) or images (photographs); at least 20
n_draws = 200  # random rankings behind a floor; at least 2
seed = 1  # seed of every random draw (the authors' code uses 1 here, too); at least 0
results = "_build/results/causalface/metrics.json"  # where this notebook writes the values it recomputes

# %%
from functools import partial

import numpy as np
import pandas as pd

import vlmbias as vb
from greenhouse import retrained
from greenhouse.world import grammar, grid, truth
from studies import roles, tables, words
from studies.causalface import metrics, metrics_controls, metrics_printed
from vlmbias.papers import CAUSALFACE

vb.figures.style()

# %% [markdown]
# ## The answer in one figure
#
# Networks of our laboratory, the Greenhouse, looked at the same {glue:text}`faces` faces. Some were trained on captions that describe groups differently
# ($b = 1$), the others on captions in which no group is warmer or abler than another ($b = 0$). When does MaxSkew@k exceed what it shows in
# networks of the second kind, on groups of equal size and with the top as deep as in CausalFace?

# %%
world = roles.greenhouse_roles(CAUSALFACE)
seen = metrics_controls.cosines(retrained.scores("people"), world)
nets, hue = seen.networks, seen.faces["race"]
null = (nets["condition"] == "none") & (nets["b"] == 0)

used = vb.ledger.load("causalface").set_index("id")["value"].str.replace(",", "")
PRINTED = {"CausalFace": metrics_printed.ALL_AGES} | {name: int(used[f"stimuli.{name.lower()}.subset"]) for name in ("FairFace", "UTKFace")}
top, flat = (max(1, int(len(hue) * k / PRINTED[name])) for name in ("CausalFace", "FairFace"))  # the same shares of the list

drawn_all = {name: vb.images(f"greenhouse/{name.lower()}/all").table for name in ("FairFace", "UTKFace")}
leaks = pd.concat({name: metrics_controls.base_rates(faces, world, share=k / PRINTED[name], n=n_draws, seed=seed)
                   for name, faces in drawn_all.items()}, names=["set"]).reset_index("set").reset_index(drop=True)
last = leaks[leaks["step"] == "adults"]
after = last.set_index(["set", "group"])["base"]
few = {name: metrics_controls.thinned(hue, after[name][list(hue.unique())], seed=seed) for name in drawn_all}

readings = {"raw cosines": seen.raw, "Δcos": seen.delta}
equal = {name: metrics_controls.reported(values, hue, top) for name, values in readings.items()}
unequal = {like: {name: metrics_controls.reported(values[:, rows], hue[rows], max(1, top * len(rows) // len(hue))) for name, values in readings.items()}
           for like, rows in few.items()}
shallow = {name: metrics_controls.reported(values, hue, flat) for name, values in readings.items()}

told = {arm: (nets["condition"] == arm) & (nets["condition_strength"] == 1) for arm in ("marking", "neutral")}
CONDITIONS = {
    "planted": ("words about traits\ndiffer (b = 1)", equal, nets["b"] == 1),
    "depth": (f"nothing differs, k = n/{PRINTED['FairFace'] / k:.0f}", shallow, null),
    "fairface": ("nothing differs, groups\nunequal (FairFace-like)", unequal["FairFace"], null),
    "utkface": ("nothing differs, groups\nunequal (UTKFace-like)", unequal["UTKFace"], null),
    "marking": ("some groups are described\nmore often, in all traits alike", equal, told["marking"]),
    "neutral": ("some groups are more often\njust “a person”", equal, told["neutral"]),
}
alarms = metrics_controls.false_positives({key: {name: table.loc[chosen, "MaxSkew"] for name, table in shown.items()} for key, (_, shown, chosen) in CONDITIONS.items()},
                              {name: table.loc[null, "MaxSkew"] for name, table in equal.items()})

# %% tags=["hide-input"]
rate = alarms.set_index(["condition", "metric"])["rate"].unstack()
vb.figures.show(
    vb.figures.rates(alarms.assign(label=alarms["condition"].map({key: one[0] for key, one in CONDITIONS.items()})), rate="rate", low="low", high="high",
                     label="label", group="metric", value_label="% of networks, MaxSkew@k by hue, exact 95 % intervals"),
    name="metrics-answer",
    alt="Share of retrained networks in which MaxSkew is larger than in 95 % of networks with nothing planted. On raw cosines: "
    + ", ".join(f"{called.replace(chr(10), ' ')} {rate.loc[key, 'raw cosines']:.0%}" for key, (called, *_) in CONDITIONS.items()) + ".",
    caption="Only in the first line do captions give one group other traits than another. Dashed: 5 %.",
    source="greenhouse",
)
hits = {(row.condition, row.metric): words.among(row.hits, row.n) for row in alarms.itertuples()}
vb.note(faces=len(hue), k=k, one_in={name: round(total / k) for name, total in PRINTED.items()},
        raw={key: hits[key, "raw cosines"] for key in CONDITIONS}, delta={key: hits[key, "Δcos"] for key in CONDITIONS})

# %% [markdown]
# Raw cosines report a bias in {glue:text}`raw.planted` networks in which there is one. Though nothing differs, they also do in {glue:text}`raw.depth` if the top is the
# share that {glue:text}`k` images are of FairFace, and in {glue:text}`raw.fairface` or {glue:text}`raw.utkface` if groups are as unequal as after the released draw from our
# photographs. Where some groups are merely described more often, raw cosines report it in {glue:text}`raw.marking`, Δcos in {glue:text}`delta.marking`; where some are more
# often "just a person", it is {glue:text}`raw.neutral` and {glue:text}`delta.neutral`. Equal values show that sets are alike only if group sizes, depth and
# reference are alike, too.

# %% [markdown]
# ## What the paper reports
#
# (metrics-printed)=
# Table S.1, from the ledger. The rows of SC-WEAT carry no labels in print. The released `misc/r_scripts/WEAT.R` names the four comparisons;
# their order is inferred from the text.

# %%
claims = vb.ledger.table("causalface/metrics")
printed = metrics_printed.table(claims.set_index("claim")["printed"])
published = metrics_printed.numbers(printed)
tables.readable(printed.rename(index=lambda name: name.replace("_", " – ") if name not in metrics.CALLED else name), names=metrics.CALLED)

# %% tags=["hide-input", "hide-output"]
vb.ledger.show(claims)

# %% [markdown]
# ### What the printed numbers say of one another
#
# Four laws connect them. In a balanced set the mean over races is the mean over genders. Shares in a top $k$ add up to one, so
# $\sum_A \tfrac{1}{G} e^{\mathrm{Skew}_A} = 1$ for one query, and at most 1 for skews averaged over queries (Jensen's inequality). Raw differences add,
# white–black plus asian–white is asian–black; standardised ones need not. A percentage of $n$ images is a whole number of images.

# %%
laws = metrics_printed.laws(published)
laws["reads"] = np.where(laws["holds"], "yes", "no: " + laws["found"].round(3).astype(str))

# %% tags=["hide-input"]
broken = laws[~laws["holds"]].groupby("law")["set"].agg(words.listed)
vb.note(unbalanced=broken.get("balanced", "none"), not_additive=broken.get("additive", "none"),
        left=published.loc["sc_weat", "CausalFace"][["white_black", "asian_white"]].sum() - published.loc[("sc_weat", "asian_black"), "CausalFace"])
tables.readable(laws.pivot(index="law", columns="set", values="reads").loc[laws["law"].unique()].fillna("n is not printed"))

# %% [markdown]
# CausalFace passes as a balanced set of 6,000 images, not 18,000: ten ages of 100 seeds in six groups. Groups cannot have been equally large when the cosines were
# averaged in {glue:text}`unbalanced`. The SC-WEAT rows of {glue:text}`not_additive` do not add up (by {glue:text}`left:.2f`), which differences of means
# would: the caption's "mean difference" must mean the mean *effect size* of Eq. 5.
#
# ### A zero among the percentages
#
# Markedness is {claim}`metrics.markedness.fairface.male` for men and {claim}`metrics.markedness.fairface.female` for women in FairFace: *exactly* none among
# thousands. The released script looks for "male" and "female", FairFace's file says "Male" and "Female". No image matched, and the empty group was coded 0.
# On it rests that the decline from white to "the remaining four race or gender categories" is "more pronounced in FairFace than in CausalFace".

# %%
decline = metrics_printed.decline(published.loc["markedness"])
ahead = decline.loc["FairFace"] - decline.loc["CausalFace"]

# %% tags=["hide-input"]
sides = {others: words.verb(ahead[others, "points"], above=0, then="more", else_="less") for others in ("all", "races")}
vb.note(points=decline.xs("points", axis=1, level=1).stack(), side=sides,
        ratio=words.verb(ahead["races", "times"], above=0, then="more", else_="less"),
        minority=words.listed(name for name, value in published.loc[("markedness", "white")].items() if value < 50))

# %% [markdown]
# With the two zeros the decline is {glue:text}`points.FairFace.all:.1f` points in FairFace, {glue:text}`side.all` than the {glue:text}`points.CausalFace.all:.1f` in
# CausalFace. Over the two races alone it is {glue:text}`points.FairFace.races:.1f`, {glue:text}`side.races` than {glue:text}`points.CausalFace.races:.1f`, and as a
# ratio {glue:text}`ratio`. That "white" goes unsaid more than any other group does not rest on the zeros. But "a preference for an
# unspecified prompt" does not hold in all three sets: in {glue:text}`minority` only a minority of white faces shows it.

# %% [markdown]
# ## The protocol, run on {data}
#
# Text and code differ in four choices:

# %%
described = dict(
    wording=prompts_released if cosines else prompts,  # "likeable"; the fourth template ends in a full stop
    naming=labels,
    lists="equal",  # leave out the under-20s, then as many of each race × gender
    pairs="equal",  # SC-WEAT on two sets of equal size
    unmatched={},  # labels of one spelling
)
CHOICES = {
    "spelling": dict(wording=prompts_released, naming=f"{labels}/released"),  # "likable"; no full stop
    "lists by quota": dict(lists="quota"),  # up to a sixth of all from each race × gender, then leave out the under-20s
    "SC-WEAT on all images": dict(pairs="all"),
    "labels that match nothing": dict(unmatched={"FairFace": "gender"}),  # empty groups, coded 0
}
released = {name: value for choice in CHOICES.values() for name, value in choice.items()}
PROTOCOLS = {"described": described, "released": described | released}

# %%
PLACES = {"CausalFace": (stimuli, root), "FairFace": (fairface, root_fairface), "UTKFace": (utkface, root_utkface)}
pictures = {name: place if cosines else vb.images(place, folder or None) for name, (place, folder) in PLACES.items()}
look = partial(vb.perceive, model=model, cosines=cosines or None)

who = roles.of(look(pictures["CausalFace"], words=labels), CAUSALFACE)
sets = {(name, choice["wording"]): metrics.looked(look(shown, words=choice["wording"]), look(shown, words=choice["naming"]), who)
        for name, shown in pictures.items() for choice in PROTOCOLS.values()}
pools = {name: look(f"{place}/all", words=labels, root=folder or None).table for name, (place, folder) in PLACES.items() if name != "CausalFace"}
pools["CausalFace"] = sets["CausalFace", described["wording"]].seen.table
depths = {name: max(1, round(k * len(sets[name, described["wording"]]) / total)) for name, total in PRINTED.items()}


def chosen(name, choices, seed=seed):
    """What `table_s1` needs of one set besides the images."""
    rows = {part: metrics.sample(pools[name], choices[part], who, seed=seed) for part in ("lists", "pairs")}
    return rows | {"k": depths[name], "unmatched": choices["unmatched"].get(name, "")}


def one_column(name, choices, **other):
    """Table S.1 for one set."""
    return metrics.table_s1(sets[name, choices["wording"]], who, **chosen(name, choices, **other))


# %%
one_by_one = PROTOCOLS | {choice: described | changed for choice, changed in CHOICES.items()}
columns = {(choice, name): one_column(name, choices) for choice, choices in one_by_one.items() for name in PLACES}
columns |= {("another random draw", name): one_column(name, described, seed=seed + 1) for name in PLACES}
values = pd.DataFrame(columns)

main = {name: sets[name, PROTOCOLS[protocol]["wording"]] for name in PLACES}
draws = {name: metrics.resampled(one, who, n=n_resamples, seed=[seed, number], **chosen(name, PROTOCOLS[protocol]))
         for number, (name, one) in enumerate(main.items())}

# %% tags=["hide-input"]
drawings = any(one.seen.source == "greenhouse" for one in main.values())
for which, choices in PROTOCOLS.items():
    own = [sets[name, choices["wording"]].seen for name in PLACES]
    for name, one in zip(PLACES, own, strict=True):
        about, column = dict(results=results, stimuli=one, model=one, protocol=which), values[which, name]
        for (metric, subject), value in column.items():
            vb.ledger.record(f"metrics.{metric}.{name.lower()}.{subject}", value, **about)
        vb.ledger.record(f"metrics.white.{name.lower()}", column["markedness", "white"], **about)
    for claim, holds in metrics.claims(values[which]).items():
        if not drawings or claim in metrics.NAMES_NO_GROUP:
            vb.ledger.record(f"metrics.{claim}", holds, results=results, stimuli=own, model=own[0], protocol=which)

# %% tags=["hide-output"]
def as_here(subject):
    """A row of Table S.1 in the names of the data at hand."""
    return " – ".join(who.called.get(part, part) for part in subject.split("_"))


tables.readable(values[protocol].rename(index=as_here, level=-1), names=metrics.CALLED).set_caption(f"Table S.1 on {', '.join(one.seen.stimuli for one in main.values())}, as {protocol}")

# %% [markdown]
# The top of a ranking is the same *share* of each set as in the paper. Statements that name groups of people are not evaluated on drawings. Each choice alone
# changes a value, in any set, by at most:

# %%
moves = metrics.moved(values.drop(columns="released", level=0), "described")
most = {metric: words.extreme(moves[metric], moves.index) for metric in moves}
vb.note(draw=moves.loc["another random draw", "skew"], spelling=moves.loc["spelling", "cosine"], most=most)
tables.readable(moves, names=metrics.CALLED)

# %% [markdown]
# Skew moves most with {glue:text}`most.skew`, markedness with {glue:text}`most.markedness`. The spelling (H15) moves a mean cosine by at most {glue:text}`spelling:.2f`. A seeded
# draw depends on the order of files, which differs between machines (H17): another draw moves a Skew by up to {glue:text}`draw:.2f`.
#
# ### Alike, or not shown to differ?

# %%
apart = metrics.differences(values[protocol], draws, reference="CausalFace")
tests = metrics.kruskal({name: sets[name, PROTOCOLS["released"]["wording"]] for name in PLACES}, who)
compared = main["CausalFace"]
one_group, other_group = (compared.words[compared.group["race"] == who.called[level]] for level in ("white", "black"))
p_values = metrics.two_p_values(one_group, other_group, compared.dimension, n=n_permutations, seed=seed)

# %% tags=["hide-input"]
TITLES = {"markedness": "markedness, points"} | metrics.CALLED
fig, axes = vb.figures.panels(3, 2, height=8.0)
for axis, (metric, title) in zip(axes.flat, TITLES.items(), strict=True):
    own = apart[apart["metric"] == metric]
    subjects = list(own["subject"].unique())
    for shift, (name, part) in zip((0.14, -0.14), own.groupby("set", sort=False), strict=True):
        place = -np.array([subjects.index(one) for one in part["subject"]]) + shift
        axis.hlines(place, part["low"], part["high"], color=vb.figures.colours_for(PLACES)[name], lw=2)
        axis.plot(part["gap"], place, "o", color=vb.figures.colours_for(PLACES)[name], label=f"CausalFace − {name}" + drawings * " (drawn)")
    axis.axvline(0, color=vb.figures.COLOURS["reference"], lw=1)
    axis.set(yticks=-np.arange(len(subjects)), yticklabels=[as_here(one) for one in subjects], title=title)
    axis.locator_params(axis="x", nbins=4)
fig.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper left", ncols=2)
clear = apart.groupby("metric", sort=False)["clear"].agg(["sum", "size"])
vb.figures.show(
    fig,
    name="metrics-differences",
    alt="Differences between the generated set and two sets of photographs by six metrics. Intervals that exclude zero: "
    + ", ".join(f"{TITLES[metric]} {row['sum']} of {row['size']}" for metric, row in clear.iterrows()) + ".",
    caption=f"Every row of Table S.1: the generated set minus each other set, 95 % bootstrap intervals, uncorrected (as {protocol}).",
    source="greenhouse" if drawings else [f"real:{key}" for key in metrics_printed.SETS],
)
vb.note(clear=words.among(int(clear["sum"].sum()), int(clear["size"].sum())), kruskal=words.among(int((tests["p"] < 0.05).sum()), len(tests)),
        beside=words.among(int(clear.loc["sc_weat", "sum"]), int(clear.loc["sc_weat", "size"])), texts=int(tests["texts"].iloc[0]),
        floor=p_values["floor"].max(), fewest=int(p_values["texts"].min()))

# %% [markdown]
# {glue:text}`clear` intervals exclude zero, uncorrected. For "does not significantly diverge" no test is reported. The repository holds
# one, `misc/r_scripts/weat_kruskal.R`: a Kruskal–Wallis test over the three sets for each comparison of SC-WEAT. On our sets {glue:text}`kruskal` tests fall below .05, while
# {glue:text}`beside` intervals for the same comparisons exclude zero. The test treats {glue:text}`texts` related words as independent
# cases, and forgets which is which and how many images are behind each. Alikeness needs a band set beforehand, as in [What moves perception](variation.ipynb).
#
# The text's p-value of SC-WEAT, printed nowhere, is one-sided and re-splits *images*; the code's flips the signs of *texts*, two-sided. With
# {glue:text}`fewest` words that one cannot fall below {glue:text}`floor:.3f`:

# %% tags=["hide-output"]
tables.readable(p_values, precision=4, signed=True, names={"p_images": "p, images", "p_texts": "p, texts", "floor": "smallest p, texts"}).format(tables.p_value, subset=["p_images", "p_texts", "floor"]).hide(axis="index").set_caption(f"{who.called['white']} – {who.called['black']}")

# %% [markdown]
# ## What this method can see
#
# From here on everything is the Greenhouse. The metrics rest on five assumptions; each has a counter-example.
#
# 1. *Every group has images.* Counter-example: labels of another spelling.
# 2. *The set holds the desired shares.* Counter-example: lists drawn by quotas.
# 3. *Tops are equally deep.* Counter-example: one list at all depths.
# 4. *Cosines with traits speak of traits.* Counter-example: groups that are described more often.
# 5. *Unmarked means unsaid.* Counter-example: a group that is common.
#
# (metrics-empty)=
# ### 1. A group that is never matched
#
# Let our photographs be filed as FairFace's are, with a capital, and look for them in lower case.

# %%
drawn = [vb.perceive("greenhouse/fairface", "greenhouse", texts) for texts in ("social_perception", "greenhouse/labels")]
photos = metrics.looked(*drawn, world)
filed = drawn[0].table["gender"].str.capitalize()
try:
    vb.markedness(photos.neutral[filed == "eared"], photos.own["gender"][filed == "eared"])
except ValueError as refused:
    print(f"vb.markedness: {refused}")
tables.readable(metrics_controls.coded_as_zero(photos, "gender", filed)).hide(axis="index")

# %% [markdown]
# In the released way of counting nothing fails: no image matches, and the table prints 0.00, the strongest value.
#
# (metrics-base-rates)=
# ### 2. Base rates turn into skew
#
# A ranking that ignores groups has $\mathrm{Skew}_A = \ln(\text{base rate}_A / \text{desired}_A)$. The released scripts (`analysis/tab_S3_skew_gen.py`,
# `tab_S3_ndkl_gen.py`) draw $\min(\lfloor n/6 \rfloor, n_{\text{cell}})$ images of each race × gender, so that a rarer cell stays smaller, and leave out the
# under-20s afterwards. The desired shares stay a third and a half.

# %% tags=["hide-input"]
fig, axes = vb.figures.panels(1, 2, height=3.8, share_y=True)
for axis, (name, part) in zip(axes[0], last.groupby("set"), strict=True):
    axis.axvline(0, color=vb.figures.COLOURS["reference"], lw=1)
    axis.plot(part["uniform"], part["group"], "o", color=vb.figures.COLOURS["recomputed"], label="random ranking, desired shares uniform")
    axis.plot(part["own"], part["group"], "s", color=vb.figures.PALETTE[2], label="the same, desired shares as in the list")
    axis.plot(part["expected"], part["group"], "x", color=vb.figures.COLOURS["planted"], ms=8, mew=2, label="ln(base rate / uniform)")
    axis.set(xlabel="Skew@k", title=f"{name}-like")
    axis.locator_params(axis="x", nbins=4)
fig.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper left", ncols=1)
worst = {step: own.loc[own["expected"].abs().idxmax()] for step, own in leaks.groupby("step")}
vb.figures.show(
    fig,
    name="metrics-leak",
    alt="Mean skew of random rankings for five groups in two sets. With uniform desired shares it follows the logarithm of base rate over desired share, up to "
    f"{worst['adults']['uniform']:+.2f} for {worst['adults']['group']}; with the list's own shares it is at most {last['own'].abs().max():.2f} from zero.",
    caption=f"Skew of {n_draws} rankings that ignore groups, in lists drawn by quotas, under-20s left out afterwards.",
    source="greenhouse",
)
vb.note(quotas=worst["quotas"]["expected"], after=worst["adults"]["expected"], worst=worst["adults"]["group"], remains=last["own"].abs().max(),
        men=100 * np.exp(published.loc[("skew", "male"), "UTKFace"]) / 2)

# %% [markdown]
# The largest such Skew is {glue:text}`quotas:+.2f` after the quotas alone and {glue:text}`after:+.2f` (for {glue:text}`worst`) without the young. With the list's own
# shares as the desired ones at most {glue:text}`remains:.2f` remains. The paper prints {claim}`metrics.skew.utkface.male` for men in UTKFace: so would a ranking that ignores
# gender if {glue:text}`men:.0f` % of the list were men.
#
# ### 3. One k, three depths
#
# A $k$ of {glue:text}`k` is one image in {glue:text}`one_in.CausalFace` of CausalFace's list, but one in {glue:text}`one_in.UTKFace` of UTKFace's and one in {glue:text}`one_in.FairFace` of
# FairFace's. Here is one list, read at all depths.

# %%
loud, steps = null | (nets["b"] == 1), np.unique(np.geomspace(10, len(hue), 16).astype(int))
path = metrics_controls.by_depth(seen.raw[loud], hue, steps, kind=nets.loc[loud, "b"])
path["captions"] = path["kind"].map({0: "nothing planted", 1: "planted, b = 1"})

# %% tags=["hide-input"]
fig = vb.figures.levels(path, level="share", value="median", group="captions", low="low", high="high", level_label="k / n",
                        value_label="MaxSkew@k by hue", columns=1)
fig.axes[0].set_xscale("log")
fig.axes[0].set_xticks([k / total for total in PRINTED.values()], [f"{name}\n1/{total / k:.0f}" for name, total in PRINTED.items()])
fig.axes[0].minorticks_off()
silent = {name: np.interp(k / total, *path.loc[path["kind"] == 0, ["share", "median"]].to_numpy().T) for name, total in PRINTED.items()}
vb.figures.show(
    fig,
    name="metrics-depth",
    alt=f"MaxSkew against the share of the list that is called its top, for two kinds of networks. With nothing planted it falls from {silent['FairFace']:.2f} "
    f"at FairFace's share to {silent['CausalFace']:.2f} at CausalFace's.",
    caption=f"The same faces at every depth: median over networks, bands from the 5th to the 95th percentile. Marks: what k = {k:,} is of each of the paper's sets.",
    source="greenhouse",
)
vb.note(silent=silent)

# %% [markdown]
# With nothing planted, MaxSkew is {glue:text}`silent.FairFace:.2f` at the depth of FairFace and {glue:text}`silent.CausalFace:.2f` at that of CausalFace. At $k = n$ it
# is 0 whatever the model thinks.
#
# ### 4. Raw cosines against Δcos
#
# Every dot is one dimension and one pair of groups, against what a count of their captions shows.

# %%
spoken, full = grammar.load(), nets["b"] == 1
planted = {axis: truth.counted(spoken, seen.faces, axis, 1.0, axes=CAUSALFACE.dimensions) for axis in CAUSALFACE.groups}
found = metrics_controls.gaps(seen.where(full), planted, k=top)
silence = metrics_controls.gaps(seen.where(null), planted, k=top)
agree = metrics_controls.agreement(found, ["raw", "delta", "d", "skew"])

# %% tags=["hide-input"]
means = found.groupby(["axis", "first", "second", "dimension"])[["planted", "raw", "delta"]].mean()
dots = means.rename(columns={"raw": "raw cosine", "delta": "Δcos"}).melt(id_vars="planted", value_name="shown")
vb.figures.show(
    vb.figures.planted_against_shown(dots, planted="planted", shown="shown", panel="variable", unit="logits"),
    name="metrics-recovery",
    alt=f"Differences between groups by raw cosines and by Δcos against what a count of captions shows, with a line through each; r in a single network is "
    f"{agree.loc['raw', 'r']:.2f} and {agree.loc['delta', 'r']:.2f}.",
    caption="Differences between two groups, mean of retrained networks at b = 1. Dashed: equality with counts of captions.",
    source="greenhouse",
)
varies = silence.groupby(["axis", "first", "second", "dimension"])[["raw", "delta"]].std().mean()
vb.note(r=agree["r"], sd=varies, quieter=words.verb(varies["raw"], above=varies["delta"], then="less", else_="no less"))

# %% [markdown]
# In a single network raw differences correlate with what is planted at r = {glue:text}`r.raw:.2f`, Δcos at {glue:text}`r.delta:.2f`, d at {glue:text}`r.d:.2f`, differences of
# Skew at {glue:text}`r.skew:.2f`; only the first two have a unit. From one null network to the next a raw gap varies with a standard deviation of {glue:text}`sd.raw:.3f`
# logits, one in Δcos {glue:text}`quieter` ({glue:text}`sd.delta:.3f`).
#
# **Raw cosines carry the neutral prompt along:** a group whose pictures lie nearer to *any* sentence about a person is raised in all eight dimensions, favourable or
# not. Five of the six metrics are computed on raw cosines. A positive mean Skew over eight dimensions can thus say "nearer to sentences about persons"; it does not yet
# say "favorable social perception". Δcos has its own weakness, the last line of the first figure: see [The neutral prompt](neutral_prompt.ipynb).
#
# (metrics-marked)=
# ### 5. What markedness measures
#
# A network that had learnt every face's odds puts logit scale × (cosine with the named prompt − cosine with the neutral one) at
#
# $$\begin{gathered} \ln \frac{p(\text{named} \mid A)}{p(\text{named})} - \ln \frac{p(\text{neutral} \mid A)}{p(\text{neutral})}
# = \ln \frac{1}{\pi_A} - \ln u_A, \\[1ex]
# u_A = \frac{1 - m_A}{1 - \bar m} \end{gathered}$$
#
# if captions name group $A$ (share $\pi_A$ of the images) with probability $m_A$ and no other group by its word. How often $A$ is *named* cancels in the
# first term; what is left is how **common** the group is. In the Greenhouse hues are equally common, crests likewise.

# %%
margins = metrics_controls.margins(retrained.vectors(), {"race": grid.HUES, "gender": grid.CRESTS})
of_axis = margins.groupby("axis")[["expected", "margin", "sd_faces", "markedness"]].mean()
sd, pi = of_axis["sd_faces"].mean(), np.linspace(0.05, 0.95, 60)
formula = {u: metrics_controls.marked(pi, spread=sd, unnamed=u) for u in (1.0, 1.2, 1.5)}

# %% tags=["hide-input"]
curves = pd.DataFrame(formula, index=pi).rename_axis("share").rename(columns=lambda u: "base rates alone" if u == 1 else f"unnamed {u:g} ×")
fig = vb.figures.levels(curves.reset_index().melt("share"), level="share", value="value", group="variable", level_label="share of the images",
                        value_label="markedness, %", columns=1)
fig.axes[0].plot(margins["share"], margins["markedness"], "o", color="#222222")
fig.axes[0].axhline(50, color=vb.figures.COLOURS["reference"], lw=1)
alone = curves["base rates alone"].max()
vb.figures.show(
    fig,
    name="metrics-markedness",
    alt=f"Markedness against a group's share of the images. Where all groups are named equally often it rises to {alone:.0f} % at a share of {pi[-1]:.2f} and stays "
    f"{words.verb(50, above=alone, then='below', else_='not below')} 50 %; where captions leave a group unnamed more often it is higher.",
    caption="Lines: the formula, with the spread between faces that these networks have; unnamed 1.2 ×: left unnamed so many times as often as others are. Dots: what the networks show for hues and crests.",
    source="greenhouse",
)
vb.note(margin=of_axis["margin"], said=of_axis["expected"], common=float(metrics_controls.marked(0.9, spread=sd)), below=words.verb(50, above=alone, then="below", else_="not below"))

# %% [markdown]
# The networks show margins of {glue:text}`margin.race:.2f` (hues) and {glue:text}`margin.gender:.2f` logits (crests), where the formula says {glue:text}`said.race:.2f` and
# {glue:text}`said.gender:.2f`. With shares alone markedness reaches {glue:text}`common:.0f` % for a group in nine tenths of the images. So base rates
# can make one group *less marked than another*, but keep it {glue:text}`below` one half: $\ln(1/\pi_A)$ is never negative. A markedness of
# {claim}`metrics.markedness.causalface.white` or {claim}`metrics.markedness.fairface.white` % needs more, for instance captions that leave this group unnamed more
# often ($u_A > 1$), which is the paper's reading.

# %% [markdown]
# ## Where paper and code differ
#
# From an audit of the authors' repository at commit `a2daa85`:
#
# | | paper | code | here |
# |---|---|---|---|
# | FairFace gender (H1) | markedness of men and women | labels never lower-cased, none matches, coded 0 | {ref}`the empty group <metrics-empty>` |
# | balance (H5) | desired share uniform | a quota per race × gender; under-20s left out afterwards | {ref}`base rates <metrics-base-rates>` |
# | SC-WEAT, sets (H7) | of equal size | all images | both |
# | SC-WEAT, p (H7) | one-sided, over images | two-sided sign flips over texts | both |
# | sets alike (H7) | "does not significantly diverge" | Kruskal–Wallis, not reported | intervals |
# | SC-WEAT, caption (H8) | "mean difference" | effect size | additivity |
# | images of CausalFace | 18,000 | the 6,000 of the age series | the same 6,000 |
# | words (H15) | "likeable"; four full stops | "likable", three | both |
# | FairFace (H11) | 108,501 images | reads the training labels only | moves no number: what is used is counted |
# | order of files (H17) | – | seeded draws depend on it | another draw |
#
# :::{admonition} Rerun this with your own parameters
# :class: tip
# ```
# .venv/bin/vlmbias run causalface/metrics -p protocol released -p k 500
# ```
# With the released cosines: `-p stimuli causalface -p fairface fairface -p utkface utkface -p labels labels -p cosines FOLDER`.
# :::

# %% [markdown]
# ## Take-aways
#
# - A percentage of nothing is not zero. Count the images beside every rate, and let an empty group be an error.
# - With uniform desired shares and unequal groups, Skew and NDKL measure base rates; print these, or desire them.
# - Skew@k depends on k / n. One k for lists of different length is three metrics, not one.
# - Metrics of raw cosines carry the neutral prompt along.
# - Base rates move markedness, but not above one half.
# - "Not significantly different" is no finding of likeness. Print the difference and its interval.
#
# ## Exercises
#
# :::{exercise} From skew to shares
# :label: metrics-shares
# :level: intermediate
# :minutes: 15
# :code: no
# Suppose the printed Skew of CausalFace's three races came from a single query. What share of the top 1,000 would each have? Table S.1 prints *means over eight
# dimensions*. On which side of one must the sum of the shares then lie, and why?
# :::
#
# ```{solution-start} metrics-shares
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
implied = np.exp(published["CausalFace"]["skew"][["white", "black", "asian"]]) / 3
print(implied.round(3).to_dict(), "sum", implied.sum().round(3))
# exp(mean of logarithms) is a geometric mean, never above the arithmetic mean of the shares, whose sum is 1
assert 0.9 < implied.sum() < 1

# %% [markdown]
# Skew is the logarithm of a share over the desired share, here a third, so a share is $e^{\text{Skew}} / 3$. From a mean of eight logarithms this
# gives the *geometric* mean of eight shares, which is never above their arithmetic mean. The arithmetic means add up to one, so these sum to one at
# most.
#
# ```{solution-end}
# ```
#
# :::{exercise} The smallest NDKL
# :label: metrics-least
# :level: intermediate
# :minutes: 15
# :code: yes
# Two groups of equal size take turns perfectly. Why is NDKL not 0, and how does it shrink with the length of the list? Compare with
# a list in which one group comes first altogether.
# :::
#
# ```{solution-start} metrics-least
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
lengths = [10, 100, 1_000, 10_000]
turns = {n: vb.ndkl(-np.arange(n), np.arange(n) % 2) for n in lengths}
in_blocks = {n: vb.ndkl(-np.arange(n), np.arange(n) >= n / 2) for n in lengths}
print(pd.DataFrame({"taking turns": turns, "one after the other": in_blocks}).round(4))
# the odd ranks always hold one image too many; early ranks weigh little in a long list, so it falls as log n / n
assert 0.8 < turns[10_000] / turns[1_000] * (1_000 / np.log(1_000)) ** -1 * (10_000 / np.log(10_000)) < 1.2
assert all(a > b for a, b in zip(list(turns.values()), list(turns.values())[1:], strict=False)) and min(in_blocks.values()) > 0.2

# %% [markdown]
# Where groups take turns, every odd rank has one image too many of the first group, and its divergence is above zero: most at the top, where one image is a large share.
# Longer lists add ranks that are nearly even. As weights fall only as one over a logarithm, these many ranks outweigh the few at the top: NDKL falls nearly as $1/n$ (as $\log n / n$). It can only be judged beside what an even-handed list of
# the same length gives.
#
# ```{solution-end}
# ```

# %% [markdown]
# ## Questions to discuss
#
# 1. Who should set the desired shares of a ranking: equal parts, the shares of the collection, of a population? What does each call fair?
# 2. A group that is nine tenths of a collection is the least marked in any faithful model. Is that a bias of the model, the collection or the question?
