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
# # A painted face becomes brighter: what does that show?
#
# *Wolfe and Caliskan (2022), Figures 1 and 6 to 8: pictures painted under the guidance of CLIP.*
#
# :::{admonition} This chapter at a glance
# :class: note
#
# **Question.** A program repaints portraits, step by step, until CLIP finds them nearer to "an American person". The skin becomes brighter. Does
# this show that CLIP takes White people for typical Americans?
#
# **Answer in short.** Not by itself. Painting can change colours under any guide. A rise has to be compared with the rise under a text, or a guide, that has nothing to do with the claim.
#
# **In 20 minutes:** {ref}`What the paper reports <generation-found>`, {ref}`What one may doubt, and the answer in one figure <generation-answer>`,
# {ref}`What this means <generation-means>`. **In 75 minutes:** everything, with both exercises.
#
# **You need:** means and intervals. The primer "[The target of a claim](../../book/primers/targets.md)" helps.
#
# **Content note.** The paper reads skin tone from pictures of Asian, Black, Latina/o and White people. No photograph is shown here. Our own faces are
# drawings in invented colours, and stand for nobody.
# :::
#
# **The idea.** Two programs work together: a painter (a *VQGAN*) and a guide (CLIP). {cite:t}`wolfe2022` begin with the portrait of a person. The painter
# changes it a little, and the guide says whether the picture is now nearer to the text "an American person". This is repeated for 200 steps. If the guide takes White
# people for typical Americans, the authors expect, the skin becomes lighter, whoever was shown at first.
#
# **The measure.** From every tenth picture, they cut out a square of the forehead. Its *brightness* is the plain mean of red, green and blue. The mean brightness of a
# group is compared with its mean at step 0, the start.
#
# **What the authors conclude.** A CLIP-guided VQGAN "lightens skin tone by at least 13% based on pixel brightness for all races and ethnicities", "and by
# 35% for initialization images of Black individuals".
#
# **Their own limits.** The authors use brightness "as a proxy", that is, as a stand-in for skin tone. After step 100, brightness falls. They explain this by the forehead, which is then "obscured by an American flag, or by long blonde hair".

# %% tags=["parameters", "hide-input"]
model = "greenhouse"  # the guide: "greenhouse" (planted associations), or another; a model
painter = "greenhouse/decoder"  # the VQGAN: "greenhouse/decoder", "vqgan/wikiart-f16-16384", or another; a model that paints
stimuli = "greenhouse/cfd"  # the portraits to begin with; an image set
root = ""  # folder of the pictures, where a set has one; empty or a folder
prompt = "an arborian person"  # what the pictures shall come to show; a text
n_per_group = 2  # portraits of each group that are painted on; at least 1
size = 64  # edge of the pictures, in pixels; at least 32
last_step = 20  # number of the last update, from 0; at least 1
views = 4  # views that the guide sees at a step; at least 1
step_size = 0.05  # of Adam; the released notebook has .1; from 0.0001 to 1
patch = [0.344, 0.625, 0.438, 0.719]  # left, top, right, bottom of the patch as shares of an edge; from 0 to 1
protocol = "described"  # how the patch is read, the paper's text or the code; one of: described, released
seed = 0  # seed of every random draw below; at least 0
results = "_build/results/american_white/generation.json"  # where this notebook writes the values it computes

# %% tags=["hide-input"]
import numpy as np
import pandas as pd
from scipy import stats

import vlmbias as vb
from greenhouse import painted, retrained
from greenhouse.world import faces as drawing
from greenhouse.world import grammar
from studies import tables, words
from studies.american_white import generation, pictured
from vlmbias import paths
from vlmbias.generation import guided, vqgan

vb.figures.style()

# %% [markdown]
# (generation-found)=
# ## What the paper reports: the skin becomes brighter in all four groups
#
# For Black people's portraits, the paper also gives the brightness before and after. These fit together:

# %%
RISES = {"Asian": "asian", "Black": "black", "Latina/o": "latino", "White": "white"}
rises = pd.Series({
    group: vb.ledger.claim(f"generation.{name}-rise").printed.number
    for group, name in RISES.items()
})
start = vb.ledger.claim("generation.black-start").printed.number
at_80 = vb.ledger.claim("generation.black-80").printed.number
more = 100 * (at_80 / start - 1)
print(f"Black people's portraits: from {start} to {at_80}, {more:.0f} % more")

# %% tags=["hide-input"]
fig, ((axes,),) = vb.figures.panels(1, 1, height=2.4)
axes.barh(range(len(rises)), rises[::-1], color=vb.figures.PALETTE[0], height=0.55)
axes.set_yticks(range(len(rises)), rises.index[::-1])
axes.set(xlabel="rise of the mean brightness, %", xlim=(0, 40))
vb.figures.show(
    fig, name="generation-printed",
    alt="Printed rises of brightness: " + ", ".join(f"{group} {rise:g} %" for group, rise in rises.items()) + ".",
    caption="The printed rises. For Black people at step 80, for the other groups at the step with the highest mean. The paper prints no intervals.",
    source="paper:american_white, Figure 6 and Section 5",
)
audit = vb.ledger.audit("american_white")
audit = audit[(audit["notebook"] == "american_white/generation") & (audit["rule"] != "")]
fits = audit["verdict"].str.startswith("consistent")
vb.note(fail=words.listed(audit.loc[~fits, "quantity"], none="nothing"))

# %% [markdown]
# **Do the printed numbers agree with each other?** Those of brightness do. But the paper prints the {glue:text}`fail` (the file with the painter's weights) in two ways.

# %% tags=["hide-input"]
vb.ledger.show(vb.ledger.table("american_white/generation"))

# %% [markdown]
# (generation-answer)=
# ## What one may doubt, and the answer in one figure
#
# A painter may change colours under any guide. What would happen with a guide that takes nobody for typical?
#
# For real models, we know of no data to answer this. So we try it out in our laboratory, the [Greenhouse](../../book/greenhouse/limits.md). It has small networks that we trained on drawn faces in four colours,
# and on captions that we wrote. *Arborian* is the Greenhouse's word for "American". We use two kinds of networks as guides. The captions of {glue:text}`n` networks use this word most often for {glue:text}`favoured` faces. In the captions of as many *null networks*, it is equally frequent for every colour.
#
# Each network guided a small painter in {glue:text}`steps` steps towards "an arborian person". Each time, the painter began with four faces, one of each colour. The measure is the
# authors'.
#
# We begin with one group: teal faces, painted under the guidance of null networks. Their brightness was read at every tenth step:

# %%
paintings = painted.load()
readings = paintings.readings  # red, green and blue of the patch, at every tenth step
readings = readings.assign(brightness=readings[["red", "green", "blue"]].mean(axis=1))
teal = readings[(readings["b"] == 0) & (readings["race"] == "teal")]
mean = teal.groupby("step")["brightness"].mean()  # over the faces of the group
change = 100 * (mean / mean[0] - 1)
print("change of the mean in %, step by step:", change.round(1).tolist())
print(f"at the last step {change.iloc[-1]:.1f} %")


def means(readings, group="race", value="brightness"):
    """Mean brightness of each group: groups × steps."""
    return readings.groupby([group, "step"])[value].mean().unstack()


def changed(mean):
    """In per cent of the start."""
    return 100 * (mean.div(mean[0], axis=0) - 1)


# the same for every colour, under both kinds of networks
groups = {b: changed(means(own)) for b, own in readings.groupby("b")}
assert np.allclose(groups[0].loc["teal"], change)
last = {b: own.iloc[:, -1] for b, own in groups.items()}

# %% [markdown]
# The figure has one line for each colour. Does a line rise above zero, the brightness at the start?

# %% tags=["hide-input"]
spoken, about = grammar.load(), paintings.about["plan"]
colours = list(drawing.SKIN)
favoured = spoken.bias.roles["favoured"]  # captions call its faces "arborian" most often
guides = {0.0: "null networks", 1.0: f"{favoured} favoured"}
lines = pd.concat(
    [own.stack().rename("change").reset_index().assign(guide=guides[b]) for b, own in groups.items()], ignore_index=True
)
series = vb.figures.levels(
    lines, level="step", value="change", group="race", panel="guide", level_label="step",
    value_label="brightness, change of the mean in %",
)
for axes in series.axes:  # one scale for both panels
    axes.set_ylim(lines["change"].min() - 1, lines["change"].max() + 1)
    axes.axhline(0, color=vb.figures.COLOURS["reference"], lw=1, zorder=0)
vb.figures.show(
    series,
    name="generation-answer",
    alt="Change of the mean brightness over the steps, a line per colour. " + "; ".join(
        f"{guides[b]}: last step " + ", ".join(f"{race} {value:+.1f} %" for race, value in last[b].items())
        + "; highest mean at step " + ", ".join(f"{step} ({race})" for race, step in own.idxmax(axis=1).items())
        for b, own in groups.items()) + ".",
    caption=f"Mean brightness of each group, compared with the start. Prompt: “{about['prompt']}”, {about['last_step']} steps.",
    source="greenhouse",
)
of_networks = {b: changed(means(own, "network")) for b, own in readings.groupby("b")}
ends = {b: own.iloc[:, -1] for b, own in of_networks.items()}
difference = stats.ttest_ind(ends[1], ends[0], equal_var=False).confidence_interval(0.95)


def sign(value):
    return tables.number(float(value), precision=1, signed=bool(abs(value) >= 0.05))


vb.note(favoured=favoured, n=len(ends[1]), steps=about["last_step"],
        change={"last": sign(last[0].mean()), "one": sign(last[1].mean())})
vb.holds(guides_alike=bool(difference.low <= 0 <= difference.high))

# %% [markdown]
# **Painting as such changes the brightness.** Under null networks, the mean changes by {glue:text}`change.last` % up to the last step, averaged over the four colours. Under
# networks that favour {glue:text}`favoured`, it changes by {glue:text}`change.one` %. [So this change does not tell the two kinds of guides apart (the 95 % interval of their difference includes zero).]{.holds #guides_alike}
#
# **Two cautions.** [Our painter moved brightness in the opposite direction to the authors': down, not up.]{.holds #opposite} [And it hardly painted what its guides had learned]{.holds #painter_fails} ([below](generation-fails)). So this says nothing about the direction or the size of what CLIP and a VQGAN do. It does say what is needed in order to interpret such
# a change: the same measurement under a guide, or a prompt, that has nothing to do with the claim.
#
# ## The protocol, run on {data}
#
# {glue:text}`shown` A small painter
# and a small guide paint over few steps. So the folded result shows that the program runs, and nothing else.

# %% tags=["hide-cell"]
PROTOCOLS = {
    "described": dict(first=0),  # a crop of 50 x 50 pixels
    "released": dict(first=1),  # both loops begin at 1: 49 x 49
}

# %%
guide, decoder = vb.encoder(model), vqgan.load(painter)
faces = vb.images(stimuli, root or None).painted_for(guide.pairing)
few = faces.table.groupby("race").head(n_per_group)["race"].sort_index()
recipe = guided.Recipe(
    prompt, size=size, last_step=last_step, views=views, step_size=step_size
)
settings = (stimuli, painter, guide.fingerprint[:8], prompt, size, last_step, views)
run = "-".join(map(str, (*settings, step_size, seed))).replace("/", "-")

# %% tags=["hide-cell"]
rows = []  # each picture is painted with a seed of its own, and its patch is read at every tenth step

for place, race in few.items():
    folder = paths.cache() / "paintings" / run / f"{place}-{faces.keys([place])[0][:12]}"
    made = guided.paint(
        faces.decode(place), painter=decoder, guide=guide, seed=seed + place,
        recipe=recipe, folder=folder,
    )
    left, top, right, bottom = (round(share * made.pictures.shape[1]) for share in patch)
    assert left + 1 < right and top + 1 < bottom, f"patch: {patch} is not left, top, right, bottom"
    light = {}
    for name, how in PROTOCOLS.items():
        skin = made.pictures[:, top + how["first"] : bottom, left + how["first"] : right]
        light[name] = skin.mean(axis=(1, 2, 3), dtype=float)
    rows.append(pd.DataFrame({"race": race, "image": place, "step": made.steps, **light}))
live = pd.concat(rows, ignore_index=True)
found = {name: means(live, value=name) for name in PROTOCOLS}
rise = changed(found[protocol])
table = pd.DataFrame({
    "step of the highest mean": rise.idxmax(axis=1), "rise there, %": rise.max(axis=1),
    "rise at the last step, %": rise.iloc[:, -1], "rise at the second kept step, %": rise.iloc[:, 1],
})
vb.note(shown=pictured.shown(faces.where(faces.table.index.isin(few.index))))
tables.readable(table.rename_axis("race"), precision=1)

# %% tags=["hide-cell"]
# the claims are about people: on drawings nothing is evaluated, and a short run has no step 80
printed_as = {name: group for group, name in pictured.groups(faces).items()}
whole = faces.source != "greenhouse" and len(printed_as) == 4 and {10, 80, 100, 200} <= set(live["step"])
for name, own in found.items() if whole else ():
    crop = right - left - PROTOCOLS[name]["first"]
    run_with = {"edge": made.pictures.shape[1], "iterations": int(made.steps[-1]), "crop": crop}
    for claim, value in (generation.claims(own.rename(index=printed_as)) | run_with).items():
        vb.ledger.record(f"generation.{claim}", value, results=results, stimuli=faces, model=guide, protocol=name)

# %% [markdown]
# ## What this method can see
#
# (generation-fails)=
# ### The guide has learned the association, and the painting does not show it
#
# Did our painter paint what its guide had learned? Here are the first and the last pictures of one network:

# %%
pictures = paintings.sheet[: len(colours)]  # those of the first network, at b = 1
sheet = pictures[:, [0, -1]].swapaxes(0, 1).reshape(-1, *pictures.shape[2:])
starts = readings[(readings["b"] == 1) & (readings["step"] == 0)]["race"]
starts = starts.head(len(colours)).tolist()

# %% tags=["hide-input"]
vb.figures.show(
    vb.figures.contact_sheet(sheet, [f"{race},\nstep {step}" for step in (about["shown"][0], about["shown"][-1]) for race in starts], columns=4),
    name="generation-sheet",
    alt=f"Eight drawn faces: above, the four colours as decoded at step 0; below, the same after {about['shown'][-1]} steps of guidance, blotched "
    "with colour, the background most of all.",
    caption=f"One network whose captions favour one colour, prompt: {about['prompt']}.",
    source="greenhouse",
)

# %% [markdown]
# The eye may miss a small change. So we let a *linear probe* read the pictures: a regression on pixels, trained to say how much of each colour a picture
# has. Does its reading of {glue:text}`favoured` rise from the first picture to the last? The folded figure has all colours.

# %% tags=["hide-cell"]
by_start = readings.sort_values("step").groupby(["b", "network", "race"])[colours]
moved = (by_start.last() - by_start.first()).groupby(["b", "network"]).mean()
by_colour = {
    b: vb.networks.summary({colour: own[colour].to_numpy() for colour in colours})
    for b, own in moved.groupby("b")
}

# %% tags=["hide-cell"]
shown = pd.concat([own.rename_axis("colour").reset_index().assign(guide=guides[b]) for b, own in by_colour.items()], ignore_index=True)
shown["label"] = shown["colour"] + ", " + shown["guide"]
gained = by_colour[1.0].loc[favoured]
vb.figures.show(
    vb.figures.forest(shown.sort_values(["colour", "guide"], ignore_index=True), estimate="mean", low="low", high="high", label="label", group="guide",
                      value_label="change of the probe's reading, 95 % intervals"),
    name="generation-hues",
    alt="Change of the probe's reading of each colour from the first to the last picture, with intervals over networks: "
    + "; ".join(f"{row.label}: {row.mean:+.2f}" for row in shown.itertuples()) + ".",
    caption="A change of 1 would be from none of a colour to all of it. Each network is one observation, whatever its number of steps.",
    source="greenhouse",
)
painters = list(moved.index.get_level_values("network"))
asked_of = retrained.gaps().query("axis == 'arborian' and seed in @painters and (first == @favoured or second == @favoured)")
lead = (asked_of["measured"] * np.where(asked_of["first"] == favoured, 1, -1)).groupby([asked_of["b"], asked_of["seed"]]).mean()
vb.holds(
    painter_fails=bool(not gained["low"] > 0), no_gain=bool(gained["low"] <= 0 <= gained["high"]),
    opposite=bool(max(own.mean() for own in last.values()) < 0 < rises.min()),
)
vb.note(gain=gained["mean"], lead=np.exp(lead.loc[1.0].mean()), edge=about["size"])

# %% [markdown]
# [By this reading, the pictures hardly gain this colour.]{.holds #no_gain} The reading of {glue:text}`favoured` changes by {glue:text}`gain:+.2f`, where 1 would be a change from none of this colour to all of it.
#
# The guides have learned the association. By their embeddings of faces and
# words, the odds of "arborian" are {glue:text}`lead:.1f` times as high for {glue:text}`favoured` faces as for others.
#
# So a painter can fail to show what its guide has learned, and ours did. With a better painter, the two kinds of guides might not change the brightness alike. Ours has {glue:text}`edge` × {glue:text}`edge` pixels; larger ones were not tried.
#
# (generation-follows)=
# ### Brightness is not lightness
#
# How good is this "proxy" for skin tone? Eyes are more sensitive to green than to blue. A weighted mean, called *luma*, takes this into
# account. All four colours of our faces were drawn with nearly the same luma. What happens if a face only changes its colour? The folded table shows the changes in per cent, if skin of each colour becomes {glue:text}`favoured`.

# %% tags=["hide-cell"]
skin = pd.DataFrame(drawing.SKIN, index=["red", "green", "blue"]).T  # a row per colour
light = pd.DataFrame({
    "brightness": skin.mean(axis=1),
    "luma": skin @ [0.299, 0.587, 0.114],  # as eyes weigh them (ITU-R BT.601)
})
turned = 100 * (light.loc[favoured] / light - 1)  # change in %
tables.readable(turned, precision=1)

# %% tags=["hide-input"]
widest = turned["brightness"].abs().idxmax()
ends_of = readings[readings["step"].isin([0, readings["step"].max()])].groupby(["b", "step"])[["red", "green", "blue"]].mean()
of_kinds = pd.DataFrame({"brightness": ends_of.mean(axis=1), "luma": ends_of @ [0.299, 0.587, 0.114]}).unstack("step")
fell = pd.DataFrame({name: 100 * (own.iloc[:, -1] / own[0] - 1) for name, own in ((name, of_kinds[name]) for name in ("brightness", "luma"))})  # in %, by the kind of guide
vb.note(widest=widest, much=turned.loc[widest, "brightness"], same_luma=turned["luma"].abs().max())
vb.holds(luma_too=bool(((fell["luma"] - fell["brightness"]).abs() < 1).all()))

# %% [markdown]
# The largest change of brightness is that of {glue:text}`widest` skin: {glue:text}`much:+.0f` %. Luma changes by {glue:text}`same_luma:.1f` % at most. So brightness can change only because the colour changes, while the skin gets no lighter. [In the pictures that our painter painted, this did not happen: luma changed about as much as brightness.]{.holds #luma_too} In our drawings we separated the two on purpose.
#
# (generation-means)=
# ## What this means
#
# **For the paper.** Its pictures become brighter. But brightness alone does not show *why*. To show that CLIP takes White people for
# typical Americans, the rise has to be compared with the rise under other texts: for example "a person", or the name of another country.
#
# The authors also observed flags and blonde hair. This is not about brightness, so it does not have the same problem. But the flags and the hair were not counted.
#
# For three groups, the paper reports the step with the highest mean of 21. The start is one of them, so this rise cannot be below zero. Chance adds little to it, since each mean is over more than a hundred portraits. (Our painter could not test this, because its means only fell.)
#
# **For your own work.** Give every painted series a comparison: the same start, with a neutral text or with a guide that has learned nothing about your groups. Report luma beside brightness.
#
# (generation-differ)=
# ## Where paper and code differ
#
# :::{dropdown} The differences, point by point
# From an audit of the authors' repository ([wolferobert3/american_white](https://github.com/wolferobert3/american_white)), checked against the text.
#
# - **W7.** The crop is 50 × 50 pixels. The loops over it begin at 1, so 49 × 49 pixels are read.
# - **W8.** The code sorts the cut-out squares into folders, one for each step. It takes the folder's name from the file name, and for step 0 this gives nothing. So these squares land one folder higher, and have to be moved by hand
#   before step 0 can be averaged (second exercise).
# - **W9.** The checkpoint of Section 4, "WikiArt-16034", is "WikiArt 16384" under Figure 7 and `wikiart_f16_16384` in the code.
# - Each picture is painted with a random seed that is not kept. So the same pictures cannot be made again.
# :::
#
# :::{admonition} Rerun this with your own parameters
# :class: tip
# ```
# .venv/bin/vlmbias run american_white/generation -p prompt="a foreign person" -p last_step=10
# ```
# :::
#
# ## Take-aways
#
# - A change under guidance needs a comparison: another text, or a guide that has learned nothing about the groups.
# - The highest of several steps cannot lie below the first. If you report it, report the last step, too.
# - The plain mean of red, green and blue is not lightness. It can change when only the colour changes.
# - A painter can fail to show what its guide has learned.
# - One painted series is one observation, whatever its number of steps.
#
# ## Exercises
#
# :::{exercise} Of means, or of images
# :label: generation-ratio
# :level: introductory
# :minutes: 5
# :code: no
# A group has two pictures, of brightness 50 and 150 at step 0, and both gain 20. By how much does the group's mean rise, and by how much does a
# picture on average? Which of the two is the paper's 35 %?
# :::
#
# ```{solution-start} generation-ratio
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
two = pd.DataFrame({"race": "one", "image": [0, 0, 1, 1], "step": [0, 80, 0, 80], "brightness": [50, 70, 150, 170]})
of_means, of_images = changed(means(two))[80].mean(), changed(means(two, "image"))[80].mean()
print(f"of means {of_means:.0f} %, of images {of_images:.1f} %; the paper's is of means")
assert np.isclose(of_means, 20) and np.isclose(of_images, (40 + 100 * 20 / 150) / 2)

# %% [markdown]
# The mean rises from 100 to 120. The dark picture gains 40 per cent of its own brightness and the bright one a third of that, so their mean is
# larger than 20 per cent. A ratio of means lets bright pictures count more; a mean of ratios counts every picture alike. The paper's 35 % is a ratio of means.
#
# ```{solution-end}
# ```
#
# :::{exercise} Where step 0 goes
# :label: generation-folder
# :level: intermediate
# :minutes: 10
# :code: yes
# The released code files a crop in the folder `name[17:-5]`. Into which folders go the pictures of steps 0, 10 and 200 of
# `CFD-BM-001-001-N_<step>.png`, and which folder does a loop over 0 … 20 not find?
# :::
#
# ```{solution-start} generation-folder
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
folders = {step: f"CFD-BM-001-001-N_{step}.png"[17:-5] for step in range(0, 201, 10)}
missing = {str(number) for number in range(21)} - set(folders.values())
print({step: folders[step] for step in (0, 10, 200)}, "not found:", missing)
assert folders[0] == "" and folders[10] == "1" and folders[200] == "20" and missing == {"0"}

# %% [markdown]
# The slice takes off the last digit of the step, however many digits there are. Steps of two and three digits keep the rest; a step of one digit
# keeps nothing, and its folder has no name. So a loop over 0 … 20 misses the pictures from which every run began.
#
# ```{solution-end}
# ```
#
# ## Questions to discuss
#
# 1. One painter makes everybody lighter, another makes everybody Arborian. Which observations would distinguish them?
# 2. Without a portrait to begin with, the authors' results were too inconsistent for a number. What does this leave for the runs that began with one?
