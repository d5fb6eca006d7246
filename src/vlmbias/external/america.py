"""What outside tables say of the American states: the census of 2019, and the Implicit Association
Test by state. No state is left out, and no value that cannot be read is passed over."""

from pathlib import Path

import pandas as pd

from vlmbias import checked, sources
from vlmbias.external import facts
from vlmbias.stimuli.reader_folders import marked

GROUPS = ("white", "black", "asian", "latino")
STATES = {
    "AL": "Alabama",
    "AK": "Alaska",
    "AZ": "Arizona",
    "AR": "Arkansas",
    "CA": "California",
    "CO": "Colorado",
    "CT": "Connecticut",
    "DE": "Delaware",
    "DC": "District of Columbia",
    "FL": "Florida",
    "GA": "Georgia",
    "HI": "Hawaii",
    "ID": "Idaho",
    "IL": "Illinois",
    "IN": "Indiana",
    "IA": "Iowa",
    "KS": "Kansas",
    "KY": "Kentucky",
    "LA": "Louisiana",
    "ME": "Maine",
    "MD": "Maryland",
    "MA": "Massachusetts",
    "MI": "Michigan",
    "MN": "Minnesota",
    "MS": "Mississippi",
    "MO": "Missouri",
    "MT": "Montana",
    "NE": "Nebraska",
    "NV": "Nevada",
    "NH": "New Hampshire",
    "NJ": "New Jersey",
    "NM": "New Mexico",
    "NY": "New York",
    "NC": "North Carolina",
    "ND": "North Dakota",
    "OH": "Ohio",
    "OK": "Oklahoma",
    "OR": "Oregon",
    "PA": "Pennsylvania",
    "RI": "Rhode Island",
    "SC": "South Carolina",
    "SD": "South Dakota",
    "TN": "Tennessee",
    "TX": "Texas",
    "UT": "Utah",
    "VT": "Vermont",
    "VA": "Virginia",
    "WA": "Washington",
    "WV": "West Virginia",
    "WI": "Wisconsin",
    "WY": "Wyoming",
}
"""The fifty states and the District of Columbia, by the letters that the IAT file and maps use."""
_TILES = """
AK .. .. .. .. .. .. .. .. .. ME
.. .. .. .. .. .. .. .. .. VT NH
WA ID MT ND MN IL WI MI NY RI MA
OR NV WY SD IA IN OH PA NJ CT ..
CA UT CO NE MO KY WV VA MD DE ..
.. AZ NM KS AR TN NC SC DC .. ..
.. .. .. OK LA MS AL GA .. .. ..
HI .. .. TX .. .. .. .. FL .. ..
"""  # north is up, and neighbours stand near each other as far as squares allow
# codes of the census file; 3 and 5 are not among the paper's groups
_RACE = {1: "white", 2: "black", 4: "asian"}
_PEOPLE = 1_000_000_000  # more than there are in any cell of a census
_RESPONDENTS = {"all": None, "white": 6, "black": 5}  # codes of `raceomb`


def census(path: str | Path) -> pd.DataFrame:
    """The share of each group in each state, as the authors' code takes it from the census file.

    White, Black and Asian are counted where the origin is not Hispanic, Latina/o where it is; the
    denominator is the sum of these four, so that who is in none of them is left out. In this file a
    race is counted alone or in combination with others (it has five codes and none for two or more
    races): who reports two stands in two groups, and Latina/o, summed over the five codes, is
    counted once for each. `sc-est2019-alldata6.csv`, which the authors did not use, has the races
    alone.

    Parameters
    ----------
    path : `sc-est2019-alldata5.csv`, in UTF-8 or Latin-1.

    Returns
    -------
    DataFrame indexed by state (51), columns `GROUPS`; rows sum to 1.

    Raises
    ------
    ValueError
        For a column, a state or a group that is missing, rows that stand twice, counts that are no
        finite numbers from 0 up, or a state in which nobody is counted.
    """
    keys, count = ["NAME", "SEX", "ORIGIN", "RACE", "AGE"], "POPESTIMATE2019"
    table, called = checked.read(path, [*keys, count], comments=True, latin=True), repr(str(path))
    checked.once(table, keys, called)
    codes = {name: checked.numbers(table[name], called) for name in ("ORIGIN", "RACE")}
    people = checked.numbers(table[count], called, 0, _PEOPLE)
    numbers = table.assign(**codes, **{count: people})
    _all_states(numbers["NAME"], path)
    own = numbers[numbers["ORIGIN"].eq(1) & numbers["RACE"].isin(_RACE)]
    counts = own.groupby(["NAME", own["RACE"].map(_RACE)])[count].sum().unstack()
    counts["latino"] = numbers[numbers["ORIGIN"].eq(2)].groupby("NAME")[count].sum()
    if missing := [name for name in GROUPS if name not in counts or counts[name].isna().any()]:
        raise ValueError(f"{str(path)!r} counts nobody as {missing[0]} in some state")
    counts = _in_order(counts)
    if (empty := counts.sum(axis=1).eq(0)).any():
        raise ValueError(f"{str(path)!r} counts nobody in {counts.index[empty][0]}")
    return counts.div(counts.sum(axis=1), axis=0).rename_axis("state")


def tiles() -> pd.DataFrame:
    """Where each state stands in a map of equal squares: index state (51), columns row, column and
    letters."""
    lines = [line.split() for line in _TILES.split("\n") if line]
    found = [
        (STATES[letters], row, column, letters)
        for row, line in enumerate(lines)
        for column, letters in enumerate(line)
        if letters in STATES
    ]
    table = pd.DataFrame(found, columns=["state", "row", "column", "letters"]).set_index("state")
    return table.loc[sorted(STATES.values())]


def sentences(*, protocol: str = "released") -> list[str]:
    """The prompt of each state, in the order of `census`: "described" in the paper's Approach,
    "released" in its code.

    The text of the Approach puts the name right after "lives in"; the introduction and the code say
    "in the state of", and the code has a sentence of its own for the District of Columbia.
    """
    phrase = {"described": "lives in", "released": "lives in the state of"}
    if protocol not in phrase:
        raise ValueError(f"protocol must be one of {', '.join(phrase)}, got {protocol!r}")
    prompts = {
        name: f"a photo of someone who {phrase[protocol]} {name}"
        for name in sorted(STATES.values())
    }
    if protocol == "released":
        prompts["District of Columbia"] = "a photo of someone who lives in Washington, D.C."
    return list(prompts.values())


def released_census() -> pd.DataFrame:
    """The shares that Wolfe and Caliskan released, in the form of `census`; they ship (`facts`,
    "census_shares")."""
    return _in_order(facts.table("census_shares").set_index("state"))


def implicit(path: str | Path) -> pd.DataFrame:
    """Mean IAT score of each state, of all respondents, of White and of Black ones, unweighted.

    Parameters
    ----------
    path : `raceiatdat.csv`: a row per respondent with STATE (two letters), Implicit (the D score)
        and raceomb.

    Returns
    -------
    DataFrame indexed by state (51); columns all, white, black, and n_all, n_white, n_black.

    Raises
    ------
    ValueError
        For a column or a state that is missing, a score that is no number from -2 to 2 (D cannot
        lie beyond), a code that is no number, a state that is not two letters, or one in which
        nobody, no White or no Black respondent has a score. Blank cells are passed over.
    """
    columns, called = ["STATE", "Implicit", "raceomb"], repr(str(path))
    table = checked.read(path, columns, comments=True, latin=True).apply(
        lambda own: own.str.strip()
    )
    score = checked.numbers(table["Implicit"], called, -2, 2, missing=checked.BLANK)
    if score.isna().all():
        raise ValueError(
            f"{called}: Implicit is blank in all {len(table):,} rows, so that there is no score"
        )
    letters = table["STATE"].str.upper()
    known = letters.str.fullmatch("[A-Z]{2}") | letters.isin(checked.BLANK)  # territories, too
    checked.hold(known, table["STATE"], called, "a state's two letters, or blank")
    state = letters.map(STATES)
    _all_states(state.dropna(), path)
    race, found = checked.numbers(table["raceomb"], called, missing=checked.BLANK), {}
    for name, code in _RESPONDENTS.items():
        chosen = score.notna() & (True if code is None else race.eq(code))
        by_state = score[chosen].groupby(state[chosen])
        found[name], found[f"n_{name}"] = by_state.mean(), by_state.size()
    means = pd.DataFrame(found)
    means = means.reindex(sorted(STATES.values()))
    if (empty := means[["white", "black"]].isna().any(axis=1)).any():
        raise ValueError(
            f"{str(path)!r} has no White or no Black respondent with a score in"
            f" {means.index[empty][0]}"
        )
    return means.rename_axis("state").astype({name: int for name in means if name.startswith("n_")})


def source_of(key: str) -> str:
    """What a record calls a source's table: its key, after the Greenhouse's name where the mark is
    inside."""
    return f"greenhouse/{key}" if marked(sources.supplied(key)) else key


def _all_states(names: pd.Series, path: str | Path) -> None:
    there = set(names)
    if missing := [name for name in STATES.values() if name not in there]:
        raise ValueError(f"{str(path)!r} lacks {len(missing)} of 51 states, such as {missing[0]}")


def _in_order(table: pd.DataFrame) -> pd.DataFrame:
    return table.loc[sorted(STATES.values()), list(GROUPS)]
