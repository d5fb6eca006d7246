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
# rates that turn into skew <metrics-base-rates>`, take-aways. **In 75 minutes:** also the two p-values, the floors, what markedness
# measures, both exercises.
#
# **You need:** proportions, logarithms, the bootstrap. The primers [Rankings, skew and markedness](../../book/primers/ranking.md) and
# [Embedding association tests](../../book/primers/association.md) work each metric out by hand.
#
# **Content note.** The paper compares people by race and gender as a model sees them. The faces on this page are drawings in teal,
# amber and violet, with buds or ears; they stand for nobody.
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
from types import SimpleNamespace

import numpy as np
import pandas as pd
from myst_nb import glue
from scipy import stats
from statsmodels.stats.multitest import multipletests

import vlmbias as vb
from vlmbias.measures import saddlepoint_tail

claims = vb.ledger.table("causalface/metrics")
printed = claims.set_index("claim")["printed"]
SETS = {"causalface": "CausalFace", "fairface": "FairFace", "utkface": "UTKFace"}
# the Greenhouse's counterparts of the papers' groups: a mapping of names in tables only
REAL = {"teal": "white", "violet": "black", "amber": "asian", "budded": "male", "eared": "female"}
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
    groups, rows = groups.astype("category"), {}
    zero = np.log(groups.nunique() / 2 / k)  # nobody in the top k: half an image
    for dimension, score in raw.items():
        skew = vb.skew_at_k(score, groups, k, desired=desired, zero=zero)
        even = vb.ndkl(score, groups, desired=desired)
        rows[dimension] = {**skew, "MaxSkew": skew.max(), "NDKL": even}
    return pd.DataFrame.from_dict(rows, orient="index")


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


def balanced(table, rng):
    """Rows with as many images of each race × gender as there are of the rarest."""
    cell = table.groupby(["race", "gender"]).ngroup().to_numpy()
    mixed = rng.permutation(len(table))
    place = pd.Series(mixed).groupby(cell[mixed]).cumcount().to_numpy()
    return np.sort(mixed[place < np.bincount(cell).min()])


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
# Table S.1, from the ledger. The columns of SC-WEAT carry no labels in print; that its rows are white–black, asian–black,
# asian–white and male–female is inferred from the text around them.

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
    glue(f"additivity-{key}", float(left), display=False)
counts = {g: round(number(f"markedness.causalface.{g}") / 100 * n) for g, n in zip(groups, [2000] * 3 + [3000] * 2, strict=True)}
exact = {g: abs(100 * c / n - number(f"markedness.causalface.{g}")) <= half + 1e-9 for (g, c), n in zip(counts.items(), [2000] * 3 + [3000] * 2, strict=True)}
laws["CausalFace"]["markedness is a whole number of images"] = ", ".join(f"{g} {c}" for g, c in counts.items()) if all(exact.values()) else "no"
pd.DataFrame(laws).fillna("sizes not printed").style.set_caption("Does the rounding of the printed numbers allow it?")

# %% [markdown]
# CausalFace passes as the balanced set that it is, with 6,000 images (10 ages of 100 seeds in six groups), not 18,000. Where it says *no*:
# in FairFace and UTKFace the groups cannot have been equally large when the cosines were averaged. And the SC-WEAT rows of CausalFace do
# not add up (by {glue:text}`additivity-causalface:.2f`), which differences of means would: the caption's "WEAT scores represent the mean
# difference" must mean the mean *effect size* of Eq. 5. (The rows of the other two sets would allow either.)
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
for (title, how), short in zip(decline.columns, ("all-points", "all-times", "two-points", "two-times"), strict=True):
    for key, name in SETS.items():
        glue(f"decline-{short}-{key}", float(decline.loc[name, (title, how)]), display=False)
with_zeros, without = (decline[title, "points"] for title in rest)
glue("decline-verdict", "reverses" if (with_zeros["FairFace"] > with_zeros["CausalFace"]) != (without["FairFace"] > without["CausalFace"]) else "stays", display=False)
decline.style.format(precision=2).set_caption("White minus, and over, the mean of the others")

# %% [markdown]
# With the two zeros the decline is {glue:text}`decline-all-points-fairface:.1f` points in FairFace against
# {glue:text}`decline-all-points-causalface:.1f` in CausalFace; over the two races alone, where every number is a count, it is
# {glue:text}`decline-two-points-fairface:.1f` against {glue:text}`decline-two-points-causalface:.1f`, and as a ratio
# {glue:text}`decline-two-times-fairface:.0f`-fold against {glue:text}`decline-two-times-causalface:.0f`-fold: the comparison
# {glue:text}`decline-verdict`. That "white" goes unsaid more than any other group does not rest on the zeros: it holds in all three sets. "A
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
        balance_first=True,  # balance, then leave out the under-20s: not equal any more
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
        chosen = of_three[balanced(wide.table.iloc[of_three], rng)]
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
three = ", ".join(kept[protocol, key][0].seen.stimuli for key in SETS)
for name in PROTOCOLS:
    table = values[name]
    marked, cosine, skew, d = (table.loc[metric] for metric in ("markedness", "cosine", "skew", "sc_weat"))
    others = marked.drop("white")
    said_of_it = {
        "white-marked": (marked.loc["white"] > others).all(axis=None),
        "black-asian-marked": (marked.loc[["black", "asian"]] < 50).all(axis=None),
        "white-default": (marked.loc["white"] > marked.loc[["black", "asian"]]).all(axis=None),
        "white-preferred": (marked.loc["white"] > 50).all(),
        "white-middle": marked.loc["white"].median() == marked.loc["white", "causalface"],
        "cosine-order": ((cosine.loc["asian"] > cosine.loc["white"]) & (cosine.loc["white"] > cosine.loc["black"])).all(),
        "ndkl-nonnegative": (table.loc["ndkl"] >= 0).all(axis=None),
        "sc_weat.utkface-lower": d.loc["male_female"].idxmin() == "utkface",
        "skew-asian": (skew.loc["asian"] > 0).sum() >= 2,
        "skew-black": (skew.loc["black"] < 0).all(),
        "skew-white-causalface": skew.loc["white", "causalface"] < 0,
        "race-over-gender": all((table.loc[m].loc["race"] > table.loc[m].loc["gender"]).all() for m in ("maxskew", "ndkl")),
    }
    again = {"skew-asian": "skew-asian", "skew-black": "skew-black", "skew-white": "skew-white-causalface", "race-over-gender": "race-over-gender"}
    said_of_it |= {f"appendix.{new}": said_of_it[old] for new, old in again.items()}
    for claim, holds in said_of_it.items():
        vb.ledger.record(f"metrics.{claim}", bool(holds), results=results, stimuli=three, model=about["model"], protocol=name)

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
about = kept[protocol, "causalface"][0].seen
like = "-like" if about.source == "greenhouse" else ""
ours = pd.DataFrame(rows).set_index(["metric", "subject"]).loc[list(dict.fromkeys(metric for metric, _ in values.index))]
ours.rename(columns={title: title + like for title in SETS.values()}).style.set_caption(f"Table S.1 on {about.stimuli} and its counterparts, as {protocol}; 95 % bootstrap intervals")

# %% [markdown]
# Intervals resample identities in the generated set and photographs in the others. The top of a ranking is the same *share* of each set as
# in the paper, which for its own sets means $k = 1000$. Skews are means over eight dimensions, and a mean of logarithms leans to the negative side:
# {glue:text}`all-negative` of the {glue:text}`all-lists` lists of groups have a negative mean Skew for *every* group. In
# {glue:text}`empty-tops` of {glue:text}`tops` tops some group had no image at all.

# %% tags=["hide-input"]
def lists_of(key, axis):
    """Skew, MaxSkew and NDKL per dimension of one set."""
    of, chosen = kept[protocol, key][3]
    return ranked(of.raw.iloc[chosen], of.group[axis].iloc[chosen], depth_of[key])


lists = {(key, axis): lists_of(key, axis) for key in SETS for axis in GROUPS}
skews = {at: table.drop(columns=["MaxSkew", "NDKL"]).dropna(axis=1) for at, table in lists.items()}
nobody = {at: np.log(table.shape[1] / 2 / depth_of[at[0]]) for at, table in skews.items()}
for name, value in {
    "all-lists": len(skews),
    "all-negative": sum(bool((table.mean() < 0).all()) for table in skews.values()),
    "tops": sum(len(table) for table in skews.values()),
    "empty-tops": sum(int(np.isclose(table, nobody[at]).any(axis=1).sum()) for at, table in skews.items()),
}.items():
    glue(name, value, display=False)
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
    source="greenhouse" if about.source == "greenhouse" else [f"real:{key}" for key in SETS],
)

# %% [markdown]
# ### Alike, or not shown to differ?
#
# The conclusion that CausalFace "does not significantly diverge" rests on no test. With an interval for each difference one can ask; and a
# difference that an interval does not separate from zero is not thereby shown to be small.

# %% tags=["hide-input"]
compared = []
for other in ("fairface", "utkface"):
    gap = draws["causalface"] - draws[other]
    low, high = gap.quantile(0.025), gap.quantile(0.975)
    compared.append((low > 0) | (high < 0))
compared = pd.concat(compared, axis=1, keys=["FairFace" + like, "UTKFace" + like])
differ = compared.groupby(level=0, sort=False).agg(["sum", "count"]).rename(columns={"sum": "differ", "count": "of"})
both = int(compared.to_numpy().sum())
glue("differ-n", both, display=False)
glue("differ-of", int(compared.size), display=False)
differ.style.set_caption("Rows of the table in which the generated set differs from the other (95 % interval of the difference excludes 0)")

# %% [markdown]
# Here {glue:text}`differ-n` of {glue:text}`differ-of` differences exclude zero, uncorrected: with thousands of images most do. Alikeness is a matter
# of size, and needs a band set beforehand, per metric, as in [What moves perception](variation.ipynb).
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
glue("pair", f"{shown['white']} – {shown['black']}", display=False)
for n in (6, 4):
    glue(f"least-{n}", 2 / 2**n, display=False)
p_columns = [column for column in tested if column.startswith("p,")]
tested[["dimension", "Δ × 100", "texts", *p_columns]].style.format({"Δ × 100": "{:+.2f}"} | dict.fromkeys(p_columns, "{:.2g}")).hide(axis="index")

# %% [markdown]
# The rows are {glue:text}`pair` on the generated faces; 2.2e-308, the smallest number of the machine, reads "at most". With thousands of images the first p is minute wherever the difference points the way that
# the one-sided test looks, and near 1 where it points the other way. The second cannot fall below $2/2^6$ = {glue:text}`least-6:.3f`
# with six texts and {glue:text}`least-4:.3f` with four, however strong the effect. Count every sentence as a text of its own and it can, because the
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
for wanted in ("budded", "eared"):
    matched = (filed == wanted).to_numpy()
    unmarked = photos.neutral > photos.own["gender"]
    share = 100 * pd.Series(unmarked[matched], dtype=float).mean()
    truth = photos.table["gender"].to_numpy() == wanted
    right = vb.markedness(photos.neutral[truth], photos.own["gender"][truth])
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
# altogether has $\mathrm{Skew}_A = \ln(\text{base rate}_A / \text{desired}_A)$. The released code balances the groups of FairFace and UTKFace
# first and leaves out the under-20s afterwards; where ages differ between groups, as they do in photographs, the balance is gone. Below:
# scores at random, many times.

# %% tags=["hide-input"]
leak, at_random = [], {}
for key in ("fairface", "utkface"):
    wide = look(f"greenhouse/{key}/all", *LABORATORY)
    of_three = np.flatnonzero(wide.table["race"] != "lime")
    balanced_first = of_three[balanced(wide.table.iloc[of_three], np.random.default_rng(seed))]
    chosen = balanced_first[wide.table["years"].to_numpy()[balanced_first] >= 20]
    depth = round(k * len(LAB[key].table) / IMAGES[key])
    for axis in GROUPS:
        group = wide.group[axis].iloc[chosen].cat.remove_unused_categories()
        base = group.value_counts(normalize=True)
        noise = [np.random.default_rng([seed, draw]).random(len(group)) for draw in range(n_draws)]
        by_wish = {"uniform": None, "as in the set": base}
        found = {wish: pd.DataFrame([vb.skew_at_k(one, group, depth, desired=shares) for one in noise]) for wish, shares in by_wish.items()}
        listed = {wish: ranked(wide.raw.iloc[chosen], group, depth, desired=shares).mean() for wish, shares in by_wish.items()}
        for one in base.index:
            leak.append({"set": key, "group": one, "base": base[one], "ln(base / uniform)": np.log(base[one] * len(base))}
                        | {f"random, {wish}": np.ma.masked_invalid(table[one]).mean() for wish, table in found.items()}
                        | {f"model, {wish}": table[one] for wish, table in listed.items()})
        at_random[key, axis] = {"KL of the base rates": float((base * np.log(base * len(base))).sum())} | {
            f"NDKL at random, {wish}": np.mean([vb.ndkl(one, group, desired=shares) for one in noise[:40]]) for wish, shares in by_wish.items()
        }
leak = pd.DataFrame(leak)
fig, axes = vb.figures.panels(1, 2, height=3.6, share_y=True)
for axis, (key, part) in zip(axes[0], leak.groupby("set"), strict=True):
    place = np.arange(len(part))
    axis.axvline(0, color=vb.figures.COLOURS["reference"], linewidth=1)
    axis.plot(part["random, uniform"], place, "o", color=vb.figures.COLOURS["recomputed"], label="random ranking, uniform wish")
    axis.plot(part["random, as in the set"], place, "s", color=vb.figures.PALETTE[2], label="random ranking, wish as in the set")
    axis.plot(part["ln(base / uniform)"], place, "x", color=vb.figures.COLOURS["planted"], markersize=8, markeredgewidth=2, label="ln(base rate / uniform)")
    axis.set(yticks=place, yticklabels=part["group"], xlabel="Skew@k", title=f"{SETS[key]}-like")
    axis.locator_params(axis="x", nbins=4)
fig.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper left", ncols=1)
worst = leak.loc[leak["ln(base / uniform)"].abs().idxmax()]
vb.figures.show(
    fig,
    name="metrics-leak",
    alt="Mean skew of random rankings for five groups in two sets. With a uniform wish it equals the logarithm of base rate over wish, up to "
    f"{worst['random, uniform']:+.2f} for {worst['group']}; with the set's own shares as the wish it is near zero.",
    caption=f"Skew of rankings that ignore groups ({n_draws} random ones each), after balancing first and leaving out the under-20s afterwards.",
    source="greenhouse",
)
for name, value in {"leak-worst": worst["random, uniform"], "leak-left": float(leak["random, as in the set"].abs().max())}.items():
    glue(name, float(value), display=False)
glue("leak-group", str(worst["group"]), display=False)
glue("utk-men", float(100 * np.exp(number("skew.utkface.male")) / 2), display=False)
pd.DataFrame(at_random).T.rename_axis(["set", "axis"]).style.format("{:.3f}").set_caption("NDKL of the same random rankings")

# %% [markdown]
# A ranking that cannot see groups has a Skew of up to {glue:text}`leak-worst:+.2f` (for {glue:text}`leak-group`), exactly the logarithm of the base
# rate over the wish, and NDKL takes the divergence of the base rates as its floor. With the set's own shares as the wish, both leaks close: what is left is
# at most {glue:text}`leak-left:.2f`. The paper prints {claim}`metrics.skew.utkface.male` for men and {claim}`metrics.skew.utkface.female` for women in
# UTKFace. An unbiased ranking would print just that if {glue:text}`utk-men:.0f` % of the list were men. Whether it is bias or base rate cannot be read
# from Skew alone: print the base rates beside it.
#
# ### One k, three sets
#
# $k = 1000$ is one image in {glue:text}`one-in-causalface:.0f` of CausalFace's list, one in {glue:text}`one-in-utkface:.0f` of UTKFace's and one in
# {glue:text}`one-in-fairface:.0f` of FairFace's. Here is Skew of one and the same model on one and the same set, against the share of the list that is
# called its top.

# %% tags=["hide-input"]
crowd = LAB["causalface"]
n_faces = len(crowd.table)
depths = np.unique(np.geomspace(20, n_faces, 24).astype(int))
path = pd.DataFrame({depth / n_faces: ranked(crowd.raw, crowd.group["race"], int(depth)).mean() for depth in depths}).T
fig, ((axis,),) = vb.figures.panels(1, 1, height=3.4)
for one in ("teal", "amber", "violet"):
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
for key in SETS:
    glue(f"depth-{key}", float(at[key]["MaxSkew"]), display=False)
    glue(f"one-in-{key}", float(IMAGES[key] / k), display=False)

# %% [markdown]
# MaxSkew is {glue:text}`depth-fairface:.2f`, {glue:text}`depth-utkface:.2f` or {glue:text}`depth-causalface:.2f` at the three shares, though nothing but $k$
# changed; at $k = n$ it is 0 whatever the model thinks. Equal Skew@1000 on lists of different length is not equal bias.
#
# ### Floors
#
# MaxSkew is never negative and NDKL never zero, because the first rank holds one image of one group. What do they print for a ranking at random, in
# lists as long as the paper's?

# %% tags=["hide-input"]
floors = []
for key, total in IMAGES.items():
    for axis, members in GROUPS.items():
        group = pd.Series(np.arange(total) % len(members)).astype("category")
        noise = [np.random.default_rng([seed, total, draw]).random(total) for draw in range(max(20, n_draws // 4))]
        random = pd.DataFrame([{"MaxSkew": vb.max_skew_at_k(one, group, k), "NDKL": vb.ndkl(one, group)} for one in noise])
        for metric in random:
            floors.append(
                {
                    "metric": metric, "set": SETS[key], "axis": axis, "printed": printed[f"metrics.{metric.lower()}.{key}.{axis}"],
                    "at random": random[metric].mean(), "95 % of random rankings below": random[metric].quantile(0.95),
                }
            )
floors = pd.DataFrame(floors).sort_values(["metric", "axis"], kind="stable")
smallest = floors[(floors["metric"] == "NDKL") & (floors["axis"] == "gender")].set_index("set")
glue("floor-causalface", float(smallest.loc["CausalFace", "at random"]), display=False)
glue("floor-share", float(floors.loc[floors["metric"] == "MaxSkew", "at random"].max()), display=False)
floors.style.format({"at random": "{:.4f}", "95 % of random rankings below": "{:.4f}"}).hide(axis="index")

# %% [markdown]
# The printed values stand well above what *independent* random ranks give: up to {glue:text}`floor-share:.2f` for MaxSkew, {glue:text}`floor-causalface:.3f` for
# NDKL by gender in CausalFace, which would print as 0.00 as the caption's "ideal case" does. (The groups are taken as equally large; unequal ones
# add the divergence of their base rates.) It is the wrong floor for a claim about training, though, as we shall see.

# ### Which metric recovers what was planted, and in which unit?
#
# The captions' log odds say what each dimension should owe to each group. Every dot is one dimension and one pair of groups, in the default
# network (all planted effects at full strength) and in its twin where none is planted.

# %% tags=["hide-input"]
from greenhouse import study
from greenhouse.world import grammar, truth

spoken = grammar.load()
LAB_PAIRS = {"race": [("teal", "violet"), ("amber", "violet"), ("amber", "teal")], "gender": [("budded", "eared")]}


recovery = []
for b, name in ((1.0, "greenhouse"), (0.0, "greenhouse/b0")):
    crowd = look("greenhouse/causalface", "", "social_perception", name, "greenhouse/labels", "")
    scale, baseline = crowd.seen.logit_scale, crowd.seen.neutral()
    for axis, name_pairs in LAB_PAIRS.items():
        tops = ranked(crowd.raw, crowd.group[axis], k)
        for dimension in crowd.raw:
            log_odds = truth.said(spoken, [dimension], crowd.table, b)[dimension].to_numpy()
            for one_name, other_name in name_pairs:
                one, other = ((crowd.group[axis] == g).to_numpy() for g in (one_name, other_name))
                raw = crowd.raw[dimension].to_numpy()
                d = sc_weat(crowd.words[:, crowd.dimension == dimension], one, other).mean()
                gap = raw[one].mean() - raw[other].mean()
                lift = baseline[one].mean() - baseline[other].mean()
                p = saddlepoint_tail(np.concatenate([raw[one], raw[other]]), int(one.sum()), alternative="two-sided") if b == 0 else np.nan
                recovery.append(
                    {
                        "p": p,
                        "b": b, "pair": f"{one_name} – {other_name}", "dimension": dimension, "planted": log_odds[one].mean() - log_odds[other].mean(),
                        "raw cosine, logits": scale * gap, "Δcos, logits": scale * (gap - lift), "neutral, logits": scale * lift,
                        "SC-WEAT d": d, "Skew difference": tops.loc[dimension, one_name] - tops.loc[dimension, other_name],
                    }
                )
recovery = pd.DataFrame(recovery)
measures = ["raw cosine, logits", "Δcos, logits", "SC-WEAT d", "Skew difference"]
full, null = (recovery[recovery["b"] == b] for b in (1.0, 0.0))
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
slope = {measure: float(np.polyfit(full["planted"], full[measure], 1)[0]) for measure in measures}
vb.figures.show(
    fig,
    name="metrics-recovery",
    alt="Four metrics against the planted log odds, one dot per dimension and pair of groups. Correlations: "
    + ", ".join(f"{measure} {r:.2f}" for measure, r in agreement.items()) + ".",
    caption="What four metrics make of planted differences between groups: 8 dimensions × 4 pairs; dotted: equality (raw units only).",
    source="greenhouse",
)
summary = pd.DataFrame({"r with planted": agreement, "slope per planted logit": slope,
                        "largest where nothing is planted": {m: float(null[m].abs().max()) for m in measures}})
for short, measure in zip(("raw", "delta", "d", "skew"), measures, strict=True):
    glue(f"r-{short}", agreement[measure], display=False)
    glue(f"slope-{short}", slope[measure], display=False)
    glue(f"null-{short}", float(null[measure].abs().max()), display=False)
glue("rate-twin", float((null["p"] <= 0.05).mean()), display=False)
glue("faces-twin", len(crowd.table), display=False)
glue("lift-full", float(full["neutral, logits"].abs().max()), display=False)
glue("lift-null", float(null["neutral, logits"].abs().max()), display=False)
summary.style.format("{:.2f}")

# %% [markdown]
# Only the first two have a unit. Raw cosines come back at r = {glue:text}`r-raw:.2f` and {glue:text}`slope-raw:.2f` logits per planted logit, Δcos at
# r = {glue:text}`r-delta:.2f` and {glue:text}`slope-delta:.2f`; d at {glue:text}`r-d:.2f` and skew at {glue:text}`r-skew:.2f`, in units of the
# spread of these faces. **Raw cosines carry the neutral prompt along.** A group whose pictures lie nearer to *any* sentence about a person is
# raised in all eight dimensions, positive and negative; here by up to {glue:text}`lift-full:.2f` logits ({glue:text}`lift-null:.2f` in the twin).
# Five of the six metrics of Table S.1 are computed on raw cosines. A positive mean Skew over eight dimensions, negative ones among
# them, can thus say "nearer to sentences about persons"; it does not yet say "favorable social perception".
# [The neutral prompt](neutral_prompt.ipynb) takes up what subtracting it costs.
#
# ### Effects that add and effects that do not
#
# In one and the same network, on the same faces: raw differences of three pairs add up to the last digit; d of the same pairs does not, because each
# is divided by the spread of another two groups.

# %% tags=["hide-input"]
sums = []
for b, part in recovery.groupby("b", sort=False):
    by_pair = part.pivot(index="dimension", columns="pair", values=["raw cosine, logits", "SC-WEAT d"])
    for measure in ("raw cosine, logits", "SC-WEAT d"):
        off = by_pair[measure]["amber – teal"] + by_pair[measure]["teal – violet"] - by_pair[measure]["amber – violet"]
        sums.append({"b": f"{b:g}", "measure": measure, "largest error of the sum": off.abs().max(), "of the mean over dimensions": abs(off.mean())})
pd.DataFrame(sums).style.format({"largest error of the sum": "{:.3f}", "of the mean over dimensions": "{:.3f}"}).hide(axis="index")

# %% [markdown]
# ### Silence and sensitivity, over retrained networks
#
# (metrics-silence)=
# What would a test have to do to be about *training*? Here are {glue:text}`n-null` networks that differ only in their random seed and saw captions in which
# hue and crest mean nothing, and {glue:text}`n-dose` more with effects planted at {glue:text}`n-strengths` strengths. First the two p-values of SC-WEAT
# (two-sided, so that both are) on every null network: how often do they fall below .05?

# %% tags=["hide-input"]
s = study.load()
chosen_faces = (s.images["kind"] == "face") & (s.images["race"] != "lime")
crowd = s.images[chosen_faces].reset_index(drop=True)
vectors = s.image_vectors[:, chosen_faces.to_numpy()]
all_dimensions = list(LAB["causalface"].raw)
columns_of = {dimension: s.words_of(dimension) for dimension in all_dimensions}
people = np.einsum("mid,md->mi", vectors, s.word_vectors[:, s.words_of("neutral")].mean(axis=1))
top = len(crowd) // 6


def one_network(row):
    """Every metric of one network, (metric, what) → value, and p-values where nothing is planted."""
    found, b, scale = [], s.models["b"][row], s.models["logit_scale"][row]
    for dimension, where in columns_of.items():
        cosine = vectors[row] @ s.word_vectors[row, where].T
        raw = cosine.mean(axis=1)
        for axis, name_pairs in LAB_PAIRS.items():
            skew = vb.skew_at_k(raw, GROUP[axis], top, zero=np.log(GROUP[axis].nunique() / 2 / top))
            lists = {"MaxSkew": skew.max(), "NDKL": vb.ndkl(raw, GROUP[axis])}
            found += [{"model": row, "b": b, "metric": metric, "what": f"{dimension}, {axis}", "value": value} for metric, value in lists.items()]
            for one_name, other_name in name_pairs:
                one, other = IS[one_name], IS[other_name]
                gap, lift = raw[one].mean() - raw[other].mean(), people[row, one].mean() - people[row, other].mean()
                gaps = {"raw cosine": scale * gap, "Δcos": scale * (gap - lift), "neutral": scale * lift,
                           "SC-WEAT d": sc_weat(cosine, one, other).mean(), "Skew difference": skew[one_name] - skew[other_name]}
                if b == 0:
                    texts = cosine[one].mean(axis=0) - cosine[other].mean(axis=0)
                    gaps["p, images"] = saddlepoint_tail(np.concatenate([raw[one], raw[other]]), one.sum(), alternative="two-sided")
                    gaps["p, texts"] = np.mean(np.abs(SIGNS[len(texts)] @ texts) >= np.abs(texts.sum()) * (1 - 1e-12))
                found += [{"model": row, "b": b, "metric": metric, "what": f"{dimension}, {one_name} – {other_name}", "value": value}
                          for metric, value in gaps.items()]
    return found


GROUP = {axis: crowd[axis].astype("category") for axis in LAB_PAIRS}
IS = {one: (group == one).to_numpy() for group in GROUP.values() for one in group.cat.categories}
SIGNS = {n: np.array(np.meshgrid(*[[-1, 1]] * n)).reshape(n, -1).T for n in {len(where) for where in columns_of.values()}}
panel = pd.DataFrame([line for row in range(len(s.models)) for line in one_network(row)])
rates = panel[panel["metric"].str.startswith("p,")].assign(hit=lambda t: t["value"] <= 0.05).groupby("metric")["hit"].mean()
glue("n-null", int((s.models["b"] == 0).sum()), display=False)
glue("n-dose", int((s.models["b"] > 0).sum()), display=False)
glue("n-strengths", int(s.models.loc[s.models["b"] > 0, "b"].nunique()), display=False)
glue("rate-images", float(rates["p, images"]), display=False)
glue("rate-texts", float(rates["p, texts"]), display=False)
glue("panel-faces", len(crowd), display=False)
rates.rename("share of null tests with p ≤ .05").to_frame().style.format("{:.0%}")

# %% [markdown]
# On {glue:text}`panel-faces` faces, {glue:text}`rate-images:.0%` of the permutation tests over images and {glue:text}`rate-texts:.0%` of the sign-flip tests
# over texts reject at 5 % where no caption told groups apart; on the {glue:text}`faces-twin` faces of the twin above the permutation test rejects
# {glue:text}`rate-twin:.0%`, because more images see smaller differences. None of these is an error about *its own* target: that network does put these groups
# at different distances from these words. All of them would be false alarms about captions or training.
#
# Calibrated against the null networks instead, a value counts as found if it exceeds the 95th percentile of what they show for the same dimension and
# pair. How strong must a planted effect be to be found, by which metric?

# %% tags=["hide-input"]
planted_gap = {
    f"{dimension}, {pair}": abs(full.set_index(["dimension", "pair"]).loc[(dimension, pair), "planted"])
    for dimension in all_dimensions for pair in full["pair"].unique()
}
of_axis = {f"{dimension}, {axis}": max(planted_gap[f"{dimension}, {a} – {c}"] for a, c in axis_pairs) for dimension in all_dimensions for axis, axis_pairs in LAB_PAIRS.items()}
size = panel["what"].map(planted_gap | of_axis)
effects = panel[~panel["metric"].str.startswith(("p,", "neutral"))].assign(size=size, magnitude=lambda t: t["value"].abs())
threshold = effects[effects["b"] == 0].groupby(["metric", "what"])["magnitude"].quantile(0.95).rename("threshold")
effects = effects.join(threshold, on=["metric", "what"]).assign(found=lambda t: t["magnitude"] > t["threshold"])
metric_names = ["raw cosine", "Δcos", "SC-WEAT d", "Skew difference", "MaxSkew", "NDKL"]
power = effects[effects["size"] > 0.1].groupby(["metric", "b"])["found"].mean().unstack().loc[metric_names]
weak = min(power.columns[power.columns > 0], key=lambda b: abs(b - 0.25))
glue("weak", float(weak), display=False)
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
spread_of = panel[(panel["b"] == 0) & panel["metric"].isin(["raw cosine", "Δcos", "neutral"])].groupby(["metric", "what"])["value"].std().groupby("metric").mean()
for short, metric in {"raw": "raw cosine", "delta": "Δcos", "neutral": "neutral"}.items():
    glue(f"sd-{short}", float(spread_of[metric]), display=False)
for short, metric in zip(("raw", "delta", "d", "skew", "max", "ndkl"), metric_names, strict=True):
    glue(f"power-{short}", float(power.loc[metric, weak]), display=False)
null_ndkl = panel[(panel["b"] == 0) & (panel["metric"] == "NDKL") & panel["what"].str.endswith("race")]["value"].mean()
noise = [np.random.default_rng([seed, draw]).random(len(crowd)) for draw in range(n_draws)]
glue("null-ndkl", float(null_ndkl), display=False)
glue("random-ndkl", float(np.mean([vb.ndkl(one, GROUP["race"]) for one in noise])), display=False)
power.rename(columns="b = {:g}".format).style.format("{:.0%}").set_caption("Share found")

# %% [markdown]
# At $b$ = {glue:text}`weak:g` Δcos finds {glue:text}`power-delta:.0%`, raw cosines {glue:text}`power-raw:.0%`, d {glue:text}`power-d:.0%`, a difference of skews
# {glue:text}`power-skew:.0%`, MaxSkew {glue:text}`power-max:.0%` and NDKL {glue:text}`power-ndkl:.0%`. From one null network to the next the gap between two groups
# varies with a standard deviation of {glue:text}`sd-raw:.2f` logits in raw cosines and {glue:text}`sd-delta:.2f` in Δcos; the neutral prompt's own gap
# with {glue:text}`sd-neutral:.2f`. And the floor that matters for a claim about training is not that of random ranks: NDKL by hue of null networks averages
# {glue:text}`null-ndkl:.3f` on these faces, against {glue:text}`random-ndkl:.3f` for rankings at random.
#
# ### What markedness measures
#
# A perfect student of its captions puts logit scale × (cosine with the named prompt − cosine with the neutral one) at
#
# $$\ln \frac{p(\text{named} \mid A)}{p(\text{named})} - \ln \frac{p(\text{neutral} \mid A)}{p(\text{neutral})}
# = \ln \frac{1}{\pi_A} - \ln \frac{1 - m_A}{1 - \bar m}$$
#
# if captions name group $A$ (share $\pi_A$ of the images) with probability $m_A$ and no other group by its word. How often $A$ is *named* cancels in the
# first term: what is left is how **common** the group is. In the Greenhouse four hues and two crests are equally common and all named alike, so the
# margin should be ln 4 and ln 2.

# %% tags=["hide-input"]
margins = []
for axis, group in GROUP.items():
    for one in group.cat.categories:
        naming_cosine = np.einsum("mid,md->mi", vectors[:, IS[one]], s.word_vectors[:, s.words_of(one, slot=axis)].mean(axis=1))
        margin = naming_cosine - people[:, IS[one]]
        margins.append({"group": one, "ln(1 / share)": np.log(4 if axis == "race" else 2), "margin": (margin.mean(axis=1) * s.models["logit_scale"]).mean(),
                        "SD over networks": (margin.mean(axis=1) * s.models["logit_scale"]).std(), "markedness, %": 100 * (margin < 0).mean()})
spread = float(np.mean([margin.std(axis=1).mean() * s.models["logit_scale"].mean()]))
margins = pd.DataFrame(margins)
glue("margin-hue", float(margins["margin"][:3].mean()), display=False)
glue("margin-crest", float(margins["margin"][3:].mean()), display=False)
glue("margin-hue-said", float(np.log(4)), display=False)
glue("margin-crest-said", float(np.log(2)), display=False)
margins.style.format(precision=2).hide(axis="index").set_caption(f"Margin of the named prompt in logits, {len(s.models)} networks")

# %% [markdown]
# The networks show {glue:text}`margin-hue:.2f` and {glue:text}`margin-crest:.2f` logits for {glue:text}`margin-hue-said:.2f` and {glue:text}`margin-crest-said:.2f`.
# Turn the formula round: let every group be named equally often and only its share change. With the spread of margins between faces that these
# networks have, markedness would be

# %% tags=["hide-input"]
shares = np.array([0.1, 0.25, 0.5, 0.75, 0.9])
by_share = pd.DataFrame({"share of the images": shares, "margin, logits": np.log(1 / shares), "markedness, %": 100 * stats.norm.cdf(-np.log(1 / shares) / spread)})
glue("marked-common", float(by_share["markedness, %"].iloc[-1]), display=False)
glue("marked-rare", float(by_share["markedness, %"].iloc[0]), display=False)
by_share.style.format({"share of the images": "{:.0%}", "margin, logits": "{:.2f}", "markedness, %": "{:.1f}"}).hide(axis="index")

# %% [markdown]
# from {glue:text}`marked-rare:.1f` % for a group that is in a tenth of the images to {glue:text}`marked-common:.1f` % for one that is in nine tenths, *with no
# difference in how groups are named*. So a group that "goes without saying" may be one that captions leave unsaid, or simply the most common one. Both
# deserve the word default; only the first is a habit of speech, and only captions can tell them apart.

# %% [markdown]
# ## Where paper and code differ
#
# From an audit of the authors' repository at commit `a2daa85`, checked against the paper's text:
#
# | | paper | code | here |
# |---|---|---|---|
# | FairFace gender | markedness of men and women | labels never lower-cased, no image matches, coded 0 | `unmatched`; {ref}`the empty group <metrics-empty>` |
# | balance | desired share uniform | balanced first, under-20s left out afterwards; still uniform | `balance_first`; {ref}`base rates <metrics-base-rates>` |
# | SC-WEAT, sets | of equal size | all images | `equal_sets` |
# | SC-WEAT, p | one-sided, over partitions of images; none printed | two-sided sign flips over text embeddings, 10,000 | both above |
# | SC-WEAT, caption | "mean difference" | effect size | the rows of CausalFace do not add up |
# | images of CausalFace | 18,000 | the 6,000 of the age series | the same 6,000 |
# | words | "likeable"; four full stops | "likable", three | `prompts_released` |
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
# With the authors' cosine tables: `-p stimuli causalface -p fairface fairface -p utkface utkface -p labels labels -p cosines FOLDER`. With a single query of your
# own: `vb.skew_at_k(scores, groups, k, desired=groups.value_counts(normalize=True))`.
# :::

# %% [markdown]
# ## Take-aways
#
# - A percentage of nothing is not zero. Count the images beside every rate, and let an empty group be an error.
# - Skew and NDKL compare with a wish. With a uniform wish and an unbalanced set they measure base rates; print these, or wish for them.
# - Skew@k depends on k / n. One k for lists of different length is three metrics, not one.
# - Rankings, means and effect sizes of *raw* cosines carry the neutral prompt along, in favourable and unfavourable words alike.
# - Markedness rises with how common a group is, even if nobody leaves it unnamed.
# - A p-value over images, or over texts, is about this network. For claims about training, compare with networks retrained without the effect.
#
# ## Exercises
#
# :::{exercise} From skew to shares
# :label: metrics-shares
# Suppose the printed Skew of CausalFace's three races came from a single query with a uniform wish. What share of the top 1,000 would each have, and do
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
# 2. A collection in which one group is nine tenths of the images makes that group "unmarked" in any faithful model. Is that a bias of the model, of the
#    collection, or of the question?
