"""Runs what docs/workflows.md shows."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from conftest import Workflow
from edition import ROOT, Service


def test_all_commands_of_the_page_run(machine: Service, tmp_path: Path) -> None:
    text = (ROOT / "docs/workflows.md").read_text("utf-8")
    fences = re.findall(r"^```(\w*)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    (tmp_path / "slipway").symlink_to(ROOT)
    workflow = Workflow(tmp_path / "study", machine)
    prepare = f"export PATH={Path(sys.executable).parent}:$PATH"
    printed = said = ""
    for kind, block in fences:
        if file := re.match(r"# (\S+)\n", block):
            # The Python of the tests has Snakemake and Parsl, and jobs would find another one.
            block = block.replace("shared-fs", f"slipway-python: {sys.executable}\nshared-fs")
            block = block.replace('"hpc_one",', f'"hpc_one", worker_init="{prepare}",')
            workflow.write(file[1], block)
        elif kind == "sh":
            done = subprocess.run(
                ["bash", "-e", "-c", block],
                cwd=workflow.folder,
                env=workflow.environment,
                capture_output=True,
                text=True,
                timeout=300,
            )
            assert done.returncode == 0, done.stderr
            printed += done.stdout
            said += done.stderr
        elif kind == "text":
            assert printed.endswith(block)
    assert "Nothing to be done" in said
    rules = [job for job in workflow.jobs() if job.title.startswith("study-")]
    names = sorted(job.title.partition(" ")[2] for job in rules)
    assert names == ["measure sample=north", "measure sample=south", "report"]
    assert {job.runtime for job in rules} == {0.5, 10 / 60}
