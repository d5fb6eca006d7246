"""Options that several commands have, each worded once."""

from typing import Annotated

import typer

from runner.commands import graph

Settings = Annotated[
    str,
    typer.Option(
        envvar="VLMBIAS_SETTINGS",
        help="greenhouse, smoke, open or paper: which stimuli, models and sizes (data/settings)",
    ),
]
Profile = Annotated[str, typer.Option(callback=graph.profile, help="a folder of profiles/")]
Snakemake = Annotated[
    list[str] | None, typer.Argument(help="after --, targets and options for Snakemake")
]
