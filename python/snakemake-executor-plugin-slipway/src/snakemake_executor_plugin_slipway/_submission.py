"""What is submitted for a rule."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Set
from dataclasses import dataclass

from snakemake_interface_executor_plugins.jobs import JobExecutorInterface
from snakemake_interface_executor_plugins.utils import encode_target_jobs_cli_args

from slipway_hpc import JobOptions

from ._files import describe_files


@dataclass(frozen=True)
class Submission:
    """All that is needed to submit a rule, now or later."""

    name: str
    hpc: str
    options: JobOptions
    files: list[str]
    script: str
    fingerprint: str
    #: The jobs whose end Snakemake has not recorded. None if it records none for this rule.
    unfinished: Set[str] | None


def name_job(job: JobExecutorInterface) -> str:
    """Names a job as Snakemake does on the command line: ``align:sample=A``."""
    return " ".join(sorted(encode_target_jobs_cli_args(job.get_target_spec())))


def write_fingerprint(
    hpc: str, options: JobOptions, files: Iterable[str], job: JobExecutorInterface
) -> str:
    """Says whether a job that was submitted before a crash is still the one that is wanted."""
    parts = getattr(job, "jobs", [job])
    described = {
        "hpc": hpc,
        "options": options,
        "files": describe_files(files),
        "commands": sorted(str(getattr(part, "shellcmd", "")) for part in parts),
        "params": sorted(str(getattr(part, "params", "")) for part in parts),
    }
    return hashlib.sha256(json.dumps(described, default=str).encode()).hexdigest()
