"""Every class of fault that a stranger's file, server or word can bring, tried anew. Run by hand.

    PYTHONPATH=src .venv/bin/python tests/hostile/run.py                     # all, some ten minutes
    PYTHONPATH=src .venv/bin/python tests/hostile/run.py --only downloads    # those called so

Comes in: the cases of the modules beside this one; `--only` takes parts of their classes or names.
Goes out: a line per try that was not handled, and a table of counts. May not: write outside a
temporary folder, or reach a network beyond this machine.

Handled is: refused with one message that names value and rule (no error of Python's own, no
traceback), or done right; in time and memory, without a half-written file, and without running what
the file holds. The status is 1 if less than 97 in 100 are handled, or if anything was executed,
hung, crashed or was accepted that should not be.
"""

import argparse
import collections
import os
import sys
import tempfile
from pathlib import Path

sys.path[:0] = [
    str(Path(__file__).parent),
    *(str(Path(__file__).parents[1] / room) for room in ("embedding", "generation", "ledger")),
]
sys.path.append(str(Path(__file__).parents[1]))  # last: its folders are called as packages of `src`
GRAVE = ("EXECUTED", "HUNG", "CRASHED", "ACCEPTED", "HALF-WRITTEN", "MEMORY")
COMMON = (
    "numpy",
    "pandas",
    "torch",
    "open_clip",
    "timm",
    "transformers.models.blip",
    "diffusers.models.autoencoders.vq_model",
    "vlmbias.embedding.encoders",
    "runner.commands",
    "runner.names",
    "runner.plan",
    "vlmbias",
    "vlmbias.generation.text",
    "vlmbias.generation.vqgan",
    "vlmbias.ledger",
    "vlmbias.external.released_cosines",
    "greenhouse.train.recipe",
    "studies.tables",
    "hypothesis",
    "yaml",
)
"""Imported once, before the process divides."""
MODULES = ("downloads", "folders", "words", "ledgers", "tables", "kills", "weights")


def main() -> None:
    """Try every case, and print what was not handled."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--only", nargs="+", default=[""], help="parts of classes or names")
    wanted = parser.parse_args().only
    os.environ |= {"OMP_NUM_THREADS": "1"}
    import case

    from vlmbias.embedding.torchvision_shim import make_torchvision_importable

    make_torchvision_importable()
    for name in COMMON:
        __import__(name)

    tried, handled, grave = collections.Counter(), collections.Counter(), 0
    with tempfile.TemporaryDirectory(prefix="hostile-") as temporary:
        for module in MODULES:
            for one in __import__(module).cases():
                if not any(part in f"{module} {one.kind} {one.name}" for part in wanted):
                    continue
                tried[one.kind] += 1
                found = case.judged(one, Path(temporary) / f"{sum(tried.values()):04d}")
                handled[one.kind] += found == "handled"
                grave += found.startswith(GRAVE)
                if found != "handled":
                    print(f"{one.kind} · {one.name}: {found}", flush=True)
    for kind, n in tried.items():
        print(f"{kind:45} {handled[kind]:4} of {n:4}")
    share = handled.total() / max(tried.total(), 1)
    print(
        f"{'all':45} {handled.total():4} of {tried.total():4} = {share:.1%}; {grave} of them grave"
    )
    sys.exit(share < 0.97 or bool(grave))


if __name__ == "__main__":
    main()
