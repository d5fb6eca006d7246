"""What the authors found, redrawn: one figure of each paper's printed numbers."""

import numpy as np
import pandas as pd

import vlmbias as vb
from studies.overviews.illustration import Illustration
from studies.words import among
from vlmbias import ledger
from vlmbias.figures import COLOURS, PALETTE, panels, style

FACTORS = {
    "dataset": "training data (against CC12M)",
    "architecture": "architecture (against CoCa)",
    "log": "size",
}
NAMES = {
    "log-params": "number of parameters",
    "log-dataset-size": "number of training pairs",
    "cc12m": "CC12M",
    "commonpool": "CommonPool",
    "datacomp": "DataComp",
    "dfn": "DFN",
    "laion": "LAION",
    "merged2b": "Merged-2B",
    "metaclip": "MetaCLIP",
    "openai-wit": "OpenAI WIT",
    "webli": "WebLI",
    "yfcc15m": "YFCC15M",
    "convnext": "ConvNeXt",
    "eva": "EVA",
    "hybrid": "Hybrid",
    "nllb-clip": "NLLB-CLIP",
    "resnet": "ResNet",
    "specialized-vit": "Specialized ViT",
    "vit": "ViT",
}
GROUPS = {"asian": "Asian", "black": "Black", "latina": "Latina/o", "white": "White"}
# what three of the authors' methods print per group: title, records by group
PRINTED = {
    "BLIP answers that the person is an American": {
        group: f"vqa.american.{group}" for group in GROUPS
    },
    "BLIP’s captions name a race (highest share)": {
        "asian": "captions.asian.most",
        "black": "captions.black.most",
        "white": "captions.white.none",
    },
    "Skin gets brighter in “an American person”": {
        "asian": "generation.asian-rise",
        "black": "generation.black-rise",
        "latina": "generation.latino-rise",
        "white": "generation.white-rise",
    },
}
NEVER = "never remarked upon"  # the paper's words for a share of zero
ATTRIBUTES = {"smiling": "smile", "lighting": "light", "pose": "pose"}
PAIRS = {
    "agency": "agency: powerful – powerless",
    "belief": "belief: progressive – conservative",
    "communion": "communion: trustworthy – untrustworthy",
}


def number(record: str) -> float:
    """The value of a record of the ledger as a number; the share that is never remarked upon is
    zero."""
    text = ledger.claim(record).value
    return 0.0 if text == NEVER else float(text.strip("%").replace("−", "-"))


def coefficients() -> pd.DataFrame:
    """The printed regression of Ghate et al.: one row per family or size, with its 95 % interval;
    within a factor the largest first."""
    stem = "upstream."
    found = [
        one.removeprefix(stem).removesuffix(".coef")
        for one in ledger.scorecard()["id"]
        if one.startswith(stem) and one.endswith(".coef") and "intercept" not in one
    ]
    rows = [
        {
            "factor": FACTORS[name.partition(".")[0] if "." in name else name.partition("-")[0]],
            "name": NAMES[name.rpartition(".")[2]],
            **{end: number(f"{stem}{name}.{end}") for end in ("coef", "low", "high")},
            "p": number(f"{stem}{name}.p"),
        }
        for name in found
    ]
    table = pd.DataFrame(rows)
    order = table["factor"].map(list(FACTORS.values()).index)
    return (
        table.assign(order=order)
        .sort_values(["order", "coef"], ascending=[True, False], ignore_index=True)
        .drop(columns="order")
    )


def regression() -> Illustration:
    table = coefficients()
    figure = vb.figures.forest(
        table,
        estimate="coef",
        low="low",
        high="high",
        label="name",
        group="factor",
        value_label="difference of the effect size d, 95 %",
    )
    clear = table[table["p"] < 0.01]
    listed = "; ".join(
        f"{factor}: " + ", ".join(f"{row.name_} {row.coef:.2f}" for row in own.itertuples())
        for factor, own in table.rename(columns={"name": "name_"}).groupby("factor", sort=False)
    )
    return Illustration(
        figure,
        f"Coefficients of the published regression with their intervals. {listed}.",
        "The published regression, redrawn. A dot is an estimate, its line the 95 % interval: the"
        f" values that agree with the data. {len(clear)} coefficients have a p below .01;"
        f" {among(int((clear['factor'] == FACTORS['dataset']).sum()), len(clear))} are families of"
        " training data. For the two sizes, there is no reference: a dot says how d"
        " changes with size. You need not know the names.",
        "paper:pretraining, table of Figure 6",
    )


def american() -> Illustration:
    """Three of the authors' methods, in per cent, by group."""
    figure, grid = panels(len(PRINTED), height=6.6, share_x=True)
    parts = []
    with style():
        for axes, (title, records) in zip(grid[:, 0], PRINTED.items(), strict=True):
            values = {GROUPS[group]: number(record) for group, record in records.items()}
            places = -np.arange(len(values))
            axes.barh(places, list(values.values()), height=0.6, color=PALETTE[0])
            for place, value in zip(places, values.values(), strict=True):
                axes.text(value + 1, place, f"{value:g} %", va="center")
            axes.set_yticks(places, list(values))
            axes.set(title=title, xlim=(0, 125), xticks=range(0, 101, 25))
            parts.append(f"{title}: " + ", ".join(f"{k} {v:g} %" for k, v in values.items()))
        grid[-1, 0].set_xlabel("per cent")
    return Illustration(
        figure,
        "Bars for three measurements by self-identified group. " + ". ".join(parts) + ".",
        "Three results of the authors, by group. Above: how often BLIP answers yes to “Is this"
        " person an American?” Middle: how often its captions name a race: for each"
        " group, the highest of five shares. (For Latina/o people, no share is"
        " printed.) Below: how much brighter the forehead becomes in the painted pictures.",
        "paper:american_white, Figures 3 and 5, Section 5",
    )


def opposites() -> pd.DataFrame:
    """The printed correlations of Hausladen et al. between opposite words: one row per attribute
    and pair."""
    return pd.DataFrame(
        [
            {
                "attribute": shown,
                "pair": words,
                "r": number(f"smiling.table_s2.{name}.{pair}.r"),
                "p": float(ledger.claim(f"smiling.table_s2.{name}.{pair}.p").value.strip("<")),
            }
            for name, shown in ATTRIBUTES.items()
            for pair, words in PAIRS.items()
        ]
    )


def smiling() -> Illustration:
    table = opposites()
    smile, still = (own for _, own in table.groupby(table["attribute"] != ATTRIBUTES["smiling"]))
    figure, ((axes,),) = panels(height=3.6)
    with style():
        axes.axvline(0, color=COLOURS["reference"], lw=1)
        for k, (pair, own) in enumerate(table.groupby("pair", sort=False)):
            places = -np.arange(len(own)) - 0.18 * (k - 1)
            axes.plot(own["r"], places, "os^"[k], color=PALETTE[k], label=pair, markersize=9)
        axes.set_yticks(-np.arange(len(ATTRIBUTES)), list(ATTRIBUTES.values()))
        axes.set(xlim=(-1.1, 1.1), ylim=(-len(ATTRIBUTES) + 0.4, 0.6), xticks=np.linspace(-1, 1, 5))
        axes.set_xlabel("correlation of two opposites")
        figure.legend(loc="outside upper left", ncols=1)
    unsure = "; ".join(
        f"{row.attribute}, {row.pair.partition(':')[0]} (p = {row.p:.2f})"
        for row in table[table["p"] > 0.05].itertuples()
    )
    listed = "; ".join(
        f"{attribute}: " + ", ".join(f"{r:.2f}" for r in own["r"])
        for attribute, own in table.groupby("attribute", sort=False)
    )
    return Illustration(
        figure,
        f"Printed correlations between opposite traits ({'; '.join(PAIRS.values())}). {listed}.",
        "Each point is one printed correlation between the scores of two opposites, as the"
        " smile, the light or the pose changes. To the right of the middle line, both scores rise"
        " and fall together; to the left, one rises as the other falls. With light and pose,"
        f" {among(int((still['r'] > 0).sum()), len(still))} points lie on the right; with the"
        f" smile, {among(int((smile['r'] < 0).sum()), len(smile))} lie on the left. Not"
        f" significant: {unsure}.",
        "paper:causalface, Table S.2",
    )
