"""Workflows that a real Snakemake runs, on the laptop edition."""

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

import pytest
from edition import ROOT, Service, run_service

from slipway_hpc import Job, Slipway

_SNAKEMAKE = Path(sys.executable).parent / "snakemake"


class Workflow:
    """A folder with a workflow, and a user of the service of their own."""

    def __init__(self, folder: Path, service: Service) -> None:
        self.folder = folder
        folder.mkdir(exist_ok=True)
        self.user = service.next_user()
        self.client: Slipway = service.connect(self.user)
        token = self.client._transport._find_token(None)
        self.environment = {
            **{name: value for name, value in os.environ.items() if name != "PYTHONPATH"},
            "PATH": f"{_SNAKEMAKE.parent}{os.pathsep}{os.environ['PATH']}",
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
        """Starts Snakemake without a shared disk, unless the words say otherwise."""
        usual = {
            "--executor": "slipway",
            "--slipway-system": "hpc_one",
            "--slipway-python": sys.executable,
            "--shared-fs-usage": "none",
            "--jobs": "8",
            "--default-resources": "runtime=5",
            "--seconds-between-status-checks": "1",
        }
        given = [word for pair in usual.items() if pair[0] not in words for word in pair]
        log = self.folder / f"snakemake-{time.monotonic_ns()}.log"
        with log.open("w") as out:
            process = subprocess.Popen(
                [_SNAKEMAKE, *given, *words],
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


class Run:
    """A Snakemake that runs."""

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
    """Jobs run in a sandbox, which has Python and Snakemake, and no folder of a workflow."""
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
