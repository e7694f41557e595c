"""
``concurrent.futures`` on jobs: existing code moves to an HPC system by one line.

    from slipway_hpc.futures import Executor

    with Executor("study/", "hpc_one", runtime=0.1) as pool:
        results = list(pool.map(lambda number: number * number, range(9)))

Calls that are submitted together go as one batch.
"""

from __future__ import annotations

import concurrent.futures
import contextlib
import os
import pickle
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, Literal, TypeVar, cast, overload

from . import _call, models
from ._calls import RUNNER, Call, Function, Given, failure_of, find_function, pack_calls
from ._durations import Runtime
from ._errors import FileTooLarge, ServiceUnreachable, SlipwayError
from ._files import FolderWith
from ._job_failed import JobFailed
from ._old_names import accept_old_names
from ._parallel import map_parallel
from ._problem import SlipwayProblem
from ._sync.batches import Batch
from ._sync.client import Slipway
from ._sync.jobs import Job

__all__ = ["Executor", "JobFuture", "RemoteError"]

A = TypeVar("A")
T = TypeVar("T")

#: The service takes batches of this many jobs.
_MOST_CALLS = 10_000
#: Results of larger batches are no input, nor is one call ever after more jobs.
_MOST_GIVEN = 1_000
_MOST_AWAITED = 19
#: Calls that follow each other faster than this go as one batch, after at most the longest time.
_LULL = 0.2
_LONGEST_GATHERING = 2.0
#: The results of more jobs than these are listed instead of read one by one.
_FEW = 2
_FIRST_PAUSE = 1.0
_LONGEST_PAUSE = 30.0
#: How long the service may be away, for example while a laptop sleeps.
_PATIENCE = 3600.0


class RemoteError(SlipwayError):
    """The function raised an exception in its job. The text has its traceback."""

    def __init__(self, type_name: str, message: str, traceback: str) -> None:
        super().__init__(f"{type_name}: {message}\n\n{traceback}".rstrip())
        #: The name of the exception's class.
        self.type_name = type_name
        #: The text of the exception.
        self.message = message
        #: The traceback, as the job printed it.
        self.traceback = traceback


class JobFuture(concurrent.futures.Future[T], Generic[T]):
    """The future result of a call. ``cancel()`` works until the call is sent."""

    def __init__(self) -> None:
        super().__init__()
        self._sent: _Sent | None = None
        self._place = 0
        self._job: Job | None = None

    @property
    def has_job(self) -> bool:
        """Whether the job is known."""
        return self._job is not None

    @property
    def job(self) -> Job:
        """The job. ``job.cancel()`` cancels it. Raises ``LookupError`` until it is known."""
        if self._job is None:
            raise LookupError("The job of this call is not known yet. Ask again in a second.")
        return self._job


class _Sent:
    """Calls that were sent as one batch, or one of them as a job."""

    def __init__(self, followed: Batch | Job, calls: list[Call], how: str) -> None:
        self.followed = followed
        self.how = how
        #: The calls without a result, by the index of their job.
        self.calls = dict(enumerate(calls))
        self.has_news = False
        self.answered_at = time.monotonic()
        for place, call in self.calls.items():
            future = cast("JobFuture[Any]", call.future)
            future._sent, future._place = self, place
            if isinstance(followed, Job):
                future._job = followed

    def list_jobs(self) -> Iterable[Job]:
        return self.followed.jobs() if isinstance(self.followed, Batch) else [self.followed]


class Executor(concurrent.futures.Executor):
    """
    Runs calls as jobs.

    A function of a module in the folder is imported there by the job. It may also be named as
    ``"module:function"``. Every other function, such as a lambda, a closure or a function of a
    notebook, travels by value. That needs cloudpickle here and the same version of Python there.

    A future among the arguments stands for its result, also within lists and dictionaries. If it
    is not done, the call becomes a job that waits for the other one and takes over its result.

    Arguments and results travel as JSON, so that tuples arrive as lists. ``serializer="pickle"``
    takes almost everything, and raises exceptions as they were raised. Reading a pickle runs
    whatever code it says. With pickle, whoever can write the files of your jobs can therefore run
    code as you, on your machine: the job itself, other programs of your account on the system, and
    its administrators. Use it only if you trust all of them.

    Leaving the ``with`` block waits for all results. If the program ends before, jobs that were
    sent go on, and calls that were not sent are dropped.

    Args:
        folder: The folder with the modules, or None. It is packed anew for each batch.
        hpc: The name of the system, which must take a command and have Python.
        runtime: The requested time of each call, as in ``Slipway.submit``.
        slipway: The client (default: ``Slipway()``).
        serializer: How arguments and results travel: ``"json"`` or ``"pickle"``.
        python: The command of Python on the system.
        options: Further arguments of ``Slipway.map``, such as ``nodes`` or ``max_running``.
    """

    @accept_old_names
    def __init__(
        self,
        folder: str | os.PathLike[str] | None,
        hpc: str,
        *,
        runtime: Runtime,
        slipway: Slipway | None = None,
        serializer: Literal["json", "pickle"] = "json",
        python: str = "python3",
        **options: Any,
    ) -> None:
        if serializer not in ("json", "pickle"):
            raise ValueError(f"'{serializer}' is not a serializer. Use 'json' or 'pickle'.")
        self._folder = None if folder is None else Path(folder)
        if self._folder and not self._folder.is_dir():
            raise NotADirectoryError(f"There is no folder '{self._folder}'.")
        # Never closed, because the jobs of futures are asked afterwards.
        self._slipway = Slipway() if slipway is None else slipway
        self._serializer = serializer
        self._python = python
        self._options: dict[str, Any] = {"title": "call {index}", **options, "runtime": runtime}
        # Dask reads it under this name.
        self._max_workers: int = options.get("max_running") or _MOST_GIVEN
        self._hpc = hpc
        self._news = threading.Condition()
        self._waiting: list[Call] = []
        #: Calls that wait until what they await was sent or has ended.
        self._awaiting: list[Call] = []
        self._count = 0
        self._holds = 0
        self._first_at = self._last_at = 0.0
        self._is_closed = False
        self._thread: threading.Thread | None = None

    @property
    def most_at_once(self) -> int:
        """How many calls Dask and joblib send at once: ``max_running``, or 1,000."""
        return self._max_workers

    @overload
    def submit(self, fn: str, /, *args: Any, **kwargs: Any) -> JobFuture[Any]: ...

    @overload
    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> JobFuture[T]: ...

    def submit(self, fn: Callable[..., Any] | str, /, *args: Any, **kwargs: Any) -> JobFuture[Any]:
        """Sends a call. Calls that follow within a fraction of a second go along."""
        return self._submit(find_function(fn, self._folder), args, kwargs)

    def _submit(self, function: Function, args: Any, kwargs: Any) -> JobFuture[Any]:
        future: JobFuture[Any] = JobFuture()
        call = Call(function, args, kwargs, self._serializer, self._folder, future)
        with self._news:
            if self._is_closed:
                raise RuntimeError("The executor was shut down.")
            self._last_at = time.monotonic()
            if not self._waiting:
                self._first_at = self._last_at
            self._waiting.append(call)
            if self._thread is None:
                # A program that ends does not wait for jobs that take days.
                self._thread = threading.Thread(target=self._run, name="slipway", daemon=True)
                self._thread.start()
            self._news.notify()
        return future

    def submit_each(self, calls: list[tuple[Callable[..., Any], Any, Any]]) -> JobFuture[list[Any]]:
        """Sends several calls, each as a function with its arguments, to run in one job."""
        return self._submit(Function(":call_each"), [calls], {})

    @overload
    def map(self, fn: str, *iterables: Iterable[Any], **options: Any) -> Iterator[Any]: ...

    @overload
    def map(self, fn: Callable[[A], T], *iterables: Iterable[A], **options: Any) -> Iterator[T]: ...

    @overload
    def map(
        self, fn: Callable[..., T], *iterables: Iterable[Any], **options: Any
    ) -> Iterator[T]: ...

    def map(
        self, fn: Callable[..., Any] | str, *iterables: Iterable[Any], **options: Any
    ) -> Iterator[Any]:
        """Sends a call for each item, as one batch, and yields the results in their order."""
        function = find_function(fn, self._folder)
        with self._news:
            self._holds += 1
        try:
            return _Mapping(self, function).map(fn, *iterables, **options)  # type: ignore[arg-type]
        finally:
            with self._news:
                self._holds -= 1
                self._news.notify()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Takes no more calls, and waits for the results of those that were submitted."""
        with self._news:
            self._is_closed = True
            if cancel_futures:
                for call in [*self._waiting, *self._awaiting]:
                    call.future.cancel()
            self._news.notify()
        if wait and self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        """Sends calls and follows their jobs, until nothing is left to do."""
        sent: list[_Sent] = []
        pause = _FIRST_PAUSE
        next_round = 0.0
        while True:
            calls = self._gather(next_round if sent or self._awaiting else None)
            if calls is None and not sent and not self._awaiting:
                break
            is_round = time.monotonic() >= next_round
            if not calls and not is_round:
                continue
            if is_round:
                changed = sum(map_parallel(self._follow, sent)) > 0
                sent = [each for each in sent if each.calls]
                pause = _FIRST_PAUSE if changed else min(_LONGEST_PAUSE, pause * 1.5)
            made = self._send([*self._awaiting, *(calls or [])])
            if made:
                sent += made
                pause = _FIRST_PAUSE
            next_round = time.monotonic() + pause

    def _gather(self, until: float | None) -> list[Call] | None:
        """Returns the calls that wait, none at the given time, or None after the end."""
        with self._news:
            while True:
                now = time.monotonic()
                if self._waiting and not self._holds:
                    ready = min(self._last_at + _LULL, self._first_at + _LONGEST_GATHERING)
                    if now >= ready or self._is_closed or len(self._waiting) >= _MOST_CALLS:
                        calls = self._waiting[:_MOST_CALLS]
                        del self._waiting[:_MOST_CALLS]
                        return calls
                    self._news.wait(ready - now)
                elif until is not None and now >= until:
                    return []
                elif self._is_closed and until is None:
                    return None
                else:
                    self._news.wait(None if until is None else until - now)

    def _send(self, calls: list[Call]) -> list[_Sent]:
        """Sends what can be sent. Calls without open futures go as one batch, others as jobs."""
        calls = [call for call in calls if not _has_failed(call)]
        free = [call for call in calls if all(each.done() for each in call.awaited)]
        made = self._send_batch(free)
        others = [call for call in calls if call not in free]
        _learn_jobs(others)
        inputs = [(call, self._find_input(call)) for call in others]
        with self._news:
            self._awaiting = [call for call, input in inputs if input is None]
        ready = [(call, input) for call, input in inputs if input is not None]
        for sent in map_parallel(lambda each: self._send_job(*each), ready):
            made += sent
        return made

    def _send_batch(self, calls: list[Call]) -> list[_Sent]:
        """Sends calls as one batch. If that is refused, all of them have failed."""
        calls = [call for call in calls if call.future.set_running_or_notify_cancel()]
        if not calls:
            return []
        try:
            given = [
                [
                    Given.from_value(each.result(), self._serializer, self._folder)
                    for each in call.awaited
                ]
                for call in calls
            ]
            input = FolderWith(self._folder, pack_calls(zip(calls, given, strict=True)))
            command = f"{self._python} {RUNNER} {{index}} {self._serializer}"
            batch = self._slipway.map(
                input, self._hpc, command=command, count=len(calls), **self._options
            )
        except Exception as error:
            for call in calls:
                call.fail(error)
            return []
        self._count += len(calls)
        return [_Sent(batch, calls, self._serializer)]

    def _find_input(self, call: Call) -> _Input | None:
        """
        Returns what a chained job waits for, and where it finds each result.

        A job takes over the results of one other job or of one batch. Returns None while open
        futures are of several, or not sent yet.
        """
        futures = [each for each in call.awaited if not each.done()]
        known = [each for each in futures if isinstance(each, JobFuture) and each.has_job]
        sent = known[0]._sent if known else None
        if sent is None or len(known) < len(futures) or {each._sent for each in known} != {sent}:
            return None
        batch = sent.followed
        if batch._api._transport.url != self._slipway.url:
            return None
        if len(known) == 1:
            return _Input({"input_from": known[0].job}, {known[0]: _call.BEFORE})
        if isinstance(batch, Job) or len(batch) > _MOST_GIVEN:
            return None
        digits = len(str(len(batch) - 1))
        wishes = {
            "input_from": batch,
            # The others of the batch may fail.
            "input_failed": "leave_out",
            "after": [each.job for each in known] if len(known) <= _MOST_AWAITED else None,
        }
        folders: dict[concurrent.futures.Future[Any], str] = {
            each: f"{_call.BEFORE}/{each._place:0{digits}}" for each in known
        }
        return _Input(wishes, folders)

    def _send_job(self, call: Call, input: _Input) -> list[_Sent]:
        """Sends a call as a job that waits for others."""
        if not call.future.set_running_or_notify_cancel():
            return []
        options = {**self._options, **input.wishes, "input_folder": _call.BEFORE}
        options.pop("max_running", None)
        with self._news:
            options["title"] = str(options["title"]).replace("{index}", str(self._count))
            self._count += 1
        try:
            given = [
                Given.from_value(each.result(), self._serializer, self._folder)
                if (folder := input.folders.get(each)) is None
                else Given(_how_of(each), file=f"{folder}/{_call.RESULT}")
                for each in call.awaited
            ]
            job = self._slipway.submit(
                FolderWith(self._folder, pack_calls([(call, given)])),
                self._hpc,
                command=f"{self._python} {RUNNER} 0 {self._serializer}",
                **options,
            )
        except Exception as error:
            call.fail(error)
            return []
        return [_Sent(job, [call], self._serializer)]

    def _follow(self, sent: _Sent) -> bool:
        """Asks for the state of a batch once, and sets the results of jobs that have ended."""
        try:
            changed = sent.followed._check()
            sent.has_news = sent.has_news or changed
            if sent.has_news:
                _read_results(sent)
                sent.has_news = sent.followed.ended
            sent.answered_at = time.monotonic()
            return changed
        except Exception as error:
            away = isinstance(error, ServiceUnreachable) or (
                isinstance(error, SlipwayProblem) and error.status >= 500
            )
            if away and time.monotonic() - sent.answered_at < _PATIENCE:
                return False
            for call in sent.calls.values():
                call.fail(error)
            sent.calls.clear()
            return True


@dataclass(frozen=True)
class _Input:
    """What a chained job takes over, and the folder of each result."""

    wishes: dict[str, Any]
    folders: Mapping[concurrent.futures.Future[Any], str]


def _how_of(future: concurrent.futures.Future[Any]) -> str:
    sent = future._sent if isinstance(future, JobFuture) else None
    return sent.how if sent else "json"


def _learn_jobs(calls: list[Call]) -> None:
    """Lists the jobs that calls await, which a new batch has after some seconds."""
    awaited = [future for call in calls for future in call.awaited if not future.done()]
    futures = [each for each in awaited if isinstance(each, JobFuture) and not each.has_job]
    for sent in {each._sent for each in futures if each._sent}:
        with contextlib.suppress(SlipwayError):
            _name_jobs(sent)


def _name_jobs(sent: _Sent) -> list[tuple[Job, Call]]:
    """Lists the jobs without a result, and tells their futures."""
    found: list[tuple[Job, Call]] = []
    for job in sent.list_jobs():
        call = sent.calls.get(job.index or 0)
        if call is not None:
            cast("JobFuture[Any]", call.future)._job = job
            found.append((job, call))
    return found


class _Mapping(concurrent.futures.Executor):
    """Submits one function again and again, which was found or packed once."""

    def __init__(self, executor: Executor, function: Function) -> None:
        self._executor = executor
        self._function = function

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> JobFuture[Any]:
        return self._executor._submit(self._function, args, kwargs)


def _has_failed(call: Call) -> bool:
    """Fails a call at once if what it awaits has failed."""
    for future in call.awaited:
        if future.done() and (error := failure_of(future)) is not None:
            if call.future.set_running_or_notify_cancel():
                call.future.set_exception(error)
            return True
    return False


class _Raised:
    """The outcome of a call that failed."""

    def __init__(self, error: BaseException) -> None:
        self.error = error


def _read_results(sent: _Sent) -> None:
    """Sets the results of the jobs that have ended since the last time."""
    ended = [job for job, _ in _name_jobs(sent) if job.ended]
    lines = _list_lines(sent.followed, ended)

    def read(job: Job) -> None:
        outcome = _read_outcome(job, lambda: _read_line(sent.followed, job, lines), sent.how)
        call = sent.calls.pop(job.index or 0)
        if isinstance(outcome, _Raised):
            call.fail(outcome.error)
        else:
            call.future.set_result(outcome)

    map_parallel(read, ended)


def _list_lines(followed: Batch | Job, ended: list[Job]) -> dict[str, models.JobResult]:
    """Lists the results of many jobs in a few requests, by the ids of their jobs."""
    if isinstance(followed, Job) or len(ended) <= _FEW:
        return {}
    numbers = [job.index or 0 for job in ended]
    lines = followed[min(numbers) : max(numbers) + 1]._list_results(_call.RESULT)
    return {line.job_id: line for line in lines if line is not None}


def _read_line(followed: Batch | Job, job: Job, lines: dict[str, models.JobResult]) -> bytes | None:
    line = lines.get(job.job_id)
    if isinstance(followed, Batch) and line is not None and line.state in ("included", "missing"):
        return followed._read_line(line, _call.RESULT)
    try:
        return job.read(_call.RESULT)
    except FileNotFoundError:
        return None


def _read_outcome(job: Job, read: Callable[[], bytes | None], serializer: str) -> Any:
    """Reads what a call returned or raised. Raises only if the service is away."""
    try:
        line = read()
    except FileTooLarge as error:
        return _Raised(error)
    if line is None:
        return _Raised(JobFailed(job, "It ended without a result."))
    try:
        outcome = _call.decode(line, serializer)
        if "error" not in outcome:
            return outcome["result"]
    except Exception as error:
        return _Raised(error)
    told = outcome["error"]
    remote = RemoteError(told["type"], told["message"], told["traceback"])
    try:
        raised = pickle.loads(outcome["exception"]) if "exception" in outcome else None
    except Exception:
        raised = None
    if not isinstance(raised, Exception):
        return _Raised(remote)
    raised.__cause__ = remote
    return _Raised(raised)
