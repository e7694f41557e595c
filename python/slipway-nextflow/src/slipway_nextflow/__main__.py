"""Answers what Nextflow asks of Slurm: ``python -m slipway_nextflow sbatch .command.run``."""

from __future__ import annotations

import os
import signal
import sys
import time
import uuid
from pathlib import Path

from slipway_hpc import Job, ServiceUnreachable, Slipway, SlipwayError, SlipwayProblem, problems

from ._directives import Submission, UnknownDirective, read_submission
from ._jobs import RUN, cancel_jobs, list_jobs, read_number, write_number

#: Slurm's codes for what a stage means in the catalog.
_CODES = {
    "waiting": "PD",
    "starting": "PD",
    "running": "R",
    "finishing": "CG",
    "done": "CD",
    "failed": "F",
    "cancelled": "CA",
    "deleted": "CA",
}
_SECONDS_BETWEEN_TRIES = 10


def main() -> int:
    command, *words = sys.argv[1:]
    try:
        client, run = Slipway(), os.environ[RUN]
        if command == "sbatch":
            return sbatch(client, run, Path(words[-1]))
        if command == "scancel":
            cancel_jobs(client, [read_number(word) for word in words])
        else:
            squeue(client, run)
    except (SlipwayError, UnknownDirective, ValueError) as error:
        # Nextflow shows this as the reason.
        print(f"Slipway: {error}", file=sys.stderr)
        return 1
    return 0


def sbatch(client: Slipway, run: str, script: Path) -> int:
    submission = read_submission(script.read_text(), Path.cwd(), run)
    interrupts: list[int] = []
    signal.signal(signal.SIGINT, lambda number, _: interrupts.append(number))
    job = _submit(client, submission, interrupts)
    if interrupts and job:
        # Nextflow is ending, and does not wait for the number of this job.
        job.cancel()
    if interrupts or not job:
        return 130
    print(f"Submitted batch job {write_number(job.job_id)}")
    return 0


def _submit(client: Slipway, submission: Submission, interrupts: list[int]) -> Job | None:
    """Waits while the service is away or takes no more jobs, as nothing is wrong with the task."""
    key = str(uuid.uuid4())
    options = submission.options
    if "memory" in options and not _takes_memory(client, submission.system):
        del options["memory"]
    while not interrupts:
        try:
            return client.submit(None, submission.system, idempotency_key=key, **options)
        except SlipwayError as error:
            if not _is_away(error):
                raise
            time.sleep(_SECONDS_BETWEEN_TRIES)
    return None


def _takes_memory(client: Slipway, name: str) -> bool:
    """Pipelines give nearly every process some memory, so systems that take none leave it out."""
    return any(each.name == name and each.limits.memory is not None for each in client.systems())


def _is_away(error: SlipwayError) -> bool:
    """Says whether waiting helps: for the service, or for the end of other jobs."""
    if isinstance(error, SlipwayProblem):
        return isinstance(error, problems.TooManyJobs) or error.status in (429, *range(500, 600))
    return isinstance(error, ServiceUnreachable)


def squeue(client: Slipway, run: str) -> None:
    meanings = {system.name: system.stage_meanings for system in client.systems()}
    for job in list_jobs(client, run):
        meaning = meanings.get(job.hpc, {}).get(job.stage, "")
        print(write_number(job.job_id), _CODES.get(meaning, "R"))


sys.exit(main())
