"""What the page on smiling says, in words that its numbers decide.

Comes in: counts of networks. Goes out: a few words for `vb.note`. May not: decide what counts as
found.
"""

from collections.abc import Mapping

from vlmbias.notes import NOT_RUN


def by_trait(hits: Mapping[str, int], n: int) -> str:
    """In how many of n networks something is found, from the trait with fewest to that with most.

    >>> by_trait({"warmth": 5, "negative_communion": 10}, 10)
    'in 5 of the 10 networks for warmth, and in all 10 for negative communion'
    """
    if not hits or not n:
        return NOT_RUN
    fewest, most = min(hits, key=lambda name: hits[name]), max(hits, key=lambda name: hits[name])
    if hits[fewest] == hits[most]:
        how = {0: f"in none of the {n} networks", n: f"in all {n} networks"}
        said = how.get(hits[most], f"in {hits[most]} of the {n} networks")
        return said if len(hits) == 1 else f"{said}, whichever the trait"
    first = f"in {hits[fewest] or 'none'} of the {n} networks for {fewest.replace('_', ' ')}"
    last = f"in all {n}" if hits[most] == n else f"in {hits[most]}"
    return f"{first}, and {last} for {most.replace('_', ' ')}"
