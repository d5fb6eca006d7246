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
# # Three traits, one phrase each
#
# *Wolfe and Caliskan (2022), Tables 3 to 5: patriotism, egalitarianism, nativism.*
#
# :::{admonition} This chapter at a glance
# :class: note
#
# **Question.** Three models place the phrase "a photo of someone who is patriotic" nearer to photographs of White people than of others. The
# p-values are small. Do they show that this is about patriotism?
#
# **In 20 minutes:** {ref}`What the paper reports <traits-found>`, {ref}`What one may doubt, and the answer in one figure <traits-answer>`,
# {ref}`What this means <traits-means>`. **In 75 minutes:** everything, with one of the exercises.
#
# **You need:** the chapter [](we_they.ipynb), whose tests this one takes up.
#
# **Content note.** The paper compares photographs of Asian, Black, Latina/o and White people. No photograph is shown here. Our own
# faces are drawings in invented colours, and stand for nobody.
# :::
#
# **The idea.** Psychologists asked people in the United States what makes an American {cite:p}`devos2005`. Three answers stood out: to be
# patriotic, to be born in the country, and to treat all people equally. {cite:t}`wolfe2022` ask whether the models CLIP, SLIP and BLIP connect these three traits
# with White people.
#
# **The test.** Each trait is written as one phrase:
#
# - patriotism: "{claim}`traits.phrase-patriotism`";
# - nativism, by its opposite: "{claim}`traits.phrase-nativism`";
# - egalitarianism: "{claim}`traits.phrase-egalitarianism`".
#
# A model turns portraits and phrases into lists of numbers, their *embeddings*. The cosine of two embeddings says how near a portrait and a
# phrase lie. The mean cosine of White people's portraits is compared with the mean of another group's. The difference, divided by the pooled
# standard deviation within the two groups, is the effect size $d$.
#
# A positive $d$ says that White people are nearer to the phrase. The phrase for nativism is about immigrants. So there, a *negative* $d$ connects
# White people with being born in America.
#
# The p-value comes from Welch's t-test over portraits. Our own p-values count both directions.
#
# **What the authors conclude.** "Single-category EATs reveal that images of White individuals are more associated with patriotism and with
# being born in America, but that, consistent with prior findings in psychology, White individuals are associated with being less likely to
# treat people of all races and backgrounds equally." (EATs are the tests just described; *single-category* means one phrase per test.)
#
# **Their own limits.** They write that "it is unavoidable that changing the prompt will produce different
# embedding association results in some circumstances". They expect that CLIP's results "better
# reflect societal associations and biases" than those of SLIP, which had far less training data.

# %% tags=["parameters", "hide-input"]
model = "greenhouse"  # the encoder under test: "greenhouse" (planted associations), or another; a model
beside = []  # further encoders, whose values are recorded too: for the paper's, those of BLIP and SLIP, in this order; a model
model_planted = "greenhouse"  # Greenhouse: encoder of the third section, trained with the planted associations; a model
model_null = "greenhouse/b0"  # Greenhouse: its twin, which was taught no difference between groups; a model
stimuli = "greenhouse/cfd"  # the portraits: one neutral photo per individual, four groups of unequal size; an image set
root = ""  # folder of the pictures, where a set has one; empty or a folder
reference = ""  # the group A of every test; without one, the colour for whose faces captions say "patriotic" most often, or, of people, "white", in a folder of yours the first; empty or a group
prompts = "greenhouse/traits"  # a dimension for each trait, and `other` phrases; a prompt set
protocol = "described"  # which protocol the headline follows, the paper's text or the code; one of: described, released
n_resamples = 999  # bootstrap resamples behind each interval; at least 1
seed = 0  # seed of every random draw below; at least 0
results = "_build/results/american_white/traits.json"  # where this notebook writes the values it computes

# %% tags=["hide-input"]
import numpy as np
import pandas as pd
from scipy import stats

import vlmbias as vb
from audit.rules import welch_p
from greenhouse import retrained
from greenhouse.world import grammar, truth
from studies import associations, roles, tables, words
from studies.american_white import agreement, claimed, false_positives, pictured, we_they
from vlmbias.external import facts

vb.figures.style()

# %% [markdown]
# (traits-found)=
# ## What the paper reports: models mostly agree on patriotism and birth in America, not on equal treatment
#
# Tables 3 to 5 compare White people with three other groups, in three models, by three phrases. These are three of
# the 27 comparisons:

# %%
TRAITS = ["patriotism", "egalitarianism", "nativism"]  # Tables 3, 4 and 5
of_trait = {
    trait: we_they.printed_cells(vb.ledger.claim, f"traits.{trait}") for trait in TRAITS
}
cells = pd.concat(of_trait, names=["trait"]).reset_index("trait").reset_index(drop=True)
columns = {"cell": "comparison", "text": "d", "n_x": "n, White", "n_y": "n, other"}
cells[["cell", "text", "p", "n_x", "n_y"]].rename(columns=columns).head(3)

# %% tags=["hide-input"]
short = cells.assign(cell=[cell.replace(", White −", " −").replace(", ", " ", 1) for cell in cells["cell"]])
positive = {trait: words.among(int((part["number"] > 0).sum()), len(part)) for trait, part in cells.groupby("trait")}
unsure = cells[cells["bound"].isna()]
vb.figures.show(
    vb.figures.forest(short, estimate="number", low="low", high="high", label="cell", group="network",
                      value_label="printed d"), name="traits-tables",
    alt="Twenty-seven effect sizes with intervals. Above zero: " + "; ".join(f"{trait}: {count}" for trait, count in positive.items())
    + f". Not significant: {words.listed(unsure['cell'])}.",
    caption="Tables 3 to 5, redrawn: White − the group named, a colour for each model. To the right of zero, photographs of White people are nearer to "
    "the phrase. The 95 % intervals are ours: how far d would vary with other photographs of the same kind.", source="paper:american_white, Tables 3–5")
vb.note(positive=positive)

# %% [markdown]
# - *Patriotism.* The models agree. White people are nearer to "patriotic" in {glue:text}`positive.patriotism` comparisons. The smallest $d$, {claim}`traits.patriotism.slip.wl.d`, is not significant.
# - *Egalitarianism* (equal treatment). The models disagree. In CLIP and BLIP, White people are farther from the phrase than each other group.
#   In SLIP they are nearer than Asian and Black people.
# - *Nativism* (birth in America). In all three models, White people are much farther from "an immigrant to America" than Asian and Latina/o people: each $d$
#   is {claim}`traits.nativism.blip.wa.d` or beyond. They are much farther than Black people only in BLIP. The authors explain this by
#   earlier findings "that Black individuals are seen as native to the U.S."
#
# The six results on nativism beside Asian and Latina/o people are the strongest finding: large, and the same "across all three models", as the authors write. (The models are not quite independent: a part of BLIP's data was chosen with CLIP.)
#
# The abstract, the introduction and the opening of the results leave the exceptions out. The results then name those in SLIP. They also say that on nativism, the effect does not hold for Black people "in CLIP or
# SLIP". Table 5 has a significant one in CLIP ($d$ = {claim}`traits.nativism.clip.wb.d`), which its caption calls small.
#
# **Do the printed numbers agree with each other?** Nearly all do. [Two printed p-values are too small for the effect sizes beside them,]{.holds #two_impossible} [and so are two more, if not only their power of ten counts,]{.holds #two_as_powers} but no conclusion depends on this.

# %% tags=["hide-input"]
bounded = cells[cells["bound"].notna()]
possible, nearest = [], {}
for row in bounded.itertuples():  # one-sided, with all that rounding and the choice of divisors leave open
    smaller = min(row.n_x, row.n_y)
    largest = max(abs(row.d.low), abs(row.d.high)) * np.sqrt(smaller / (smaller - 1))
    possible.append(we_they.smallest_p(largest, row.n_x, row.n_y) < row.bound)
    if not possible[-1]:  # whatever the SDs; we also search their ratios
        tail, ratios = "greater" if row.number > 0 else "less", np.geomspace(1e-3, 1e3, 4001)
        searched, _ = welch_p(row.d, row.n_x, row.n_y, tail=tail, ratios=ratios)
        nearest[row.cell] = searched.min()
tails = {"by its sign": ("less", "greater"), "two-sided": ("two-sided",) * 2, "always less": ("less",) * 2}
readings = we_they.readings(bounded, tails=tails)
magnitudes = readings[(readings["tail"] == "by its sign") & ~readings["free"] & ~readings["cell"].isin(nearest)]  # at ratios of the SDs up to 4
free = readings.groupby("tail", sort=False)["free"].sum().set_axis(["sign", "two", "less"])
sizes = cells[["n_x", "n_y"]].stack()
vb.note(barred={"cells": words.listed(nearest), "least": words.listed(f"{p:.0e}" for p in nearest.values())},
        held={(tail, "free"): words.among(hits, len(bounded)) for tail, hits in free.items()},
        inflation=(np.sqrt(sizes / (sizes - 1)) - 1).agg(["min", "max"]))
vb.note(powers=words.listed(magnitudes["cell"]))
vb.holds(two_impossible=possible.count(False) == 2, two_as_powers=len(magnitudes) == 2 and bool(magnitudes["magnitude"].all()))

# %% [markdown]
# :::{dropdown} Details: which p-values are possible
# *How small can p be?* Not printed is how much the scores vary in each group. Write $v_1$, $v_2$ for the groups' variances in units of
# $\sigma_p^2$. The pooled standard deviation ties them (Eq. 4):
#
# $$\begin{gathered} (N_1 - 1)\,v_1 + (N_2 - 1)\,v_2 \\ = N_1 + N_2 - 2, \quad\text{so that} \\[1ex]
# t^2 = \frac{d^2}{v_1/N_1 + v_2/N_2} \;\le\; d^2\,\frac{\max_i N_i (N_i - 1)}{N_1 + N_2 - 2}, \\[1ex]
# \mathrm{df} \le N_1 + N_2 - 2: \end{gathered}$$
#
# p cannot be smaller than at both limits at once. We also tried all
# ratios of the two standard deviations from a thousandth to a thousand.
#
# - *Impossible, whatever the spreads* (W3): {glue:text}`barred.cells`. The most favourable spreads would give a p near {glue:text}`barred.least`.
# - *Possible as powers of ten only* (W4): {glue:text}`powers`, if neither group varies more than four times as much as the other.
# - *The tail.* With one tail on the side of $d$, {glue:text}`held.sign.free` printed bounds
#   can be true; with two tails, {glue:text}`held.two.free`. With the tail "less" throughout, as in the released code, it is {glue:text}`held.less.free`.
# :::

# %% tags=["hide-input"]
vb.ledger.show(vb.ledger.table("american_white/traits"))

# %% [markdown]
# (traits-answer)=
# ## What one may doubt, and the answer in one figure
#
# The test over portraits does not ask whether the *phrase* matters. Suppose that photographs of one group are a little brighter, and that the model connects brightness a little with many phrases. Then "patriotic"
# could come out significant. So could a phrase that says nothing, such as "a photo of someone who is here".
#
# So a phrase should be compared with *plain* phrases, which have nothing to do with the trait. The paper has none.
#
# (traits-real)=
# ### In real models: do White people's portraits lie nearer to other words, too?
#
# Nine CLIP models of OpenAI, all trained on one data set, scored the same portraits with 25 pleasant and 25 unpleasant words {cite:p}`ghate2025`. None of the words is about America. We compute $d$ with the paper's groups. Each row is White people minus one other group, in the paper's CLIP, ViT-B/32:

# %%
valence = facts.table("cfd_valence")
WORDS = {"pleasant": "pleasant words", "unpleasant": "unpleasant words"}
by_words = {name: we_they.white_minus(valence, unit) for name, unit in WORDS.items()}
own_model = {name: one[one["model"] == "ViT-B/32"] for name, one in by_words.items()}
near = {name: one.set_index("against")["d"] for name, one in own_model.items()}
near = pd.DataFrame(near)

clip = cells[cells["network"] == "CLIP"]  # groups by their sizes:
clip = clip.pivot(index="trait", columns="n_y", values="number")
sizes = own_model["pleasant"].set_index("against")["n_y"]
printed_d = pd.DataFrame({trait: sizes.map(row) for trait, row in clip.iterrows()})
near.join(printed_d).round(2)

# %% tags=["hide-input"]
nine = {name: one[~one["model"].str.startswith("mean of")] for name, one in by_words.items()}
both_kinds = nine["pleasant"].merge(nine["unpleasant"], on=["model", "against"], suffixes=("", "_un"))
to_both = (both_kinds["d"] > 0) & (both_kinds["d_un"] > 0)
nearer = {race: f"{int(own.sum())} of {len(own)}" for race, own in to_both.groupby(both_kinds["against"])}
lowest, patriotic = near.min(axis=1), printed_d["patriotism"]
doubt = np.sqrt(2 * (1 / sizes + 1 / own_model["pleasant"]["n_x"].iloc[0])) if len(sizes) else None  # SD of a difference of two independent d, at most
complete = not near.join(printed_d).isna().any(axis=None) and len(near) == 3
if complete:  # how far ahead "patriotic" is, beside the groups where it may be
    leads = (-near.sub(patriotic, axis=0)).loc[["Asian", "Latino"]]
    clear_leads = [name for name, lead in leads.stack().items() if lead > 1.96 * doubt[name[0]]]
vb.note(words={"Black": {"least": lowest.get("Black")}}, nearer=nearer)
vb.holds(
    words_black=bool(lowest["Black"] > 2 * patriotic["Black"] > 0) if complete else None,
    leads_open=bool((leads > 0).all(axis=None)) and clear_leads == [("Asian", "pleasant")] if complete else None,
    most_black=bool(to_both[both_kinds["against"] == "Black"].mean() > 0.75) if complete else None,
    not_all=bool((printed_d[["egalitarianism", "nativism"]].max(axis=1) < lowest.clip(upper=0)).all()) if complete else None,
)

# %% [markdown]
# **Beside Black people, "patriotic" does not stand out.** [In the paper's CLIP, White people's portraits lie far nearer to both kinds of words: $d$ is {glue:text}`words.Black.least:.2f` or more. For
# "patriotic", it is only {claim}`traits.patriotism.clip.wb.d`.]{.holds #words_black} [In {glue:text}`nearer.Black` models, White people's portraits are nearer to both kinds of words, though often by less.]{.holds #most_black}
#
# **Beside Asian and Latina/o people, it is open.** [There, $d$ is larger for "patriotic" than for both kinds of words. But of these four differences between $d$, only one is more than may be chance: that from pleasant words, in the comparison with Asian people.]{.holds #leads_open}
#
# **The two other phrases speak for the authors.** [In the paper's CLIP, $d$ is negative for both phrases against each of the three groups, and lower than the $d$ of both kinds of words.]{.holds #not_all}
#
# The comparison is rough: a score with 25 words is steadier than a score with one phrase, which makes the $d$ of the words larger. And it is about one of the three models. ([More about these portraits](../real/faces.ipynb).)
#
# ### In small networks: what do plain phrases give?
#
# In our laboratory, the [Greenhouse](../../book/greenhouse/limits.md), we know what was taught: small networks learned from drawings of faces in four colours, and from
# captions that we wrote. We take two networks:
#
# - *no difference taught* (a *null network*): captions say each phrase equally often of every colour;
# - *three traits taught*: captions call the faces of some colours patriotic more often, and so on for the two other traits.
#
# The captions of both say {glue:text}`n_plain` plain phrases equally often of every colour, such as "a modern person".
# If a small p says something about the phrase, plain phrases should be significant by chance only: about {glue:text}`by_chance` of {glue:text}`n_plain`.
#
# We compare {glue:text}`favoured` with {glue:text}`rival` faces, in numbers as large as the paper's. A positive $d$ means that
# {glue:text}`favoured` faces are nearer. (We chose the pair for which "patriotic" has its smallest p in the null network, so this p is no evidence; how often such a p comes out follows below.) First the three trait phrases, with $p$ *over faces*, as in the paper's
# test (Arboria is the country of the Greenhouse):

# %%
spoken = grammar.load()
AXES = dict(zip(TRAITS, ["patriotic", "egalitarian", "immigrant"], strict=True))
everyone = retrained.scores("people")  # what many networks make of the same people
taught = truth.counted(spoken, everyone.images, "race", 1.0, axes=list(AXES.values()))
# in log-odds; captions of these colours say "patriotic" most and least often:
favoured = spoken.bias.roles["favoured"]
other = taught["patriotic"].drop(favoured).idxmin()

seen = {}
for name, network in {
    "no difference taught": model_null,
    "three traits taught": model_planted,
}.items():
    viewer = vb.encoder(network)
    people = vb.embed(viewer, vb.images("greenhouse/cfd"))
    phrases = vb.embed(viewer, vb.prompts("greenhouse/traits"))
    faces, texts = np.asarray(people, float), np.asarray(phrases, float)
    seen[name] = viewer.logit_scale * faces @ texts.T
colour = people.table["race"]
kind = phrases.table["dimension"]  # a trait, or "other"


def each_phrase(values, groups, first, second):
    """Of each phrase, d between two groups of faces and p over faces."""
    x, y = values[np.asarray(groups) == first], values[np.asarray(groups) == second]
    p = stats.ttest_ind(x, y, equal_var=False).pvalue
    return pd.DataFrame({"d": vb.effect_size(x.T, y.T, pooled=True), "p": p})


pairs = [(favoured, hue) for hue in sorted(set(colour) - {favoured})]
null = seen["no difference taught"]
by_hue = {hue: each_phrase(null, colour, favoured, hue).loc[0, "p"] for _, hue in pairs}
rival = min(by_hue, key=by_hue.get)  # where "patriotic", phrase 0, has its smallest p
tested = {name: each_phrase(one, colour, favoured, rival) for name, one in seen.items()}
both = pd.concat(tested, axis=1).set_axis(phrases.table["text"])
p_columns = [(name, "p") for name in tested]
tables.readable(both.head(3)).format(tables.p_value, subset=p_columns)

# %% [markdown]
# Now the comparison with plain phrases. How far does each
# $d$ lie from the mean of them all? The share of phrases that lie at least as far out as "patriotic", itself included, is its *p among phrases*.

# %%
first, second = null[colour == favoured, 0], null[colour == rival, 0]  # "patriotic"
n, m = len(first), len(second)
within = ((n - 1) * first.var(ddof=1) + (m - 1) * second.var(ddof=1)) / (n + m - 2)
d = (first.mean() - second.mean()) / np.sqrt(within)
p = stats.ttest_ind(first, second, equal_var=False).pvalue
by_phrase = tested["no difference taught"]
assert np.allclose([d, p], by_phrase.loc[0, ["d", "p"]].astype(float))

every = by_phrase["d"]
compared = every[(kind == "other") | (every.index == 0)]  # plain phrases, and this one
far = (compared - compared.mean()).abs()
rank = (far >= far[0]).mean()  # p among phrases: the share that lies as far out


def among_plain(d, kinds):
    """The p among phrases of each trait's phrase, from the d of all phrases."""
    d, kinds = np.asarray(d), np.asarray(kinds)
    p = {}
    for trait in TRAITS:
        own, others = d[kinds == trait], [d[kinds == "other"]]
        (p[trait],) = associations.over_phrases(own, others)
    return pd.Series(p)


assert np.isclose(rank, among_plain(every, kind)["patriotism"])
print(f"d {d:.2f}, p over faces {p:.2g}, p among phrases {rank:.2f}")

# %% tags=["hide-input"]
plain = (kind == "other").to_numpy()
order = np.r_[np.flatnonzero(plain)[np.argsort(tested["no difference taught"]["d"].to_numpy()[plain])], np.flatnonzero(~plain)[::-1]]
names = [f"“{text.replace('a photo of ', '')}”" if len(text) < 60 else "“… all … equally”" for text in phrases.table["text"]]
fig, (line,) = vb.figures.panels(1, 2, height=6.6, share_y=True)
for axes, (name, table) in zip(line, tested.items(), strict=True):
    for sure, fill in ((True, None), (False, "white")):
        for trait, ink in ((False, vb.figures.PALETTE[0]), (True, vb.figures.PALETTE[1])):
            at = [k for k, row in enumerate(order) if (table.loc[row, "p"] <= 0.05) == sure and (not plain[row]) == trait]
            label = f"{'trait' if trait else 'plain'}, {'significant' if sure else 'not significant'}"
            axes.plot(table["d"].to_numpy()[order[at]], at, "o", color=ink, mfc=fill, ms=6, label=label)
    axes.axvline(0, color=vb.figures.COLOURS["reference"], lw=1)
    axes.set_title(name, fontsize=10)
    axes.set(ylim=(-0.7, len(order) - 0.3))
line[0].set_yticks(range(len(order)), [names[row] for row in order], fontsize=9)
fig.supxlabel(f"effect size d, {favoured} − {rival}", fontsize=12)
handles, labels = line[1].get_legend_handles_labels()
fig.legend(handles, labels, loc="outside upper left", ncols=2)
hits = {name: int((table["p"][plain] <= 0.05).sum()) for name, table in tested.items()}
vb.figures.show(
    fig, name="traits-answer",
    alt=f"Effect sizes d between {favoured} and {rival} faces by each phrase, in two networks. No difference taught: {hits['no difference taught']} of {plain.sum()} plain phrases are significant, and the three traits lie among them. "
    f"Three traits taught: {hits['three traits taught']} of {plain.sum()} plain phrases are significant.",
    caption=f"How much nearer {favoured} than {rival} faces are to each phrase, in one network each. One dot per phrase. Filled: p ≤ .05 over faces. The panels have different scales.", source="greenhouse")
PLAIN = ["someone", *spoken.bias.unplanted, "budded", "eared", "smiling", "frowning", "young", "old"]  # the same, as the grammar names them
vectors = retrained.vectors()
vectors = vectors.where(vectors.networks["condition"] == "none")
plain_words = np.unique(np.concatenate([vectors.words_of(axis) for axis in PLAIN]))
plain_words = plain_words[vectors.words["first_sentence"].iloc[plain_words].isin(phrases.table["text"][plain])]
vb.note(favoured=favoured, rival=rival, n_plain=int(plain.sum()), by_chance=round(0.05 * plain.sum()), hits={"nothing": words.among(hits["no difference taught"], int(plain.sum()))},
        rank=rank, trait_p="p " + text if (text := tables.p_value(p)).startswith("<") else f"p = {text}")
vb.holds(significant_over_faces=bool(p < 0.05), nothing_special=bool(rank > 0.05))

# %% [markdown]
# **A small p over faces does not set a phrase apart.** [Where no difference was taught, "patriotic" is significant over faces ({glue:text}`trait_p`).]{.holds #significant_over_faces} Of the
# plain phrases, {glue:text}`hits.nothing` are significant. [Among them, "patriotic" is nothing special: its p
# among phrases is {glue:text}`rank:.2f`.]{.holds #nothing_special}
#
# Training leaves small peculiarities, other ones in each network ([](we_they.ipynb)). With many faces, a test finds even small ones.
#
# **This is not an oddity of one network.** For all {glue:text}`fleet.networks` null networks, the next table shows the share of tests that are significant with groups as large as the paper's, and the
# largest $d$ in any of the {glue:text}`null_tests` comparisons of two colours.

# %%
in_paper = colour.value_counts().to_dict()  # the sizes of its groups
in_null, null_d = {}, {}
for trait, axis in (AXES | {"here": "someone"}).items():
    share = false_positives.expected_of_faces(everyone, axis, sizes=in_paper)
    sizes = agreement.effect_sizes(everyone, axis, b=0).abs()  # networks × pairs
    null_d[trait] = sizes.to_numpy(float).ravel()
    in_null[trait] = {"significant": share, "largest d": null_d[trait].max()}
in_null = pd.DataFrame(in_null).T
in_null.round(2)

# %% tags=["hide-input"]
three_shares = in_null["significant"].drop("here")
beyond = cells[(cells["trait"] == "nativism") & ~cells["cell"].str.contains("Black")]["number"].abs()
error = np.sqrt((1 / cells["n_x"] + 1 / cells["n_y"]).max())  # of d, chance among portraits
chance = error * np.random.default_rng(seed).normal(size=(sizes.size, 2_000))
with_portraits = {trait: np.abs(own[:, None] + chance).max(axis=0).mean() for trait, own in null_d.items()}
equal = cells[cells["trait"] == "egalitarianism"].set_index("cell")["number"]
far = equal[equal.abs() > with_portraits["egalitarianism"]]
love = cells[cells["trait"] == "patriotism"]["number"]
lowest, next_largest = love[cells.loc[love.index, "bound"].notna()].min(), love.nlargest(2).iloc[-1]  # the smallest significant, the second largest
reach = {name: (null_d["patriotism"] >= size).mean() for name, size in (("least", lowest), ("second", next_largest))}
vb.note(rates={"low": three_shares.min(), "high": three_shares.max()}, null_tests=sizes.size,
        null_size=in_null["largest d"].to_dict(), reach_n=int((null_d["patriotism"] >= next_largest).sum()), reached={"second": next_largest})
vb.holds(sizes_beyond=bool(beyond.min() > 1.5 * with_portraits["nativism"]), sizes_inside=bool((love.abs() <= in_null.loc["patriotism", "largest d"]).sum() == len(love) - 1),
         rarely_large=bool(reach["least"] > 0.1 and reach["second"] < 0.01), equal_beyond=len(far) == 7 and (far > 0).sum() == far.index.str.contains("SLIP").sum() == 2)

# %% [markdown]
# At the paper's sizes, {glue:text}`rates.low:.0%` to {glue:text}`rates.high:.0%` of the tests of its three phrases are significant, where chance gives 5 %.
#
# **Are the printed results larger than these differences that nobody taught?**
#
# - *Nativism.* [The six printed results beside Asian and Latina/o people are far larger than anything in our null networks: there, $d$ is {glue:text}`null_size.nativism:.2f` at most.]{.holds #sizes_beyond} This speaks for the authors.
# - *Egalitarianism.* [Without regard to sign, seven of nine printed results are larger than the largest in our null networks. Two of the seven are SLIP's, with the opposite sign.]{.holds #equal_beyond}
# - *Patriotism.* [All printed results but one are of a size that our null networks reach, too.]{.holds #sizes_inside} [But large ones are rare: only {glue:text}`reach_n` of {glue:text}`null_tests` comparisons reaches the paper's second largest, {glue:text}`reached.second:.2f`.]{.holds #rarely_large}
#
# Our null networks saw the *same* people in each colour. The paper's groups are different people, which adds chance. [With this chance added, the first two results still hold.]{.holds #sizes_beyond} But neither shares nor sizes carry over to CLIP: our networks are tiny, and drawings of one colour are probably more alike than portraits of people.
#
# ## The protocol, run on {data}
#
# {glue:text}`shown`
# On our drawings, this section uses the network *three traits taught*. Its captions call {glue:text}`first` faces
# patriotic most often, so the result is no surprise.

# %% tags=["hide-cell"]
PROTOCOLS = {
    # as the text says: Eq. 4 and Welch; what it leaves open, as is usual
    "described": dict(method="welch", pooled=True, ddof=1, alternative="two-sided"),
    # as the released code has it: variances divided by N, one fixed tail
    "released": dict(method="welch", pooled=True, ddof=0, alternative="less"),
}

# %%
faces = vb.images(stimuli, root or None)
given = zip(we_they.AT_HAND, (model, *beside), strict=False)
encoders = {network: vb.encoder(name) for network, name in given}
usual = pictured.usual(faces, favoured)
first = reference or usual
said_by = vb.prompts(prompts)

tests, among = {}, {}
for network, encoder in encoders.items():
    people, speech = vb.embed(encoder, faces), vb.embed(encoder, said_by)
    group, dimension = people.table["race"], speech.table["dimension"]
    logits = encoder.logit_scale * np.asarray(people) @ np.asarray(speech).T
    rivals = sorted(set(group) - {first})
    for another in rivals:
        A, B = people.where(group == first), people.where(group == another)
        for trait in TRAITS:
            (w,) = np.asarray(speech.where(dimension == trait))
            for name, keywords in PROTOCOLS.items():
                tests[network, trait, another, name] = vb.sc_eat(w, A, B, **keywords)
        by_phrase = each_phrase(logits, group, first, another)
        among[network, another] = among_plain(by_phrase["d"], dimension)

# %% tags=["hide-cell"]
network = we_they.AT_HAND[0]
own = {key[1:]: test for key, test in tests.items() if key[0] == network}
scale = encoders[network].logit_scale
table = associations.with_intervals(own, scale=scale, n_resamples=n_resamples, seed=seed)
table.index.names = ["trait", "against", "protocol"]
table["p_phrases"] = [among[network, another][trait] for trait, another, _ in table.index]
headline = table.xs(protocol, level="protocol")
labelled = headline.reset_index().assign(label=lambda one: one["trait"] + f"\n{first} − " + one["against"])
vb.figures.show(
    vb.figures.forest_in_both_units(labelled, label="label"), name="traits-run",
    alt=f"Comparisons of {first} with each other group, effect size on the left and difference in log-odds on the right, with intervals: "
    + "; ".join(f"{trait}, {another}: d = {d:.2f}" for (trait, another), d in headline["d"].items()) + ".",
    caption=f"Three phrases, protocol as {protocol}, with 95 % intervals over individuals.", source=roles.sources(faces, people.source))
over = {name: int((headline[p] <= 0.05).sum()) for name, p in (("faces", "p"), ("phrases", "p_phrases"))}
vb.note(shown=pictured.shown(faces), first=first,
        over={name: words.among(hits, len(headline)) for name, hits in over.items()})

# %% tags=["hide-cell"]
tables.readable(headline.rename_axis(["trait", f"{first} minus"])).format(tables.p_value, subset=["p", "p_phrases"])

# %% tags=["hide-cell"]
# the paper's order of the other groups is that of their names; on drawings the ledger sets nothing beside what is printed
letters = dict(zip(rivals, we_they.OTHERS, strict=False))
for name in PROTOCOLS if first == usual and not pictured.is_own(faces) else ():
    by_claim = {(trait, network, letters[another]): test
                for (network, trait, another, how), test in tests.items() if how == name}
    d = {key: float(test.effect_size) for key, test in by_claim.items()}
    p = {key: float(test.p_value) for key, test in by_claim.items()}
    values = claimed.traits(d, p) if len(encoders) == len(we_they.NETWORKS) else {}
    values |= {f"{trait}.{network}.w{letter}.d": value for (trait, network, letter), value in d.items()}
    values |= {f"{trait}.{network}.w{letter}.p": value for (trait, network, letter), value in p.items()}
    for claim, value in values.items():
        about = [encoders[one] for one in claimed.about(f"traits.{claim}")]
        vb.ledger.record(f"traits.{claim}", value, results=results, stimuli=faces, model=about, protocol=name)
texts = said_by.table.set_index("dimension")["text"]
design = {"traits.characteristics": len(TRAITS), "traits.phrases": len(TRAITS)}
for trait in TRAITS:
    for claim in (f"traits.phrase-{trait}", f"traits.phrase-{trait}-again"):
        design[claim] = bool(texts[trait] == vb.ledger.claim(claim).value)
for claim, value in design.items():
    vb.ledger.record(claim, value, results=results, stimuli=faces, model=list(encoders.values()))

# %% [markdown]
# Over faces, {glue:text}`over.faces` comparisons are significant. Among phrases, {glue:text}`over.phrases` are.
#
# ## What this method can see
#
# ### Faces or phrases: what is the unit of analysis?
#
# The paper's test counts faces; our
# comparison counts phrases. (What a test counts as one observation is its *unit of analysis*.)
#
# We take networks of three kinds: no difference taught; the full difference, as in the network *three traits taught*; and a quarter of it. For each
# trait, we compare the two colours that the full captions treat most differently. (The same {glue:text}`fleet.n` people are drawn in both, so the test over faces
# is more precise than with different people.)
#
# In a good test, the points for *no difference taught* lie at the dashed line, and the
# others far to the right.

# %%
hue = vectors.images["race"].where(vectors.images["subset"] == "prototype")


def of_two(first, second, which):
    """Cosines of words with two colours' faces: networks × words × faces, twice."""
    faces = (np.flatnonzero(hue == one) for one in (first, second))
    return [vectors.cosines(rows, which).swapaxes(1, 2) for rows in faces]


rejected = {}
for trait, axis in AXES.items():
    distance = (taught[axis] - taught.loc[favoured, axis]).abs()
    (own,) = vectors.words_of(axis)
    x, y = of_two(favoured, distance.idxmax(), np.r_[own, plain_words])
    d = vb.effect_size(x, y, pooled=True)  # networks × phrases, the trait's first
    p = {
        "faces": stats.ttest_ind(x[:, 0], y[:, 0], axis=1, equal_var=False).pvalue,
        "phrases": associations.over_phrases(d[:, 0], d[:, 1:]),
    }
    table = pd.DataFrame(p, index=vectors.networks["b"]).reset_index()
    table = table.melt("b", var_name="unit", value_name="p")
    rejected[trait] = associations.rejected(table, strengths=[0, 0.25, 1])
answer = pd.concat(rejected, names=["trait", None]).reset_index("trait")

# %% tags=["hide-input"]
units = {"faces": "over faces (the paper's test)", "phrases": "among phrases"}
strengths = {0: "no difference taught", 0.25: "a quarter taught", 1: "full difference taught"}
counted = answer.groupby(["unit", "b"])[["hits", "n"]].sum()
vb.figures.show(
    vb.figures.rates(answer.assign(unit=answer["unit"].map(units), b=answer["b"].map(strengths)), rate="rate", low="low", high="high", label="trait",
                     group="b", panel="unit", value_label="% of networks with p ≤ .05, exact 95 % intervals"), name="traits-units",
    alt="Share of networks in which a test is significant, in two panels. Of all traits together, where no difference was taught: "
    + "; ".join(f"{units[unit]}, {words.among(int(row['hits']), int(row['n']))}" for (unit, b), row in counted.iterrows() if b == 0) + ".",
    caption="One point per trait and kind of network. Dashed line: 1 network in 20.", source="greenhouse")
vb.note(significant={(unit, f"{b:g}"): int(row["hits"]) or "none" for (unit, b), row in counted.iterrows()},
        tests={f"{b:g}": int(counted.loc[("faces", b), "n"]) for b in strengths},
        chance=round(0.05 * counted.loc[("faces", 0), "n"]))
vb.holds(far_more=bool(counted.loc[("faces", 0), "hits"] > 2 * counted.loc[("phrases", 0), "hits"]))
vb.note(fleet={"n": x.shape[2], "networks": int((vectors.networks["b"] == 0).sum())})

# %% [markdown]
# [**Where no difference was taught, the test over faces is significant far more often than the test among phrases.**]{.holds #far_more} Of {glue:text}`tests.0` tests over faces,
# {glue:text}`significant.faces.0` are significant; of as many among phrases, {glue:text}`significant.phrases.0`. Chance gives about {glue:text}`chance`.
#
# **Where a difference was taught, the test among phrases may miss a weak one.** Of {glue:text}`tests.1` tests among phrases, {glue:text}`significant.phrases.1`
# are significant with the full difference, and {glue:text}`significant.phrases.0.25` with a quarter of it. The test over faces is
# more sensitive, but it cannot tell a weak trait from an accident of training.

# %% [markdown]
# (traits-means)=
# ## What this means
#
# **For the paper.** The results on birth in America, beside Asian and Latina/o people, are strong. Is the result on patriotism about *patriotism*? [Beside Black people, other words may explain it in the paper's CLIP: there, White people's portraits are nearer to words that have nothing to do with America, by far more.]{.holds #words_black} Beside Asian and Latina/o people, it is open.
# For BLIP and SLIP we do not know: the paper does not report $d$ for plain phrases. The hard part is to choose phrases that should show no difference
# between groups of people.
#
# **For your own work.** Write phrases that begin in the same way as yours, and have nothing to do with the trait. Report where your phrase
# stands among them.
#
# ## Where paper and code differ
#
# :::{dropdown} The differences, point by point
# From an audit of the authors' repository ([wolferobert3/american_white](https://github.com/wolferobert3/american_white)) at commit `2e45194`,
# checked against the paper's text.
#
# **W1. The divisor.** Variances are computed with $N$ and weighted by $N - 1$. $|d|$ and $|t|$ come out larger by {glue:text}`inflation.min:.2%` to
# {glue:text}`inflation.max:.2%`.
#
# **W2. The tail.** The function behind all three traits always asks whether White people score *lower*. For patriotism they score higher. The printed p-values
# follow the observed sign; the code as released does not give them where $d$ is positive.
#
# **W3. Impossible bounds.** Two p-values of Table 4 (above). The code prints p itself, not a bound such as "p < .01".
#
# **W12. Text and tables.** On equal treatment, the introduction names no exception, though Table 4 shows one: SLIP.
# :::
#
# :::{admonition} Rerun this with your own parameters
# :class: tip
# ```
# .venv/bin/vlmbias run american_white/traits -p model=greenhouse/b0 -p protocol=released
# ```
# This runs the protocol on the network that was taught no difference.
# :::
#
# ## Take-aways
#
# - A small p over photographs does not set a phrase apart. Test other phrases, too, those that should show nothing.
# - Report how far your phrase stands out among them. In our networks, this rarely gave a false positive, but missed weak differences. With 19 others, only the farthest can reach p ≤ .05.
# - Say which tail a test has. A tail that is fixed on one side cannot find a difference on the other.

# %% [markdown]
# ## Exercises
#
# :::{exercise} A bound for equal groups
# :label: traits-equal
# :level: advanced
# :minutes: 20
# :code: no
# Two groups of $n$ photographs each. Show that $t = d\,\sqrt{n/2}$ whatever the standard deviations of the two groups are. They change p only
# through the degrees of freedom. How small and how large can the one-sided p be for $n = 100$ and $d = 1$?
# :::
#
# ```{solution-start} traits-equal
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
from scipy import stats

n, d_equal = 100, 1.0
t = d_equal * np.sqrt(n / 2)  # (v_1 + v_2) / n is 2 / n by Eq. 4, whatever v_1 is
ends_p = stats.t.sf(t, 2 * n - 2), stats.t.sf(t, n - 1)  # equal SDs; one SD of 0
print(f"one-sided p from {ends_p[0]:.1e} to {ends_p[1]:.1e}")
tried = [stats.ttest_ind_from_stats(d_equal * np.sqrt((1 + r**2) / 2), r, n, 0, 1, n, equal_var=False, alternative="greater").pvalue
         for r in np.geomspace(0.01, 100, 201)]
assert ends_p[0] <= min(tried) * (1 + 1e-9) and max(tried) <= ends_p[1] * (1 + 1e-9)
assert np.isclose(we_they.smallest_p(d_equal, n, n), stats.t.sf(d_equal * np.sqrt(n / 2), 2 * n - 2))

# %% [markdown]
# With equal $n$ the pooled variance of Eq. 4 is the mean of both variances, and Welch's squared standard error is their sum over $n$. Both hold the
# variances only as a sum, so $t = d \sqrt{n/2}$.
#
# The single variances decide only the degrees of freedom. These are $n - 1$ where one variance is zero, and $2n - 2$ where they are equal. The p-value
# lies between what these give.
#
# ```{solution-end}
# ```
#
# :::{exercise} How many phrases
# :label: traits-many
# :level: introductory
# :minutes: 5
# :code: no
# How many other phrases does it take until one phrase among them can have p ≤ .01?
# :::
#
# ```{solution-start} traits-many
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
enough = int(1 / 0.01) - 1
rng = np.random.default_rng(seed)
extreme = [associations.over_phrases([100.0], rng.normal(size=(1, k)))[0] for k in (enough - 1, enough)]
print(f"{enough} other phrases: p = {extreme[1]:.3f}; one fewer: {extreme[0]:.4f}")
assert extreme[1] <= 0.01 < extreme[0]

# %% [markdown]
# The phrase is ranked among itself and $k$ others. If it is the most extreme, p is $1/(k + 1)$, and no lower p exists. That reaches .01 once a
# hundred phrases stand in the list, the tested one included. So it takes 99 others.
#
# ```{solution-end}
# ```
#
# ## Questions to discuss
#
# 1. Devos and Banaji surveyed people and found three traits. What does one sentence per trait leave out?
# 2. A phrase's rank among other phrases needs phrases that tell no group from another. Of people, can there be such a list?
