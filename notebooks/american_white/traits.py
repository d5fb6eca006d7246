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
# **Question.** Do three vision-language models place the phrase *a photo of someone who is patriotic* nearer to photographs of one group
# of people than of others, and what stands behind a p-value when there is one phrase only?
#
# **In 20 minutes:** {ref}`the answer in one figure <traits-answer>`, {ref}`how small a p can be <traits-least>`,
# {ref}`one phrase among others <traits-phrases>`, take-aways. **In 75 minutes:** also the recovery, the four foils and the exercises.
#
# **You need:** the chapter [](we_they.ipynb), whose tests this one takes up. The primer
# [Embedding association tests](../../book/primers/association.md) starts from nothing.
#
# **Content note.** The paper compares photographs of Asian, Black, Latina/o and White individuals. No photograph is shown here;
# the faces are drawings of fictional groups and stand for nobody.
# :::
#
# **The idea.** {cite:t}`devos2005` surveyed which attributes describe American identity. Three stood out: to be patriotic, to be born in the
# country, to treat people of all races and backgrounds equally. {cite:t}`wolfe2022` write each as a phrase: "{claim}`traits.phrase-patriotism`",
# "{claim}`traits.phrase-nativism`", "{claim}`traits.phrase-egalitarianism`".
#
# **The measure.** A *single-category* test (SC-EAT) has one phrase $w$ and two groups of embedded photographs, $A$ of White individuals
# and $B$ of another group:
#
# $$\begin{gathered} d = \frac{\operatorname{mean}_{a \in A} \cos(w, a) - \operatorname{mean}_{b \in B} \cos(w, b)}{\sigma_p}, \\[1ex]
# \sigma_p^2 = \frac{(N_1 - 1)\,\sigma_1^2 + (N_2 - 1)\,\sigma_2^2}{N_1 + N_2 - 2}. \end{gathered}$$
#
# The p-value is again Welch's, over photographs. For nativism the phrase names the opposite, so that a *negative* $d$ is an association of
# White with native.
#
# **What the authors conclude.** "Single-category EATs reveal that images of White individuals are more associated with patriotism and with
# being born in America, but that, consistent with prior findings in psychology, White individuals are associated with being less likely to
# treat people of all races and backgrounds equally."
#
# **Their own checks and limits.** The prompt has the format that "correspond[s] well to census ground truth" in their ranking of states;
# still, "it is unavoidable that changing the prompt will produce different embedding association results in some circumstances".

# %% tags=["parameters"]
model = "greenhouse"  # the encoder under test: "greenhouse" (planted associations), or another; a model
beside = []  # further encoders, whose values are recorded too: for the paper's, those of BLIP and SLIP, in this order; a model
model_planted = "greenhouse"  # Greenhouse: encoder of the third section, trained with the planted associations; a model
model_null = "greenhouse/b0"  # Greenhouse: its twin, trained where hue and crest change no word; a model
stimuli = "greenhouse/cfd"  # the portraits: one neutral photo per individual, four groups of unequal size; an image set
root = ""  # folder of the pictures, where a set has one; empty or a folder
reference = ""  # the group A of every test; without one, the hue for whose faces captions say "patriotic" most often, or, of people, "white", in a folder of yours the first; empty or a group
prompts = "greenhouse/traits"  # a dimension for each trait, and `other` phrases; a prompt set
protocol = "described"  # which protocol the headline follows, the paper's text or the code; one of: described, released
n_resamples = 999  # bootstrap resamples behind each interval; at least 1
seed = 0  # seed of every random draw below; at least 0
results = "_build/results/american_white/traits.json"  # where this notebook writes the values it computes

# %%
import numpy as np
import pandas as pd

import vlmbias as vb
from greenhouse import retrained
from greenhouse.world import grammar, truth
from studies import associations, roles, tables, words
from studies.american_white import pictured, traits, we_they

vb.figures.style()

# %% [markdown]
# ## The answer in one figure
#
# In the Greenhouse, networks can be trained again, on captions that say each of the three phrases more often of some hues ($b$ says how
# strongly) or equally often of all ($b = 0$). How often does a test report a difference where nothing was planted? It depends on what is
# taken as the case: *faces*, as in the paper; other *phrases*, which captions say of all hues alike; or *networks* that were told nothing.

# %%
spoken = grammar.load()
AXES = {"patriotism": "patriotic", "egalitarianism": "egalitarian", "nativism": "immigrant"}  # as the grammar names them
PLAIN = ["someone", *spoken.bias.unplanted, "budded", "eared", "smiling", "frowning", "young", "old"]  # the same of all hues

favoured = spoken.bias.roles["favoured"]  # captions of its faces say "patriotic" most often
panel, vectors = retrained.scores("people"), retrained.vectors()  # what retrained networks made of the same people, and words
pairs = [(favoured, hue) for hue in sorted(set(panel.images["race"]) - {favoured})]
said = truth.counted(spoken, panel.images, "race", 1.0, axes=list(AXES.values()))
planted = {(axis, f"{x} − {y}"): said.loc[x, axis] - said.loc[y, axis] for axis in AXES.values() for x, y in pairs}

found = traits.every_pair(panel, vectors, pairs, list(AXES.values()), PLAIN, seed=seed)
strongest = [max((key for key in planted if key[0] == axis), key=lambda key: abs(planted[key])) for axis in AXES.values()]
own = found.set_index(["axis", "pair"]).loc[strongest].reset_index()  # one comparison for each trait
answer = pd.concat({trait: associations.rejected(own[own["axis"] == axis], strengths=[0, 0.25, 1]) for trait, axis in AXES.items()})
answer = answer.rename_axis(["trait", None]).reset_index("trait")

# %% tags=["hide-input"]
cases = {"faces": "faces as cases\n(the paper's test)", "phrases": "phrases as cases", "networks": "networks as cases"}
none = answer[answer["b"] == 0]
hits = {(row.unit, row.trait, row.b): words.among(row.hits, row.n) for row in answer.itertuples()}
level = {(row.unit, row.trait): words.side(row.low, row.high, of=0.05, above="more than 5 %", below="fewer than 5 %",
                                           neither="consistent with 5 %") for row in none.itertuples()}
vb.figures.show(
    vb.figures.rates(none.assign(unit=none["unit"].map(cases)).sort_values("unit", key=lambda one: one.map(list(cases.values()).index), kind="stable"),
                     rate="rate", low="low", high="high", label="unit", group="trait",
                     value_label="% of networks with p ≤ .05, b = 0"), name="traits-answer",
    alt="Share of networks in which the test reports a difference though nothing was planted, by what is taken as the case. "
    + "; ".join(f"{row.unit}, {row.trait}: {hits[row.unit, row.trait, 0]}" for row in none.itertuples()) + ".",
    caption=f"For each trait one comparison of {favoured} with another hue. Nothing planted; exact 95 % intervals. 5 % (dashed) is what a test about training may report.", source="greenhouse")
above = [trait for (unit, trait), side in level.items() if unit == "faces" and side == "more than 5 %"]
vb.note(favoured=favoured, above=words.listed(above), rest={
    unit: words.listed(sorted({side for (one, _), side in level.items() if one == unit})) for unit in ("phrases", "networks")},
    full={unit: words.listed(hits[unit, trait, 1] for trait in AXES) for unit in cases},
    some={unit: words.listed(hits[unit, trait, 0.25] for trait in AXES) for unit in cases})

# %% [markdown]
# All hues are fictional. With faces as cases, more than 5 % of networks with nothing planted alarm for: {glue:text}`above`. With phrases
# as cases the rates are {glue:text}`rest.phrases`, with networks {glue:text}`rest.networks` (they keep their level by construction).
# Where the full difference was planted ($b = 1$), the three traits are found in
#
# - {glue:text}`full.faces` networks over faces,
# - {glue:text}`full.phrases` over phrases,
# - {glue:text}`full.networks` over networks;
#
# in the order patriotism, egalitarianism, nativism. At $b = .25$: {glue:text}`some.faces`; {glue:text}`some.phrases`; {glue:text}`some.networks`.

# %% [markdown]
# ## What the paper reports
#
# Tables 3 to 5 compare White individuals with three other groups, in three models, by three phrases.

# %% tags=["hide-output"]
cells = traits.tables(vb.ledger.claim)
vb.ledger.show(vb.ledger.table("american_white/traits"))

# %% tags=["hide-input"]
short = cells.assign(cell=[cell.replace(", White −", " −").replace(", ", " ", 1) for cell in cells["cell"]])
positive = {trait: words.among(int((part["number"] > 0).sum()), len(part)) for trait, part in cells.groupby("trait")}
unsure = cells[cells["bound"].isna()]
vb.figures.show(
    vb.figures.forest(short, estimate="number", low="low", high="high", label="cell", group="network",
                      value_label="printed d"), name="traits-tables",
    alt="Twenty-seven effect sizes with intervals. Above zero: " + "; ".join(f"{trait}: {said_}" for trait, said_ in positive.items())
    + f". Not significant: {words.listed(unsure['cell'])}.",
    caption="Tables 3 to 5, redrawn: White − the group named. To the right of zero, photographs of White individuals are nearer to the phrase. "
    "The intervals (95 %) are ours, over other photographs of the same kind.", source="paper:american_white, Tables 3–5")
vb.note(positive=positive, unsure=words.listed(unsure["cell"]))

# %% [markdown]
# Above zero are {glue:text}`positive.patriotism` effects for patriotism, {glue:text}`positive.egalitarianism` for egalitarianism and
# {glue:text}`positive.nativism` for nativism. Printed as not significant: {glue:text}`unsure`. Set against these tables, the words differ
# from place to place:
#
# - The caption of Table 3 calls the association with patriotism "{claim}`traits.without-exception`"; the results section names the one that
#   is not significant. Of the sign the caption is right.
# - "The effect holds for Black individuals", says the text of nativism, "{claim}`traits.nativism-black`". For CLIP the table prints
#   {claim}`traits.nativism.clip.wb.d`, $p$ {claim}`traits.nativism.clip.wb.p`. The sentence before is about *strong* associations, and the caption calls this
#   one small: so read, nothing is contradicted. If any association is meant, this one is significant and in the same direction.
# - Abstract and introduction say of all models that White individuals are disassociated from egalitarianism. In SLIP the three effects
#   point the other way, as the results section says.
#
# (traits-least)=
# ### How small can p be?
#
# With the group sizes known, $d$ leaves little room for p. Not printed is how the two standard deviations compare. Write $v_1$, $v_2$ for
# the groups' variances in units of $\sigma_p^2$. Eq. 4 ties them, $(N_1 - 1)\,v_1 + (N_2 - 1)\,v_2 = N_1 + N_2 - 2$, so that
#
# $$\begin{gathered} t^2 = \frac{d^2}{v_1/N_1 + v_2/N_2} \;\le\; d^2\,\frac{\max_i N_i (N_i - 1)}{N_1 + N_2 - 2}, \\[1ex]
# \mathrm{df} \le N_1 + N_2 - 2: \end{gathered}$$
#
# $t$ is largest where the larger group does all the varying. Welch's p cannot be smaller than at both limits at once. We also search ratios
# of the two standard deviations from a thousandth to a thousand.

# %%
least = traits.floors(cells, ratios=np.geomspace(1e-3, 1e3, 4001))
sides = traits.sides(cells)
readings = we_they.readings(cells, tails=traits.TAILS)
held = we_they.held(readings)
checks = we_they.checks(vb.ledger.audit("american_white"), "american_white/traits")  # those of the ledger

# %% tags=["hide-input"]
tiny = least[least["power"] == least["power"].min()].sort_values("least")
fig, ((axes,),) = vb.figures.panels(height=1.4 + 0.4 * len(tiny))
places = np.arange(len(tiny))
equal, searched, bound = (np.log10(tiny[name]) for name in ("equal", "searched", "least"))
axes.hlines(places, searched, equal, color=vb.figures.PALETTE[0], lw=2.2)
axes.plot(equal, places, "o", color=vb.figures.PALETTE[0], label="equal SDs")
axes.plot(searched, places, "<", color=vb.figures.PALETTE[0], label="most favourable SDs")
axes.plot(bound, places, "|", color="#222222", ms=14, label="bound")
axes.axvline(tiny["power"].iloc[0], color=vb.figures.COLOURS["reference"], lw=1, ls="--", label="printed")
axes.set_yticks(places, short.loc[tiny.index, "cell"] + " (" + tiny["text"] + ")")
axes.set(xlabel="smallest p, power of ten", ylim=(-0.6, len(tiny) - 0.4), xlim=(1.05 * bound.min(), 0))
fig.legend(loc="outside upper left", ncols=2)
barred = least[~least["possible"]]
vb.figures.show(
    fig, name="traits-least",
    alt=f"For the {len(tiny)} cells with the smallest printed bound, the smallest p that d and the group sizes allow. Above the printed bound "
    f"whatever the SDs: {words.listed(barred['cell'])}.",
    caption="Cells printed with p < 10⁻³⁰, by how small p can be, one-sided.", source="paper:american_white, Tables 4 and 5")
by_sign = readings[(readings["tail"] == "by its sign") & readings["bound"].notna()].set_index("cell")
unmet = least[(least["searched"] >= least["bound"]) & least["possible"]]["cell"]
needs = by_sign.loc[vb.ledger.claim("traits.egalitarianism.clip.wa.d").subject, "ratio"]
held.index = ["sign", "two", "less"]
vb.note(audit={"hold": words.among(checks["hold"], checks["n"]), "but": checks["but"], "fail": len(checks["fail"])},
        barred={"cells": words.listed(barred["cell"]), "least": words.listed(f"{p:.0e}" for p in barred["searched"])},
        held={(tail, how): words.among(row[how], row["n"]) for tail, row in held.iterrows() for how in ("alike", "free")},
        sides={trait: words.among(int(row["held"]), int(row["n"])) for trait, row in sides.iterrows()},
        unmet={"cells": words.listed(unmet), "magnitude": words.among(int(by_sign.loc[unmet, "magnitude"].sum()), len(unmet))},
        needs=max(needs, 1 / needs), inflation=cells[["n_x", "n_y"]].stack().map(we_they.divisor_inflation).agg(["min", "max"]))

# %% [markdown]
# - *Impossible, whatever the spreads* (W3): {glue:text}`barred.cells`. The most favourable standard deviations would give a p near
#   {glue:text}`barred.least`.
# - *Possible but odd*: CLIP, White − Asian ({claim}`traits.egalitarianism.clip.wa.d`) needs one standard deviation to be
#   {glue:text}`needs:.1f` times the other.
# - *Not found in our search, though the bound allows it*: {glue:text}`unmet.cells`. Of these, {glue:text}`unmet.magnitude` name the power of
#   ten in which p lies, as cells of Table 2 do.
#
# How the numbers came about cannot be told from the page. No conclusion hangs on them: all such p are far below .05.
#
# ### Which tail does each p need?
#
# The released code fixes the tail "less" for all three phrases (and "greater" for We/They). It can give {glue:text}`sides.patriotism` printed
# bounds for patriotism, {glue:text}`sides.egalitarianism` for egalitarianism, {glue:text}`sides.nativism` for nativism; where $d$ is positive it
# returns a p near 1.

# %%
tails = readings.pivot(index="cell", columns="tail", values="free").loc[cells["cell"], list(traits.TAILS)]
tails = tails.replace({True: "can hold", False: "cannot"}).where(cells.set_index("cell")["bound"].notna(), "no bound")
tables.readable(tails.assign(**{"printed d": cells["text"].to_numpy(), "printed p": cells["p"].to_numpy()})[["printed d", "printed p", *tails]].rename_axis(columns=None))

# %% [markdown]
# One-sided towards the observed sign, {glue:text}`held.sign.free` bounds can be true with standard deviations up to a factor of four apart
# ({glue:text}`held.sign.alike` with equal ones); two-sided, {glue:text}`held.two.free`; with "less" throughout, {glue:text}`held.less.free`.
#
# Of the ledger's checks of these tables and their text, {glue:text}`audit.hold` hold, {glue:text}`audit.but` of them but for named
# exceptions; {glue:text}`audit.fail` do not: the impossible bounds, with which no one tail fits all, and words that a whole network contradicts.
#
# ### The text and the code, side by side

# %%
PROTOCOLS = {
    # Eq. 4 and Welch; tail and divisor are not stated, so the usual ones
    "described": dict(method="welch", pooled=True, ddof=1, alternative="two-sided"),
    # numpy's default divisor, one fixed tail
    "released": dict(method="welch", pooled=True, ddof=0, alternative="less"),
}

# %% [markdown]
# ## The protocol, run on {data}
#
# Shown here: {glue:text}`shown`. The database's photographs need a signed request. For drawings of the
# [Greenhouse](../../book/greenhouse/limits.md) the reference is the hue *for which we planted patriotism*, which was drawn, and nothing found
# bears on CLIP, SLIP or BLIP.
#
# Beside $d$ stands the difference of the mean cosines times the model's *logit scale*: a difference of log-odds. *p, phrases* takes the
# phrases as cases: it is the rank of the trait's difference among those by `other` phrases of the same form.

# %%
faces, encoders = vb.images(stimuli, root or None), [vb.encoder(name) for name in (model, *beside)]
usual = pictured.usual(faces, favoured)
first = reference or usual
said_by = vb.prompts(prompts)

tests, phrases = {}, {}
for network, encoder in zip(traits.NETWORKS, encoders, strict=False):
    people, speech = vb.embed(encoder, faces), vb.embed(encoder, said_by)
    group, dimension = people.table["race"], speech.table["dimension"]
    rivals = sorted(set(group) - {first})
    for trait in traits.TRAITS:
        (w,) = np.asarray(speech.where(dimension == trait))
        for other in rivals:
            A, B = people.where(group == first), people.where(group == other)
            for name, keywords in PROTOCOLS.items():
                tests[network, trait, other, name] = vb.sc_eat(w, A, B, **keywords)
    logits = encoder.logit_scale * np.asarray(people) @ np.asarray(speech).T
    phrases[network] = traits.among_phrases(logits, group, [(first, other) for other in rivals], dimension, dimension == "other")

network = traits.NETWORKS[0]
shown = associations.with_intervals({key[1:]: test for key, test in tests.items() if key[0] == network}, scale=encoders[0].logit_scale,
                                    n_resamples=n_resamples, seed=seed).rename_axis(["trait", "against", "protocol"])
ranks = phrases[network].rename(columns={"phrase": "trait", "second": "against"}).set_index(["trait", "against"])["p_phrases"]
table = shown.join(ranks)
tables.readable(table[["d", "d_low", "d_high", "difference", "p", "p_phrases"]], names={"d_low": "d from", "d_high": "d to", "p_phrases": "p, phrases"}).format(tables.p_value, subset=["p", "p_phrases"])

# %% tags=["hide-input"]
headline = table.xs(protocol, level="protocol")
compared = headline.reset_index().assign(label=lambda one: one["trait"] + f"\n{first} − " + one["against"])
vb.figures.show(
    vb.figures.forest_in_both_units(compared, label="label"), name="traits-run",
    alt=f"{len(headline)} comparisons of {first} with other groups, effect size on the left and difference in log-odds on the right, with intervals: "
    + "; ".join(f"{trait}, {other}: d = {d:.2f}" for (trait, other), d in headline["d"].items()) + ".",
    caption=f"Three phrases, protocol as {protocol}, with 95 % intervals over individuals.", source=roles.sources(faces, people.source))
both = table["p"].unstack("protocol")
raised = table["d"].unstack("protocol")["described"] > 0
vb.note(shown=pictured.shown(faces), first=first, n_phrases=int((said_by.table["dimension"] == "other").sum()), missed=words.among(
    int(((both["described"] <= 0.05) & (both["released"] > 0.05)).sum()), int((both["described"] <= 0.05).sum())),
    over={"faces": words.among(int((headline["p"] <= 0.05).sum()), len(headline)),
          "phrases": words.among(int((headline["p_phrases"] <= 0.05).sum()), len(headline))},
    side=words.verb(float(both.loc[raised, "released"].min()) if raised.any() else np.nan, above=0.5, then="near 1", else_="below one half"))

# %%
# the paper's order of the other groups is that of their names; on drawings the ledger sets nothing beside what is printed
letters, viewers = dict(zip(rivals, we_they.OTHERS, strict=False)), dict(zip(traits.NETWORKS, encoders, strict=False))
for name in PROTOCOLS if first == usual and not pictured.is_own(faces) else ():
    tested = {(trait, network, letters[other]): test for (network, trait, other, how), test in tests.items() if how == name}
    for claim, value, about in traits.records(tested):
        vb.ledger.record(f"traits.{claim}", value, results=results, stimuli=faces, model=[viewers[one] for one in about], protocol=name)
texts = said_by.table.set_index("dimension")["text"]
for claim, value in {"characteristics": len(traits.TRAITS), "phrases": len(traits.TRAITS)}.items():
    vb.ledger.record(f"traits.{claim}", value, results=results, stimuli=faces, model=encoders)
for trait in traits.TRAITS:
    for claim in (f"traits.phrase-{trait}", f"traits.phrase-{trait}-again"):
        vb.ledger.record(claim, bool(texts[trait] == vb.ledger.claim(claim).value), results=results, stimuli=faces, model=encoders)

# %% [markdown]
# The reference is {glue:text}`first`. Over faces {glue:text}`over.faces` comparisons have p ≤ .05, over {glue:text}`n_phrases` other phrases
# {glue:text}`over.phrases`. The released tail does not report {glue:text}`missed` differences that the two-sided test reports: where $d$ is above
# zero, its p is {glue:text}`side`. Values from drawings are recorded as *not run*.

# %% [markdown]
# ## What this method can see
#
# A table says by how much each hue shifts the log-odds of each phrase against *someone who is here*; $b$ scales that shift.

# %%
READ = {"phrase alone": "", "beyond a baseline": "someone"}
truths = {read: traits.recovered(panel, pairs, list(AXES.values()), planted, beyond=beyond) for read, beyond in READ.items()}
over_faces = traits.expected_false_positives(panel, pairs, list(AXES.values()), vb.images("greenhouse/cfd").table["race"].value_counts().to_dict())

# %% tags=["hide-input"]
rows, (alone, beyond) = pd.concat(truths, names=["read"]).reset_index(), truths.values()
signs = words.among(int((np.sign(alone["mean"]) == np.sign(alone["planted"])).sum()), len(alone))
ratio = {"alone": alone["mean"] / alone["planted"], "beyond": beyond["mean"] / beyond["planted"]}
ends = {name: one.agg(["min", "max"]) for name, one in ratio.items()}
vb.figures.show(
    vb.figures.planted_against_shown(rows, planted="planted", shown="mean", low="low", high="high", unit="log-odds", panel="read"), name="traits-recovered",
    alt=f"Planted against shown differences of nine comparisons, alone and beyond a baseline: {signs} have the planted sign. Alone, {ends['alone']['min']:.0%} to "
    f"{ends['alone']['max']:.0%} of what was planted is shown, beyond the baseline {ends['beyond']['min']:.0%} to {ends['beyond']['max']:.0%}.",
    caption=f"{alone['n'].iloc[0]} networks at b = 1, means with 95 % intervals: {favoured} − each other hue, by each phrase, alone as in the test and beyond “someone who is here”.", source="greenhouse")
spread = {name: one["max"] - one["min"] for name, one in ends.items()}
vb.note(signs=signs, holm=words.among(int((alone["p_holm"] < 0.05).sum()), len(alone)), ratio={name: dict(one) for name, one in ends.items()},
        closer=words.verb(spread["alone"], above=spread["beyond"], then="more even", else_="no more even"),
        expected=over_faces.agg(["min", "max"]), n_null=int(own.query("b == 0 and unit == 'networks'").groupby("axis").size().iloc[0]))

# %% [markdown]
# Is each trait recovered? In {glue:text}`holm` comparisons the mean over networks differs from zero (Holm's correction), and {glue:text}`signs`
# have the planted sign. The phrase alone shows {glue:text}`ratio.alone.min:.0%` to {glue:text}`ratio.alone.max:.0%` of what a count of captions
# says; beyond the baseline phrase the shares are {glue:text}`closer`, {glue:text}`ratio.beyond.min:.0%` to {glue:text}`ratio.beyond.max:.0%`. That is to be
# expected: a cosine alone tells a probability up to a constant of each picture.
#
# (traits-phrases)=
# ### One phrase is one case
#
# A test over faces lets the photographs vary and holds the phrase fixed. With one phrase there is nothing over which to vary it: sixteen
# words of We/They can be split in two at random, one phrase cannot. That is the fixed-effect fallacy {cite:p}`clark1973` at its
# narrowest. What can be asked is whether the phrase is unusual *among phrases*: its difference between two groups, set among those by
# phrases that should tell no group from another, all less their common mean. If it were one more of them, its rank would be uniform:
# the p-value is exact, and no smaller than one over their number plus one.
#
# From the spread over the {glue:text}`n_null` networks with nothing planted we expect faces in the paper's numbers to alarm in
# {glue:text}`expected.min:.0%` to {glue:text}`expected.max:.0%` of them: each network has small peculiarities, and more photographs resolve them
# better. None of these is a false alarm about *that* network. But "learned by language-and-image AI" (abstract) speaks of training.
#
# ### One assumption broken at a time
#
# 1. *A phrase that says nothing of a group shows nothing.* Foil: phrases that captions say of all hues alike.
# 2. *Pictures of all groups lie equally near to text in general.* Foil: one group's pictures drawn towards text of any kind.
# 3. *Groups differ in nothing else.* Foil: one group is older, where nothing is planted and captions call older faces patriotic more often.
# 4. *d says which trait is associated more strongly.* Foil: photographs varied in what moves one of the three phrases.

# %%
seen = {}
for name, seen_by in {"b = 1": model_planted, "b = 0": model_null}.items():
    viewer = vb.encoder(seen_by)
    people, speech = vb.embed(viewer, vb.images("greenhouse/cfd")), vb.embed(viewer, vb.prompts("greenhouse/traits"))
    seen[name] = viewer.logit_scale * np.asarray(people) @ np.asarray(speech).T
hue, dimension = people.table["race"], speech.table["dimension"]
plain = (dimension == "other").to_numpy()
alarmed = {name: traits.among_phrases(own_, hue, pairs, dimension, plain) for name, own_ in seen.items()}
every = traits.false_positive_rates(vectors, pairs, PLAIN)  # all networks with nothing planted

rival = strongest[0][1].removeprefix(f"{favoured} − ")
two = people.where(hue.isin([favoured, rival]))
own_phrases = [np.asarray(speech)[(dimension == trait).to_numpy()][0] for trait in AXES]
drawn = traits.nearer_to_text(np.asarray(two), np.asarray(speech), two.table["race"] == favoured, np.linspace(0, 0.06, 7), np.array(own_phrases),
                             np.asarray(speech)[plain][0])

varied = {}
for name, seen_by in {"age": model_null, "smiling": model_planted}.items():
    series = vb.images("greenhouse/causalface", race=[favoured, rival], subset=["prototype", name])
    series = series.where(series.table["seed"] < 30)
    aged = vb.perceive(series, seen_by, "greenhouse/traits")
    level = (aged.table[name] - aged.table.loc[aged.table["subset"] == "prototype", name].iloc[0]).round(6)
    values = pd.DataFrame(aged.logit_scale * aged.cosines[:, :3], index=level, columns=aged.words["dimension"][:3])
    varied[name] = [values[(aged.table["race"] == one).to_numpy()] for one in (favoured, rival)]
older = associations.confounded(*(own_["patriotism"] for own_ in varied["age"]))
smiles = {trait: associations.varied(*(own_[trait] for own_ in varied["smiling"])).set_index("reach") for trait in AXES}

# %% tags=["hide-input"]
fig, ((a, b), (c, e)) = vb.figures.panels(2, 2, height=6.4)
alarm = {name: one.groupby("second", sort=False)["false_positives"].first() for name, one in alarmed.items()}
for k, (name, one) in enumerate(alarm.items()):
    a.plot(np.arange(len(one)) + 0.1 * (2 * k - 1), 100 * one, "os"[k], color=vb.figures.PALETTE[k], label=name)
a.axhline(5, color=vb.figures.COLOURS["reference"], lw=1, ls="--")
a.set_xticks(range(len(pairs)), [y for _, y in pairs])
a.set(title="1. Plain phrases", xlabel=f"{favoured} against", ylabel="% with p ≤ .05 over faces", ylim=(0, 100), xlim=(-0.5, len(pairs) - 0.5))
part = drawn[drawn["phrase"] == 0]
b.plot(part["share"], part["alone"], "o-", color=vb.figures.PALETTE[0], label="phrase alone")
b.plot(part["share"], part["beyond"], "s--", color="#444444", label="beyond a baseline")
b.set(title="2. Drawn to text, b = 0", xlabel=f"text in {favoured} faces", ylabel="effect size d", ylim=(0, 1.4 * part["alone"].max()))
for column, style in (("d", "o-"), ("difference", "s--")):
    c.plot(older["level"], older[column], style, color=vb.figures.PALETTE[column == "difference"], label={"d": "d", "difference": "log-odds"}[column])
c.axhline(0, color=vb.figures.COLOURS["reference"], lw=1, zorder=0)
c.set(title="3. One hue older, b = 0", xlabel=f"age of the {favoured} faces − {rival}", ylabel="d, log-odds")
for (trait, one), style, ink in zip(smiles.items(), ("o-", "s--", "D:"), vb.figures.PALETTE, strict=False):
    e.plot(one.index, one["d"] / one["d"].iloc[0], style, color=ink, label=trait)
e.set(title="4. Varied smiles, b = 1", xlabel="smiles up to ±", ylabel="share of d left", ylim=(0, None))
for axes in (a, b, c, e):
    axes.legend(loc="best", fontsize=10)
left = pd.Series({trait: one["d"].iloc[-1] / one["d"].iloc[0] for trait, one in smiles.items()})
ends, top = part.iloc[[0, -1]], older.iloc[-1]
shares = {(name.replace("b = ", "b"), end): float(getattr(one, end)()) for name, one in alarm.items() for end in ("min", "max")}
vb.figures.show(
    fig, name="traits-broken",
    alt=f"Four panels. Of phrases that say nothing, {shares['b0', 'min']:.0%} to {shares['b0', 'max']:.0%} alarm where nothing is planted. Drawn towards text, d "
    f"alone goes from {ends['alone'].iloc[0]:.1f} to {ends['alone'].iloc[1]:.1f}, beyond a plain phrase from {ends['beyond'].iloc[0]:.1f} to "
    f"{ends['beyond'].iloc[1]:.1f}. The oldest faces give d = {top['d']:.1f}. With all smiles, of d is left: "
    + words.listed(f"{value:.0%} ({trait})" for trait, value in left.items()) + ".",
    caption=f"{favoured.capitalize()} against other hues in two networks, one with everything planted, one with nothing.", source="greenhouse")
by_network = every.groupby("network")["share"].mean()
vb.note(fleet={"n": int(every["n"].iloc[0]), "networks": len(by_network), "mean": by_network.mean(), "least": by_network.min(), "most": by_network.max()},
        above_level=words.among(int((by_network > 0.05).sum()), len(by_network)))
vb.note(alarm=shares, drawn={(how, end): float(ends[how].iloc[k]) for how in ("alone", "beyond") for k, end in enumerate(("from", "to"))}, older=top["d"],
        rises=words.verb(abs(ends["alone"].iloc[1] - ends["alone"].iloc[0]), above=abs(ends["beyond"].iloc[1] - ends["beyond"].iloc[0]),
                         then="moves more", else_="does not move more"),
        left=left.agg(["min", "max"]), least=words.extreme(left, left.index, largest=False), rival=rival)

# %% [markdown]
# **1.** In a network with nothing planted, {glue:text}`alarm.b0.min:.0%` to {glue:text}`alarm.b0.max:.0%` of phrases that say nothing of any hue
# have p ≤ .05 over faces, at the paper's numbers of faces; where other phrases are planted, {glue:text}`alarm.b1.min:.0%` to {glue:text}`alarm.b1.max:.0%`.
#
# This is no oddity of one network. With {glue:text}`fleet.n` faces of each hue, it is {glue:text}`fleet.mean:.0%` on average over {glue:text}`fleet.networks` networks with
# nothing planted, and more than 5 % in {glue:text}`above_level`. So in one model a small p over photographs does not set a phrase apart from others. The paper
# tests no phrase of this kind.
#
# **2.** With {glue:text}`favoured` faces drawn towards text of every kind, $d$ for patriotism goes from {glue:text}`drawn.alone.from:.1f` to
# {glue:text}`drawn.alone.to:.1f`; beyond a plain phrase from {glue:text}`drawn.beyond.from:.1f` to {glue:text}`drawn.beyond.to:.1f`. Alone it
# {glue:text}`rises`. All nine d of one model would shift together; a baseline phrase takes such a shift away. The We/They test has one built in.
#
# **3.** Nothing was planted, and the oldest faces give $d$ = {glue:text}`older:.1f`. The paper does not say whether its groups are of like age.
#
# **4.** When the faces smile and frown, {glue:text}`left.min:.0%` to {glue:text}`left.max:.0%` of $d$ is left, least for {glue:text}`least`. A trait is
# "strongly" associated for photographs of one kind. (The database's are all neutral.)

# %% [markdown]
# ## Where paper and code differ
#
# From an audit of the authors' repository ([wolferobert3/american_white](https://github.com/wolferobert3/american_white)) at commit `2e45194`,
# checked against the paper's text:
#
# **W1. The divisor.** Variances are computed with $N$ and weighted by $N - 1$. $|d|$ and $|t|$ come out larger by {glue:text}`inflation.min:.2%` to
# {glue:text}`inflation.max:.2%`.
#
# **W2. The tail.** The function behind all three traits fixes the tail "less", which suits the sign of nativism only. The printed p-values
# follow the observed sign; the code as released does not give them where $d$ is positive.
#
# **W3. Impossible bounds.** Two cells of Table 4, above. The code prints p and has no rounding to a bound of its own.
#
# **W12. Text and tables.** The three points above, all in the ledger.
#
# :::{admonition} Rerun this with your own parameters
# :class: tip
# ```
# .venv/bin/vlmbias run american_white/traits -p model greenhouse/b0 -p protocol released
# ```
# runs the second section on the network in which nothing was planted, in a folder of its own.
# :::
#
# ## Take-aways
#
# - For patriotism {glue:text}`positive.patriotism` printed effects favour White individuals; for egalitarianism SLIP says the opposite of what abstract
#   and introduction say of all models.
# - Two printed p-values cannot be true with their $d$, whatever the spreads. A bound on p from $d$ and $n$ needs no data.
# - The printed p-values follow the observed sign, not the released tail.
# - A single-category test with one phrase has one phrase. Set it among others before reading its p over photographs.

# %% [markdown]
# ## Exercises
#
# :::{exercise} A bound for equal groups
# :label: traits-equal
# :level: advanced
# :minutes: 20
# :code: no
# Two groups of $n$ photographs each. Show that $t = d\,\sqrt{n/2}$ whatever the two SDs, so that only the degrees of freedom are free. How small
# and how large can the one-sided p be for $n = 100$ and $d = 1$?
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
assert np.isclose(traits.smallest_p(d_equal, n, n), stats.t.sf(d_equal * np.sqrt(n / 2), 2 * n - 2))

# %% [markdown]
# With equal $n$ the pooled variance of Eq. 4 is the mean of both variances, and Welch's squared standard error is their sum over $n$. Both hold the
# variances only as a sum, so $t = d \sqrt{n/2}$. What the single variances decide is the degrees of freedom: $n - 1$ where one of them is zero, $2n -
# 2$ where they are equal, and p lies between what these give.
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
# hundred phrases stand in the list, the tested one included.
#
# ```{solution-end}
# ```
#
# ## Questions to discuss
#
# 1. Devos and Banaji surveyed people and found three traits. What does one sentence per trait leave out, and who should
#    write the others?
# 2. A phrase's rank among other phrases needs phrases that tell no group from another. Of people, can there be such a list? How would you
#    argue for yours?
# 3. A p-value is printed that its own table rules out. What would you ask the authors for, and what would you do with the conclusion meanwhile?
