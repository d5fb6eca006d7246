"""Options that several commands have, each worded once: `add_argument("--profile", **PROFILE)`.

Comes in: nothing. Goes out: keyword arguments. May not: know a command.
"""

from typing import Any

from runner.commands import graph

SETTINGS: dict[str, Any] = {
    "help": "greenhouse (default), smoke, open or paper: which stimuli, models and sizes"
    " (data/settings)"
}
PROFILE: dict[str, Any] = {
    "type": graph.profile,
    "default": "default",
    "help": "a folder of profiles/",
}
SNAKEMAKE: dict[str, Any] = {"nargs": "*", "help": "after --, options for Snakemake"}
