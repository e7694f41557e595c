"""The laptop edition with simulated systems, and a service that answers as scripted."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import settings

from slipway_hpc import Slipway

ROOT = next(
    folder for folder in Path(__file__).resolve().parents if (folder / "package.json").is_file()
)
NODE = shutil.which("node", path=f"{ROOT / 'node_modules/.bin'}{os.pathsep}{os.environ['PATH']}")

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


class Service:
    """A running laptop edition."""

    def __init__(self, url: str, folder: Path) -> None:
        self.url = url
        self.folder = folder
        self.key_file = folder / ".slipway/key"
        self._users = 306_400

    def next_user(self) -> str:
        """Returns a user whom nobody has been before."""
        self._users += 1
        return str(self._users)

    def connect(self, user: str | None = None, **settings: Any) -> Slipway:
        """Signs in, as a user of its own if none is named."""
        user = user or self.next_user()
        return Slipway.local(self.url, user=user, key_file=self.key_file, **settings)


def start_node(arguments: list[str], folder: Path, **variables: str) -> subprocess.Popen[str]:
    assert NODE, "The tests need Node: npm ci"
    return subprocess.Popen(
        [NODE, *arguments],
        cwd=folder,
        env={**os.environ, **variables},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def read_until(process: subprocess.Popen[str], pattern: str) -> str:
    """Reads the output of a process up to a line, and returns its address."""
    assert process.stdout
    seen = ""
    for line in process.stdout:
        seen += line
        found = re.search(pattern, line)
        if found:
            return found[1]
    raise AssertionError(f"It ended: {seen}")


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


@contextlib.contextmanager
def run_service(**variables: str) -> Iterator[Service]:
    folder = Path(tempfile.mkdtemp(prefix="slipway-python-"))
    process = start_node([str(ROOT / "local/start.ts")], folder, PORT="0", **variables)
    try:
        url = read_until(process, r"running at (http://\S+)")
        # Nobody reads on, so that the pipe must not fill up.
        _drain(process)
        yield Service(url, folder)
    finally:
        process.terminate()
        process.wait(30)
        shutil.rmtree(folder, ignore_errors=True)


def _drain(process: subprocess.Popen[str]) -> None:
    import threading

    def read() -> None:
        assert process.stdout
        for _ in process.stdout:
            pass

    threading.Thread(target=read, daemon=True).start()


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
