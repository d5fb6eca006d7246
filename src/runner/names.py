"""Whether what a reader names exists (an image set, a prompt set, a model, a folder, a group), and
whether a chapter can work on a folder of the reader's own; before anything is decoded or loaded.
"""

import json
import os
from collections.abc import Collection, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import yaml

from runner.parameters import Parameter
from runner.used import ROOMS
from vlmbias import paths
from vlmbias.number_signs import counted
from vlmbias.sources.published_weights import source_of
from vlmbias.stimuli.reader_folders import words_file


def from_here(known: Mapping[str, Parameter], given: Mapping[str, str]) -> dict[str, str]:
    """What a reader gave, each relative path of a file or folder as it is named from anywhere.

    A path that leads to nothing from where the reader stands is left as it is: it may be meant from
    the root.
    """
    found = dict(given)
    for name, value in given.items():
        if name not in known or known[name].kind not in (*ROOMS, "folder", "table", "prompt set"):
            continue
        items = yaml.safe_load(value) if isinstance(known[name].default, list) else value
        if isinstance(items, list):
            whole = [_from_anywhere(str(item), known[name].kind) for item in items]
            found[name] = json.dumps(whole, ensure_ascii=False) if whole != items else value
        else:
            found[name] = _from_anywhere(value, known[name].kind)
    return found


def model_from_here(name: str) -> str:
    """A model as a reader named it; the path of a folder as it is named from anywhere."""
    return _from_anywhere(name, "model")


def _from_anywhere(name: str, kind: str) -> str:
    """A path from the root if it lies below it, else a whole one; anything else as it is."""
    given = words_file(name) if kind == "prompt set" else name
    ours = kind in ROOMS and (given.split("/")[0] == "greenhouse" or source_of(given))
    if ours or not given or os.path.isabs(given) or not os.path.exists(given):
        return name
    whole, root = Path(os.path.abspath(name)), paths.root()
    return str(whole.relative_to(root) if whole.is_relative_to(root) and whole != root else whole)


def check(
    known: Mapping[str, Parameter],
    values: Mapping[str, Any],
    *,
    given: Collection[str],
    notebook: str = "",
) -> None:
    """Raise unless every name that a reader gave stands for something here.

    What the settings chose is not looked up: data that they lack become a note.

    Parameters
    ----------
    known : the notebook's parameters, by name.
    values : value by name, from the settings and from the reader.
    given : which of them the reader gave.
    notebook : its name, `<paper>/<name>`.

    Raises
    ------
    ValueError
        With a line per wrong name: parameter, value and what is valid.
    """
    everything = {name: one.default for name, one in known.items()} | dict(values)
    broken = [
        f"{name} = {item!r}: {problem}"
        for name in given
        for item in known[name].named(values[name])
        if (problem := _problem(known, name, item, values))
    ]
    if "root" in given:
        broken += _unread_root(everything)
    unread = any(line.startswith(("root = ", "stimuli = ")) for line in broken)
    if not unread and "folder" in _image_sets(known, everything).values():
        broken += own_folder_problems(notebook, known, everything)
    if "results" in given:
        broken.append(
            f"results = {values['results']!r}: a rerun writes into a folder of its own; leave it"
            " out"
        )
    if broken:
        raise ValueError("\n  ".join(["wrong parameters", *broken]))


def _problem(
    known: Mapping[str, Parameter], parameter: str, name: str, values: Mapping[str, Any]
) -> str:
    """Why there is no such thing; empty if there is."""
    kind = known[parameter].kind
    placed = any(  # a folder is given, in which a set may lie
        known[other].kind == "folder" and any(known[other].named(value))
        for other, value in values.items()
    )
    try:
        if kind == "image set":
            _image_set(name, placed)
        elif kind == "prompt set":
            from vlmbias.stimuli.prompts import prompts

            there, wanted = (
                dict.fromkeys(prompts(one).table["dimension"]) if one else {}
                for one in (name, known[parameter].default)
            )
            if lost := [repr(one) for one in wanted if one not in there]:
                return (
                    f"has no {', no '.join(lost)} among its dimensions ({', '.join(there)}); the"
                    f" chapter compares those of {known[parameter].default}"
                )
        elif kind in ROOMS:
            room = import_module(ROOMS[kind])
            room.present(name)
            if kind == "model" and (paths.root() / Path(name).expanduser()).exists():
                room.encoder(name, device="cpu", own=True)  # whether a reader's files can be read
        elif kind == "folder":
            from vlmbias.stimuli.images import folder_meant

            folder_meant(name)
        elif kind == "table":
            places = paths.meant_by(name)
            if not places[1].is_file():  # of the root, as a table is read
                raise FileNotFoundError(f"no such file: {paths.looked_for(places)}")
        elif kind == "group":
            _group(parameter, name, known, values)
    except (ValueError, OSError) as problem:
        return str(problem)
    return ""


def _image_set(name: str, placed: bool) -> None:
    from vlmbias.stimuli.reader_folders import IMAGE_SETS, find
    from vlmbias.stimuli.rendered import GREENHOUSE

    if name not in (*GREENHOUSE, *IMAGE_SETS, "folder"):
        raise ValueError(f"must be one of {', '.join((*GREENHOUSE, *IMAGE_SETS))}, folder")
    if name in IMAGE_SETS and not placed:
        find(name.partition("/")[0], None)


def _group(
    parameter: str, name: str, known: Mapping[str, Parameter], values: Mapping[str, Any]
) -> None:
    for other, one in known.items():
        if one.kind == "group" and other != parameter and values.get(other) == name:
            raise ValueError(f"is the same as {other}; two different groups are compared")
    from vlmbias.stimuli.images import images
    from vlmbias.stimuli.own_folder import Faults

    try:
        table = images(
            values.get("stimuli", known["stimuli"].default), values.get("root") or None
        ).table
    except Faults:
        return  # they are told of the folder
    if "race" in table and name not in (own := list(dict.fromkeys(table["race"]))):
        raise ValueError(f"must be one of the groups of the pictures: {', '.join(own)}")


def _unread_root(values: Mapping[str, Any]) -> list[str]:
    """What is wrong with a folder of pictures where the set is drawn, and no folder is read."""
    from vlmbias.stimuli.rendered import GREENHOUSE

    if not values.get("root") or values.get("stimuli") not in GREENHOUSE:
        return []
    return [
        f"root = {values['root']!r}: stimuli = {values['stimuli']!r} is drawn and reads no folder;"
        " for pictures of your own add `-p stimuli=folder`, for one of the data sets its name"
    ]


def _image_sets(known: Mapping[str, Parameter], values: Mapping[str, Any]) -> dict[str, Any]:
    """The names of image sets among the values, by parameter; of a list, one that is `folder`."""
    named = {
        name: known[name].named(values[name]) for name in values if known[name].kind == "image set"
    }
    return {
        name: "folder" if "folder" in items else items[0] for name, items in named.items() if items
    }


def takes_a_folder(notebook: str, given: Mapping[str, Any]) -> None:
    """Raise if a reader's own folder is given to a chapter that can take none, saying why."""
    if given.get("stimuli") == "folder":
        from vlmbias.stimuli import own_folder

        if (needs := own_folder.declared().get(notebook)) and needs.why:
            raise ValueError(f"wrong parameters\n  stimuli = 'folder': {needs.lacks(None)[0]}")


def own_folder_in_words(
    notebook: str, known: Mapping[str, Parameter], values: Mapping[str, Any]
) -> list[str]:
    """What is in the reader's own folder that a chapter will run on, and which groups it compares,
    a line each: a group that a slip of the pen made shows here, before the run. Empty without a
    folder."""
    from vlmbias.stimuli import own_folder
    from vlmbias.stimuli.images import images

    everything = {name: one.default for name, one in known.items()} | dict(values)
    if everything.get("stimuli") != "folder":
        return []
    table = images("folder", everything["root"]).table
    people = "seed" in table
    lines = [f"▸ {everything['root']}: {counted(len(table), 'picture')}"]
    if not people:
        lines[0] += "; without a column seed, each counts as another person"
    for column in (name for name in ("race", "gender") if name in table):
        own = table.groupby(column, sort=False)
        each = own["seed"].nunique() if people else own.size()
        noun = ("person", "people") if people else ("picture", "")
        lines.append(
            f"  {column}: {', '.join(f'{g} ({counted(n, *noun)})' for g, n in each.items())}"
        )
    if own_folder.declared()[notebook].people:
        pair = own_folder.two_groups(table, everything["group"], everything["other_group"])
        lines.append(f"  compared: {' − '.join(pair)}")
        lines += [f"  {line}" for line in partly_in_both(table, pair)] if people else []
    elif "reference" in known:
        lines.append(
            f"  compared: {everything['reference'] or table['race'].iloc[0]} with each other group"
        )
    return lines


def partly_in_both(table: Any, pair: Collection[str]) -> list[str]:
    """Where some people are in both groups of a pair and others in one, a line with the names of
    the fewer, and what becomes of these: one wrong cell does that, and changes the result."""
    from vlmbias.stimuli import own_folder

    who = "identity" if "identity" in table else "seed"
    groups = table[table["race"].isin(pair)].groupby(who, sort=False)["race"].nunique()
    both, one = groups.index[groups == 2], groups.index[groups == 1]
    if both.empty or one.empty:
        return []
    most = len(both) > len(one)  # the chapter then compares people with themselves
    few, many = (one, both) if most else (both, one)
    where = "one of these groups alone", "both"
    then = "left out" if most else "counted in each as another person"
    return [
        f"in {where[not most]}: {own_folder.first_few(few)}; in {where[most]}:"
        f" {counted(len(many), 'person', 'people')}. If this is a slip, mend race or seed in"
        f" {own_folder.METADATA}; else {own_folder.first_few(few)} will be {then}"
    ]


def own_folder_problems(
    notebook: str, known: Mapping[str, Parameter], values: Mapping[str, Any]
) -> list[str]:
    """Why a chapter cannot work on a reader's own folder: a line each, with what is missing."""
    from vlmbias.stimuli import own_folder
    from vlmbias.stimuli.images import folder_meant, images

    needs = own_folder.declared().get(
        notebook, own_folder.Needs(why="nothing says what it needs of one")
    )
    sets = _image_sets(known, values)
    if needs.why:
        return [f"stimuli = 'folder': {needs.lacks(None)[0]}"]
    if sets.pop("stimuli", "") != "folder" or "folder" in sets.values():
        return [
            f"{name} = 'folder': your own folder goes into stimuli, and into no other"
            for name, one in sets.items()
            if one == "folder"
        ]
    if not values["root"]:
        return ["root = '': stimuli = 'folder' needs the folder of the pictures, `-p root=PATH`"]
    try:
        mine = images("folder", values["root"])
    except own_folder.Faults as faults:  # a column that the chapter needs is one more
        lost = needs.missing(faults.columns) if faults.columns else []
        return [*lost, f"root = {values['root']!r}: {faults}"]
    lacking = needs.lacks(mine.table, values)
    for name in needs.beside if not lacking else ():
        other, called = images(values[name]), f"{name} = {values[name]!r}"
        theirs, own = (
            " and ".join(", ".join(sorted(set(one.table[column]))) for column in needs.groups)
            for one in (other, mine)
        )
        if (other.source == "greenhouse") != (mine.source == "greenhouse"):
            lacking.append(
                f"the chapter sets it beside {called}, and one of the two is drawn by the"
                f" Greenhouse: choose another {name}, as a drawing is set beside drawings only"
            )
        elif theirs != own:
            lacking.append(
                f"the chapter sets it beside {called}, whose groups are {theirs}; yours are {own}:"
                " name them alike, or choose another set"
            )
    return [f"stimuli = 'folder', {folder_meant(values['root'])}: {problem}" for problem in lacking]
