# Made by `npm run describe` from _async/batches.py. Do not edit.
"""Many jobs that were submitted as one."""

from __future__ import annotations

import base64
import contextlib
import os
from collections.abc import Iterator, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar, overload

from .. import models
from .._errors import SlipwayError
from .._faces import write_counts_html, write_strip_html
from .._parallel import map_parallel
from .._paths import write_path
from .._progress import ProgressLine, is_notebook
from .._rows import Rows, make_dataframe
from .jobs import Job, find_job
from .operations import Operations
from .waiting import wait_until_ended

if TYPE_CHECKING:
    import pandas

Result = TypeVar("Result")

_BATCH = "/batches/{hpc}/{project_name}/{batch_id}/"
_PAGE = 1000


class _Place(TypedDict):
    hpc: str
    project_name: str
    batch_id: str


class _AsyncShared:
    """A batch of the service, which several slices may share."""

    def __init__(self, api: Operations, data: models.Batch) -> None:
        self._api = api
        self._etag: str | None = None
        self._jobs: list[Job] | None = None
        self.data = data

    @property
    def place(self) -> _Place:
        return {
            "hpc": self.data.project_hpc.lower(),
            "project_name": self.data.project_name,
            "batch_id": self.data.batch_id,
        }

    @property
    def ended(self) -> bool:
        return self.data.end_date is not None

    def check(self) -> bool:
        """Asks for the counts, in one request however many jobs there are."""
        if self.ended:
            return False
        answer, self._etag = self._api._transport.poll(
            write_path(_BATCH, self.place), self._etag
        )
        if answer is None:
            return False
        before, self.data = self.data, models.Batch.from_json(answer)
        changed = before.counts != self.data.counts or self.ended
        if changed:
            self._jobs = None
        return changed

    def jobs(self) -> list[Job]:
        """
        Lists the jobs, a thousand in a request, and again only after a change.

        Those of a new batch appear within seconds, the first ones first.
        """
        if self._jobs is None or len(self._jobs) < self.data.count:
            pages = self._api.list_jobs(batch=self.data.batch_id, limit=_PAGE)
            self._jobs = [Job(self._api, data) for data in pages.all()]
        return self._jobs


@dataclass(frozen=True)
class Counts:
    """How many jobs are in which state."""

    waiting: int = 0
    running: int = 0
    done: int = 0
    failed: int = 0
    cancelled: int = 0


class Batch:
    """
    A sequence of jobs that were submitted as one.

    Slices and sums are batches too. One request refreshes a whole batch, however many jobs it has.
    """

    def __init__(self, api: Operations, parts: Sequence[tuple[_AsyncShared, range]]) -> None:
        self._api = api
        self._parts = list(parts)

    @classmethod
    def _of(cls, api: Operations, data: models.Batch) -> Batch:
        return cls(api, [(_AsyncShared(api, data), range(data.count))])

    @property
    def batch_id(self) -> str:
        """The id of the batch. A sum of batches has several: ``batch_ids``."""
        ids = self.batch_ids
        if len(ids) != 1:
            raise ValueError("This is a sum of batches. Use batch_ids.")
        return ids[0]

    @property
    def batch_ids(self) -> list[str]:
        """The ids of the batches that the jobs belong to."""
        return [shared.data.batch_id for shared in self._shared]

    @property
    def title(self) -> str:
        """The title, with its placeholders."""
        return " + ".join(dict.fromkeys(shared.data.title for shared in self._shared))

    @property
    def _shared(self) -> list[_AsyncShared]:
        return list(dict.fromkeys(shared for shared, _ in self._parts))

    @property
    def _is_whole(self) -> bool:
        """Whether each batch is in here once and with all of its jobs, in any order."""
        return len(self._shared) == len(self._parts) and all(
            len(numbers) == shared.data.count for shared, numbers in self._parts
        )

    @property
    def counts(self) -> Counts:
        """How many jobs are waiting, running, done, failed and cancelled, of the whole batches."""
        counts = [shared.data.counts for shared in self._shared]
        return Counts(
            waiting=sum(each.waiting for each in counts),
            running=sum(each.running for each in counts),
            done=sum(each.done for each in counts),
            failed=sum(each.failed for each in counts),
            cancelled=sum(each.cancelled for each in counts),
        )

    @property
    def ended(self) -> bool:
        """Whether all jobs have ended, as far as the last refresh told."""
        return all(shared.ended for shared in self._shared) or (
            not self._is_whole and self._known_ended()
        )

    def _known_ended(self) -> bool:
        return all(
            shared._jobs is not None
            and len(shared._jobs) == shared.data.count
            and all(shared._jobs[number].ended for number in numbers)
            for shared, numbers in self._parts
        )

    def refresh(self) -> Batch:
        """Asks the service for the counts."""
        self._check()
        return self

    def _check(self) -> bool:
        changed = False
        for shared in self._shared:
            if shared.check():
                changed = True
        if changed and not self._is_whole:
            self.jobs()
        return changed

    def wait(
        self, timeout: float | None = None, *, progress: bool | None = None
    ) -> Batch:
        """
        Waits until all jobs have ended, and returns the batch.

        Takes one request a round, however many jobs there are. A slice also lists the jobs, a
        thousand in a request, when something has changed. Raises ``WaitTimeout`` after ``timeout``
        seconds. Stopping to wait, also with Ctrl-C, does not stop the jobs.
        """
        wait_until_ended(self, self._api._transport, timeout=timeout, progress=progress)
        if is_notebook():
            # Notebooks show a cell for each job.
            with contextlib.suppress(SlipwayError):
                self.jobs()
        return self

    def _show(self, line: ProgressLine) -> None:
        counts = self.counts
        ended = counts.done + counts.failed + counts.cancelled
        whole = sum(shared.data.count for shared in self._shared)
        line.update(
            ended,
            whole,
            f"{ended} of {whole}: {counts.running} running, {counts.waiting} waiting, "
            f"{counts.done} done, {counts.failed} failed",
        )

    def _name(self) -> str:
        return f"The batch {' + '.join(self.batch_ids)}"

    def jobs(self) -> Rows[Job]:
        """Lists the jobs, by index. Those of a new batch appear within seconds."""
        found: Rows[Job] = Rows()
        for shared, numbers in self._parts:
            listed = shared.jobs()
            found.extend(listed[number] for number in numbers if number < len(listed))
        return found

    @property
    def failed(self) -> Rows[Job]:
        """The jobs that failed."""
        return Rows([job for job in self.jobs() if job.failed])

    @overload
    def results(self, name: str = "stdout", *, read: None = None) -> list[str | None]: ...

    @overload
    def results(
        self, name: str = "stdout", *, read: Callable[[bytes], Result]
    ) -> list[Result | None]: ...

    def results(
        self, name: str = "stdout", *, read: Callable[[bytes], Any] | None = None
    ) -> list[Any]:
        """
        Reads a file of each job, in the order of the jobs.

        A job that has not ended well, or has no such file, gives None. A thousand jobs take a few
        requests; only files of more than 262,144 bytes are fetched one by one.

        Args:
            name: The name of the file.
            read: Turns its bytes into a value, for example ``json.loads``. By default they become
                text.
        """
        parse = read or _read_text

        def read_line(line: models.JobResult | None) -> Any:
            if line is None or line.failed:
                return None
            content = self._read_line(line, name)
            return None if content is None else parse(content)

        return map_parallel(read_line, self._list_results(name))

    def _list_results(self, name: str) -> list[models.JobResult | None]:
        """Returns what each job wrote, in the order of the jobs. Those to come give None."""
        found: list[models.JobResult | None] = []
        for shared, numbers in self._parts:
            if not numbers:
                continue
            pages = self._api.list_results(
                **shared.place, name=name, first=min(numbers), last=max(numbers)
            )
            lines = {line.place: line for line in pages.all()}
            found += [lines.get(number) for number in numbers]
        return found

    def _read_line(self, line: models.JobResult, name: str) -> bytes | None:
        """Returns the content of a file. One that is not included is fetched on its own."""
        if line.state in ("active", "missing"):
            return None
        if line.content is not None:
            return _decode(line.content, line.encoding)
        try:
            return (find_job(self._api, line.job_id)).read(name)
        except FileNotFoundError:
            return None

    def download(
        self, folder: str | os.PathLike[str], *, progress: bool | None = None
    ) -> list[Path]:
        """Saves the files of all jobs, in a folder for each by its number: ``00/``, ``01/``..."""
        jobs = self.jobs()
        digits = max(2, len(str(max(0, len(jobs) - 1))))
        saved: list[Path] = []
        with ProgressLine(progress) as line:
            for number, job in enumerate(jobs):
                below = Path(folder, f"{number:0{digits}}")
                saved += job.download(below, progress=False)
                line.update(number + 1, len(jobs), f"{number + 1} of {len(jobs)} jobs")
        return saved

    def again(self) -> Batch:
        """Submits the failed jobs again, with the same values. Returns them as a new batch."""
        if not self._is_whole:
            raise ValueError("again() takes whole batches. Call it before slicing.")
        parts: list[tuple[_AsyncShared, range]] = []
        for shared in [each for each in self._shared if each.data.counts.failed] or self._shared:
            data = self._api.repeat_failed(**shared.place)
            parts.append((_AsyncShared(self._api, data), range(data.count)))
        return Batch(self._api, parts)

    def cancel(self) -> Batch:
        """Cancels all jobs that are still active."""
        if not self._is_whole:
            for job in self.jobs():
                if not job.ended:
                    job.cancel()
            return self
        for shared in self._shared:
            shared.data = self._api.delete_batch(**shared.place, only="cancel")
            shared._jobs = None
        return self

    def to_dataframe(self) -> pandas.DataFrame:
        """Returns a pandas DataFrame with a row for each job."""
        return make_dataframe(self.jobs())

    def __len__(self) -> int:
        return sum(len(numbers) for _, numbers in self._parts)

    def __iter__(self) -> Iterator[Job]:
        for job in self.jobs():
            yield job

    @overload
    def __getitem__(self, key: int) -> Job: ...

    @overload
    def __getitem__(self, key: slice) -> Batch: ...

    def __getitem__(self, key: int | slice) -> Job | Batch:
        if isinstance(key, slice):
            return self._slice(range(len(self))[key])
        return self._job_at(range(len(self))[key])

    def _slice(self, wanted: range) -> Batch:
        parts: list[tuple[_AsyncShared, range]] = []
        start = 0
        for shared, numbers in self._parts:
            inside = [place - start for place in wanted if start <= place < start + len(numbers)]
            if inside:
                first, last = inside[0], inside[-1]
                step = wanted.step
                chosen = numbers[
                    first : (last + (1 if step > 0 else -1)) if last or step > 0 else None : step
                ]
                parts.append((shared, chosen))
            start += len(numbers)
        return Batch(self._api, parts[::-1] if wanted.step < 0 else parts)

    def _job_at(self, place: int) -> Job:
        for shared, numbers in self._parts:
            if place < len(numbers):
                listed = shared.jobs()
                if numbers[place] >= len(listed):
                    raise LookupError("The job has not appeared yet. Ask again in a second.")
                return listed[numbers[place]]
            place -= len(numbers)
        raise IndexError(place)

    def __add__(self, other: Batch) -> Batch:
        if not isinstance(other, Batch):
            return NotImplemented
        return Batch(self._api, [*self._parts, *other._parts])

    def __repr__(self) -> str:
        counts = self.counts
        return (
            f"<Batch {' + '.join(self.batch_ids)} of {len(self)} jobs: {counts.done} done, "
            f"{counts.failed} failed, {counts.running} running, {counts.waiting} waiting>"
        )

    def _repr_html_(self) -> str:
        """Shows a cell for each job in their order, or a bar until they were listed."""
        counts = self.counts
        label = (
            f"{self.title or 'batch'}: {counts.done} done, {counts.failed} failed, "
            f"{counts.running} running, {counts.waiting} waiting"
        )
        if any(len(shared._jobs or []) < shared.data.count for shared in self._shared):
            return write_counts_html(counts.__dict__, label)
        states = [
            _state_of((shared._jobs or [])[number])
            for shared, numbers in self._parts
            for number in numbers
        ]
        return write_strip_html(states, label)


def _state_of(job: Job) -> str:
    """Returns the word for a job. Stages are in the words of each system."""
    if job.failed:
        return "failed"
    if job.ended:
        return "cancelled" if "cancel" in job.stage.lower() else "done"
    return "active"


def _decode(content: str, encoding: str | None) -> bytes:
    return base64.b64decode(content) if encoding == "base64" else content.encode()


def _read_text(content: bytes) -> str:
    return content.decode("utf-8", "replace")
