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
# # Whose group is mentioned?
#
# *Wolfe and Caliskan (2022), Figure 5: captions that say a race word.*
#
# :::{admonition} This chapter at a glance
# :class: note
#
# **Question.** A model describes portraits. For some groups its captions mention the race, for one group never. Is this what the model has
# learned, or does it come from the way in which captions are written?
#
# **In 20 minutes:** {ref}`What the paper reports <captions-found>`, {ref}`What one may doubt, and the answer in one figure <captions-answer>`,
# {ref}`What "never" says <captions-never>`, {ref}`What this means <captions-means>`. **In 75 minutes:** everything, with one of the exercises.
#
# **You need:** shares and probabilities. The primer "[The target of a claim](../../book/primers/targets.md)" helps.
#
# **Content note.** The paper quotes captions with offensive words; they are not repeated here. Our own faces are drawings in invented
# colours, and stand for nobody.
# :::
#
# **The idea.** What people take for granted, they do not mention. We say "a nurse" and "a male nurse". So if a model's captions mention
# the race of some people and not of others, the others may be its idea of a normal person. {cite:t}`wolfe2022` look for this in BLIP
# {cite:p}`li2022blip`, a model that writes captions.
#
# **The experiment.** BLIP describes each of {claim}`we_they.n-all` portraits {cite:p}`ma2015` of people who said themselves whether they are
# Asian, Black, Latina/o or White. The authors count the captions that describe the person's race. Their released program
# looks for a race word directly before *person*, *man* or *woman*.
#
# **What the authors conclude.** They write that "the race of Asian individuals is the most commonly remarked upon by BLIP", and that race "is never
# remarked upon for images of White individuals". They read this as a sign of "default prototypical status in the model".
#
# **Their own checks.** The authors repeat the count at five settings of the program, which vary the captions more and more.
# A comment in their program says of the race words:
# "qualitative review confirms that these are the primary words used for description".

# %% tags=["parameters", "hide-input"]
model = "greenhouse/captions"  # the model that describes, or another; a model that describes
model_null = "greenhouse/captions/b0"  # Greenhouse: its twin, whose captions name every colour equally often; a model that describes
stimuli = "greenhouse/cfd"  # the portraits: one neutral photo per individual, four groups of unequal size; an image set
root = ""  # folder of the pictures, where a set has one; empty or a folder
race_words = ""  # words that the rule looks for, with commas between; without any, the colours of the Greenhouse; empty or a text
every = 4  # every which portrait is described here; 1 for all; at least 1
levels = [0.5, 0.9]  # shares of probability, top-p, that are sampled from here; from 0 to 1
seed = 0  # seed of the sampling; at least 0
results = "_build/results/american_white/captions.json"  # where this notebook writes the values it computes

# %% tags=["hide-input"]
import numpy as np
import pandas as pd

import vlmbias as vb
from greenhouse import speaker_tables, speech
from greenhouse.world import grammar, grid
from studies import tables, words
from studies.american_white import captions, pictured, vqa

vb.figures.style()

# %% [markdown]
# (captions-found)=
# ## What the paper reports: the race of Asian people is mentioned most, that of White people never
#
# Each group has five shares, one for each setting. For Asian and Black people, the paper prints the smallest and the
# largest of the five; for Latina/o people, it prints none. Each line of the figure is one printed share (*n*: number of portraits).

# %% tags=["hide-cell"]
claims = vb.ledger.table("american_white/captions")
group_of = {
    claim: claim.split(".")[1]
    for claim in claims["claim"]
    if vb.ledger.claim(claim).unit == "%" and claim.endswith((".least", ".most"))
}
counts = vqa.printed(vb.ledger.claim, group_of)

# %% tags=["hide-input"]
n_white = int(vb.ledger.claim("we_they.n-white").printed.number)
silent = {"white": 1 - 0.025 ** (1 / n_white)}  # what "never" allows: the end of the exact interval
never = {"group": "White", "claim": "captions.white.none", "rate": 0.0, "low": 0.0, "high": silent["white"], "percent": "0"}
shown = pd.concat([counts, pd.DataFrame([never])])
ends = shown["claim"].str.rsplit(".", n=1).str[1].map({"least": "smallest", "most": "largest", "none": "always"})
sizes = shown["n"].fillna(n_white).astype(int).astype(str)
shown = shown.assign(line=shown["group"] + " (n = " + sizes + "), " + ends)
vb.figures.show(
    vb.figures.rates(shown, rate="rate", low="low", high="high", label="line", nominal=None, value_label="% of captions with a race word, with 95 % intervals"),
    name="captions-printed",
    alt="Printed shares of captions with a race word: " + "; ".join(f"{row.line}: {row.percent} %" for row in shown.itertuples()) + ".",
    caption="Shares as printed in the paper. The intervals are ours: they show how far a share could move if BLIP described other people of the same group.",
    source="paper:american_white, Figure 5",
)
vb.note(silent=silent)

# %% [markdown]
# BLIP mentions the race of Asian people most, in up to {claim}`captions.asian.most` % of captions; this holds at each of the five settings, the authors write.
# Black people come second, with up to {claim}`captions.black.most` %.
#
# BLIP never mentions the race of White people, at any setting. But the share need not be exactly
# zero: with {claim}`we_they.n-white` portraits, the exact 95 % interval goes up to {glue:text}`silent.white:.1%`.
#
# Nearly all mentions are of two names. Asian people are "always described as 'Asian,' and never as 'Asian American.'" Captions that mention the race of a Black person say "African
# American" in {claim}`captions.african-american` % of cases. Captions of Latina/o people have a race word only where the model takes a person "to be Asian or Black", the authors write.
#
# In one point the paper contradicts itself: a few sentences later, it reports that "Asian and Latina women are described as" with another, offensive word.
#
# **Do the printed numbers agree with each other?** Nearly. The abstract and the introduction cut
# {claim}`captions.asian.most` % off to {claim}`captions.asian.most.intro` %, instead of rounding it up.

# %% tags=["hide-input"]
vb.ledger.show(claims)

# %% [markdown]
# (captions-answer)=
# ## What one may doubt, and the answer in one figure
#
# A model writes a caption word by word. It gives a score to every word that it knows. The scores become probabilities, and the next word
# is sampled. But BLIP's own program, which the authors used, adds two rules:
#
# - **A cut.** The program keeps only the likeliest words, as many as are needed to reach a given share of the probability. This share is called *top-p*.
#   The authors' five settings are top-p from .5 to .9. At a small top-p, rare words are never said.
# - **A penalty.** A word that was already said gets a lower score (divided by 1.1), so that captions do not repeat themselves.
#
# The penalty has a side effect. BLIP's program begins every caption with "a picture of", and the model continues. These first words
# count as already said, and "a" is one of them. So "a" becomes less likely as the next word, and "an" does not.
# "An Asian man" and "an African American man" may be helped by this. "A White man" and "a Latina woman" may not.
#
# Is the effect large enough to matter? BLIP's probabilities are not published. So we try the penalty in our laboratory, the
# [Greenhouse](../../book/greenhouse/limits.md). There we trained small networks to describe drawn faces in four colours, and wrote the captions from which
# they learned. These name each colour equally often, in {glue:text}`taught:.0%` of the captions of such faces. Only *amber* needs "an". If the side effect
# matters, the networks will name amber more often with the penalty.
#
# We trained {glue:text}`trained.all` such networks. {glue:text}`trained.rejected` failed a check that we had fixed before (where a caption named a colour, it was the wrong one too often), and are left out below.

# %%
everything = speaker_tables.read("naming")  # every word may be sampled: no cut
alike = everything[everything["b"] == 0]  # whose training captions name colours alike
named = alike.assign(share=alike["named"] / alike["n"])  # of the captions of such faces
named[["seed", "penalty", "race", "n", "named"]].head(3)

# %% [markdown]
# One row counts the captions of one network (*seed*), without (1.0) or with (1.1) the penalty, for faces of one colour.

# %% tags=["hide-input"]
portraits = vb.images("greenhouse/cfd")
planted = pd.concat([
    portraits.table.assign(b=b, planted=speech.naming_rate(grammar.load(), portraits.table, b)).groupby(["b", "race"])["planted"].mean().reset_index()
    for b in (0.0, 1.0)
])
taught = planted.loc[planted["b"] == 0, "planted"].mean()
mean = named.groupby(["penalty", "race"])["share"].mean()
fig, ((axes,),) = vb.figures.panels(1, 1, height=3.4)
inks = {1.0: vb.figures.PALETTE[1], 1.1: vb.figures.PALETTE[0]}
for penalty, called in {1.0: "without the penalty", 1.1: "with the penalty"}.items():
    shift = 0.14 if penalty > 1 else -0.14
    own = named[named["penalty"] == penalty]
    axes.plot(100 * own["share"], own["race"].map(grid.HUES.index) + shift, "o", ms=4, alpha=0.5, color=inks[penalty])
    axes.plot(100 * mean[penalty][list(grid.HUES)], np.arange(len(grid.HUES)) + shift, "|", ms=14, mew=3, color=inks[penalty], label=called)
axes.axvline(100 * taught, color=vb.figures.COLOURS["reference"], lw=1, ls="--")
axes.set(xlim=(0, None), xlabel="% of captions that name the colour")
axes.set_yticks(np.arange(len(grid.HUES)), grid.HUES)
fig.legend(*axes.get_legend_handles_labels(), loc="outside upper left", ncols=2)
n_networks = alike["seed"].nunique()
vb.figures.show(
    fig,
    name="captions-answer",
    alt="Share of captions that name the colour, without and with the penalty: " + "; ".join(
        f"{colour} {mean[1.0, colour]:.0%} and {mean[1.1, colour]:.0%}" for colour in grid.HUES) + ".",
    caption=f"Each dot is one of {n_networks} networks, and each bar is their mean. Dashed line: how often the training captions named each colour.",
    source="greenhouse",
)

# %% tags=["hide-input"]
listed = speaker_tables.networks(rejected=True).query("kind == 'captions' and b == 0")
with_all = pd.read_csv(speaker_tables.SPEAKING / speaker_tables.TABLES["naming"]).query("b == 0")  # the rejected ones, too
with_all = with_all.assign(share=with_all["named"] / with_all["n"]).groupby(["penalty", "race"])["share"].mean()
rise = (mean[1.1] - mean[1.0]).astype(float)
first, others = rise.idxmax(), [one for one in grid.HUES if one != rise.idxmax()]
wide = named.pivot(index=["seed", "race"], columns="penalty", values="share")
rises_in = (wide[1.1] > wide[1.0]).xs(first, level="race")
vb.note(taught=taught, first=first, all_words={"with": mean[1.1, first], "without": mean[1.0, first]}, n_networks=n_networks,
        trained={"all": len(listed), "rejected": int((~listed["accepted"]).sum())})
vb.holds(
    more_often=bool(first[0] in "aeiou" and rises_in.all() and len(rises_in) == n_networks),
    others_less=bool((rise[others] < 0).all() and (rise[others] > -0.05).all()),
    with_rejected=bool(abs((with_all[1.1] - with_all[1.0])[first] - rise[first]) < 0.02),
)

# %% [markdown]
# [The penalty makes all {glue:text}`n_networks` networks name {glue:text}`first` more often: in {glue:text}`all_words.with:.0%` of captions, on average, instead of {glue:text}`all_words.without:.0%`.]{.holds #more_often}
# [The other colours are named a little less often.]{.holds #others_less} [With the rejected networks, the result is the same.]{.holds #with_rejected}
#
# ### Is it the word "a"?
#
# We switch the penalty off for one word. In one network, we describe all faces of this colour three times: without the penalty; with it; and with it, but sparing "a".

# %%
network = vb.captioner(model_null)
some = portraits.where((portraits.table["race"] == first).to_numpy())
settings = {"none": {"penalty": 1.0}, "full": {"penalty": 1.1},
            "spared": {"penalty": 1.1, "spared": ["a"]}}
switch = {}
for name, how in settings.items():
    written = network.captions(some, top_p=1, top_k=0, seed=seed, batch_size=100, **how)
    switch[name] = written["caption"].map(speech.named).mean()  # that name a colour
pd.Series(switch, name=f"names {first}").round(2).to_frame()

# %% [markdown]
# Up to here, every word may be sampled. Now we add the cut, at the smallest and the largest of the authors' settings, for faces of all colours:

# %%
at_settings = {}
for top_p in (0.5, 0.9):
    for name, how in settings.items():
        written = network.captions(portraits, top_p=top_p, seed=seed, batch_size=100, **how)
        says = written["caption"].map(speech.named)
        at_settings[top_p, name] = says.groupby(written["race"]).mean()
at_settings = pd.DataFrame(at_settings).T
at_settings.rename_axis(["top-p", "penalty"]).round(2)

# %% tags=["hide-input"]
vb.note(switch={how: switch[how] for how in ("none", "full")}, cut={how: at_settings.loc[(0.5, how), first] for how in ("none", "full")})
more = at_settings[first].unstack()
vb.holds(is_a=bool(switch["full"] - switch["none"] > 0.05 and abs(switch["spared"] - switch["none"]) < 0.2 * (switch["full"] - switch["none"])),
         at_settings=bool((more["full"] - more["none"] > 0.05).all() and ((more["spared"] - more["none"]).abs() < 0.02).all()))

# %% [markdown]
# [Yes, in this network. With the penalty, {glue:text}`first` is named in {glue:text}`switch.full:.0%` of captions instead of {glue:text}`switch.none:.0%`. If "a" is spared, it is named as often as without the penalty.]{.holds #is_a}
# [At the authors' settings, too, the penalty raises the share, and only through "a":]{.holds #at_settings} at top-p .5, from {glue:text}`cut.none:.0%` to {glue:text}`cut.full:.0%`. (This is much for our networks: with the penalty, the {glue:text}`n_networks` above name {glue:text}`first` in {glue:text}`small.min:.0%` to {glue:text}`small.max:.0%`, with a median of {glue:text}`small.median:.0%`.)
# [Most of them name it most often at top-p .5;]{.holds #most_at_small} the paper's largest shares are at {claim}`captions.level.asian` and {claim}`captions.level.black`. Where {glue:text}`first` was taught in {glue:text}`first_rarely.taught:.0%` of the captions, it is named in {glue:text}`first_rarely.small:.0%` at .5, and in {glue:text}`first_rarely.large:.0%` at .9.
#
# So the penalty changes which names are said. Whether it also raised BLIP's shares of "Asian" and "African American", we do not know.
#
# ## The protocol, run on {data}
#
# {glue:text}`shown` [The network is of another kind than before: its training captions name some colours more often than others.]{.holds #taught_unequally}
#
# Each caption is searched as in the released code: for a race word (here, a colour) and a space directly before the letters *person*, *man* or *woman*.

# %%
images, describer = vb.images(stimuli, root or None), vb.captioner(model)
faces = images.where(np.arange(len(images)) % every == 0)
given = [word.strip() for word in race_words.split(",")]
looked_for = given if race_words else list(grid.HUES)
rows = []
for level in levels:
    text = describer.captions(faces, top_p=level, seed=seed, batch_size=100)
    rows.append(text[["race", "caption"]].assign(top_p=level))
here = pd.concat(rows)

here["rule"] = [captions.released(text, looked_for) for text in here["caption"]]
run = here.groupby(["race", "top_p"])["rule"].mean().unstack()

# %% [markdown]
# One of these shares, counted by hand:

# %%
group, level = run.index[0], levels[0]
own = here[(here["race"] == group) & (here["top_p"] == level)]
nouns = ["person", "man", "woman"]
found = own["caption"].map(
    lambda text: any(f"{word} {noun}" in text for word in looked_for for noun in nouns)
)
assert np.isclose(found.mean(), run.loc[group, level])
tables.readable(run, names={"top_p": "top-p"}).format("{:.0%}")

# %% [markdown]
# With so few faces, a single share is rough. And some of what the rule finds is false ([see below](captions-rule)).

# %% tags=["hide-cell"]
# on drawings, and on other photographs, the ledger sets nothing beside what is printed
called = {name: vqa.CLAIMED[race] for race, name in pictured.groups(images).items()}
if len(called) == len(vqa.CLAIMED):
    here = here.assign(group=here["race"].map(called))
    for name, value in captions.claims(run.rename(index=called).T, here).items():
        vb.ledger.record(f"captions.{name}", value, results=results, stimuli=faces, model=describer)
drawn = model == "greenhouse/captions" and stimuli.startswith("greenhouse")
teaching = planted[planted["b"] == 1].set_index("race")["planted"]
vb.note(shown=pictured.shown(faces))
vb.holds(taught_unequally=bool(np.ptp(teaching) > 0) if drawn else None)

# %% [markdown]
# ## What this method can see
#
# (captions-never)=
# ### What "never" says
#
# Can the cut and the penalty remove a word that a model has learned? We trained {glue:text}`unequal.all` networks like the last one, whose training captions
# name some colours rarely; {glue:text}`unequal.rejected` failed the check, and we asked the other {glue:text}`networks`. Look at {glue:text}`rare`, which was named in {glue:text}`rare_taught:.0%` of the captions of such faces. Like "White", it comes
# after "a". If {glue:text}`rare` is missing at every top-p, the two rules can hide a word that was learned.

# %%
said = speaker_tables.read("captions")  # each with how often it came, n
said = said[said["top_p"] >= 0.5]  # the five settings of the paper
names_it = {text: speech.named(text) for text in said["caption"].unique()}
said["named"] = said["n"] * said["caption"].map(names_it)
by_set = said.groupby(["b", "seed", "top_p", "decoding", "race"])[["n", "named"]].sum()
by_set["share"] = by_set["named"] / by_set["n"]
of_networks = by_set["share"].groupby(["b", "seed", "top_p", "race"]).mean()
left_over = of_networks.groupby(["b", "top_p", "race"]).mean().loc[1.0]

named_in = planted[planted["b"] == 1].set_index("race")["planted"]  # as it was taught
with_a = named_in[~named_in.index.str[0].isin(list("aeiou"))]
rare = with_a.idxmin()  # the rarest colour that follows "a"
sets = by_set.xs(rare, level="race").loc[1.0].groupby("top_p")["share"]
missing = sets.agg(runs="size", never=lambda share: (share == 0).sum(), rate="mean")

# %% tags=["hide-input"]
shades, count = vb.figures.colours_for(grid.HUES), said.groupby("b")["seed"].nunique()
fig, ((axes,),) = vb.figures.panels(1, 1, height=3.4)
for colour in grid.HUES:
    own = left_over.xs(colour, level="race")
    axes.plot(own.index, 100 * own, "o-", color=shades[colour], ms=4, label=colour)
    axes.axhline(100 * named_in[colour], color=shades[colour], ls=":", lw=1.4)
axes.set(xlabel="top-p", ylim=(-3, 103), ylabel="% of captions\nthat name the colour")
fig.legend(*axes.get_legend_handles_labels(), loc="outside upper left", ncols=4)
vb.figures.show(
    fig,
    name="captions-cut",
    alt="Share of captions that name the colour, by top-p. " + "; ".join(
        f"{colour}: taught {named_in[colour]:.0%}, at top-p .5 {left_over[0.5, colour]:.0%}, at .9 {left_over[0.9, colour]:.0%}"
        for colour in grid.HUES) + ".",
    caption=f"Points: means over {count[1.0]} networks, with the penalty, at the paper's five settings. Dotted lines: how often the training captions named the colour.",
    source="greenhouse",
)
in_null = by_set.loc[0.0].drop(first, level="race")  # all colours that follow "a", as often taught as amber
absent = (in_null["share"] == 0).groupby("top_p").agg(["sum", "size"])
none_named = words.among(int(absent.loc[0.5, "sum"]), int(absent.loc[0.5, "size"]))
n_sets, small = int(missing["runs"].iloc[0]), int(missing.loc[0.5, "never"])
large = int(missing.loc[[0.8, 0.9], "never"].sum())
other_list = speaker_tables.networks(rejected=True).query("kind == 'captions' and b == 1")
vb.note(unequal={"all": len(other_list), "rejected": int((~other_list["accepted"]).sum())})
alone = of_networks.loc[0.0].xs(first, level="race").unstack()  # equally taught colours: networks × top-p
vb.note(small=alone[0.5].agg(["min", "median", "max"]).to_dict(), first_rarely={"taught": named_in[first], "small": left_over[0.5, first], "large": left_over[0.9, first]})
rare_faces = int(by_set.xs(rare, level="race")["n"].iloc[0])
vb.note(rare=rare, rare_taught=named_in[rare], networks=int(count[1.0]), sets=n_sets, rare_faces=rare_faces,
        named={"small": words.among(n_sets - small, n_sets), "large": words.among(2 * n_sets - large, 2 * n_sets)},
        none_named=none_named)
vb.holds(most_at_small=bool((alone.idxmax(axis=1) == 0.5).mean() > 0.5), weak_small=small >= n_sets / 4, strong_large=large == 0, none_missing=bool((by_set.query("top_p >= 0.8")["named"] > 0).all()),
         cut_hides=bool(absent.loc[0.5, "sum"] > 0 and small > 0 and at_settings.loc[0.5, others].max(axis=None) < 0.05))

# %% [markdown]
# [At a small top-p, “never” is weak evidence.]{.holds #weak_small} Each network described the same {glue:text}`rare_faces` {glue:text}`rare` faces twice. This gives {glue:text}`sets` sets of captions at each
# top-p. At .5, {glue:text}`named.small` sets name {glue:text}`rare` at least once. (Even where all colours were taught equally often, {glue:text}`none_named` sets never name theirs.)
#
# [At a large top-p, “never” says more.]{.holds #strong_large} At .8 and .9, {glue:text}`named.large` sets name {glue:text}`rare`.
# The paper's "never" holds at .8 and .9, too. [So the cut and the penalty are unlikely to be its reason.]{.holds #strong_large} This rests on one word; a much rarer one we did not try. And the effect of the penalty depends on how high BLIP's scores are, which is not published.
#
# (captions-rule)=
# ### The rule that finds race words
#
# The released rule can fail in two ways. In "a teal smiling person", a word
# stands in between, so the rule misses the colour. And "a person in a teal mantle" (a coat) contains "teal man", so the rule finds the colour of a coat.

# %% tags=["hide-cell"]
# recall: of the captions that name the person's colour, the share that the rule finds
# precision: of those that it finds, the share that name the person's colour
rule = {text: captions.released(text, grid.HUES) for text in said["caption"].unique()}
unequal = said[said["b"] == 1].copy()  # the networks of the last figure
unequal["found"] = unequal["n"] * unequal["caption"].map(rule)
unequal["both"] = unequal["named"] * unequal["caption"].map(rule)


def quality(counts):
    recall, precision = counts["both"] / counts["named"], counts["both"] / counts["found"]
    return counts.assign(recall=recall, precision=precision)


by_colour = unequal.groupby("race")[["n", "named", "found", "both"]].sum()
one, by_colour = quality(by_colour.sum().to_frame().T).iloc[0], quality(by_colour)
by_colour["named"] = by_colour["named"] / by_colour["n"]
by_colour.rename_axis("faces")[["named", "recall", "precision"]].style.format("{:.0%}")

# %% tags=["hide-input"]
worst = by_colour["precision"].idxmin()
vb.note(recall=one["recall"], worst=worst, least=by_colour.loc[worst, "precision"])

# %% [markdown]
# The rule makes both errors. It finds {glue:text}`recall:.0%` of the captions that name the person's colour (its *recall*). Of what it finds, not all
# is right: for {glue:text}`worst` faces, only {glue:text}`least:.0%` (its *precision*).
#
# If the printed shares come from this rule, they may be too high or too low. Whether they do, we do not know: the released program stops (W11, below). For White
# people nothing was found, so nothing false. But the rule would have missed "a white girl".
#
# (captions-means)=
# ## What this means
#
# **For the paper.** That BLIP hardly ever mentions the race of White people is well supported, because it holds at a large top-p, too. If it was counted by the
# released rule, it is a statement about captions that say *person*, *man* or *woman*. Whether White is the model's "default" for this reason, our tests cannot say.
#
# How often BLIP mentions the race of Asian and Black people is less certain, as a statement about what BLIP *learned*. The penalty may have raised these
# shares, for a reason that has nothing to do with race. But it does not explain why no Asian person is
# called "Asian American": this name, too, follows "an". BLIP's captions without the penalty would show its part.
#
# ## Where paper and code differ
#
# :::{dropdown} The differences, point by point
# From an audit of the authors' repository ([wolferobert3/american_white](https://github.com/wolferobert3/american_white)), checked against the text:
#
# - **W11.** The released program that counts cannot run. It stores its counts by group and setting, as `A 0` (Asian, first setting). It then asks for counts by
#   gender, such as `AF 0` (Asian, female), which it never stored, and stops. So the printed numbers probably come from another version, perhaps with another list of words.
# - The offensive word that the text quotes is not on the released list: a caption in which it is the only race word is not counted.
# - The text does not mention the penalty, which BLIP's program always applies when words are sampled, nor another cut: only the 50 likeliest words may be sampled.
# :::
#
# :::{admonition} Rerun this with your own parameters
# :class: tip
# ```
# .venv/bin/vlmbias run american_white/captions -p seed=1 -p every=1
# ```
# describes all drawings, with other random numbers.
# :::
#
# ## Take-aways
#
# - A caption shows what a model learned *and* how captions are written. Print the first words, the penalty and the cut.
# - A penalty on repeated words favours names after "an". Repeat the count without it.
# - "Never" at a small top-p says little. At a large one, it is a sign that the share is small.
# - A rule that counts words needs to be checked, for every group by itself.

# %% [markdown]
# ## Exercises
#
# :::{exercise} What a tenth is worth
# :label: captions-tenth
# :level: intermediate
# :minutes: 10
# :code: no
# "a" has the score 8 and "an" 7.5, and no other word is possible. A score $s$ becomes a probability by $e^s$, divided by the sum of $e^s$ over all words (the
# *softmax*). The penalty divides the positive score of "a" by 1.1 before this step. What are the probabilities with and without it? What if both scores were lower by 8?
# :::
#
# ```{solution-start} captions-tenth
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
from scipy.special import softmax

def penalised(a, an):
    """Probability of "an" where "a" was said before: a positive score is divided by 1.1, a negative one multiplied."""
    return softmax([a / 1.1 if a > 0 else a * 1.1, an])[1]


plain, high, low = softmax([8, 7.5])[1], penalised(8, 7.5), penalised(0, -0.5)
print(f"“an”: {plain:.2f} without, {high:.2f} with the penalty; {low:.2f} with it where both scores are lower by 8")
assert high > 0.5 > plain and np.isclose(low, plain)  # scores are only defined up to a constant; the penalty is not

# %% [markdown]
# Dividing by 1.1 takes more from a high score than from a low one, and nothing from zero. Softmax only looks at differences between scores, so
# subtracting 8 from both should change nothing. The penalty makes it matter: what is said then depends on a constant that has no meaning.
#
# ```{solution-end}
# ```
#
# :::{exercise} Rare truths
# :label: captions-rare
# :level: introductory
# :minutes: 10
# :code: no
# A rule finds 60 % of captions that name a group and, by mistake, 3 % of the others. What is its precision where few captions name the group, where
# some do, and where many do? By how much do the shares that it reports differ from the true ones? Take these true shares:
#
# | few | some | many |
# |---|---|---|
# | 1 % | 10 % | 40 % |
# :::
#
# ```{solution-start} captions-rare
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
rate = np.array([0.01, 0.1, 0.4])
reported = 0.6 * rate + 0.03 * (1 - rate)
print(pd.DataFrame({"rate": rate, "reported": reported, "precision": 0.6 * rate / reported}).round(3).to_string(index=False))
assert reported[0] > rate[0] and reported[2] < rate[2]  # differences between groups shrink from both ends

# %% [markdown]
# The reported share is $.6$ of the true rate plus $.03$ of the rest. Where few captions name a group, most reports are mistakes; where many do, most
# are right. The rule reports too much of what is rare and too little of what is common, so differences between groups come out smaller than they are.
#
# ```{solution-end}
# ```
#
# ## Questions to discuss
#
# 1. Is a caption without a race word neutral, or a sign of a default? What would tell these apart?
# 2. A rule such as the penalty, which nobody chose with people in mind, changes who is named. Who is responsible for it?
