"""For all tests: what they start compiles no module twice, what takes long starts first, one site
is built."""

import gc
from pathlib import Path

import pytest

from runner import execute, surroundings
from vlmbias import paths

# files of tests that run notebooks, build pages or train: left out by `make test-quick`, and begun
# first
SLOW = (
    "test_chapters.py",
    "test_fourth_paper.py",
    "test_paper_settings.py",
    "test_shipped_comparisons.py",
    "tests/test_statements.py",
    "runner/test_models.py",
    "runner/test_stage.py",
    "runner/test_cli.py",
    "runner/test_rerun_page.py",
    "embedding/test_torchvision_shim.py",
    "tests/book/",
)
QUICK = ("test_comparatives.py", "test_quotations.py")  # of tests/book, but of sources alone
# fixtures that take seconds, and the tests of which go to one process: built once, not once in each
BUILT = (
    ("tests/book/", "site"),
    ("tests/runner/", "small"),
    ("test_paper_settings.py", "data"),
    ("test_paper_settings.py", "portraits"),
)
HERE = Path(__file__).parent

gc.disable()  # while files are imported and tests are listed; see below
surroundings.prepare()
execute.set_threads(
    1
)  # as for a notebook: two processes with two threads each would wait for one another


def pytest_configure(config):
    config.addinivalue_line("markers", "xdist_group(name): of pytest-xdist; known without it, too")


def pytest_make_parametrize_id(val):
    """Two million letters in the name of a test would be sent to and fro between processes."""
    if isinstance(val, str) and len(val) > 200:
        return f"{val[:40]!a} and {len(val) - 40} more"
    return None


@pytest.hookimpl(tryfirst=True)  # before xdist and `-m` look at the marks
def pytest_collection_modifyitems(items):
    for item in items:
        if item.path.name not in QUICK and any(name in item.path.as_posix() for name in SLOW):
            item.add_marker(pytest.mark.slow)
        for files, built in BUILT:
            if files in item.path.as_posix() and built in getattr(item, "fixturenames", ()):
                item.add_marker(pytest.mark.xdist_group(built))
        if not any(item.iter_markers("slow")) and not any(item.iter_markers("xdist_group")):
            # so that no second process makes what the tests of a file share, or those of the
            # Greenhouse: its held-out pictures
            place = item.path.relative_to(HERE)
            shared = place.parts[0] if place.parts[0] == "greenhouse" else place.as_posix()
            item.add_marker(pytest.mark.xdist_group(shared))
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)


def pytest_collection_finish():
    """What is there before the first test stays to the end: to look through it again at every
    collection of garbage took a tenth of the time, as statsmodels, too, asks for such."""
    gc.freeze()
    gc.enable()


def pytest_terminal_summary(terminalreporter):
    """Leave the names of the tests that were skipped: `pytest @_build/skipped.txt` tries these
    alone.

    `.ci/run` does so once there is what they lacked: public files, a browser.
    """
    names = [report.nodeid for report in terminalreporter.stats.get("skipped", ())]
    skipped = {
        name.rpartition("@")[0] or name for name in names
    }  # without the group that xdist adds
    if paths.build().is_dir():
        (paths.build() / "skipped.txt").write_text("".join(f"{name}\n" for name in sorted(skipped)))
