"""Claim files that a stranger wrote."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from case import Case

CLAIMS: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "a value as a number": ("value: '.51'", "value: .51", ("claims/example.yaml:", "string")),
    "an unknown key": ("unit: d", "unti: d", ("claims/example.yaml:", "unit")),
    "code": (
        "citation: An example",
        "citation: !!python/object/apply:os.system ['touch $HOSTILE_CANARY']",
        ("claims/example.yaml:", "YAML"),
    ),
    "a way to another folder": (
        "notebook: example/one",
        "notebook: ../one",
        ("claims/example.yaml:", "notebook"),
    ),
    "an id of HTML": ("id: one.first", "id: <b>", ("claims/example.yaml:", "id")),
    "a line break in a word": (
        "quantity: d",
        'quantity: "d\\n"',
        ("claims/example.yaml:", "quantity"),
    ),
    "zeros": ("citation: An example", "\x00", ("claims/example.yaml:",)),
    "an alias to nothing": ("unit: d", "unit: *d", ("claims/example.yaml:", "alias")),
}
GOOD = (
    "citation: An example\nclaims:\n- id: one.first\n  notebook: example/one\n  where: Table 1\n"
    "  model: none\n"
    "  data: none\n  target: none\n  unit: d\n  quantity: d\n  subject: first\n  value: '.51'\n"
)


def claim(old: str, new: str) -> Callable[[Path], Any]:
    def do(root: Path) -> Any:
        from vlmbias.ledger import claims

        (root / "claims").mkdir()
        assert old in GOOD
        (root / "claims/example.yaml").write_text(GOOD.replace(old, new))
        return claims.read(root / "claims/example.yaml")

    return do


def cases() -> Iterator[Case]:
    """Claim files."""
    yield Case("claim files", "a good one", claim("unit: d", "unit: d"))
    for name, (old, new, says) in CLAIMS.items():
        yield Case("claim files", name, claim(old, new), says)
