"""Workflows that a real Snakemake runs, on the laptop edition."""

from __future__ import annotations

import sys
from typing import ClassVar

import workflows
from workflows import machine, sandbox

__all__ = ["Workflow", "machine", "sandbox"]


class Workflow(workflows.Workflow):
    """Runs without a shared disk, unless the words say otherwise."""

    program = "snakemake"
    usual: ClassVar[dict[str, str]] = {
        "--executor": "slipway",
        "--slipway-system": "hpc_one",
        "--slipway-python": sys.executable,
        "--shared-fs-usage": "none",
        "--jobs": "8",
        "--default-resources": "runtime=5",
        "--seconds-between-status-checks": "1",
    }
