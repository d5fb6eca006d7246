"""What the page on variation says, in words that its numbers decide.

Comes in: places in a ranking. Goes out: a few words for `vb.note`. May not: rank anything.
"""


def places(whole: int, half: int, step: int) -> str:
    """How an attribute's place changes as it is varied less and less, twice.

    >>> places(5, 5, 7)
    'stays number 5, and then becomes number 7'
    """
    if whole == half == step:
        return f"stays number {whole} both times"
    if whole == half:
        return f"stays number {whole}, and then becomes number {step}"
    if half == step:
        return f"becomes number {half} instead of {whole}, and stays there"
    return f"becomes number {half} instead of {whole}, and then number {step}"
