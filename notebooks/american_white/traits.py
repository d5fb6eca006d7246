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
# p-values are small. Do they show that this is about patriotism? We try the test on small networks of our own.
#
# **In 20 minutes:** {ref}`what the authors found <traits-found>`, {ref}`the answer in one figure <traits-answer>`,
# {ref}`what this means <traits-means>`. **In 75 minutes:** everything, with one of the exercises.
#
# **You need:** the chapter [](we_they.ipynb), whose tests this one takes up. The primer
# "[Embedding association tests](../../book/primers/association.md)" assumes no earlier knowledge.
#
# **Content note.** The paper compares photographs of Asian, Black, Latina/o and White people. No photograph is shown here. Our own
# faces are drawings in invented colours, and stand for nobody.
# :::
#
# **The idea.** Psychologists asked people in the United States what makes an American {cite:p}`devos2005`. Three answers stood out: to be
# patriotic, to be born in the country, and to treat all people equally. {cite:t}`wolfe2022` ask whether models connect these three traits
# with White people. Their models are CLIP, SLIP and BLIP, which were trained on pictures with captions.
#
# **The test.** Each trait is written as one phrase:
#
# - patriotism: "{claim}`traits.phrase-patriotism`";
# - nativism, by its opposite: "{claim}`traits.phrase-nativism`";
# - egalitarianism: "{claim}`traits.phrase-egalitarianism`".
#
# For each portrait, the model gives a cosine: how near the phrase is to it. The mean over White people's portraits is compared with the mean over
# another group's. The difference, divided by the standard deviation within the groups, is the effect size $d$. The p-value comes from Welch's
# t-test over portraits, as in the chapter [](we_they.ipynb).
#
# A positive $d$ says that White people are nearer to the phrase. The phrase for nativism is about immigrants. So there, a *negative* $d$ connects
# White people with being born in America.
#
# **What the authors conclude.** "Single-category EATs reveal that images of White individuals are more associated with patriotism and with
# being born in America, but that, consistent with prior findings in psychology, White individuals are associated with being less likely to
# treat people of all races and backgrounds equally." (EATs are the tests just described; *single-category* means one phrase per test.)
#
# **Their own checks and limits.** The phrases begin like those of another of their experiments, the [ranking of states](states.ipynb), whose results
# agree with the census. They add: "it is
# unavoidable that changing the prompt will produce different embedding association results in some circumstances".

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
from greenhouse import retrained
from greenhouse.world import grammar, truth
from studies import associations, roles, tables, words
from studies.american_white import pictured, traits, we_they

vb.figures.style()

# %% [markdown]
# (traits-found)=
# ## What the paper reports: White people are nearer to patriotism, and farther from equal treatment
#
# Tables 3 to 5 compare White people with three other groups, in three models, by three phrases. These are three of
# the 27 comparisons. In the first, White people's portraits are nearer to "patriotic" than Asian people's, with $d$ = {claim}`traits.patriotism.blip.wa.d`.

# %%
cells = traits.tables(vb.ledger.claim)
columns = {"cell": "comparison", "text": "d", "p": "p", "n_x": "n, White", "n_y": "n, other"}
cells[list(columns)].rename(columns=columns).head(3)

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
sure = {trait: words.among(int(part["bound"].notna().sum()), len(part)) for trait, part in cells.groupby("trait")}
vb.note(positive=positive, sure=sure, unsure=words.listed(unsure["cell"]))

# %% [markdown]
# White people are nearer to "patriotic" in {glue:text}`positive.patriotism` comparisons; {glue:text}`sure.patriotism` are significant. For equal
# treatment the models disagree: in CLIP and BLIP White people are farther from the phrase than the other groups, in SLIP nearer. "An immigrant to
# America" is nearer to Asian and Latina/o people in all three models. Between White and Black people, this difference is large in BLIP only.
#
# The authors report all this in their results section. Their abstract and introduction leave the exceptions out.
#
# **Do the printed numbers agree with each other?** Nearly all do. Two printed p-values are too small for the effect sizes beside them, but no conclusion depends on this (details
# below).

# %% tags=["hide-cell"]
least = traits.floors(cells, ratios=np.geomspace(1e-3, 1e3, 4001))  # how small p can be
sides = traits.sides(cells)
readings = we_they.readings(cells, tails=traits.TAILS)
held = we_they.held(readings)
checks = we_they.checks(vb.ledger.audit("american_white"), "american_white/traits")  # those of the ledger
tiny = least[least["power"] == least["power"].min()].sort_values("least")
fig, ((axes,),) = vb.figures.panels(height=1.4 + 0.4 * len(tiny))
places = np.arange(len(tiny))
equal, searched, bound = (np.log10(tiny[name]) for name in ("equal", "searched", "least"))
axes.hlines(places, searched, equal, color=vb.figures.PALETTE[0], lw=2.2)
axes.plot(equal, places, "o", color=vb.figures.PALETTE[0], label="equal SDs")
axes.plot(searched, places, "<", color=vb.figures.PALETTE[0], label="most favourable SDs")
axes.plot(bound, places, "|", color=vb.figures.COLOURS["ink"], ms=14, label="bound")
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
# :::{dropdown} Details: which p-values are possible, and which sentences fit the tables
# (traits-least)=
# *How small can p be?* Not printed is how much the scores vary in each group. Write $v_1$, $v_2$ for the groups' variances in units of
# $\sigma_p^2$. The pooled standard deviation ties them (Eq. 4):
#
# $$\begin{gathered} (N_1 - 1)\,v_1 + (N_2 - 1)\,v_2 \\ = N_1 + N_2 - 2, \quad\text{so that} \\[1ex]
# t^2 = \frac{d^2}{v_1/N_1 + v_2/N_2} \;\le\; d^2\,\frac{\max_i N_i (N_i - 1)}{N_1 + N_2 - 2}, \\[1ex]
# \mathrm{df} \le N_1 + N_2 - 2: \end{gathered}$$
#
# $t$ is largest where the larger group does all the varying, and p cannot be smaller than at both limits at once. We also tried all
# ratios of the two standard deviations from a thousandth to a thousand.
#
# - *Impossible, whatever the spreads* (W3): {glue:text}`barred.cells`. The most favourable spreads would give a p near {glue:text}`barred.least`.
#   Whatever the spreads, p stays far below .05.
# - *Possible but odd*: CLIP, White − Asian ({claim}`traits.egalitarianism.clip.wa.d`) needs one standard deviation to be {glue:text}`needs:.1f` times
#   the other.
# - *Not found by trying, though the limit allows it*: {glue:text}`unmet.cells`. For {glue:text}`unmet.magnitude`, the power of ten is right: with equal spreads,
#   p is of this order, but not below it.
# - *The tail.* Where a difference is significant, the tables print a bound ("p < …"). With one tail on the side of $d$, {glue:text}`held.sign.free` bounds
#   can be true; with two tails, {glue:text}`held.two.free`. With the tail "less" throughout, as in the released code, it is {glue:text}`held.less.free`.
#
# *Which sentences fit?* The caption of Table 3 says "{claim}`traits.without-exception`"; this is right of the sign, and one of the nine is not significant.
# "The effect holds for Black individuals", says the text of nativism, "{claim}`traits.nativism-black`". For CLIP the table prints
# {claim}`traits.nativism.clip.wb.d`, $p$ {claim}`traits.nativism.clip.wb.p`. The paper's sentence before this one is about *strong* associations: so read,
# nothing is contradicted. If any association is meant, this one is significant and in the same direction.
#
# Of our checks of these tables and their text, {glue:text}`audit.hold` hold.
# :::

# %% tags=["hide-input"]
vb.ledger.show(vb.ledger.table("american_white/traits"))

# %% [markdown]
# (traits-answer)=
# ## What one may doubt, and the answer in one figure
#
# A test over portraits asks: is the difference between two groups of portraits larger than chance among portraits would give? With hundreds of portraits,
# even a small difference is. The test does not ask whether the *phrase* matters. Suppose that photographs of one group are a little brighter, and that the
# model connects brightness a little with many phrases. Then "patriotic" could come out significant, and so could a phrase that says nothing, such as "a photo of someone who is here".
#
# So a phrase should be compared with phrases that have nothing to do with the trait. The paper has none. We try it in our laboratory, the
# [Greenhouse](../../book/greenhouse/limits.md): small networks that we trained on drawings of faces in four colours, and on captions that we wrote. We
# take two networks:
#
# - *taught nothing*: captions say each phrase equally often of every colour;
# - *taught three traits*: captions call the faces of some colours patriotic more often, and so on for the two other traits.
#
# Neither was taught a difference in {glue:text}`n_plain` other phrases, such as "someone who is here", "a modern person" or "an old person". Those we call
# *plain* phrases.
#
# We compare {glue:text}`favoured` with {glue:text}`other` faces, in numbers as large as the paper's. First come the three trait phrases. (In the Greenhouse,
# the country is Arboria, and colours are hues.) The *difference* is {glue:text}`favoured` minus {glue:text}`other`, in {term}`log-odds`.

# %%
spoken = grammar.load()
AXES = {"patriotism": "patriotic", "egalitarianism": "egalitarian", "nativism": "immigrant"}
favoured = spoken.bias.roles["favoured"]  # captions of its faces say "patriotic" most often
everyone = retrained.scores("people")  # what many networks make of the same people
taught = truth.counted(spoken, everyone.images, "race", 1.0, axes=list(AXES.values()))  # log-odds
other = taught["patriotic"].drop(favoured).idxmin()  # captions of its faces say it least often

seen = {}
for name, network in {"taught nothing": model_null, "taught three traits": model_planted}.items():
    viewer = vb.encoder(network)
    people = vb.embed(viewer, vb.images("greenhouse/cfd"))
    phrases = vb.embed(viewer, vb.prompts("greenhouse/traits"))
    seen[name] = viewer.logit_scale * np.asarray(people, float) @ np.asarray(phrases, float).T
colour, kind = people.table["race"], phrases.table["dimension"]  # kind: a trait, or "other"
tested = {name: traits.each_phrase(values, colour, favoured, other) for name, values in seen.items()}
both = pd.concat(tested, axis=1)
both.set_axis(phrases.table["text"]).round(2).head(3)

# %% [markdown]
# Now the comparison with plain phrases, for "patriotic" in the network that was taught nothing. We take the difference between both colours by each plain
# phrase, too. How far does each lie from the mean of all these differences? The share of phrases that lie at least as far out as "patriotic", itself
# counted, is its *p among phrases*. A small p among phrases says: few phrases are so far out.

# %%
values = seen["taught nothing"]
first, second = values[colour == favoured, 0], values[colour == other, 0]  # "patriotic"
difference, p = first.mean() - second.mean(), stats.ttest_ind(first, second, equal_var=False).pvalue
assert np.isclose(p, tested["taught nothing"].loc[0, "p"])

every = tested["taught nothing"]["difference"]
compared = every[(kind == "other").to_numpy() | (every.index == 0)]  # the plain phrases, and this one
far = (compared - compared.mean()).abs()
rank = (far >= far[0]).mean()  # p among phrases: the share that lies as far out
print(f"difference {difference:.2f}, p over faces {p:.2g}, p among phrases {rank:.2f}")

# %% tags=["hide-input"]
plain = (kind == "other").to_numpy()
pairs = [(favoured, hue) for hue in sorted(set(colour) - {favoured})]
alarmed = {name: traits.among_phrases(values, colour, pairs, kind, plain) for name, values in seen.items()}
own = alarmed["taught nothing"].query("second == @other and phrase == 'patriotism'")
assert np.isclose(own["p_phrases"].item(), rank)
order = np.r_[np.flatnonzero(plain)[np.argsort(tested["taught nothing"]["difference"].to_numpy()[plain])], np.flatnonzero(~plain)[::-1]]
names = [f"“{text.replace('a photo of ', '')}”" if len(text) < 60 else "“… all … equally”" for text in phrases.table["text"]]
fig, (line,) = vb.figures.panels(1, 2, height=6.6, share_y=True)
for axes, (name, table) in zip(line, tested.items(), strict=True):
    for sure, fill in ((True, None), (False, "white")):
        for trait, ink in ((False, vb.figures.PALETTE[0]), (True, vb.figures.PALETTE[1])):
            at = [k for k, row in enumerate(order) if (table.loc[row, "p"] <= 0.05) == sure and (not plain[row]) == trait]
            label = f"{'trait' if trait else 'plain'}, {'significant' if sure else 'not significant'}"
            axes.plot(table["difference"].to_numpy()[order[at]], at, "o", color=ink, mfc=fill, ms=6, label=label)
    axes.axvline(0, color=vb.figures.COLOURS["reference"], lw=1)
    axes.set(title=name, ylim=(-0.7, len(order) - 0.3))
line[0].set_yticks(range(len(order)), [names[row] for row in order], fontsize=9)
fig.supxlabel(f"{favoured} − {other}, log-odds", fontsize=12)
handles, labels = line[1].get_legend_handles_labels()
fig.legend(handles, labels, loc="outside upper left", ncols=2)
hits = {name: int((table["p"][plain] <= 0.05).sum()) for name, table in tested.items()}
vb.figures.show(
    fig, name="traits-answer",
    alt=f"Differences between {favoured} and {other} faces by each phrase, in two networks. Taught nothing: {hits['taught nothing']} of {plain.sum()} plain phrases are significant, and the three traits lie among them. "
    f"Taught three traits: {hits['taught three traits']} of {plain.sum()} plain phrases are significant.",
    caption=f"How much nearer {favoured} than {other} faces are to each phrase, in one network each. One dot per phrase. Filled: p ≤ .05 over faces.", source="greenhouse")
PLAIN = ["someone", *spoken.bias.unplanted, "budded", "eared", "smiling", "frowning", "young", "old"]  # the same, as the grammar names them
vectors = retrained.vectors()
fleet = traits.false_positive_rates(vectors, pairs, PLAIN)
by_network = fleet.groupby("network")["share"].mean()
stands_out = alarmed["taught three traits"].query("second == @other").set_index("phrase")["p_phrases"]
shares = {(short_name, end): float(getattr(one.groupby("second", sort=False)["false_positives"].first(), end)())
          for short_name, one in zip(("b0", "b1"), alarmed.values(), strict=True) for end in ("min", "max")}
own = [vb.effect_size(seen["taught nothing"][colour == favoured, k], seen["taught nothing"][colour == other, k], pooled=True) for k in np.flatnonzero(plain)]
vb.note(plain_d=np.abs(own).max(), favoured=favoured, other=other, n_plain=int(plain.sum()), hits={"nothing": words.among(hits["taught nothing"], int(plain.sum())), "some": words.among(hits["taught three traits"], int(plain.sum()))},
        rank=rank, trait_p=p, alarm=shares, fleet={"n": int(fleet["n"].iloc[0]), "networks": len(by_network), "mean": by_network.mean()},
        above_level=words.among(int((by_network > 0.05).sum()), len(by_network)), smallest=1 / (1 + plain.sum()), n_all=int(1 + plain.sum()),
        trait_hits=words.among(int((tested["taught nothing"]["p"][~plain] <= 0.05).sum()), int((~plain).sum())),
        special=words.verb(rank, above=0.05, then="is nothing special", else_="stands out"),
        larger={trait: words.among(int((part["number"].abs() > np.abs(own).max()).sum()), len(part)) for trait, part in cells.groupby("trait")},
        out=traits.outliers(stands_out, 1 / (1 + plain.sum())))

# %% [markdown]
# **A significant p over faces does not set a phrase apart.** In the network that was taught nothing, {glue:text}`hits.nothing` plain phrases are
# significant. Chance alone would give about one in twenty. (In this network it happens to plain phrases only: of the trait phrases, {glue:text}`trait_hits` are significant.)
#
# Among the plain phrases, "patriotic" {glue:text}`special`: its p among phrases is {glue:text}`rank:.2f`.
#
# **This is not an oddity of one network.** We trained {glue:text}`fleet.networks` networks on captions that teach no difference. In {glue:text}`above_level`,
# more than one in twenty plain phrases is significant; the mean share is {glue:text}`fleet.mean:.0%`. These tests have {glue:text}`fleet.n` faces of each
# colour, fewer than in the figure. With more faces the share grows, as the chapter [](we_they.ipynb) shows.
#
# **The comparison with plain phrases can find what was taught.** In the network that was taught three traits, {glue:text}`out` With
# {glue:text}`n_plain` plain phrases, the smallest p among phrases is 1 in {glue:text}`n_all`, or {glue:text}`smallest:.3f`. Only a phrase that lies farther
# out than every plain phrase reaches it.
#
# ## The protocol, run on {data}
#
# This section is for readers with a model and pictures of their own. It runs the paper's test as they would. {glue:text}`shown`
#
# On our drawings it uses the network that was taught three traits, and compares {glue:text}`first`, the colour that its captions call patriotic most often, with the others. So the result
# is no surprise. It shows that the test runs, and nothing about CLIP, SLIP or BLIP.

# %% tags=["hide-cell"]
PROTOCOLS = {
    # as the text says: Eq. 4 and Welch; what it leaves open, as is usual
    "described": dict(method="welch", pooled=True, ddof=1, alternative="two-sided"),
    # as the released code has it: variances divided by N, one fixed tail
    "released": dict(method="welch", pooled=True, ddof=0, alternative="less"),
}

# %%
faces, encoders = vb.images(stimuli, root or None), [vb.encoder(name) for name in (model, *beside)]
usual = pictured.usual(faces, favoured)
first = reference or usual
said_by = vb.prompts(prompts)

tests, among = {}, {}
for network, encoder in zip(traits.NETWORKS, encoders, strict=False):
    people, speech = vb.embed(encoder, faces), vb.embed(encoder, said_by)
    group, dimension = people.table["race"], speech.table["dimension"]
    rivals = sorted(set(group) - {first})
    for trait in traits.TRAITS:
        (w,) = np.asarray(speech.where(dimension == trait))
        for another in rivals:
            A, B = people.where(group == first), people.where(group == another)
            for name, keywords in PROTOCOLS.items():
                tests[network, trait, another, name] = vb.sc_eat(w, A, B, **keywords)
    logits = encoder.logit_scale * np.asarray(people) @ np.asarray(speech).T
    against = [(first, another) for another in rivals]
    among[network] = traits.among_phrases(logits, group, against, dimension, dimension == "other")

# %% tags=["hide-cell"]
network = traits.NETWORKS[0]
results_here = associations.with_intervals({key[1:]: test for key, test in tests.items() if key[0] == network}, scale=encoders[0].logit_scale,
                                    n_resamples=n_resamples, seed=seed).rename_axis(["trait", "against", "protocol"])
ranks = among[network].rename(columns={"phrase": "trait", "second": "against"}).set_index(["trait", "against"])["p_phrases"]
table = results_here.join(ranks)
headline = table.xs(protocol, level="protocol")
labelled = headline.reset_index().assign(label=lambda one: one["trait"] + f"\n{first} − " + one["against"])
vb.figures.show(
    vb.figures.forest_in_both_units(labelled, label="label"), name="traits-run",
    alt=f"{len(headline)} comparisons of {first} with other groups, effect size on the left and difference in log-odds on the right, with intervals: "
    + "; ".join(f"{trait}, {another}: d = {d:.2f}" for (trait, another), d in headline["d"].items()) + ".",
    caption=f"Three phrases, protocol as {protocol}, with 95 % intervals over individuals.", source=roles.sources(faces, people.source))
by_protocol = table["p"].unstack("protocol")
raised = table["d"].unstack("protocol")["described"] > 0
vb.note(shown=pictured.shown(faces), first=first, n_phrases=int((said_by.table["dimension"] == "other").sum()), missed=words.among(
    int(((by_protocol["described"] <= 0.05) & (by_protocol["released"] > 0.05)).sum()), int((by_protocol["described"] <= 0.05).sum())),
    over={"faces": words.among(int((headline["p"] <= 0.05).sum()), len(headline)),
          "phrases": words.among(int((headline["p_phrases"] <= 0.05).sum()), len(headline))},
    side=words.verb(float(by_protocol.loc[raised, "released"].min()) if raised.any() else np.nan, above=0.5, then="near 1", else_="below one half"))

# %% tags=["hide-cell"]
tables.readable(table[["d", "d_low", "d_high", "difference", "p", "p_phrases"]], names={"d_low": "d from", "d_high": "d to", "p_phrases": "p, phrases"}).format(tables.p_value, subset=["p", "p_phrases"])

# %% tags=["hide-cell"]
# the paper's order of the other groups is that of their names; on drawings the ledger sets nothing beside what is printed
letters, viewers = dict(zip(rivals, we_they.OTHERS, strict=False)), dict(zip(traits.NETWORKS, encoders, strict=False))
for name in PROTOCOLS if first == usual and not pictured.is_own(faces) else ():
    tested = {(trait, network, letters[another]): test for (network, trait, another, how), test in tests.items() if how == name}
    for claim, value, about in traits.records(tested):
        vb.ledger.record(f"traits.{claim}", value, results=results, stimuli=faces, model=[viewers[one] for one in about], protocol=name)
texts = said_by.table.set_index("dimension")["text"]
for claim, value in {"characteristics": len(traits.TRAITS), "phrases": len(traits.TRAITS)}.items():
    vb.ledger.record(f"traits.{claim}", value, results=results, stimuli=faces, model=encoders)
for trait in traits.TRAITS:
    for claim in (f"traits.phrase-{trait}", f"traits.phrase-{trait}-again"):
        vb.ledger.record(claim, bool(texts[trait] == vb.ledger.claim(claim).value), results=results, stimuli=faces, model=encoders)

# %% [markdown]
# Over faces, {glue:text}`over.faces` comparisons are significant. Among phrases, it is {glue:text}`over.phrases`.
#
# :::{dropdown} With the tail of the released code
# The released code looks for negative $d$ only (W2 below). With it, a positive $d$ gets a p {glue:text}`side`. So {glue:text}`missed` significant
# differences would be missed.
# :::
#
# ## What this method can see
#
# ### Faces, phrases or networks: what is the unit of analysis?
#
# How often is a test significant where nothing was taught? This depends on what it counts as one observation, its *unit of analysis*. There are three
# choices: other *faces*, as in the paper; other *phrases*, as in the figure above; or other *networks* that were taught nothing.

# %% tags=["hide-cell"]
three = traits.every_pair(everyone, vectors, pairs, list(AXES.values()), PLAIN, seed=seed)
planted = {
    (axis, f"{x} − {y}"): taught.loc[x, axis] - taught.loc[y, axis]
    for axis in AXES.values()
    for x, y in pairs
}
strongest = [  # for each trait, the pair of colours with the largest difference
    max((key for key in planted if key[0] == axis), key=lambda key: abs(planted[key]))
    for axis in AXES.values()
]
own = three.set_index(["axis", "pair"]).loc[strongest].reset_index()
answer = pd.concat({
    trait: associations.rejected(own[own["axis"] == axis], strengths=[0, 0.25, 1])
    for trait, axis in AXES.items()
}).rename_axis(["trait", None]).reset_index("trait")
answer[["trait", "unit", "b", "n", "hits"]].rename(columns={"b": "strength"}).head(3)

# %% tags=["hide-input"]
units = {"faces": "faces\n(the paper's test)", "phrases": "phrases", "networks": "networks"}
none = answer[answer["b"] == 0]
hits = {(row.unit, row.trait, row.b): words.among(row.hits, row.n) for row in answer.itertuples()}
vb.figures.show(
    vb.figures.rates(none.assign(unit=none["unit"].map(units)).sort_values("unit", key=lambda one: one.map(list(units.values()).index), kind="stable"),
                     rate="rate", low="low", high="high", label="unit", group="trait",
                     value_label="% of networks with p ≤ .05, exact 95 % intervals"), name="traits-units",
    alt="Share of networks in which the test is significant though nothing was taught, by what is the unit of analysis. "
    + "; ".join(f"{row.unit}, {row.trait}: {hits[row.unit, row.trait, 0]}" for row in none.itertuples()) + ".",
    caption=f"Networks that were taught no difference. For each trait one comparison of {favoured} with another colour. Dashed line: 1 in 20.", source="greenhouse")
counted = answer.groupby(["unit", "b"])[["hits", "n"]].sum()
vb.note(total={(unit, f"{b:g}"): words.among(int(row["hits"]), int(row["n"])) for (unit, b), row in counted.iterrows()},
        n_null=int(none["n"].iloc[0]), chance=round(0.05 * counted.loc[("faces", 0), "n"]),
        strict=words.verb(0.05 * counted.loc[("phrases", 0), "n"], above=counted.loc[("phrases", 0), "hits"],
                          then="even fewer than chance would give", else_="no fewer than chance would give"))

# %% [markdown]
# The test over faces is significant too often; the test among phrases is not. We test each of the three traits in {glue:text}`n_null` networks. Over
# faces, {glue:text}`total.faces.0` tests are significant, where chance would give about {glue:text}`chance`. Among phrases, {glue:text}`total.phrases.0` are,
# {glue:text}`strict`. The test over networks asks whether one network lies among the most extreme twentieth of those that were taught nothing. So of these themselves, about one in twenty does.
#
# Do the tests also find what was taught? Other networks learned from captions with the full difference, or with a quarter of it. At full strength,
# {glue:text}`total.faces.1` differences are significant over faces, {glue:text}`total.phrases.1` among phrases. At a quarter, it is
# {glue:text}`total.faces.0.25` over faces and {glue:text}`total.phrases.0.25` among phrases. So with few plain phrases a weak difference can be missed.

# %% tags=["hide-cell"]
READ = {"phrase alone": "", "beyond a plain phrase": "someone"}
found = {
    read: traits.recovered(everyone, pairs, list(AXES.values()), planted, beyond=beyond)
    for read, beyond in READ.items()
}
found["phrase alone"][["planted", "mean"]].round(2).head(3)

# %% tags=["hide-cell"]
rows, (alone, beyond) = pd.concat(found, names=["read"]).reset_index(), found.values()
signs = words.among(int((np.sign(alone["mean"]) == np.sign(alone["planted"])).sum()), len(alone))
ratio = {"alone": alone["mean"] / alone["planted"], "beyond": beyond["mean"] / beyond["planted"]}
ends = {name: one.agg(["min", "max"]) for name, one in ratio.items()}
vb.figures.show(
    vb.figures.planted_against_shown(rows, planted="planted", shown="mean", low="low", high="high", unit="log-odds", panel="read"), name="traits-recovered",
    alt=f"Planted against shown differences of nine comparisons, alone and beyond a plain phrase: {signs} have the planted sign. Alone, {ends['alone']['min']:.0%} to "
    f"{ends['alone']['max']:.0%} of what was planted is shown, beyond the plain phrase {ends['beyond']['min']:.0%} to {ends['beyond']['max']:.0%}.",
    caption=f"{alone['n'].iloc[0]} networks at full strength, means with 95 % intervals: {favoured} − each other colour, by each phrase, alone as in the test and beyond “someone who is here”.", source="greenhouse")
spread = {name: one["max"] - one["min"] for name, one in ends.items()}
vb.note(signs_ok=f"The sign is right in {signs} comparisons.", ratio={name: dict(one) for name, one in ends.items()},
        closer=words.verb(spread["alone"], above=spread["beyond"], then="more even", else_="no more even"))

# %% [markdown]
# :::{dropdown} Is the right amount found?
# Roughly. The folded figure above compares the differences that captions teach (*planted*) with those that networks show. {glue:text}`signs_ok`
#
# By the phrase alone, networks show {glue:text}`ratio.alone.min:.0%` to {glue:text}`ratio.alone.max:.0%` of the difference in the captions. If a plain phrase
# is subtracted first ("someone who is here"), the shares are {glue:text}`closer`: {glue:text}`ratio.beyond.min:.0%` to {glue:text}`ratio.beyond.max:.0%`.
# :::
#
# ### What else moves $d$
#
# The test assumes that the groups differ in nothing else, and that any photographs will do. Each panel of the figure breaks one assumption.

# %% tags=["hide-input"]
viewer = vb.encoder(model_null)
people, speech = vb.embed(viewer, vb.images("greenhouse/cfd")), vb.embed(viewer, vb.prompts("greenhouse/traits"))
two = people.where(colour.isin([favoured, other]))
own_phrases = [np.asarray(speech)[(kind == trait).to_numpy()][0] for trait in AXES]
varied = {}
for name, seen_by in {"age": model_null, "smiling": model_planted}.items():
    series = vb.images("greenhouse/causalface", race=[favoured, other], subset=["prototype", name])
    series = series.where(series.table["seed"] < 30)
    looked = vb.perceive(series, seen_by, "greenhouse/traits")
    level = (looked.table[name] - looked.table.loc[looked.table["subset"] == "prototype", name].iloc[0]).round(6)
    logits = pd.DataFrame(looked.logit_scale * looked.cosines[:, :3], index=level, columns=looked.words["dimension"][:3])
    varied[name] = [logits[(looked.table["race"] == one).to_numpy()] for one in (favoured, other)]

# %% tags=["hide-cell"]
drawn = traits.nearer_to_text(
    np.asarray(two), np.asarray(speech), two.table["race"] == favoured,
    np.linspace(0, 0.06, 7), np.array(own_phrases), np.asarray(speech)[plain][0],
)
older = associations.confounded(*(one["patriotism"] for one in varied["age"]))
smiles = {
    trait: associations.varied(*(one[trait] for one in varied["smiling"])).set_index("reach")
    for trait in AXES
}
older.round(2).head(3)

# %% tags=["hide-input"]
fig, (line,) = vb.figures.panels(1, 3, height=3.6)
part = drawn[drawn["phrase"] == 0]
line[0].plot(part["share"], part["alone"], "o-", color=vb.figures.PALETTE[0], label="phrase alone")
line[0].plot(part["share"], part["beyond"], "s--", color=vb.figures.COLOURS["muted"], label="beyond a\nplain phrase")
line[0].set(title="1. Nearer to all text", xlabel="moved by", ylabel="effect size d", ylim=(0, 1.6 * part["alone"].max()))
for column, style in (("d", "o-"), ("difference", "s--")):
    line[1].plot(older["level"], older[column], style, color=vb.figures.PALETTE[column == "difference"], label={"d": "effect size d", "difference": "difference,\nlog-odds"}[column])
line[1].axhline(0, color=vb.figures.COLOURS["reference"], lw=1, zorder=0)
line[1].set(title="2. One colour older", xlabel=f"age of {favoured}")
both = older[["d", "difference"]].to_numpy()
line[1].set_ylim(top=both.max() + 0.55 * np.ptp(both))  # room for the legend
for (trait, one), style, ink in zip(smiles.items(), ("o-", "s--", "D:"), vb.figures.PALETTE, strict=False):
    line[2].plot(one.index, one["d"] / one["d"].iloc[0], style, color=ink, label=trait)
line[2].set(title="3. Mixed expressions", xlabel="smiles, up to ±", ylabel="share of d left", ylim=(0, None))
for axes in line:
    axes.legend(loc="best", fontsize=9)
left = pd.Series({trait: one["d"].iloc[-1] / one["d"].iloc[0] for trait, one in smiles.items()})
ends, top = part.iloc[[0, -1]], older.iloc[-1]
vb.figures.show(
    fig, name="traits-broken",
    alt=f"Three panels. 1: as {favoured} faces are moved to text, d of the phrase alone goes from {ends['alone'].iloc[0]:.1f} to {ends['alone'].iloc[1]:.1f}, beyond a plain phrase from {ends['beyond'].iloc[0]:.1f} to "
    f"{ends['beyond'].iloc[1]:.1f}. 2: the oldest {favoured} faces give d = {top['d']:.1f}. 3: with all expressions, the share of d that is left is "
    + words.listed(f"{value:.0%} ({trait})" for trait, value in left.items()) + ".",
    caption=f"{favoured.capitalize()} against {other}. Panels 1 and 2: the phrase “patriotic” in the network taught nothing. Panel 3: the one taught three traits.", source="greenhouse")
vb.note(drawn={(how, end): float(ends[how].iloc[k]) for how in ("alone", "beyond") for k, end in enumerate(("from", "to"))}, older=top["d"],
        rises=words.verb(abs(ends["alone"].iloc[1] - ends["alone"].iloc[0]), above=abs(ends["beyond"].iloc[1] - ends["beyond"].iloc[0]),
                         then="moves less", else_="does not move less"), younger=older.iloc[0]["d"],
        left=left.agg(["min", "max"]), least=words.extreme(left, left.index, largest=False))

# %% [markdown]
# 1. *Nearer to all text.* We add a little of what all texts have in common to the embeddings of the {glue:text}`favoured` faces. From left to right, $d$ of "patriotic" alone goes
#    from {glue:text}`drawn.alone.from:.1f` to {glue:text}`drawn.alone.to:.1f`. If the score of a plain phrase is subtracted first ("someone who is here"), $d$
#    {glue:text}`rises`: it goes from {glue:text}`drawn.beyond.from:.2f` to {glue:text}`drawn.beyond.to:.2f`.
# 2. *One colour older.* The network was taught no difference between colours, but captions call older faces of every colour patriotic more often. We change the age of the {glue:text}`favoured` faces only. The youngest
#    give $d$ = {glue:text}`younger:.1f`, the oldest {glue:text}`older:.1f`. The paper does not say whether its groups are of like age.
# 3. *Mixed expressions.* At the left, all faces have one expression; at the right, they frown and smile. There, {glue:text}`left.min:.0%` to
#    {glue:text}`left.max:.0%` of $d$ is left, depending on the trait.
#
# (traits-means)=
# ## What this means
#
# **For the paper.** White people's portraits lie nearer to "patriotic" in CLIP, SLIP and BLIP. Whether this is about *patriotism* has not been shown.
# The portraits may lie nearer to many phrases.
#
# Are large effects safe from this doubt? In our network that was taught nothing, the $d$ of plain phrases is at most {glue:text}`plain_d:.2f` in size. Of the printed $d$ for patriotism,
# {glue:text}`larger.patriotism` are larger in size, and of those for nativism {glue:text}`larger.nativism`. In CLIP, SLIP and BLIP, plain phrases may reach more, or less. To find out takes no new data, only some more phrases.
#
# **For your own work.** Write several phrases for each trait. Beside them, write phrases of the same form that have nothing to do with it. Report where your phrase
# stands among them.
#
# ## Where paper and code differ
#
# The list is for readers who check the analysis or rerun it.
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
# **W12. Text and tables.** On equal treatment, the introduction names no exception, though Table 4 shows one: SLIP. Two further sentences can be read in
# two ways: see the details above.
# :::
#
# :::{admonition} Rerun this with your own parameters
# :class: tip
# ```
# .venv/bin/vlmbias run american_white/traits -p model greenhouse/b0 -p protocol released
# ```
# This runs the section "The protocol" on the network that was taught no difference, in a folder of its own.
# :::
#
# ## Take-aways
#
# - A small p over photographs does not set a phrase apart. Test other phrases, too, those that should show nothing.
# - One phrase is one observation. Several phrases for a trait say more.
# - Compare groups that are alike in age, and in how varied their expressions are; $d$ depends on both.
# - Say which tail a test has. A tail that is fixed on one side cannot find a difference on the other.

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
# 1. Devos and Banaji surveyed people and found three traits. What does one sentence per trait leave out, and who should
#    write the others?
# 2. A phrase's rank among other phrases needs phrases that tell no group from another. Of people, can there be such a list? How would you
#    argue for yours?
# 3. A p-value is printed that its own table rules out. What would you ask the authors for, and what would you do with the conclusion meanwhile?
