"""The graph through a real Slurm on this machine: do its jobs give what they give without it? Run
by hand.

    PYTHONPATH=src .venv/bin/python tools/slurm.py [--folder /tmp/slurm]

Comes in: a machine with slurmctld, slurmd, munged (Debian: slurm-wlm, munge) and the extra `slurm`
of this package; nothing is installed. Goes out: figures of both runs, and exit status 1 if they
differ. May not: use systemd, another machine, a port but on loopback, or this checkout: all lies in
one temporary folder, and its programs end with it.

Two copies of the tracked files are made. In each, two chapters run with the smoke settings, and two
networks of a fleet that learns nothing are trained, after their warm start: in the first by
Snakemake's own jobs, in the second through `--profile slurm`. Then what they leave is compared,
without its times, and the second is asked again, locally: nothing is to be done.
"""

import argparse
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests/greenhouse"))
COMMANDS = ("sbatch", "squeue", "srun", "scancel", "sinfo", "sacct", "scontrol")
PROGRAMS = ("munged", "slurmctld", "slurmd", *COMMANDS)
CHAPTERS, NETWORKS = ("pretraining/model_zoo", "calibration/ieat"), ("planted-000", "null-000")
CONF = """\
ClusterName=one
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={control}
SlurmdPort={node}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MailProg=/bin/true
ReturnToService=2
SchedulerParameters=sched_interval=2,batch_sched_delay=0
NodeName={host} NodeAddr=127.0.0.1 CPUs={cores} RealMemory={memory} State=UNKNOWN
PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""


def missing() -> list[str]:
    """What this machine lacks."""
    absent = [name for name in PROGRAMS if not shutil.which(name)]
    return absent + ["snakemake-executor-plugin-slurm"] * (
        find_spec("snakemake_executor_plugin_slurm") is None
    )


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


@contextmanager
def cluster(folder: Path) -> Iterator[dict[str, str]]:
    """A Slurm of one node; gives the environment in which its commands work."""
    for name in ("state", "spool"):
        (folder / name).mkdir(parents=True)
    (key := folder / "munge.key").write_bytes(os.urandom(1024))
    key.chmod(0o400)
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2**20
    about = {
        "host": socket.gethostname().partition(".")[0],
        "control": free_port(),
        "node": free_port(),
        "user": subprocess.check_output(["id", "-un"], text=True).strip(),
        "folder": folder,
        "cores": os.cpu_count(),
        "memory": memory * 9 // 10,
    }
    (folder / "slurm.conf").write_text(CONF.format(**about))
    (folder / "cgroup.conf").write_text("CgroupPlugin=cgroup/v1\nConstrainCores=no\n")
    environment = os.environ | {"SLURM_CONF": str(folder / "slurm.conf"), "PATH": _told(folder)}
    commands = {
        "munged": [
            "munged",
            "--foreground",
            "--force",
            f"--key-file={key}",
            f"--socket={folder}/munge.socket",
            f"--pid-file={folder}/munged.pid",
            f"--seed-file={folder}/munged.seed",
            f"--log-file={folder}/munged.log",
        ],
        "slurmctld": ["slurmctld", "-D", "-i"],
        "slurmd": ["slurmd", "-D", "-N", about["host"]],
    }
    running = []
    try:
        for name, command in commands.items():
            log = (folder / f"{name}.out").open("wb")
            running.append(
                subprocess.Popen(command, env=environment, stdout=log, stderr=subprocess.STDOUT)
            )
            time.sleep(2)
        _wait_until_idle(environment, folder)
        yield environment
    finally:
        for process in reversed(running):
            process.terminate()
        for process in running:
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()


def _told(folder: Path) -> str:
    """A search path on which Slurm's commands know their configuration: Snakemake's jobs drop
    SLURM_CONF."""
    (folder / "bin").mkdir()
    for name in COMMANDS:
        told, line = (
            folder / "bin" / name,
            f'SLURM_CONF={folder}/slurm.conf exec {shutil.which(name)} "$@"',
        )
        told.write_text(f"#!/bin/sh\n{line}\n")
        told.chmod(0o755)
    return os.pathsep.join([str(folder / "bin"), os.environ["PATH"]])


def _wait_until_idle(environment: dict[str, str], folder: Path, seconds: float = 90) -> None:
    began = time.monotonic()
    while time.monotonic() - began < seconds:
        asked = subprocess.run(
            ["sinfo", "-h", "-o", "%T"], env=environment, capture_output=True, text=True
        )
        if asked.stdout.strip() == "idle":
            return
        time.sleep(1)
    logs = "\n".join(
        f"{path.name}: {path.read_text(errors='replace')[-600:]}" for path in folder.glob("*.out")
    )
    raise SystemExit(
        f"the node is not idle after {seconds:.0f} s: {asked.stdout}{asked.stderr}\n{logs}"
    )


def checkout(folder: Path) -> Path:
    """A copy of the tracked files, with a plan of four small networks."""
    from miniature import SMALL

    for name in subprocess.check_output(["git", "ls-files", "-z"], cwd=ROOT, text=True).split("\0"):
        if name and (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    for shipped in (folder / "data/greenhouse").glob("fleet*"):
        shutil.rmtree(shipped) if shipped.is_dir() else shipped.unlink()
    (folder / "data/greenhouse/fleet.yaml").write_text(json.dumps(SMALL))
    return folder


def run(folder: Path, environment: dict[str, str], profile: str, log: Path) -> dict[str, float]:
    """Both graphs in a copy; seconds of each."""
    path = os.pathsep.join([str(folder / "src"), environment.get("PYTHONPATH", "")])
    own = environment | {
        "VLMBIAS_ROOT": str(folder),
        "PYTHONPATH": path,
        "VLMBIAS_SETTINGS": "smoke",
        "VLMBIAS_CACHE": str(folder / "_build/cache"),
    }
    targets = [f"_build/results/{name}.json" for name in CHAPTERS]
    prepare = (
        "from greenhouse import campaign, fleet; plan = fleet.Plan();"
        f" jobs = [plan.network(name).job(0) for name in {NETWORKS}];"
        " campaign.prepare(jobs);"
        " print(*(f'_build/campaign/fleet/{job.name}/done.json' for job in jobs))"
    )
    networks = subprocess.run(
        [sys.executable, "-c", prepare], cwd=folder, env=own, text=True, check=True, stdout=-1
    ).stdout.split()
    jobs = {
        "chapters": ["-m", "vlmbias", "book", "--profile", profile, "--", *targets],
        "fleet": [
            "-m",
            "snakemake",
            "--nolock",
            "--workflow-profile",
            f"profiles/{profile}",
            *networks,
        ],
    }
    seconds = {}
    for name, words in jobs.items():
        began = time.monotonic()
        done = subprocess.run(
            [sys.executable, *words],
            cwd=folder,
            env=own,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        seconds[name] = time.monotonic() - began
        log.write_text((log.read_text() if log.exists() else "") + done.stdout)
        if done.returncode:
            raise SystemExit(
                f"{profile}, {name}: exit status {done.returncode}\n{done.stdout[-3000:]}"
            )
    return seconds


def results(folder: Path) -> dict[str, bytes]:
    """What both graphs leave: results of chapters; of networks their weights, vectors and records
    without times."""
    build, found = folder / "_build", {}
    patterns = (
        "results/*/*.json",
        "campaign/fleet/*/vectors.npz",
        "campaign/fleet/*/model.safetensors",
        "campaign/fleet/*/done.json",
    )
    for path in (one for pattern in patterns for one in build.glob(pattern)):
        content = path.read_bytes()
        if path.name == "done.json":
            plain = {
                key: value for key, value in json.loads(content).items() if key != "core_seconds"
            }
            content = json.dumps(plain, sort_keys=True).encode()
        found[path.relative_to(build).as_posix()] = content
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--folder", help="where everything lies; default: a temporary folder, removed at the end"
    )
    given = parser.parse_args()
    if absent := missing():
        print(f"not run: this machine has no {', '.join(absent)}")
        return 0
    place = tempfile.mkdtemp(prefix="slurm-") if given.folder is None else given.folder
    folder = Path(place).resolve()
    try:
        local, remote = (checkout(folder / name) for name in ("local", "slurm"))
        figures = {"local": run(local, dict(os.environ), "default", folder / "local.log")}
        with cluster(folder / "cluster") as environment:
            version = subprocess.check_output(
                ["sinfo", "--version"], env=environment, text=True
            ).strip()
            figures["slurm"] = run(remote, environment, "slurm", folder / "slurm.log")
        again = run(remote, dict(os.environ), "default", folder / "again.log")
        nothing = (folder / "again.log").read_text().count("▸")
        one, other = results(local), results(remote)
        differ = sorted(name for name in {*one, *other} if one.get(name) != other.get(name))
        print(
            json.dumps(
                {
                    "slurm": version,
                    "seconds": figures,
                    "again": again,
                    "files": sorted(one),
                    "differ": differ,
                    "jobs that ran again": nothing,
                },
                indent=1,
            )
        )
        return int(bool(differ) or not one or bool(nothing))
    finally:
        if given.folder is None:
            shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
