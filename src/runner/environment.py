"""The environment of the book, `.venv`, with the versions of `requirements.lock`: made by one
process at a time, whole or not at all. Any Python 3 can read this file, to say that it is too old.
"""

import fcntl
import os
import subprocess
import sys

OLDEST = (3, 11)
MADE_FROM = ("requirements.lock", "pyproject.toml")
RULE = """this book needs Python 3.11 or later, with its modules venv and ensurepip
(Debian: apt install python3-venv). Install it, or say where it is:
make book PYTHON=/path/to/python"""


def problem(version, importable=__import__):
    """Why a Python of this version will not do; empty if it will."""
    if tuple(version[:2]) < OLDEST:
        return "%s is Python %s; %s" % (
            sys.executable,
            ".".join(map(str, version[:3])),
            RULE,
        )
    try:
        importable("venv")
        importable("ensurepip")
    except ImportError as missing:
        return "%s lacks %s; %s" % (sys.executable, missing.name, RULE)
    return ""


def fresh(root):
    """Whether the environment was made from the lock and the project file as they are now."""
    stamp = os.path.join(root, ".venv", "installed")
    made_from = [os.path.getmtime(os.path.join(root, name)) for name in MADE_FROM]
    return os.path.isfile(stamp) and os.path.getmtime(stamp) >= max(made_from)


def keeps_nothing():
    """The option of pip for a home that cannot be written to, where building a wheel would fail at
    its very end."""
    cache = os.environ.get("PIP_CACHE_DIR") or os.path.join(
        os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "pip"
    )
    try:
        os.makedirs(cache, exist_ok=True)
        writable = os.access(cache, os.W_OK)
    except OSError:
        writable = False
    return [] if writable else ["--no-cache-dir"]


def install(root, run=subprocess.check_call):
    """Make `.venv` unless it is fresh. Another process that makes it is waited for, and its work is
    taken.

    The stamp goes first and comes back last: an environment whose first installation was cut short
    is made anew, and so is one of another Python."""
    folder = os.open(root, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        if fresh(root):
            return
        venv = os.path.join(root, ".venv")
        stamp = os.path.join(venv, "installed")
        own = os.path.join(venv, "lib", "python%d.%d" % sys.version_info[:2])
        known = os.path.isfile(stamp) and os.path.isdir(own)
        if known:
            os.remove(stamp)
        run([sys.executable, "-m", "venv", *([] if known else ["--clear"]), venv])
        run(
            [
                os.path.join(venv, "bin", "python"),
                "-m",
                "pip",
                "install",
                *keeps_nothing(),
                "--no-compile",
                "-c",
                MADE_FROM[0],
                "-e",
                ".[book,generation,test]",
            ],
            cwd=root,
        )
        with open(stamp, "w"):
            pass
    finally:
        os.close(folder)


def main():
    """Check, then install into the current folder."""
    message = problem(sys.version_info)
    if message:
        sys.exit(message)
    try:
        install(os.getcwd())
    except subprocess.CalledProcessError as failed:
        sys.exit(
            "the environment could not be made (above); the same command tries again: %s" % failed
        )


if __name__ == "__main__":
    main()
