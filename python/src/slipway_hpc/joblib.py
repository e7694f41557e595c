"""
Runs what joblib makes parallel as jobs. Importing this module makes the backend known.

    import joblib
    import slipway_hpc.joblib

    with Executor("study/", "hpc_one", runtime=0.1, serializer="pickle") as pool:
        with joblib.parallel_config("slipway", executor=pool):
            results = joblib.Parallel()(joblib.delayed(run)(number) for number in range(9))
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from joblib import register_parallel_backend
from joblib.parallel import ParallelBackendBase

from .futures import Executor

__all__ = ["JobBackend"]


class JobBackend(ParallelBackendBase):  # type: ignore[misc]
    """A backend of joblib that submits to an executor. The system need not have joblib."""

    supports_retrieve_callback = True
    default_n_jobs = -1

    def __init__(self, *, executor: Executor, **options: Any) -> None:
        super().__init__(**options)
        self._executor = executor
        self._futures: set[Future[list[Any]]] = set()

    def effective_n_jobs(self, n_jobs: int | None) -> int:
        """Returns how many calls are sent at once: all, unless somebody wants fewer."""
        return n_jobs if n_jobs is not None and n_jobs > 0 else self._executor.most_at_once

    def submit(self, func: Any, callback: Callable[[Any], object]) -> Future[list[Any]]:
        """Sends the calls of a batch of joblib as one job."""
        future = self._executor.submit_each(func.items)
        self._futures.add(future)
        future.add_done_callback(self._futures.discard)
        future.add_done_callback(callback)
        return future

    def retrieve_result_callback(self, future: Future[list[Any]]) -> list[Any]:
        """Returns the results of a batch of joblib, or raises what a call has raised."""
        return future.result()

    def abort_everything(self, ensure_ready: bool = True) -> None:
        """Cancels what was not sent yet. Jobs that run go on."""
        for future in list(self._futures):
            future.cancel()


register_parallel_backend("slipway", JobBackend)
