"""The workflows that build and publish the book and that run at night: what they may do, what they
name, and that their steps run in a shell."""

import re
import subprocess

import pytest
import yaml

from vlmbias import paths

FOLDER = paths.root() / ".github/workflows"
TEXT = (FOLDER / "book.yml").read_text("utf-8")
WORKFLOW = yaml.safe_load(TEXT)
JOBS = WORKFLOW["jobs"]
NIGHT_TEXT = (FOLDER / "nightly.yml").read_text("utf-8")
NIGHT = yaml.safe_load(NIGHT_TEXT)
STEPS = [(job, step) for job, about in (JOBS | NIGHT["jobs"]).items() for step in about["steps"]]
RUNS = [step["run"] for _, step in STEPS if "run" in step]
RUNS += [one["run"] for one in NIGHT["jobs"]["night"]["strategy"]["matrix"]["include"]]


def test_only_the_job_that_publishes_may_write_and_it_builds_nothing():
    assert WORKFLOW["permissions"] == NIGHT["permissions"] == {"contents": "read"}
    asked = {job: about["permissions"] for job, about in JOBS.items() if "permissions" in about}
    writes = {"contents": "read", "pages": "write", "id-token": "write"}
    assert asked == {"publish": writes}
    assert not any("make" in step.get("run", "") for job, step in STEPS if job == "publish")


def test_every_action_is_named_by_commit_with_its_version():
    used = [line for line in (TEXT + NIGHT_TEXT).splitlines() if "uses:" in line]
    assert len(used) == sum("uses" in step for _, step in STEPS) > 5
    for line in used:
        assert re.search(r"uses: [\w-]+/[\w-]+@[0-9a-f]{40}  # v\d+\.\d+\.\d+$", line), line
    by_name = {}
    for name, commit in re.findall(r"uses: ([\w/-]+)@([0-9a-f]+)", TEXT + NIGHT_TEXT):
        by_name.setdefault(name, set()).add(commit)
    assert all(len(commits) == 1 for commits in by_name.values())


@pytest.mark.parametrize(("job", "ends"), [("book", "/"), ("open", "/open/")])
def test_the_address_of_a_page_is_known_on_every_event(job, ends, tmp_path):
    """On `schedule` the event says nothing about the repository; the variables of the machine
    do."""
    assert "github.event" not in TEXT
    steps = [step.get("run", "") for step in JOBS[job]["steps"]]
    (at,) = [place for place, run in enumerate(steps) if "VLMBIAS_BASEURL=" in run]
    assert at < min(n for n, run in enumerate(steps) if re.match(r"\.ci/run|make book", run))
    machine = {"GITHUB_REPOSITORY": "owner/a-book.v2", "GITHUB_REPOSITORY_OWNER": "owner"}
    machine |= {"GITHUB_ENV": str(tmp_path / "env"), "PATH": "/usr/bin:/bin"}
    subprocess.run(["bash", "-e", "-o", "pipefail", "-c", steps[at]], env=machine, check=True)
    said = (tmp_path / "env").read_text()
    assert said == f"VLMBIAS_BASEURL=https://owner.github.io/a-book.v2{ends}\n"


def test_no_expression_reaches_a_shell():
    """A value of the event in a script would be run as part of it."""
    assert len(RUNS) > 10 and not any("${{" in run for run in RUNS)
    for run in RUNS:
        subprocess.run(["bash", "-n", "-c", run], check=True)


def test_what_the_steps_name_is_there():
    makefile = (paths.root() / "Makefile").read_text("utf-8")
    for run in RUNS:
        for name in re.findall(r"(?:^| )((?:\.ci|src|tests|tools)/\S+)", run):
            assert (paths.root() / name).is_file(), name
        for target in re.findall(r"make ([\w./-]+)", run):
            assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
    for step in (step.get("with", {}) for _, step in STEPS):
        if "cache" in step:
            assert (paths.root() / step["cache-dependency-path"]).is_file()


def test_the_steps_of_a_push_are_those_of_the_script_and_the_long_tests_run_at_night():
    script = (paths.root() / ".ci/run").read_text("utf-8")
    (every,) = re.findall(r"set -- (.+)", script)
    assert all(f"\n{step}() {{" in script for step in every.split())
    named = re.findall(r"\.ci/run (\w+)", TEXT)
    assert named == every.split()
    assert "schedule" in NIGHT[True]  # YAML's word for `on`
    recipe = r"^(test[\w-]*):.*\n\t(.*)"
    recipes = dict(re.findall(recipe, (paths.root() / "Makefile").read_text(), re.MULTILINE))
    assert recipes["test"].endswith('-m "not long"') and "-m" not in recipes["test-all"]
    assert any("make test-all" in run for run in RUNS)


def test_the_editions_that_are_built_are_those_that_are_joined():
    (joined,) = [step["run"] for _, step in STEPS if "editions.py" in step.get("run", "")]
    given = [step.get("with", {}) for _, step in STEPS]
    uploads = {one["name"] for one in given if one.get("path", "").endswith("/html")}
    assert set(re.findall(r"(\w+)=sites/\1\b", joined)) == uploads == {"greenhouse", "open"}
