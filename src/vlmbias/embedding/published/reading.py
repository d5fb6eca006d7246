"""What a stranger's model is read by: tensors by name, and nothing that the file holds is run."""

import argparse
import re
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch

from vlmbias.whole_files import read_regular

# Classes that the published files mention beside their weights, as the shells that stand for them.
NAMESPACE = (argparse.Namespace, "argparse.Namespace")
_LARGEST = 1_000_000  # of a whole number that describes a model, unless it is told otherwise


def check_complete(folder: Path, *files: str) -> None:
    """Raise a FileNotFoundError that names the files which a folder of a model lacks."""
    if missing := [file for file in files if not (folder / file).is_file()]:
        said = f"the checkpoint folder {str(folder)!r} lacks {' and '.join(missing)}"
        others = {path.name for path in folder.glob("*.safetensors")} - set(files)
        if others:
            said += (
                f"; it has {' and '.join(sorted(others))}: if these are the weights, name them so"
            )
        elif "open_clip_config.json" in missing:
            said += "; book/rerun.md says how to make it of a file that open_clip trained"
        raise FileNotFoundError(said)


def safe_tensors(path: Path) -> dict[str, torch.Tensor]:
    """The tensors of a safetensors file; a ValueError that names it if it is damaged."""
    from safetensors import SafetensorError
    from safetensors.torch import load

    try:
        return load(read_regular(path))
    except SafetensorError as error:
        raise ValueError(
            f"{str(path)!r} cannot be read, perhaps cut short ({error}); copy or fetch it again"
        ) from error


def check_plain(called: str, sizes: Mapping[str, Any], most: Mapping[str, int]) -> None:
    """Raise unless what describes a model is numbers, words and lists of these, none of them too
    large: `most` has other limits than a million."""
    for key, value in sizes.items():
        for one in value if isinstance(value, list | tuple) else [value]:
            if not isinstance(one, str | int | float | None):
                raise ValueError(
                    f"{called}: {key} = {value!r} is not a number, a word or a list of these"
                )
            if isinstance(one, int) and not -1 <= one <= (limit := most.get(key, _LARGEST)):
                raise ValueError(f"{called}: {key} = {value!r} is not from -1 to {limit:,}")


def shell(name: str) -> tuple[type, str]:
    """A class that holds nothing, to stand for the class of that full name in a file."""
    return type(name.rpartition(".")[2], (), {"__setstate__": lambda self, state: None}), name


def tensors(
    path: Path, *, under: str, allowed: tuple[tuple[type, str], ...] = ()
) -> dict[str, torch.Tensor]:
    """The weights that a file of `torch.save` keeps under one key.

    `allowed` are further classes that the file may name, as pairs of a class and its full name
    there; a ValueError for any other class, for what is no checkpoint, or has no weights there.
    """
    if not path.is_file():
        raise FileNotFoundError(f"no checkpoint file {str(path)!r}")
    try:
        with torch.serialization.safe_globals(list(allowed)):
            # files from before torch 1.6 are no zip, and cannot be read as they are used
            mapped = zipfile.is_zipfile(path)
            found = torch.load(path, map_location="cpu", weights_only=True, mmap=mapped)
    except Exception as problem:
        raise ValueError(
            f"{str(path)!r} cannot be read as a checkpoint of torch: {_why(path, problem)}"
        ) from problem
    part = found.get(under) if isinstance(found, Mapping) else None
    if not (
        isinstance(part, Mapping)
        and part
        and all(isinstance(one, torch.Tensor) for one in part.values())
    ):
        keys = ", ".join(map(str, found)) if isinstance(found, Mapping) else type(found).__name__
        raise ValueError(f"{str(path)!r} has no weights under {under!r}; it holds: {keys}")
    return dict(part)


def _why(path: Path, problem: Exception) -> str:
    """What is wrong with a file, in one line: torch's own error is a page of advice, or nothing."""
    if not (size := path.stat().st_size):
        return "it is empty, as a download that was cut short leaves it; fetch it again"
    message = str(problem)
    if refused := re.search(r"GLOBAL ([\w.]+)", message):
        return (
            f"it names {refused[1]}, which is no tensor and could run code; nothing but tensors is"
            " read"
        )
    if "Weights only load failed" in message:
        return (
            f"it is nothing that torch.save wrote; its {size:,} bytes begin with"
            f" {read_regular(path, 20)!r}"
        )
    return f"{message.partition('. ')[0].strip() or type(problem).__name__} ({size:,} bytes)"


def check_fit(model: torch.nn.Module, weights: Mapping[str, Any], *, source: str) -> None:
    """Raise unless names and shapes are those of the model; the first that is not is named."""
    wanted, found = (
        {name: tuple(tensor.shape) for name, tensor in of.items()}
        for of in (model.state_dict(), weights)
    )
    if wrong := [name for name in wanted | found if wanted.get(name) != found.get(name)]:
        raise ValueError(
            f"{source} does not fit in {len(wrong)} of {len(wanted)} weights, such as {wrong[0]!r}:"
            f" the model has {wanted.get(wrong[0], 'none')}, the file {found.get(wrong[0], 'none')}"
        )


def fit(model: torch.nn.Module, weights: dict[str, Any], *, source: str) -> Any:
    """The model, in eval mode, with exactly these weights."""
    check_fit(model, weights, source=source)
    model.load_state_dict(weights)
    return model.eval().requires_grad_(False)
