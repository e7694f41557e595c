"""
``concurrent.futures`` on jobs: existing code moves to an HPC system by one line.

    from slipway.futures import Executor
    import model

    with Executor("study/", "hpc_one", hours=0.1) as pool:
        results = list(pool.map(model.run, [0.1, 0.2, 0.3]))

``model`` is a module of the folder. Calls that are submitted together go as one batch.
"""

from __future__ import annotations

import concurrent.futures
import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, Generic, Literal, ParamSpec, TypeVar, overload

from . import _call
from ._errors import FileTooLarge, ServiceUnreachable, SlipwayError
from ._files import FolderWith
from ._job_failed import JobFailed
from ._parallel import map_parallel
from ._problem import SlipwayProblem
from ._sync.batches import Batch
from ._sync.client import Slipway
from ._sync.jobs import Job

__all__ = ["Executor", "JobFuture", "RemoteError"]

P = ParamSpec("P")
T = TypeVar("T")

_RUNNER = "slipway-call.py"
#: The service takes batches of this many jobs.
_MOST_CALLS = 10_000
#: Calls that follow each other faster than this go as one batch, after at most the longest time.
_LULL = 0.2
_LONGEST_GATHERING = 2.0
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

    #: The job, as soon as it is known. ``job.cancel()`` cancels it.
    job: Job | None = None


class _Call:
    """A call that waits to be sent."""

    def __init__(self, future: JobFuture[Any], line: bytes) -> None:
        self.future = future
        self.line = line


class _Sent:
    """Calls that were sent as one batch."""

    def __init__(self, batch: Batch, futures: dict[int, JobFuture[Any]]) -> None:
        self.batch = batch
        #: The futures without a result, by the index of their job.
        self.futures = futures
        self.has_news = False
        self.answered_at = time.monotonic()


class Executor(concurrent.futures.Executor):
    """
    Runs calls as jobs.

    A function must be one of a module in the folder, because the job imports it from there. Pass
    the function, or its name as ``"module:function"`` if the module cannot be imported here.

    Arguments and results travel as JSON, so that tuples arrive as lists. ``serializer="pickle"``
    takes almost everything. Reading a pickle runs whatever code it says. With pickle, whoever can
    write the files of your jobs can therefore run code as you, on your machine: the job itself,
    other programs of your account on the system, and its administrators. Use it only if you trust
    all of them.

    Leaving the ``with`` block waits for all results. If the program ends before, jobs that were
    sent go on, and calls that were not sent are dropped.

    Args:
        folder: The folder with the module. It is packed anew for each batch.
        hpc: The name of the system, which must take a command and have Python.
        hours: The requested time of each call.
        slipway: The client (default: ``Slipway()``).
        serializer: How arguments and results travel: ``"json"`` or ``"pickle"``.
        python: The command of Python on the system.
        options: Further arguments of ``Slipway.map``, such as ``nodes`` or ``max_running``.
    """

    def __init__(
        self,
        folder: str | os.PathLike[str],
        hpc: str,
        *,
        hours: float,
        slipway: Slipway | None = None,
        serializer: Literal["json", "pickle"] = "json",
        python: str = "python3",
        **options: Any,
    ) -> None:
        if serializer not in ("json", "pickle"):
            raise ValueError(f"'{serializer}' is not a serializer. Use 'json' or 'pickle'.")
        self._folder = Path(folder)
        if not self._folder.is_dir():
            raise NotADirectoryError(f"There is no folder '{self._folder}'.")
        self._slipway = Slipway() if slipway is None else slipway
        self._owns_slipway = slipway is None
        self._serializer = serializer
        self._options: dict[str, Any] = {
            "title": "call {index}",
            **options,
            "command": f"{python} {_RUNNER} {{index}} {serializer}",
            "hours": hours,
        }
        self._hpc = hpc
        self._news = threading.Condition()
        self._waiting: list[_Call] = []
        self._holds = 0
        self._first_at = self._last_at = 0.0
        self._is_closed = False
        self._thread: threading.Thread | None = None

    @overload
    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> JobFuture[T]: ...

    @overload
    def submit(self, fn: str, /, *args: Any, **kwargs: Any) -> JobFuture[Any]: ...

    def submit(self, fn: Callable[..., Any] | str, /, *args: Any, **kwargs: Any) -> JobFuture[Any]:
        """Sends a call. Calls that follow within a fraction of a second go along."""
        name = _name_function(fn, self._folder)
        line: bytes = _call.encode([name, args, kwargs], self._serializer)
        future: JobFuture[Any] = JobFuture()
        with self._news:
            if self._is_closed:
                raise RuntimeError("The executor was shut down.")
            self._last_at = time.monotonic()
            if not self._waiting:
                self._first_at = self._last_at
            self._waiting.append(_Call(future, line))
            if self._thread is None:
                # A program that ends does not wait for jobs that take days.
                self._thread = threading.Thread(target=self._run, name="slipway", daemon=True)
                self._thread.start()
            self._news.notify()
        return future

    def map(
        self, fn: Callable[..., T] | str, *iterables: Iterable[Any], **options: Any
    ) -> Iterator[T]:
        """Sends a call for each item, as one batch, and yields the results in their order."""
        with self._news:
            self._holds += 1
        try:
            return super().map(fn, *iterables, **options)  # type: ignore[arg-type]
        finally:
            with self._news:
                self._holds -= 1
                self._news.notify()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Takes no more calls, and waits for the results of those that were submitted."""
        with self._news:
            self._is_closed = True
            if cancel_futures:
                for call in self._waiting:
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
            calls = self._gather(next_round if sent else None)
            if calls is None and not sent:
                break
            if calls:
                made = self._send(calls)
                sent += [made] if made else []
                pause = _FIRST_PAUSE
            elif sent and time.monotonic() >= next_round:
                changed = sum(self._follow(each) for each in sent) > 0
                sent = [each for each in sent if each.futures]
                pause = _FIRST_PAUSE if changed else min(_LONGEST_PAUSE, pause * 1.5)
            else:
                continue
            next_round = time.monotonic() + pause
        if self._owns_slipway:
            self._slipway.close()

    def _gather(self, until: float | None) -> list[_Call] | None:
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

    def _send(self, calls: list[_Call]) -> _Sent | None:
        """Sends calls as one batch. If that is refused, all of them have failed."""
        running = [call for call in calls if call.future.set_running_or_notify_cancel()]
        if not running:
            return None
        add = {
            _RUNNER: Path(_call.__file__).read_bytes(),
            _call.CALLS: b"\n".join(call.line for call in running) + b"\n",
        }
        try:
            batch = self._slipway.map(
                FolderWith(self._folder, add), self._hpc, count=len(running), **self._options
            )
        except Exception as error:
            for call in running:
                call.future.set_exception(error)
            return None
        return _Sent(batch, {index: call.future for index, call in enumerate(running)})

    def _follow(self, sent: _Sent) -> bool:
        """Asks for the state of a batch once, and sets the results of jobs that have ended."""
        try:
            changed = sent.batch._check()
            sent.has_news = sent.has_news or changed
            if sent.has_news:
                self._read_results(sent)
                sent.has_news = sent.batch.ended
            sent.answered_at = time.monotonic()
            return changed
        except Exception as error:
            away = isinstance(error, ServiceUnreachable) or (
                isinstance(error, SlipwayProblem) and error.status >= 500
            )
            if away and time.monotonic() - sent.answered_at < _PATIENCE:
                return False
            for future in sent.futures.values():
                future.set_exception(error)
            sent.futures.clear()
            return True

    def _read_results(self, sent: _Sent) -> None:
        ended: list[Job] = []
        for job in sent.batch.jobs():
            future = sent.futures.get(job.index or 0)
            if future is not None:
                future.job = job
                ended += [job] if job.ended else []

        def read(job: Job) -> None:
            outcome = _read_outcome(job, self._serializer)
            future = sent.futures.pop(job.index or 0)
            if isinstance(outcome, _Raised):
                future.set_exception(outcome.error)
            else:
                future.set_result(outcome)

        map_parallel(read, ended)


class _Raised:
    """The outcome of a call that failed."""

    def __init__(self, error: BaseException) -> None:
        self.error = error


def _read_outcome(job: Job, serializer: str) -> Any:
    """Reads what a call returned or raised. Raises only if the service is away."""
    try:
        line = job.read(_call.RESULT)
    except FileNotFoundError:
        return _Raised(JobFailed(job, "It ended without a result."))
    except FileTooLarge as error:
        return _Raised(error)
    try:
        outcome = _call.decode(line, serializer)
        if "error" not in outcome:
            return outcome["result"]
        told = outcome["error"]
        remote = RemoteError(told["type"], told["message"], told["traceback"])
        raised = outcome.get("exception")
        if not isinstance(raised, Exception):
            return _Raised(remote)
        raised.__cause__ = remote
        return _Raised(raised)
    except Exception as error:
        return _Raised(error)


def _name_function(fn: Callable[..., Any] | str, folder: Path) -> str:
    """Returns ``module:function``, for a function that the job can import from the folder."""
    if isinstance(fn, str):
        name = fn
    else:
        name = f"{getattr(fn, '__module__', '')}:{getattr(fn, '__qualname__', '')}"
    module, colon, path = name.partition(":")
    if not colon or not all(part.isidentifier() for part in [*module.split("."), *path.split(".")]):
        raise ValueError(
            f"'{name}' cannot be imported by a job. Use a function at the top level of a module."
        )
    below = folder.joinpath(*module.split("."))
    if not below.with_suffix(".py").is_file() and not below.is_dir():
        raise ValueError(
            f"The folder '{folder}' has no module '{module}'. Move the function into a file there."
        )
    return name
