"""One notebook with other parameters, or with several values of one: run, compared with the book's
run, and shown.

Comes in: a notebook, the values a reader gives, how many other seeds to try. Goes out: a folder of
its own below `_build/runs` with the executed notebook and `page.html`, and a text that says what
changed and whether another seed would have changed as much. May not: touch what the book is made
of, or run anything a second time that it has kept."""

from runner.reruns.several import rerun_each
from runner.reruns.steps import rerun

__all__ = ["rerun", "rerun_each"]
