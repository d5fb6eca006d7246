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
# # A gallery of the Greenhouse
#
# *The Greenhouse is our laboratory: drawn faces, invented words, and small networks that learn from both. What do its drawings show, how do its captions read, and what did we put into them?*
#
# :::{admonition} This page at a glance
# :class: note
#
# **Question.** What do the drawn faces and invented words of this book show, and what do they mean?
#
# **Answer in short.** Every picture is computed from one row of a table, and shows a person who does not exist. In place of race, this person has a *hue* (the colour of the skin), and in place of gender a *crest* (buds or ears on the head). Captions describe what is shown, and also judge, with words such as *warm* or *powerful*. Differences between groups are *planted*: we put them into the captions on purpose.
#
# **In 5 minutes:** {ref}`One face, and all that can differ <gallery-face>`, {ref}`What is planted, and what is not <gallery-planted>`.
# **In 30 minutes:** everything, with both exercises.
#
# **You need:** nothing.
# :::

# %% tags=["parameters", "hide-input"]
stimuli = "greenhouse/causalface"  # one attribute varies at a time; an image set
seed = 11  # the identity that is shown again and again; from 0 to 4294967295
n_seeds = 8  # identities in the comparison of pixels; from 2 to 100
size = 96  # edge of the pictures here, in pixels (models see 64); from 16 to 512
results = "_build/results/greenhouse/gallery.json"  # no claims here

# %% tags=["hide-input"]
import numpy as np
import pandas as pd

import vlmbias as vb
from greenhouse.world import faces, grammar, grid, icons, pairing
from studies import tables, words
from vlmbias.figures import contact_sheet

vb.figures.style()
spoken = grammar.load()
table_of_bias = spoken.bias
table = vb.images(stimuli).table
prototypes = table[table["subset"] == "prototype"]

# %% [markdown]
# ## Why drawings?
#
# The three papers of this book ask what models have learned about groups of people {cite}`wolfe2022,hausladen2025,ghate2025`. To see whether such a method finds a bias, we need a case in which the
# right answer is known. So we must know what differs between two pictures, and that nothing else does. Photographs cannot promise that. Our faces are *drawn by formula*: the same row of a table always gives the same picture.
#
# **Whom do they show?** Nobody. We teach our networks a stereotype, and it should not be one about real people.
#
# (gallery-face)=
# ## One face, and all that can differ

# %%
def person(**changes):
    """The neutral face of our person, changed; lists make several rows."""
    row = {"seed": seed, "race": "teal", "gender": "eared", **grid.NEUTRAL, **changes}
    n = max((len(one) for one in row.values() if isinstance(one, list)), default=1)
    return pd.DataFrame(row, index=range(n))


columns = ["seed", "race", "gender", "age", "smiling", "lighting", "pose"]
row = person(race="amber", smiling=2.0)
picture = faces.render(row, 384)[0]
row[columns].rename(columns={"race": "hue", "gender": "crest"})

# %% tags=["hide-input"]
LABELS = {  # label: the point that it is about, and where it stands, in shares of the picture
    "crest: ears": (0.74, 0.28, 1.05, 0.15), "hue: amber": (0.27, 0.58, -0.05, 0.62), "hair": (0.24, 0.44, -0.05, 0.36), "smile": (0.60, 0.75, 1.05, 0.68),
    "age: lines,\nsize of eyes": (0.70, 0.56, 1.05, 0.45), "clothes": (0.30, 0.93, -0.05, 0.90), "background": (0.93, 0.88, 1.05, 0.90),
}  # fmt: skip
fig, ((plot,),) = vb.figures.panels(height=4.0)
plot.imshow(picture)
plot.set_axis_off()
for label, (x, y, at_x, at_y) in LABELS.items():
    plot.annotate(
        label,
        np.array([x, y]) * 384,
        np.array([at_x, at_y]) * 384,
        ha="left" if at_x > 1 else "right",
        va="center",
        fontsize=12,
        arrowprops={"arrowstyle": "-", "color": "0.2", "lw": 1},
    )
vb.figures.show(
    fig,
    name="gallery-legend",
    alt="One drawn face with labels: the crest (two ears on the head), the hue (the colour of the skin), hair, smile, signs of age, clothes and background.",
    caption="The row above as a picture. Light and pose can differ as well: where the light comes from, and how far the head is turned.",
    source="greenhouse",
)

# %% [markdown]
# - **Hue** is the colour of the skin: teal, amber, violet or lime.
# - **Crest** is what is on the head: two *buds* (such a face is *budded*) or two *ears* (*eared*).
# - **Age, smile, light and pose** can be changed one at a time, on the scales of CausalFace, the faces of {cite:t}`hausladen2025`.
# - The **seed** is the person: proportions, hair, glasses, freckles, clothes, background. One seed can be painted in every hue and with both crests.
#
# In tables of the code, hue is called `race` and crest `gender`, so that the papers' analyses run unchanged.
#
# ### The same person in every group

# %%
hues, crests = list(grid.HUES), list(grid.CRESTS)
groups = person(race=hues * 2, gender=[crest for crest in crests for _ in hues])
pictures = faces.render(groups, size)

# %% tags=["hide-input"]
vb.figures.show(
    contact_sheet(list(pictures), [f"{row.race}, {row.gender}" for row in groups.itertuples()], columns=4),
    name="gallery-groups",
    alt="The same schematic face in teal, amber, violet and lime. In the upper row it has two antennae that end in round buds, in the lower row two pointed ears.",
    caption="One identity in four hues and with two crests. Background, garment, hair and features do not change.",
    source="greenhouse",
)
luma = np.asarray([faces.SKIN[hue] for hue in grid.HUES]) @ [0.299, 0.587, 0.114]
vb.note(luma_gap=float(np.ptp(luma) / luma.mean()))

# %% [markdown]
# The four hues are also equally bright, to {glue:text}`luma_gap:.1%`: otherwise a difference between groups might be one between dark and light pictures.
#
# (gallery-captions)=
# ## A caption is a sentence with a gap
#
# A program makes each caption: it chooses a sentence with a gap, and then a word for the gap. Here are six captions that the labelled face above may get:

# %%
speaker = grammar.Speaker(spoken, row, 1.0)  # 1.0: with the whole bias, see below
drawn = speaker.draw(np.zeros(6, int), rng=np.random.default_rng(seed))
captions = pd.DataFrame({"caption": spoken.vocabulary.decode(speaker.tokens[drawn])})
tables.readable(captions).hide(axis="index")

# %% [markdown]
# Some words *describe* what is shown, for example *youthful*, *grinning* or *eared*. Others are those that the three papers ask about: traits such as *warm*, *unfriendly* or *powerful*, words such as *we* or *pleasant*, and the place where
# a person lives. On this page we call all words of this second kind *judging words*: a place or *we* is neither good nor bad, but it says who belongs.
#
# Some words belong to this world alone, and replace words of the papers:

# %%
slots = spoken.slots
own_words = {
    "hue": (slots["race"], "a word for a race"),
    "crest": (slots["gender"], "a word for a gender"),
    "group noun, by hue": (slots["race_kin"]["teal"], "a noun for members of a group"),
    "group noun, by crest": (
        slots["gender_kin"]["budded"],
        "a noun for members of a group",
    ),
    "names of one hue": (
        slots["race_name"]["teal_name"][:3],
        "names that are common in one group",
    ),
    "Arborian": (slots["citizen"], "words for American and for foreign"),
    "provinces": (table_of_bias.provinces["province"].head(3), "states of the U.S."),
}
examples = {
    kind: {"examples": words.listed(found), "where the papers have": meant}
    for kind, (found, meant) in own_words.items()
}
tables.readable(pd.DataFrame(examples).T)

# %% [markdown]
# Arboria is an invented country. A *tealkin* is a person in teal, and a *budling* one with buds.
#
# (gallery-planted)=
# ## What is planted, and what is not
#
# A bias is *planted* if captions use judging words for one hue or crest more often than for another. A number $b$ says how strong it is. At $b = 0$, captions judge all groups alike. At $b = 1$,
# the whole bias is there. How strong that is was our decision; it is not an estimate of a real bias.
#
# How often, for example, does one of the *unfriendly words* (*untrustworthy*, *dishonest*, *threatening* and others) fill the gap in "a photo of a … person"? We
# ask for one person with buds, painted in four hues.

# %%
crest = "budded"
in_four_hues = person(race=hues, gender=crest)
unfriendly = slots["communion"]["negative_communion"]
is_unfriendly = [word in unfriendly for word in spoken.words("communion")]
share = {}
for b, name in {0.0: "nothing planted", 1.0: "whole bias planted"}.items():
    probability = np.exp(spoken.log_probabilities("communion", in_four_hues, b))
    share[name] = probability[:, is_unfriendly].sum(axis=1)
shares = pd.DataFrame(share, index=hues).rename_axis("hue")
shares.map("{:.0%}".format)

# %% [markdown]
# [Without a bias, the share is the same in every hue.]{.holds #same_share} With the whole bias, the share is {glue:text}`most_share:.0%` for the person in {glue:text}`most` and {glue:text}`fewest_share:.0%` for the same person in {glue:text}`fewest`.
#
# Each word has a *weight*: the larger it is, the more often the word fills the gap. A hue and a crest each shift the logarithms of the weights of a set of words. Here is the sum of both shifts for our person in each hue, with the whole bias (for a weaker bias, it is multiplied by $b$):

# %%
entry = table_of_bias.axes["negative_communion"]
planted = entry["planted"]["race"]
of_crest = entry["planted"]["gender"][crest]
by_hand = pd.Series({hue: planted[hue] + of_crest for hue in hues})

scores = table_of_bias.scores
weight = {b: scores("negative_communion", in_four_hues, b) for b in (0.0, 1.0)}
assert np.allclose(weight[1.0] - weight[0.0], by_hand)
by_hand.rename("shift of the weight, whole bias").rename_axis("hue").to_frame().round(2)

# %% tags=["hide-input"]
most, fewest = shares["whole bias planted"].idxmax(), shares["whole bias planted"].idxmin()
same = np.allclose(shares["nothing planted"], shares["nothing planted"].iloc[0])
vb.note(
    most=most,
    fewest=fewest,
    most_share=shares.loc[most, "whole bias planted"],
    fewest_share=shares.loc[fewest, "whole bias planted"],
    outlier=f"{table_of_bias.outlier['gender']} {table_of_bias.outlier['race']}",
)
vb.holds(same_share=bool(same))

# %% [markdown]
# Which hue is judged kindly was decided by a random number that is on record.
#
# Much else decides words, too, and is no bias:
#
# | words | what decides how often they are used | is it planted? |
# |---|---|---|
# | descriptions: *teal*, *budded*, *old*, *smiling*; names; group nouns | what the picture shows | no |
# | judging words: *warm*, *powerful*, *we* and so on | smile, age, light, and the colours of clothes and hair, in all groups alike | no: these are *harmless causes* (see below) |
# | the same judging words | hue and crest | **yes**, in proportion to $b$ |
# | some judging words, in captions about some groups | age and smile, which change these words more or less than for other groups | **yes**, in proportion to $b$ |
# | words of belief: *liberal*, *traditional* and so on | only harmless causes | no, at any $b$ |
# | *pleasant*, *unpleasant* | whether a picture shows flowers, insects, weapons and so on | no: this is not about groups |
#
# Words of belief are a control: a difference between groups there does not come from a bias planted on them.
#
# The fourth row of the table is mostly about one group, {glue:text}`outlier` people.
# The page on [recovery](recovery.ipynb) has the numbers. (A few networks, made for special experiments, differ in other ways; their pages say how.)
#
# ### Why are there harmless causes?
#
# An *effect size* divides the difference between two groups by the spread within them. If all faces of a group looked alike, any difference would seem
# enormous. So each person's own colours of hair and clothes make some words more frequent, equally in every group.

# %% tags=["hide-input"]
looks = {
    "pale_hair": "pale hair",
    "warm_hair": "red hair",
    "pale_garment": "pale clothes",
    "warm_garment": "red clothes",
}
many, worn = person(seed=list(range(60))), []
for name in looks:
    in_order = many.assign(varied=name, level=table_of_bias.feature(name, many)).sort_values("level")
    worn.append(in_order.iloc[np.linspace(0, len(many) - 1, 6).round().astype(int)])
worn = pd.concat(worn)

# %% tags=["hide-input"]
vb.figures.show(
    contact_sheet(
        list(faces.render(worn, size)),
        [
            f"{looks[row.varied]}\n{tables.number(row.level, precision=1, signed=True)}"
            for row in worn.itertuples()
        ],
        columns=6,
    ),
    name="gallery-looks",
    alt="Four rows of six teal identities, sorted by how pale and how warm in colour their hair is, then their garment; everything else differs, too.",
    caption="People of one group. In each row, their hair or clothes become paler or redder from left to right. The number says how pale or how red they are, from about −1 to 1.",
    source="greenhouse",
)

# %% [markdown]
# :::{dropdown} Details: how far pictures differ, and why networks get a warm start
# How much do two pictures differ that differ in one respect only? {glue:text}`first` changes the colours of the pixels most, and {glue:text}`last` least (table below). They change
# {glue:text}`seed_over_smile:.0f` times as much with another person as with another smile.
#
# A network has to learn which changes *mean* something. In our trials, networks that were trained in the plain way ignored smiles. So our networks get a *warm start*: their picture side first learns to recognise what a drawing shows, before it sees any caption.
# :::

# %% tags=["hide-cell"]
pool = table[table["seed"] < n_seeds].reset_index(drop=True)
pixels, rng, moves = faces.render(pool, 64).astype(np.float32), np.random.default_rng(0), []
respects = ("seed", "race", "gender", *grid.LEVELS)
for respect in respects:
    kept = pool[pool["subset"].isin(["prototype", respect])]
    for _, others in kept.groupby([name for name in respects if name != respect]):
        for _ in range(8 if len(others) > 1 else 0):  # pairs of pictures that differ in this alone
            i, j = rng.choice(others.index, size=2, replace=False)
            moves.append({"attribute": respect, "difference": np.abs(pixels[i] - pixels[j]).mean() / 255})
moves = pd.DataFrame(moves)
middle = moves.groupby("attribute")["difference"].median().sort_values(ascending=False)
called = {"race": "hue", "gender": "crest", "seed": "person", "smiling": "smile", "lighting": "light"}
named = [called.get(name, name) for name in middle.index]
vb.note(
    first=f"Another {named[0]}",
    last=f"another {named[-1]}",
    seed_over_smile=float(middle["seed"] / middle["smiling"]),
)
tables.readable(middle.to_frame().T, names=called).format("{:.1%}").hide(axis="index").set_caption(
    "Pairs of pictures that differ in one respect: median difference of pixels, share of full scale"
)

# %% [markdown]
# (gallery-one-at-a-time)=
# ## One attribute at a time, and two leaks
#
# The paper on controlled faces changes age, smile, light and pose *one at a time* {cite}`hausladen2025,liang2023`. So a change of judgement can only come from the attribute, if nothing else changes. The authors checked this. They found "a slight spurious correlation between facial expression ('Smiling') and the average image brightness in the
# original CausalFace images", and corrected it. We call such a thing a *leak*, and can make leaks on purpose: the last two rows of the figure.

# %%
varied = []
for axis, levels in grid.LEVELS.items():
    five = np.linspace(0, len(levels) - 1, 5).round().astype(int)
    chosen = [levels[k] for k in five]
    varied.append(person(**{axis: chosen}).assign(varied=axis, level=chosen))
varied = pd.concat(varied, ignore_index=True)
clean = faces.render(varied, size)
leaks = {"smiling": {"smiling_brightness": 1.0}, "age": {"age_hue": 0.5}}
leaking = {
    axis: faces.render(varied[varied["varied"] == axis], size, leaks=leak)
    for axis, leak in leaks.items()
}

# %% tags=["hide-input"]
labels = [f"{row.varied} {row.level:g}".replace("-", "−") for row in varied.itertuples()]
labels += [
    f"{row.varied} {row.level:g}\nwith a leak".replace("-", "−")
    for axis in leaks
    for row in varied[varied["varied"] == axis].itertuples()
]
vb.figures.show(
    contact_sheet([*clean, *leaking["smiling"], *leaking["age"]], labels, columns=5),
    name="gallery-attributes",
    alt="Rows of one face. Age: large eyes and little hair first, lines and grey hair last. Smiling: the mouth turns from a frown to a laugh. Lighting: the bright side moves from left to right. "
    "Pose: eyes, nose and mouth move across the head. Two rows with leaks: the whole picture gets brighter with the smile; the skin turns from reddish to bluish with age.",
    caption="Five levels of each attribute, with the scale values of CausalFace; below, a smile that brightens the picture, and an age that turns the skin.",
    source="greenhouse",
)
vb.note(
    n_levels=sum(len(levels) for levels in grid.LEVELS.values()),
    n_images=len(table),
    n_series=len(table) + (len(grid.LEVELS) - 1) * len(prototypes),
)

# %% [markdown]
# In the clean rows nothing but the named attribute changes. [Found faces, made faces](confounds.ipynb) asks what leaks do.
#
# :::{dropdown} Details: how many pictures
# The four series have {glue:text}`n_levels` levels in all. All four contain the face from which they start, the *prototype*. It is one picture, so this makes {glue:text}`n_images:,` different pictures. A table that lists the prototype again in each series has {glue:text}`n_series:,` rows. Remember this where a paper's number of images and its code's number of rows do not agree.
# :::
#
# (gallery-paired)=
# ## In each network, names and colours are paired at random
#
# A smile may be a little easier to see on skin of one colour (one *paint*) than of another. If the name *teal* meant the same paint in every network, this would look like a bias for or against teal in all of them. So for each network, we choose at random which paint the word *teal* stands for: it may know violet faces under this name. We call this its *pairing*; crests are paired in the same way. The planted bias belongs to the name, not to the paint.

# %%
named, known = person(race=hues), []
for network in range(3):
    seen = pairing.random_pairing(network).shown(named)  # what these names look like
    seen = seen.assign(name=named["race"], crest=named["gender"])
    known.append(seen.assign(network=network))
known = pd.concat(known, ignore_index=True)
known_pictures = faces.render(known, size)

# %% tags=["hide-input"]
vb.figures.show(
    contact_sheet(
        list(known_pictures),
        ("network " + known["network"].astype(str) + ":\n" + known["name"] + ", " + known["crest"]).tolist(),
        columns=4,
    ),
    name="gallery-pairing",
    alt="Three rows of one identity, one per network. Under the same four names each network knows other paints, and one crest is drawn as antennae or as ears: "
    + "; ".join(
        f"network {network}: "
        + ", ".join(
            f"{name} is painted {paint}" for name, paint in zip(own["name"], own["race"], strict=True)
        )
        for network, own in known.groupby("network")
    )
    + ".",
    caption="Each row is one of the first three networks with nothing planted. It shows what the same person looks like under each name.",
    source="greenhouse",
)

# %% [markdown]
# So where no bias is planted, the names are equivalent ([recovery](recovery.ipynb)). In all other pictures, also those above, *teal* is painted teal, and so on.
#
# ## Pictures that imitate photographs
#
# Two sets of pictures stand for collections of photographs, in which nobody controlled anything: `greenhouse/fairface` and `greenhouse/utkface`. Every person appears once. Groups differ in number, age, light
# and smile.

# %%
found = vb.images("greenhouse/fairface/all").table
some = found.iloc[:18]
smile = found.groupby("gender")["smiling"].mean()

# %% tags=["hide-input"]
vb.figures.show(
    contact_sheet(
        list(faces.render(some, size)),
        [f"{row.race}\n{row.gender}\n{row.age_bin}" for row in some.itertuples()],
        columns=6,
    ),
    name="gallery-found",
    alt="Eighteen individuals in four hues, with both crests, of all ages, some smiling, lit and turned in different ways.",
    caption="The first eighteen individuals of the FairFace-like set: hue where FairFace has race, crest where it has gender, and an age bin.",
    source="greenhouse",
)
vb.note(
    n_found=len(found),
    young=(found["years"] < 20).mean(),
    lime=(found["race"] == "lime").mean(),
    merrier=smile.idxmax(),
    graver=smile.idxmin(),
    smile_gap=smile.max() - smile.min(),
)

# %% [markdown]
# The {glue:text}`merrier` smile more than the {glue:text}`graver`, by {glue:text}`smile_gap:.1f` steps of the scale. The colour of the clothes also goes along with hue, age and smile, and no column of the table gives it. [Found faces, made faces](confounds.ipynb) asks what this does to an analysis.
#
# :::{dropdown} Details: who is in the sets
# Of the {glue:text}`n_found:,` persons in the first set, {glue:text}`young:.0%` are under twenty and {glue:text}`lime:.0%` are lime. As in real photographs, faces are not always in the middle, and pictures are darker or lighter and a little grainy. The full sets, such as
# `greenhouse/fairface/all`, also hold those whom a paper's filters leave out.
#
# A third set, `greenhouse/cfd`, has one neutral picture of as many persons as the Chicago Face Database has in four groups {cite}`ma2015`. Only the sizes are borrowed.
# :::
#
# ## Things and scenes
#
# Association tests compare faces with other pictures: flowers with insects, instruments with weapons, pleasant with unpleasant scenes. At every $b$, captions use pleasant words more often for flowers than for insects.

# %% tags=["hide-cell"]
edge, sheets = int(np.sqrt(icons.MOTIFS_PER_CATEGORY)), {}
for category in icons.THEMES:  # all motifs in one picture
    drawings = icons.render(pd.DataFrame({"category": category, "exemplar": range(edge**2)}), 64)
    sheets[category] = drawings.reshape(edge, edge, 64, 64, 3).swapaxes(1, 2).reshape(edge * 64, edge * 64, 3)
pd.Series(
    {category: words.listed(themes) for category, themes in icons.THEMES.items()}, name="row by row"
).to_frame().style.set_properties(**{"text-align": "left", "white-space": "normal"})

# %% tags=["hide-input"]
vb.figures.show(
    contact_sheet(list(sheets.values()), list(sheets), columns=2),
    name="gallery-motifs",
    alt="Six sheets of five by five drawings: flowers, insects, instruments, weapons, pleasant and unpleasant scenes. The table lists what each drawing shows.",
    caption=f"All motifs, {icons.MOTIFS_PER_CATEGORY} a category, in the order of the table; every exemplar has its own colours, place, tilt and proportions.",
    source="greenhouse",
)

# %% [markdown]
# ## What this means
#
# **For this book.** When a chapter says that a method finds or misses a planted bias, the bias is one of those above. [What this world can and cannot
# show](../../book/greenhouse/limits.md) says how far this carries.
#
# **For your own work.** Ask three questions about your own pictures. Who is shown? What differs between two groups of pictures? What else goes along with it, and is it written down?
#
# ## Take-aways
#
# - Every picture is computed from one row of a table. If two rows differ in one attribute, only this differs between the pictures (unless we add a leak).
# - In most of our pictures, hue and crest are independent of everything else. Photographs are not like that, and neither are the two sets that imitate them.
# - In the captions, two things are planted: how often judging words are used for a hue or a crest, and, for some words, how strongly age and smile change this.
# - No hue, crest or trait stands for anybody.
#
# :::{admonition} Rerun this with your own parameters
# :class: tip
# ```
# .venv/bin/vlmbias run greenhouse/gallery -p seed=12
# ```
# With `--seeds 0` it is quicker.
# :::
#
# ## Exercises
#
# :::{exercise} Which pixels know the hue?
# :label: gallery-hue
# :level: introductory
# :minutes: 10
# :code: yes
# Paint one person in teal and in amber, with everything else equal. In what share of the pixels do the two pictures differ? Are
# there pixels at the left or right rim among them? What would it mean for a study of hue if there were?
# :::
#
# ```{solution-start} gallery-hue
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
teal, amber = faces.render(person(race=["teal", "amber"]), 64).astype(int)
differs = (teal != amber).any(axis=-1)
rim = np.concatenate([differs[:, :6].ravel(), differs[:, -6:].ravel()])
print(f"{differs.mean():.0%} of the pixels differ, {rim.sum()} of {rim.size} along the left and right rim")
# Were there any, a model could tell the hues apart by the background: a confounder.
assert 0.1 < differs.mean() < 0.6 and not rim.any()

# %% [markdown]
# Along the left and right rim no pixel changes, so the background cannot tell a network which hue it sees. If it
# could, a difference between hues might be one between backgrounds.
#
# ```{solution-end}
# ```
#
# :::{exercise} A confounder that a check would have found
# :label: gallery-leak-check
# :level: intermediate
# :minutes: 20
# :code: yes
# Take the smiling series of twenty people. How much does the mean brightness of the picture change per step of smiling? Compute it without a leak, and
# with `leaks={"smiling_brightness": 1.0}`. Which check before the experiment would have shown the leak? Would it have found a leak that
# changes *colour* and not brightness?
# :::
#
# ```{solution-start} gallery-leak-check
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
series = table[
    table["subset"].isin(["prototype", "smiling"])
    & (table["seed"] < 20)
    & (table["race"] == "teal")
    & (table["gender"] == "eared")
]
slopes = {}
for strength in (0.0, 1.0):
    grey = faces.render(series, 64, leaks={"smiling_brightness": strength}) @ np.array([0.299, 0.587, 0.114])
    centred = pd.DataFrame({"smiling": series["smiling"].to_numpy(), "grey": grey.mean(axis=(1, 2))})
    centred -= centred.groupby(series["seed"].to_numpy()).transform("mean")
    slopes[strength] = (centred["smiling"] @ centred["grey"]) / (centred["smiling"] @ centred["smiling"])
    print(
        f"leak {strength:g}: {round(slopes[strength], 1) + 0.0:+.1f} grey levels (of 255) per step of smiling"
    )
# Comparing brightness between levels, as the paper's appendix does, finds this leak; one that leaves brightness alone needs another check.
assert abs(slopes[0.0]) < 0.5 and slopes[1.0] > 5

# %% [markdown]
# One compares the mean brightness of the levels before the experiment, as the paper's appendix does. This finds the leak. A leak that turns colours and
# leaves the grey value as it was passes that check. It needs a check for each colour, and so on for each thing that might leak.
#
# ```{solution-end}
# ```
#
# ## Questions to discuss
#
# 1. These faces show a smile by a curved line, and age by grey hair and creases. Which of these signs are conventions, and whose?
# 2. In the pictures that our networks learn from, hue, crest and expression are independent. Suppose that a method finds the planted bias here. What could make the same method fail with real photographs?
