"""Commands that argparse still reads: each module has a `register(add)`, as it was."""

import argparse
import os
from importlib import import_module
from typing import Any

import typer

from runner.commands import graph

SETTINGS: dict[str, Any] = {"help": "greenhouse (default), smoke, open or paper (data/settings)"}
PROFILE: dict[str, Any] = {"default": "default", "help": "a folder of profiles/"}
SNAKEMAKE: dict[str, Any] = {"nargs": "*", "help": "after --, options for Snakemake"}


def add(app: typer.Typer, name: str, module: str, *, help: str = "") -> None:
    """Let a module of this package read the words behind the name of one of its commands."""

    def command(context: typer.Context) -> int | None:
        parsers = {}

        def added(one: str, handler: Any) -> argparse.ArgumentParser:
            parsers[one] = argparse.ArgumentParser(prog=f"vlmbias {one}")
            settings = os.environ.get("VLMBIAS_SETTINGS", "greenhouse")
            parsers[one].set_defaults(handler=handler, settings=settings, profile="default")
            return parsers[one]

        import_module(f"runner.commands.{module}").register(added)
        options = parsers[name].parse_args(context.args)
        if "--profile" in context.args:
            graph.profile(options.profile)
        return options.handler(options)

    as_they_are = {"allow_extra_args": True, "ignore_unknown_options": True}
    typer_reads = {"add_help_option": False, "context_settings": as_they_are}
    app.command(name, help=help, hidden=not help, **typer_reads)(command)
