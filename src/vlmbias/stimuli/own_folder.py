"""A reader's own folder of images: the table beside the pictures, and what each chapter needs of
it."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import islice, product
from pathlib import Path, PurePosixPath
from typing import Any

from vlmbias import paths
from vlmbias.number_signs import counted
from vlmbias.stimuli.reader_folders import METADATA, files
from vlmbias.whole_files import read_yaml

COLUMNS = {
    "path": "the picture: its path below the folder, with `/`",
    "name": "instead of `path`, the picture's file name, with or without its ending",
    "seed": "who it is: a number or a name, the same for all pictures of one identity",
    "race": "the group, in your words: one word without blanks",
    "gender": "a second grouping, likewise",
    "subset": (
        "`prototype` for the picture that the others of this identity and group vary, else which"
        " attribute differs from it: `age`, `smiling`, `lighting` or `pose`"
    ),
    "age": "a number, on your own scale",
    "smiling": "a number; 0 is neutral, higher smiles more",
    "lighting": "a number",
    "pose": "a number; 0 is frontal",
}
"""What the columns say; any others are kept as they are."""
NUMBERS = ("age", "smiling", "lighting", "pose")
SUBSETS = ("prototype", *NUMBERS)
# per column, what a whole cell has to match, and how a message says so
_GROUP = (r"\S+", "a group is one word without blanks; write {!r}")
_NUMBER = (
    r"[+-]?([0-9]{1,99}(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]{1,2})?",
    "must be a number, with a point before decimals; or call the column something else",
)
_RULES = {
    "race": _GROUP,
    "gender": _GROUP,
    "subset": ("|".join(SUBSETS), f"must be one of {', '.join(SUBSETS)}"),
    **dict.fromkeys(NUMBERS, _NUMBER),
}
_PERSON = ["seed", "race", "gender"]
# what people write where they do not know, beside what programs write
_UNKNOWN = ("unknown", "missing", "?", "-", "–", "—", ".")
_TABLES = (".csv", ".tsv", ".txt", ".json", ".jsonl", ".xlsx", ".parquet")
_TAKEN = ("image", "dimension", "word", "neutral", "cosine", "delta")  # columns of what is measured
_LARGEST, _SHOWN = 50_000_000, 3  # bytes of a table; examples in a line
_MOST = 10  # lines of a message
_SLACK = 1e-9  # a gap that is exceeded by rounding alone is not exceeded


class Faults(ValueError):
    """Everything that is wrong with a folder of pictures, a line each; of very many, the first.

    `columns` are those of its table, none where it cannot be read."""

    def __init__(self, found: Sequence[str], columns: Sequence[str] = ()):
        more = [f"and {len(found) - _MOST:,} more"] * (len(found) > _MOST)
        super().__init__("\n  ".join([*found[:_MOST], *more]))
        self.columns = columns


def read(root: Path, pictures: Sequence[str]) -> Any:
    """What is known of a folder's pictures (paths below it): path and name, then what
    `metadata.csv` says, in its order.

    Identities that are not whole numbers are numbered in the order in which they come; their names
    are then kept as `identity`. Every rule that the table or a picture breaks is told in one error,
    with file, row, value and what to do. Pictures are opened and not decoded.
    """
    import pandas as pd  # here, because the command line reads the declarations without it

    from vlmbias.stimuli import decoding

    unreadable = [why for path in pictures if (why := decoding.unreadable(root / path))]
    if (place := root / METADATA).exists():
        try:
            table = _cells(place)
        except ValueError as problem:
            raise Faults([str(problem), *unreadable]) from None
        table, found = _checked(table, pictures)
        if found or unreadable:
            raise Faults([*found, *unreadable], list(table))
    else:
        _no_other_table(root)
        if unreadable:
            raise Faults(unreadable, ["path"])
        table = pd.DataFrame({"path": pictures})
    names = [PurePosixPath(path).stem for path in table["path"]]
    table.insert(1, "name", names)
    if "seed" in table:
        if table["seed"].str.fullmatch("[0-9]{1,9}").all():
            return table.astype({"seed": int})
        table = table.assign(identity=table["seed"], seed=pd.factorize(table["seed"])[0])
    return table


def _checked(table: Any, pictures: Sequence[str]) -> tuple[Any, list[str]]:
    """The cells of a table as what they stand for, paths first; and what is wrong with them."""
    header = list(table)
    found = list(_of_header(header))
    table = table.loc[:, ~table.columns.duplicated()].fillna("")
    for name in table:
        found += _of_column(name, table[name])
    column = next((name for name in ("path", "name") if name in header), "")
    if {"path", "name"} <= {*header} or not column:
        return table, found
    paths_of, wrong = _pictures(column, table[column].tolist(), pictures)
    if found := [*found, *wrong]:
        return table, found
    table = table.astype({name: float for name in NUMBERS if name in table})
    table = table.drop(columns=column)
    table.insert(0, "path", paths_of)
    return table.reset_index(drop=True), []


def _no_other_table(root: Path) -> None:
    """Raise if the table beside the pictures has another name, or lies deeper."""
    for name in sorted(files(root)):
        pure = PurePosixPath(name)
        if pure.stem.casefold() == "metadata" and pure.suffix.casefold() in _TABLES:
            raise ValueError(
                f"{name!r} is not read: the table lies in the folder itself, is comma-separated,"
                f" and is called {METADATA}"
            )


def _of_column(column: str, own: Any) -> Iterable[str]:
    """What is wrong with the cells of a column, each value once: one that is empty, that breaks a
    rule, that stands for nothing, or that a reader would take for another."""
    from vlmbias import checked

    known: dict[str, str] = {}
    missing = {*map(str.casefold, checked.BLANK), *_UNKNOWN} if column in _PERSON else ()
    for cell, rows in own.groupby(own, sort=False).groups.items():
        place, said = f"{METADATA}, {_rows(rows)}: {column} = {cell!r}", ""
        pattern, rule = _RULES.get(column, ("", ""))
        if not cell:
            place = f"{METADATA}, {_rows(rows)}: {column or 'a column without a name'} is empty"
            said = "; every cell has a value: fill it, or leave out the column or the picture"
        elif pattern and not re.fullmatch(pattern, cell):
            said = f": {rule.format('_'.join(cell.split()))}"
        elif cell.casefold() in missing:
            said = (
                ", which stands for a missing value: say which it is, in other letters, or leave"
                " out the picture and its row"
            )
        elif column in _PERSON and (other := known.setdefault(_plain(cell), cell)) != cell:
            said = (
                f", and above it {other!r}: are they one? Write them alike, or so that they differ"
                " in more"
            )
        if said:
            yield place + said


def _rows(rows: Sequence[int]) -> str:
    """Rows of the table as a message names them."""
    return f"row{'s' * (len(rows) > 1)} {first_few(rows)}"


def first_few(things: Sequence[Any]) -> str:
    """The first few of them, and how many more there are."""
    more = f" and {len(things) - _SHOWN:,} more" * (len(things) > _SHOWN)
    return f"{', '.join(map(str, things[:_SHOWN]))}{more}"


def _plain(name: str) -> str:
    """A name without what a reader does not see: case, forms of a letter, zeros before a number."""
    plain = unicodedata.normalize("NFKC", name).casefold()
    plain = "".join(sign for sign in plain if unicodedata.category(sign) != "Cf")
    return repr(float(plain)) if re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,9})?", plain) else plain


def _cells(place: Path) -> Any:
    """The table as text; its index is the row in the file."""
    from vlmbias import checked

    try:
        if place.is_file() and place.stat().st_size > _LARGEST:
            raise ValueError(f"{METADATA} has over {_LARGEST:,} bytes, too many for such a table")
        table = checked.cells(place, METADATA).apply(lambda own: own.str.strip())
    except OSError as problem:
        raise ValueError(f"{METADATA} cannot be read ({problem.strerror})") from None
    except ValueError as problem:
        raise ValueError(
            f"{problem}; save it as comma-separated text in UTF-8, and put a cell that has a comma"
            " into quotation marks"
        ) from None
    table = table[1:].set_axis(list(table.iloc[0]), axis=1).set_axis(table.index[1:] + 1, axis=0)
    if table.empty:
        raise ValueError(
            f"{METADATA}: has no rows; the first line names the columns, then comes a line per"
            " picture"
        )
    return table


def _of_header(header: list[str]) -> Iterable[str]:
    """What is wrong with the names of columns; exactly one says which picture a row is about."""
    for name, times in Counter(header).items():
        if times > 1:
            yield f"{METADATA}: the column {name!r} is there more than once; rename or remove one"
        if name in _TAKEN:
            yield f"{METADATA}: the column {name!r} has a name that the measures use; rename it"
    for name in COLUMNS:
        if name in header and (like := [one for one in header if one.lower() == name != one]):
            yield (
                f"{METADATA}: the columns {name!r} and {like[0]!r} differ in case only; chapters"
                f" read {name!r}: rename or remove one"
            )
    if ("path" in header) == ("name" in header):
        yield (
            f"{METADATA}: has the columns {', '.join(header)}; exactly one of path and name says"
            " which picture a row is about"
        )


def _pictures(
    column: str, cells: list[str], pictures: Sequence[str]
) -> tuple[list[str], list[str]]:
    """The path of each row's picture; and what is wrong: each picture has one row, and each row one
    picture."""
    by_cell: dict[str, set[str]] = {}
    for path in pictures:
        pure = PurePosixPath(path)
        for called in [path] if column == "path" else {pure.name, pure.stem}:
            by_cell.setdefault(unicodedata.normalize("NFC", called), set()).add(path)
    form = partial(unicodedata.normalize, "NFC")  # macOS writes é as two signs, tables as one
    found = {cell: by_cell.get(form(cell.removeprefix("./")), set()) for cell in cells}
    rows = Counter(path for cell in cells for path in found[cell])
    broken = []
    for wrong, what, todo in (
        (
            [cell for cell in cells if cell and not found[cell]],
            "no picture for",
            f"write the {column} as it is in the folder, or remove the row",
        ),
        (
            [cell for cell in cells if len(found[cell]) > 1],
            "several pictures could be",
            "give the column path in place of name",
        ),
        (
            [path for path, times in rows.items() if times > 1],
            "more than one row for",
            "a picture has one row: remove the others",
        ),
        (
            sorted(set(pictures) - set(rows)),
            "no row for the picture",
            "add its row, or take it out of the folder",
        ),
    ):
        if wrong:
            broken.append(f"{METADATA}: {what} {first_few([*map(repr, wrong)])}; {todo}")
    return [path for cell in cells for path in found[cell]], broken


# --- what chapters need ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Needs:
    """What one chapter needs of a reader's folder, or why it can take none.

    Attributes
    ----------
    why : why it can take none; empty if it can.
    columns : columns of the table, beside that of the picture.
    groups : per grouping, the fewest and the most groups.
    series : the attributes that vary by themselves; every identity in every group then has one
        prototype, and the same levels of each of these.
    identities : the fewest.
    people : the fewest identities in each of the two groups of race that are compared.
    single : whether each picture of a group counts as another person.
    each : the fewest pictures of a group.
    beside : parameters with other image sets, which must have the same groups, and be drawn if the
        folder is.
    gaps : attribute -> the parameter by more than which two of its levels have to differ.
    inner : those of `gaps` of which two levels in the inner half of their range have to differ so,
        too.
    """

    why: str = ""
    columns: Sequence[str] = ()
    groups: Mapping[str, Sequence[int]] = field(default_factory=dict)
    series: Sequence[str] = ()
    identities: int = 0
    people: int = 0
    single: bool = False
    each: int = 0
    beside: Sequence[str] = ()
    gaps: Mapping[str, str] = field(default_factory=dict)
    inner: Sequence[str] = ()

    def lacks(self, table: Any, values: Mapping[str, Any] | None = None) -> list[str]:
        """What a folder's table lacks for the chapter, a sentence each; the gravest alone where the
        rest needs it. Without the `values` of the chapter's parameters, gaps are not looked at."""
        if self.why:
            return [f"this chapter takes no folder of your own: {self.why}"]
        if missing := self.missing(table):
            return missing
        found = list(self._few(table, values or {}))
        if not found and "subset" in self.columns:
            found = list(islice(_uneven(table, self.series), 1))
        return found or list(self._close(table, values or {}))

    def missing(self, columns: Iterable[str]) -> list[str]:
        """The columns that a table with these lacks, a sentence each."""
        there = set(columns)
        says = "has no" if there - {"path", "name"} else "is not there, with its"
        like = {name.casefold(): name for name in there}
        return [
            f"{METADATA} {says} column {name}, {COLUMNS[name]}"
            + f"; it has {like.get(name)!r}: write it {name}" * (name in like)
            for name in self.columns
            if name not in there
        ]

    def _few(self, table: Any, values: Mapping[str, Any]) -> Iterable[str]:
        """Groups, identities or pictures of which there are too few, or too many."""
        for column, (least, most) in self.groups.items():
            own = list(dict.fromkeys(table[column]))
            if not least <= len(own) <= most:
                yield (
                    f"{column} has {counted(len(own), 'group')} ({', '.join(own[:6])});"
                    f" the chapter compares {_between(least, most)}"
                )
        if self.identities and (n := table["seed"].nunique()) < self.identities:
            yield (
                f"seed has {counted(n, 'different value')}; the chapter resamples identities,"
                f" at least {self.identities}"
            )
        shown = table.groupby("race", sort=False)["seed"].nunique() if self.people else {}
        named = (values.get(name, "") for name in ("group", "other_group"))
        pair = two_groups(table, *named) if self.people else ()
        for group in dict.fromkeys(pair):
            if shown.get(group, self.people) < self.people:  # a name that is none is told elsewhere
                yield (
                    f"race {group!r} shows {counted(shown[group], 'identity', 'identities')}"
                    f" (seed); the chapter compares {' − '.join(pair)}, counts people, not"
                    f" pictures, and needs {self.people} in each: add pictures of others, or"
                    " compare other groups by `-p group=… -p other_group=…`"
                )
        if self.single and "seed" in table:
            yield from _several(table)
        if self.each and (sizes := table["race"].value_counts()).min() < self.each:
            yield (
                f"race {sizes.idxmin()!r} has {counted(sizes.min(), 'picture')}; the chapter needs"
                f" {self.each} of each group"
            )

    def _close(self, table: Any, values: Mapping[str, Any]) -> Iterable[str]:
        """Attributes of which no two levels are further apart than the chapter's parameter asks."""
        for attribute, parameter in self.gaps.items():
            levels = sorted(set(table[attribute]))
            shown = ", ".join(f"{level:g}" for level in levels[:8]) + ", …" * (len(levels) > 8)
            quarter = (levels[-1] - levels[0]) / 4 if attribute in self.inner else 0
            kept = [one for one in levels if levels[0] + quarter <= one <= levels[-1] - quarter]
            widest = kept[-1] - kept[0] if kept else 0.0
            if parameter not in values or widest > values[parameter] + _SLACK:
                continue
            where = " in the inner half of their range" * (attribute in self.inner)
            todo = f"it needs two levels{where}, as of five that are evenly spaced"
            if widest > 0:
                todo = f"give a {parameter} that is less, as `-p {parameter}={widest / 2:.2g}`"
            yield (
                f"the chapter draws pairs that differ in {attribute} by more than {parameter} ="
                f" {values[parameter]:g}; the levels are {shown}, and{where} they differ by"
                f" {widest:g} at most: {todo}"
            )

    def rules(self) -> list[str]:
        """What must hold beyond the columns, a phrase each."""
        found = [f"{_between(*size)} in `{column}`" for column, size in self.groups.items()]
        if "subset" in self.columns:
            levels = f", and with the same levels of {_and(self.series)}" if self.series else ""
            found.append(f"everybody once as prototype{levels}")
        if self.identities:
            found.append(f"at least {self.identities} identities")
        if self.people:
            found.append(f"at least {self.people} identities in each of the two groups compared")
        if self.single:
            found.append("one picture of each person in a group, as `seed` says if it is there")
        if self.each:
            found.append(f"at least {self.each} pictures of each group")
        if self.gaps:
            attributes, inner = _and(_code(self.gaps)), _and(_code(self.inner))
            by = _and(_code(dict.fromkeys(self.gaps.values())))
            half = f", in {inner} also within the inner half of its range" * bool(self.inner)
            found.append(
                f"levels of {attributes} that differ by more than the parameter {by}{half}"
            )
        if self.beside:
            found.append(f"groups named as in the sets beside yours, {_and(_code(self.beside))}")
        return found

    def __str__(self) -> str:
        if self.why:
            return self.lacks(None)[0]
        columns = [f"  {name}: {COLUMNS[name]}" for name in ("path", *self.columns)]
        more = [f"The chapter needs {'; '.join(rules)}."] if (rules := self.rules()) else []
        head = f"For your own pictures, {METADATA} has these columns, and any others:"
        return "\n".join([head, *columns, *more])

    def sentence(self) -> str:
        """What a page says of a reader's own folder."""
        if self.why:
            return f"You cannot use pictures of your own on this page: {self.why}."
        return "For your own pictures, add `-p stimuli=folder -p root=PATH`. "


def declared() -> Mapping[str, Needs]:
    """What every chapter needs, by notebook."""
    return read_yaml(
        paths.data() / "stimuli" / "own_images.yaml",
        lambda plain: {name: Needs(**needs) for name, needs in plain.items()},
    )


def two_groups(table: Any, first: str = "", second: str = "") -> tuple[str, str]:
    """The two groups of race that are compared: those named, else the first ones of the table;
    where it has one group alone, that twice."""
    own = [*dict.fromkeys(table["race"])]
    first = first or next((one for one in own if one != second), own[0])
    return first, second or next((one for one in own if one != first), first)


def _several(table: Any) -> Iterable[str]:
    """What is wrong where each picture counts as another person, and somebody has several."""
    times = table.groupby(["race", "seed"], sort=False).size()
    if (more := times[times > 1]).empty:
        return
    group, seed = more.index[0]
    own = table[(table["race"] == group) & (table["seed"] == seed)].iloc[0]
    yield (
        f"{len(more):,} of {counted(len(times), 'person', 'people')} (seed) have several pictures"
        f" in their group, as {own.get('identity', seed)} has {more.iloc[0]} in {group!r}; the"
        " chapter counts each picture as another person: keep one of each, all of one kind, such"
        " as the neutral one, in a folder with its own table. `vlmbias run greenhouse/measure`"
        " takes several, and counts people"
    )


def _between(minimum: int, maximum: int) -> str:
    return f"{minimum} groups" if minimum == maximum else f"{minimum} to {maximum} groups"


def _code(names: Iterable[str]) -> list[str]:
    return [f"`{name}`" for name in names]


def _and(names: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def _uneven(table: Any, series: Sequence[str]) -> Iterable[str]:
    """What keeps a table from being a set of series around prototypes; each needs those before."""
    shown = table[table["subset"].isin(["prototype", *series])]
    plain = shown[shown["subset"] == "prototype"].set_index(_PERSON)
    prototypes = plain.groupby(_PERSON).size()
    if (prototypes > 1).any():
        yield (
            f"{_who(prototypes.idxmax())} has {prototypes.max()} prototypes; mark one, and name"
            " what differs in the others"
        )
    everybody = list(product(*(dict.fromkeys(table[column]) for column in _PERSON)))
    if lost := [who for who in everybody if who not in prototypes.index]:
        yield (
            f"{_who(lost[0])} has no prototype: {len(prototypes)} of {len(everybody)} are there;"
            " the chapter needs every identity in every group, with subset = prototype once"
        )
    for attribute in [name for name in ("smiling", "pose") if name in series]:
        if (odd := plain.index[plain[attribute] != 0]).size:
            yield f"{_who(odd[0])} is a prototype, so its {attribute} has to be 0"
    for attribute in series:
        own = shown[shown["subset"] == attribute]
        other = [name for name in NUMBERS if name in table and name != attribute]
        theirs = plain.loc[list(own[_PERSON].itertuples(index=False, name=None)), other]
        if (wrong := (own[other].to_numpy() != theirs.to_numpy()).any(axis=1)).any():
            yield (
                f"{own.loc[wrong, 'path'].iloc[0]!r} is of subset {attribute} and differs from its"
                " prototype in more"
            )
        both = shown[shown["subset"].isin(["prototype", attribute])]
        levels = both.groupby(_PERSON)[attribute].agg(frozenset)
        first, least = levels.index[0], levels.iloc[0]
        uneven = [who for who, theirs in levels.items() if theirs != least]
        if uneven or len(least) < 3:
            odd = (*uneven, first)[0]
            yield (
                f"{_who(odd)} has {counted(len(levels[odd]), 'level')} of {attribute},"
                f" {_who(first)} has {len(least)}; the chapter needs the same three or more of"
                " everybody"
            )


def _who(person: Any) -> str:
    return "identity {}, {} {}".format(*person)
