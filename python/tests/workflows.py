"""Workflows that a real workflow tool runs, on the laptop edition."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import ClassVar

import pytest
from edition import ROOT, Service, run_service

from slipway_hpc import Job, Slipway

#: Has the tools that the tests run.
_PROGRAMS = Path(sys.executable).parent


class Workflow:
    """A folder with a workflow, and a user of the service of their own."""

    #: What runs the workflow.
    program = ""
    #: Options, with their values where nobody gives others.
    usual: ClassVar[dict[str, str]] = {}

    def __init__(self, folder: Path, service: Service) -> None:
        self.folder = folder
        folder.mkdir(exist_ok=True)
        self.user = service.next_user()
        self.client: Slipway = service.connect(self.user)
        token = self.client._transport._find_token(None)
        self.environment = {
            **{name: value for name, value in os.environ.items() if name != "PYTHONPATH"},
            "PATH": f"{_PROGRAMS}{os.pathsep}{os.environ['PATH']}",
            "SLIPWAY_URL": service.url,
            "SLIPWAY_TOKEN": token or "",
        }

    def write(self, path: str, text: str) -> None:
        target = self.folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)

    def read(self, path: str) -> str:
        return (self.folder / path).read_text()

    def start(self, *words: str) -> Run:
        given = [word for pair in self.usual.items() if pair[0] not in words for word in pair]
        log = self.folder / f"{self.program}-{time.monotonic_ns()}.log"
        with log.open("w") as out:
            process = subprocess.Popen(
                [_PROGRAMS / self.program, *given, *words],
                cwd=self.folder,
                env=self.environment,
                stdout=out,
                stderr=subprocess.STDOUT,
            )
        return Run(process, log)

    def run(self, *words: str, code: int = 0) -> str:
        run = self.start(*words)
        assert run.wait() == code, run.output
        return run.output

    def jobs(self) -> list[Job]:
        return list(self.client.jobs())

    def names(self) -> list[str]:
        """Returns the titles without what all jobs of the workflow have."""
        return sorted(job.title.partition(" ")[2] for job in self.jobs())


def run_page(workflow: Workflow, name: str, changes: dict[str, str]) -> str:
    """
    Writes the files of a page, runs its commands, and compares what they print.

    Args:
        changes: What the files say here in the place of something else.

    Returns:
        All that the commands have said besides.
    """
    fences = re.findall(r"^```(\w*)\n(.*?)^```$", read_page(name), re.MULTILINE | re.DOTALL)
    (workflow.folder.parent / "slipway").symlink_to(ROOT)
    printed = said = ""
    for kind, block in fences:
        if file := re.match(r"(?:#|//) (\S+)\n", block):
            for old, new in changes.items():
                block = block.replace(old, new)
            workflow.write(file[1], block)
        elif kind == "sh":
            done = subprocess.run(
                ["bash", "-e", "-c", block],
                cwd=workflow.folder,
                env=workflow.environment,
                capture_output=True,
                text=True,
                timeout=300,
            )
            assert done.returncode == 0, done.stdout + done.stderr
            printed += done.stdout
            said += done.stderr
        elif kind == "text":
            assert printed.endswith(block), printed
    return printed + said


def read_page(name: str) -> str:
    return (ROOT / "docs" / name).read_text("utf-8")


class Run:
    """A tool that runs a workflow."""

    def __init__(self, process: subprocess.Popen[bytes], log: Path) -> None:
        self._process = process
        self._log = log

    @property
    def output(self) -> str:
        return self._log.read_text()

    def wait(self) -> int:
        return self._process.wait(300)

    def until(self, pattern: str) -> None:
        wait_for(lambda: bool(re.search(pattern, self.output)) or self._process.poll() is not None)
        assert re.search(pattern, self.output), self.output

    def kill(self) -> None:
        self._process.kill()
        self._process.wait(30)

    def interrupt(self) -> None:
        self._process.send_signal(signal.SIGINT)

    def end(self) -> None:
        if self._process.poll() is None:
            self.kill()


def wait_for(check: Callable[[], bool], seconds: float = 120) -> None:
    deadline = time.monotonic() + seconds
    while not check():
        assert time.monotonic() < deadline
        time.sleep(0.1)


@pytest.fixture(scope="session")
def machine() -> Iterator[Service]:
    """Jobs run as the user of the tests, as `npm start` runs them: they see all of the disk."""
    with run_service() as service:
        yield service


@pytest.fixture(scope="session")
def sandbox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """Jobs run in a sandbox, which has Python and its packages, and no folder of a workflow."""
    if shutil.which("bwrap") is None:
        pytest.skip("needs bubblewrap")
    catalog = json.loads((ROOT / "lib/catalog/this-machine.json").read_text())
    del catalog["$schema"]
    python = sorted({sys.prefix, sys.base_prefix})
    catalog["systems"][0]["connector"] = {
        "kind": "machine",
        "sandbox": "bubblewrap",
        "readable": [path for path in python if not path.startswith("/usr")],
    }
    file = tmp_path_factory.mktemp("catalog") / "catalog.json"
    file.write_text(json.dumps(catalog))
    with run_service(CATALOG=str(file)) as service:
        yield service
