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
# # 26 tests and what they are made of
#
# *Ghate, Slaughter, Wilson, Diab and Caliskan (2025), Section 3, Appendix A.2 and A.3, Table 1, Figure 1 (a sample of the pictures) and Figure 5: which
# pictures and words stand for groups, and which for pleasant and unpleasant.*
#
# :::{admonition} This chapter at a glance
# :class: note
#
# **Question.** Attributes are chosen because people rate them as very pleasant or very unpleasant. What does that choice do to an effect
# size, and what does it leave open?
#
# **In 20 minutes:** {ref}`the answer in one figure <tests-answer>`, {ref}`what is in the lists <tests-lists>`,
# {ref}`a few of the wrong pictures <tests-strangers>`, take-aways. **In 75 minutes:** also the selection, rerun, and the exercises.
#
# **You need:** means, standard deviations, the effect size $d$ ([the chapter on it](effect_sizes.ipynb)). Primer: [Embedding association
# tests](../../book/primers/association.md).
#
# **Content note.** Some of the paper's words and pictures are violent or obscene. This page counts them and names some themes; it shows no photograph.
# What is measured here is about drawn faces in invented hues.
# :::
#
# **The idea.** A test compares two sets of *targets*, $X$ and $Y$, by how near they are to two sets of *attributes*, $A$ and $B$. Earlier
# studies chose attributes by hand: words of May et al. {cite:p}`may2019`, photographs of Steed and Caliskan {cite:p}`steed2021`. Here they come from
# sets that many people rated for *valence*, how pleasant they are: the 25 most and 25 least pleasant of 900 pictures (OASIS) and of a lexicon's
# words (NRC-VAD), each word in six sentences. Targets are those of the earlier studies.
#
# **What the authors conclude** (the part that this chapter is about): rated attributes "offer more control and human-grounded valence inputs";
# the pictures "provide non-group-specific valence signals"; "the aggregate positive valence was equivalent in magnitude to the aggregate
# negative valence"; results become "less susceptible to noise and idiosyncrasies that may have plagued previous test sets".
#
# **Their own checks and limits.** Everything was also run with the earlier attributes (their Figure 7). "Further controlling the stimuli,
# such as examining the frequency of stimuli composition …, could provide a more nuanced understanding".

# %% tags=["parameters"]
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

# %%
from functools import partial

import numpy as np
import pandas as pd

import vlmbias as vb
from greenhouse import retrained
from greenhouse.world import grammar, truth
from studies import tables, words
from studies.pretraining import effect_sizes
from studies.pretraining import tests_and_stimuli as study
from studies.pretraining.effect_sizes import CATEGORIES, ORDERS, Targets
from vlmbias import battery
from vlmbias.sources import catalogue

vb.figures.style()
NEUTRAL = 4  # the middle of a scale from 1 to 7

# %% [markdown]
# ## The answer in one figure
#
# In our laboratory, the Greenhouse, small models were trained on captions of our own. In some, captions call one hue more pleasant than
# another ($b = 1$); in others they say nothing of the kind ($b = 0$). Each then took one test, faces of the two hues, with attributes chosen in five ways.

# %%
panel = retrained.vectors()  # what each retrained network made of the same pictures and words
plays = grammar.load().bias.roles
HUES, CRESTS = (plays["favoured"], plays["disfavoured"]), (plays["second"], plays["first"])
tests = study.sides(panel, HUES, CRESTS)
rng = np.random.default_rng(seed)

things = panel.images[panel.images["kind"] == "icon"]
said = truth.per_face(grammar.load(), things.reset_index(drop=True), 0.0, axes=["pleasant"])["pleasant"]  # what captions say of each, logits
known = pd.DataFrame({"valence": said.to_numpy()}, index=things.index)
high, low = study.extremes(known, 25)
mild_high, mild_low = study.middling(known, 25, middle=0)
signed = [known.index[known["valence"] > 0].to_numpy(), known.index[known["valence"] < 0].to_numpy()]
spoken = [panel.words_of(one, slot="valence") for one in ("pleasant", "unpleasant")]

WAYS = {
    "pictures: the 25 most extreme": [(high.index, low.index)],
    "pictures: the 25 mildest": [(mild_high.index, mild_low.index)],
    "pictures: 25 at random": study.subsets(signed, 25, draws=n_draws, rng=rng),
}
BY_WORDS = {f"words: {n} at random": study.subsets(spoken, n, draws=n_draws, rng=rng) for n in (25, 4)}
hue = tests[:1]
found = pd.concat([study.designs(panel, hue, WAYS), study.designs(panel, hue, BY_WORDS, against="text")])
table = study.over_networks(found[found["b"].isin([0, 1])])

# %% tags=["hide-input"]
asked = {0.0: "nothing planted (b = 0)", 1.0: "planted (b = 1)"}
drawn = table.assign(low=table["mean"] - table["sd"], high=table["mean"] + table["sd"], strength=table["b"].map(asked), line=table["way"] + table["b"].map(", b = {:g}".format))
at = table.set_index(["way", "b"])
vb.figures.show(
    vb.figures.forest(drawn, estimate="mean", low="low", high="high", label="line", group="strength", value_label=f"d, {HUES[0]} − {HUES[1]}: mean ± 1 SD of networks"),
    name="tests-answer",
    alt="Effect size of one test with attributes chosen in five ways, without and with a planted bias: mean and standard deviation over networks. "
    + "; ".join(f"{way}: {at.loc[(way, 0.0), 'mean']:.2f} ± {at.loc[(way, 0.0), 'sd']:.2f} and {at.loc[(way, 1.0), 'mean']:.2f} ± {at.loc[(way, 1.0), 'sd']:.2f}" for way in at.index.unique("way")) + ".",
    caption="Retrained networks, faces of two hues: the same targets against attributes chosen in five ways. Lines: one standard deviation of networks to either side.",
    source="greenhouse",
)
short = dict(zip(("extreme", "mild", "random", "words", "few"), at.index.unique("way"), strict=True))
spread = {key: {f"b{b:.0f}": at.loc[(way, b)] for b in asked} for key, way in short.items()}
vb.note(answer={key: {b: one[["mean", "sd"]] for b, one in own.items()} for key, own in spread.items()}, hues=" and ".join(HUES), null=int(at["n"].xs(0.0, level="b").iloc[0]),
        full=int(at["n"].xs(1.0, level="b").iloc[0]), told={key: words.verb(own["b1"]["mean"] - own["b0"]["mean"], above=own["b0"]["sd"], then="stands out", else_="does not stand out") for key, own in spread.items()})

# %% [markdown]
# The planted bias {glue:text}`told.words` from what {glue:text}`null` networks show where nothing was planted when the attributes are words
# ($d$ = {glue:text}`answer.words.b1.mean:.2f`, against {glue:text}`answer.words.b0.mean:.2f` ± {glue:text}`answer.words.b0.sd:.2f`). With the most extreme pictures it
# {glue:text}`told.extreme`: there $d$ spreads over networks with a standard deviation of {glue:text}`answer.extreme.b0.sd:.2f` while nothing is
# planted, because a drawn face and a drawn scene are near or far for reasons of paint. A rating says how pleasant a picture is.
# It does not say what else is in it.

# %% [markdown]
# ## What the paper reports

# %%
vb.ledger.show(vb.ledger.table("pretraining/tests_and_stimuli"))

# %% [markdown]
# Eight rows (Figure 5) in four orders would be 32 tests. Where the targets are pictures, rows that differ in their sentences only are one
# test, which leaves {claim}`effect_sizes.tests`:

# %% tags=["hide-output"]
listed = battery.listed()
sizes = listed.assign(n=listed["n"].astype("string").fillna("not stated")).groupby(["category", "order"], sort=False)["n"].agg(", ".join).unstack()
tables.readable(sizes.loc[list(CATEGORIES), list(ORDERS)].rename(index=CATEGORIES, columns=ORDERS).rename_axis(index="targets a side", columns=None))

# %% tags=["hide-input"]
cells = listed.groupby(["category", "order"]).ngroups
vb.note(tests=len(listed), cells=cells, per_order=words.listed(f"{n} ({ORDERS[order]})" for order, n in listed.groupby("order", sort=False).size().items()))
for claim, rows in (("figure5-rows", battery.tests.ROWS), ("figure5-images", {row.pictures[1:] for row in battery.tests.ROWS})):
    vb.ledger.record(f"tests_and_stimuli.{claim}", len(rows), results=results, stimuli="the 26 tests", model="none")

# %% [markdown]
# By order: {glue:text}`per_order`. Elsewhere the paper counts seven textual and four image tests, that is, without instruments and weapons, and speaks
# of {claim}`upstream.combinations` combinations of order and category; there are {glue:text}`cells`, as the regression table says (G6).
# **Pictures of instruments and weapons** were made for the study and not released: their tests with pictures cannot be rerun.
#
# (tests-lists)=
# ### What is in the lists
#
# Table 1 prints the chosen words and pictures. How many different things are they? (Words count as one kind where they are forms of
# each other, pictures where they have one theme; the rule is ours.)

# %%
printed = vb.ledger.load("pretraining").set_index("id")["value"]
KINDS = ("positive-words", "negative-words", "positive-images", "negative-images")
lists = {kind.replace("-", " "): study.entries(printed[f"tests_and_stimuli.table1.{kind}"]) for kind in KINDS}
inside = study.contents(lists, words=["positive words", "negative words"])
tables.readable(inside)

# %%
photographs = [file.path for file in catalogue.source("ieat-photographs").files if "/valence/" in file.path]
earlier = {f"earlier {side} images": [path.rsplit("/", 1)[1].rsplit(".", 1)[0] for path in photographs if f"/{side}/" in path] for side in ("pleasant", "unpleasant")}
SHOWN = {"flower-insect": ["flower", "butterfly", "roach"], "age": ["baby", "siblings"], "race": ["kkk rally"]}
shown = study.named({**{name: own for name, own in lists.items() if "images" in name}, **earlier}, SHOWN)
tables.readable(shown.assign(category=shown["category"].map(CATEGORIES))).hide(axis="index")

# %% tags=["hide-input"]
flowers = shown[shown["category"] == "flower-insect"]
vb.note(kinds=dict(zip(("pw", "nw", "pi", "ni"), inside["kinds"], strict=True)), most=inside.loc["positive images", "most"], of_it=int(inside.loc["positive images", "of it"]),
        old_flowers=int(flowers["n"].sum()), old_all=sum(map(len, earlier.values())), new_flowers=words.verb(float(len(flowers[~flowers["set"].str.startswith("earlier")])), above=0, then="some remain", else_="none remains"))

# %% [markdown]
# The 25 positive words are {glue:text}`kinds.pw` kinds, the 25 positive pictures {glue:text}`kinds.pi`, {glue:text}`of_it` of them of one theme ({glue:text}`most`). The second table lists
# attributes that, by their names, show what a test compares. Among the earlier photographs {glue:text}`old_flowers` of {glue:text}`old_all` are flowers,
# butterflies (an insect, in the pleasant set) and roaches: a test of flowers against insects partly compares flowers with flowers. Among the rated ones
# {glue:text}`new_flowers`; babies, siblings and rallies of one group are there, in sets called "non-group-specific". What that can do is
# measured {ref}`below <tests-strangers>`; what it does in the published numbers cannot be known without the pictures.

# %% [markdown]
# ## The protocol, run on {data}
#
# The Greenhouse's pictures have no human ratings. Made-up raters give theirs: each sees what captions say of a picture, with an error. Then the authors' rule:
# sort by mean rating, take both ends.

# %% tags=["hide-output"]
pictures = vb.images(scenes)
rated = pictures.table
if "valence" not in rated:
    said = truth.per_face(grammar.load(), rated, 0.0, axes=["pleasant"])["pleasant"]
    rated = rated.assign(valence=study.rate(said, raters=n_raters, sd=rater_sd, seed=seed), kind=rated["category"])
high, low = study.extremes(rated, n_chosen)
left = rated.drop(index=[*high.index, *low.index])
next_high, next_low = study.extremes(left, n_chosen)
SETS = {"chosen": (high, low), "next": (next_high, next_low), "mildest": study.middling(rated, n_chosen, middle=NEUTRAL)}
balances = pd.DataFrame({name: study.balance(*both, middle=NEUTRAL) for name, both in SETS.items()}).T
tables.readable(balances)

# %% tags=["hide-input"]
fig, ((axis,),) = vb.figures.panels(height=3.2)
steps = np.arange(0.95, 7.1, 0.1)
axis.hist(rated["valence"], steps, color="0.8", label="all rated pictures")
for (side, own), colour in zip({"most pleasant": high, "least pleasant": low}.items(), vb.figures.PALETTE, strict=False):
    axis.hist(own["valence"], steps, color=colour, label=f"{len(own)} {side}")
axis.set(xlabel="mean rating, 1 (very negative) to 7 (very positive)", ylabel="pictures")
fig.legend(loc="outside upper left", ncols=3)
kinds = {side: own["kind"].value_counts() for side, own in (("high", high), ("low", low))}
vb.figures.show(
    fig, name="tests-ratings",
    alt=f"Histogram of mean ratings of {len(rated)} pictures with both chosen ends: from {high['valence'].min():.1f} up and from {low['valence'].max():.1f} down.",
    caption="Ratings and the selection. " + ("Raters and ratings are made up." if pictures.source == "greenhouse" else "Ratings as published."),
    source="greenhouse" if pictures.source == "greenhouse" else "real:oasis",
)
ties = study.tied(rated, n_chosen)
vb.note(chosen_kinds={side: words.listed(own.index) for side, own in kinds.items()}, difference=balances.loc["chosen", "difference"], ties=ties["positive"] + ties["negative"],
        cut=words.verb(float(ties["positive"] + ties["negative"]), above=0, then="the order of the file decided between equal ratings", else_="no tie was cut"))

# %% [markdown]
# Chosen were {glue:text}`chosen_kinds.high` pictures at one end and {glue:text}`chosen_kinds.low` pictures at the other; at the borders {glue:text}`cut`. The two sets differ by
# {glue:text}`difference:+.2f` steps in their distance from the middle of the scale. Now the same targets against the chosen pictures, those next in line, and the mildest ones:

# %%
encoder, portraits = vb.encoder(model), vb.images(stimuli)
drawn_faces = portraits.source == "greenhouse"
PAIRS = {"race": HUES if drawn_faces else ("white", "black"), "gender": CRESTS if drawn_faces else ("female", "male")}
valence = tuple(effect_sizes.of_side(vb.prompts("greenhouse/valence"), one) for one in ("pleasant", "unpleasant"))
targets = [Targets(column, "image", "faces", *(effect_sizes.of_kind(portraits, column, one, n_images) for one in pair)) for column, pair in PAIRS.items()]
targets += [Targets(column, "text", "names", *(effect_sizes.of_side(vb.prompts("greenhouse/names"), one) for one in pair)) for column, pair in PAIRS.items() if drawn_faces]
targets += [Targets(category, "text", "words", *(effect_sizes.of_side(vb.prompts("greenhouse/objects"), one) for one in category.split("-"))) for category in ("flower-insect", "instrument-weapon")]
PROTOCOLS = {"described": dict(end="", turned=()), "released": dict(end=".", turned=("gender",))}


def tested(way, chosen):
    sets = {"image": tuple(pictures.where(rated.index.isin(own.index)) for own in SETS[way]), "text": valence}
    return effect_sizes.run(targets, sets, partial(vb.embed, encoder), ddof=1, n_permutations=1, n_resamples=1, seed=seed, **PROTOCOLS[chosen])


every = {(way, name): tested(way, name) for way in SETS for name in PROTOCOLS}
seen = {way: own[own["order"].isin(["all-image", "text-target"])] for (way, name), own in every.items() if name == protocol}
seen = {way: own.assign(test=own["category"] + ", " + own["targets"] + ", " + own["order"]) for way, own in seen.items()}
side_by_side = pd.DataFrame({way: own.set_index("test")["d"] for way, own in seen.items()})
tables.readable(side_by_side)

# %% tags=["hide-input"]
alike = study.agreement(seen).set_index(["first", "second"])
turned = pd.concat([(every[way, "described"]["d"] - every[way, "released"]["d"]).abs() for way in SETS]).max()
vb.note(alike={key: alike.loc[("chosen", way), "largest"] for key, way in (("next", "next"), ("mild", "mildest"))}, flips={key: words.among(int(alike.loc[("chosen", way), "turned"]), len(side_by_side)) for key, way in (("next", "next"), ("mild", "mildest"))}, turned=turned)

# %% [markdown]
# With the pictures that are next in line, $d$ moves by up to {glue:text}`alike.next:.2f`, and {glue:text}`flips.next` tests change their sign; with the mildest, by up to
# {glue:text}`alike.mild:.2f`, and {glue:text}`flips.mild` do. Which gender is first and whether sentences end in a full stop (G14; the scripts have men first, turn the sign later, and use a
# full stop) changes no $d$ here by more than {glue:text}`turned:.1g`. (The Greenhouse's tokeniser drops full stops, other models' do not.)
#
# ### The selection on the released files

# %% tags=["needs-clip-bias-stimuli", "hide-output"]
if vb.sources.at_hand("clip-bias-stimuli"):
    from vlmbias import sources
    from vlmbias.battery import seat

    combined = seat.combinations(sources.path("clip-bias-stimuli", "experiments/nrc_vad_combinations.json"))
    released = {side: own["word"].unique() for side, own in combined.table.groupby("dimension")}
    files = {f"{kind}, {file}": seat.read(sources.path("clip-bias-stimuli", f"data/tests_{kind}/{file}.jsonl")).table
             for file in dict.fromkeys(row.sentences for row in battery.tests.ROWS) for kind in ("nrc", "seat")}
    counts = pd.DataFrame({name: own["role"].value_counts() for name, own in files.items()}).T[["X", "Y", "A", "B"]]
    display(tables.readable(counts.rename_axis(columns=None)))

# %% tags=["needs-clip-bias-stimuli", "hide-input"]
if vb.sources.at_hand("clip-bias-stimuli"):
    same = {side: set(released[name]) == set(lists[f"{side} words"]) for side, name in (("positive", "pleasant"), ("negative", "unpleasant"))}
    for side, holds in same.items():
        vb.ledger.record(f"tests_and_stimuli.table1.{side}-words", holds, results=results, stimuli="clip-bias-stimuli", model="none")
    templates = {text.replace("{}.", "[WORD]") for text in combined.table["template"]}
    vb.ledger.record("tests_and_stimuli.table1.templates", templates == set(study.entries(printed["tests_and_stimuli.table1.templates"])), results=results, stimuli="clip-bias-stimuli", model="none")
    attributes = [frozenset(own.loc[own["role"].isin(["A", "B"]), "text"]) for name, own in files.items() if name.startswith("nrc")]
    old = counts[counts.index.str.startswith("seat")]
    vb.note(same_words=words.verb(float(all(same.values())), above=0.5, then="are the words of Table 1", else_="are not all the words of Table 1"), nrc_sets=len(set(attributes)), uneven=words.among(int((old["A"] != old["B"]).sum()), len(old)),
            firsts=words.listed(sorted(set(files["nrc, sent-weat11"].query("role == 'X'")["dimension"]))), stops=words.among(int(combined.table["text"].str.endswith(".").sum()), len(combined)))

# %% [markdown] tags=["needs-clip-bias-stimuli"]
# The released words {glue:text}`same_words`. All eight new files hold the same attribute sentences (distinct sets: {glue:text}`nrc_sets`), of which {glue:text}`stops` end in a full stop,
# which Table 1 leaves out. Of the earlier files {glue:text}`uneven` have more unpleasant than pleasant sentences. The first targets of the gender file: {glue:text}`firsts`.

# %% tags=["needs-nrc-vad"]
if vb.sources.at_hand("nrc-vad"):
    from vlmbias.stimuli import nrc_vad

    lexicon, _ = nrc_vad.read()
    top, bottom = study.extremes(lexicon, 25)
    weights = study.balance(top, bottom, middle=0.5).round(2)
    vb.ledger.record("tests_and_stimuli.balance-words", bool(weights["difference"] == 0), results=results, stimuli="nrc-vad", model="none")
    print(f"{len(set(top['word']) & set(lists['positive words']))} and {len(set(bottom['word']) & set(lists['negative words']))} of 25 are in Table 1; ties at the borders: {study.tied(lexicon, 25)}; {weights.to_dict()}")

# %% tags=["needs-oasis"]
if vb.sources.at_hand("oasis"):
    oasis = vb.images("oasis").table
    top, bottom = study.extremes(oasis, 25)
    weights = study.balance(top, bottom, middle=NEUTRAL).round(1)
    vb.ledger.record("tests_and_stimuli.balance-images", bool(weights["difference"] == 0), results=results, stimuli="oasis", model="none")
    for side, own in (("positive", top), ("negative", bottom)):
        vb.ledger.record(f"tests_and_stimuli.table1.{side}-images", set(own["theme"]) == set(lists[f"{side} images"]), results=results, stimuli="oasis", model="none")
    print(f"ties at the borders: {study.tied(oasis, 25)}; {weights.to_dict()}")

# %% [markdown]
# ## What this method can see
#
# Choosing attributes by rating rests on four assumptions. Each has a counter-example.
#
# 1. *Attributes differ in valence only.* Counter-example: networks with nothing planted, above.
# 2. *None of them shows what a target shows.* Counter-example: a few that do.
# 3. *Extreme and balanced is better.* Counter-example: mild, and unbalanced, sets.
# 4. *Another 25 would give the same.* Counter-example: other draws.
#
# (tests-strangers)=
# ### A few of the wrong pictures
#
# Replace some of the 25 pleasant pictures by faces of the group $X$, of people that are not among the targets. In these networks captions say nothing about hues
# and crests; about age they say that the young are a little more pleasant.

# %%
REPLACED = [0, 1, 2, 3, 5]
silent = panel.where(panel.networks["b"] == 0)
pools = [np.flatnonzero(panel.images["category"] == one) for one in ("pleasant", "unpleasant")]
moved = pd.concat([study.with_strangers(silent, one, *pools, REPLACED, draws=n_draws, seed=seed) for one in tests])
by_number = moved.groupby(["test", "n"], sort=False)["moved"].agg(["mean", "sem"]).reset_index()

# %% tags=["hide-input"]
bands = by_number.assign(low=by_number["mean"] - 2 * by_number["sem"], high=by_number["mean"] + 2 * by_number["sem"])
vb.figures.show(
    vb.figures.levels(bands, level="n", value="mean", group="test", low="low", high="high", level_label="pleasant pictures replaced by faces of X, of 25", value_label="change of d"),
    name="tests-strangers-figure",
    alt="Change of the effect size with the number of replaced pictures, four tests. With two replaced: "
    + "; ".join(f"{row['test']} {row['mean']:.2f}" for _, row in by_number[by_number["n"] == 2].iterrows()) + ".",
    caption="Networks with nothing planted about hues and crests: how far d moves when some pleasant pictures are faces of the first group. Bands: two standard errors over networks.",
    source="greenhouse",
)
two = by_number[by_number["n"] == 2].set_index("test")["mean"]
vb.note(two={key: two[test] for key, test in (("hue", "hue"), ("crest", "crest"), ("age", "age"), ("names", "hue, by names"))}, half=words.among(int((two > study.SMALL / 2).sum()), len(two)))

# %% [markdown]
# Two of 25 move $d$ by {glue:text}`two.hue:.2f` (hue), {glue:text}`two.crest:.2f` (crest) and {glue:text}`two.age:.2f` (age), and by {glue:text}`two.names:.2f` where the targets are *names* of the hue; in
# {glue:text}`half` tests that is more than half of 0.2, the paper's threshold. It is an association, and a true one: faces of a group are near other faces of the
# group. But it is not one with pleasantness.
#
# ### Extreme, mild, unbalanced

# %%
DESIGNS = {**WAYS, "pictures: extreme and mild": [(high_.index, low_.index) for high_, low_ in [(study.extremes(known, 25)[0], mild_low)]]}
designs = study.over_networks(pd.concat([study.designs(panel, tests, DESIGNS), study.designs(panel, tests, BY_WORDS, against="text")]).query("b in [0, 1]"))
shift = designs.pivot(index=["test", "way"], columns="b", values=["mean", "sd", "by_draw", "gap"])
signal = ((shift["mean"][1.0] - shift["mean"][0.0]) / shift["sd"][0.0]).unstack("way")[[*DESIGNS, *BY_WORDS]]
tables.readable(signal.T.rename_axis(index=None, columns=None), precision=1).set_caption("Shift of mean d from b = 0 to b = 1, in SD of networks at b = 0")

# %% tags=["hide-input"]
faces = signal.loc[["hue", "crest"]]
balanced, uneven = "pictures: the 25 most extreme", "pictures: extreme and mild"
limit = words.verb(faces["words: 25 at random"].min(), above=faces[list(DESIGNS)].max(axis=1).max(), then="No way of choosing pictures does what words do", else_="Some way of choosing pictures does as well as words")
draws = designs[designs["b"] == 0].set_index(["way", "test"])["by_draw"].xs("hue", level="test")
gap = shift["gap"].xs("hue", level="test")
vb.note(choice=limit, by_words=faces["words: 25 at random"].min(), by_pictures=faces[list(DESIGNS)].max(axis=1).max(), best=words.extreme(faces.min(), list(faces.columns)), gap_ratio=abs(gap.loc[balanced, 1.0] / gap.loc[uneven, 1.0]),
        draws={"pictures": draws["pictures: 25 at random"], "words": draws["words: 25 at random"], "few": draws["words: 4 at random"]}, moves=words.verb(abs(shift["mean"].loc[("hue", uneven), 0.0]), above=2 * shift["sd"].loc[("hue", uneven), 0.0] / np.sqrt(spread["extreme"]["b0"]["n"]), then="is off", else_="cannot be told from zero"))

# %% [markdown]
# How far does the planted bias move the mean of $d$, in standard deviations of networks that were told nothing? For faces of hues and crests at least {glue:text}`by_words:.1f` with
# 25 words, at most {glue:text}`by_pictures:.1f` with any set of pictures; best of all: {glue:text}`best`. {glue:text}`choice`.
#
# *Balance* is not what protects $d$. A set that is more extreme on one side adds the same amount to every target's $s(w)$ as far as it is about valence in general, and what all targets share drops out of
# $\operatorname{mean} s(x) - \operatorname{mean} s(y)$ and of the standard deviation ({numref}`tests-balance`). With an extreme and a mild set the mean $d$ of hues at $b = 0$ {glue:text}`moves`. The raw gap does depend
# on how extreme the sets are: at $b = 1$ it is {glue:text}`gap_ratio:.1f` times as large with two extreme sets.
#
# *Another 25*: between random choices of 25 pictures $d$ has a standard deviation of {glue:text}`draws.pictures:.2f` in one and the same network; between choices of 25 words {glue:text}`draws.words:.2f`, of four
# words {glue:text}`draws.few:.2f`. Our words are alike by construction: every pleasant word has the same odds. Words of a language are not, so this is a lower bound.

# %% [markdown]
# ## Where paper and code differ
#
# From an audit of the authors' repository at commit `8dffa18`, checked against the paper's text and the released files.
#
# | | paper | code | here |
# |---|---|---|---|
# | tests (G6) | seven textual and four image tests; 16 combinations | eight and five; 20 groups | 26 tests listed above |
# | first gender (G14) | women | men (so, too, Figure 5); the sign of $d$ is turned, not p | both protocols |
# | full stop (G14) | none in Table 1 | one | both protocols |
# | negative pictures (G14) | headed "Race Words" | the 25 lowest of OASIS | recorded as negative images |
# | direction (G12) | "consistent with the original" stimuli | Race, All Text: mean $d$ below zero with the earlier words, above with the new | see [effect sizes](effect_sizes.ipynb) |
# | standardising | pictures scaled and cropped to 500 × 400 | files copied as they are; each model's own preprocessing | each model's own preprocessing |
#
# :::{admonition} Rerun this with your own parameters
# :class: tip
# ```
# .venv/bin/vlmbias run pretraining/tests_and_stimuli -p n_chosen 10 -p rater_sd 4
# .venv/bin/vlmbias sources check oasis      # after putting it below VLMBIAS_DATA
# ```
# With OASIS and portraits of your own: `-p scenes oasis -p stimuli cfd -p model ViT-B-32-quickgelu/openai`.
# :::
#
# ## Take-aways
#
# - A rating grounds one property of a stimulus. Look at what else the chosen have in common, by name and by eye.
# - No attribute should show what a target shows. Two in 25 suffice to move $d$.
# - Equal valence on both sides does not protect an effect size; equal *content* would.
# - Count kinds, not items: sentences around one word, and forms of one word, are no independent attributes.
# - Report $d$ over several choices of attributes; its spread belongs to the uncertainty.
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
# If attributes of one kind agree completely, their set is worth $1 / \sum_k p_k^2$ independent ones, with $p_k$ the share of kind $k$. How many are the positive
# pictures of Table 1 worth, and the negative ones? (`lists` has Table 1, `study.theme` the kind of a picture.)
# :::
#
# ```{solution-start} tests-kinds
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
def worth(entries):
    shares = pd.Series(entries).map(study.theme).value_counts(normalize=True)
    return 1 / (shares**2).sum()


positive, negative = (worth(lists[f"{side} images"]) for side in ("positive", "negative"))
print(f"positive {positive:.1f}, negative {negative:.1f} of 25")
assert 1 < positive < negative < 25

# %% [markdown]
# Two entries drawn from the set, with replacement, are of one kind with the probability $\sum_k p_k^2$; as many *equal* kinds as the reciprocal says
# would give the same. Many entries of one kind repeat one observation, so 25 pictures can be worth a few.
#
# ```{solution-end}
# ```
#
# ## Questions to discuss
#
# 1. Suppose people rate pictures of babies as very pleasant. Should an association test about age exclude them? Say what the test would be about with them, and without.
# 2. A lexicon's most pleasant words are partly forms of one word. Would you rather choose the 25 most pleasant words or 25 kinds of them, and what would you lose?
