"""A checkpoint file of torch, read without running what it holds.

Comes in: a path. Goes out: the tensors by name, on the CPU. May not: unpickle anything but tensors,
plain containers and the classes that the caller names; of these, only empty shells are made.
"""

import argparse
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch

from vlmbias.whole_files import read_regular

# Classes that the published files mention beside their weights, as the shells that stand for them.
NAMESPACE = (argparse.Namespace, "argparse.Namespace")


def shell(name: str) -> tuple[type, str]:
    """A class that holds nothing, to stand for the class of that full name in a file."""
    return type(name.rpartition(".")[2], (), {"__setstate__": lambda self, state: None}), name


def tensors(
    path: Path, *, under: str, allowed: tuple[tuple[type, str], ...] = ()
) -> dict[str, torch.Tensor]:
    """The weights that a checkpoint file keeps under one key.

    Parameters
    ----------
    path : file written by `torch.save`.
    under : the key of the weights in it, such as ``"state_dict"``.
    allowed : further classes that the file may name, as pairs of a class and its full name there.

    Raises
    ------
    ValueError
        If the file is no checkpoint, names another class, or has no weights under that key.
    """
    if not path.is_file():
        raise FileNotFoundError(f"no checkpoint file {str(path)!r}")
    try:
        with torch.serialization.safe_globals(list(allowed)):
            found = torch.load(
                path, map_location="cpu", weights_only=True, mmap=_can_be_mapped(path)
            )
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


def fit(model: torch.nn.Module, weights: dict[str, Any], *, source: str) -> Any:
    """The model, in eval mode, with exactly these weights; names and shapes must be those of the
    model.

    Raises
    ------
    ValueError
        That counts the missing, unexpected and misshapen weights and names the first of them.
    """
    wanted = {name: tuple(tensor.shape) for name, tensor in model.state_dict().items()}
    found = {name: tuple(tensor.shape) for name, tensor in weights.items()}
    if wrong := [name for name in wanted | found if wanted.get(name) != found.get(name)]:
        raise ValueError(
            f"{source} does not fit in {len(wrong)} of {len(wanted)} weights, such as {wrong[0]!r}:"
            f" the model has {wanted.get(wrong[0], 'none')}, the file {found.get(wrong[0], 'none')}"
        )
    model.load_state_dict(weights)
    return model.eval().requires_grad_(False)


def _can_be_mapped(path: Path) -> bool:
    """Whether torch can read tensors from the file as they are used; files from before torch 1.6
    are no zip."""
    import zipfile

    return zipfile.is_zipfile(path)
