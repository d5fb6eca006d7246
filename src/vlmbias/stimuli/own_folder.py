"""A reader's own folder of images: the table beside the pictures, and what each chapter needs of
it.

Comes in: a folder with `metadata.csv`, and `data/own_images.yaml`, where the chapters' needs are
declared. Goes out: one row per picture, checked; what a chapter lacks, and sentences that say what
it needs. May not: open a picture, or guess at a cell.
"""

import csv
import io
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from pathlib import Path, PurePosixPath
from typing import Annotated, Any

from pydantic import BaseModel, Field, TypeAdapter, model_validator

from vlmbias import paths
from vlmbias.whole_files import read_regular, read_yaml

TABLE = "metadata.csv"
"""The table's name, in the folder itself."""
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
WORDS, NUMBERS = ("race", "gender"), ("age", "smiling", "lighting", "pose")
SUBSETS = ("prototype", *NUMBERS)
_PERSON = ("seed", "race", "gender")
_TAKEN = ("image", "dimension", "word", "neutral", "cosine", "delta")  # columns of what is measured
_LARGEST, _SHOWN = 50_000_000, 3  # bytes of a table; examples in a message
_SLACK = 1e-9  # a gap that is exceeded by rounding alone is not exceeded


def read(root: Path, pictures: Sequence[str]) -> Any:
    """What is known of a folder's pictures: what `metadata.csv` says, or without such a table their
    names alone.

    Parameters
    ----------
    root : the folder.
    pictures : its image files, as paths below it.

    Returns
    -------
    DataFrame, in the order of `metadata.csv`: path and name (without ending), then its columns.
    Identities that are not whole numbers are numbered in the order in which they come; their names
    are then kept as `identity`.

    Raises
    ------
    ValueError
        For the first rule that the table breaks, with file, row, value and what to do.
    """
    import pandas as pd  # here, because the command line reads the declarations without it

    if not (place := root / TABLE).exists():
        return pd.DataFrame(
            {"path": pictures, "name": [PurePosixPath(path).stem for path in pictures]}
        )
    header, rows = _cells(place)
    named = _named(header)
    found = _pictures(named, [row[header.index(named)] for row in rows], pictures)
    columns = {name: [row[at] for row in rows] for at, name in enumerate(header) if name != named}
    values = {name: _values(name, cells) for name, cells in columns.items()}
    table = pd.DataFrame(
        {"path": found, "name": [PurePosixPath(path).stem for path in found], **values}
    )
    if "seed" in columns and not all(isinstance(one, int) for one in values["seed"]):
        table = table.assign(
            identity=columns["seed"], seed=pd.factorize(pd.Series(columns["seed"]))[0]
        )
    return table


def _cells(place: Path) -> tuple[list[str], list[list[str]]]:
    """The header and the rows, every cell there and none empty."""
    try:
        content = read_regular(place, _LARGEST + 1)
        if len(content) > _LARGEST:
            raise ValueError(
                f"it has over {_LARGEST:,} bytes; leave out the columns that no chapter reads"
            )
        lines = list(
            csv.reader(io.StringIO(content.decode("utf-8-sig").rstrip(), newline=""), strict=True)
        )
    except OSError as problem:
        raise ValueError(f"{TABLE}: cannot be read ({problem.strerror})") from None
    except (ValueError, csv.Error) as problem:
        raise ValueError(
            f"{TABLE}: is no table: {problem}; save it as comma-separated text in UTF-8"
        ) from None
    if len(lines) < 2:
        raise ValueError(
            f"{TABLE}: has no rows; the first line names the columns, then comes a line per picture"
        )
    header, rows = (
        [name.strip() for name in lines[0]],
        [[cell.strip() for cell in row] for row in lines[1:]],
    )
    for number, row in enumerate(rows, 2):
        if len(row) != len(header):
            raise ValueError(
                f"{TABLE}, row {number}: has {len(row)} cells for {len(header)} columns; separate"
                " cells by commas, and put a cell that has one into quotation marks"
            )
        if "" in row:
            raise ValueError(
                f"{TABLE}, row {number}: {header[row.index('')] or 'a column without a name'} is"
                " empty; every cell has a value: fill it, or leave out the column or the picture"
            )
    return header, rows


def _named(header: list[str]) -> str:
    """The column that says which picture a row is about."""
    if twice := [name for name, times in Counter(header).items() if times > 1]:
        raise ValueError(f"{TABLE}: the column {twice[0]!r} is there twice; rename or remove one")
    if taken := [name for name in header if name in _TAKEN]:
        raise ValueError(
            f"{TABLE}: the column {taken[0]!r} has a name that the measures use; rename it"
        )
    given = [name for name in ("path", "name") if name in header]
    if len(given) != 1:
        raise ValueError(
            f"{TABLE}: has the columns {', '.join(header)}; exactly one of path and name says which"
            " picture a row is about"
        )
    return given[0]


def _pictures(column: str, cells: list[str], pictures: Sequence[str]) -> list[str]:
    """The path of each row's picture; each picture has one row, and each row one picture."""
    by_cell: dict[str, set[str]] = {}
    for path in pictures:
        pure = PurePosixPath(path)
        for called in [path] if column == "path" else {pure.name, pure.stem}:
            by_cell.setdefault(called, set()).add(path)
    found = [by_cell.get(cell.removeprefix("./"), set()) for cell in cells]
    if lost := [cell for cell, paths in zip(cells, found, strict=True) if not paths]:
        raise ValueError(
            f"{TABLE}: no picture for {_some(lost)}; write the {column} as it is in the folder, or"
            " remove the row"
        )
    if several := [cell for cell, paths in zip(cells, found, strict=True) if len(paths) > 1]:
        raise ValueError(
            f"{TABLE}: {_some(several)} could be several pictures; give the column path in place of"
            " name"
        )
    whole = [next(iter(paths)) for paths in found]
    if twice := [path for path, times in Counter(whole).items() if times > 1]:
        raise ValueError(
            f"{TABLE}: more than one row for {_some(twice)}; a picture has one row: remove the"
            " others"
        )
    if bare := sorted(set(pictures) - set(whole)):
        raise ValueError(
            f"{TABLE}: no row for the picture {_some(bare)}; add its row, or take it out of the"
            " folder"
        )
    return whole


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - _SHOWN:,} more" if len(names) > _SHOWN else ""
    return ", ".join(map(repr, names[:_SHOWN])) + more


def _values(column: str, cells: list[str]) -> list[Any]:
    """A column's values by its type; columns without one are kept as text."""
    if column == "seed":
        whole = [cell.isascii() and cell.isdecimal() and len(cell) < 10 for cell in cells]
        return [int(cell) for cell in cells] if all(whole) else cells
    return [_value(column, cell, row) for row, cell in enumerate(cells, 2)]


def _value(column: str, cell: str, row: int) -> Any:
    where = f"{TABLE}, row {row}: {column} = {cell!r}"
    if column in WORDS and len(cell.split()) != 1:
        raise ValueError(
            f"{where}: a group is one word without blanks; write {'_'.join(cell.split())!r}"
        )
    if column == "subset" and cell not in SUBSETS:
        raise ValueError(f"{where}: must be one of {', '.join(SUBSETS)}")
    if column not in NUMBERS:
        return cell
    try:
        number = float(cell)
    except ValueError:
        number = math.nan
    if not math.isfinite(number) or "_" in cell:
        raise ValueError(
            f"{where}: must be a number, with a point before decimals; or call the column something"
            " else"
        )
    return number


# --- what chapters need ---------------------------------------------------------------------------


class Needs(BaseModel, extra="forbid", frozen=True):
    """What one chapter needs of a reader's folder, or why it can take none.

    Attributes
    ----------
    why : why it can take none; empty if it can.
    columns : columns of the table, beside that of the picture.
    groups : per grouping, the fewest and the most groups.
    series : the attributes that vary by themselves; every identity in every group then has one
        prototype, and the same levels of each of these.
    identities : the fewest.
    each : the fewest pictures of a group.
    beside : parameters with other image sets, which must have the same groups, and be drawn if the
        folder is.
    gaps : attribute -> the parameter by more than which two of its levels have to differ.
    inner : those of `gaps` of which two levels in the inner half of their range have to differ so,
        too.
    """

    why: str = ""
    columns: tuple[str, ...] = ()
    groups: dict[str, tuple[int, int]] = {}
    series: tuple[str, ...] = ()
    identities: int = 0
    each: int = 0
    beside: tuple[str, ...] = ()
    gaps: dict[str, str] = {}
    inner: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _whole(self) -> "Needs":
        if bool(self.why) == bool(self.columns):
            raise ValueError(
                "a chapter either has `columns` that it needs, or says `why` it takes no folder"
            )
        person = (*_PERSON, "subset") if self.series else ()
        wanted = {*self.groups, *self.series, *self.gaps, *self.inner, *person}
        if strangers := sorted((wanted - set(self.columns)) | (set(self.columns) - set(COLUMNS))):
            raise ValueError(
                f"{strangers[0]}: is used but not among `columns`, or is no column of {TABLE}"
            )
        return self

    def lacks(self, table: Any, values: Mapping[str, Any] | None = None) -> list[str]:
        """What a folder's table lacks for the chapter, a sentence each; the gravest alone where the
        rest needs it.

        Parameters
        ----------
        table : as from `read`.
        values : value by parameter of the chapter; without them, gaps are not looked at.
        """
        if self.why:
            return [f"this chapter takes no folder of your own: {self.why}"]
        if missing := [name for name in self.columns if name not in table]:
            return [f"{TABLE} has no column {name}, {COLUMNS[name]}" for name in missing]
        found = [*self._groups(table), *self._few(table)]
        found = found or (list(_uneven(table, self.series)) if "subset" in self.columns else [])
        return found or list(self._close(table, values or {}))

    def _close(self, table: Any, values: Mapping[str, Any]) -> Iterable[str]:
        """Where no two levels of an attribute are further apart than the chapter's parameter
        asks."""
        for attribute, parameter in self.gaps.items():
            levels = sorted(set(table[attribute]))
            shown = ", ".join(f"{level:g}" for level in levels[:8]) + ", …" * (len(levels) > 8)
            quarter = (levels[-1] - levels[0]) / 4 if attribute in self.inner else 0
            kept = [
                level for level in levels if levels[0] + quarter <= level <= levels[-1] - quarter
            ]
            widest = kept[-1] - kept[0] if kept else 0.0
            if parameter not in values or widest > values[parameter] + _SLACK:
                continue
            where = " in the inner half of their range" * (attribute in self.inner)
            rule = (
                f"the chapter draws pairs that differ in {attribute} by more than {parameter} ="
                f" {values[parameter]:g}; the levels are {shown}, and{where} they differ by"
                f" {widest:g} at most"
            )
            yield rule + (
                f": give a {parameter} that is less, as `-p {parameter} {widest / 2:.2g}`"
                if widest > 0
                else f": it needs two levels{where}, as of five that are evenly spaced"
            )

    def _groups(self, table: Any) -> Iterable[str]:
        for column, (least, most) in self.groups.items():
            own = list(dict.fromkeys(table[column]))
            if not least <= len(own) <= most:
                yield (
                    f"{column} has {len(own)} group{'s' * (len(own) > 1)} ({', '.join(own[:6])});"
                    f" the chapter compares {_between(least, most)}"
                )

    def _few(self, table: Any) -> Iterable[str]:
        if self.identities and (n := table["seed"].nunique()) < self.identities:
            yield (
                f"seed has {n} different values; the chapter resamples identities, at least"
                f" {self.identities}"
            )
        if self.each:
            sizes = table["race"].value_counts()
            if sizes.min() < self.each:
                yield (
                    f"race {sizes.idxmin()!r} has {sizes.min()} pictures; the chapter needs"
                    f" {self.each} of each group"
                )

    def rules(self) -> list[str]:
        """What must hold beyond the columns, a phrase each."""
        found = [f"{_between(*size)} in `{column}`" for column, size in self.groups.items()]
        if "subset" in self.columns:
            levels = f", and with the same levels of {_and(self.series)}" if self.series else ""
            found.append(f"everybody once as prototype{levels}")
        if self.identities:
            found.append(f"at least {self.identities} identities")
        if self.each:
            found.append(f"at least {self.each} pictures of each group")
        if self.gaps:
            inner = (
                f", in {_and([f'`{name}`' for name in self.inner])} also within the inner half of"
                " its range"
            )
            by = _and([f"`{name}`" for name in dict.fromkeys(self.gaps.values())])
            found.append(
                f"levels of {_and([f'`{name}`' for name in self.gaps])} that differ by more than"
                f" the parameter {by}{inner * bool(self.inner)}"
            )
        if self.beside:
            found.append(
                "groups named as in the sets beside yours,"
                f" {_and([f'`{name}`' for name in self.beside])}"
            )
        return found

    def sentence(self) -> str:
        """What a page says before it lists `rules`: whether the chapter takes a folder, and which
        columns its table needs."""
        if self.why:
            return f"You cannot use pictures of your own on this page: {self.why}."
        plural = "s" * (len(self.columns) > 1)
        return (
            "To use your own pictures, add `-p stimuli folder -p root PATH`, where PATH is your"
            f" folder. In it, the table `{TABLE}` describes each picture: beside its `path` or"
            f" `name`, it has the column{plural} {_and([f'`{name}`' for name in self.columns])}."
            " What is needed:"
        )


def _between(minimum: int, maximum: int) -> str:
    return f"{minimum} groups" if minimum == maximum else f"{minimum} to {maximum} groups"


def _and(names: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def _uneven(table: Any, series: Sequence[str]) -> Iterable[str]:
    """Where a table is not a set of series around prototypes: the first thing that is wrong."""
    shown = table[table["subset"].isin(["prototype", *series])]
    prototypes = shown[shown["subset"] == "prototype"].groupby(list(_PERSON)).size()
    wanted = math.prod(table[column].nunique() for column in _PERSON)
    if (prototypes > 1).any():
        yield (
            f"{_who(prototypes.idxmax())} has {prototypes.max()} prototypes; mark one, and name"
            " what differs in the others"
        )
        return
    if len(prototypes) < wanted:
        lost = next(who for who in _everybody(table) if who not in prototypes.index)
        yield (
            f"{_who(lost)} has no prototype: {len(prototypes)} of {wanted} are there; the chapter"
            " needs every identity in every group, with subset = prototype once"
        )
        return
    plain = shown[shown["subset"] == "prototype"].set_index(list(_PERSON))
    for attribute in [name for name in ("smiling", "pose") if name in series and plain[name].any()]:
        yield (
            f"{_who(plain.index[plain[attribute] != 0][0])} is a prototype, so its {attribute} has"
            " to be 0"
        )
        return
    for attribute in series:
        own = shown[shown["subset"] == attribute]
        other = [name for name in NUMBERS if name in table and name != attribute]
        expected = plain.loc[
            list(own[list(_PERSON)].itertuples(index=False, name=None)), other
        ].to_numpy()
        if (wrong := (own[other].to_numpy() != expected).any(axis=1)).any():
            yield (
                f"{own.loc[wrong, 'path'].iloc[0]!r} is of subset {attribute} and differs from its"
                " prototype in more"
            )
            return
        levels = (
            shown[shown["subset"].isin(["prototype", attribute])]
            .groupby(list(_PERSON))[attribute]
            .agg(frozenset)
        )
        if len(next(iter(levels))) < 3 or levels.nunique() > 1:
            odd = next(
                (who for who, own in levels.items() if own != levels.iloc[0]), levels.index[0]
            )
            yield (
                f"{_who(odd)} has {len(levels[odd])} levels of {attribute}, {_who(levels.index[0])}"
                f" has {len(levels.iloc[0])}; the chapter needs the same three or more of everybody"
            )
            return


def _everybody(table: Any) -> Iterable[tuple[Any, ...]]:
    return product(*(dict.fromkeys(table[column]) for column in _PERSON))


def _who(person: Any) -> str:
    return "identity {}, {} {}".format(*person)


_Declared = Annotated[dict[str, Needs], Field(min_length=1)]


def declared() -> Mapping[str, Needs]:
    """What every chapter needs, by notebook; a malformed file is an error with its line."""
    return read_yaml(paths.data() / "own_images.yaml", TypeAdapter(_Declared).validate_python)
