"""Is a model what its name says? Its effect sizes beside those that were published for the same
model, and what would explain a difference."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from vlmbias import sources
from vlmbias.battery.tests import ROWS, TURNED, listed
from vlmbias.external import facts, study_table
from vlmbias.number_signs import counted

TOLERANCE = 0.01
"""Values agree within this. Nothing published is rounded, and the programs divide by the same SD;
what is left are pictures decoded and products rounded in another way."""
SHIPPED = "Ghate et al., 2023, nine models of OpenAI (data/published)"
RELEASED = f"Ghate et al., 2025, 131 models ({study_table.KEY})"
EXCHANGED, DIVISOR, WITHIN, OTHER_ORDER = (
    "the sides exchanged",
    "N, not N − 1, as the divisor of the SD",
    "the SD within the sides, not over both",
    "pictures and sentences exchanged",
)
_TRAIN_MODE = ("ResNet Models", "ConvNeXt Models", "NLLB-CLIP Models")


@dataclass(frozen=True, eq=False)
class FirstCheck:
    """What was measured of a model beside what was published for it.

    Attributes
    ----------
    tests : one row per test that both have, by its name: n, d, published, difference, n_published,
        agrees, explained ("" where it agrees, or where nothing that we know explains it).
    published_as : the model's name in the published table, `table`.
    by_chance : the most tests in which another published model has this one's published values.
    other, other_agrees : the other published model whose values fit best, and in how many tests.
    reasons : what is known of this model and may move its values in a way that no formula undoes.
    """

    tests: pd.DataFrame
    published_as: str
    table: str
    by_chance: int = 0
    other: str = ""
    other_agrees: int = 0
    reasons: tuple[str, ...] = ()

    @property
    def agree(self) -> int:
        return int(self.tests["agrees"].sum())

    @property
    def settled(self) -> bool:
        """Whether most tests agree, or would with an explanation that we know; single fits among
        many misses are chance."""
        tests = self.tests
        return (tests["agrees"] | (tests["explained"] != "")).sum() > len(tests) / 2

    def summary(self) -> str:
        """How many tests agree, the largest difference, and what explains it."""
        tests, n = self.tests, len(self.tests)
        if not n:
            return f"None of these tests was published for {self.published_as}."
        largest = tests["difference"].abs().idxmax()
        lines = [
            f"{self.agree or 'None'} of {counted(n, 'test')} agree with what was published for"
            f" {self.published_as}, within {TOLERANCE}. The largest difference is"
            f" {abs(tests.loc[largest, 'difference']):.2f}, in {largest}."
        ]
        return "\n".join(lines if self.agree == n else [*lines, *self._explanation()])

    def _explanation(self) -> list[str]:
        tests = self.tests
        missed = tests[~tests["agrees"]]
        if self.settled:
            named = missed[missed["explained"] != ""].groupby("explained", sort=False)
            lines = [f"With {how}, {len(own)} more would agree: {_few(own)}." for how, own in named]
            rest = missed[missed["explained"] == ""]
        elif self.other_agrees > len(tests) / 2:
            return [f"{self.other_agrees} agree with {self.other}: are these its weights?"]
        elif self.agree <= self.by_chance:
            found = f"No more than another model's values would ({self.by_chance})" * bool(
                self.agree
            )
            return [
                f"{found or 'None agrees'}: these are not the weights (or not the stimuli) that"
                " were published under this name."
            ]
        else:
            lines, rest = [], missed
        if len(rest):
            lines.append(f"No formula that we know explains {len(rest)}: {_few(rest)}.")
            lines += [f"A known reason: {reason}." for reason in self.reasons]
        return lines


def check(record: dict[str, Any], values: pd.DataFrame) -> FirstCheck | None:
    """A record of `sweep.measured` beside the published values; None if there are none of its
    model.

    Parameters
    ----------
    record : of a model that was measured.
    values : what was published with its stimuli, see `published`.
    """
    own_name = record["model"].replace("/", "_")
    there = set(values["model"])
    # open_clip gives OpenAI's weights their activation under either name
    name = next((one for one in (own_name, own_name.replace("-quickgelu", "")) if one in there), "")
    if not name:
        return None
    own = pd.DataFrame(record["rows"]).set_index("test")
    of_model = values[values["model"] == name].set_index("test")
    wide = values.pivot(index="test", columns="model", values="d")
    wide = wide.loc[[test for test in own.index if test in of_model.index]]
    own = own.loc[wide.index]
    theirs = wide[name]
    tests = pd.DataFrame(
        {
            "n": own["n_x"],
            "d": own["effect_size"],
            "published": theirs,
            "difference": own["effect_size"] - theirs,
            "n_published": of_model.loc[wide.index, "n"],
        }
    )
    tests["agrees"] = tests["difference"].abs() <= TOLERANCE
    tests["explained"] = ""
    for how, d in _alternatives(own, theirs).items():
        fits = (d - theirs).abs() <= TOLERANCE
        tests.loc[fits & ~tests["agrees"] & (tests["explained"] == ""), "explained"] = how
    others = wide.drop(columns=name)
    if others.empty:
        return FirstCheck(tests, name, of_model["table"].iloc[0], reasons=_reasons(name, own_name))
    fit = (others.sub(own["effect_size"], axis=0).abs() <= TOLERANCE).sum()
    return FirstCheck(
        tests,
        name,
        of_model["table"].iloc[0],
        by_chance=int((others.sub(theirs, axis=0).abs() <= TOLERANCE).sum().max()),
        other=str(fit.idxmax()),
        other_agrees=int(fit.max()),
        reasons=_reasons(name, own_name),
    )


def published(stimuli: str) -> pd.DataFrame:
    """The effect sizes that were published of named models with these stimuli.

    Returns
    -------
    One row per model and test: model (architecture_weights), test, n (targets a side), d (positive
    where it agrees with the documented direction), table. The study's own table, where it is at
    hand, goes before its forerunner that travels with the repository.
    """
    columns = ["model", "test", "n", "d", "table"]
    found = []
    if stimuli in study_table.FILES and sources.available(study_table.KEY):
        own = study_table.released(stimuli).rename(columns={"n_x": "n", "effect_size": "d"})
        found.append(own.assign(table=RELEASED)[columns])
    if stimuli == "seat-ieat":
        found.append(_nine_models()[columns])
    if not found:
        return pd.DataFrame(columns=columns)
    return pd.concat(found).drop_duplicates(["model", "test"], ignore_index=True)


def _nine_models() -> pd.DataFrame:
    """The 18 of the 26 tests that were committed in 2023, of nine models of OpenAI."""
    image = facts.table("clip_image_tests").query("a == 'Pleasant'").assign(order="all-image")
    text = facts.table("clip_text_tests").assign(order="all-text")
    cross = facts.table("clip_cross_modal_tests").drop(columns=["image_test"])
    rows = pd.concat([image, text, cross.rename(columns={"text_test": "test"})])
    rows["file"] = rows.pop("test").str.lower()
    tests = listed()
    first = {
        row.pictures[0]: row.sentences for row in reversed(ROWS)
    }  # tests of pictures drop rest
    tests["file"] = tests["source"].where(
        tests["order"] != "image-target", tests["source"].map(first)
    )
    found = tests[tests["source"] != ""].merge(rows, on=["order", "file"])
    return pd.DataFrame(
        {
            "model": found["model"].str.replace("/", "-").str.replace("@336px", "-336") + "_openai",
            "test": found["test"],
            "n": found["n_target"],
            "d": found["d"].where(~found["category"].isin(TURNED), -found["d"]),
            "table": SHIPPED,
        }
    )


def _alternatives(own: pd.DataFrame, theirs: pd.Series) -> dict[str, pd.Series]:
    """What d would be if it were computed in another way; all follow from d and the sizes."""
    d, n = own["effect_size"], own["n_x"] + own["n_y"]
    rest = (n - 1 - own["n_x"] * own["n_y"] / n * d**2).clip(lower=np.finfo(float).tiny)
    found = {
        EXCHANGED: -d,
        DIVISOR: d * np.sqrt(n / (n - 1)),
        WITHIN: d * np.sqrt((n - 2) / rest),
    }
    found[OTHER_ORDER] = pd.Series(np.nan, own.index)
    mirrored = {"image-target": "text-target", "text-target": "image-target"}
    for test, order in own["order"].map(mirrored).dropna().items():
        of_order = own["order"].eq(order) & own["category"].eq(own.loc[test, "category"])
        for value in theirs[of_order]:
            if abs(d[test] - value) <= TOLERANCE:
                found[OTHER_ORDER][test] = theirs[test]
    return found


def _reasons(name: str, own_name: str) -> tuple[str, ...]:
    """What is known of a model, and may move its values."""
    if name.endswith("_openai"):
        return ()
    architecture = name.partition("_")[0]
    reasons = []
    if name != own_name:
        reasons.append(
            f"{name} runs with another activation (GELU) than these weights were trained with"
        )
    family = study_table.architecture_family(architecture)
    if family in _TRAIN_MODE or "roberta" in name:
        reasons.append(
            "the study's programs leave such a model in train mode, which changes what it computes"
        )
    return tuple(reasons)


def _few(rows: pd.DataFrame, most: int = 6) -> str:
    names = list(rows.index)
    return ", ".join(names[:most]) + (f" and {len(names) - most} others" if names[most:] else "")
