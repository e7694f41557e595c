"""What Nextflow writes for Slurm, as submissions. Nothing here needs a service."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest
from slipway_nextflow._directives import UnknownDirective, read_submission
from slipway_nextflow._jobs import read_number, write_number

USUAL = """#!/bin/bash
#SBATCH -J nf-LAB:ALIGN_(north_1)
#SBATCH -o "/data/a b/.command.log"
#SBATCH --no-requeue
#SBATCH --signal B:USR2@30
#SBATCH -t 36:00:00
#SBATCH -p hpc_one
"""


def read(*lines: str) -> dict[str, Any]:
    script = USUAL + "".join(f"#SBATCH {line}\n" for line in lines)
    return dict(read_submission(script, Path("/data/a b"), "study-1c9e02").options)


def test_a_task_becomes_a_job() -> None:
    options = read()
    command = options.pop("command")
    assert options == {
        "title": "study-1c9e02 LAB:ALIGN (north_1)",
        "runtime": "36:00:00",
        "nodes": 1,
        "cores": 1,
        "gpus": None,
        "gpu_kind": None,
        "class_": None,
        "project": None,
    }
    assert command.endswith("' '/data/a b'")


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("-c 8", {"cores": 8}),
        ("-N 2", {"nodes": 2}),
        # A megabyte of Nextflow has 1,048,576 bytes, and one of the service a million.
        ("--mem 1000M", {"memory": "1049 MB"}),
        ("--mem 2G", {"memory": "2148 MB"}),
        ("--gpus-per-node=2", {"gpus": 2, "gpu_kind": None}),
        ("--gres=gpu:a100:4", {"gpus": 4, "gpu_kind": "a100"}),
        ("-p hpc_one/big", {"class_": "big"}),
        ("-A proj_hpc_one_02", {"project": "proj_hpc_one_02"}),
    ],
)
def test_a_resource_arrives(line: str, wanted: dict[str, object]) -> None:
    options = read(line)
    assert {name: options[name] for name in wanted} == wanted


def test_memory_of_each_core_is_that_of_the_node() -> None:
    assert read("-c 4", "--mem-per-cpu 500M")["memory"] == "2100 MB"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("--array 0-9", "unrecognized arguments: --array 0-9"),
        ("--qos=long", "unrecognized arguments: --qos=long"),
        ("--mem much", "'much' is not a size"),
        ("--gres=tmp:5G", "'tmp:5G' is not a number of GPUs"),
        ("-p ''", "Name a system"),
        ("-t ''", "A job needs a time"),
    ],
)
def test_what_cannot_be_kept_is_refused(line: str, words: str) -> None:
    with pytest.raises(UnknownDirective, match=words):
        read(line)


@pytest.mark.parametrize("job_id", ["5f3c9a12-0000-4000-8000-00000000000a", "NGBW-JOB-X-00A1"])
def test_an_id_is_a_number_and_back(job_id: str) -> None:
    assert write_number(job_id).isdecimal()
    assert read_number(write_number(job_id)) == job_id


def test_a_folder_with_quotes_is_entered(tmp_path: Path) -> None:
    folder = tmp_path / 'it\'s a "folder"'
    folder.mkdir()
    (folder / ".command.run").write_text("echo said; echo why >&2; exit 7")
    command = read_submission(USUAL, folder, "study-1c9e02").options["command"]
    done = subprocess.run(["sh", "-c", str(command)], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (7, "said\nwhy\n")
    assert (folder / ".command.log").read_text() == "said\nwhy\n"
