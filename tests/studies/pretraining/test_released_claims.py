"""What released tables say of each claim, against loops over rows and the twin's numbers."""

import statistics

import numpy as np
import pytest

import vlmbias as vb
from studies.pretraining import downstream, effect_sizes, released, twin

CLAIMS = vb.ledger.load("pretraining")
R = downstream.printed(CLAIMS)["r"].to_dict()
NEW, OLD = (twin.generate(effect_sizes.cells(CLAIMS), R, stimuli=name) for name in ("new", "old"))
FOUND = released.recomputed(NEW, OLD)


def values(table, **where):
    return [
        row.effect_size
        for row in table.itertuples()
        if all(getattr(row, key) == value for key, value in where.items())
    ]


def test_shares_and_variances_are_those_of_loops():
    new, old = values(NEW), values(OLD)
    described, by_code = FOUND["described"], FOUND["released"]
    assert described["significant-new"] == pytest.approx(
        100 * sum(one >= 0.2 for one in new) / 3406
    )
    assert by_code["significant-old"] == pytest.approx(100 * sum(one > 0.2 for one in old) / 3406)
    spread = statistics.stdev(values(NEW, category="gender"))
    assert described["table2.gender.sd"] == pytest.approx(spread)
    share = 100 * sum(one > 0 for one in new) / 3406
    assert described["congruent"] == described["congruent-intro"] == pytest.approx(share)
    fall = 100 * (1 - statistics.variance(new) / statistics.variance(old))
    assert described["variance-fall"] == by_code["variance-average"] == pytest.approx(fall)
    falls = []
    for order in effect_sizes.ORDERS:
        after, before = (statistics.variance(values(one, order=order)) for one in (NEW, OLD))
        falls.append(100 * (1 - after / before))
    assert described["variance-average"] == pytest.approx(statistics.fmean(falls))
    assert described["variance-fall-text"] == pytest.approx(falls[1])
    assert described["variance-old"] == pytest.approx(statistics.variance(old))
    at = NEW.assign(effect_size=0.2)
    edge = released.recomputed(at, at.assign(effect_size=NEW["effect_size"]))
    assert (edge["described"]["significant-new"], edge["released"]["significant-new"]) == (100, 0)


def test_counts():
    number = NEW["model"].str[-3:].astype(int)
    origin = np.select([number < 10, number < 39], ["openai", "cherti"], "open_clip")
    found = released.recomputed(NEW.assign(origin=origin), OLD)["described"]
    assert [found[f"models-{name}"] for name in ("openai", "cherti", "openclip")] == [9, 29, 93]
    counts = {"models": 131, "cases": 3406, "datasets": 26, "architectures": 55, "bars": 20}
    assert {name: found[name] for name in counts} == counts


def shifted(table, by, **where):
    hit = np.logical_and.reduce([table[key] == value for key, value in where.items()])
    return table.assign(effect_size=table["effect_size"] + by * hit)


def test_statements_on_the_printed_cells():
    described = FOUND["described"]
    holds = ("negative-cells", "largest", "direction-caption", "varies", "unaffected")
    fails = ("direction", "lower-variance")  # All Text of race; Age in Text as Target
    assert [described[name] for name in (*holds, *fails)] == [True] * 5 + [False] * 2
    assert described["positive-cells"] == 17
    assert described["above-one"] == pytest.approx(1.066)


WEAK = NEW["effect_size"].where(NEW["category"] != "instrument-weapon", 0.5)


WIDE = np.where(NEW["category"].isin(["race", "age"]), 5, 1) * NEW["effect_size"]


TURNED = shifted(OLD, 1, category="race", order="all-text")


TURNED["effect_size"] *= np.where(TURNED["category"] == "gender", -1, 1)


@pytest.mark.parametrize(
    ("claims", "holds", "new", "old"),
    [
        (["negative-cells"], False, shifted(NEW, 1, category="age", order="all-image"), OLD),
        (["largest"], False, shifted(NEW, 2, category="race", order="all-text"), OLD),
        (["direction"], False, NEW, TURNED),
        (["direction-caption"], False, NEW, OLD.assign(effect_size=-OLD["effect_size"])),
        (["varies", "unaffected"], False, NEW.assign(effect_size=WEAK), OLD),
        (["lower-variance"], True, NEW.assign(effect_size=WIDE), OLD),
    ],
)
def test_statements_turn_where_the_data_say_otherwise(claims, holds, new, old):
    described = released.recomputed(new, old)["described"]
    assert [described[claim] for claim in claims] == [holds] * len(claims)


def test_values_stand_beside_what_is_printed():
    own = {f"effect_sizes.{name}": value for name, value in FOUND["described"].items()}
    found = released.beside({"described": own}, vb.ledger.claim).set_index("claim")
    cells = found[found.index.str.contains(r"\.(?:new|old)\.")]
    assert len(cells) == 80
    assert cells["agrees"].all(), "the twin has them"
    table2 = [f"effect_sizes.table2.{one}.mean" for one in effect_sizes.CATEGORIES]
    # the figure's rows: Table 2 exchanges two
    assert found.loc[table2, "agrees"].tolist() == [False, False, True, True, True]
    assert found.loc["effect_sizes.models", ["printed", "recomputed"]].tolist() == ["131", 131]
    assert not found.loc["effect_sizes.direction", "agrees"]
    assert found.loc["effect_sizes.largest", "agrees"]
