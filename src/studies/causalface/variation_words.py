"""What the page on variation says, in words that its numbers decide.

Comes in: places in a ranking. Goes out: a few words for `vb.note`. May not: rank anything.
"""


def places(whole: int, half: int, step: int) -> str:
    """How an attribute's place changes when its strongest levels are left out (half), and when the
    threshold for pairs is dropped, too (step).

    >>> places(5, 5, 7)
    'stays number 5 as long as the threshold is kept, and becomes number 7 without it'
    """
    if whole == half == step:
        return f"stays number {whole}, with the threshold and without it"
    if whole == half:
        return (
            f"stays number {whole} as long as the threshold is kept,"
            f" and becomes number {step} without it"
        )
    if half == step:
        return f"becomes number {half} instead of {whole}, with the threshold and without it"
    return f"becomes number {half} instead of {whole}, and number {step} without the threshold"


def so(whole: int, half: int, step: int) -> str:
    """What the three places say of an order of attributes.

    >>> so(5, 5, 5)
    'So here, the place of the smile does not depend on the pairs.'
    """
    if whole == half == step:
        return "So here, the place of the smile does not depend on the pairs."
    return (
        "Nothing about the model or the faces has changed. So an order of attributes is also a"
        " fact about the pairs that were compared."
    )
