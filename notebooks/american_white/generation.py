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
# # What does a guided painter paint?
#
# *Wolfe and Caliskan (2022), Figures 1 and 6 to 8: CLIP-guided generation.*
#
# :::{admonition} This chapter at a glance
# :class: note
#
# **Question.** When CLIP guides a picture of a person towards "an American person", the forehead becomes brighter. Is brightness a
# measure of who is prototypical, and what is the case: a picture, a step or a network?
#
# **In 20 minutes:** {ref}`the answer in one figure <generation-answer>`, {ref}`the printed numbers <generation-printed>`,
# {ref}`what brightness follows <generation-follows>`, take-aways. **In 75 minutes:** also the run of your own and the exercises.
#
# **You need:** means, intervals, and what an embedding is. The primer [The target of a claim](../../book/primers/targets.md) starts
# from nothing.
#
# **Content note.** The paper reads skin tone off pictures of Asian, Black, Latina/o and White individuals. No photograph is shown
# here; the faces are drawings of fictional groups and stand for nobody.
# :::
#
# **The idea.** {cite:t}`wolfe2022` begin with a photograph of a person, encode it with a VQGAN, and change the codes, step by step, so
# that CLIP finds the decoded picture nearer to the prompt "an American person". If the prompt's prototype is White, so the
# expectation, the skin becomes lighter whoever was shown at first.
#
# **The measure.** Of every tenth picture, a square of the forehead is cut out. Its brightness is the plain mean of red, green and
# blue, $v = (R + G + B) / 3$, and a group's is the mean over its pictures, compared with that of step 0.
#
# **What the authors conclude.** A CLIP-guided VQGAN "lightens skin tone by at least 13% based on pixel brightness for all races and
# ethnicities", "and by 35% for initialization images of Black individuals".
#
# **Their own checks and limits.** Later the forehead is "obscured by an American flag, or by long blonde hair". Without a photograph
# to begin with, results were too inconsistent for a "generalizable quantitative claim".

# %% tags=["parameters"]
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

# %%
import numpy as np
import pandas as pd

import vlmbias as vb
from greenhouse import painted, retrained
from greenhouse.world import faces as drawing
from greenhouse.world import grammar, truth
from studies import roles, tables, words
from studies.american_white import generation, pictured

vb.figures.style()

# %% [markdown]
# (generation-answer)=
# ## The answer in one figure
#
# In our laboratory, the Greenhouse, *Arborian* is the word that captions give most often to one hue ($b = 1$), or to all alike
# ($b = 0$). Retrained networks guided a small decoder from faces of all hues towards "an arborian person". A regression on pixels, the *probe*, reads how
# much of each hue the pictures show. It has seen neither captions nor paintings.

# %%
spoken = grammar.load()
favoured = spoken.bias.roles["favoured"]  # captions call its faces "arborian" most often
paintings = painted.load()  # steps, starts and networks; `vlmbias greenhouse paint` makes them again
readings, plan = paintings.readings, paintings.about["plan"]
hues = list(drawing.SKIN)

moved = generation.moves(readings, hues)  # one row per network
painters = list(moved["network"])
asked = retrained.gaps().query("axis == 'arborian' and seed in @painters and (first == @favoured or second == @favoured)")
lead = asked["measured"] * np.where(asked["first"] == favoured, 1, -1)  # of the favoured hue, in log-odds of "arborian"
lead = lead.groupby([asked["b"], asked["seed"]]).mean()
by_hue = {b: vb.networks.summary({hue: own[hue].to_numpy() for hue in hues}) for b, own in moved.groupby("b")}

# %% tags=["hide-input"]
strength = {0.0: "nothing planted (b = 0)", 1.0: "b = 1"}
shown = pd.concat([own.rename_axis("hue").reset_index().assign(b=strength[b]) for b, own in by_hue.items()], ignore_index=True)
shown["label"] = shown["hue"] + ", " + shown["b"]
gained, null = by_hue[1.0].loc[favoured], by_hue[0.0].loc[favoured]
vb.figures.show(
    vb.figures.forest(shown.sort_values(["hue", "b"], ignore_index=True), estimate="mean", low="low", high="high", label="label", group="b",
                      value_label="change of the probe's reading, 95 % intervals"),
    name="generation-hues",
    alt="Change of the probe's reading of each hue from the first to the last picture, with intervals over networks: "
    + "; ".join(f"{row.label}: {row.mean:+.2f}" for row in shown.itertuples()) + ".",
    caption=f"Prompt: {plan['prompt']}. Captions planted it for {favoured} most. 1 would be from none to all. Each network is one case, whatever its steps.",
    source="greenhouse",
)
by_vectors = vb.networks.summary({b: lead.loc[b].to_numpy() for b in (0.0, 1.0)})
order = by_hue[1.0]["mean"].sort_values().index[::-1]
said = truth.counted(spoken, retrained.scores("people").images, "race", 1.0, axes=["arborian"])["arborian"]
vb.note(lead={"one": by_vectors.loc[1.0, "mean"], "zero": by_vectors.loc[0.0, "mean"]},
        lead_how=words.side(by_vectors.loc[1.0, "low"], by_vectors.loc[1.0, "high"], above="lead", below="trail", neither="neither lead nor trail"),
        favoured=favoured, n=int(gained["n"]), steps=plan["last_step"], gain=gained["mean"], none=null["mean"],
        how=words.side(gained["low"], gained["high"], above="a gain", below="a loss", neither="consistent with no change"),
        how_none=words.side(null["low"], null["high"], above="a gain", below="a loss", neither="consistent with no change"),
        recovers=words.side(gained["low"], gained["high"], above="recovers something", below="goes the other way", neither="recovers nothing that could be seen"),
        views=plan["views"], edge=plan["size"],
        order=words.listed(order), planted=words.listed(said.sort_values(ascending=False).index))

# %% [markdown]
# Over {glue:text}`n` networks at $b = 1$ the reading of {glue:text}`favoured` changes by {glue:text}`gain:+.2f`, {glue:text}`how`; over as many at $b = 0$ by
# {glue:text}`none:+.2f`, {glue:text}`how_none`. From most to least gained at $b = 1$: {glue:text}`order`; from most to least planted: {glue:text}`planted`.
#
# Yet the networks have learnt it. Asked directly, by their vectors, they let {glue:text}`favoured` faces {glue:text}`lead_how` by {glue:text}`lead.one:.2f` log-odds of
# *arborian* at $b = 1$ ({glue:text}`lead.zero:.2f` at $b = 0$). So a method that paints can be weaker than the network that guides it.
#
# This painter {glue:text}`recovers`. It has {glue:text}`edge` pixels, {glue:text}`steps` steps and {glue:text}`views` views; larger ones were not tried. It says nothing
# about VQGAN-CLIP.

# %% [markdown]
# (generation-printed)=
# ## What the paper reports
#
# One course per group over 21 kept steps (Fig. 6); the text gives its height for each group.

# %%
said_of = {name: vb.ledger.claim(f"generation.{name}") for name in ("black-start", "black-80", "black-rise", "least-rise")}
rise = said_of["black-80"].printed.number / said_of["black-start"].printed.number - 1
vb.ledger.show(vb.ledger.table("american_white/generation"))

# %% tags=["hide-input"]
audit = vb.ledger.audit("american_white")
audit = audit[(audit["notebook"] == "american_white/generation") & (audit["rule"] != "")]
vb.note(rise=rise, held=words.among(int(audit["verdict"].str.startswith("consistent").sum()), len(audit)))

# %% [markdown]
# The checks that the printed numbers allow hold in {glue:text}`held` cases: from {claim}`generation.black-start` to
# {claim}`generation.black-80` is a rise of {glue:text}`rise:.1%`. What is not printed matters more:
#
# - *Of what.* A mean over the group's pictures is compared with the mean of their reconstructions (image 0 has been through the VQGAN),
#   one random seed each. No spread, interval or test is given.
# - *When.* For Black individuals step 80 is named, for the others "the highest brightness" of 21 steps. Step 0 is one of them, so a
#   highest value cannot be below zero.
#
# Fig. 8, without a portrait to begin with, is shown by the authors as three examples and no measurement. It is not redone here: our painter, as their
# released loop, begins with a portrait.
#
# ### The text and the code, side by side

# %%
PROTOCOLS = {
    "described": dict(first=0),  # a crop of 50 x 50 pixels
    "released": dict(first=1),  # both loops begin at 1: 49 x 49
}

# %% [markdown]
# ## The protocol, run on {data}
#
# Painted on here: {glue:text}`shown`. The paper's run asks for photographs by request, a checkpoint, and days of a GPU. By default a small
# decoder and a small guide paint over few steps, with the same code: 592 pixels, 201 updates and 32 views are settings away. A run that is
# stopped goes on where it was.

# %%
from vlmbias import paths
from vlmbias.generation import guided, vqgan

guide, decoder = vb.encoder(model), vqgan.load(painter)
faces = vb.images(stimuli, root or None).painted_for(guide.pairing)
few = faces.table.groupby("race").head(n_per_group)["race"].sort_index()  # by their places in the set
recipe = guided.Recipe(prompt, size=size, last_step=last_step, views=views, step_size=step_size)
run = "-".join(map(str, (stimuli, painter, guide.fingerprint[:8], prompt, size, last_step, views, step_size, seed))).replace("/", "-")

# %% [markdown]
# Each picture is painted with a seed of its own, and its patch is read at every kept step.

# %%
rows = []
for place, race in few.items():
    made = guided.paint(faces.decode(place), painter=decoder, guide=guide, seed=seed + place, recipe=recipe,
                        folder=paths.cache() / "paintings" / run / f"{place}-{faces.keys([place])[0][:12]}")
    crop = generation.scaled_crop(patch, made.pictures.shape[1])
    light = {name: generation.brightness(made.pictures, crop, **keywords) for name, keywords in PROTOCOLS.items()}
    rows.append(pd.DataFrame({"race": race, "image": place, "step": made.steps, **light}))
live = pd.concat(rows, ignore_index=True)
found = {name: generation.trajectories(live, value=name) for name in PROTOCOLS}
tables.readable(generation.peaks(found[protocol]), precision=1)

# %% tags=["hide-input"]
headline = found[protocol]
vb.figures.show(
    vb.figures.levels(headline, level="step", value="of_images", group="race", level_label="step",
                      value_label="brightness, change in %"),
    name="generation-run",
    alt="Brightness of the patch over the steps, in percent of step 0, one line per group; at the last step "
    + "; ".join(f"{race}: {own['of_images'].iloc[-1]:+.1f} %" for race, own in headline.groupby("race", sort=False)) + ".",
    caption=f"Mean over at most {n_per_group} pictures a group, protocol as {protocol}." + " Too few for any conclusion about a group." * (n_per_group < 100),
    source=roles.sources(faces, guide.source),
)
apart = (live["described"] - live["released"]).abs().max()
vb.note(shown=pictured.shown(faces.where(faces.table.index.isin(few.index))), apart=apart)

# %%
# the claims are about people: on drawings nothing is evaluated, and a short run has no step 80
printed_as = {name: group for group, name in pictured.groups(faces).items()}
whole = faces.source != "greenhouse" and len(printed_as) == 4 and {10, 80, 100, 200} <= set(live["step"])
for name, own in found.items() if whole else ():
    run_with = {"edge": made.pictures.shape[1], "iterations": int(made.steps[-1]), "crop": crop[2] - crop[0] - PROTOCOLS[name]["first"]}
    for claim, value in (generation.claims(own.assign(race=own["race"].map(printed_as))) | run_with).items():
        vb.ledger.record(f"generation.{claim}", value, results=results, stimuli=faces, model=guide, protocol=name)

# %% [markdown]
# The two readings of the patch differ by {glue:text}`apart:.2f` of 255 at most. The table gives the highest mean (`peak`, at `step`),
# the last and the second of each course, in percent of step 0.

# %% [markdown]
# ## What this method can see
#
# The shipped paintings: {glue:text}`n` networks at $b = 1$ and as many at $b = 0$, each from one identity in four hues, to step
# {glue:text}`steps`. Above are the first and the last pictures of one network.

# %%
pictures = paintings.sheet[: len(hues)]  # those of the first network, at b = 1
sheet = pictures[:, [0, -1]].swapaxes(0, 1).reshape(-1, *pictures.shape[2:])
starts = readings[(readings["b"] == 1) & (readings["step"] == 0)].head(len(hues))["race"].tolist()

# %% tags=["hide-input"]
vb.figures.show(
    vb.figures.contact_sheet(sheet, [f"{race},\nstep {step}" for step in (plan["shown"][0], plan["shown"][-1]) for race in starts], columns=4),
    name="generation-sheet",
    alt=f"Eight drawn faces: above, the four hues as decoded at step 0; below, the same after {plan['shown'][-1]} steps of guidance, blotched "
    "with colour, the background most of all.",
    caption=f"One network at b = 1, prompt: {plan['prompt']}.",
    source="greenhouse",
)

# %% [markdown]
# (generation-follows)=
# ### What brightness follows
#
# Our patch is a cheek, as hair covers the foreheads of our drawings. All hues were drawn with equal *luma*, the weighted mean of red, green and blue that a viewer sees as light. The paper's brightness
# is their plain mean, and that differs between hues of one luma. So a brightness difference is planted without being painted: if a
# violet face turns amber, its brightness falls.

# %%
turned = generation.repainting(drawing.SKIN, to=favoured)  # percent, if the hue alone changes
looks = retrained.networks().set_index("seed")[f"paint_{favoured}"]  # each network drew which paint stands for the name
followed = generation.followed(readings, drawing.SKIN, looks)
slope = {of: generation.slopes(followed, of=of) for of in ("measured", "luma")}
by_measure = {(of, b): vb.networks.summary(own["slope"].to_numpy()).iloc[0]
              for of, table in slope.items() for b, own in table.groupby("b")}
tables.readable(turned, precision=1)

# %% tags=["hide-input"]
named = {"measured": "brightness (plain mean)", "luma": "luma (weighted mean)"}
lines = pd.DataFrame([{"label": f"{named[of]}, b = {b:g}", "measure": named[of], "mean": own["mean"], "low": own["low"], "high": own["high"]}
                      for (of, b), own in by_measure.items()])
vb.figures.show(
    vb.figures.forest(lines, estimate="mean", low="low", high="high", label="label", group="measure",
                      value_label="slope on the expected change, 95 % intervals"),
    name="generation-slopes",
    alt="Slope of the patch's change on the change expected from the hue of the named group: "
    + "; ".join(f"{row.label}: {row.mean:.2f}" for row in lines.itertuples()) + ".",
    caption="1: the patch became the hue of the group that is called Arborian; 0: it did not. Luma has nothing to follow: all hues have one.",
    source="greenhouse",
)
one, zero = by_measure["measured", 1.0], by_measure["measured", 0.0]
widest = turned["brightness"].abs().idxmax()
vb.note(widest=widest, much=turned.loc[widest, "brightness"], same_luma=turned["luma"].abs().max(), slope={"one": one["mean"], "zero": zero["mean"]},
        apart_from={"one": words.side(one["low"], one["high"], above="above zero", below="below zero", neither="consistent with zero"),
                    "zero": words.side(zero["low"], zero["high"], above="above zero", below="below zero", neither="consistent with zero")})

# %% [markdown]
# Were {glue:text}`widest` skin repainted in {glue:text}`favoured`, brightness would change by {glue:text}`much:+.0f` %, luma by
# {glue:text}`same_luma:.1f` % at most. Each network drew which paint stands for which name, so the expected change differs from network to
# network. The patch's brightness follows it with a slope of {glue:text}`slope.one:.2f` at $b = 1$ ({glue:text}`apart_from.one`) and of
# {glue:text}`slope.zero:.2f` at $b = 0$ ({glue:text}`apart_from.zero`). A start that loses
# colour moves towards the mean of all paints, and would be mistaken for one that follows. So a brightness is only as good as its comparison with null networks as guides.
#
# ### The highest of many steps, and steps as cases
#
# Networks at $b = 0$: brightness at the highest kept step, as in the paper, beside the last step. Every network began with four starts, one of each hue.

# %%
foil = {b: vb.networks.summary({name: own[column].to_numpy() for name, column in
                                {"highest": "highest", "last": "brightness", "luma": "luma"}.items()})
        for b, own in moved.groupby("b")}
walk = readings[(readings["b"] == 0)].sort_values("step")
light = generation.lightness(walk).pivot(index=["network", "race"], columns="step", values="brightness")
between = light.diff(axis=1).iloc[:, 1:]
near = np.corrcoef(light.sub(light[0], axis=0).iloc[:, -2], light.sub(light[0], axis=0).iloc[:, -1])[0, 1]
tables.readable(foil[0.0])

# %% tags=["hide-input"]
untold = moved[moved["b"] == 0]
each = generation.by_start(readings, hues).query("b == 0")  # network by network, start by start
lighter = each[each["brightness"] > 0].sort_values("brightness")
apart_by = each.groupby("network")["brightness"].agg(np.ptp)
high = foil[0.0].loc["highest"]
printed_rises = [vb.ledger.claim(f"generation.{name}").printed.number for name in ("least-rise", "black-rise")]
falls = int((untold["brightness"] < 0).sum())
percent = {"last": foil[0.0].loc["last", "mean"], "one": foil[1.0].loc["last", "mean"], "luma": foil[0.0].loc["luma", "mean"],
           "highest": high["mean"], "low": high["low"], "high": high["high"], "least": untold["highest"].min()}
vb.note(n_kept=int(walk["step"].nunique()), change={name: tables.number(float(value), precision=1, signed=name != "least") for name, value in percent.items()}, near=near,
        starts={"darker": words.among(int((each["brightness"] < 0).sum()), len(each)), "n": len(each) // len(untold), "mean": apart_by.mean(), "most": apart_by.max(),
                "lighter": words.listed(f"{row.race} {tables.number(float(row.brightness), precision=1, signed=True)} %" for row in lighter.itertuples())},
        printed_rise={"low": min(printed_rises), "high": max(printed_rises)}, explains=words.verb(
            min(printed_rises), above=high["high"], then="far too little to explain", else_="of the size of"),
        darker=words.among(falls, len(untold)), rises=words.among(int((untold["highest"] > 0).sum()), len(untold)))

# %% [markdown]
# **Everybody becomes darker, or nearly.** Nothing was planted for these networks. Yet in {glue:text}`darker` the patch ends darker than it began, by
# {glue:text}`change.last` % on average over starts (luma: {glue:text}`change.luma` %). At $b = 1$ it is {glue:text}`change.one` %.
#
# With this prompt, that holds of {glue:text}`starts.darker` starts; the others are {glue:text}`starts.lighter`. The starts of one network differ by
# {glue:text}`starts.mean:.0f` points on average, up to {glue:text}`starts.most:.0f`: more than the mean change. No other prompt was tried, so what guide, decoder and
# prompt each add is not known.
#
# **The highest step.** By it, {glue:text}`rises` networks are *brighter*, by {glue:text}`change.highest` % on average ({glue:text}`change.low` to
# {glue:text}`change.high`). No network is below {glue:text}`change.least` %, as step 0 counts. So the highest of {glue:text}`n_kept` steps turns a fall into a rise.
# Here that is {glue:text}`explains` the paper's {glue:text}`printed_rise.low:.0f` to {glue:text}`printed_rise.high:.0f` %.
#
# **Steps are not cases.** The changes up to the last two kept steps correlate by {glue:text}`near:.2f`. A curve of 21 steps is one observation, and so is a
# network.
#
# (generation-differ)=
# ## Where paper and code differ
#
# - **W7.** The crop is 50 × 50; the loops over it begin at 1, so 49 × 49 pixels are read (both readings: above).
# - **W8.** The folder of a crop is cut out of its file name; for step 0 it comes out empty, so those crops land one folder higher and
#   have to be moved by hand before step 0 can be averaged (second exercise).
# - **W9.** The checkpoint of Section 4, "WikiArt-16034", is "WikiArt 16384" under Figure 7 and `wikiart_f16_16384` in the code.
# - Each picture is painted with a random seed that is not kept; the runs cannot be had again.
#
# :::{admonition} Rerun this with your own parameters
# :class: tip
# ```
# .venv/bin/vlmbias run american_white/generation -p prompt "a foreign person" -p last_step 10
# ```
# :::
#
# ## Take-aways
#
# - A mean over pictures of one network answers a question about that network and those pictures, not about training.
# - The plain mean of red, green and blue is not lightness. Where hue changes, it changes.
# - Nearly all starts can change alike with nothing planted. What they share need not be about the prompt's prototype.
# - The highest of many steps is no estimate of a rise, though its bias was small here. Fix the step beforehand, or compare with null networks as guides.
# - What a guide painted should be judged by something that did not guide.
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
end = generation.trajectories(two).iloc[-1]
print(f"of means {end['of_means']:.0f} %, of images {end['of_images']:.1f} %; the paper's is of means")
assert np.isclose(end["of_means"], 20) and np.isclose(end["of_images"], (40 + 100 * 20 / 150) / 2)

# %% [markdown]
# The mean rises from 100 to 120. The dark picture gains 40 per cent of its own brightness and the bright one a third of that, so their mean is
# larger. A ratio of means lets bright pictures count more; a mean of ratios counts every picture alike. Which of the two is meant has to be said.
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
folders = {step: generation.folder_of(f"CFD-BM-001-001-N_{step}.png") for step in range(0, 201, 10)}
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
# 1. A painter that makes everybody lighter, and one that makes everybody Arborian: which observations would tell them apart?
# 2. The authors set a generated image without a photograph aside because results were inconsistent. What does that leave for the runs that began
#    with one?
