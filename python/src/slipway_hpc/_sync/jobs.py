# Made by `npm run describe` from _async/jobs.py. Do not edit.
"""A job."""

from __future__ import annotations

import codecs
import contextlib
from collections.abc import Iterator
from typing import Any, Literal, TypedDict, overload

from .. import models
from .._errors import SlipwayError
from .._faces import write_job_html
from .._old_names import warn_of_old
from .._paths import write_path
from .._progress import ProgressLine, is_notebook
from .._rows import Rows
from .files import DOWNLOAD_TRIES, Files
from .operations import Operations
from .transport import CutOff
from .waiting import wait_until_ended

_JOB = "/jobs/{hpc}/{project_name}/{job_id}/"
_FILE = "/files/{hpc}/{project_name}/{job_id}/{file_id}/"
_FILES_OF_PAGE = 5000
_FIRST_PAUSE = 1.0
_LONGEST_PAUSE = 10.0


class _Place(TypedDict):
    hpc: str
    project_name: str
    job_id: str


def find_job(api: Operations, job_id: str) -> Job:
    """Finds one of the caller's jobs by its id."""
    found = api.list_jobs(job_id=job_id).first()
    if not found:
        raise LookupError(f"You have no job '{job_id}'.")
    return Job(api, found[0])


class Job(Files):
    """
    A job on an HPC system.

    Its fields are as the service last told them; ``refresh()`` and ``wait()`` ask again.
    """

    def __init__(self, api: Operations, data: models.Job) -> None:
        self._api = api
        self._etag: str | None = None
        self._timeline: models.Timeline | None = None
        #: The job as the service wrote it.
        self.data = data

    @property
    def job_id(self) -> str:
        """The id of the job on its system."""
        return self.data.job_id

    @property
    def title(self) -> str:
        """The title given at submission."""
        return self.data.title

    @property
    def stage(self) -> str:
        """The stage, in the words of the system."""
        return self.data.stage

    @property
    def ended(self) -> bool:
        """Whether the stage is final."""
        return self.data.terminal_stage

    @property
    def failed(self) -> bool:
        """Whether the job has failed."""
        return self.data.failed

    @property
    def hpc(self) -> str:
        """The name of the system, as in ``submit``."""
        return self.data.project_hpc.lower()

    @property
    def project(self) -> str:
        """The name of the project."""
        return self.data.project_name

    @property
    def runtime(self) -> float:
        """The requested hours."""
        return self.data.runtime

    @property
    def hours(self) -> float:
        """The old name of ``runtime``."""
        warn_of_old("Job.hours", "Job.runtime")
        return self.data.runtime

    @property
    def submitted(self) -> str:
        """When the job was submitted (ISO 8601, UTC)."""
        return self.data.init_date

    @property
    def ended_at(self) -> str | None:
        """When the job ended (ISO 8601, UTC)."""
        return self.data.end_date

    @property
    def index(self) -> int | None:
        """The number of the job in its batch."""
        return self.data.index

    @property
    def batch_id(self) -> str | None:
        """The id of the batch that the job belongs to."""
        return self.data.batch

    @property
    def _place(self) -> _Place:
        return {"hpc": self.hpc, "project_name": self.project, "job_id": self.job_id}

    def to_dict(self) -> dict[str, Any]:
        """Returns the job as the service wrote it."""
        return self.data.to_dict()

    def refresh(self) -> Job:
        """Asks the service for the current stage."""
        self._check()
        return self

    def _check(self) -> bool:
        answer, self._etag = self._api._transport.poll(
            write_path(_JOB, self._place), self._etag
        )
        if answer is None:
            return False
        before, self.data = self.data.stage, models.Job.from_json(answer)
        changed = before != self.data.stage
        if changed:
            self._timeline = None
        return changed

    def wait(self, timeout: float | None = None, *, progress: bool | None = None) -> Job:
        """
        Waits until the job has ended, and returns it.

        Asks less and less often, at most every 30 seconds. Raises ``WaitTimeout`` after ``timeout``
        seconds. Stopping to wait, also with Ctrl-C, does not stop the job.

        Args:
            timeout: Seconds to wait. By default there is no limit.
            progress: Whether to show the stage. By default in terminals and notebooks only.
        """
        wait_until_ended(self, self._api._transport, timeout=timeout, progress=progress)
        if is_notebook() and self._timeline is None:
            # Notebooks show it below the cell.
            with contextlib.suppress(SlipwayError):
                self.timeline()
        return self

    def _show(self, line: ProgressLine) -> None:
        line.say(f"{self.title or self.job_id}: {self.stage}")

    def _name(self) -> str:
        return f"The job {self.job_id}"

    def cancel(self) -> Job:
        """Cancels the job, if it is still active. Repeating this changes nothing."""
        self.data = self._api.delete_job(**self._place, only="cancel")
        self._etag = self._timeline = None
        return self

    def delete(self) -> Job:
        """Deletes an ended job with its files. An active job stays as it is."""
        self.data = self._api.delete_job(**self._place, only="delete")
        self._etag = self._timeline = None
        return self

    def timeline(self) -> models.Timeline:
        """Returns the stages with their times, and why the job waits or failed."""
        self._timeline = self._api.get_timeline(**self._place)
        return self._timeline

    def files(self, folder: str | None = None) -> Rows[models.JobFile]:
        """
        Lists the files of the job.

        With ``folder``, lists only what is directly in it, and its folders, however many there
        are. ``""`` is the outermost folder.
        """
        limit = None if folder is None else _FILES_OF_PAGE
        return self._api.list_files(**self._place, folder=folder, limit=limit).all()

    def _path_of(self, file: models.JobFile) -> str:
        return write_path(_FILE, {**self._place, "file_id": file.fileid})

    def _find(self, name: str) -> models.JobFile | None:
        """Finds a file. Systems name the output in their own ways: `stdout`, `slurm-12.out`."""
        files = self.files()
        for file in files:
            if file.filename == name:
                return file
        ending = {"stdout": ".out", "stderr": ".err"}.get(name)
        if ending is None:
            return None
        return next((file for file in files if file.filename.endswith(ending)), None)

    @overload
    def logs(self, *, follow: Literal[False] = False, stream: str = "stdout") -> str: ...

    @overload
    def logs(self, *, follow: Literal[True], stream: str = "stdout") -> Iterator[str]: ...

    def logs(
        self, *, follow: bool = False, stream: str = "stdout"
    ) -> str | Iterator[str]:
        """
        Reads the output of the job.

        Args:
            follow: Return the lines as they appear, until the job ends.
            stream: ``stdout``, ``stderr`` or the name of another file.
        """
        return self._follow(stream) if follow else self._read_text(stream)

    def _read_text(self, name: str) -> str:
        return (self.read(name)).decode("utf-8", "replace")

    def _follow(self, name: str) -> Iterator[str]:
        """Yields new lines. Backs off while there are none."""
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        shown = 0
        rest = ""
        seconds = _FIRST_PAUSE
        tries_left = DOWNLOAD_TRIES
        while True:
            # Asks for the job first: its last output is there once its end is known.
            self._check()
            file = self._find(name)
            is_new = file is not None and (file.starts_at or 0) + file.length > shown
            if file is not None and is_new:
                try:
                    with self._api._transport.stream(self._path_of(file)) as response:
                        seen = int(response.headers.get("file-starts-at") or 0)
                        for piece in response.iter_bytes():
                            news = piece[max(0, shown - seen) :]
                            seen += len(piece)
                            shown = max(shown, seen)
                            *lines, rest = (rest + decoder.decode(news)).split("\n")
                            for line in lines:
                                yield line
                    tries_left = DOWNLOAD_TRIES
                except CutOff:
                    tries_left -= 1
                    if tries_left == 0:
                        raise
                    continue
            if self.ended:
                break
            seconds = _FIRST_PAUSE if is_new else min(_LONGEST_PAUSE, seconds * 1.5)
            self._api._transport.pause(seconds)
        rest += decoder.decode(b"", final=True)
        if rest:
            yield rest

    def __repr__(self) -> str:
        return f"<Job {self.job_id} {self.stage} {self.title!r} on {self.hpc}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Job) and other._place == self._place

    def __hash__(self) -> int:
        return hash(self.job_id)

    def _repr_html_(self) -> str:
        """Shows the job as it was last told. Asks the service for nothing."""
        return write_job_html(
            title=self.title,
            job_id=self.job_id,
            place=f"{self.hpc} / {self.project}",
            stage=self.stage,
            ended=self.ended,
            failed=self.failed,
            timeline=self._timeline,
        )
