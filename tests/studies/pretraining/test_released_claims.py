"""What released tables say of each claim: against loops over rows, and against the printed numbers
of the twin."""

import statistics

import numpy as np
import pandas as pd
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


def test_cells_and_categories_are_those_of_loops():
    described = FOUND["described"]
    for name, table in (("new", NEW), ("old", OLD)):
        own = values(table, category="race", order="all-text")
        assert len(own) == 393
        assert described[f"{name}.race.all-text.mean"] == pytest.approx(statistics.fmean(own))
        assert described[f"{name}.race.all-text.sd"] == pytest.approx(statistics.stdev(own))
    own = values(NEW, category="gender")
    assert described["table2.gender.mean"] == pytest.approx(statistics.fmean(own))
    assert described["table2.gender.sd"] == pytest.approx(statistics.stdev(own))


def test_shares_and_variances_are_those_of_loops():
    new, old = values(NEW), values(OLD)
    described, by_code = FOUND["described"], FOUND["released"]
    assert described["significant-new"] == pytest.approx(
        100 * sum(one >= 0.2 for one in new) / 3406
    )
    assert by_code["significant-old"] == pytest.approx(100 * sum(one > 0.2 for one in old) / 3406)
    share = 100 * sum(one > 0 for one in new) / 3406
    assert described["congruent"] == described["congruent-intro"] == pytest.approx(share)
    fall = 100 * (1 - statistics.variance(new) / statistics.variance(old))
    assert described["variance-fall"] == by_code["variance-average"] == pytest.approx(fall)
    falls = [
        100
        * (
            1
            - statistics.variance(values(NEW, order=order))
            / statistics.variance(values(OLD, order=order))
        )
        for order in effect_sizes.ORDERS
    ]
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
    assert [found[name] for name in ("models", "cases", "datasets", "architectures", "bars")] == [
        131,
        3406,
        26,
        55,
        20,
    ]


def shifted(table, by, **where):
    hit = np.logical_and.reduce([table[key] == value for key, value in where.items()])
    return table.assign(effect_size=table["effect_size"] + by * hit)


@pytest.mark.parametrize(
    ("claim", "new", "old"),
    [
        ("negative-cells", shifted(NEW, 1, category="age", order="all-image"), OLD),
        ("largest", shifted(NEW, 2, category="race", order="all-text"), OLD),
        (
            "direction",
            NEW,
            shifted(OLD, 1, category="race", order="all-text").assign(
                effect_size=lambda own: own["effect_size"].where(
                    own["category"] != "gender", -own["effect_size"]
                )
            ),
        ),
        ("direction-caption", NEW, OLD.assign(effect_size=-OLD["effect_size"])),
    ],
)
def test_statements_are_false_where_the_data_say_otherwise(claim, new, old):
    assert released.recomputed(new, old)["described"][claim] is False


def test_statements_on_the_printed_cells():
    described = FOUND["described"]
    assert [described[name] for name in ("negative-cells", "largest", "direction-caption")] == [
        True,
        True,
        True,
    ]
    assert described["direction"] is False, "All Text of Race"
    assert described["positive-cells"] == 17
    assert described["above-one"] == pytest.approx(1.066)
    assert described["varies"] is True
    assert described["unaffected"] is True
    weak = NEW.assign(
        effect_size=NEW["effect_size"].where(NEW["category"] != "instrument-weapon", 0.5)
    )
    found = released.recomputed(weak, OLD)["described"]
    assert found["varies"] is False
    assert found["unaffected"] is False
    assert described["lower-variance"] is False, (
        "Age varies less than Instrument-Weapon in Text as Target"
    )
    five = np.where(NEW["category"].isin(["race", "age"]), 5, 1)
    wide = NEW.assign(effect_size=five * NEW["effect_size"])
    assert released.recomputed(wide, OLD)["described"]["lower-variance"] is True


def test_values_stand_beside_what_is_printed():
    own = {
        "described": {f"effect_sizes.{name}": value for name, value in FOUND["described"].items()}
    }
    found = released.beside(own, vb.ledger.claim).set_index("claim")
    cells = found[found.index.str.contains(r"\.(?:new|old)\.")]
    assert len(cells) == 80 and cells["agrees"].all(), "the twin has them"
    table2 = found.loc[
        [f"effect_sizes.table2.{one}.mean" for one in effect_sizes.CATEGORIES], "agrees"
    ]
    assert table2.tolist() == [False, False, True, True, True], (
        "the figure's rows, and Table 2 exchanges two"
    )
    assert found.loc["effect_sizes.models", ["printed", "recomputed", "agrees"]].tolist() == [
        "131",
        131,
        True,
    ]
    assert not found.loc["effect_sizes.direction", "agrees"]
    assert found.loc["effect_sizes.largest", "agrees"]
    assert isinstance(found, pd.DataFrame)
