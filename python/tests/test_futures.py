"""``concurrent.futures`` on jobs that run on this machine."""

from __future__ import annotations

import concurrent.futures
import importlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import httpx
import pytest
from conftest import Script, Service, refuse
from test_scripts import ANSWERS

from slipway import FileTooLarge, JobFailed, problems
from slipway.futures import Executor, RemoteError

MODEL = '''
"""A module of a study."""
import os


def square(number, *, plus=0):
    return number * number + plus


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
    monkeypatch.setattr("slipway.futures._LULL", 600)
    monkeypatch.setattr("slipway.futures._LONGEST_GATHERING", 600)


def test_calls_run_as_jobs_of_one_batch(machine: Service, study: Path, model: Any) -> None:
    s = machine.connect()
    with Executor(study, "hpc_one", hours=0.1, slipway=s, project="proj_hpc_one_01") as pool:
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
    assert [future.job.failed for future in futures if future.job] == [False, False, True, True]
    with pytest.raises(RuntimeError, match="shut down"):
        pool.submit(model.square, 1)


def test_pickles_keep_types_and_exceptions(machine: Service, study: Path, model: Any) -> None:
    s = machine.connect()
    with Executor(study, "hpc_one", hours=0.1, slipway=s, serializer="pickle") as pool:
        pair, refused = pool.submit(model.Model.pair, {1}, 2j), pool.submit(model.refuse, "why")
    assert pair.result() == ({1}, 2j)
    with pytest.raises(KeyError, match="why") as refusal:
        refused.result()
    assert isinstance(refusal.value.__cause__, RemoteError)


def test_what_a_job_cannot_import_is_refused(study: Path, model: Any) -> None:
    pool = Executor(study, "hpc_one", hours=0.1, slipway=Script().client)
    functions: list[tuple[Any, str]] = [
        (lambda: 1, "top level"),
        (test_what_a_job_cannot_import_is_refused, "has no module"),
        ("model_of_futures", "top level"),
        ("../model:f", "top level"),
    ]
    for function, reason in functions:
        with pytest.raises(ValueError, match=reason):
            pool.submit(function)
    with pytest.raises(TypeError, match="not JSON serializable"):
        pool.submit(model.square, {1})
    with pytest.raises(NotADirectoryError):
        Executor(study / "no", "hpc_one", hours=1, slipway=Script().client)


@pytest.mark.usefixtures("patient")
def test_a_refused_batch_fails_its_calls(study: Path, model: Any) -> None:
    script = Script(refuse(403, "quota-exceeded"))
    with Executor(study, "hpc_one", hours=0.1, slipway=script.client) as pool:
        futures = [pool.submit(model.square, number) for number in range(3)]
    assert len(script.asked) == 1
    for future in futures:
        assert isinstance(future.exception(), problems.QuotaExceeded)


@pytest.mark.usefixtures("patient")
def test_calls_are_cancelled_until_they_are_sent(study: Path, model: Any) -> None:
    script = Script(refuse(403, "quota-exceeded"))
    pool = Executor(study, "hpc_one", hours=0.1, slipway=script.client)
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
    monkeypatch.setattr("slipway.futures._FIRST_PAUSE", 0.01)
    script = answer_as_a_batch(result)
    with Executor(study, "hpc_one", hours=0.1, slipway=script.client) as pool:
        future = pool.submit(model.square, 1)
    if isinstance(outcome, type):
        assert isinstance(future.exception(), outcome)
    else:
        assert future.result() == outcome
