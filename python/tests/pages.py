"""Runs the examples of docs/python.md and docs/python-functions.md."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

from conftest import ROOT, Service

MARK = "--- next ---"


# The second page goes on from the first.
PAGES = ["docs/python.md", "docs/python-functions.md"]


def read_examples() -> list[tuple[str, str]]:
    """Returns each block of Python, with the output that its page shows below it."""
    text = "".join((ROOT / page).read_text("utf-8") for page in PAGES)
    fences = re.findall(r"^```(\w+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    following = [*fences[1:], ("", "")]
    return [
        (code, shown if following_kind == "text" else "")
        for (kind, code), (following_kind, shown) in zip(fences, following, strict=True)
        if kind == "python"
    ]


def write_program(folder: Path, after: str) -> str:
    """
    Writes all examples as one program, with a line after each of them.

    A block whose first line is the path of a file becomes that file.
    """
    program = ""
    for code, _ in read_examples():
        if file := re.match(r"# (study/\S+)\n", code):
            (folder / file[1]).parent.mkdir(exist_ok=True)
            (folder / file[1]).write_text(code)
        else:
            program += code
        program += f"\n{after}\n"
    return program


def run_examples(python: str, service: Service, folder: Path, user: str) -> list[str]:
    """Runs all examples as one program, and returns what each one printed."""
    program = write_program(folder, f"print({MARK!r}, flush=True)")
    token = service.connect(user)._transport._find_token(None)
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(folder),
        "SLIPWAY_URL": service.url,
        "SLIPWAY_TOKEN": token or "",
    }
    done = subprocess.run(
        [python, "-c", program],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=900,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split(f"{MARK}\n")[:-1]
