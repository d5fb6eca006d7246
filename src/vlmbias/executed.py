"""What an executed notebook says of its own making, and whether the results beside it are the ones
it left.

Comes in: an executed copy and its results file. Goes out: the record in the copy's metadata, or
None. May not: judge whether that record is the planned one, or mend anything.
"""

import hashlib
import json
from pathlib import Path
from typing import Any


def made(executed: Path, results: Path) -> dict[str, Any] | None:
    """The record of a run; None if a file is missing or damaged, or the results are not those of
    this run.

    Parameters
    ----------
    executed, results : the executed `.ipynb` and the `.json` of what it recorded.
    """
    try:
        about = json.loads(executed.read_bytes())["metadata"]["vlmbias"]
        left = hashlib.sha256(results.read_bytes()).hexdigest()
        return about if about["results_sha256"] == left else None
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
