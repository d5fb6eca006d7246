"""For all tests: what they start compiles no module twice, what takes long starts first, one site
is built."""

import pytest

from runner import bytecode, execute, home
from vlmbias import paths

# files of tests that run notebooks, build pages or train: left out by `make test-quick`, and begun
# first
SLOW = (
    "test_chapters.py",
    "test_fourth_paper.py",
    "test_paper_settings.py",
    "test_shipped_comparisons.py",
    "runner/test_models.py",
    "runner/test_stage.py",
    "runner/test_cli.py",
    "runner/test_rerun_page.py",
    "embedding/test_torchvision_shim.py",
    "tests/book/",
)

bytecode.keep()
home.replace_unwritable()
execute.set_threads(
    1
)  # as for a notebook: two processes with two threads each would wait for one another


@pytest.hookimpl(tryfirst=True)  # before xdist and `-m` look at the marks
def pytest_collection_modifyitems(items):
    for item in items:
        if any(name in item.path.as_posix() for name in SLOW):
            item.add_marker(pytest.mark.slow)
        if "site" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.xdist_group("site"))  # built once, not once per process
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)


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
