"""Parsl runs functions in blocks that are jobs."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import parsl
import pytest
from edition import Service, run_service
from parsl.jobs.states import JobState
from slipway_parsl import SlipwayProvider

from slipway_hpc import Slipway

#: Parsl starts programs of its own by their names, here and in jobs.
PROGRAMS = Path(sys.executable).parent


@pytest.fixture(scope="session")
def machine() -> Iterator[Service]:
    with run_service() as service:
        yield service


def wait_for_end(provider: SlipwayProvider, block: str) -> JobState:
    deadline = time.monotonic() + 120
    while True:
        [status] = provider.status([block])
        if status.terminal:
            return status.state
        assert time.monotonic() < deadline
        time.sleep(0.2)


def test_functions_run_in_a_block(
    machine: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(PROGRAMS), prepend=os.pathsep)
    client = machine.connect()
    provider = SlipwayProvider(
        "hpc_one",
        runtime=0.2,
        cores_per_node=2,
        # Workers import the module of a function.
        worker_init=f"export PATH={PROGRAMS}:$PATH PYTHONPATH={os.pathsep.join(sys.path)}",
        status_polling_interval=1,
        client=client,
    )
    executor = parsl.HighThroughputExecutor(
        label="blocks", address="127.0.0.1", max_workers_per_node=2, provider=provider
    )

    @parsl.python_app
    def name_job(number: int) -> tuple[int, str]:
        import os

        return number * number, os.environ["SLIPWAY_JOB_ID"]

    with parsl.load(parsl.Config(executors=[executor], run_dir=str(tmp_path))):
        results = [name_job(number) for number in range(6)]
        squares = [future.result(120) for future in results]
        [job] = list(client.jobs())
        assert not job.ended
    assert squares == [(number * number, job.job_id) for number in range(6)]
    assert job.title.startswith(f"{provider.tag} ")
    # Parsl gives its blocks back when it is done, so no time is charged for nothing.
    assert wait_for_end(provider, job.job_id) == JobState.CANCELLED
    assert job.wait(60).stage == "CANCELED"


def test_the_end_of_a_block_has_its_reason(machine: Service) -> None:
    provider = SlipwayProvider("hpc_one", runtime=0.1, worker_init="X=7", client=machine.connect())
    good = provider.submit("test $X = 7 && test $PARSL_CORES = 1", 1, "good")
    bad = provider.submit("echo why >&2; exit 3", 1, "bad")
    assert wait_for_end(provider, good) == JobState.COMPLETED
    assert wait_for_end(provider, bad) == JobState.FAILED
    [status] = provider.status([bad])
    assert status.message == "The command ended with exit code 3.\nwhy\n"


def test_a_block_whose_time_is_up_has_not_failed(machine: Service) -> None:
    provider = SlipwayProvider("hpc_one", runtime=0.001, client=machine.connect())
    block = provider.submit("sleep 60", 1)
    assert wait_for_end(provider, block) == JobState.TIMEOUT


def test_a_service_that_is_away_changes_nothing(machine: Service) -> None:
    client = machine.connect()
    provider = SlipwayProvider("hpc_one", runtime=0.1, client=client)
    block = provider.submit("sleep 60", 1)

    def refuse(request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("refused")

    provider.client = Slipway(
        "https://slipway.test", "a token", retries=0, transport=httpx.MockTransport(refuse)
    )
    assert provider.cancel([block]) == [False]
    [status] = provider.status([block])
    assert (status.state, status.terminal) == (JobState.PENDING, False)
    provider.client = client
    assert provider.cancel([block]) == [True]
    client.job(block).wait(60)


def test_an_unknown_system_is_refused(machine: Service) -> None:
    with pytest.raises(ValueError, match="Unknown system 'hpc_on'"):
        SlipwayProvider("hpc_on", runtime=1, client=machine.connect())
