"""Runs what docs/workflows.md shows."""

from __future__ import annotations

import sys
from pathlib import Path

from conftest import Workflow
from edition import Service
from workflows import run_page


def test_all_commands_of_the_page_run(machine: Service, tmp_path: Path) -> None:
    workflow = Workflow(tmp_path / "study", machine)
    prepare = f"export PATH={Path(sys.executable).parent}:$PATH"
    # The Python of the tests has Snakemake and Parsl, and jobs would find another one.
    changes = {
        "shared-fs": f"slipway-python: {sys.executable}\nshared-fs",
        '"hpc_one",': f'"hpc_one", worker_init="{prepare}",',
    }
    assert "Nothing to be done" in run_page(workflow, "workflows.md", changes)
    rules = [job for job in workflow.jobs() if job.title.startswith("study-")]
    names = sorted(job.title.partition(" ")[2] for job in rules)
    assert names == ["measure sample=north", "measure sample=south", "report"]
    assert {job.runtime for job in rules} == {0.5, 10 / 60}
