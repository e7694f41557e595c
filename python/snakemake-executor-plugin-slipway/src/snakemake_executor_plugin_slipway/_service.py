"""What the executor asks of the service."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Set
from pathlib import Path

from slipway_hpc import (
    Job,
    ServiceUnreachable,
    Slipway,
    SlipwayError,
    SlipwayProblem,
    models,
    problems,
)

from ._files import pack
from ._notes import Note, Notes
from ._submission import Submission

#: The most that a page of a list has.
_PAGE = 1000


class Service:
    """The jobs of one workflow."""

    def __init__(
        self, client: Slipway, notes: Notes, tag: str, systems: Mapping[str, models.System]
    ) -> None:
        self.client = client
        self.notes = notes
        self.tag = tag
        self._systems = systems

    def submit(self, submission: Submission) -> tuple[Job, bool]:
        """Returns the job, and whether an earlier run has submitted it already."""
        note = self.notes.read(submission.name)
        if note is not None and note.job_id is not None:
            found = self.look_up({note.job_id: note.submitted or ""}).get(note.job_id)
            if found is not None and note.fingerprint == submission.fingerprint:
                if not found.ended or self._is_awaited(found, submission):
                    return found, True
            elif found is not None and not found.ended:
                found.cancel()
            note = None
        if note is None or note.fingerprint != submission.fingerprint:
            note = self.notes.begin(submission.name, submission.fingerprint)
        job = self._send(submission, note)
        self.notes.complete(submission.name, note, job.job_id, job.submitted)
        return job, False

    def _is_awaited(self, job: Job, submission: Submission) -> bool:
        """
        Says whether Snakemake has yet to hear that a job has succeeded.

        On a shared disk, jobs record their end themselves. Whoever runs such a rule wants it again.
        """
        unfinished = submission.unfinished
        return self.has_succeeded(job) and (unfinished is None or job.job_id in unfinished)

    def _send(self, submission: Submission, note: Note) -> Job:
        with pack(submission.files, submission.script) as path:
            try:
                return self.client.submit(
                    path,
                    submission.hpc,
                    idempotency_key=note.idempotency_key,
                    progress=False,
                    **submission.options,
                )
            except problems.IdempotencyKeyReused:
                # The service has this submission, and its answer was lost with an earlier run.
                # Only the address of its upload, or a folder of that run, differs.
                title = submission.options.get("title") or ""
                for job in self.client.jobs(title=title, order="desc"):
                    if job.title == title:
                        return job
                raise

    def look_up(self, submitted: Mapping[str, str]) -> dict[str, Job]:
        """
        Returns jobs by their ids, a thousand in a request. Deleted ones are missing.

        Args:
            submitted: The ids, with the time at which the service got each job.
        """
        found: dict[str, Job] = {}
        if not submitted:
            return found
        since = min(submitted.values()) or None
        for job in self.client.jobs(title=self.tag, since=since, order="desc", limit=_PAGE):
            if job.job_id in submitted:
                found[job.job_id] = job
            if len(found) == len(submitted):
                return found
        for job_id in submitted.keys() - found.keys():
            with contextlib.suppress(LookupError):
                found[job_id] = self.client.job(job_id)
        return found

    def has_succeeded(self, job: Job) -> bool:
        """A stage that the service gives no meaning is no success."""
        return job.ended and self._mean(job) == "done"

    def _mean(self, job: Job) -> str | None:
        system = self._systems.get(job.hpc)
        return system.stage_meanings.get(job.stage) if system else None

    def explain_end(self, job: Job) -> str:
        """Says why a job did not succeed."""
        words = {"failed": "failed", "cancelled": "was cancelled", "deleted": "was deleted"}
        end = words.get(self._mean(job) or "", f"ended as {job.stage}")
        reason = (job.timeline().reason or "").rstrip(".")
        return f"The job {end}. {reason[:1].upper()}{reason[1:]}." if reason else f"The job {end}."

    def save_output(self, job: Job, path: Path) -> None:
        """Saves what the job printed, as far as its system has kept it."""
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("w", encoding="utf-8") as out:
            for stream in ("stderr", "stdout"):
                with contextlib.suppress(FileNotFoundError, SlipwayProblem):
                    out.write(job.logs(stream=stream))

    def cancel(self, titles: Set[str]) -> None:
        """Cancels the active jobs with these titles, also one whose id nobody got to know."""
        for job in list(self.client.jobs(title=self.tag, ended=False, limit=_PAGE)):
            if job.title in titles:
                job.cancel()


def is_away(error: SlipwayError) -> bool:
    """Says whether waiting helps: for the service, or for the end of other jobs."""
    if isinstance(error, SlipwayProblem):
        waits = isinstance(error, problems.TooManyJobs | problems.TooManyUploads)
        return waits or error.status == 429 or error.status >= 500
    return isinstance(error, ServiceUnreachable)
