"""What `vlmbias run` was given: parameters with one value each, and at most one with several.

Comes in: the words behind each `-p`, and behind `--sweep`. Goes out: the values by name. May not:
know what a notebook takes.
"""

from collections.abc import Collection, Sequence


def behind(notebook: str | None, parameters: Sequence[list[str]], known: Collection[str]) -> str:
    """The notebook, also where it stands behind the last `-p`, which takes it for one more value;
    taken out there.

    Raises
    ------
    ValueError : none is named.
    """
    if notebook is None and parameters and len(parameters[-1]) > 2:
        last = parameters[-1][-1].removesuffix(".ipynb").removesuffix(".py").split("notebooks/")[-1]
        notebook = parameters[-1].pop() if last in known else None
    if notebook is None:
        raise ValueError("which notebook? write vlmbias run <paper>/<name> -p NAME VALUE")
    return notebook


def varied(
    parameters: Sequence[Sequence[str]], sweep: str | None
) -> tuple[dict[str, str], tuple[str, list[str]]]:
    """The parameters with one value each, and the one with several; its name is empty where there
    is none.

    Raises
    ------
    ValueError : a parameter without a value, or named twice; a second one with several values; a
        value named twice.
    """
    given = [(name, values) for name, *values in parameters]
    if sweep is not None:
        name, equals, values = sweep.partition("=")
        if not (name and equals and values):
            raise ValueError(
                f"--sweep {sweep!r}: write parameter=value,value, such as --sweep seed=1,2,3"
            )
        given.append((name, values.split(",")))
    if lacking := [name for name, values in given if not values]:
        raise ValueError(f"-p {lacking[0]}: has no value; write -p {lacking[0]} VALUE")
    if twice := [name for n, (name, _) in enumerate(given) if name in dict(given[:n])]:
        raise ValueError(
            f"-p {twice[0]}: given twice; several values go behind one -p, such as "
            f"`-p {twice[0]} A B`"
        )
    several = [(name, values) for name, values in given if len(values) > 1]
    if len(several) > 1:
        raise ValueError(
            f"{several[0][0]} and {several[1][0]} have several values; vary one parameter at a time"
        )
    for name, values in several:
        if len(set(values)) < len(values) or "" in values:
            raise ValueError(f"{name} = {', '.join(values)}: each value once, and none empty")
    return {name: values[0] for name, values in given if len(values) == 1}, (several or [("", [])])[
        0
    ]
