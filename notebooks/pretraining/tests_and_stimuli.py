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
# # What else is in a pleasant picture?
#
# *Ghate, Slaughter, Wilson, Diab and Caliskan (2025), Section 3, Appendix A.2 and A.3, Table 1 and Figure 5: which pictures and words stand for pleasant and unpleasant.*
#
# :::{admonition} This chapter at a glance
# :class: note
#
# **Question.** The authors choose pleasant and unpleasant pictures by a rating, not by hand. What does a rating leave open, and does this matter?
#
# **In short.** It leaves open what else a picture shows. A test compares two groups, for example young and old people. If a few of the pleasant pictures show one of these groups, the result can move, as we saw in small networks that we trained. [Two pictures of 25 moved the effect size by {glue:text}`two.hue:.2f` in one test of four, and by less in the others.]{.holds #one_large}
# How far they move the published results is not known.
#
# **In 20 minutes:** {ref}`What the paper reports <tests-found>`, {ref}`The answer in one figure <tests-answer>`,
# {ref}`What this means <tests-means>`. **In 75 minutes:** everything, with one of the exercises.
#
# **You need:** means and standard deviations. The primer "[Embedding association tests](../../book/primers/association.md)" helps.
#
# **Content note.** Some of the paper's words and pictures are violent or obscene. This page counts them and names some themes; it shows no photograph.
# Our own faces are drawings in invented colours, and stand for nobody.
# :::
#
# **The idea.** An association test asks whether a model places one group nearer to pleasant things than another group. So it needs four sets: two groups (the *targets*), and pleasant and unpleasant things
# (the *attributes*). A target's *score* is its mean cosine with the pleasant attributes (how near it is to them), minus its mean cosine with the unpleasant ones. The
# *effect size* $d$ is the difference of the two groups' mean scores, divided by the standard deviation of all scores.
#
# Earlier studies chose attributes by hand: words {cite:p}`may2019` and photographs {cite:p}`steed2021`. {cite:t}`ghate2025` take them from two collections that many people have rated for *valence*, that is, how
# pleasant something is: OASIS, a collection of pictures, and NRC-VAD, a list of words. From each, they take the 25 most pleasant and the 25 least pleasant.
#
# **What the authors conclude** (the part that this chapter is about). Rated attributes "offer more control and human-grounded valence inputs". The 900 pictures of OASIS "provide non-group-specific valence signals". "The aggregate
# positive valence was equivalent in magnitude to the aggregate negative valence".
#
# **Their own checks and limits.** They made all tests with the earlier attributes, too, and found the directions "largely consistent". They write that
# "further controlling the stimuli" could help to understand what moves an effect size.

# %% tags=["parameters", "hide-input"]
model = "greenhouse"  # the encoder under test in the second section; a model
scenes = "greenhouse/icons"  # pictures to choose attributes from, rated (column valence) or drawn; an image set
stimuli = "greenhouse/cfd"  # portraits, with the columns race and gender; an image set
n_chosen = 25  # attributes chosen from each end, as in the paper; at least 2
n_images = 40  # portraits on each side of a test, or as many as there are; at least 2
n_raters = 100  # made-up raters of each drawn picture; at least 1
rater_sd = 1.5  # error of one made-up rater, in steps of the scale from 1 to 7; at least 0
protocol = "described"  # women first and no full stop, or the other way round; one of: described, released
n_draws = 20  # random choices of attributes; at least 2
seed = 0  # seed of every random draw below; at least 0
results = "_build/results/pretraining/tests_and_stimuli.json"  # where this notebook writes the values it computes

# %% tags=["hide-input"]
import re
from functools import partial

import numpy as np
import pandas as pd

import vlmbias as vb
from greenhouse import retrained
from greenhouse.world import grammar, truth
from studies import tables, words
from studies.pretraining import effect_sizes
from studies.pretraining.effect_sizes import CATEGORIES, ORDERS, Targets
from vlmbias import battery
from vlmbias.sources import catalogue

vb.figures.style()
NEUTRAL = 4  # the middle of a scale from 1 to 7

# %% [markdown]
# (tests-found)=
# ## What the paper reports: four lists, chosen by a rating
#
# Table 1 prints what was chosen, pictures by the names that they have in OASIS. Three of the pleasant pictures, and their themes:

# %%
def entries(claim):
    """What a printed list holds."""
    listed = printed[f"tests_and_stimuli.table1.{claim}"]
    return [one.strip() for one in listed.split(",")]


def theme(picture):
    """What a picture shows, by its name: "Lake" of "Lake 12" and of "Lake12_google"."""
    return re.sub(r"\s*\d+(_\w+)?$", "", picture)


printed = vb.ledger.load("pretraining").set_index("id")["value"]
kinds = ["positive words", "negative words", "positive images", "negative images"]
lists = {kind: entries(kind.replace(" ", "-")) for kind in kinds}
pleasant = pd.DataFrame({"picture": lists["positive images"]})
pleasant["theme"] = pleasant["picture"].map(theme)
pleasant.head(3)

# %%
themes = pleasant["theme"].value_counts()

# %% tags=["hide-input"]
fig, ((axis,),) = vb.figures.panels(height=3.4)
axis.barh(themes.index[::-1], themes[::-1], color=vb.figures.PALETTE[0])
axis.set(xlabel="of the 25 pleasant pictures")
vb.figures.show(
    fig,
    name="tests-themes",
    alt="Themes of the 25 pleasant pictures of Table 1: "
    + ", ".join(f"{name} {n}" for name, n in themes.items())
    + ".",
    caption="The 25 pleasant pictures of Table 1, counted by theme.",
    source="paper:pretraining, Table 1",
)

# %% tags=["hide-cell"]
def forms(one, other):
    """Whether two words share their first four letters, or one, less a plural s, begins the other; two phrases, a word."""
    first, second = set(one.split()), set(other.split())
    if max(len(first), len(second)) > 1:
        return bool(first & second)
    short, long = sorted((one, other), key=len)
    root = short.removesuffix("s")
    return (len(short) >= 4 and short[:4] == long[:4]) or (len(root) >= 3 and long.startswith(root))


def put_together(listed, alike):
    """The entries of a list, with those that are alike in one list each."""
    found = []
    for entry in listed:
        kin = [own for own in found if any(alike(entry, other) for other in own)]
        found = [own for own in found if own not in kin] + [[one for own in kin for one in own] + [entry]]
    return found


inside = {}
for name, own in lists.items():
    together = put_together(own, forms if "words" in name else lambda one, other: theme(one) == theme(other))
    largest = max(together, key=len)
    inside[name] = {
        "entries": len(own),
        "kinds": len(together),
        "most": theme(largest[0]),
        "of it": len(largest),
    }
inside = pd.DataFrame(inside).T
called = {
    name: name.replace("positive", "pleasant").replace("negative", "unpleasant").replace("images", "pictures")
    for name in lists
}
tables.readable(
    inside.rename(columns={"kinds": "different kinds", "most": "largest kind", "of it": "entries in it"}),
    names=called,
)

# %% tags=["hide-input"]
listed = battery.listed()
vb.note(
    kinds={"pi": len(themes)},
    most=themes.idxmax().lower(),
    of_it=int(themes.max()),
    tests=len(listed),
    per_order=words.listed(
        f"{n} ({ORDERS[order]})" for order, n in listed.groupby("order", sort=False).size().items()
    ),
)
for claim, rows in (
    ("figure5-rows", battery.tests.ROWS),
    ("figure5-images", {row.pictures[1:] for row in battery.tests.ROWS}),
):
    vb.ledger.record(
        f"tests_and_stimuli.{claim}", len(rows), results=results, stimuli="the 26 tests", model="none"
    )

# %% [markdown]
# The 25 pleasant pictures have {glue:text}`kinds.pi` different themes. The most frequent is *{glue:text}`most`*, with {glue:text}`of_it` pictures.
#
# The other lists repeat themes or words, too (table in the fold above). So each list holds fewer independent things than it has entries.
#
# :::{dropdown} The 26 tests
# Figure 5 has eight rows. Each test can be made in four kinds: with texts only, with pictures only, with pictures of the groups and texts as attributes, or the other way round. Where the groups are shown by pictures, rows that differ in their
# sentences only are one test. This leaves {glue:text}`tests` tests: {glue:text}`per_order`. The pictures of the test of instruments and weapons are not released, so it cannot be rerun with pictures.
# :::

# %% tags=["hide-input"]
vb.ledger.show(vb.ledger.table("pretraining/tests_and_stimuli"))

# %% [markdown]
# (tests-lists)=
# ## What one may doubt: some attributes show what a test compares
#
# The authors write that the "valence signals" of OASIS are "non-group-specific". We read this so: a picture tells something about pleasantness, and nothing about a compared group. Is it so for the pictures that they chose? We look for names that belong to one side of a test. (A name is only a hint: siblings may be adults.)

# %%
BELONGS = {
    "flower-insect": ["flower", "butterfly", "roach"],
    "age": ["baby", "siblings"],
    "race": ["kkk rally"],
}

# %% tags=["hide-input"]
photographs = [file.path for file in catalogue.source("ieat-photographs").files if "/valence/" in file.path]
earlier = {
    f"earlier {side} pictures": [
        path.rsplit("/", 1)[1].rsplit(".", 1)[0] for path in photographs if f"/{side}/" in path
    ]
    for side in ("pleasant", "unpleasant")
}
shown = []
for name, own in {**{name: own for name, own in lists.items() if "images" in name}, **earlier}.items():
    for category, belong in BELONGS.items():
        hits = pd.Series([theme(one) for one in own if theme(one).casefold() in belong]).value_counts(
            sort=False
        )
        listed = ", ".join(f"{kind} ({n})" for kind, n in hits.items())
        shown.append({"set": name, "category": category, "n": hits.sum(), "entries": listed})
shown = pd.DataFrame(shown).query("n > 0")
flowers = shown[shown["category"] == "flower-insect"]
ages = shown[(shown["category"] == "age") & ~shown["set"].str.startswith("earlier")]
vb.note(
    old_flowers=int(flowers["n"].sum()),
    old_all=sum(map(len, earlier.values())),
    young=int(ages["n"].sum()),
)
vb.holds(none_left=bool(flowers.loc[~flowers["set"].str.startswith("earlier"), "n"].sum() == 0))
tables.readable(
    shown.assign(category=shown["category"].map(CATEGORIES)),
    names={**called, "set": "list", "category": "test", "entries": "what belongs to one side"},
).hide(axis="index")

# %% [markdown]
# In the earlier lists, {glue:text}`old_flowers` of {glue:text}`old_all` photographs show flowers, butterflies or roaches. So a test of flowers against insects compared, in part, flowers with flowers. [In the new lists none is left.]{.holds #none_left}
#
# But {glue:text}`young` of the new pleasant pictures are called *Baby* or *Siblings*, and one of the tests compares young with old people. If young faces are nearer to these pictures, this may be because they, too, show young people.
#
# In the published test of age with pictures only, such pictures did not decide the direction: the mean $d$ of the models is below zero
# ({claim}`effect_sizes.new.age.all-image.mean`), which means that old faces are nearer to *pleasant*.
# Pictures of *KKK* (the Ku Klux Klan, a racist organization of white people in the USA) may bring *white* faces nearer to *unpleasant*.
#
# (tests-answer)=
# ## The answer in one figure: a few pictures can move the result
#
# We planted some such pictures in our laboratory, the [Greenhouse](../../book/greenhouse/limits.md): small networks that
# we trained on drawn faces and on captions that we wrote. A face has a *hue* (its colour) and a *crest* (what it wears on its head).
#
# We take {glue:text}`null` *null networks*. Their captions use pleasant words equally often for all hues and all crests. (Young faces are called pleasant a little
# more often, in all our networks.)
#
# The test has two groups of faces as targets, and 25 pleasant and 25 unpleasant drawn scenes as attributes. Then we replace some of the pleasant scenes by faces of the first group, of other persons than the targets.
#
# How far does $d$ move? We ask this for two hues, for two crests, and for young against old faces. A fourth test has *names* of the two hues as targets, and no face. If $d$ rises, the
# first group seems more pleasant, although nothing about pleasantness has changed.

# %%
vectors = retrained.vectors()  # what each network made of the same pictures and words
role = grammar.load().bias.roles
HUES = role["favoured"], role["disfavoured"]
CRESTS = role["second"], role["first"]
null = vectors.where(vectors.networks["b"] == 0)  # b: how far captions favour groups

images = null.images
odd = images["seed"].mod(2).eq(1).fillna(False).astype(bool)  # every second person
neutral, series = images["subset"] == "prototype", images["subset"] == "age"
ages = images["age"][series]
groups = {
    "hue": [neutral & (images["race"] == one) for one in HUES],
    "crest": [neutral & (images["gender"] == one) for one in CRESTS],
    "age": [series & (images["age"] == one) for one in (ages.min(), ages.max())],
}
targets = {  # rows of the first group and of the second
    name: ("image", *(np.flatnonzero(group & ~odd) for group in both))
    for name, both in groups.items()
}
others = {name: np.flatnonzero(first & odd) for name, (first, _) in groups.items()}
names = (vectors.words_of(f"{hue}_name", slot="race_name") for hue in HUES)
targets["hue, by names"], others["hue, by names"] = ("text", *names), others["hue"]
SIDES = ("pleasant", "unpleasant")
good, bad = (np.flatnonzero(images["category"] == side) for side in SIDES)


def moved_by(name, faces, numbers):
    """Change of d in each network, mean over random choices of scenes and faces."""
    rng, rows = np.random.default_rng(seed), []
    for n in numbers:  # the first is 0
        d = []
        for _ in range(n_draws if n else 1):
            mixed = [rng.permutation(good)[n:], rng.permutation(faces)[:n]]
            attributes = ("image", np.concatenate(mixed), bad)
            d.append(effect_sizes.in_networks(null, targets[name], attributes))
        d = np.mean(d, axis=0)
        without = d if n == 0 else without
        rows.append(pd.DataFrame({"test": name, "n": n, "moved": d - without}))
    return pd.concat(rows)


REPLACED = [0, 1, 2, 3, 5]  # of 25 pleasant pictures
moved = pd.concat([moved_by(name, others[name], REPLACED) for name in targets])

# %% [markdown]
# One such replacement by hand, in one network:

# %%
network = 0
pictures_of = null.image_vectors[network]
_, first, second = targets["hue"]
mixed = np.concatenate([good[2:], others["hue"][:2]])  # two scenes out, two faces in


def effect_size_with(attributes):
    direction = pictures_of[attributes].mean(axis=0) - pictures_of[bad].mean(axis=0)
    x, y = pictures_of[first] @ direction, pictures_of[second] @ direction
    return (x.mean() - y.mean()) / np.std([*x, *y], ddof=1)


print(f"d = {effect_size_with(good):.2f}, with two faces {effect_size_with(mixed):.2f}")
d = effect_sizes.in_networks(null, targets["hue"], ("image", mixed, bad))
assert np.isclose(d[network], effect_size_with(mixed), rtol=1e-4)

# %% [markdown]
# The figure has the mean change, with {glue:text}`n_draws` random choices of scenes and faces in each network:

# %%
by_number = moved.groupby(["test", "n"], sort=False)["moved"].agg(["mean", "sem"])
by_number = by_number.reset_index()

# %% tags=["hide-input"]
margins = by_number.assign(
    low=by_number["mean"] - 2 * by_number["sem"], high=by_number["mean"] + 2 * by_number["sem"]
)
vb.figures.show(
    vb.figures.levels(margins, level="n", value="mean", group="test", low="low", high="high", level_label="pleasant pictures replaced by faces of the first group, of 25", value_label="change of d"),
    name="tests-strangers-figure",
    alt="Change of the effect size with the number of replaced pictures, four tests. With two replaced: "
    + "; ".join(f"{row['test']} {row['mean']:.2f}" for _, row in by_number[by_number["n"] == 2].iterrows()) + ".",
    caption=f"{null.networks.shape[0]} null networks: how far d moves if some pleasant pictures are faces of the first group. Bands: two standard errors over networks. In the fourth test, the targets are names of the hues.",
    source="greenhouse",
)
two = by_number[by_number["n"] == 2].set_index("test")["mean"]
vb.note(
    n_draws=n_draws,
    two={key: two[test] for key, test in (("hue", "hue"), ("age", "age"), ("names", "hue, by names"))},
    null=null.networks.shape[0],
)
vb.holds(one_large=bool(two.idxmax() == "hue" and two["hue"] >= 0.2 > two.drop("hue").max()))

# %% [markdown]
# [With two of 25 replaced, $d$ moves by {glue:text}`two.hue:.2f` in the test of hues, and by less in the others]{.holds #one_large}; in the test of age, it is {glue:text}`two.age:.2f`.
#
# Even with names as targets, $d$ moves by {glue:text}`two.names:.2f`. Do the networks place names of a hue near faces of the same hue? If this is the reason, faces of a third hue should not move $d$:

# %%
by_names = "hue, by names"
near = effect_sizes.in_networks(null, targets[by_names], targets["hue"])
third = next(one for one in images["race"].dropna().unique() if one not in HUES)
faces = np.flatnonzero(neutral & (images["race"] == third))
switched = moved_by(by_names, faces, [0, 2]).query("n == 2")["moved"].mean()
print(f"names near their faces: d = {near.mean():.2f}")
print(f"above 0 in {(near > 0).mean():.0%} of the networks")

# %% tags=["hide-input"]
vb.note(near={"d": near.mean(), "share": (near > 0).mean()}, third=switched)
vb.holds(names_near=bool((near > 0).mean() > 0.9), third_off=bool(abs(switched) < two["hue, by names"] / 2))

# %% [markdown]
# [Names are indeed nearer to faces of their own hue, in {glue:text}`near.share:.0%` of the null networks (mean $d$ {glue:text}`near.d:.1f`).]{.holds #names_near} [With two faces of a third hue instead, $d$ of the names moves by {glue:text}`third:.2f` only.]{.holds #third_off} So it is this true association
# that moves $d$, and it has nothing to do with pleasant things.
#
# Our drawings are not photographs, so how far a few pictures of babies move a published $d$ cannot be read from this figure. What carries over is the reason: the score of a face is a *mean* over the pleasant pictures. If a few of them are near
# to a group because they show it, this is part of the mean.
#
# A rating does not say which part of the order to take. The authors take both ends. The protocol below repeats the tests with the pictures next in line, and with the mildest pleasant and unpleasant ones:

# %%
def both_ends(rated, n):
    """The n highest and the n lowest; equal ratings in the order of the table."""
    if len(rated) < 2 * n:
        raise ValueError(f"of {len(rated)} stimuli, choose at most {len(rated) // 2}")
    ranked = rated.sort_values("valence", ascending=False, kind="stable")
    return ranked.head(n), ranked.tail(n)


def mildest(rated, n, middle):
    """The n of each sign nearest to the middle of the scale."""
    order = (rated["valence"] - middle).abs().sort_values(kind="stable").index
    ranked = rated.loc[order]
    signs = ranked["valence"] > middle, ranked["valence"] < middle
    return tuple(ranked[sign].head(n) for sign in signs)


def balance(high, low, middle):
    """Mean distances of the two sets from the middle, and their difference."""
    up, down = high["valence"].mean() - middle, middle - low["valence"].mean()
    return pd.Series({"positive": up, "negative": down, "difference": up - down})

# %% [markdown]
# ## The protocol, run on {data}
#
# People have not rated our drawings, so we simulate ratings from what the captions say of each; the numbers say nothing about photographs.

# %% tags=["hide-cell"]
pictures = vb.images(scenes)
rated = pictures.table
if (
    "valence" not in rated
):  # each made-up rater rounds the known valence with an error, and stays on the scale
    spoken = truth.per_face(grammar.load(), rated, 0.0, axes=["pleasant"])["pleasant"].to_numpy(float)
    errors = np.random.default_rng(seed).normal(0, rater_sd, (n_raters, len(rated)))
    rated = rated.assign(valence=np.clip(np.round(NEUTRAL + 0.75 * spoken + errors), 1, 7).mean(axis=0))
chosen = both_ends(rated, n_chosen)
left = rated.drop(index=[*chosen[0].index, *chosen[1].index])
SETS = {"chosen": chosen, "next": both_ends(left, n_chosen), "mildest": mildest(rated, n_chosen, NEUTRAL)}
tables.readable(pd.DataFrame({name: balance(*both, NEUTRAL) for name, both in SETS.items()}).T)

# %% tags=["hide-input"]
encoder, portraits = vb.encoder(model), vb.images(stimuli)
drawn_faces = portraits.source == "greenhouse"
PAIRS = {
    "race": HUES if drawn_faces else ("white", "black"),
    "gender": CRESTS if drawn_faces else ("female", "male"),
}
valence = tuple(effect_sizes.of_side(vb.prompts("greenhouse/valence"), one) for one in SIDES)
tested_ = [
    Targets(
        column, "image", "faces", *(effect_sizes.of_kind(portraits, column, one, n_images) for one in pair)
    )
    for column, pair in PAIRS.items()
]
tested_ += [
    Targets(
        column, "text", "names", *(effect_sizes.of_side(vb.prompts("greenhouse/names"), one) for one in pair)
    )
    for column, pair in PAIRS.items()
    if drawn_faces
]
tested_ += [
    Targets(
        category,
        "text",
        "words",
        *(effect_sizes.of_side(vb.prompts("greenhouse/objects"), one) for one in category.split("-")),
    )
    for category in ("flower-insect", "instrument-weapon")
]
PROTOCOLS = {"described": dict(end="", turned=()), "released": dict(end=".", turned=("gender",))}


def tested(way, chosen):
    sets = {"image": tuple(pictures.where(rated.index.isin(own.index)) for own in SETS[way]), "text": valence}
    return effect_sizes.run(
        tested_,
        sets,
        partial(vb.embed, encoder),
        ddof=1,
        n_permutations=1,
        n_resamples=1,
        seed=seed,
        **PROTOCOLS[chosen],
    )


every = {(way, name): tested(way, name) for way in SETS for name in PROTOCOLS}
seen = {
    way: own[own["order"].isin(["all-image", "text-target"])]
    for (way, name), own in every.items()
    if name == protocol
}
greenhouse_words = {"race": "hue", "gender": "crest"} if drawn_faces else {}
seen = {
    way: own.assign(test=own["category"].replace(greenhouse_words) + ", " + own["targets"])
    for way, own in seen.items()
}

# %% tags=["hide-cell"]
side_by_side = pd.DataFrame({way: own.set_index("test")["d"] for way, own in seen.items()})
side_by_side.round(2)

# %% tags=["hide-input"]
turned = pd.concat([(every[way, "described"]["d"] - every[way, "released"]["d"]).abs() for way in SETS]).max()
vb.holds(same_d=bool(turned < 1e-6))
signs = np.sign(side_by_side).ne(np.sign(side_by_side["chosen"]), axis=0).sum()
vb.note(signs={way: words.among(int(signs[way]), len(side_by_side)) for way in ("next", "mildest")})
vb.holds(mildest_turn=bool(signs["mildest"] > signs["next"]))

# %% [markdown]
# [With the mildest pictures, $d$ turns its sign in {glue:text}`signs.mildest` tests; with those next in line, in {glue:text}`signs.next`.]{.holds #mildest_turn}

# %% [markdown]
# ### The selection on the released files
#
# The following cells compare Table 1 with the authors' files and with the two rated collections, where these are at hand.

# %% tags=["needs-clip-bias-stimuli", "hide-output"]
if vb.sources.at_hand("clip-bias-stimuli"):
    from vlmbias import sources
    from vlmbias.battery import seat

    place = partial(sources.path, "clip-bias-stimuli")
    combined = seat.combinations(place("experiments/nrc_vad_combinations.json")).table
    released = combined.groupby("dimension")["word"].unique()
    files = {
        f"{kind}, {file}": seat.read(place(f"data/tests_{kind}/{file}.jsonl")).table
        for file in dict.fromkeys(row.sentences for row in battery.tests.ROWS)
        for kind in ("nrc", "seat")
    }
    roles = {name: own["role"].value_counts() for name, own in files.items()}
    counts = pd.DataFrame(roles).T[["X", "Y", "A", "B"]].rename_axis(columns=None)
    display(tables.readable(counts))

# %% tags=["needs-clip-bias-stimuli", "hide-input"]
if vb.sources.at_hand("clip-bias-stimuli"):
    same = {
        side: set(released[name]) == set(lists[f"{side} words"])
        for side, name in (("positive", "pleasant"), ("negative", "unpleasant"))
    }
    for side, holds in same.items():
        vb.ledger.record(
            f"tests_and_stimuli.table1.{side}-words",
            holds,
            results=results,
            stimuli="clip-bias-stimuli",
            model="none",
        )
    templates = {text.replace("{}.", "[WORD]") for text in combined["template"]}
    vb.ledger.record(
        "tests_and_stimuli.table1.templates",
        templates == set(entries("templates")),
        results=results,
        stimuli="clip-bias-stimuli",
        model="none",
    )
    attributes = [
        frozenset(own.loc[own["role"].isin(["A", "B"]), "text"])
        for name, own in files.items()
        if name.startswith("nrc")
    ]
    old = counts[counts.index.str.startswith("seat")]
    vb.holds(same_words=all(same.values()))
    vb.note(
        nrc_sets=len(set(attributes)),
        uneven=words.among(int((old["A"] != old["B"]).sum()), len(old)),
        firsts=words.listed(sorted(set(files["nrc, sent-weat11"].query("role == 'X'")["dimension"]))),
        stops=words.among(int(combined["text"].str.endswith(".").sum()), len(combined)),
    )

# %% [markdown] tags=["needs-clip-bias-stimuli"]
# [The released words are the words of Table 1.]{.holds #same_words} All eight new files hold the same attribute sentences (distinct sets: {glue:text}`nrc_sets`). Of these, {glue:text}`stops` end in a full stop; Table 1 prints none. Of the earlier files, {glue:text}`uneven` have more unpleasant than pleasant sentences. In the gender file, the first targets are {glue:text}`firsts`.

# %% tags=["hide-input"]
def ties(rated, high, low):
    """How many stimuli outside each set are rated as its mildest one is: there the order of the file decides."""
    left = rated.drop(index=[*high.index, *low.index])["valence"]
    return {
        "positive": int((left == high["valence"].min()).sum()),
        "negative": int((left == low["valence"].max()).sum()),
    }

# %% tags=["needs-nrc-vad", "hide-input"]
if vb.sources.at_hand("nrc-vad"):
    from vlmbias.stimuli import nrc_vad

    lexicon, _ = nrc_vad.read()
    top, bottom = both_ends(lexicon, 25)
    weights = balance(top, bottom, 0.5).round(2)
    vb.ledger.record(
        "tests_and_stimuli.balance-words",
        bool(weights["difference"] == 0),
        results=results,
        stimuli="nrc-vad",
        model="none",
    )
    print(
        f"{len(set(top['word']) & set(lists['positive words']))} and {len(set(bottom['word']) & set(lists['negative words']))} of 25 are in Table 1; ties at the borders: {ties(lexicon, top, bottom)}; {weights.to_dict()}"
    )

# %% tags=["needs-oasis", "hide-input"]
if vb.sources.at_hand("oasis"):
    oasis = vb.images("oasis").table
    top, bottom = both_ends(oasis, 25)
    weights = balance(top, bottom, NEUTRAL).round(1)
    vb.ledger.record(
        "tests_and_stimuli.balance-images",
        bool(weights["difference"] == 0),
        results=results,
        stimuli="oasis",
        model="none",
    )
    for side, own in (("positive", top), ("negative", bottom)):
        vb.ledger.record(
            f"tests_and_stimuli.table1.{side}-images",
            set(own["theme"]) == set(lists[f"{side} images"]),
            results=results,
            stimuli="oasis",
            model="none",
        )
    print(f"ties at the borders: {ties(oasis, top, bottom)}; {weights.to_dict()}")

# %% [markdown]
# ## What this method can see
#
# ### Would another 25 give the same?
#
# We choose 25 pleasant and 25 unpleasant pictures at random (by what captions say of each), and make the test of hues with each choice:

# %%
things = vectors.images[vectors.images["kind"] == "icon"]
about = things.reset_index(drop=True)
spoken = truth.per_face(grammar.load(), about, 0.0, axes=["pleasant"])["pleasant"]
known = pd.Series(spoken.to_numpy(), index=things.index)
rng = np.random.default_rng(seed)
d = []
for _ in range(n_draws):  # one choice of each side
    both = (known.index[known * sign > 0] for sign in (1, -1))
    both = [rng.choice(own, 25, replace=False) for own in both]
    d.append(effect_sizes.in_networks(null, targets["hue"], ("image", *both)))
by_choice = np.sqrt(pd.DataFrame(d).var().mean())  # within one network
print(f"SD of d over choices: {by_choice:.2f}")

# %% tags=["hide-input"]
vb.note(by_choice=by_choice)
vb.holds(choice_more=bool(by_choice > two["hue"]))

# %% [markdown]
# Between such choices, $d$ has a standard deviation of {glue:text}`by_choice:.2f` in one and the same network. [This is more than the {glue:text}`two.hue:.2f` by which the two faces moved $d$. But another choice moves $d$ up or down by chance. Pictures of a group move it, on average, in one direction.]{.holds #choice_more}
#
# (tests-means)=
# ## What this means
#
# **For the paper.** To choose attributes by a rating has two advantages over a choice by hand: everybody can repeat it, and flowers are no longer among the attributes of a test about flowers.
#
# But a rating does not make a picture free of groups. A few pictures seem to show children, and one test is about age. How much this matters for the published $d$ can be found out: one leaves these pictures out and repeats the test.

# %% [markdown]
# ## Where paper and code differ
#
# :::{dropdown} The differences, point by point
# From an audit of the authors' repository at commit `8dffa18`, checked against the paper's text and the released files.
#
# | | the paper says | the code does | we |
# |---|---|---|---|
# | tests (G6) | in one place seven tests with texts and four with pictures (as many as without instruments), in another eight and five; 16 combinations | eight and five; 20 combinations | run the 26 tests |
# | first gender (G14) | women | men, as in Figure 5; the sign of $d$ is turned back afterwards, but not p | run both |
# | full stop (G14) | none in Table 1 | one | run both |
# | unpleasant pictures (G14) | headed "Race Words" | the 25 lowest of OASIS | record them as unpleasant pictures |
# | direction (G12) | "consistent with the original" attributes; in the caption of Figure 7, "largely consistent" | Race, All Text: mean $d$ is below zero with the earlier words, above with the new | see [effect sizes](effect_sizes.ipynb) |
# | size of pictures | scaled and cropped to 500 × 400 | files are copied as they are (we do not know which size OASIS gives them); each model has its own preprocessing | use each model's own |
#
# On gender and the full stop: [in this network, both versions give the same $d$.]{.holds #same_d}
# :::
#
# :::{admonition} Rerun this with your own parameters
# :class: tip
# ```
# .venv/bin/vlmbias run pretraining/tests_and_stimuli -p n_chosen=10 -p rater_sd=4
# .venv/bin/vlmbias sources --check oasis      # after putting it below VLMBIAS_DATA
# ```
# To run this with OASIS and the Chicago Face Database (`cfd`) in a CLIP model, add `-p scenes=oasis -p stimuli=cfd -p model=ViT-B-32-quickgelu/openai`.
# :::
#
# ## Take-aways
#
# - A rating says one thing about a picture; look at what else the chosen ones have in common.
# - No attribute should show what a target shows: a few in 25 can move $d$.
# - Count different kinds, not entries: nine lakes are not nine independent pictures.
# - Report $d$ with several choices of attributes; if it moves as much as the effect, the effect may be in the pictures.
#
# ## Exercises
#
# :::{exercise} What balance does
# :label: tests-balance
# :level: introductory
# :minutes: 5
# :code: no
# Add a constant to every target's score $s(w)$, as a more extreme set $A$ would if all targets were equally near to pleasant things. What happens to $d$? What if all scores
# are doubled?
# :::
#
# ```{solution-start} tests-balance
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
x, y = np.random.default_rng(seed).normal([[0.3], [0.0]], 1, (2, 12))
plain, shifted, doubled = (vb.measures.effect_size(*own) for own in ((x, y), (x + 5, y + 5), (2 * x, 2 * y)))
print(f"d = {plain:.3f}; shifted {shifted:.3f}; doubled {doubled:.3f}")
assert np.allclose([shifted, doubled], plain) and abs(plain) > 0

# %% [markdown]
# A constant moves both means and every score alike, so neither the difference nor the SD changes; a factor multiplies both, and cancels. A more
# extreme set $A$ does no harm by being extreme. It does if it is nearer to some targets than to others.
#
# ```{solution-end}
# ```
#
# :::{exercise} How many kinds make 25
# :label: tests-kinds
# :level: intermediate
# :minutes: 15
# :code: yes
# If attributes of one kind agree completely, their set is worth $1 / \sum_k p_k^2$ independent ones, with $p_k$ the share of kind $k$. How many are the pleasant
# pictures of Table 1 worth, and the unpleasant ones? (`lists["positive images"]` and `lists["negative images"]` are the two lists; the function `theme` gives the theme of a picture.)
# :::
#
# ```{solution-start} tests-kinds
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
def worth(entries):
    shares = pd.Series(entries).map(theme).value_counts(normalize=True)
    return 1 / (shares**2).sum()


positive, negative = (worth(lists[f"{side} images"]) for side in ("positive", "negative"))
print(f"positive {positive:.1f}, negative {negative:.1f} of 25")
assert 1 < positive < negative < 25

# %% [markdown]
# Two entries sampled from the set, with replacement, are of one kind with the probability $\sum_k p_k^2$; as many *equal* kinds as the reciprocal says
# would give the same. Many entries of one kind repeat one observation, so 25 pictures can be worth a few.
#
# ```{solution-end}
# ```
#
# ## Questions to discuss
#
# 1. Suppose people rate pictures of babies as very pleasant. Should an association test about age exclude them?
# 2. A lexicon's most pleasant words are partly forms of one word. Would you rather choose the 25 most pleasant words or 25 kinds of them?
