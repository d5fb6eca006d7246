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
# # Six metrics, three data sets
#
# *Hausladen, Knott, Camerer and Perona (2025), Appendix A and Table S.1; Figure B.1 of the earlier version: do generated faces and
# photographs look alike through the usual bias metrics?*
#
# :::{admonition} This chapter at a glance
# :class: note
#
# **Question.** Markedness, mean cosine, SC-WEAT, Skew@k, MaxSkew@k, NDKL: what does each of them count, what moves it besides bias, and
# when do equal values on two data sets mean that the data sets are alike?
#
# **In 20 minutes:** {ref}`the printed table <metrics-printed>`, {ref}`the group that was never matched <metrics-empty>`, {ref}`base
# rates that turn into skew <metrics-base-rates>`, take-aways. **In 75 minutes:** also the two p-values, what markedness
# measures, both exercises.
#
# **You need:** proportions, logarithms, the bootstrap. The primers [Rankings, skew and markedness](../../book/primers/ranking.md) and
# [Embedding association tests](../../book/primers/association.md) work each metric out by hand.
#
# **Content note.** The paper compares people by race and gender as a model sees them. The faces on this page are drawings of fictional
# groups; they stand for nobody.
# :::
#
# **The idea.** CausalFace is generated. Before anything is concluded from it, one wants to know whether a model treats it as it treats
# photographs. {cite:t}`hausladen2025` therefore run what the field runs on any image set, on three of them: CausalFace, FairFace
# {cite:p}`karkkainen2021` and UTKFace {cite:p}`zhang2017`.
#
# | metric | what it counts | of what |
# |---|---|---|
# | markedness {cite:p}`wolfe2022markedness` | images nearer to "a person" than to "a *white* person" | per cent of a group's images |
# | mean cosine | how near a group's images are to the positive words | cosine × 100 |
# | SC-WEAT {cite:p}`caliskan2017,steed2021` | how much nearer one group is to a text than another | in standard deviations |
# | Skew@k {cite:p}`geyik2019` | a group's share among the k images nearest to a text, against a desired share | natural logarithm |
# | MaxSkew@k | the largest Skew@k of any group | natural logarithm |
# | NDKL | how far the shares in every top $i$ are from the desired ones, early ranks first | nats |
#
# **What the authors conclude.** "CausalFace does not significantly diverge from the observational datasets", and, from markedness, that
# "“white” is the default racial category in CLIP".
#
# **Their own checks and limits.** They give every metric for all three sets, define each with its equation, name the group in which
# CausalFace behaves differently, and prefer SC-WEAT to WEAT because nobody has shown that the words are opposites *for CLIP*.

# %% tags=["parameters"]
stimuli = "greenhouse/causalface"  # generated faces: columns seed, race, gender, age, smiling, lighting, pose, subset
fairface = "greenhouse/fairface"  # first observational set; its name with "/all" has the children and other races, too
utkface = "greenhouse/utkface"  # second observational set, likewise
root = ""  # folder of the generated faces; empty: none needed
root_fairface = ""  # folder of the first observational set; empty: none needed
root_utkface = ""  # folder of the second observational set; empty: none needed
cosines = ""  # folder of the authors' released cosine tables, instead of images and model
model = "greenhouse"  # encoder that looks at the images
prompts = "social_perception"  # prompt set: dimensions, words, templates, neutral prompts
prompts_released = "social_perception/released"  # the same, as the authors' code spells it
labels = "greenhouse/labels"  # prompt set that names the groups: dimensions race and gender
protocol = "described"  # whose protocol gives the headline: "described" (the paper's text) or "released" (the authors' code)
k = 1_000  # top of a ranking in the paper; of a set that is smaller than the paper's, the same share is taken
n_permutations = 10_000  # sign flips in the released test
n_resamples = 100  # bootstrap resamples of identities (generated faces) or images (photographs)
n_draws = 200  # random rankings behind a floor
seed = 1  # seed of every random draw (the authors' code uses 1 here, too)
results = "_build/results/causalface/metrics.json"  # where this notebook writes the values it recomputes

# %% tags=["hide-input"]
from itertools import combinations
from types import SimpleNamespace

import numpy as np
import pandas as pd
from scipy import stats
from statsmodels.stats.multitest import multipletests

import vlmbias as vb
from greenhouse import retrained
from greenhouse.world import grammar, truth
from studies import words as said_as
from vlmbias.measures import saddlepoint_tail
from vlmbias.reader_folders import COUNTERPARTS

claims = vb.ledger.table("causalface/metrics")
printed = claims.set_index("claim")["printed"]
SETS = {"causalface": "CausalFace", "fairface": "FairFace", "utkface": "UTKFace"}
REAL = {drawn: name for name, drawn in COUNTERPARTS.items()}  # under which name an export files a drawn group
GROUPS = {"race": ["white", "black", "asian"], "gender": ["male", "female"]}
PAIRS = [("white", "black"), ("asian", "black"), ("asian", "white"), ("male", "female")]
POSITIVE = ["warmth", "competence", "positive_agency", "progressive_belief", "positive_communion"]


def real(name):
    """What a group is called in the ledger."""
    return REAL.get(name, name)


def number(claim):
    """A printed number."""
    return float(printed[f"metrics.{claim}"].replace("−", "-"))


everything = vb.ledger.load("causalface").set_index("id")["value"].str.replace(",", "")
IMAGES = {"causalface": 6_000, "fairface": int(everything["stimuli.fairface.subset"]), "utkface": int(everything["stimuli.utkface.subset"])}


# %% [markdown]
# ## The six metrics, as code
#
# Four of them are `vb` functions, a mean is a mean, and an SC-WEAT is one line. For each data set we keep what every metric needs: the
# cosines with the words, with the neutral prompt, and with the prompt that names the image's own group.

# %%
def sc_weat(cosines, first, second):
    """d of each text, a column of cosines: (mean − mean) / SD of both groups, ddof 1."""
    a, b = cosines[first], cosines[second]
    spread = np.concatenate([a, b]).std(axis=0, ddof=1)
    return (a.mean(axis=0) - b.mean(axis=0)) / spread


def ranked(raw, groups, k, desired=None):
    """Skew@k of each group, MaxSkew@k and NDKL: one row per dimension."""
    lists = vb.rankings(raw, groups, desired=desired)
    zero = np.log(groups.nunique() / 2 / k)  # nobody in the top k: half an image
    skew = lists.skew_at_k(k, zero=zero)
    return skew.assign(MaxSkew=skew.max(axis=1), NDKL=lists.ndkl())


# %% tags=["hide-input"]
def look(name, root="", wording=prompts, looking=model, naming=labels, tables=cosines):
    """What every metric needs of a set. Of a generated set the 6,000 faces of all ages, as in the released code."""
    wording = prompts_released if tables else wording  # the only spelling that was released
    seen, named = (vb.perceive(name, looking, words, root=root or None, cosines=tables or None) for words in (wording, naming))
    kept = seen.table["subset"].isin(["prototype", "age"]).to_numpy() if "subset" in seen.table else np.zeros(len(seen), bool)
    return view(seen.where(kept), named.where(kept)) if kept.any() else view(seen, named)


def view(seen, named):
    adjective = ~seen.words["neutral"].to_numpy()
    own = {axis: np.full(len(seen), np.nan) for axis in GROUPS}
    for axis, cosine in own.items():  # with the name of the image's own group
        for one in set(seen.table[axis]) & set(named.words["word"]):
            cosine[seen.table[axis] == one] = named.word(one)[seen.table[axis] == one]
    return SimpleNamespace(
        seen=seen, raw=seen.raw(), words=seen.cosines[:, adjective], dimension=seen.words.loc[adjective, "dimension"].to_numpy(),
        neutral=named.neutral(), own=own, positive=seen.raw()[POSITIVE].mean(axis=1).to_numpy(), table=seen.table,
        group={axis: seen.table[axis].astype("category") for axis in GROUPS},
    )


def at_most(table, most, rng):
    """Rows with at most so many images of each race × gender, drawn at random."""
    cell = table.groupby(["race", "gender"]).ngroup().to_numpy()
    mixed = rng.permutation(len(table))
    return np.sort(mixed[pd.Series(mixed).groupby(cell[mixed]).cumcount().to_numpy() < most])


def balanced(table, rng):
    """As many images of each race × gender as there are of the rarest."""
    return at_most(table, table.groupby(["race", "gender"]).size().min(), rng)


def within_quota(table, rng):
    """As the released scripts: of each cell a sixth of all images, or the whole cell where it has fewer."""
    return at_most(table, len(table) // table.groupby(["race", "gender"]).ngroups, rng)


def of_table_s1(view, rows, pairs, lists, k):
    """Table S.1 as (metric, subject): value. SC-WEAT uses the rows `pairs`, rankings the (view, rows) `lists`."""
    found, (listed, chosen) = {}, lists
    for axis in GROUPS:
        called = {real(one): one for one in view.group[axis].cat.categories}
        for name, one in called.items():
            inside = rows[(view.group[axis].iloc[rows] == one).to_numpy()]
            found["markedness", name] = vb.markedness(view.neutral[inside], view.own[axis][inside])
            found["cosine", name] = 100 * view.positive[inside].mean()
        for a, b in (pair for pair in PAIRS if pair[0] in called):
            group = view.group[axis].iloc[pairs]
            d = sc_weat(view.words, *(pairs[(group == called[one]).to_numpy()] for one in (a, b)))
            found["sc_weat", f"{a}_{b}"] = pd.Series(d).groupby(view.dimension).mean().mean()
        mean = ranked(listed.raw.iloc[chosen], listed.group[axis].iloc[chosen], k).mean()
        found |= {("skew", name): mean[one] for name, one in called.items()}
        found |= {("maxskew", axis): mean["MaxSkew"], ("ndkl", axis): mean["NDKL"]}
    return pd.Series(found)


# %% [markdown]
# ## What the paper reports
#
# (metrics-printed)=
# Table S.1, from the ledger. The rows of SC-WEAT carry no labels in print. The released `misc/r_scripts/WEAT.R` names the four comparisons,
# white–black, asian–black, asian–white and male–female; that they are printed in this order is inferred from the text.

# %% tags=["hide-input"]
groups = [*GROUPS["race"], *GROUPS["gender"]]
blocks = {
    "markedness, %": ("markedness", groups),
    "mean cosine × 100": ("cosine", groups),
    "SC-WEAT": ("sc_weat", [f"{a}_{b}" for a, b in PAIRS]),
    "Skew@1000": ("skew", groups),
    "MaxSkew@1000": ("maxskew", ["gender", "race"]),
    "NDKL": ("ndkl", ["gender", "race"]),
}
table_s1 = pd.DataFrame(
    {
        (title, row.replace("_", " – ")): {name: printed[f"metrics.{metric}.{key}.{row}"] for key, name in SETS.items()}
        for title, (metric, rows) in blocks.items()
        for row in rows
    }
).T
table_s1.style.set_caption("Table S.1, as printed")

# %% tags=["hide-input"]
vb.ledger.show(claims)

# %% [markdown]
# ### What the printed numbers say of one another
#
# Four laws connect them, whatever the model saw. A percentage of $n$ images is a whole number of images. In a balanced set the mean over
# races is the mean over genders. The shares in a top $k$ add up to one, so $\sum_A \tfrac{1}{G} e^{\mathrm{Skew}_A} = 1$ for one query,
# and at most 1 for skews averaged over queries (by Jensen's inequality). And raw differences add: white–black plus asian–white is
# asian–black; standardised ones need not.

# %% tags=["hide-input"]
half = 0.005  # half a unit of the last printed digit


def within(low, high, value=0.0):
    """Whether rounding allows a value."""
    return "yes" if low <= value <= high else f"no: {(low + high) / 2:.2f} ± {(high - low) / 2:.2f}"


laws = {}
for key, name in SETS.items():
    mean = {axis: np.mean([number(f"cosine.{key}.{g}") for g in GROUPS[axis]]) for axis in GROUPS}
    gap = mean["race"] - mean["gender"]
    skews = {axis: [number(f"skew.{key}.{g}") for g in GROUPS[axis]] for axis in GROUPS}
    sums = {axis: np.mean(np.exp(np.array(one) - half)) for axis, one in skews.items()}
    d = [number(f"sc_weat.{key}.{a}_{b}") for a, b in PAIRS[:3]]
    left = d[0] + d[2] - d[1]
    laws[name] = {
        "mean over races = mean over genders": within(gap - 2 * half, gap + 2 * half),
        "shares behind the skews: at most 1 (race, gender)": ", ".join("yes" if one <= 1 else f"no: {one:.3f}" for one in sums.values()),
        "SC-WEAT rows add up, as raw differences must": within(left - 3 * half, left + 3 * half),
    }
    vb.note(additivity={key: float(left)})
counts = {g: round(number(f"markedness.causalface.{g}") / 100 * n) for g, n in zip(groups, [2000] * 3 + [3000] * 2, strict=True)}
exact = {g: abs(100 * c / n - number(f"markedness.causalface.{g}")) <= half + 1e-9 for (g, c), n in zip(counts.items(), [2000] * 3 + [3000] * 2, strict=True)}
laws["CausalFace"]["markedness is a whole number of images"] = ", ".join(f"{g} {c}" for g, c in counts.items()) if all(exact.values()) else "no"
pd.DataFrame(laws).fillna("sizes not printed").style.set_caption("Does the rounding of the printed numbers allow it?")

# %% [markdown]
# CausalFace passes as the balanced set that it is, with 6,000 images (10 ages of 100 seeds in six groups), not 18,000. Where it says *no*:
# in FairFace and UTKFace the groups cannot have been equally large when the cosines were averaged. And the SC-WEAT rows of CausalFace do
# not add up (by {glue:text}`additivity.causalface:.2f`), which differences of means would: the caption's "WEAT scores represent the mean
# difference" must mean the mean *effect size* of Eq. 5.
#
# ### A zero among the percentages
#
# Markedness is {claim}`metrics.markedness.fairface.male` for men and {claim}`metrics.markedness.fairface.female` for women in FairFace. Beside
# {claim}`metrics.markedness.utkface.male` and {claim}`metrics.markedness.utkface.female` in UTKFace, a rate of *exactly* none among
# thousands of photographs is odd. The audit found why: the released script compares labels with "male" and "female", while FairFace's file
# says "Male" and "Female". No image matched, and the empty group was coded 0 ({ref}`below <metrics-empty>` it happens before your eyes).
#
# What rests on it? "Compared to UTKFace, this decline is more pronounced in FairFace than in CausalFace", the decline being from white to
# "the remaining four race or gender categories".

# %% tags=["hide-input"]
rest = {"all four, zeros included": ["black", "asian", "male", "female"], "the two races": ["black", "asian"]}
decline = pd.DataFrame(
    {
        (title, how): {
            name: (number(f"markedness.{key}.white"), np.mean([number(f"markedness.{key}.{g}") for g in others]))
            for key, name in SETS.items()
        }
        for title, others in rest.items()
        for how in ("points", "times")
    }
)
for title, how in decline.columns:
    decline[title, how] = [a - b if how == "points" else a / b for a, b in decline[title, how]]
points, times = (decline.xs(how, axis=1, level=1).set_axis(["all", "two"], axis=1) for how in ("points", "times"))
gap = points.loc["FairFace"] - points.loc["CausalFace"]
vb.note(points=points.stack(), times=times.stack(), verdict=said_as.verb(gap["all"] * gap["two"], above=0, then="stays", else_="reverses"))
decline.style.format(precision=2).set_caption("White minus, and over, the mean of the others")

# %% [markdown]
# With the two zeros the decline is {glue:text}`points.FairFace.all:.1f` points in FairFace against
# {glue:text}`points.CausalFace.all:.1f` in CausalFace; over the two races alone, where every number is a count, it is
# {glue:text}`points.FairFace.two:.1f` against {glue:text}`points.CausalFace.two:.1f`, and as a ratio
# {glue:text}`times.FairFace.two:.0f`-fold against {glue:text}`times.CausalFace.two:.0f`-fold: the comparison
# {glue:text}`verdict`. That "white" goes unsaid more than any other group does not rest on the zeros: it holds in all three sets. "A
# preference for an unspecified prompt" in all three does not: in UTKFace {claim}`metrics.markedness.utkface.white` % prefer it, a minority.

# %% [markdown]
# ## The protocol, run on {data}
#
# Text and code differ in five places that touch these numbers. Each protocol is a dict, and everything below is computed under both.

# %%
PROTOCOLS = {
    "described": dict(
        wording=prompts,  # "likeable"; the fourth template ends in a full stop
        naming=labels,
        balance_first=False,  # leave out the under-20s, then balance: equal groups
        equal_sets=True,  # SC-WEAT on two sets of equal size
        unmatched=None,  # labels of one spelling
    ),
    "released": dict(
        wording=prompts_released,  # "likable"; no full stop
        naming=f"{labels}/released",
        balance_first=True,  # quotas, then leave out the under-20s: not equal any more
        equal_sets=False,  # SC-WEAT on all images
        unmatched=("fairface", "gender"),  # no label matches: empty groups, coded 0
    ),
}

# %% tags=["hide-input"]
sources = {"causalface": (stimuli, root), "fairface": (fairface, root_fairface), "utkface": (utkface, root_utkface)}
rng = np.random.default_rng(seed)


def views(key, *, wording, naming, balance_first, equal_sets, unmatched):
    """(view, all rows, rows for SC-WEAT, (view, rows) for rankings) of one set under one protocol."""
    name, folder = sources[key]
    own = look(name, folder, wording, naming=naming)
    everyone, even = np.arange(len(own.table)), balanced(own.table, rng)
    lists = own, even
    if balance_first and key != "causalface":
        wide = look(f"{name}/all", folder, wording, naming=naming)
        of_three = np.flatnonzero(wide.table["race"].isin(own.table["race"].unique()))
        chosen = of_three[within_quota(wide.table.iloc[of_three], rng)]
        lists = wide, chosen[wide.table["years"].to_numpy()[chosen] >= 20]
    return own, everyone, even if equal_sets else everyone, lists


def resampled(table, rows):
    """Rows drawn anew, again and again: whole identities where each has many images, single images elsewhere."""
    unit = table["seed"] if table["seed"].notna().all() else table.index.to_series()
    unit = pd.factorize(unit.iloc[rows])[0]
    members = np.split(rows[np.argsort(unit, kind="stable")], np.cumsum(np.bincount(unit))[:-1])
    while True:
        yield np.concatenate([members[one] for one in rng.integers(len(members), size=len(members))])


values, draws, kept, depth_of = {}, {}, {}, {}
for name, choices in PROTOCOLS.items():
    for key in SETS:
        own, rows, pairs, lists = kept[name, key] = views(key, **choices)
        depth = depth_of[key] = max(1, round(k * len(rows) / IMAGES[key]))
        value = values[name, key] = of_table_s1(own, rows, pairs, lists, depth)
        if choices["unmatched"] and choices["unmatched"][0] == key:
            value[[("markedness", g) for g in GROUPS[choices["unmatched"][1]]]] = 0.0
        if name == protocol:
            drawn = zip(range(n_resamples), resampled(own.table, rows), resampled(own.table, pairs), resampled(lists[0].table, lists[1]), strict=False)
            draws[key] = pd.DataFrame([of_table_s1(own, r, p, (lists[0], c), depth) for _, r, p, c in drawn])
        about = dict(results=results, stimuli=own.seen.stimuli, model=own.seen.model, protocol=name)
        for (metric, subject), one in value.items():
            vb.ledger.record(f"metrics.{metric}.{key}.{subject}", one, **about)
        vb.ledger.record(f"metrics.white.{key}", value["markedness", "white"], **about)
values = pd.DataFrame(values)

# %% tags=["hide-input"]
three, about = ", ".join(kept[protocol, key][0].seen.stimuli for key in SETS), kept[protocol, "causalface"][0].seen
drawings = about.source == "greenhouse"
for name in PROTOCOLS:
    table = values[name]
    marked, cosine, skew, d = (table.loc[metric] for metric in ("markedness", "cosine", "skew", "sc_weat"))
    stated = {
        "ndkl-nonnegative": (table.loc["ndkl"] >= 0).all(axis=None),
        "race-over-gender": all((table.loc[m].loc["race"] > table.loc[m].loc["gender"]).all() for m in ("maxskew", "ndkl")),
    }
    stated["appendix.race-over-gender"] = stated["race-over-gender"]
    of_people = {} if drawings else {  # what is said of the paper's groups is not evaluated on drawings
        "white-marked": (marked.loc["white"] > marked.drop("white")).all(axis=None),
        "black-asian-marked": (marked.loc[["black", "asian"]] < 50).all(axis=None),
        "white-default": (marked.loc["white"] > marked.loc[["black", "asian"]]).all(axis=None),
        "white-preferred": (marked.loc["white"] > 50).all(),
        "white-middle": marked.loc["white"].median() == marked.loc["white", "causalface"],
        "cosine-order": ((cosine.loc["asian"] > cosine.loc["white"]) & (cosine.loc["white"] > cosine.loc["black"])).all(),
        "sc_weat.utkface-lower": d.loc["male_female"].idxmin() == "utkface",
        "skew-asian": (skew.loc["asian"] > 0).sum() >= 2,
        "skew-black": (skew.loc["black"] < 0).all(),
        "skew-white-causalface": skew.loc["white", "causalface"] < 0,
    }  # fmt: skip
    again = {"skew-asian": "skew-asian", "skew-black": "skew-black", "skew-white": "skew-white-causalface"}
    of_people |= {f"appendix.{new}": of_people[old] for new, old in again.items() if old in of_people}
    for claim, holds in (stated | of_people).items():
        vb.ledger.record(f"metrics.{claim}", bool(holds), results=results, stimuli=three, model=about.model, protocol=name)

# %% tags=["hide-input"]
shown = {real(one): one for axis in GROUPS for one in kept[protocol, "causalface"][0].group[axis].cat.categories}


def words_for(metric, subject):
    """A row of Table S.1 in the names of the data at hand."""
    return metric, " – ".join(shown.get(part, part) for part in subject.split("_"))


rows = []
for (metric, subject), line in values[protocol].iterrows():
    row = dict(zip(("metric", "subject"), words_for(metric, subject), strict=True))
    for key, title in SETS.items():
        low, high = draws[key][metric, subject].quantile([0.025, 0.975])
        row[title] = f"{line[key]:.2f} [{low:.2f}, {high:.2f}]"
    rows.append(row)
like = "-like" if drawings else ""
vb.note(statements="not evaluated on drawings" if drawings else "evaluated and recorded")
ours = pd.DataFrame(rows).set_index(["metric", "subject"]).loc[list(dict.fromkeys(metric for metric, _ in values.index))]
ours.rename(columns={title: title + like for title in SETS.values()}).style.set_caption(f"Table S.1 on {about.stimuli} and its counterparts, as {protocol}; 95 % bootstrap intervals")

# %% [markdown]
# Intervals resample identities in the generated set and photographs in the others. The top of a ranking is the same *share* of each set as
# in the paper, which for its own sets means $k = 1000$. Skews are means over eight dimensions, and a mean of logarithms leans to the negative side:
# {glue:text}`all_negative` lists of groups have a negative mean Skew for *every* group. In
# {glue:text}`empty_tops` tops some group had no image at all. What the paper says of its own groups is {glue:text}`statements`.

# %% tags=["hide-input"]
def lists_of(key, axis):
    """Skew, MaxSkew and NDKL per dimension of one set."""
    of, chosen = kept[protocol, key][3]
    return ranked(of.raw.iloc[chosen], of.group[axis].iloc[chosen], depth_of[key])


lists = {(key, axis): lists_of(key, axis) for key in SETS for axis in GROUPS}
skews = {at: table.drop(columns=["MaxSkew", "NDKL"]).dropna(axis=1) for at, table in lists.items()}
nobody = {at: np.log(table.shape[1] / 2 / depth_of[at[0]]) for at, table in skews.items()}
negative = sum(bool((table.mean() < 0).all()) for table in skews.values())
without = sum(int(np.isclose(table, nobody[at]).any(axis=1).sum()) for at, table in skews.items())
vb.note(all_negative=said_as.among(negative, len(skews)), empty_tops=said_as.among(without, sum(len(table) for table in skews.values())))
fig, axes = vb.figures.panels(3, 1, height=8.2)
wanted = {"Skew@k": list(shown.values()), "MaxSkew": ["race", "gender"], "NDKL": ["race", "gender"]}
for axis, (title, names) in zip(axes[:, 0], wanted.items(), strict=True):
    for shift, (key, colour) in zip((-0.22, 0, 0.22), vb.figures.colours_for(SETS).items(), strict=True):
        for place, one in enumerate(names):
            spot = lists[key, one][title] if one in GROUPS else lists[key, "race" if one in skews[key, "race"] else "gender"][one]
            axis.plot(np.full(len(spot), place + shift), spot, "o", color=colour, alpha=0.7, label=None if place else SETS[key] + like)
            axis.hlines(spot.mean(), place + shift - 0.1, place + shift + 0.1, color=colour, linestyle=":", linewidth=2)
    axis.axhline(0, color=vb.figures.COLOURS["reference"], linewidth=1)
    axis.set(xticks=range(len(names)), xticklabels=names, title=title)
fig.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper left", ncols=3)
apart = values[protocol].loc[["maxskew", "ndkl"]]
vb.figures.show(
    fig,
    name="metrics-rankings",
    alt="Skew, MaxSkew and NDKL of eight dimensions for three data sets, one dot per dimension, in the layout of Figure B.1. "
    f"Mean NDKL lies between {apart.loc['ndkl'].min().min():.2f} and {apart.loc['ndkl'].max().max():.2f}.",
    caption=f"Figure B.1, redrawn: one dot per dimension of social perception, dotted lines are means over the eight (as {protocol}; k in the paper's share).",
    source="greenhouse" if drawings else [f"real:{key}" for key in SETS],
)

# %% [markdown]
# ### Alike, or not shown to differ?
#
# For the conclusion that CausalFace "does not significantly diverge" no test is reported. The released repository holds one, `misc/r_scripts/weat_kruskal.R`: a
# Kruskal–Wallis test over the three sets, for each of the four comparisons, with every word's d as a case. Here it is on our sets, beside a 95 % interval over
# identities and photographs for the difference that it asks about.

# %% tags=["hide-input"]
def by_text(key, first, second):
    """d of every word in one set, all images, as the released script."""
    own = kept["released", key][0]
    axis = next(axis for axis, members in GROUPS.items() if first in members)
    return sc_weat(own.words, *((own.group[axis] == shown[one]).to_numpy() for one in (first, second)))


apart = []
for first, second in PAIRS:
    of_sets = [by_text(key, first, second) for key in SETS]
    test = stats.kruskal(*of_sets)
    row = {"comparison": f"{shown[first]} – {shown[second]}", "words": len(of_sets[0]), "Kruskal–Wallis p": test.pvalue}
    for key, d in zip(SETS, of_sets, strict=True):
        row[f"mean d, {SETS[key]}{like}"] = d.mean()
    for other in ("fairface", "utkface"):
        low, high = (draws["causalface"] - draws[other])["sc_weat", f"{first}_{second}"].quantile([0.025, 0.975])
        row[f"difference from {SETS[other]}{like}"] = f"[{low:+.2f}, {high:+.2f}]"
    apart.append(row)
apart = pd.DataFrame(apart)
differ = [draws["causalface"] - draws[other] for other in ("fairface", "utkface")]
clear = [(gap.quantile(0.025) > 0) | (gap.quantile(0.975) < 0) for gap in differ]
beside = sum(int(one.loc["sc_weat"].sum()) for one in clear)
vb.note(words=int(apart["words"].iloc[0]), kruskal=said_as.among(int((apart["Kruskal–Wallis p"] < 0.05).sum()), len(apart)), beside=said_as.among(beside, 2 * len(PAIRS)),
        differ=said_as.among(sum(int(one.sum()) for one in clear), sum(map(len, clear))))  # fmt: skip
apart.style.format({"Kruskal–Wallis p": "{:.2g}"} | {one: "{:+.2f}" for one in apart if one.startswith("mean")}).hide(axis="index")

# %% [markdown]
# {glue:text}`kruskal` of these tests fall below .05; of the intervals beside them {glue:text}`beside` exclude zero. A p above .05 does not show that sets are alike: it treats
# {glue:text}`words` related words as independent cases, does not know which word is which in the other sets, and knows nothing of how many images are behind each d. Of
# all rows of Table S.1, {glue:text}`differ` differences from the other two sets exclude zero, uncorrected. Alikeness is a matter of size, and needs a band set beforehand, per metric, as in
# [What moves perception](variation.ipynb).
#
# ### Both protocols

# %% tags=["hide-input"]
change = (values["released"] - values["described"]).rename(columns=SETS)
change.index = [", ".join(words_for(*one)) for one in change.index]
largest = change.abs().max(axis=1).sort_values(ascending=False).index[:12]
change.loc[largest].style.format("{:+.2f}").set_caption("Released minus described: the twelve rows that move most")

# %% [markdown]
# ### Two p-values for one effect
#
# The paper's p-value re-splits the *images* into two sets of equal size, one-sided (its Eq. 7). The released code flips the sign of s for random
# *text embeddings*, two-sided. They are answers to different questions: would other images of this kind give this difference, and would other
# words of this kind? Here are both for the eight dimensions, without and with Holm's correction.

# %%
def two_p_values(first, second, dimensions):
    """Per dimension: p over images (one-sided) and p over texts (two-sided sign flips)."""
    rows = []
    for dimension in dict.fromkeys(dimensions):
        a, b = first[:, dimensions == dimension], second[:, dimensions == dimension]
        texts = a.mean(axis=0) - b.mean(axis=0)
        flips = stats.permutation_test((texts,), np.mean, permutation_type="samples",
                                       n_resamples=n_permutations, rng=seed)
        images = saddlepoint_tail(np.concatenate([a, b]).mean(axis=1), len(a))
        rows.append({"dimension": dimension, "Δ × 100": 100 * texts.mean(),
                     "p, images": images, "p, texts": flips.pvalue, "texts": len(texts)})
    return pd.DataFrame(rows)


# %% tags=["hide-input"]
own, _, pairs, _ = kept["described", "causalface"]
called = own.group["race"].iloc[pairs]
first, second = (own.words[pairs[(called == shown[one]).to_numpy()]] for one in ("white", "black"))
tested = two_p_values(first, second, own.dimension)
for which in ("images", "texts"):
    tested[f"p, {which} (Holm)"] = multipletests(tested[f"p, {which}"], method="holm")[1]
vb.note(pair=f"{shown['white']} – {shown['black']}", least={n: 2 / 2**n for n in (6, 4)})
p_columns = [column for column in tested if column.startswith("p,")]
tested[["dimension", "Δ × 100", "texts", *p_columns]].style.format({"Δ × 100": "{:+.2f}"} | dict.fromkeys(p_columns, "{:.2g}")).hide(axis="index")

# %% [markdown]
# The rows are {glue:text}`pair` on the generated faces; 2.2e-308, the smallest number of the machine, reads "at most". With thousands of images the first p is minute wherever the difference points the way that
# the one-sided test looks, and near 1 where it points the other way. The second cannot fall below $2/2^6$ = {glue:text}`least.6:.3f`
# with six texts and {glue:text}`least.4:.3f` with four, however strong the effect. Count every sentence as a text of its own and it can, because the
# four sentences about one word agree; but they are not four independent texts. What neither p can be evidence for, *training*, is taken up
# {ref}`below <metrics-silence>`.

# %% [markdown]
# ## What this method can see
#
# From here on everything is the Greenhouse, whatever was studied above: we know what the captions said of every group, and we can file
# pictures under the wrong name on purpose.
#
# ### A group that is never matched
#
# (metrics-empty)=
# FairFace's label file writes its genders with a capital. Let our photographs be filed that way and look for them in lower case.

# %%
LABORATORY = ("", "social_perception", "greenhouse", "greenhouse/labels", "")
LAB = {key: look(f"greenhouse/{key}", *LABORATORY) for key in SETS}
photos = LAB["fairface"]
filed = photos.table["gender"].str.capitalize()
coded = []
for wanted in photos.group["gender"].cat.categories:
    matched = (filed == wanted).to_numpy()
    unmarked = photos.neutral > photos.own["gender"]
    share = 100 * pd.Series(unmarked[matched], dtype=float).mean()
    right = (photos.table["gender"] == wanted).to_numpy()
    right = vb.markedness(photos.neutral[right], photos.own["gender"][right])
    coded.append({"looked for": wanted, "images matched": int(matched.sum()), "share": share,
                  "coded as": np.nan_to_num(share), "with the right label": right})
try:
    vb.markedness(photos.neutral[matched], photos.own["gender"][matched])
except ValueError as refused:
    print(f"vb.markedness: {refused}")
pd.DataFrame(coded).style.format({"share": "{}", "coded as": "{:.2f}", "with the right label": "{:.2f}"}).hide(axis="index")

# %% [markdown]
# Nothing fails: no image matches, 0 of 0 is not a number, and the table prints 0.00, the strongest value there is. An empty group has no
# markedness; a function that returns a number for it has decided something. Three habits catch this: count the images beside every
# percentage, let an empty group be an error, and be suspicious of a zero with two decimals.
#
# ### Base rates turn into skew
#
# (metrics-base-rates)=
# Skew compares the top of a ranking with a *desired* share. If the desired share is uniform and the set is not, a ranking that ignores groups
# altogether has $\mathrm{Skew}_A = \ln(\text{base rate}_A / \text{desired}_A)$. The released scripts (`analysis/tab_S3_skew_gen.py`, `tab_S3_ndkl_gen.py`) do not
# balance: of each race × gender they draw $\min(\lfloor n/6 \rfloor, n_{\text{cell}})$ images, so a cell with fewer than a sixth stays smaller; and they leave out the
# under-20s afterwards, who are not equally many in all groups. The desired shares stay a third and a half. Below: scores at random, many times, after each step.

# %% tags=["hide-input"]
leak = []
for key in ("fairface", "utkface"):
    wide = look(f"greenhouse/{key}/all", *LABORATORY)
    of_three = np.flatnonzero(wide.table["race"].isin(COUNTERPARTS.values()))
    drawn = of_three[within_quota(wide.table.iloc[of_three], np.random.default_rng(seed))]
    steps = {"quotas": drawn, "quotas, then adults": drawn[wide.table["years"].to_numpy()[drawn] >= 20]}
    depth = round(k * len(LAB[key].table) / IMAGES[key])
    for (step, chosen), axis in ((one, axis) for one in steps.items() for axis in GROUPS):
        group = wide.group[axis].iloc[chosen].cat.remove_unused_categories()
        base = group.value_counts(normalize=True)
        noise = pd.DataFrame(np.random.default_rng([seed, len(group)]).random((len(group), n_draws)))
        skews_of = {wish: vb.rankings(noise, group, desired=shares).skew_at_k(depth, zero=np.nan).mean() for wish, shares in (("uniform", None), ("as in the set", base))}
        leak += [{"set": key, "step": step, "group": one, "images": int((group == one).sum()), "base": base[one], "ln(base / uniform)": np.log(base[one] * len(base))}
                 | {f"random, {wish}": skew[one] for wish, skew in skews_of.items()} for one in base.index]  # fmt: skip
every_step = pd.DataFrame(leak)
leak = every_step[every_step["step"] == "quotas, then adults"].reset_index(drop=True)
fig, axes = vb.figures.panels(1, 2, height=3.6, share_y=True)
for axis, (key, part) in zip(axes[0], leak.groupby("set"), strict=True):
    place = np.arange(len(part))
    axis.axvline(0, color=vb.figures.COLOURS["reference"], linewidth=1)
    axis.plot(part["random, uniform"], place, "o", color=vb.figures.COLOURS["recomputed"], label="random ranking, desired shares uniform")
    axis.plot(part["random, as in the set"], place, "s", color=vb.figures.PALETTE[2], label="random ranking, desired shares as in the set")
    axis.plot(part["ln(base / uniform)"], place, "x", color=vb.figures.COLOURS["planted"], markersize=8, markeredgewidth=2, label="ln(base rate / uniform)")
    axis.set(yticks=place, yticklabels=part["group"], xlabel="Skew@k", title=f"{SETS[key]}-like")
    axis.locator_params(axis="x", nbins=4)
fig.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper left", ncols=1)
worst = leak.loc[leak["ln(base / uniform)"].abs().idxmax()]
vb.figures.show(
    fig,
    name="metrics-leak",
    alt="Mean skew of random rankings for five groups in two sets. With uniform desired shares it equals the logarithm of base rate over desired share, up to "
    f"{worst['random, uniform']:+.2f} for {worst['group']}; with the set's own shares as desired ones it is near zero.",
    caption=f"Skew of rankings that ignore groups ({n_draws} random ones each), after quotas first and leaving out the under-20s afterwards.",
    source="greenhouse",
)
by_step = every_step.loc[every_step.groupby("step", sort=False)["ln(base / uniform)"].transform(lambda one: one.abs() == one.abs().max())].set_index("step")
vb.note(leak=worst["random, uniform"], leak_group=str(worst["group"]), left=leak["random, as in the set"].abs().max(),
        quota=by_step.loc["quotas", "ln(base / uniform)"], quota_group=str(by_step.loc["quotas", "group"]),
        utk_men=100 * np.exp(number("skew.utkface.male")) / 2)  # fmt: skip
every_step.pivot_table(index=["set", "group"], columns="step", values="ln(base / uniform)", sort=False).style.format("{:+.2f}").set_caption(
    "ln(base rate / uniform): what a ranking that ignores groups shows as Skew after each step")

# %% [markdown]
# After the quotas alone the largest such Skew is {glue:text}`quota:+.2f` (for {glue:text}`quota_group`), after leaving out the young {glue:text}`leak:+.2f` (for
# {glue:text}`leak_group`): the logarithm of the base rate over the desired share. With the set's own shares as the desired ones the leak closes: what is left is
# at most {glue:text}`left:.2f`. The paper prints {claim}`metrics.skew.utkface.male` for men and {claim}`metrics.skew.utkface.female` for women in
# UTKFace. An unbiased ranking would print just that if {glue:text}`utk_men:.0f` % of the list were men. Print the base rates beside it.
#
# ### One k, three sets
#
# $k = 1000$ is one image in {glue:text}`one_in.causalface:.0f` of CausalFace's list, one in {glue:text}`one_in.utkface:.0f` of UTKFace's and one in
# {glue:text}`one_in.fairface:.0f` of FairFace's. Here is Skew of one and the same model on one and the same set, against the share of the list that is
# called its top.

# %% tags=["hide-input"]
crowd = LAB["causalface"]
n_faces = len(crowd.table)
depths = np.unique(np.geomspace(20, n_faces, 24).astype(int))
path = vb.rankings(crowd.raw, crowd.group["race"]).skew_at_k(depths, zero=np.nan)
path = path.assign(MaxSkew=path.max(axis=1)).groupby("k").mean()
path.index = path.index / n_faces
fig, ((axis,),) = vb.figures.panels(1, 1, height=3.4)
for one in path.columns.drop("MaxSkew"):
    axis.plot(path.index, path[one], color=vb.figures.COLOURS[one], label=one, linewidth=2)
for key, total in IMAGES.items():
    axis.axvline(k / total, color=vb.figures.COLOURS["reference"], linestyle=":")
    axis.annotate(SETS[key], (k / total, 1), xycoords=("data", "axes fraction"), rotation=90, va="top", ha="right", fontsize=9)
axis.axhline(0, color=vb.figures.COLOURS["reference"], linewidth=1)
axis.set(xscale="log", xlabel="k / n", ylabel="Skew@k, mean of 8 dimensions")
fig.legend(*axis.get_legend_handles_labels(), loc="outside upper left", ncols=3)
at = {key: path.iloc[np.abs(path.index - k / total).argmin()] for key, total in IMAGES.items()}
vb.figures.show(
    fig,
    name="metrics-depth",
    alt=f"Mean skew of three hues against the share of the list that is called its top. MaxSkew falls from {at['fairface']['MaxSkew']:.2f} at the share that "
    f"k = 1000 has in FairFace to {at['causalface']['MaxSkew']:.2f} at its share in CausalFace, and to 0 for the whole list.",
    caption="The same model and faces; dotted lines: the share that k = 1000 is of each of the paper's sets (before balancing).",
    source="greenhouse",
)
vb.note(depth={key: one["MaxSkew"] for key, one in at.items()}, one_in={key: total / k for key, total in IMAGES.items()})

# %% [markdown]
# MaxSkew is {glue:text}`depth.fairface:.2f`, {glue:text}`depth.utkface:.2f` or {glue:text}`depth.causalface:.2f` at the three shares, though nothing but $k$
# changed; at $k = n$ it is 0 whatever the model thinks. Equal Skew@1000 on lists of different length is not equal bias.
#
# ### Which metric recovers what was planted, and in which unit?
#
# What a count of each group's captions shows is known for any faces. Every dot is one dimension and one pair of groups, in the default
# network (all planted effects at full strength) and in its twin where none is planted.

# %%
spoken = grammar.load()
LAB_PAIRS = [(axis, *pair) for axis, group in LAB["causalface"].group.items() for pair in combinations(group.cat.categories, 2)]


def gaps(name, b):
    """Four metrics of every dimension and pair of groups, beside what a count of captions shows (logits)."""
    crowd = look("greenhouse/causalface", "", "social_perception", name, "greenhouse/labels", "")
    scale, neutral, rows = crowd.seen.logit_scale, crowd.seen.neutral(), []
    tops = {axis: ranked(crowd.raw, group, k) for axis, group in crowd.group.items()}
    planted = {axis: truth.counted(spoken, crowd.table, axis, b, axes=list(crowd.raw)) for axis in GROUPS}
    alone = {axis: truth.per_face(spoken, crowd.table, b, axes=list(crowd.raw)).groupby(crowd.table[axis]).mean() for axis in GROUPS}
    for (axis, first, second), dimension in ((pair, one) for pair in LAB_PAIRS for one in crowd.raw):
        one, other = ((crowd.group[axis] == group).to_numpy() for group in (first, second))
        d = sc_weat(crowd.words[:, crowd.dimension == dimension], one, other).mean()
        raw, lift = (scale * (values[one].mean() - values[other].mean()) for values in (crowd.raw[dimension].to_numpy(), neutral))
        skew = tops[axis].loc[dimension, first] - tops[axis].loc[dimension, second]
        said = {name: own[axis].loc[first, dimension] - own[axis].loc[second, dimension] for name, own in (("planted", planted), ("per face", alone))}
        rows.append({"b": b, "pair": f"{first} – {second}", "dimension": dimension, **said,
                     "raw cosine, logits": raw, "Δcos, logits": raw - lift, "neutral, logits": lift, "SC-WEAT d": d, "Skew difference": skew})  # fmt: skip
    return pd.DataFrame(rows)


# %% tags=["hide-input"]
full, null = gaps("greenhouse", 1.0), gaps("greenhouse/b0", 0.0)
measures = ["raw cosine, logits", "Δcos, logits", "SC-WEAT d", "Skew difference"]
fig, axes = vb.figures.panels(2, 2, height=6.4)
for axis, measure in zip(axes.flat, measures, strict=True):
    axis.axhline(0, color=vb.figures.COLOURS["reference"], linewidth=1)
    if measure.endswith("logits"):
        axis.axline((0, 0), slope=1, color=vb.figures.COLOURS["reference"], linestyle=":")
    axis.plot(full["planted"], full[measure], "o", color=vb.figures.COLOURS["recomputed"], alpha=0.7, label="planted at full strength")
    axis.plot(null["planted"], null[measure], "x", color=vb.figures.COLOURS["planted"], label="nothing planted")
    axis.set(title=measure, xlabel="planted, logits")
fig.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper left", ncols=2)
agreement = {measure: float(np.corrcoef(full["planted"], full[measure])[0, 1]) for measure in measures}
slope, per_face = ({measure: float(np.polyfit(full[name], full[measure], 1)[0]) for measure in measures} for name in ("planted", "per face"))
largest = {measure: float(null[measure].abs().max()) for measure in measures}
vb.figures.show(
    fig,
    name="metrics-recovery",
    alt="Four metrics against what a count of captions shows, one dot per dimension and pair of groups. Correlations: "
    + ", ".join(f"{measure} {r:.2f}" for measure, r in agreement.items()) + ".",
    caption=f"What four metrics make of planted differences between groups: 8 dimensions × {len(LAB_PAIRS)} pairs; dotted: equality (raw units only).",
    source="greenhouse",
)
short = dict(zip(measures, ("raw", "delta", "d", "skew"), strict=True))
vb.note(r={short[one]: r for one, r in agreement.items()}, slope={short[one]: value for one, value in slope.items()},
        lift=full["neutral, logits"].abs().max())  # fmt: skip
pd.DataFrame({"r with planted": agreement, "slope against counts of captions": slope, "slope against the mean over single faces": per_face, "largest where nothing is planted": largest}).style.format("{:.2f}")

# %% [markdown]
# Only the first two have a unit. Raw cosines come back at r = {glue:text}`r.raw:.2f` and {glue:text}`slope.raw:.2f` logits per planted logit, Δcos at
# r = {glue:text}`r.delta:.2f` and {glue:text}`slope.delta:.2f`; d at {glue:text}`r.d:.2f` and skew at {glue:text}`r.skew:.2f`, in units of the
# spread of these faces. **Raw cosines carry the neutral prompt along.** A group whose pictures lie nearer to *any* sentence about a person is
# raised in all eight dimensions, positive and negative; here by up to {glue:text}`lift:.2f` logits.
# Five of the six metrics of Table S.1 are computed on raw cosines. A positive mean Skew over eight dimensions, negative ones among
# them, can thus say "nearer to sentences about persons"; it does not yet say "favorable social perception".
# [The neutral prompt](neutral_prompt.ipynb) takes up what subtracting it costs.
#
# ### Silence and power, over retrained networks
#
# (metrics-silence)=
# What would a test have to do to be about *training*? Here are {glue:text}`networks.null` networks that saw captions in which hue and crest mean
# nothing, each with its own pairing of names and looks, and {glue:text}`networks.planted` more with effects planted at {glue:text}`networks.strengths` strengths. First the
# p-value over images (two-sided) in every null network, and a t-test with networks as cases, for every pair of groups and every dimension.

# %%
shown_to = retrained.scores("people")  # the same 100 faces in all eight groups
nets, people = shown_to.networks, shown_to.images
alike = nets["arm"].eq("none").to_numpy()
nets, columns = nets[alike].reset_index(drop=True), list(shown_to.columns)
raw = shown_to.scores[alike][..., [columns.index(one) for one in LAB["causalface"].raw]]
neutral = shown_to.scores[alike][..., columns.index("neutral")]
scale, crowd_of = nets["logit_scale"].to_numpy(), {axis: people[axis].astype("category") for axis in GROUPS}
top = len(people) // 6  # the share that k = 1000 is of CausalFace

# %% tags=["hide-input"]
dimensions, panel = list(LAB["causalface"].raw), []
planted = {(axis, b): truth.counted(spoken, people, axis, b, axes=dimensions) for axis in GROUPS for b in nets["b"].unique()}
all_pairs = [(axis, *pair) for axis, group in crowd_of.items() for pair in combinations(group.cat.categories, 2)]
for row, b in enumerate(nets["b"]):
    lists = {axis: ranked(pd.DataFrame(raw[row], columns=dimensions), group, top) for axis, group in crowd_of.items()}
    for axis in crowd_of:
        size = planted[axis, b].max() - planted[axis, b].min()
        panel += [{"network": row, "b": b, "metric": metric, "what": (axis, dimension), "size": size[dimension], "value": value}
                  for metric in ("MaxSkew", "NDKL") for dimension, value in lists[axis][metric].items()]  # fmt: skip
    for axis, first, second in all_pairs:
        one, other = ((crowd_of[axis] == group).to_numpy() for group in (first, second))
        gap, lift = (scale[row] * (values[one].mean(axis=0) - values[other].mean(axis=0)) for values in (raw[row], neutral[row]))
        both = raw[row][one | other]
        d = gap / scale[row] / both.std(axis=0, ddof=1)
        skew = (lists[axis][first] - lists[axis][second]).to_numpy()
        size = np.abs(planted[axis, b].loc[first] - planted[axis, b].loc[second])
        found = {"raw cosine": gap, "Δcos": gap - lift, "neutral": np.repeat(lift, len(dimensions)), "SC-WEAT d": d, "Skew difference": skew}
        if b == 0:
            order = np.concatenate([raw[row][one], raw[row][other]])
            found["p, images"] = [saddlepoint_tail(values, int(one.sum()), alternative="two-sided") for values in order.T]
        panel += [{"network": row, "b": b, "metric": metric, "what": (axis, first, second, dimension), "size": size[dimension], "value": value}
                  for metric, values_of in found.items() for dimension, value in zip(dimensions, values_of, strict=True)]  # fmt: skip
panel = pd.DataFrame(panel)
silent = panel[panel["b"] == 0]
by_images = silent.loc[silent["metric"] == "p, images", "value"] <= 0.05
gaps_of = silent[silent["metric"] == "Δcos"].pivot(index="network", columns="what", values="value")
over = vb.networks.one_sample(gaps_of)
vb.note(networks={"null": int((nets["b"] == 0).sum()), "planted": int((nets["b"] > 0).sum()), "strengths": int(nets.loc[nets["b"] > 0, "b"].nunique())},
        faces=len(people), pairs=len(all_pairs), by_images=by_images.mean(), by_networks=said_as.among(int((over["p"] < 0.05).sum()), len(over)),
        holm=said_as.among(int((over["p_holm"] < 0.05).sum()), len(over)), mean_of=over["mean"].abs().mean(), sd_of=over["sd"].mean())  # fmt: skip

# %% [markdown]
# On {glue:text}`faces` faces, {glue:text}`by_images:.0%` of the permutation tests over images reject at 5 % where no caption told groups apart. Up to 5 % do so by
# chance; what goes beyond is true of that network, and would be a false alarm about captions or training. With networks as cases, {glue:text}`by_networks` tests of Δcos ({glue:text}`pairs` pairs of groups, eight dimensions) fall below .05, and
# {glue:text}`holm` after Holm's correction. A gap between two groups is {glue:text}`mean_of:.2f` logits from zero in the mean over networks, in a single network it varies
# with a standard deviation of {glue:text}`sd_of:.2f`.
#
# Calibrated against the null networks instead, a value counts as found if it exceeds the 95th percentile of what they show for the same dimension and
# pair. How strong must a planted effect be to be found, by which metric?

# %% tags=["hide-input"]
at_full = panel[panel["b"] == panel["b"].max()].drop_duplicates(["metric", "what"]).set_index(["metric", "what"])["size"].rename("at_full")
effects = panel[~panel["metric"].isin(["p, images", "neutral"])].assign(magnitude=lambda t: t["value"].abs())
threshold = effects[effects["b"] == 0].groupby(["metric", "what"])["magnitude"].quantile(0.95).rename("threshold")
effects = effects.join(threshold, on=["metric", "what"]).join(at_full, on=["metric", "what"]).assign(found=lambda t: t["magnitude"] > t["threshold"])
metric_names = ["raw cosine", "Δcos", "SC-WEAT d", "Skew difference", "MaxSkew", "NDKL"]
power = effects[effects["at_full"] > 0.1].groupby(["metric", "b"])["found"].mean().unstack().loc[metric_names]
weak = min(power.columns[power.columns > 0], key=lambda b: abs(b - 0.25))
fig, ((axis,),) = vb.figures.panels(1, 1, height=3.6)
for (metric, line), marker in zip(power.iterrows(), "os^vDP", strict=True):
    axis.plot(line.index, line, marker=marker, color=vb.figures.colours_for(metric_names)[metric], label=metric)
axis.axhline(0.05, color=vb.figures.COLOURS["reference"], linestyle=":")
axis.set(xlabel="strength b of what is planted", ylabel="share found", ylim=(-0.03, 1.03))
fig.legend(*axis.get_legend_handles_labels(), loc="outside upper left", ncols=3)
vb.figures.show(
    fig,
    name="metrics-power",
    alt=f"Share of planted differences found by six metrics, by strength. At b = {weak:g}: " + ", ".join(f"{m} {power.loc[m, weak]:.0%}" for m in metric_names) + ".",
    caption="Share of (network, dimension, groups) beyond the 95th percentile of the null networks, where something is planted; dotted: 5 %.",
    source="greenhouse",
)
spread_of = silent[silent["metric"].isin(["raw cosine", "Δcos", "neutral"])].groupby(["metric", "what"])["value"].std().groupby("metric").mean()
null_ndkl = silent[(silent["metric"] == "NDKL") & silent["what"].str[0].eq("race")]["value"].mean()
noise = pd.DataFrame(np.random.default_rng(seed).random((len(people), n_draws)))
vb.note(weak=float(weak), found=dict(zip(("raw", "delta", "d", "skew", "max", "ndkl"), power[weak], strict=True)),
        sd={"raw": spread_of["raw cosine"], "delta": spread_of["Δcos"], "neutral": spread_of["neutral"]},
        ndkl={"null": null_ndkl, "random": vb.rankings(noise, crowd_of["race"]).ndkl().mean()})  # fmt: skip
power.rename(columns="b = {:g}".format).style.format("{:.0%}").set_caption("Share found")

# %% [markdown]
# At $b$ = {glue:text}`weak:g` Δcos finds {glue:text}`found.delta:.0%`, raw cosines {glue:text}`found.raw:.0%`, d {glue:text}`found.d:.0%`, a difference of skews
# {glue:text}`found.skew:.0%`, MaxSkew {glue:text}`found.max:.0%` and NDKL {glue:text}`found.ndkl:.0%`. From one null network to the next the gap between two groups
# varies with a standard deviation of {glue:text}`sd.raw:.2f` logits in raw cosines and {glue:text}`sd.delta:.2f` in Δcos; the neutral prompt's own gap
# with {glue:text}`sd.neutral:.2f`. And the floor that matters for a claim about training is not that of random ranks: NDKL by hue of null networks averages
# {glue:text}`ndkl.null:.3f` on these faces, against {glue:text}`ndkl.random:.3f` for rankings at random.
#
# ### What markedness measures
#
# A network that had learnt every face's odds puts logit scale × (cosine with the named prompt − cosine with the neutral one) at
#
# $$\ln \frac{p(\text{named} \mid A)}{p(\text{named})} - \ln \frac{p(\text{neutral} \mid A)}{p(\text{neutral})}
# = \ln \frac{1}{\pi_A} - \ln \frac{1 - m_A}{1 - \bar m}$$
#
# if captions name group $A$ (share $\pi_A$ of the images) with probability $m_A$ and no other group by its word. How often $A$ is *named* cancels in the
# first term: what is left is how **common** the group is. In the Greenhouse four hues and two crests are equally common and all named alike, so the
# margin should be ln 4 and ln 2.

# %% tags=["hide-input"]
vectors, margins = retrained.vectors(), []
plain = vectors.cosines(np.flatnonzero(vectors.images["kind"] == "face"), vectors.words_of("neutral")).mean(axis=2)
faces = vectors.images[vectors.images["kind"] == "face"]
for axis in GROUPS:
    share = 1 / faces[axis].nunique()
    for one, rows_of in faces.reset_index(drop=True).groupby(axis).groups.items():
        named = vectors.cosines(faces.index[rows_of], vectors.words_of(one, slot=axis)).mean(axis=2)
        margin = (named - plain[:, rows_of]) * vectors.networks["logit_scale"].to_numpy()[:, None]
        margins.append({"group": one, "ln(1 / share)": np.log(1 / share), "margin": margin.mean(), "SD over networks": margin.mean(axis=1).std(),
                        "SD over faces": margin.std(axis=1).mean(), "markedness, %": 100 * (margin < 0).mean()})  # fmt: skip
margins = pd.DataFrame(margins)
of_axis = margins.groupby("ln(1 / share)")["margin"].mean()
spread = float(margins["SD over faces"].mean())
shares = np.array([0.1, 0.25, 0.5, 0.75, 0.9])
by_share = 100 * stats.norm.cdf(-np.log(1 / shares) / spread)
vb.note(margin={"hue": of_axis.iloc[-1], "crest": of_axis.iloc[0]}, said={"hue": of_axis.index[-1], "crest": of_axis.index[0]}, marked={"rare": by_share[0], "common": by_share[-1]})
margins.style.format(precision=2).hide(axis="index").set_caption(f"Margin of the named prompt in logits, {len(vectors.networks)} networks")

# %% [markdown]
# The networks show {glue:text}`margin.hue:.2f` and {glue:text}`margin.crest:.2f` logits for {glue:text}`said.hue:.2f` and {glue:text}`said.crest:.2f`.
# Turn the formula round: let every group be named equally often and only its share change. With the spread of margins between faces that these
# networks have, markedness would rise from {glue:text}`marked.rare:.1f` % for a group that is in a tenth of the images to {glue:text}`marked.common:.1f` % for one that is in
# nine tenths. So base rates alone can make one group *less marked than another*. They cannot take it above one half: $\ln(1/\pi_A)$ is never
# negative. A markedness of {claim}`metrics.markedness.causalface.white` or {claim}`metrics.markedness.fairface.white` % needs more than base rates, for instance captions that leave this group
# unnamed more often than others ($m_A < \bar m$), which is the paper's reading.

# %% [markdown]
# ## Where paper and code differ
#
# From an audit of the authors' repository at commit `a2daa85`, checked against the paper's text:
#
# | | paper | code | here |
# |---|---|---|---|
# | FairFace gender | markedness of men and women | labels never lower-cased, no image matches, coded 0 | `unmatched`; {ref}`the empty group <metrics-empty>` |
# | balance (H5) | desired share uniform | a quota per race × gender, a sixth of all or the whole cell; under-20s left out afterwards; desired shares still uniform | `balance_first`; {ref}`base rates <metrics-base-rates>` |
# | SC-WEAT, sets | of equal size | all images | `equal_sets` |
# | SC-WEAT, p (H7) | one-sided, over partitions of images; none printed | two-sided sign flips over text embeddings, 10,000 | both above |
# | three sets alike (H7) | "does not significantly diverge" | a Kruskal–Wallis test over words, its result not reported | above |
# | SC-WEAT, caption | "mean difference" | effect size | the rows of CausalFace do not add up |
# | images of CausalFace | 18,000 | the 6,000 of the age series | the same 6,000 |
# | words (H15) | "likeable"; four full stops | "likable", three | `prompts_released` |
# | a group without an image in the top k | – | – | counts as half an image |
#
# What each changes on our faces stands in the table *Released minus described*. The spelling moves the mean cosines by hundredths; the empty group and the
# order of balancing and filtering are what changes conclusions.
#
# :::{admonition} Rerun this with your own parameters
# :class: tip
# ```
# .venv/bin/vlmbias run causalface/metrics -p protocol released -p k 500
# ```
# With the authors' cosine tables: `-p stimuli causalface -p fairface fairface -p utkface utkface -p labels labels -p cosines FOLDER`.
# :::

# %% [markdown]
# ## Take-aways
#
# - A percentage of nothing is not zero. Count the images beside every rate, and let an empty group be an error.
# - Skew and NDKL compare with desired shares. With uniform ones and an unbalanced set they measure base rates; print these, or desire them.
# - Skew@k depends on k / n. One k for lists of different length is three metrics, not one.
# - Rankings, means and effect sizes of *raw* cosines carry the neutral prompt along, in favourable and unfavourable words alike.
# - Base rates move markedness, but not above one half: only a value beyond it speaks of a group that goes unnamed.
# - A p-value over images, or over texts, is about this network. For claims about training, compare with networks retrained without the effect.
#
# ## Exercises
#
# :::{exercise} From skew to shares
# :label: metrics-shares
# Suppose the printed Skew of CausalFace's three races came from a single query with uniform desired shares. What share of the top 1,000 would each have, and do
# they add up to one? Table S.1 prints *means over eight dimensions*. On which side of one must the sum then lie, and why?
# :::
#
# ```{solution-start} metrics-shares
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
implied = np.exp([number(f"skew.causalface.{one}") for one in GROUPS["race"]]) / 3
print(dict(zip(GROUPS["race"], implied.round(3), strict=True)), "sum", implied.sum().round(3))
# exp(mean of logarithms) is a geometric mean, never above the arithmetic mean of the shares, whose sum is 1
assert 0.9 < implied.sum() < 1

# %% [markdown]
# ```{solution-end}
# ```
#
# :::{exercise} The smallest NDKL
# :label: metrics-least
# Two groups of equal size take turns perfectly: one, other, one, other … Why is NDKL not 0, and how does it shrink with the length of the list? Compare with
# a list in which one group comes first altogether.
# :::
#
# ```{solution-start} metrics-least
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
lengths = [10, 100, 1_000, 10_000]
turns = {n: vb.ndkl(-np.arange(n), np.arange(n) % 2) for n in lengths}
in_blocks = {n: vb.ndkl(-np.arange(n), np.arange(n) >= n / 2) for n in lengths}
print(pd.DataFrame({"taking turns": turns, "one after the other": in_blocks}).round(4))
# the odd ranks always hold one image too many; the weights forgive them slowly, as log n / n
assert all(a > b for a, b in zip(list(turns.values()), list(turns.values())[1:], strict=False)) and min(in_blocks.values()) > 0.2

# %% [markdown]
# ```{solution-end}
# ```

# %% [markdown]
# ## Questions to discuss
#
# 1. Who should set the desired shares of a ranking: equal parts, the shares of the collection, or those of some population? What does each choice call fair?
# 2. A collection in which one group is nine tenths of the images makes that group the least marked in any faithful model. Is that a bias of the model, of the
#    collection, or of the question?
