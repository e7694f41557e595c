"""
The exceptions.

SlipwayError
├── SlipwayProblem        the service refused a request; one class per type in slipway.problems
├── ServiceUnreachable    no usable answer came, despite retries
├── NotSignedIn           no service or no token was found
├── WaitTimeout           a job or batch has not ended within the time given to wait()
├── JobFailed             a call or a cell did not end well as a job
├── FolderNotPackable     a folder has something that a zip cannot hold
├── FileTooLarge          a file of a job is too large to be read into memory
└── FilesSkipped          some files of a job could not be saved under their names
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    from . import models
    from ._async.jobs import AsyncJob
    from ._sync.jobs import Job


class SlipwayError(Exception):
    """The base of all exceptions of this package."""


class SlipwayProblem(SlipwayError):
    """
    The service refused a request (RFC 9457).

    ``str(error)`` is written for people and says what to do. Each type of problem has a subclass
    in ``slipway.problems``.
    """

    type_name = "about:blank"

    def __init__(self, problem: models.Problem, retry_after: float | None = None) -> None:
        super().__init__(problem.detail)
        #: The whole answer, with the members of its type, such as ``problem.left.time``.
        self.problem = problem
        #: In how many seconds a retry makes sense, if the service said so.
        self.retry_after = retry_after

    @property
    def name(self) -> str:
        """The type of the problem, such as ``quota-exceeded``."""
        return self.problem.type.rpartition(":")[2]

    @property
    def status(self) -> int:
        """The HTTP status."""
        return self.problem.status

    @property
    def errors(self) -> list[Any]:
        """The invalid fields of a request, each with ``location``, ``name`` and ``message``."""
        return list(self.problem.errors or [])

    @property
    def request_id(self) -> str:
        """The id of the request, which helps an operator."""
        return self.problem.instance


class ServiceUnreachable(SlipwayError):
    """
    No usable answer came, despite retries. The reason is in ``__cause__``.

    A request that changes something may have taken effect.
    """


class NotSignedIn(SlipwayError):
    """No service or no token was found. The message says how to sign in."""


class WaitTimeout(SlipwayError, TimeoutError):
    """The time given to ``wait()`` is over. The job or batch goes on."""


class JobFailed(SlipwayError):
    """A call of ``slipway.futures``, or a cell of a notebook, did not end well as a job."""

    def __init__(self, job: Job | AsyncJob, reason: str) -> None:
        super().__init__(f"The job {job.job_id} ended as {job.stage}. {reason}")
        #: The job. ``job.logs(stream="stderr")`` often says more.
        self.job = job


class FileTooLarge(SlipwayError):
    """A file is too large to be read into memory. Use ``download`` instead."""


class FolderNotPackable(SlipwayError):
    """A folder cannot be packed as it is. The message says why, and what to do."""


class FilesSkipped(SlipwayError):
    """Some files were skipped, because the disk cannot hold their names. All others were saved."""

    def __init__(self, saved: list[Path], skipped: dict[str, str]) -> None:
        names = " ".join(f"{name!r}: {reason}" for name, reason in skipped.items())
        super().__init__(f"Some files could not be saved under their names. {names}")
        #: The paths of the files that were saved.
        self.saved = saved
        #: The names of the files that were not, each with the reason.
        self.skipped = skipped
