"""The workflow that builds and publishes the book: what it may do, what it names, and that its
steps run in a shell."""

import re
import subprocess

import pytest
import yaml

from vlmbias import paths

PLACE = paths.root() / ".github/workflows/book.yml"
TEXT = PLACE.read_text("utf-8")
WORKFLOW = yaml.safe_load(TEXT)
JOBS = WORKFLOW["jobs"]
STEPS = [(job, step) for job, about in JOBS.items() for step in about["steps"]]


def test_only_the_job_that_publishes_may_write():
    assert WORKFLOW["permissions"] == {"contents": "read"}
    assert JOBS["publish"]["permissions"] == {
        "contents": "read",
        "pages": "write",
        "id-token": "write",
    }
    assert not any("permissions" in about for job, about in JOBS.items() if job != "publish")
    assert not any(
        "run" in step and "make" in step["run"] for job, step in STEPS if job == "publish"
    )


def test_every_action_is_named_by_commit_with_its_version():
    used = [line for line in TEXT.splitlines() if "uses:" in line]
    assert len(used) == sum("uses" in step for _, step in STEPS) > 5
    for line in used:
        assert re.search(r"uses: [\w-]+/[\w-]+@[0-9a-f]{40}  # v\d+\.\d+\.\d+$", line), line
    by_name = {}
    for name, commit in re.findall(r"uses: ([\w/-]+)@([0-9a-f]+)", TEXT):
        by_name.setdefault(name, set()).add(commit)
    assert all(len(commits) == 1 for commits in by_name.values())


@pytest.mark.parametrize(("job", "ends"), [("book", "/"), ("open", "/open/")])
def test_the_address_of_a_page_is_known_on_every_event(job, ends, tmp_path):
    """On `schedule` the event says nothing about the repository; the variables of the machine
    do."""
    assert "github.event" not in TEXT
    steps = [step.get("run", "") for step in JOBS[job]["steps"]]
    (at,) = [place for place, run in enumerate(steps) if "VLMBIAS_BASEURL=" in run]
    (builds,) = [place for place, run in enumerate(steps) if re.match(r"\.ci/run|make book", run)]
    assert at < builds
    machine = {
        "GITHUB_REPOSITORY": "owner/a-book.v2",
        "GITHUB_REPOSITORY_OWNER": "owner",
        "GITHUB_ENV": str(tmp_path / "env"),
        "PATH": "/usr/bin:/bin",
    }
    subprocess.run(["bash", "-e", "-o", "pipefail", "-c", steps[at]], env=machine, check=True)
    assert (
        tmp_path / "env"
    ).read_text() == f"VLMBIAS_BASEURL=https://owner.github.io/a-book.v2{ends}\n"


def test_no_expression_reaches_a_shell():
    """A value of the event in a script would be run as part of it."""
    runs = [step["run"] for _, step in STEPS if "run" in step]
    assert runs and not any("${{" in run for run in runs)
    for run in runs:
        subprocess.run(["bash", "-n", "-c", run], check=True)


def test_what_the_steps_name_is_there():
    for _, step in STEPS:
        for name in re.findall(r"(?:^| )((?:\.ci|src)/\S+)", step.get("run", "")):
            assert (paths.root() / name).is_file(), name
        for target in re.findall(r"make (\w+)", step.get("run", "")):
            assert re.search(
                rf"^{target}\b.*:", (paths.root() / "Makefile").read_text("utf-8"), re.MULTILINE
            ), target
    with_cache = [
        step["with"]["cache-dependency-path"]
        for _, step in STEPS
        if "cache" in step.get("with", {})
    ]
    assert with_cache and all((paths.root() / name).is_file() for name in with_cache)


def test_the_editions_that_are_built_are_those_that_are_joined():
    (joined,) = [step["run"] for _, step in STEPS if "editions.py" in step.get("run", "")]
    uploads = {
        step["with"]["name"]
        for _, step in STEPS
        if step.get("with", {}).get("path", "").endswith("/html")
    }
    assert set(re.findall(r"(\w+)=sites/\1\b", joined)) == uploads == {"greenhouse", "open"}
