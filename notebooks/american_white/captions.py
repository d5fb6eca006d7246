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
# **In 20 minutes:** {ref}`what the authors found <captions-found>`, {ref}`the answer in one figure <captions-answer>`,
# {ref}`what "never" says <captions-never>`, {ref}`what this means <captions-means>`. **In 75 minutes:** everything, with one of the exercises.
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
# Asian, Black, Latina/o or White. The authors count the captions in which a race word stands before *person*, *man* or *woman*.
#
# **What the authors conclude.** "The race of Asian individuals is the most commonly remarked upon." "Race is never remarked upon for images of
# White individuals", which indicates "default prototypical status in the model".
#
# **Their own checks and limits.** They write captions at five settings of *top-p*, from .5 to .9 (explained below). At smaller settings, nearly
# all captions are alike. There is one caption for each portrait and setting. The race words were chosen after a "qualitative review".

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
# For Asian and Black people the paper prints the smallest and the largest share of captions, over the five settings. For Latina/o people it
# prints none.

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
silent = {"white": 3 / n_white}  # what "never" allows: the rule of three
never = {"group": "White", "claim": "captions.white.none", "rate": 0.0, "low": 0.0, "high": silent["white"], "percent": "0"}
shown = pd.concat([counts, pd.DataFrame([never])])
ends = shown["claim"].str.rsplit(".", n=1).str[1].map({"least": "smallest share", "most": "largest share", "none": "every setting"})
shown = shown.assign(line=shown["group"] + ", " + ends)
vb.figures.show(
    vb.figures.rates(shown, rate="rate", low="low", high="high", label="line", nominal=None, value_label="% of captions with a race word, with 95 % intervals"),
    name="captions-printed",
    alt="Printed shares of captions with a race word: " + "; ".join(f"{row.line}: {row.percent} %" for row in shown.itertuples()) + ".",
    caption="Figure 5 and the text, as counts of portraits. The intervals are ours: how far a share could move with other portraits of the same kind, described by the same model.",
    source="paper:american_white, Figure 5",
)
said_so = vb.ledger.claim("captions.african-american").value
at_one = int(counts.set_index("claim").loc["captions.black.most", "count"])  # captions with a race word, at most
all_levels = captions.shares_printed_as(said_so, 5 * at_one)  # over the five settings
of = {"one": words.listed(captions.shares_printed_as(said_so, at_one)), "level": at_one, "n": len(all_levels), "all": 5 * at_one}
vb.note(whole=words.among(int(counts["fewest"].notna().sum()), len(counts)), silent=silent, of=of)

# %% [markdown]
# The groups differ. BLIP mentions the race of Asian people in {claim}`captions.asian.least` to {claim}`captions.asian.most` % of captions, and that
# of Black people in {claim}`captions.black.least` to {claim}`captions.black.most` %.
#
# It never mentions the race of White people. "Never" is said of {claim}`we_they.n-white` portraits. Among many more such portraits, up to
# {glue:text}`silent.white:.1%` of captions could mention it (95 % confidence).
#
# **Do the printed numbers agree with each other?** Nearly. Of the percentages above, {glue:text}`whole` are those of whole numbers of portraits. The
# abstract and the introduction cut {claim}`captions.asian.most` % off to {claim}`captions.asian.most.intro` %, instead of rounding it up.
#
# :::{dropdown} Details: "African American"
# Of the captions that mention the race of a Black person, {claim}`captions.african-american` % say "African American". At one setting there are at
# most {glue:text}`of.level` such captions, and the percentage fits these numbers of captions: {glue:text}`of.one`. Over all settings there are at most
# {glue:text}`of.all`, and {glue:text}`of.n` numbers fit. Which is meant is not printed.
# :::

# %% tags=["hide-input"]
vb.ledger.show(claims)

# %% [markdown]
# (captions-answer)=
# ## What one may doubt, and the answer in one figure
#
# A model writes a caption word by word. For the next word it gives a score to every word that it knows. The scores become probabilities, and one word
# is sampled. Up to this step, captions show what the model learned. But programs add rules, to make captions more fluent. Two of them are in
# BLIP's own program, which the authors' released notebook calls:
#
# - **A cut.** Only the likeliest words may be sampled, those that together have a certain share of the probability. This share is *top-p*. With a
#   small top-p, rare words are never said.
# - **A penalty.** A word that was already said gets a lower score (it is divided by 1.1), so that captions do not repeat themselves. The
#   words with which every caption begins, "a picture of", are among the words already said.
#
# Look at the penalty again. "A picture of" contains the word "a". So "a" is made less likely at the start of every description, and "an" is not.
# "An Asian man" and "an African American man" are helped by this rule. "A white man" and "a Latina woman" are not.
#
# Is the effect large enough to matter? BLIP's probabilities are not published. We try it in our laboratory, the
# [Greenhouse](../../book/greenhouse/limits.md): small networks that we trained to describe drawn faces in four colours. We also wrote the captions from which
# they learned. These name each colour equally often, in {glue:text}`taught:.0%` of the captions of its faces. One of the colours happens to begin with a
# vowel. What do the networks write, without the penalty and with it?

# %%
everything = speaker_tables.read("naming")  # every word may be drawn: no cut
alike = everything[everything["b"] == 0]  # networks whose training captions name colours alike
named = alike.assign(share=alike["named"] / alike["n"])

# %%
portraits = vb.images("greenhouse/cfd")
some = portraits.where(np.arange(len(portraits)) % every == 0)
network = vb.captioner(model_null)  # one such network; now only the likeliest word is said
likeliest = {}
for penalty in (1.0, 1.1):
    written = network.captions(some, top_p=0, seed=seed, penalty=penalty, batch_size=100)
    says = written["caption"].map(speech.named)  # whether it names a colour
    likeliest[penalty] = says.groupby(written["race"]).mean()
written[["race", "caption"]].head(3)

# %% tags=["hide-input"]
planted = pd.concat([
    portraits.table.assign(b=b, planted=speech.naming_rate(grammar.load(), portraits.table, b)).groupby(["b", "race"])["planted"].mean().reset_index()
    for b in (0.0, 1.0)
])
taught = planted.loc[planted["b"] == 0, "planted"].mean()
mean = named.groupby(["penalty", "race"])["share"].mean()
fig, ((left, right),) = vb.figures.panels(1, 2, height=3.4, share_y=True)
inks = {1.0: vb.figures.PALETTE[1], 1.1: vb.figures.PALETTE[0]}
for penalty, called in {1.0: "without the penalty", 1.1: "with the penalty"}.items():
    shift = 0.14 if penalty > 1 else -0.14
    own = named[named["penalty"] == penalty]
    left.plot(100 * own["share"], own["race"].map(grid.HUES.index) + shift, "o", ms=4, alpha=0.5, color=inks[penalty])
    left.plot(100 * mean[penalty][list(grid.HUES)], np.arange(len(grid.HUES)) + shift, "|", ms=14, mew=3, color=inks[penalty], label=called)
    right.plot(100 * likeliest[penalty][list(grid.HUES)], np.arange(len(grid.HUES)) + shift, "s", ms=7, color=inks[penalty])
for axes, title in ((left, "every word may be drawn"), (right, "only the likeliest word")):
    axes.axvline(100 * taught, color=vb.figures.COLOURS["reference"], lw=1, ls="--")
    axes.set(title=title, xlim=(-3, 103))
fig.supxlabel("% of captions that name the colour", fontsize=12)
left.set_yticks(np.arange(len(grid.HUES)), grid.HUES)
fig.legend(*left.get_legend_handles_labels(), loc="outside upper left", ncols=2)
first = likeliest[1.1].idxmax()
n_networks = alike["seed"].nunique()
vb.figures.show(
    fig,
    name="captions-answer",
    alt="Share of captions that name the colour, without and with the penalty. Every word may be drawn: " + "; ".join(
        f"{colour} {mean[1.0, colour]:.0%} and {mean[1.1, colour]:.0%}" for colour in grid.HUES) + ". Only the likeliest word: " + "; ".join(
        f"{colour} {likeliest[1.0][colour]:.0%} and {likeliest[1.1][colour]:.0%}" for colour in grid.HUES) + ".",
    caption=f"Networks whose captions named every colour equally often in training (dashed line). Left: {n_networks} networks, a dot each; bars: means. Right: one network.",
    source="greenhouse",
)
greedy = captions.mark_names(speaker_tables.read("captions").query("b == 0 and top_p == 0 and race == @first"), grid.HUES, speech.named)
others = mean[1.0].drop(first).mean(), mean[1.1].drop(first).mean()
vb.note(greedy=captions.shares(greedy, ["seed"])["names"].mean(), taught=taught, first=first, with_it=likeliest[1.1][first], without=likeliest[1.0][first], all_words={"with": mean[1.1, first], "without": mean[1.0, first]},
        n_networks=n_networks, cause=captions.penalised(first, mean[1.0, first], mean[1.1, first]),
        rest=captions.others_move(*others), rest_again=captions.penalty_explains(*others), never_holds=captions.never_holds(*others))

# %% [markdown]
# {glue:text}`cause` With every word allowed, it is named in {glue:text}`all_words.without:.0%` of captions without the penalty, and in
# {glue:text}`all_words.with:.0%` with it ({glue:text}`n_networks` networks).
#
# {glue:text}`rest`
#
# If the network says only the likeliest word, as it nearly does at a small top-p, a small push can decide everything. In the network of the right panel,
# {glue:text}`first` is then named in {glue:text}`without:.0%` of the captions without the penalty, and in {glue:text}`with_it:.0%` with it. It is one of the
# stronger cases: over the {glue:text}`n_networks` networks, the average with the penalty is {glue:text}`greedy:.0%`.
#
# Nobody taught these networks that {glue:text}`first` is special. It is the spelling of the name. Whether the penalty had a part in "an Asian" and
# "an African American", we do not know. It is easy to find out: write BLIP's captions again with the penalty set to 1.
#
# ## The protocol, run on {data}
#
# This section runs the experiment as a reader would run it on a model of their own. {glue:text}`shown` Each caption is searched
# as in the released code: for a race word (here, a colour) and a space directly before the letters *person*, *man* or *woman*.

# %%
images, describer = vb.images(stimuli, root or None), vb.captioner(model)
faces = images.where(np.arange(len(images)) % every == 0)
looked_for = [word.strip() for word in race_words.split(",")] if race_words else list(grid.HUES)
rows = []
for level in levels:
    text = describer.captions(faces, top_p=level, seed=seed, batch_size=100)
    rows.append(text[["race", "caption"]].assign(top_p=level, n=1))
here = captions.mark_names(pd.concat(rows), looked_for, speech.named)
run = captions.shares(here, ["race", "top_p"])

# %% [markdown]
# The first of these shares, by hand:

# %%
own = here[(here["race"] == run["race"].iloc[0]) & (here["top_p"] == run["top_p"].iloc[0])]
found = own["caption"].map(
    lambda text: any(f"{word} {noun}" in text for word in looked_for for noun in captions.NOUNS)
)
assert np.isclose(found.mean(), run["rule"].iloc[0])
tables.readable(run.pivot(index="race", columns="top_p", values="rule"), names={"top_p": "top-p"}).format("{:.0%}")

# %% [markdown]
# The columns are two settings of top-p. {glue:text}`protocol`

# %% tags=["hide-cell"]
# on drawings, and on other photographs, the ledger sets nothing beside what is printed
called = {name: vqa.CLAIMED[race] for race, name in pictured.groups(images).items()}
if len(called) == len(vqa.CLAIMED):
    for name, value in captions.claims(*(one.assign(group=one["race"].map(called)) for one in (run, here))).items():
        vb.ledger.record(f"captions.{name}", value, results=results, stimuli=faces, model=describer)
vb.note(shown=pictured.shown(faces), protocol=captions.extremes(run))

# %% [markdown]
# ## What this method can see
#
# (captions-never)=
# ### What "never" says
#
# The cut removes rare words. Is this why a group's name is never said? We trained other networks of the Greenhouse on captions that name some
# colours more often than others. The figure shows how often these networks then name each colour, at each top-p.

# %%
said = captions.mark_names(speaker_tables.read("captions"), grid.HUES, speech.named)
by_run = captions.shares(said, ["b", "seed", "top_p", "decoding", "race"])  # one network, all faces
left_over = captions.cut(by_run, planted)  # means over networks, beside what was taught

# %% tags=["hide-input"]
shades, count = vb.figures.colours_for(grid.HUES), said.groupby("b")["seed"].nunique()
fig, ((axes,),) = vb.figures.panels(1, 1, height=3.4)
for colour in grid.HUES:
    own = left_over[(left_over["b"] == 1) & (left_over["race"] == colour)]
    axes.plot(own["top_p"], 100 * own["share"], "o-", color=shades[colour], ms=4, label=colour)
    axes.axhline(100 * own["planted"].iloc[0], color=shades[colour], ls=":", lw=1.4)
axes.set(xlabel="top-p", ylim=(-3, 103), ylabel="% of captions\nthat name the colour")
fig.legend(*axes.get_legend_handles_labels(), loc="outside upper left", ncols=4)
lowest = planted[planted["b"] == 1].sort_values("planted")["race"].iloc[0]
quiet = captions.never_named(by_run[by_run["b"] == 1])  # per top-p and colour
quiet = quiet[(quiet["race"] == lowest) & (quiet["top_p"] >= 0.5)].set_index("top_p")
all_words = everything.query("b == 1 and race == @lowest and penalty > 1")
uncut = all_words["named"] / all_words["n"]
table = left_over[left_over["b"] == 1].set_index(["top_p", "race"])
vb.figures.show(
    fig,
    name="captions-cut",
    alt="Share of captions that name the colour, by top-p. " + "; ".join(
        f"{colour}: taught {table.loc[(0.5, colour), 'planted']:.0%}, at top-p .5 {table.loc[(0.5, colour), 'share']:.0%}, at .9 {table.loc[(0.9, colour), 'share']:.0%}" for colour in grid.HUES) + ".",
    caption=f"Means over {count[1.0]} networks, with the penalty. Dotted: how often captions named the colour in training.",
    source="greenhouse",
)
n_runs = int(quiet["runs"].iloc[0])
of_levels = left_over[left_over["b"] == 1].pivot(index="top_p", columns="race", values="left")
high = of_levels.loc[[0.8, 0.9]]
vb.note(lowest=lowest, quiet={"planted": table.loc[(0.5, lowest), "planted"]}, runs=n_runs, networks=int(count[1.0]),
        never={name: words.among(int(quiet.loc[at, "never"]), n_runs) for name, at in (("p5", 0.5), ("p6", 0.6))}
        | {"high": words.among(int(quiet.loc[[0.8, 0.9], "never"].sum()), 2 * n_runs)},
        rate={"p8": quiet.loc[0.8, "rate"], "p9": quiet.loc[0.9, "rate"], "all": uncut.mean()},
        left={"low": high.min().min(), "high": high.max().max(), "least": str(high.min().idxmin())})

# %% [markdown]
# At a small top-p, "never" is weak evidence. The training captions of {glue:text}`lowest` faces named the colour in {glue:text}`quiet.planted:.0%` of cases. We let each of
# {glue:text}`networks` networks describe all faces twice. At top-p .5, {glue:text}`never.p5` runs never name {glue:text}`lowest`.
#
# At a large top-p, it is strong evidence. At .8 and .9, {glue:text}`never.high` runs are silent. There the networks name {glue:text}`lowest` in
# {glue:text}`rate.p8:.0%` and {glue:text}`rate.p9:.0%` of the captions, near to what was taught. The paper's "never" holds at .8 and .9, too. So the cut is
# not the reason: with these settings, BLIP mentions the race of White people very rarely.
#
# Can the penalty be the reason? "A white man" begins with the penalised word. {glue:text}`rest_again`
#
# ### The rule that finds race words
#
# Counting also needs a rule that finds race words. The released rule looks for letters. Our captions hold traps for it: "a teal smiling person" has a word
# in between, and "a teal mantle" contains "teal man".

# %%
unequal = said[said["b"] == 1]  # networks whose training captions name some colours more often
one = captions.quality(unequal).iloc[0]  # over all colours
by_colour = captions.quality(unequal, ["race"]).set_index("race")
by_colour = by_colour.rename_axis("faces").rename(columns={"both": "named and found"})
by_colour[["named", "found", "named and found", "recall", "precision"]].round(2)

# %% tags=["hide-input"]
whole_words = captions.quality(unequal, rule="whole").iloc[0]
examples = ("an african man", "an african - american man", "an asian girl", "two asian women", "a man with a white mandarin collar")
vb.note(recall=one["recall"], precision=one["precision"], by_words=whole_words["precision"], worst=by_colour["precision"].idxmin(), least=by_colour["precision"].min(),
        found=words.listed([f"“{text}”" for text in examples if captions.released(text, captions.RELEASED)]),
        unfound=words.listed([f"“{text}”" for text in examples if not captions.released(text, captions.RELEASED)]))

# %% [markdown]
# The table counts captions by the colour of the face: those that name a colour, those that the rule finds, and those that do both. On the whole, the rule
# works well. It finds {glue:text}`recall:.0%` of the captions that name a colour (its *recall*). Of the captions that it finds, {glue:text}`precision:.0%` do name one (its *precision*).
#
# But it does not work well for every group. For {glue:text}`worst` faces, whose colour is named least often, the precision is only {glue:text}`least:.0%`: the rarer the
# true mentions, the larger the part of false ones. The released list of English words has such gaps, too. It would find {glue:text}`found`. It would
# not find {glue:text}`unfound`. Captions are made lower case, while the list has *African* with a capital. And *girl* and *women* are not among its nouns.
#
# (captions-means)=
# ## What this means
#
# **For the paper.** That BLIP hardly ever mentions the race of White people is well supported. It holds at large top-p, and in our networks the penalty
# changed such shares by little. How often BLIP mentions the race of Asian and Black people is less certain, as a statement about what BLIP *learned*: a rule about
# repeated words, which has nothing to do with race, may have raised it. One run without the penalty would settle both.
#
# **For your own work.** If you count words in texts that a model writes, print all settings: the first words, the penalty, the cut. Repeat the count
# without penalty and without cut. Better still, save the probability of the word. And check the rule that counts, for every group by itself.
#
# ## Where paper and code differ
#
# From an audit of the authors' repository ([wolferobert3/american_white](https://github.com/wolferobert3/american_white)), checked against the text:

# %%
lacking = captions.keys(["A", "B", "L", "W"], [group + sex for group in "ABLW" for sex in "FM"])
vb.note(lacking=len(lacking), first_lacking=f"'{lacking[0]}'")

# %% [markdown]
# - **W11.** The released program that counts cannot run. It stores its counts by group, as `A 0`, and asks for them by group and gender, as
#   {glue:text}`first_lacking`. None of the {glue:text}`lacking` entries that it asks for exists. So the printed numbers probably come from another version.
# - Captions are made lower case before they are searched, so the capitalised entries of the word list, `African` among them, can find nothing.
# - The text quotes an offensive word for Asian and Latina women. It is not on the released list: a caption in which it is the only race word is not counted.
# - The text does not mention the penalty. BLIP's program always applies it (1.1) when words are sampled, as they are in the authors' notebook. Nor does
#   the text mention that only the 50 likeliest words may be sampled, another rule of that program.
#
# :::{admonition} Rerun this with your own parameters
# :class: tip
# ```
# .venv/bin/vlmbias run american_white/captions -p seed 1 -p every 1
# ```
# describes all portraits with another seed of the sampling.
# :::
#
# ## Take-aways
#
# - A caption shows what a model learned *and* how captions are written. Print all settings.
# - A penalty on repeated words favours names after "an". Leave it out, or compare groups whose names begin alike.
# - "Never" at a small top-p says little. At a large one it means that the rate is small.
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
# 1. Is a caption without a race word neutral, silent, or a sign of a default? What would tell these apart?
# 2. A decoding setting that nobody chose with people in mind changes who is named. Who is responsible for it: who trains, who publishes a demonstration, who
#    uses it?
