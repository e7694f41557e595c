"""What travels between processes, and what stays behind."""

from __future__ import annotations

import copy
import multiprocessing
import pickle
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from conftest import Service
from test_faces import make_batch, make_job, make_timeline
from test_scripts import ANSWERS

import slipway_hpc
from slipway_hpc import (
    FilesSkipped,
    Job,
    JobFailed,
    NotSignedIn,
    Slipway,
    SlipwayError,
    models,
    problems,
)
from slipway_hpc.futures import RemoteError

PROBLEM = models.Problem.from_json(
    {
        "type": "urn:slipway:problem:invalid-request",
        "title": "Invalid",
        "status": 400,
        "detail": "no",
        "instance": "request-1",
        "errors": [{"location": "payload", "name": "node_number", "message": "no"}],
    }
)


def list_errors() -> list[SlipwayError]:
    """Returns one exception of each class that the package has."""
    special: dict[type, SlipwayError] = {
        JobFailed: JobFailed(make_job(), "why"),
        FilesSkipped: FilesSkipped([Path("a")], {"b": "why"}),
        RemoteError: RemoteError("KeyError", "'a'", "Traceback"),
    }

    def make(kind: type[SlipwayError]) -> SlipwayError:
        if issubclass(kind, slipway_hpc.SlipwayProblem):
            return kind(PROBLEM, 5.0)
        return special.get(kind) or kind("why")

    def below(kind: type[SlipwayError]) -> list[type[SlipwayError]]:
        return [kind, *(each for sub in kind.__subclasses__() for each in below(sub))]

    return [make(kind) for kind in dict.fromkeys(below(SlipwayError))]


@pytest.mark.parametrize("error", list_errors(), ids=lambda error: type(error).__name__)
def test_every_exception_is_the_same_after_a_pickle(error: SlipwayError) -> None:
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert (str(again), again.__dict__) == (str(error), error.__dict__)
    assert type(copy.deepcopy(error)) is type(error)


def test_every_problem_has_a_class_that_was_tried() -> None:
    assert {type(error) for error in list_errors()} >= set(problems.by_name.values())


def test_a_pickle_has_no_token(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    for name in ("SLIPWAY_URL", "SLIPWAY_TOKEN", "SLIPWAY_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    s = Slipway("https://jobs.example.org", "a-secret", timeout=7)
    assert b"a-secret" not in pickle.dumps(s)
    again = pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(s))))
    assert (again.url, again.settings) == (s.url, s.settings)
    with pytest.raises(NotSignedIn, match="SLIPWAY_URL and SLIPWAY_TOKEN"):
        again._transport._find_token(None)
    monkeypatch.setenv("SLIPWAY_TOKEN", "another")
    monkeypatch.setenv("SLIPWAY_URL", "https://elsewhere.example.org")
    with pytest.raises(NotSignedIn):
        again._transport._find_token(None)
    monkeypatch.setenv("SLIPWAY_URL", "https://jobs.example.org/")
    assert again._transport._find_token(None) == "another"


def test_a_profile_is_read_where_it_is_used(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.delenv("SLIPWAY_URL", raising=False)
    monkeypatch.delenv("SLIPWAY_TOKEN", raising=False)
    file = tmp_path / "slipway/config.json"
    file.parent.mkdir()
    file.write_text(
        '{"profiles": {"work": {"url": "https://jobs.example.org",'
        ' "signIn": {"kind": "device"}, "token": {"access": "a-secret", "refresh": "b-secret"}}}}'
    )
    pickled = pickle.dumps(Slipway(profile="work"))
    assert b"-secret" not in pickled
    assert pickle.loads(pickled)._transport._find_token(None) == "a-secret"
    file.unlink()
    with pytest.raises(NotSignedIn, match="slipway login"):
        pickle.loads(pickled)._transport._find_token(None)


def test_jobs_and_batches_know_what_they_knew() -> None:
    s = Slipway("https://jobs.example.org", "a-secret")
    job = Job(s.api, models.Job.from_json(ANSWERS["job"]))
    job._timeline = make_timeline(("QUEUED", "2026-11-01T10:00:00Z"))
    again = pickle.loads(pickle.dumps(job))
    assert again == job
    assert again._repr_html_() == job._repr_html_()
    assert copy.deepcopy(job)._api._transport is s._transport
    assert copy.copy(job) == job
    batch = make_batch(count=5)
    sliced = pickle.loads(pickle.dumps(batch[1:3] + batch[4:]))
    assert (len(sliced), sliced.batch_ids) == (3, batch.batch_ids)
    assert len(sliced._shared) == 1


def ask(given: tuple[Slipway, int]) -> str:
    """Submits a job, in a process of a pool. Odd ones are refused."""
    s, number = given
    nodes = 513 if number % 2 else 1
    job = s.submit(None, "hpc_one", command="ls", runtime=0.1, nodes=nodes, title=f"job {number}")
    return job.title


def look(job: Job) -> str:
    """Asks for a job, in a process of a pool."""
    return job.refresh().title


@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
def test_a_pool_of_processes_survives_refusals(method: str, service: Service) -> None:
    token = service.connect()._transport._find_token(None)
    s = Slipway(service.url, token)
    # A connection is open, which a fork inherits.
    assert s.status().status == "up"
    context = multiprocessing.get_context(method)
    with ProcessPoolExecutor(8, mp_context=context) as pool:
        futures = [pool.submit(ask, (s, number)) for number in range(16)]
        outcomes = [future.exception() or future.result() for future in futures]
        jobs = s.jobs().all()
        assert sorted(pool.map(look, jobs)) == sorted(job.title for job in jobs)
    print(outcomes)
    assert outcomes[::2] == [f"job {number}" for number in range(0, 16, 2)]
    for refused in outcomes[1::2]:
        assert isinstance(refused, problems.InvalidRequest)
        assert [error.name for error in refused.errors] == ["node_number"]
    assert s.status().status == "up"


def test_the_rest_of_an_answer_is_kept() -> None:
    data: Any = pickle.loads(pickle.dumps(models.Job.from_json({**ANSWERS["job"], "new": 1})))
    assert data.to_dict()["new"] == 1
