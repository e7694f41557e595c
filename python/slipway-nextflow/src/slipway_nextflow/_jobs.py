"""The jobs of a run of Nextflow."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor

from slipway_hpc import Job, Slipway

#: Names the run: the titles of all of its jobs begin with it.
RUN = "SLIPWAY_NEXTFLOW_RUN"

_PAGE = 1000
#: Nextflow gives 100 cancellations 10 seconds.
_CANCELLED_AT_ONCE = 8


def list_jobs(client: Slipway, run: str, *, ended: bool | None = None) -> list[Job]:
    """Returns also those that have ended: Nextflow waits for what is not in the list."""
    listed = client.jobs(title=f"{run} ", ended=ended, limit=_PAGE)
    return [job for job in listed if job.title.startswith(f"{run} ")]


def cancel_jobs(client: Slipway, job_ids: Iterable[str]) -> None:
    def cancel(job_id: str) -> None:
        with contextlib.suppress(LookupError):
            client.job(job_id).cancel()

    with ThreadPoolExecutor(_CANCELLED_AT_ONCE) as pool:
        list(pool.map(cancel, job_ids))


def write_number(job_id: str) -> str:
    """Writes an id as a number, because Nextflow takes nothing else for a job of Slurm."""
    return str(int.from_bytes(job_id.encode(), "big"))


def read_number(number: str) -> str:
    value = int(number)
    return value.to_bytes((value.bit_length() + 7) // 8, "big").decode()
