"""The laptop edition with simulated systems, and a service that answers as scripted."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from edition import ROOT as ROOT
from edition import Service as Service
from edition import read_until, start_node
from edition import run_service as run_service
from hypothesis import settings

from slipway_hpc import Slipway

# On a busy machine, the time that an example takes says nothing.
settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leaves out what needs a running service, which mutants are not tested with."""
    if "WITHOUT_SERVICE" not in os.environ:
        return
    items[:] = [
        item
        for item in items
        if not {"service", "machine"} & set(getattr(item, "fixturenames", []))
    ]


#: What a scripted service answers to a request.
Handler = Callable[[httpx.Request], httpx.Response]


@pytest.fixture(scope="session")
def service() -> Iterator[Service]:
    """The laptop edition with simulated systems."""
    with run_service(DATA_DIR="memory", SYSTEMS="simulated", SIM_HOUR_SECONDS="0.5") as service:
        yield service


@pytest.fixture(scope="session")
def machine() -> Iterator[Service]:
    """The laptop edition that runs jobs on this machine, as `npm start` does."""
    # Jobs find the Python of the tests, which has their packages.
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    with run_service(PATH=path) as service:
        yield service


@pytest.fixture
def hostile_proxy(service: Service) -> Iterator[str]:
    """The hostile proxy of the TypeScript client's tests, before the service."""
    program = f"""
        import {{ startHostileProxy }} from '{(ROOT / "test/fixtures/hostile-proxy.ts").as_uri()}';
        const proxy = await startHostileProxy('{service.url}');
        console.log(`proxy at ${{proxy.url}}`);
    """
    process = start_node(["--input-type=module-typescript", "--eval", program], service.folder)
    try:
        yield read_until(process, r"proxy at (http://\S+)")
    finally:
        process.terminate()
        process.wait(30)


@pytest.fixture
def study(tmp_path: Path) -> Path:
    folder = tmp_path / "study"
    folder.mkdir()
    (folder / "main.py").write_text('print("hello")\n')
    return folder


class Script:
    """A client before a service that gives answers in turn, and the last one from then on."""

    def __init__(self, *answers: httpx.Response | Exception | Handler, **settings: Any) -> None:
        self.asked: list[httpx.Request] = []
        self.pauses: list[float] = []
        self._answers = answers
        settings.setdefault("token", "a token")
        self.client = Slipway(
            "https://slipway.test", transport=httpx.MockTransport(self._answer), **settings
        )
        self.client._transport.pause = self.pauses.append

    def _answer(self, request: httpx.Request) -> httpx.Response:
        answer = self._answers[min(len(self.asked), len(self._answers) - 1)]
        self.asked.append(request)
        if isinstance(answer, Exception):
            raise answer
        if isinstance(answer, httpx.Response):
            return httpx.Response(
                answer.status_code, headers=answer.headers, content=answer.content
            )
        return answer(request)


def refuse(status: int, name: str, headers: dict[str, str] | None = None) -> httpx.Response:
    """A refusal as the service writes it."""
    body = {
        "type": f"urn:slipway:problem:{name}",
        "title": name,
        "status": status,
        "detail": f"It is {name}.",
        "instance": "request-1",
    }
    return httpx.Response(status, json=body, headers=headers)


#: What httpx raises when no answer comes.
cut_off = httpx.ConnectError("refused")


def eventually(check: Callable[[], bool], seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while not check():
        assert time.monotonic() < deadline
        time.sleep(0.1)
