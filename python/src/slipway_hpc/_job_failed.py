"""A call or a cell that did not end well as a job."""

from __future__ import annotations

from ._errors import SlipwayError
from ._sync.jobs import Job


class JobFailed(SlipwayError):
    """A call of ``slipway_hpc.futures``, or a cell of a notebook, did not end well as a job."""

    def __init__(self, job: Job, reason: str) -> None:
        super().__init__(f"The job {job.job_id} ended as {job.stage}. {reason}")
        #: The job. ``job.logs(stream="stderr")`` often says more.
        self.job = job
