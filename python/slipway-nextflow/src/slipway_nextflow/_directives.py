"""Turns the directives that Nextflow writes for Slurm into a submission."""

from __future__ import annotations

import argparse
import re
import shlex
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from typing import NoReturn

from slipway_hpc import JobOptions

_MARK = "#SBATCH "


class UnknownDirective(Exception):
    """A directive is unknown or missing. Nothing that somebody asks for is left out silently."""


@dataclass(frozen=True)
class Submission:
    system: str
    options: JobOptions


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UnknownDirective(message)


def _create_parser() -> _Parser:
    parser = _Parser(prog="sbatch", add_help=False, allow_abbrev=False)
    parser.add_argument("-J", "--job-name", default="")
    parser.add_argument("-t", "--time")
    parser.add_argument("-c", "--cpus-per-task", type=int, default=1)
    parser.add_argument("-N", "--nodes", type=int, default=1)
    parser.add_argument("--mem", type=_read_memory)
    parser.add_argument("--mem-per-cpu", type=_read_memory)
    parser.add_argument("--gpus-per-node", "--gres", type=_read_gpus, default=(None, None))
    parser.add_argument("-p", "--partition", default="")
    parser.add_argument("-A", "--account")
    # Nextflow always writes these. They change nothing here.
    parser.add_argument("-o", "--output")
    parser.add_argument("--no-requeue", action="store_true")
    parser.add_argument("--signal")
    return parser


def _read_memory(text: str) -> int:
    """Returns megabytes. Those of Slurm and Nextflow are 5 percent larger."""
    found = re.fullmatch(r"(\d+)([MG]?)", text.upper())
    if not found:
        raise argparse.ArgumentTypeError(f"'{text}' is not a size. Try 2000M or 2G.")
    return ceil(int(found[1]) * (1024 if found[2] == "G" else 1) * 1024**2 / 1000**2)


def _read_gpus(text: str) -> tuple[str | None, int]:
    found = re.fullmatch(r"(?:gpu:)?(?:([^:]+):)?(\d+)", text)
    if not found:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of GPUs. Try gpu:2 or a100:2.")
    return found[1], int(found[2])


def read_submission(script: str, folder: Path, run: str) -> Submission:
    """
    Reads the script of a task.

    Args:
        folder: The work folder of the task, which the job must see.
        run: The text that the titles of all jobs of this run begin with.
    """
    lines = [line for line in script.splitlines() if line.startswith(_MARK)]
    words = [word for line in lines for word in shlex.split(line.removeprefix(_MARK))]
    wanted = _create_parser().parse_args(words)
    system, _, job_class = wanted.partition.partition("/")
    if not system:
        raise UnknownDirective("Name a system: process.queue = 'hpc_one', or 'hpc_one/CLASS'.")
    if not wanted.time:
        # A job is charged by its time, so no time is made up.
        raise UnknownDirective("A job needs a time. Give all processes one: process.time = '30m'.")
    gpu_kind, gpus = wanted.gpus_per_node
    options: JobOptions = {
        "command": _write_command(folder),
        "title": f"{run} {_name_task(wanted.job_name)}"[:200],
        "runtime": wanted.time,
        "nodes": wanted.nodes,
        "cores": wanted.cpus_per_task,
        "gpus": gpus,
        "gpu_kind": gpu_kind,
        "class_": job_class or None,
        "project": wanted.account,
    }
    megabytes = wanted.mem or (wanted.mem_per_cpu or 0) * wanted.cpus_per_task
    if megabytes:
        options["memory"] = f"{megabytes} MB"
    return Submission(system, options)


def _name_task(name: str) -> str:
    """Names a task as Nextflow shows it: ``ALIGN (north)``."""
    return re.sub(r"_\((.*)\)$", r" (\1)", name.removeprefix("nf-"))


#: The copy of the output outlives the end of the time, and does not end the task's own cleaning up.
_STEPS = (
    'if ! cd "$0" || ! [ -w . ]; then '
    'echo "Jobs on this system cannot see or write the folder $0" >&2; exit 1; fi; '
    "set -o pipefail; "
    'bash .command.run 2>&1 | (trap "" TERM; exec tee .command.log)'
)


def _write_command(folder: Path) -> str:
    return f"bash -c {shlex.quote(_STEPS)} {shlex.quote(str(folder))}"
