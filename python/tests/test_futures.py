"""``concurrent.futures`` on jobs that run on this machine."""

from __future__ import annotations

import concurrent.futures
import functools
import importlib
import json
import math
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import httpx
import pytest
from conftest import Script, Service, refuse
from test_scripts import ANSWERS

from slipway_hpc import FileTooLarge, JobFailed, problems
from slipway_hpc.futures import Executor, JobFuture, RemoteError

#: Jobs find this one by its path, whatever their shell says.
PYTHON = sys.executable

MODEL = '''
"""A module of a study."""
import os
import time


def square(number, *, plus=0):
    return number * number + plus


def square_once(number, there):
    """Waits for a file, at most a minute."""
    for _ in range(600):
        if os.path.exists(there):
            return square(number)
        time.sleep(0.1)
    raise TimeoutError(there)


def refuse(text):
    raise KeyError(text)


def end(code):
    os._exit(code)


class Model:
    @staticmethod
    def pair(*given):
        return given
'''


@pytest.fixture
def model(study: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    (study / "model_of_futures.py").write_text(MODEL)
    monkeypatch.syspath_prepend(str(study))
    importlib.invalidate_caches()
    yield importlib.import_module("model_of_futures")
    sys.modules.pop("model_of_futures", None)


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Calls are sent when the executor is shut down, however slow the machine is."""
    monkeypatch.setattr("slipway_hpc.futures._LULL", 600)
    monkeypatch.setattr("slipway_hpc.futures._LONGEST_GATHERING", 600)


def test_calls_run_as_jobs_of_one_batch(machine: Service, study: Path, model: Any) -> None:
    s = machine.connect()
    with Executor(study, "hpc_one", runtime=0.1, slipway=s, project="proj_hpc_one_01") as pool:
        assert list(pool.map(model.square, [1, 2, 3])) == [1, 4, 9]
        assert sum(1 for _ in s.batches()) == 1
        futures = [
            pool.submit(model.square, 4, plus=1),
            pool.submit("model_of_futures:Model.pair", 1, "神"),
            pool.submit(model.refuse, "why"),
            pool.submit(model.end, 3),
        ]
    assert [future.result() for future in futures[:2]] == [17, [1, "神"]]
    with pytest.raises(RemoteError, match="KeyError: 'why'") as refusal:
        futures[2].result()
    assert refusal.value.type_name == "KeyError"
    assert "in refuse" in refusal.value.traceback
    with pytest.raises(JobFailed, match="without a result") as failure:
        futures[3].result()
    assert failure.value.job.failed
    assert [future.job.failed for future in futures] == [False, False, True, True]
    with pytest.raises(RuntimeError, match="shut down"):
        pool.submit(model.square, 1)


def test_pickles_keep_types_and_exceptions(machine: Service, study: Path, model: Any) -> None:
    s = machine.connect()
    with Executor(study, "hpc_one", runtime=0.1, slipway=s, serializer="pickle") as pool:
        pair, refused = pool.submit(model.Model.pair, {1}, 2j), pool.submit(model.refuse, "why")
    assert pair.result() == ({1}, 2j)
    with pytest.raises(KeyError, match="why") as refusal:
        refused.result()
    assert isinstance(refusal.value.__cause__, RemoteError)


def test_what_a_job_cannot_import_is_refused(study: Path, model: Any) -> None:
    pool = Executor(study, "hpc_one", runtime=0.1, slipway=Script().client)
    names = [
        ("model_of_futures", "Write it as 'module:function'"),
        ("../model:f", "Write it as 'module:function'"),
        ("nothing:f", "has no module 'nothing'"),
    ]
    for name, reason in names:
        with pytest.raises(ValueError, match=reason):
            pool.submit(name)
    with pytest.raises(TypeError, match="set does not travel as JSON"):
        pool.submit(model.square, {1})
    with pytest.raises(NotADirectoryError):
        Executor(study / "no", "hpc_one", runtime=1, slipway=Script().client)


def test_functions_travel_by_value(machine: Service) -> None:
    """A lambda, a closure and a function of this module, which the job does not have."""
    s = machine.connect()
    factor = 10
    with Executor(None, "hpc_one", runtime="0:06:00", slipway=s, python=PYTHON) as pool:
        tens = list(pool.map(lambda number: factor * number, range(9)))
        others = [
            pool.submit(math.hypot, 3, 4),
            pool.submit(functools.partial(divide, by=4), 1),
            pool.submit(divide, 1, by=0),
        ]
    print(tens)
    assert tens == [0, 10, 20, 30, 40, 50, 60, 70, 80]
    assert [each.result() for each in others[:2]] == [5, 0.25]
    with pytest.raises(RemoteError, match="ZeroDivisionError: division by zero") as refusal:
        others[2].result()
    assert "in divide" in refusal.value.traceback
    assert "slipway-call.py" not in refusal.value.traceback


def divide(number: float, *, by: float) -> float:
    return number / by


class Point:
    def __init__(self, place: float) -> None:
        self.place = place


class Refused(Exception):
    """One whose constructor wants more than its text."""

    def __init__(self, place: float, reason: str) -> None:
        super().__init__(f"{place}: {reason}")


def test_exceptions_come_back_as_they_were_raised(machine: Service) -> None:
    class Outside(ValueError):
        pass

    def move(point: Point, by: float) -> Point:
        if by > 9:
            raise Outside(f"{by} is too far")
        if by < 0:
            raise Refused(by, "not back")
        return type(point)(point.place + by)

    s = machine.connect()
    with Executor(
        None, "hpc_one", runtime=0.1, slipway=s, serializer="pickle", python=PYTHON
    ) as pool:

        class Mine(Point):
            """By value, as in a notebook."""

        Mine.__module__ = "__main__"
        moved, failed, told = (pool.submit(move, Mine(1), by) for by in (2, 10, -1))
    assert type(moved.result()) is Mine
    assert moved.result().place == 3
    with pytest.raises(Outside, match="too far") as refusal:
        failed.result()
    assert isinstance(refusal.value.__cause__, RemoteError)
    assert "in move" in refusal.value.__cause__.traceback
    # It cannot be unpickled, so its text has to do.
    with pytest.raises(RemoteError, match="Refused: -1: not back"):
        told.result()


def test_futures_as_arguments_become_chains(
    machine: Service, study: Path, model: Any, tmp_path: Path
) -> None:
    s = machine.connect()
    go = tmp_path / "go"
    with Executor(study, "hpc_one", runtime=0.1, slipway=s, python=PYTHON) as pool:
        one, two = [pool.submit(model.square_once, each, str(go)) for each in (3, 4)]
        wrong = pool.submit(model.refuse, "why")
        three = pool.submit(model.square, one)
        both = pool.submit(
            lambda numbers, more: sum(numbers) + more["plus"], [one, two], {"plus": 1}
        )
        four = pool.submit(model.square, three, plus=two)
        failed = pool.submit(model.square, four, plus=wrong)
        # What they wait for must not have ended before they are sent.
        await_jobs(three, both)
        go.touch()
    assert [three.result(), both.result(), four.result()] == [81, 26, 6577]
    chains = [
        [each.job_id for each in future.job.timeline().after or []] for future in (three, both)
    ]
    print(chains)
    assert chains[0] == [one.job.job_id]
    assert set(chains[1]) == {one.job.batch_id, one.job.job_id, two.job.job_id}
    with pytest.raises(RemoteError, match="KeyError: 'why'"):
        failed.result()
    # Later calls get the value.
    with Executor(study, "hpc_one", runtime=0.1, slipway=s) as pool:
        assert pool.submit(model.square, one).result() == 81
        assert pool.submit(model.square, wrong).exception() is wrong.exception()
        done: concurrent.futures.Future[int] = concurrent.futures.Future()
        late = pool.submit(model.square, done)
        done.set_result(5)
        assert late.result() == 25


def await_jobs(*futures: JobFuture[Any]) -> None:
    """Waits until the calls are sent, at most a minute."""
    for _ in range(600):
        if all(future.has_job for future in futures):
            return
        time.sleep(0.1)
    raise TimeoutError


def test_dask_computes_with_an_executor(machine: Service) -> None:
    dask = pytest.importorskip("dask")
    s = machine.connect()

    @dask.delayed  # type: ignore[untyped-decorator]
    def double(number: int) -> int:
        return number * 2

    total = dask.delayed(sum)([double(number) for number in range(9)])
    with Executor(
        None, "hpc_one", runtime=0.1, slipway=s, serializer="pickle", python=PYTHON
    ) as pool:
        (result,) = dask.compute(total, scheduler=pool)
        with pytest.raises(ZeroDivisionError):
            dask.compute(dask.delayed(divide)(1, by=0), scheduler=pool)
    print(result)
    assert result == 72
    assert sum(len(batch) for batch in s.batches()) == 11


def test_joblib_runs_on_an_executor(machine: Service) -> None:
    joblib = pytest.importorskip("joblib")
    importlib.import_module("slipway_hpc.joblib")
    s = machine.connect()
    # The Python of the system has no joblib.
    python = f"{PYTHON} -S"
    with Executor(
        None, "hpc_one", runtime=0.1, slipway=s, serializer="pickle", python=python
    ) as pool:
        with joblib.parallel_config("slipway", executor=pool):
            calls = (joblib.delayed(divide)(number, by=2) for number in range(9))
            results = joblib.Parallel()(calls)
            with pytest.raises(ZeroDivisionError):
                joblib.Parallel()(joblib.delayed(divide)(1, by=by) for by in (1, 0))
    print(results)
    assert results == [number / 2 for number in range(9)]
    assert sum(len(batch) for batch in s.batches()) == 11


def find_old_pythons() -> list[Path]:
    versions = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"), "versions")
    return [path for minor in range(6, 10) for path in versions.glob(f"3.{minor}.*/bin/python")]


@pytest.mark.skipif(not find_old_pythons(), reason="There is no older Python.")
def test_versions_of_python_are_compared(machine: Service, study: Path, model: Any) -> None:
    s = machine.connect()
    oldest = str(find_old_pythons()[0])
    for how in ("json", "pickle"):
        with Executor(
            study, "hpc_one", runtime=0.1, slipway=s, serializer=how, python=oldest
        ) as pool:
            named, chained = pool.submit(model.square, 3), pool.submit(math.hypot, 3, 4)
            chained = pool.submit(model.square, named)
            valued = pool.submit(lambda: 1)
        assert (named.result(), chained.result()) == (9, 81)
        here = ".".join(map(str, sys.version_info[:2]))
        with pytest.raises(
            RemoteError, match=rf"from Python {here}, and the job runs Python 3\.\d"
        ):
            valued.result()


def test_without_cloudpickle_a_function_is_refused(
    study: Path, model: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "cloudpickle", None)
    pool = Executor(study, "hpc_one", runtime=0.1, slipway=Script().client)
    with pytest.raises(ImportError, match=r"pip install \"slipway-hpc\[functions\]"):
        pool.submit(lambda: 1)


@pytest.mark.usefixtures("patient")
def test_a_refused_batch_fails_its_calls(study: Path, model: Any) -> None:
    script = Script(refuse(403, "quota-exceeded"))
    with Executor(study, "hpc_one", runtime=0.1, slipway=script.client) as pool:
        futures = [pool.submit(model.square, number) for number in range(3)]
    assert len(script.asked) == 1
    for future in futures:
        assert isinstance(future.exception(), problems.QuotaExceeded)


@pytest.mark.usefixtures("patient")
def test_calls_are_cancelled_until_they_are_sent(study: Path, model: Any) -> None:
    script = Script(refuse(403, "quota-exceeded"))
    pool = Executor(study, "hpc_one", runtime=0.1, slipway=script.client)
    future = pool.submit(model.square, 1)
    pool.shutdown(cancel_futures=True)
    assert future.cancelled()
    assert not script.asked
    assert concurrent.futures.wait([future]).not_done == set()


def answer_as_a_batch(result: bytes) -> Script:
    """A service with a batch of one job that has ended, which is away once."""
    away = iter([True])

    def answer(request: httpx.Request) -> httpx.Response:
        path = request.url.path
        if request.method == "POST":
            counts = {"waiting": 1, "running": 0, "done": 0, "failed": 0, "cancelled": 0}
            return httpx.Response(
                201, json={**ANSWERS["batch"], "count": 1, "counts": counts, "end_date": None}
            )
        if path.startswith("/batches/"):
            if next(away, False):
                return refuse(500, "internal-error")
            counts = {"waiting": 0, "running": 0, "done": 1, "failed": 0, "cancelled": 0}
            end = {"count": 1, "counts": counts, "end_date": "2026-11-01T00:00:00Z"}
            return httpx.Response(200, json={**ANSWERS["batch"], **end})
        if path.startswith("/jobs/"):
            end = {"index": 0, "terminal_stage": True, "stage": "SUCCESSFUL", "failed": False}
            return httpx.Response(200, json=[{**ANSWERS["job"], **end}])
        if path.endswith("/a/"):
            return httpx.Response(200, content=result)
        file = {"fileid": "a", "filename": "slipway-result.txt", "length": 3}
        return httpx.Response(200, json=[file])

    return Script(answer, max_answer_bytes=100_000)


@pytest.mark.parametrize(
    ("result", "outcome"),
    [
        (json.dumps({"result": 5}).encode(), 5),
        (b"{", ValueError),
        (b"[]", Exception),
        (b" " * 100_001, FileTooLarge),
    ],
)
def test_a_result_is_read_with_care(
    study: Path, model: Any, result: bytes, outcome: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("slipway_hpc.futures._FIRST_PAUSE", 0.01)
    script = answer_as_a_batch(result)
    with Executor(study, "hpc_one", runtime=0.1, slipway=script.client) as pool:
        future = pool.submit(model.square, 1)
    if isinstance(outcome, type):
        assert isinstance(future.exception(), outcome)
    else:
        assert future.result() == outcome
