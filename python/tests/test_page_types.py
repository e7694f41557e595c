"""The types of the pages: their blocks as one program, in front of the strictest checks."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT
from pages import write_program


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("types")
    (folder / "program.py").write_text(write_program(folder, "pass"))
    # As if the package was installed: nobody is told about its inside.
    (folder / "mypy.ini").write_text("[mypy]\n[mypy-slipway_hpc.*]\nfollow_imports = silent\n")
    source = str(ROOT / "python/src")
    (folder / "pyrightconfig.json").write_text(
        json.dumps(
            {
                "typeCheckingMode": "strict",
                "extraPaths": [source],
                "pythonVersion": "3.10",
                "venvPath": str(Path(sys.prefix).parent),
                "venv": Path(sys.prefix).name,
            }
        )
    )
    return folder


def check(folder: Path, *words: str) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, "-m", *words],
        cwd=folder,
        env={**os.environ, "MYPYPATH": str(ROOT / "python/src")},
        capture_output=True,
        text=True,
        timeout=600,
    )
    return done.returncode, done.stdout + done.stderr


def test_mypy_finds_nothing(program: Path) -> None:
    status, said = check(program, "mypy", "--strict", "--cache-dir", os.devnull, ".")
    assert status == 0, said
    assert "no issues found in 2 source files" in said


def test_pyright_finds_nothing(program: Path) -> None:
    status, said = check(program, "pyright", "--project", ".")
    if "Cannot find module" in said or "ENOTFOUND" in said:
        pytest.skip("pyright could not be fetched.")
    assert status == 0, said
    assert "0 errors" in said
