"""The environment of the book, `.venv`, with the versions of `requirements.lock`: made by one
process at a time, whole or not at all. Any Python 3 can read this file, to say that it is too old.
"""

import fcntl
import os
import subprocess
import sys

OLDEST = (3, 11)
MADE_FROM = ("requirements.lock", "pyproject.toml")
EXTRAS = ".[book,generation,test]"


def fresh(root):
    """Whether the environment was made from the lock and the project file as they are now; a link
    to the environment of another checkout, which others use, is left alone."""
    venv = os.path.join(root, ".venv")
    stamp = os.path.join(venv, "installed")
    made_from = [os.path.getmtime(os.path.join(root, name)) for name in MADE_FROM]
    made = os.path.isfile(stamp) and os.path.getmtime(stamp) >= max(made_from)
    return made or os.path.islink(venv)


def keeps_nothing():
    """The option of pip for a home that cannot be written to, where building a wheel would fail at
    its very end."""
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    try:
        os.makedirs(cache, exist_ok=True)
    except OSError:
        return ["--no-cache-dir"]
    return [] if os.access(cache, os.W_OK) else ["--no-cache-dir"]


def make(root, run):
    """Make `.venv`, or bring it up to date.

    The stamp goes first and comes back last: an environment whose installation was cut short is
    made anew, and so is one of another Python."""
    venv = os.path.join(root, ".venv")
    stamp, python = os.path.join(venv, "installed"), os.path.join(venv, "bin", "python")
    own = os.path.join(venv, "lib", "python%d.%d" % sys.version_info[:2])
    known = os.path.isfile(stamp) and os.path.isdir(own)
    if known:
        os.remove(stamp)
    run([sys.executable, "-m", "venv", *([] if known else ["--clear"]), venv])
    pip = [python, "-m", "pip", "install", "--no-compile", *keeps_nothing()]
    run([*pip, "-c", MADE_FROM[0], "-e", EXTRAS], cwd=root)
    with open(stamp, "w"):
        pass


def install(root, run=subprocess.check_call):
    """Make `.venv` unless it is fresh; where another process makes it, wait, and take its work."""
    folder = os.open(root, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        if not fresh(root):
            make(root, run)
    finally:
        os.close(folder)


if __name__ == "__main__":
    if sys.version_info < OLDEST:
        sys.exit(
            "%s is Python %d.%d; this book needs 3.11 or later. Install it, or say where it is: "
            "make book PYTHON=/path/to/python" % (sys.executable, *sys.version_info[:2])
        )
    try:
        install(os.getcwd())
    except subprocess.CalledProcessError as failed:
        sys.exit(
            "the environment could not be made (above); the same command tries again: %s" % failed
        )
