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
# # Growing old in three data sets
#
# *Hausladen, Knott, Camerer and Perona (2025), Figures 5 and S.3–S.5: how perception goes up, down and bends with age, group
# by group, where everything else is held constant and where nothing is.*
#
# :::{admonition} This chapter at a glance
# :class: note
#
# **Question.** One group's curve bends the other way. When is that a finding, and why does it vanish in photographs that
# somebody found rather than made?
#
# **In 20 minutes:** {ref}`the answer in one figure <age-answer>`, {ref}`the curves in three data sets <age-three>`,
# {ref}`what was planted and what came back <age-planted>`, take-aways. **In 75 minutes:** also
# {ref}`what a curvature is worth <age-curvature>`, what is lost in photographs, both exercises.
#
# **You need:** a parabola, its standard error, the bootstrap. The primer
# [Δcos and social perception](../../book/primers/perception.md) explains the measure.
#
# **Content note.** The paper reports a pattern that singles out Black women and names a stereotype as a possible reading. The
# faces on this page are drawings of fictional groups; they stand for nobody.
# :::
#
# **The idea.** If a model treats ages differently by group, that should show in a synthetic set in which age varies alone (CausalFace)
# and in two of photographs (FairFace, UTKFace), in which smile, light, pose and everything else vary along.
#
# **What the authors conclude.** "Black women stand out because of a U-shaped pattern in how warmly they are perceived, the opposite
# of the inverted U-shaped pattern for White women"; the pattern "extends to Positive Agency and Communion"; perceived competence
# "declines with age, most steeply" for Black women. "Intriguingly, the age trends for Black women we see in CausalFace are not evident in
# FairFace nor in UTKFace. This suggests that uncontrolled attributes in FairFace and UTKFace make for noisy measurements and may hide
# interesting phenomena."
#
# **Their own checks and limits.** Age levels exist only for one expression, light and pose. "It would be premature to draw firm
# conclusions on whether CLIP differs significantly in age perception from humans". The findings "refer to one specific CLIP variant".

# %% tags=["parameters"]
stimuli = "greenhouse/causalface"  # faces of which age varies alone: columns seed, race, gender, age …; an image set
root = ""  # folder of the images, where a set has one; empty or a folder
fairface = "greenhouse/fairface"  # observational faces with age bins (column years: what stands for the bin); an image set
utkface = "greenhouse/utkface"  # observational faces with ages in years, the paper's three races; an image set
utkface_released = "greenhouse/utkface/all"  # the same without the filter on race, as the code takes it; an image set
cosines = ""  # folder of the authors' released cosine tables, instead of images and model; empty or a folder
model = "greenhouse"  # encoder that looks at them; a model
prompts = "social_perception"  # dimensions, words, templates, neutral prompts; a prompt set
protocol = "released"  # whose samples give the headline, those of the text or of the code; one of: described, released
min_per_age = 40  # images that an age needs to be used where ages are balanced (the paper's code: 100, of a set six times as large); at least 1
n_resamples = 400  # bootstrap resamples of identities or photographs; at least 20
seed = 42  # seed of every random draw (the authors' code uses 42, too); at least 0
results = "_build/results/causalface/age.json"  # where this notebook writes the values it recomputes

# %%
from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd
from scipy import stats

import vlmbias as vb
from greenhouse import retrained
from greenhouse.world import grammar, grid, truth
from studies import roles, tables, words
from studies.causalface import age, age_claims
from vlmbias.papers import CAUSALFACE

# %% [markdown]
# ## The answer in one figure
#
# In our laboratory, the Greenhouse, we know whose curve is bent the other way, because we planted it. Some networks were trained
# on captions that say so ($b = 1$), others on captions that say nothing of the kind ($b = 0$). Each looked at all three kinds of sets.

# %%
planted_for = " ".join(grammar.load().bias.outlier.values())
world = roles.drawn(CAUSALFACE).with_outlier(planted_for)
AGES = (0.8, 4.4)  # rendered levels: one span for all sets, so that curvatures can be compared

portraits = retrained.scores("grid")  # what each retrained network made of every picture
found = age.retrained(portraits, world, portraits.networks["arm"] == "none", span=AGES)

by_name = age.told_from_null(found, "warmth", level=0.1)
by_look = age.lone_rates(found, "warmth", {"only_outlier": "it alone is a U", "some_alone": "some group is alone"})

# %% tags=["hide-input"]
questions = {
    "asked by name: beyond nine in ten\nnetworks with nothing planted (b = 1)": by_name,
    "looked up: it alone is a U (b = 1)": by_look.query("event == 'it alone is a U' and b == 1"),
    "nothing planted: some group\nis alone with its sign (b = 0)": by_look.query("event == 'some group is alone' and b == 0"),
}
answer = pd.concat([table.assign(question=asked) for asked, table in questions.items()], ignore_index=True)
called = {"CausalFace": "age alone varies", "FairFace": "FairFace-like photographs", "UTKFace": "UTKFace-like photographs"}
hits = answer.set_index(["question", "set"])["rate"].unstack()
vb.figures.show(
    vb.figures.rates(answer.assign(set=answer["set"].map(called)), rate="rate", low="low", high="high", label="question", group="set",
                     nominal=0.1, value_label="% of networks, Warmth, with exact 95 % intervals"),
    name="age-answer",
    alt="Share of networks in three sets of faces. Asked by name, the planted curve is told from networks with nothing planted in "
    + ", ".join(f"{hits.loc[next(iter(questions)), name]:.0%} ({called[name]})" for name in age.SETS) + ".",
    caption=f"What was planted for {planted_for} in Warmth, and three ways to ask for it. Dashed: what chance alone gives the first question.",
    source="greenhouse",
)
null = by_look.query("event == 'some group is alone' and b == 0").set_index("set")
vb.note(outlier=planted_for, by_name={row.set: words.among(row.hits, row.n) for row in by_name.itertuples()}, alone_0=null["rate"],
        by_look={row.set: words.among(row.hits, row.n) for row in by_look.query("event == 'it alone is a U' and b == 1").itertuples()})

# %% [markdown]
# The group is {glue:text}`outlier`, a fictional one. *Asked by name*, whether its curve bends more than the others' and more than in
# networks that were told nothing, the controlled set answers yes for {glue:text}`by_name.CausalFace` networks, the samples of photographs for
# {glue:text}`by_name.FairFace` and {glue:text}`by_name.UTKFace`. *Looked up* in a plot, as the one U among six curves, it is there in
# {glue:text}`by_look.CausalFace`, {glue:text}`by_look.FairFace` and {glue:text}`by_look.UTKFace`. And where nothing was planted, some group or other is
# alone with its sign in {glue:text}`alone_0.CausalFace:.0%`, {glue:text}`alone_0.FairFace:.0%` and {glue:text}`alone_0.UTKFace:.0%` of networks.

# %% [markdown]
# ## What the paper reports

# %%
claims = vb.ledger.table("causalface/age")
vb.ledger.show(claims)

# %% [markdown]
# The figures print no numbers; shapes and orderings can be recorded. Three places do not fit together, without changing a result: the text announces Agency and reads the Warmth and Competence panels of Figure 5; "Positive Agency and Communion (Fig. S.2)" refers to ellipses, the curves are in Figure S.3; and the
# text contrasts Black women with *White* women, the caption of Figure S.3 with all "other demographic groups".
#
# ### One of six bends the other way: how surprising is that?
#
# Give each group's curvature a sign by tossing a coin. Then some group is alone with its sign, among six, in $2 \cdot 6 / 2^6$ of all panels:

# %%
alone = 2 * 6 / 2**6
given = 2 / 2**6
three_of_eight = stats.binom.sf(2, 8, given) * 6  # the same group, in three or more of eight independent panels
vb.note(alone=alone, three_of_eight=three_of_eight)

# %% [markdown]
# One panel would not be surprising ({glue:text}`alone:.0%`). Three with the same group would ({glue:text}`three_of_eight:.1%`), *if* panels were
# independent; Warmth and Positive Communion share most of their words. What a curvature is worth
# depends on its standard error, which the figures do not show.

# %% [markdown]
# ## The protocol, run on {data}
#
# Three sets, one model. Text and code differ in which photographs are used (H3, H4, H6):

# %%
PROTOCOLS = {
    "described": dict(fairface_least=min_per_age, utkface=utkface),
    "released": dict(fairface_least=None, utkface=utkface_released),
}
look = partial(vb.perceive, model=model, words=prompts, cosines=cosines)
faces = look(stimuli, root=root)
photos = {name: look(name) for name in dict.fromkeys([fairface, utkface, utkface_released])}
who = roles.of(faces, CAUSALFACE)

samples = {}
for name, chosen in PROTOCOLS.items():
    samples[name, "CausalFace"] = age.controlled(faces, who.groups)
    samples[name, "FairFace"] = age.photographs(photos[fairface], who.groups, least=chosen["fairface_least"], seed=seed)
    samples[name, "UTKFace"] = age.photographs(photos[chosen["utkface"]], who.groups, least=min_per_age, seed=seed)
here = {name: samples[protocol, name] for name in age.SETS}
tables.readable(age.sizes(samples)).hide(axis="index")

# %% tags=["hide-input"]
used = {f"{name}_{which}": len(one.age) for (name, which), one in samples.items()}
sources = roles.sources(faces) if faces.source == "greenhouse" else [f"real:{one.stimuli}" for one in (faces, photos[fairface], photos[utkface])]
vb.note(used=used, singled_out=who.outlier)

# %% [markdown]
# "Data was sampled to ensure an equal number of samples for each age range" (Figure S.4) is true of UTKFace in the code, not of FairFace. Taken at its
# word, the rarest age decides: {glue:text}`used.described_FairFace:.0f` photographs instead of {glue:text}`used.released_FairFace:.0f`. And the code balances
# UTKFace's ages over *all* its races, then draws six groups (or ten): where the filter is missing, other people's photographs decide how many of each
# age are kept, and {glue:text}`used.released_UTKFace:.0f` instead of {glue:text}`used.described_UTKFace:.0f` remain.
#
# ### The curves

# %% tags=["hide-input"]
lines, dots = age.drawn(here, ["warmth", "competence"])
vb.figures.show(
    vb.figures.levels(lines, level="age", value="value", group="group", panel="panel", points=dots, colours=who.colours, heavy=[who.outlier],
                      dashed=who.having("male"), level_label="age (CausalFace: rendered level; photographs: years)", value_label="Δcos × 100"),
    name="age-three",
    alt=f"Warmth and Competence against age for six groups in three data sets; {who.outlier} in a heavy line.",
    caption=f"As Figure 5: means per age and quadratics through single images, protocol as {protocol}; {who.outlier} in a heavy line, "
    f"{who.called['male']} dashed.",
    source=sources,
)

# %% [markdown]
# ### What a curvature is worth
#
# The claim "U instead of inverse U" is about the sign of one coefficient, $\beta_2$: how far the mean of both ends lies above the middle of the age range. In
# units of Δcos × 100 it can be compared across sets whose ages have nothing else in common. Identities are drawn anew in the
# controlled set, photographs in the others.

# %%
draws = {name: age.resampled(one, n=n_resamples, seed=seed) for name, one in here.items()}
bent = {name: age.curvature(own, who) for name, own in draws.items()}
tests = pd.concat({name: age.shape_tests(own, who) for name, own in draws.items()}, names=["set"]).reset_index("set")
gaps = age.between(bent)

# %% tags=["hide-input"]
vb.figures.style()
fig, axes = vb.figures.panels(1, 3, height=4.8, share_y=True)
place = np.arange(len(CAUSALFACE.dimensions))[::-1]
for axis, (name, table) in zip(axes[0], bent.items(), strict=True):
    for part, shift, colour in (("outlier", 0.16, who.colours[who.outlier]), ("others", -0.16, "0.45")):
        own = table[table["part"] == part].set_index("dimension").loc[list(CAUSALFACE.dimensions)]
        axis.hlines(place + shift, own["low"], own["high"], color=colour, lw=2)
        axis.plot(own["value"], place + shift, "s" if part == "outlier" else "o", color=colour,
                  label=who.outlier if part == "outlier" else "mean of the others")
    axis.axvline(0, color="0.6", lw=1)
    axis.set(yticks=place, yticklabels=[name.replace("_", " ") for name in CAUSALFACE.dimensions], title=name)
    axis.margins(x=0.12)
    axis.locator_params(axis="x", nbins=3)
fig.supxlabel("curvature, Δcos × 100 (right: U, left: inverse U)", fontsize=11)
fig.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper left", ncols=2)
width = {name: float(table.loc[table["part"] == "outlier", "se"].median()) for name, table in bent.items()}
wider = {name: width[name] / width["CausalFace"] for name in age.SETS[1:]}
vb.figures.show(
    fig,
    name="age-curvature",
    alt=f"Curvature over age of {who.outlier} and of the mean of the other groups, eight dimensions, three sets. The standard error is "
    f"{wider['FairFace']:.1f} and {wider['UTKFace']:.1f} times that of the controlled set in the two others.",
    caption=f"Curvature with 95 % intervals over identities (CausalFace) or photographs, protocol as {protocol}.",
    source=sources,
)
clear = (gaps["low"] > 0) | (gaps["high"] < 0)
kept = tests[tests["p_alone_holm"] < 0.05].groupby("set")["dimension"].agg(words.listed).reindex(age.SETS).fillna("none")
vb.note(wider=wider, alone_in=kept, between=words.among(int(clear.sum()), len(gaps)))

# %% [markdown]
# As a test: the outlier's curvature is positive *and* that of every other group is negative (the largest of six one-sided p-values), corrected by Holm's
# method over the eight panels of a set. A U for {glue:text}`singled_out` alone, in the CausalFace counterpart: {glue:text}`alone_in.CausalFace`; FairFace:
# {glue:text}`alone_in.FairFace`; UTKFace: {glue:text}`alone_in.UTKFace`.
#
# But "not evident" is not "absent": the standard errors are {glue:text}`wider.FairFace:.1f` and {glue:text}`wider.UTKFace:.1f` times as large in the observational sets. A
# comparison of sets needs an interval for the *difference* between sets, not one significant result beside two that are not. Of these intervals, eight dimensions
# in two sets, {glue:text}`between` exclude zero. (The sets also differ in the ages they span.)
#
# ### Which curve, of which photographs?
#
# Figure 3 fits ten means, Figure 5 single images (H13). In a balanced set both give the same curve. Where ages
# are unevenly filled the curves differ: a fit to means gives the few oldest as much say as the many of thirty.

# %%
fits = pd.DataFrame({name: age.means_or_images(one, draws[name]) for name, one in here.items()})
other = {name: age.signs_that_differ(samples["described", name], samples["released", name]) for name in age.SETS[1:]}
again = age.photographs(photos[utkface_released], who.groups, least=min_per_age, seed=seed + 1)  # as if files were listed in another order
tables.readable(fits.T).format("{:.0f}", subset=["curves", "signs that differ"])

# %% tags=["hide-input"]
flips = fits.loc["signs that differ"]
vb.note(flips={name: words.among(int(flips[name]), int(fits.loc["curves", name])) for name in age.SETS}, other_sample=words.among(sum(other.values()), int(fits.loc["curves", list(other)].sum())),
        other_order=words.among(age.signs_that_differ(samples["released", "UTKFace"], again), int(fits.loc["curves", "UTKFace"])),
        boot=fits.loc["median se, bootstrap", "CausalFace"] / fits.loc["median se, images", "CausalFace"])

# %% [markdown]
# The choice changes the sign of {glue:text}`flips.CausalFace` curvatures in the CausalFace counterpart, {glue:text}`flips.FairFace` in the FairFace and
# {glue:text}`flips.UTKFace` in the UTKFace counterpart; which photographs are drawn, as described or as released, that of {glue:text}`other_sample`. The code draws from files as
# the file system lists them, so its seed draws others on another machine (H17): that alone changes {glue:text}`other_order` signs in UTKFace. Neither fit is wrong: they answer for different populations of ages. Nor does either know which images are of one identity: in the controlled set the bootstrap's standard error is
# {glue:text}`boot:.2f` times that of the fit.

# %%
for name, chosen in PROTOCOLS.items():
    people = replace(photos[chosen["utkface"]], stimuli=photos[utkface].stimuli)  # one set, with or without its filter
    seen = {"CausalFace": faces, "FairFace": photos[fairface], "UTKFace": people}
    holds = age_claims.claims({which: age.curves(samples[name, which]) for which in age.SETS}, who, widths=width)
    for claim, value in holds.items():
        if faces.source == "greenhouse" and claim not in age_claims.NAMES_NO_GROUP:
            continue
        about = [seen[which] for which in age_claims.about(claim)]
        vb.ledger.record(f"age.{claim}", value, results=results, stimuli=about, model=faces, protocol=name)
    for claim, which in (("s4-equal", "FairFace"), ("s5-equal", "UTKFace")):
        vb.ledger.record(f"age.{claim}", age.balanced(samples[name, which]), results=results, stimuli=seen[which], model=seen[which], protocol=name)

# %% [markdown]
# Statements that name groups of people are recorded where the faces show people; on drawings they are *not evaluated*.

# %% [markdown]
# ## What this method can see
#
# In the Greenhouse one group has a trajectory over age of its own at $b = 1$: a U where the others have a gentle inverse U, on several
# dimensions and not on Belief. What a network would show on average if it had learnt every face's odds
# is known for any faces (the yardstick `per_face`): `said` is the mean log probability of a dimension's words.

# %%
said = partial(truth.per_face, grammar.load(), b=1.0, axes=CAUSALFACE.dimensions)
looks = {name: vb.perceive(f"greenhouse/{name.lower()}", "greenhouse") for name in age.SETS}
arms = {name: age.photographs(seen, world.groups, least=None, seed=seed, age="age", unit=seen.logit_scale)
        for name, seen in looks.items() if name != "CausalFace"}
arms = {"CausalFace": age.controlled(looks["CausalFace"], world.groups, unit=looks["CausalFace"].logit_scale)} | arms

planted = age.planted(arms["CausalFace"].faces, said, world, span=AGES)
recovered = pd.concat({name: age.recovery(planted, age.resampled(one, n=n_resamples, seed=seed, span=AGES), world)
                       for name, one in arms.items()}, names=["arm"]).reset_index("arm")

# %% tags=["hide-input"]
counts = recovered.groupby("arm", sort=False)[["planted_here", "found", "alarm"]].sum()
vb.figures.show(
    vb.figures.planted_against_shown(recovered, planted="planted", shown="shown", low="low", high="high", panel="arm", unit="logits"),
    name="age-planted",
    alt=f"Excess curvature of {planted_for}, eight dimensions, planted against shown in three sets, with a line through the points of each: "
    + "; ".join(f"{arm}: {own['found']} of {own['planted_here']} found" for arm, own in counts.iterrows()) + ".",
    caption="One network at b = 1: curvature of the outlier beyond the mean of the others, with 95 % intervals over identities or photographs. "
    "Dashed: what would be shown if everything had been learnt.",
    source="greenhouse",
)
vb.note(back={name: words.among(int(own["found"]), int(own["planted_here"])) for name, own in counts.iterrows()},
        alarms=words.among(int(counts["alarm"].iloc[0]), len(planted) - int(counts["planted_here"].iloc[0])))

# %% [markdown]
# Of the dimensions with a planted bend, the right sign with an interval that excludes zero appears in {glue:text}`back.CausalFace` in the controlled set,
# {glue:text}`back.FairFace` in the FairFace-like and {glue:text}`back.UTKFace` in the UTKFace-like sample. Slopes are against `per_face`. Intervals over faces speak of this one network, though: of the dimensions with nothing planted, {glue:text}`alarms` show a bend in the controlled set.
#
# ### What is lost in photographs, and why
#
# Four assumptions; each has its foil here.
#
# 1. *Nothing recorded goes along with age and group.* Foil: photographs in which smile and light do.
# 2. *Nothing unrecorded does.* Foil: a colour of the garment that no column names.
# 3. *Every age is seen on the same people.* Foil: one photograph each, read off the captions themselves, without any network.
# 4. *A lone sign is a finding.* Foil: networks that were told nothing, below.
#
# The paper names the first ("uncontrolled attributes … make for noisy measurements"). Confounding is computed from the captions of large crowds, where sampling error is small:

# %%
NEUTRAL = dict(smiling=0.0, lighting=2.0, pose=0.0)
lost = {}
for name in ("FairFace", "UTKFace"):
    crowds = {strength: grid.observational(name.lower(), 20_000, seed, unrecorded=strength) for strength in (0.0, 1.0)}
    adults = {strength: crowd[grid.years(crowd["age"]) >= age.ADULT] for strength, crowd in crowds.items()}
    steps = {
        "only adults": adults[0.0].assign(**NEUTRAL),
        "recorded confounders": adults[0.0],
        "unrecorded confounder": adults[1.0],
    }
    bends = {step: age.planted(people, said, world, span=AGES) for step, people in steps.items()}
    lost[name] = age.losses(planted, bends, arms[name], said, world, span=AGES, neutral=NEUTRAL, n=n_resamples // 2, seed=seed)
lost = pd.DataFrame(lost)
tables.readable(lost).set_caption("What moves the outlier's excess curvature: root mean square over eight dimensions, logits")

# %% tags=["hide-input"]
causes = lost.loc[["recorded confounders", "unrecorded confounder", "sampling error"]]
most = {name: words.extreme(causes[name], ["what is recorded", "what is not recorded", "who was photographed"]) for name in causes}
lost.index = ["planted", "adults", "recorded", "unrecorded", "sampling", "held"]
vb.note(lost=lost.T.stack(), most=most)

# %% [markdown]
# Against a planted excess of {glue:text}`lost.FairFace.planted:.2f` logits (root mean square), the recorded confounders move the curvature by
# {glue:text}`lost.FairFace.recorded:.2f` in the FairFace-like and {glue:text}`lost.UTKFace.recorded:.2f` in the UTKFace-like crowd, the unrecorded one by
# {glue:text}`lost.FairFace.unrecorded:.2f` and {glue:text}`lost.UTKFace.unrecorded:.2f`. In samples of the size used here, sampling error alone, with captions
# instead of a network, is {glue:text}`lost.FairFace.sampling:.2f` and {glue:text}`lost.UTKFace.sampling:.2f`. The largest of the three causes: {glue:text}`most.FairFace`
# (FairFace-like) and {glue:text}`most.UTKFace` (UTKFace-like). Holding smile, light and pose constant would take away {glue:text}`lost.FairFace.held:.0%` and
# {glue:text}`lost.UTKFace.held:.0%` of the sampling variance; the rest: every age is seen on *other people*.
#
# The controlled set itself goes wrong when the manipulation of age leaks into something else: see [the chapter on confounds](../greenhouse/confounds.ipynb).
#
# ### Retrained networks: this curve, and only this one?

# %%
excess = {(name, b): own["excess"].to_numpy() for (name, b), own in
          found[(found["dimension"] == "warmth") & found["b"].isin([0, 1])].groupby(["set", "b"], sort=False)}
over = vb.networks.one_sample(excess).rename_axis(["set", "b"])
signs = found[found["dimension"].isin(age.SINGLED_OUT)].groupby(["set", "b"])[["outlier_u", "only_outlier", "some_alone"]].mean()

# %% tags=["hide-input"]
dose = found.query("set == 'CausalFace' and dimension == 'warmth'")
series = portraits.images[age.over_age(portraits.images, "CausalFace", world)]  # the faces that these networks saw
spoken = {b: float(age.planted(series, partial(said, b=b), world, span=AGES)["warmth"]) for b in (0.0, 0.5, 1.0)}
counts = truth.counted(grammar.load(), series, ["race", "gender", "age"], 1.0, axes=CAUSALFACE.dimensions).reset_index()
counted = age.planted(counts.assign(seed=0), lambda rows: counts[list(CAUSALFACE.dimensions)], world, span=AGES)["warmth"]
full = over.loc[("CausalFace", 1.0)]
vb.figures.show(
    vb.figures.dose_response(dose, dose="b", responses={"excess": "excess curvature, Warmth, logits"}, dose_label="b, strength of what is planted",
                             expected={"excess": spoken}),
    name="age-dose",
    alt=f"Excess curvature of {planted_for} in Warmth in networks retrained at several strengths, with the planted values: on average "
    f"{full['mean']:+.2f} logits at b = 1, where {spoken[1.0]:+.2f} was planted (per face).",
    caption=f"Each dot a network, controlled set: curvature of {planted_for} minus the mean of the other groups.",
    source="greenhouse",
)
nothing = {name: over.loc[(name, 0.0)] for name in age.SETS}
vb.note(full=full["mean"], spoken=spoken[1.0], counted=counted, networks=int(full["n"]), nothing={name: row["mean"] for name, row in nothing.items()},
        lean={name: words.side(row["low"], row["high"], above="is above zero", below="is below zero", neither="cannot be told from zero")
              for name, row in nothing.items()},
        only=signs.loc[("CausalFace", 1.0), "only_outlier"])

# %% [markdown]
# In {glue:text}`networks:.0f` retrained networks at $b = 1$, the outlier's excess curvature in Warmth averages {glue:text}`full:+.2f` logits in the controlled set, of
# {glue:text}`spoken:+.2f` planted (`per_face`; in counts of captions {glue:text}`counted:+.2f`). Over the three dimensions of Figure S.3 it is the *only* U in {glue:text}`only:.0%` of panels.
#
# With nothing planted the same contrast {glue:text}`lean.CausalFace` in the controlled set ({glue:text}`nothing.CausalFace:+.2f`), {glue:text}`lean.FairFace` in the
# FairFace-like ({glue:text}`nothing.FairFace:+.2f`) and {glue:text}`lean.UTKFace` in the UTKFace-like sample ({glue:text}`nothing.UTKFace:+.2f`), in networks that were trained
# apart. Where it differs from zero, who was photographed made a curve for one group. So the first figure judges networks by
# networks that were told nothing, not by zero.

# %% [markdown]
# ## Where paper and code differ
#
# From an audit of the authors' repository at commit `a2daa85`, checked against the paper's text:
#
# | | paper | code | here |
# |---|---|---|---|
# | fit (H13) | "a second-degree polynomial is fit" (means in Figure 3) | single images in Figures 5, S.3–S.5 | both; signs and errors above |
# | UTKFace (H3) | White, Black, Asian | not filtered by race in these figures; the others enter the balancing | `utkface`, `utkface_released` |
# | UTKFace ages | "an equal number of samples for each age range" | ages with at least 100 images, each downsampled to the smallest | `min_per_age` |
# | FairFace (H6) | the same | not sampled; bin midpoints, the last bin as 70 | both protocols |
# | FairFace (H4, Figure 4) | 20 and older | a comparison of strings that keeps "3-9", later dropped | moves no number here: `years` is a number |
# | dimensions (H12) | "Fig. 5 shows only the results for Agency" | Warmth and Competence, as its caption says | moves no number: all eight dimensions are tested above |
#
# :::{admonition} Rerun this with your own parameters
# :class: tip
# ```
# .venv/bin/vlmbias run causalface/age -p protocol described -p min_per_age 20
# ```
# With the authors' released cosines no image and no model is needed: `-p stimuli causalface -p fairface fairface -p utkface utkface -p utkface_released
# utkface/all -p min_per_age 100 -p cosines path/to/results -p prompts social_perception/released`.
# :::

# %% [markdown]
# ## Take-aways
#
# - "U instead of inverse U" is a statement about the sign of one coefficient in six groups. Give each an interval; test the conjunction.
# - A curve that is not evident in a noisier set is not shown to be absent there. Compare sets by the interval of their difference.
# - Fits to means and to images are the same curve only where ages are evenly filled.
# - Photographs differ from a controlled set in three ways: what is recorded, what is not, and that each age is shown on other people. Measure each before
#   blaming one.
# - Name the group and the dimension beforehand, and judge the curve by models that learnt nothing of the kind: a lone sign among six is common by chance.

# %% [markdown]
# ## Exercises
#
# :::{exercise} Three groups instead of six
# :label: age-three-groups
# :level: introductory
# :minutes: 5
# :code: no
# The page counts in what share of panels one of *six* groups is alone with its sign if signs are tossed by a coin. What is the share among three groups?
# :::
#
# ```{solution-start} age-three-groups
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
tosses = np.array(np.meshgrid([0, 1], [0, 1], [0, 1])).reshape(3, -1).sum(axis=0)
share = np.isin(tosses, [1, 2]).mean()
print(f"{share:.0%}, that is 2 · 3 / 2³: only if all three bend the same way is nobody alone")
assert share == 2 * 3 / 2**3

# %% [markdown]
# Of eight equally likely outcomes all three signs agree in two; in the six others exactly one group stands alone. Among three groups somebody is
# alone in most panels, so it is no finding. Name the group beforehand.
#
# ```{solution-end}
# ```
#
# :::{exercise} A bend made by a bin
# :label: age-bin
# :level: intermediate
# :minutes: 15
# :code: yes
# FairFace calls everybody over 70 "70". Suppose warmth rises steadily with age, by one unit per ten years, up to 100. What curvature does a quadratic over the
# ages 20 to 70 find if all that are older are counted as 70, with as many people of each age? (`vb.quadratics` fits it.)
# :::
#
# ```{solution-start} age-bin
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
true_age = np.arange(20, 101)
straight = vb.quadratics(true_age[:, None] / 10.0, np.minimum(true_age, 70), span=(20, 70))
print(f"curvature {straight[2, 0]:+.2f}: a U out of a straight line")
assert straight[2, 0] > 0.1

# %% [markdown]
# Those over 70 bring the warmth of their own age and are filed at 70. The mean at 70 then lies above the straight line, and the quadratic bends up to
# meet it. (Curvature is in the unit of this page: the ages from 20 to 70 become −1 to 1.) A U for a group that has many members over 70 may come from
# the filing alone.
#
# ```{solution-end}
# ```

# %% [markdown]
# ## Questions to discuss
#
# 1. The paper offers the “strong Black woman” stereotype as a reading of the U-shape, and notes that it does not fit competence. What would count as evidence for or
#    against a reading of this kind, in a model and its captions?
# 2. A synthetic face of sixty is a generator's idea of sixty. Which trajectories belong to the model under study, and which to the model that drew the faces?
