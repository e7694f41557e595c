"""The laptop edition, as a process of its own."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from slipway_hpc import Slipway

ROOT = next(
    folder for folder in Path(__file__).resolve().parents if (folder / "package.json").is_file()
)
NODE = shutil.which("node", path=f"{ROOT / 'node_modules/.bin'}{os.pathsep}{os.environ['PATH']}")


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


@contextlib.contextmanager
def run_service(**variables: str) -> Iterator[Service]:
    folder = Path(tempfile.mkdtemp(prefix="slipway-python-"))
    process, url = start_service(folder, **variables)
    try:
        yield Service(url, folder)
    finally:
        process.terminate()
        process.wait(30)
        shutil.rmtree(folder, ignore_errors=True)


def start_service(
    folder: Path, *, port: str = "0", **variables: str
) -> tuple[subprocess.Popen[str], str]:
    """Returns the process and its address. The folder has its data, from one start to the next."""
    process = start_node([str(ROOT / "local/start.ts")], folder, PORT=port, **variables)
    url = read_until(process, r"running at (http://\S+)")
    # Nobody reads on, so that the pipe must not fill up.
    _drain(process)
    return process, url


def _drain(process: subprocess.Popen[str]) -> None:
    import threading

    def read() -> None:
        assert process.stdout
        for _ in process.stdout:
            pass

    threading.Thread(target=read, daemon=True).start()
