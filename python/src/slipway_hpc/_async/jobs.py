"""A job."""

from __future__ import annotations

import codecs
import contextlib
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any, Literal, TypedDict, overload

import httpx

from .. import models
from .._errors import FilesSkipped, FileTooLarge, SlipwayError
from .._faces import write_job_html
from .._files import clean_path, explain_name, write_aside
from .._paths import write_path
from .._problem import SlipwayProblem
from .._progress import ProgressLine, is_notebook
from .._rows import Rows
from .._versions import is_rest, read_version
from .operations import AsyncOperations
from .transport import CutOff
from .waiting import wait_until_ended_async

_JOB = "/jobs/{hpc}/{project_name}/{job_id}/"
_FILE = "/files/{hpc}/{project_name}/{job_id}/{file_id}/"
_DOWNLOAD_TRIES = 3
_FILES_OF_PAGE = 5000
_FIRST_PAUSE = 1.0
_LONGEST_PAUSE = 10.0
_IGNORES_CASE = os.name == "nt"


class _Place(TypedDict):
    hpc: str
    project_name: str
    job_id: str


async def find_job_async(api: AsyncOperations, job_id: str) -> AsyncJob:
    """Finds one of the caller's jobs by its id."""
    found = await api.list_jobs(job_id=job_id).first()
    if not found:
        raise LookupError(f"You have no job '{job_id}'.")
    return AsyncJob(api, found[0])


class AsyncJob:
    """
    A job on an HPC system.

    Its fields are as the service last told them; ``refresh()`` and ``wait()`` ask again.
    """

    def __init__(self, api: AsyncOperations, data: models.Job) -> None:
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
    def hours(self) -> float:
        """The requested hours."""
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

    async def refresh(self) -> AsyncJob:
        """Asks the service for the current stage."""
        await self._check()
        return self

    async def _check(self) -> bool:
        answer, self._etag = await self._api._transport.poll(
            write_path(_JOB, self._place), self._etag
        )
        if answer is None:
            return False
        before, self.data = self.data.stage, models.Job.from_json(answer)
        changed = before != self.data.stage
        if changed:
            self._timeline = None
        return changed

    async def wait(self, timeout: float | None = None, *, progress: bool | None = None) -> AsyncJob:
        """
        Waits until the job has ended, and returns it.

        Asks less and less often, at most every 30 seconds. Raises ``WaitTimeout`` after ``timeout``
        seconds. Stopping to wait, also with Ctrl-C, does not stop the job.

        Args:
            timeout: Seconds to wait. By default there is no limit.
            progress: Whether to show the stage. By default in terminals and notebooks only.
        """
        await wait_until_ended_async(self, self._api._transport, timeout=timeout, progress=progress)
        if is_notebook() and self._timeline is None:
            # Notebooks show it below the cell.
            with contextlib.suppress(SlipwayError):
                await self.timeline()
        return self

    def _show(self, line: ProgressLine) -> None:
        line.say(f"{self.title or self.job_id}: {self.stage}")

    def _name(self) -> str:
        return f"The job {self.job_id}"

    async def cancel(self) -> AsyncJob:
        """Cancels the job, if it is still active. Repeating this changes nothing."""
        self.data = await self._api.delete_job(**self._place, only="cancel")
        self._etag = self._timeline = None
        return self

    async def delete(self) -> AsyncJob:
        """Deletes an ended job with its files. An active job stays as it is."""
        self.data = await self._api.delete_job(**self._place, only="delete")
        self._etag = self._timeline = None
        return self

    async def timeline(self) -> models.Timeline:
        """Returns the stages with their times, and why the job waits or failed."""
        self._timeline = await self._api.get_timeline(**self._place)
        return self._timeline

    async def files(self, folder: str | None = None) -> Rows[models.JobFile]:
        """
        Lists the files of the job.

        With ``folder``, lists only what is directly in it, and its folders, however many there
        are. ``""`` is the outermost folder.
        """
        limit = None if folder is None else _FILES_OF_PAGE
        return await self._api.list_files(**self._place, folder=folder, limit=limit).all()

    async def read(self, name: str) -> bytes:
        """
        Reads a file of the job.

        Raises ``FileTooLarge`` for more than ``max_answer_bytes`` (32 MB). Use ``download`` then.
        """
        found = await self._find(name)
        if found is None:
            raise FileNotFoundError(f"The job {self.job_id} has no file '{name}'.")
        for tries_left in reversed(range(_DOWNLOAD_TRIES)):
            try:
                return await self._read_once(found)
            except CutOff:
                if tries_left == 0:
                    raise
        raise AssertionError

    async def _read_once(self, file: models.JobFile) -> bytes:
        content = bytearray()
        most = self._api._transport.settings.max_answer_bytes
        async with self._api._transport.stream(self._path_of(file)) as response:
            async for piece in response.aiter_bytes():
                content += piece
                if len(content) > most:
                    raise FileTooLarge(
                        f"The file '{file.filename}' has more than {most} bytes. Use download()."
                    )
        return bytes(content)

    def _path_of(self, file: models.JobFile) -> str:
        return write_path(_FILE, {**self._place, "file_id": file.fileid})

    async def _find(self, name: str) -> models.JobFile | None:
        """Finds a file. Systems name the output in their own ways: `stdout`, `slurm-12.out`."""
        files = await self.files()
        for file in files:
            if file.filename == name:
                return file
        ending = {"stdout": ".out", "stderr": ".err"}.get(name)
        if ending is None:
            return None
        return next((file for file in files if file.filename.endswith(ending)), None)

    @overload
    def logs(self, *, follow: Literal[False] = False, stream: str = "stdout") -> Awaitable[str]: ...

    @overload
    def logs(self, *, follow: Literal[True], stream: str = "stdout") -> AsyncIterator[str]: ...

    def logs(
        self, *, follow: bool = False, stream: str = "stdout"
    ) -> Awaitable[str] | AsyncIterator[str]:
        """
        Reads the output of the job.

        Args:
            follow: Return the lines as they appear, until the job ends.
            stream: ``stdout``, ``stderr`` or the name of another file.
        """
        return self._follow(stream) if follow else self._read_text(stream)

    async def _read_text(self, name: str) -> str:
        return (await self.read(name)).decode("utf-8", "replace")

    async def _follow(self, name: str) -> AsyncIterator[str]:
        """Yields new lines. Backs off while there are none."""
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        shown = 0
        rest = ""
        seconds = _FIRST_PAUSE
        tries_left = _DOWNLOAD_TRIES
        while True:
            # Asks for the job first: its last output is there once its end is known.
            await self._check()
            file = await self._find(name)
            is_new = file is not None and (file.starts_at or 0) + file.length > shown
            if file is not None and is_new:
                try:
                    async with self._api._transport.stream(self._path_of(file)) as response:
                        seen = int(response.headers.get("file-starts-at") or 0)
                        async for piece in response.aiter_bytes():
                            news = piece[max(0, shown - seen) :]
                            seen += len(piece)
                            shown = max(shown, seen)
                            *lines, rest = (rest + decoder.decode(news)).split("\n")
                            for line in lines:
                                yield line
                    tries_left = _DOWNLOAD_TRIES
                except CutOff:
                    tries_left -= 1
                    if tries_left == 0:
                        raise
                    continue
            if self.ended:
                break
            seconds = _FIRST_PAUSE if is_new else min(_LONGEST_PAUSE, seconds * 1.5)
            await self._api._transport.pause(seconds)
        rest += decoder.decode(b"", final=True)
        if rest:
            yield rest

    async def download(
        self,
        folder: str | os.PathLike[str],
        *,
        only: Callable[[models.JobFile], bool] | None = None,
        progress: bool | None = None,
    ) -> list[Path]:
        """
        Saves the files of the job below a folder, and returns their paths.

        A job chooses the names of its files freely. Characters that nobody can see become ``_``. A
        name that leads out of the folder, or that the disk cannot hold, is skipped, and
        ``FilesSkipped`` is raised after all others were saved.
        """
        files = [file for file in await self.files() if only is None or only(file)]
        whole = sum(file.length for file in files)
        saved: list[Path] = []
        skipped: dict[str, str] = {}
        taken: set[str] = set()
        done = 0
        with ProgressLine(progress) as line:
            for file in files:
                try:
                    path = clean_path(file.filename)
                except ValueError as error:
                    skipped[file.filename] = str(error)
                    continue
                key = path.lower() if _IGNORES_CASE else path
                if key in taken:
                    skipped[file.filename] = "Another file of the job has this name already."
                    continue
                target = Path(folder, path)
                try:
                    done += await self._save(file, target)
                except OSError as error:
                    reason = explain_name(error)
                    if reason is None:
                        raise
                    skipped[file.filename] = reason
                    continue
                taken.add(key)
                saved.append(target)
                line.update(done, max(whole, done), file.filename)
        if skipped:
            raise FilesSkipped(saved, skipped)
        return saved

    async def _save(self, file: models.JobFile, path: Path) -> int:
        """Saves a file. A download that is cut off goes on, as long as it gets further."""
        version: str | None = None
        furthest = 0
        tries_left = _DOWNLOAD_TRIES
        with write_aside(path) as part:
            while True:
                start = part.stat().st_size if version is not None else 0
                try:
                    async with self._open(file, start, version) as response:
                        version = read_version(response)
                        with open(part, "ab" if response.status_code == 206 else "wb") as out:
                            async for piece in response.aiter_bytes():
                                out.write(piece)
                    return part.stat().st_size
                except CutOff:
                    reached = part.stat().st_size
                    tries_left = _DOWNLOAD_TRIES if reached > furthest else tries_left - 1
                    furthest = max(furthest, reached)
                    if tries_left == 0:
                        raise

    @contextlib.asynccontextmanager
    async def _open(
        self, file: models.JobFile, start: int, version: str | None
    ) -> AsyncIterator[httpx.Response]:
        """Opens the rest of a file, or the whole if it is another one by now."""
        path = self._path_of(file)
        if start > 0:
            try:
                async with self._api._transport.stream(path, start) as response:
                    if is_rest(response, start, version):
                        yield response
                        return
            except SlipwayProblem as problem:
                # The file is not longer than what is here.
                if problem.status != 416:
                    raise
        async with self._api._transport.stream(path) as response:
            yield response

    def __repr__(self) -> str:
        return f"<Job {self.job_id} {self.stage} {self.title!r} on {self.hpc}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, AsyncJob) and other._place == self._place

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
