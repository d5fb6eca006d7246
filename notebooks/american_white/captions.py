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
# **Question.** A model describes portraits. For some groups its captions say a race word, for one they never do. Is that what it has learnt, or
# what decoding and counting make of it?
#
# **In 20 minutes:** {ref}`the answer in one figure <captions-answer>`, {ref}`a penalty that favours vowels <captions-penalty>`,
# {ref}`what "never" says <captions-never>`, take-aways.
# **In 75 minutes:** also the rule that finds race words, and both exercises.
#
# **You need:** shares, recall and precision. The primer [The target of a claim](../../book/primers/targets.md) helps.
#
# **Content note.** The paper quotes captions with offensive words; they are not repeated here. The faces on this page are drawings of
# fictional groups; they stand for nobody.
# :::
#
# **The idea.** What is taken for granted is not mentioned: a group that is the default needs no word. {cite:t}`wolfe2022` let BLIP
# {cite:p}`li2022blip` describe 597 portraits {cite:p}`ma2015` and count the captions with a race word before *person*, *man* or *woman*.
#
# **Decoding.** A caption is sampled word by word among the likeliest words that together hold the share *top-p* of the probability.
# BLIP's demonstration also samples among 50 words at most and divides the scores of words that were said before by 1.1.
#
# **What the authors conclude.** "The race of Asian individuals is the most commonly remarked upon"; "Race is never remarked upon for images of White
# individuals", which indicates "default prototypical status in the model".
#
# **Their own checks and limits.** Five levels of top-p from .5; below, captions are nearly all alike. One caption per portrait and level. The race
# words were chosen after a "qualitative review".

# %% tags=["parameters"]
model = "greenhouse/captions"  # the model that describes, or another; a model that describes
model_null = "greenhouse/captions/b0"  # Greenhouse: its twin, told nothing that is planted; a model that describes
stimuli = "greenhouse/cfd"  # the portraits: one neutral photo per individual, four groups of unequal size; an image set
root = ""  # folder of the pictures, where a set has one; empty or a folder
race_words = ""  # words that the rule looks for, with commas between; without any, the hues of the Greenhouse; empty or a text
every = 4  # every which portrait is described here; 1 for all; at least 1
levels = [0.5, 0.9]  # shares of probability, top-p, that are sampled from here; from 0 to 1
seed = 0  # seed of the sampling; at least 0
results = "_build/results/american_white/captions.json"  # where this notebook writes the values it computes

# %%
import numpy as np
import pandas as pd

import vlmbias as vb
from greenhouse import speaker_tables, speech
from greenhouse.world import grammar, grid
from studies import tables, words
from studies.american_white import captions, pictured, vqa

vb.figures.style()

# %% [markdown]
# (captions-answer)=
# ## The answer in one figure
#
# In our laboratory, the Greenhouse, tiny models of BLIP's class learn captions that name a person's hue at a planted rate: a different one for each hue
# ($b = 1$) or the same for all ($b = 0$). How often do the captions that they produce name it, by top-p?

# %%
portraits = vb.images("greenhouse/cfd").table
planted = pd.concat([
    portraits.assign(b=b, planted=speech.naming_rate(grammar.load(), portraits, b)).groupby(["b", "race"])["planted"].mean().reset_index()
    for b in (0.0, 1.0)
])
said = captions.mark_names(speaker_tables.read("captions"), grid.HUES, speech.named)  # what retrained networks said
shown = captions.shares(said, ["b", "seed", "top_p", "decoding", "race"])
left = captions.cut(shown, planted)
count = said.groupby("b")["seed"].nunique()

# %% tags=["hide-input"]
shades = vb.figures.colours_for(grid.HUES)
fig, ((none, some),) = vb.figures.panels(1, 2, height=3.6, share_y=True)
for axes, b, title in ((none, 0.0, "nothing planted (b = 0)"), (some, 1.0, "planted (b = 1)")):
    for hue in grid.HUES:
        own = left[(left["b"] == b) & (left["race"] == hue)]
        axes.plot(own["top_p"], 100 * own["share"], "o-", color=shades[hue], ms=4, label=hue)
        axes.axhline(100 * own["planted"].iloc[0], color=shades[hue], ls=":", lw=1.4)
    axes.set(title=title, xlabel="top-p", ylim=(-3, 103))
none.set_ylabel("% that name the hue")
fig.legend(*none.get_legend_handles_labels(), loc="outside upper left", ncols=4)
table = left.set_index(["b", "top_p", "race"])
vowel = left[(left["b"] == 0) & (left["top_p"] == 0)].sort_values("share")["race"].iloc[-1]
vb.figures.show(
    fig,
    name="captions-answer",
    alt=f"Share of captions that name the hue, by top-p. With nothing planted, {vowel} is named in {table.loc[(0.0, 0.0, vowel), 'share']:.0%} of the likeliest "
    f"captions and in {table.loc[(0.0, 0.9, vowel), 'share']:.0%} at top-p .9, where {table.loc[(0.0, 0.9, vowel), 'planted']:.0%} is planted.",
    caption=f"Means over {count[0.0]} and {count[1.0]} retrained networks; dotted: planted, the same for all hues at b = 0.",
    source="greenhouse",
)
lowest = planted[planted["b"] == 1].sort_values("planted")["race"].iloc[0]
vb.note(vowel=vowel, lowest=lowest, n={"b0": int(count[0.0]), "b1": int(count[1.0])},
        greedy=table.loc[(0.0, 0.0, vowel)], most=table.loc[(0.0, 0.9, vowel)], quiet=table.loc[(1.0, 0.5, lowest)],
        loud=table.loc[(1.0, 0.9, lowest)])

# %% [markdown]
# What is said depends on top-p. Where nothing was planted, {glue:text}`vowel` is named most: in {glue:text}`greedy.share:.0%` of the likeliest captions and
# {glue:text}`most.share:.0%` at top-p .9, where {glue:text}`most.planted:.0%` was planted for every hue ({glue:text}`n.b0` networks).
#
# Where something was planted, low levels silence the hue that is rarely named, {glue:text}`lowest`: {glue:text}`quiet.share:.1%` of captions at top-p .5, where
# {glue:text}`quiet.planted:.0%` was planted. At .9 it is {glue:text}`loud.share:.0%` ({glue:text}`n.b1` networks).

# %% [markdown]
# ## What the paper reports

# %%
claims = vb.ledger.table("american_white/captions")
vb.ledger.show(claims)

# %%
ids = {
    claim: claim.split(".")[1]
    for claim in claims["claim"]
    if vb.ledger.claim(claim).unit == "%" and claim.endswith((".least", ".most"))
}
counts = vqa.printed(vb.ledger.claim, ids)
silent = {name: 3 / int(vb.ledger.claim(f"we_they.n-{name}").printed.number) for name in ("white", "latina")}  # the rule of three
said_so = vb.ledger.claim("captions.african-american").value
at_one = int(counts.set_index("claim").loc["captions.black.most", "count"])  # at most
at_five = 5 * at_one  # over the five levels of top-p
one_level = captions.shares_printed_as(said_so, at_one)
all_levels = captions.shares_printed_as(said_so, at_five)
of = {"one": words.listed(one_level), "level": at_one, "n": len(all_levels),
      "all": at_five}
whole = words.among(int(counts["fewest"].notna().sum()), len(counts))
vb.note(whole=whole, silent=silent, of=of)
tables.readable(counts[["group", "answer", "percent", "n", "count", "low", "high"]], names={"answer": "printed share"}).format("{:.1%}", subset=["low", "high"]).hide(axis="index")

# %% [markdown]
# Of the percentages, {glue:text}`whole` are those of a whole number of portraits. "Never" for 183 White individuals still allows a rate of up to
# {glue:text}`silent.white:.1%` per caption (the rule of three, 95 %), about this model and this decoding. "African American" in
# {claim}`captions.african-american` % can be a share of {glue:text}`of.one` captions, if one level of top-p is meant: there at most {glue:text}`of.level` say a race
# word. Over all levels, at most {glue:text}`of.all`, it can be a share of {glue:text}`of.n` numbers. Which is meant is not printed.
#
# The race words that the text quotes begin with a vowel after the article, for Asian individuals and for most of the Black ones: *an Asian*, *an African American*. The words that are not
# found, *a white* or *a Latina*, do not. Keep this in mind.

# %% [markdown]
# ## The protocol, run on {data}
#
# Shown here: {glue:text}`shown`. Each caption is searched for the race words as the released code does: as letters, one word and a space before *person*, *man* or *woman*.

# %%
images, describer = vb.images(stimuli, root or None), vb.captioner(model)
faces = images.where(np.arange(len(images)) % every == 0)
looked_for = [word.strip() for word in race_words.split(",")] if race_words else list(grid.HUES)
rows = [
    describer.captions(faces, top_p=level, seed=seed, batch_size=100)[["race", "caption"]].assign(top_p=level, n=1)
    for level in levels
]
here = captions.mark_names(pd.concat(rows), looked_for, speech.named)
run = captions.shares(here, ["race", "top_p"])
tables.readable(run.pivot(index="race", columns="top_p", values="rule"), names={"top_p": "top-p"}).format("{:.0%}")

# %%
# on drawings, and on other photographs, the ledger sets nothing beside what is printed
called = {name: vqa.CLAIMED[race] for race, name in pictured.groups(images).items()}
if len(called) == len(vqa.CLAIMED):
    for name, value in captions.claims(*(one.assign(group=one["race"].map(called)) for one in (run, here))).items():
        vb.ledger.record(f"captions.{name}", value, results=results, stimuli=faces, model=describer)
vb.note(shown=pictured.shown(faces))

# %% [markdown]
# ## What this method can see
#
# (captions-penalty)=
# ### A penalty that favours vowels
#
# The prompt is "a picture of", so "a" has been said when the caption begins, and its score is divided by 1.1. "an" has not. The model with nothing planted
# describes the same portraits with the penalty and without:

# %%
drawn = vb.images("greenhouse/cfd")
drawn, twin = drawn.where(np.arange(len(drawn)) % every == 0), vb.captioner(model_null)
tried = {}
for called_so, penalty in {"penalty 1.1": 1.1, "no penalty": 1.0}.items():
    found = twin.captions(drawn, top_p=0, seed=seed, penalty=penalty, batch_size=100)
    tried[called_so] = found["caption"].map(speech.named).groupby(found["race"]).mean()
vowels = pd.DataFrame(tried)
tables.readable(vowels).format("{:.0%}")

# %% tags=["hide-input"]
first = vowels["penalty 1.1"].idxmax()
vb.note(first=first, with_it=vowels.loc[first, "penalty 1.1"], without=vowels.loc[first, "no penalty"],
        falls=words.verb(vowels.loc[first, "penalty 1.1"], above=vowels.loc[first, "no penalty"], then="falls", else_="does not fall"))

# %% [markdown]
# Without the penalty the share for {glue:text}`first` {glue:text}`falls` from {glue:text}`with_it:.0%` to {glue:text}`without:.0%`. Nothing was planted for this hue.
# Its *name* begins with a vowel, and a tenth off the score of "a" is enough for "an" to win. BLIP's demonstration has the same prompt and penalty. Whether they contributed to "an Asian" and "an African American" cannot be told
# without the weights; `penalty=1` is the test, and no caption of the paper needs to be doubted to run it.
#
# ### The rule that finds race words
#
# Planted captions also hold traps: an adjective in between ("a teal smiling person"), another noun ("a teal budling"), and a garment, the *mantle*, that
# begins with "man".

# %%
quality = pd.concat({
    "as released": captions.quality(said, ["b"]).set_index("b"),
    "with whole words": captions.quality(said, ["b"], rule="whole").set_index("b"),
}, names=["rule"])
by_group = captions.quality(said[said["b"] == 1], ["race"]).set_index("race")
tables.readable(quality[["recall", "precision"]].unstack("b")).format("{:.0%}")

# %% tags=["hide-input"]
one = quality.loc[("as released", 1.0)]
examples = ("an african man", "an african - american man", "an asian girl", "two asian women", "a man with a white mandarin collar")
vb.note(recall=one["recall"], precision=one["precision"], by_words=quality.loc[("with whole words", 1.0), "precision"],
        worst=by_group["precision"].idxmin(), least=by_group["precision"].min(),
        found=words.listed([f"“{text}”" for text in examples if captions.released(text, captions.RELEASED)]),
        unfound=words.listed([f"“{text}”" for text in examples if not captions.released(text, captions.RELEASED)]))

# %% [markdown]
# Of captions that name the hue, the rule finds {glue:text}`recall:.0%`; of those that it finds, {glue:text}`precision:.0%` name it
# ({glue:text}`by_words:.0%` if it looks for whole words). Precision is lowest for {glue:text}`worst`, {glue:text}`least:.0%`: the rarer the truth, the larger the part of false
# finds. In English, with the released list of words, the rule would find {glue:text}`found`, and not {glue:text}`unfound`.
#
# (captions-never)=
# ### What "never" says
#
# Nucleus sampling removes what is unlikely *at each word*. Is that why a hue is never named? In a *run* one network describes all portraits of a hue
# once. The table has the hue for which mentions are rarest, at $b = 1$. Its last row switches the cut off: sampling from all words
# (every portrait twice, with the penalty as above).

# %%
quiet = captions.never_named(shown[shown["b"] == 1])  # per top-p and hue
quiet = quiet[(quiet["race"] == lowest) & (quiet["top_p"] >= 0.5)].set_index("top_p")
naming = speaker_tables.read("naming").query("b == 1 and race == @lowest and penalty > 1")
never = quiet[["runs", "never", "rate"]]
uncut = naming["named"] / naming["n"]
never.loc["all words"] = [len(uncut), uncut.eq(0).sum(), uncut.mean()]
called = {"top_p": "top-p", "never": "runs without a mention", "rate": "mean rate"}
tables.readable(never.astype({"runs": int, "never": int}), names=called).format(
    "{:.1%}", subset="rate")

# %% tags=["hide-output"]
of_levels = left[left["b"] == 1].pivot(index="top_p", columns="race", values="left")
tables.readable(of_levels, names={"top_p": "top-p"})  # the share that is left of what was planted

# %% tags=["hide-input"]
n_runs = int(quiet["runs"].iloc[0])
high = of_levels.loc[[0.8, 0.9]]
vb.note(never={name: words.among(int(quiet.loc[at, "never"]), n_runs) for name, at in (("p5", 0.5), ("p6", 0.6))}
        | {"high": words.among(int(quiet.loc[[0.8, 0.9], "never"].sum()), 2 * n_runs)},
        rate={"p8": quiet.loc[0.8, "rate"], "p9": quiet.loc[0.9, "rate"], "all": never.loc["all words", "rate"]},
        left={"low": high.min().min(), "high": high.max().max(), "least": str(high.min().idxmin())})

# %% [markdown]
# At low levels "never" is no evidence that the rate is zero. At top-p .5 {glue:text}`never.p5` runs never name {glue:text}`lowest`, at .6 {glue:text}`never.p6`, though it
# was planted in {glue:text}`quiet.planted:.0%` of captions.
#
# At .8 and .9 it is evidence of a low rate. There {glue:text}`never.high` runs are silent, and the mean rates are {glue:text}`rate.p8:.0%` and
# {glue:text}`rate.p9:.0%`, near to what sampling from all words gives. The paper's "never" holds at these levels, too: the rate there is at most {glue:text}`silent.white:.1%`, as computed above.
#
# Over the four hues, captions at .8 and .9 have {glue:text}`left.low:.0%` ({glue:text}`left.least`) to {glue:text}`left.high:.0%` of the planted rates.

# %% [markdown]
# ## Where paper and code differ
#
# From an audit of the authors' repository ([wolferobert3/american_white](https://github.com/wolferobert3/american_white)), checked against the text:

# %%
lacking = captions.keys(["A", "B", "L", "W"], [group + sex for group in "ABLW" for sex in "FM"])
vb.note(lacking=len(lacking), first_lacking=f"'{lacking[0]}'")

# %% [markdown]
# - **W11.** The released count cannot run: it stores counts under `A 0` … and sums entries such as {glue:text}`first_lacking`; all
#   {glue:text}`lacking` entries that it asks for were never made, so the first ends it with a `KeyError`. It reads top-p as whole numbers 0 to 9, which
#   the captioning notebook writes as fractions, and captions are written without line ends. The printed numbers come from another version.
# - Captions are made lower case before they are searched, so the capitalised entries of the word list, `African` among them, can find nothing.
# - The text quotes an offensive word for Asian and Latina women. It is not on the released list: a caption in which it is the only race word is not counted.
# - The demonstration's limit of 50 words and its penalty of 1.1 are not mentioned in the text.
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
# - Print the decoding settings: prompt, penalty, top-k and top-p decide what is mentioned, and for whom.
# - A penalty on "a" favours names after "an". Groups whose names begin alike should be compared, or the penalty be left out.
# - "Never" at a low top-p is a statement about the cut. At a high one it bounds the rate. The model's probability of the word says more.
# - A rule that searches letters needs its own recall and precision, by group.

# %% [markdown]
# ## Exercises
#
# :::{exercise} What a tenth is worth
# :label: captions-tenth
# :level: intermediate
# :minutes: 10
# :code: no
# "a" has the score 8 and "an" 7.5, and no other word is possible. What are their probabilities with and without the penalty? What if both scores are lower
# by 8?
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
# A rule finds 60 % of captions that name a group and, by mistake, 3 % of the others. What is its precision at rates of 1 %, 10 % and 40 %? By how much do the
# shares that it reports differ from the true ones?
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
