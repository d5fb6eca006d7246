"""Census and IAT tables: against loops over the rows, and against the shares that the authors
released."""

import itertools

import numpy as np
import pandas as pd
import pytest

from vlmbias.external import america

NAMES = sorted(america.STATES.values())


def census_rows(seed=0):
    random = np.random.default_rng(seed)
    cells = itertools.product(NAMES, (0, 1, 2), (0, 1, 2), (1, 2, 3, 4, 5), (0, 40))
    rows = pd.DataFrame(cells, columns=["NAME", "SEX", "ORIGIN", "RACE", "AGE"])
    return rows.assign(
        POPESTIMATE2018=random.integers(1, 900, len(rows)),
        POPESTIMATE2019=random.integers(1, 900, len(rows)),
    )


def cell(table, row, column, value):
    """The table with one cell as given, as text."""
    table = table.astype({column: object})
    table.loc[row, column] = value
    return table


def write(path, table, encoding="utf-8"):
    table.to_csv(path, index=False, encoding=encoding)
    return path


def test_shares_are_those_of_a_loop(tmp_path):
    rows = census_rows().assign(COUNTY="Doña Ana")
    found = america.census(write(tmp_path / "census.csv", rows.sample(frac=1, random_state=1)))
    for encoding in ("latin-1", "utf-8-sig"):
        assert found.equals(america.census(write(tmp_path / "other.csv", rows, encoding)))
    assert found.index.tolist() == NAMES and tuple(found) == america.GROUPS
    for state in ("Alaska", "Texas"):
        counts = dict.fromkeys(america.GROUPS, 0)
        for row in rows[rows["NAME"] == state].itertuples():
            if row.ORIGIN == 1 and row.RACE in (1, 2, 4):
                counts[{1: "white", 2: "black", 4: "asian"}[row.RACE]] += row.POPESTIMATE2019
            if row.ORIGIN == 2:
                counts["latino"] += row.POPESTIMATE2019
        assert found.loc[state].to_dict() == pytest.approx(
            {name: number / sum(counts.values()) for name, number in counts.items()}
        )


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda t: t.drop(columns="POPESTIMATE2019"), "lacks the column 'POPESTIMATE2019'"),
        (lambda t: t[t["NAME"] != "Idaho"], "lacks 1 of 51 states, such as Idaho"),
        (lambda t: pd.concat([t, t.head(3)]), "the row Alabama, .* stands twice"),
        (
            lambda t: t[(t["NAME"] != "Ohio") | (t["RACE"] != 4)],
            "counts nobody as asian in some state",
        ),
        (
            lambda t: cell(t, 7, "POPESTIMATE2019", "-3"),
            "POPESTIMATE2019 in line 9 is '-3', .* from 0 to",
        ),
        (
            lambda t: t.assign(POPESTIMATE2019=t["POPESTIMATE2019"].where(t["NAME"] != "Ohio", 0)),
            "nobody in Ohio",
        ),
    ],
)
def test_a_damaged_census_is_named(tmp_path, change, message):
    with pytest.raises(ValueError, match=message):
        america.census(write(tmp_path / "census.csv", change(census_rows())))


def test_the_released_shares_read():
    found = america.released_census()
    assert found.shape == (51, 4) and np.allclose(found.sum(axis=1), 1)
    assert (
        found.loc["Mississippi", "black"] == 0.3796553943903357
        and found.loc["Hawaii"].idxmax() == "asian"
    )


def iat_rows(seed=1, n=3000):
    random = np.random.default_rng(seed)
    letters = [*america.STATES] * 3
    first = pd.DataFrame({"STATE": letters, "raceomb": [5.0] * 51 + [6.0] * 51 + [3.0] * 51})
    more = pd.DataFrame(
        {
            "STATE": random.choice([*america.STATES], n),
            "raceomb": random.choice([3.0, 5.0, 6.0, np.nan], n),
        }
    )
    rows = pd.concat([first, more], ignore_index=True)
    return rows.assign(Implicit=random.normal(0.3, 0.4, len(rows)).round(4))


def test_means_by_state_are_those_of_a_loop(tmp_path):
    rows = iat_rows()
    rows.loc[51::5, "Implicit"] = np.nan  # who has no score is not counted
    extra = pd.DataFrame({"STATE": ["PR", None], "raceomb": [6.0, 6.0], "Implicit": [1.9, 1.9]})
    found = america.implicit(write(tmp_path / "iat.csv", pd.concat([rows, extra])))
    assert found.index.tolist() == NAMES
    for letters, code, column in (("HI", 6.0, "white"), ("DC", 5.0, "black"), ("AL", None, "all")):
        kept = [
            row.Implicit
            for row in rows.itertuples()
            if letters == row.STATE
            and (code is None or row.raceomb == code)
            and row.Implicit == row.Implicit
        ]
        assert found.loc[america.STATES[letters], column] == pytest.approx(sum(kept) / len(kept))
        assert found.loc[america.STATES[letters], f"n_{column}"] == len(kept)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda t: cell(t, 3, "raceomb", "White"), "raceomb in line 5 is 'White', not a number"),
        (
            lambda t: t.replace({"STATE": {"AL": "Alabama"}}),
            "STATE in line .* is 'Alabama', not a state's two letters",
        ),
        (
            lambda t: t[(t["STATE"] != "VT") | (t["raceomb"] != 5)],
            "no Black respondent with a score in Vermont",
        ),
        (
            lambda t: cell(t, 4, "Implicit", "2.01"),
            "Implicit in line 6 is '2.01', not a number from -2 to 2",
        ),
        (
            lambda t: t.assign(Implicit=""),
            "Implicit is blank in all",
        ),
    ],
)
def test_a_damaged_iat_table_is_named(tmp_path, change, message):
    with pytest.raises(ValueError, match=message):
        america.implicit(write(tmp_path / "iat.csv", change(iat_rows())))


def test_every_state_has_a_square_of_its_own():
    found = america.tiles()
    assert found.index.tolist() == NAMES and not found.duplicated(["row", "column"]).any()
    assert found["letters"].map(america.STATES).tolist() == NAMES
    north, south = found.loc["North Dakota"], found.loc["South Dakota"]
    assert (
        north["row"] < south["row"]
        and found.loc["California", "column"] < found.loc["New York", "column"]
    )


def test_sentences_are_those_of_the_paper_and_of_its_code():
    described, released = america.sentences(protocol="described"), america.sentences()
    at = NAMES.index("District of Columbia")
    assert described[at] == "a photo of someone who lives in District of Columbia"
    assert released[at] == "a photo of someone who lives in Washington, D.C."
    assert (
        released[0] == "a photo of someone who lives in the state of Alabama"
        and len(released) == 51
    )
    assert described[-1] == "a photo of someone who lives in Wyoming"
    with pytest.raises(ValueError, match="described, released, got 'both'"):
        america.sentences(protocol="both")
