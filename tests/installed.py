"""Packages that only some tests need."""

from importlib.util import find_spec

import pytest


def needs(*packages: str) -> pytest.MarkDecorator:
    """A mark that skips where one of them is not installed; it imports none, as every process of
    the tests collects every file."""
    absent = [name for name in packages if not find_spec(name)]
    return pytest.mark.skipif(bool(absent), reason=f"needs {', '.join(absent)}")
