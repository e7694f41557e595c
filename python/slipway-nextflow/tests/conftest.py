"""Pipelines that a real Nextflow runs, on the laptop edition."""

from __future__ import annotations

from pathlib import Path

import workflows
from edition import Service
from workflows import machine, sandbox

__all__ = ["Pipeline", "machine", "sandbox"]

#: Quick checks, because the tasks of tests are short.
CONFIG = """
process {
  executor = 'slurm'
  queue = 'hpc_one'
  time = '5m'
}
executor {
  pollInterval = '500 ms'
  queueStatInterval = '3 sec'
  exitReadTimeout = '4 sec'
}
"""


class Pipeline(workflows.Workflow):
    """A pipeline and its configuration, away from those of whoever runs the tests."""

    program = "slipway-nextflow"

    def __init__(self, folder: Path, service: Service, script: str = "", config: str = "") -> None:
        super().__init__(folder, service)
        self.environment |= {
            "NXF_HOME": str(folder / "home"),
            "NXF_OFFLINE": "true",
            "NXF_ANSI_LOG": "false",
        }
        self.write("main.nf", script)
        self.write("nextflow.config", CONFIG + config)

    def execute(self, *words: str, code: int = 0) -> str:
        return self.run("run", "main.nf", *words, code=code)
