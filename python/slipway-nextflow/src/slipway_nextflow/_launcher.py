"""The command ``slipway-nextflow``: starts Nextflow with a Slurm that is Slipway."""

from __future__ import annotations

import fcntl
import os
import secrets
import shlex
import sys
from pathlib import Path

from slipway_hpc import Slipway, SlipwayError

from ._jobs import RUN, cancel_jobs, list_jobs

#: What Nextflow calls of Slurm. Nobody else finds these commands.
_COMMANDS = ("sbatch", "squeue", "scancel")


def main() -> None:
    folder = Path(".nextflow/slipway").absolute()
    folder.mkdir(parents=True, exist_ok=True)
    try:
        _cancel_killed_runs(folder, Slipway())
    except SlipwayError as error:
        sys.exit(f"Slipway: {error}")
    run = f"{Path.cwd().name}-{secrets.token_hex(3)}"
    _lock(folder / f"{run}.lock")
    commands = _write_commands(folder / "bin")
    path = f"{commands}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
    try:
        # Nextflow gets the signals of the terminal, and keeps the lock until it has ended.
        os.execvpe("nextflow", ["nextflow", *sys.argv[1:]], {**os.environ, "PATH": path, RUN: run})
    except FileNotFoundError:
        sys.exit("Slipway: Nextflow is not installed, or not on the PATH.")


def _cancel_killed_runs(folder: Path, client: Slipway) -> None:
    """Nextflow submits again what a killed run has left, so these jobs are of use to nobody."""
    for lock in folder.glob("*.lock"):
        with lock.open() as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                continue
            active = list_jobs(client, lock.stem, ended=False)
            cancel_jobs(client, [job.job_id for job in active])
            if active:
                print(f"Slipway: cancelled {len(active)} jobs of a run that was killed.")
            lock.unlink()


def _lock(path: Path) -> None:
    lock = os.open(path, os.O_CREAT | os.O_RDWR, 0o644)
    fcntl.flock(lock, fcntl.LOCK_EX)
    os.set_inheritable(lock, True)


def _write_commands(folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    for name in _COMMANDS:
        # Another run of this folder may be calling the command, so that it is replaced at once.
        aside = folder / f".{name}-{os.getpid()}"
        aside.write_text(
            f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m slipway_nextflow {name} "$@"\n'
        )
        aside.chmod(0o755)
        aside.replace(folder / name)
    return folder
