"""What needs IPython or pandas: the magic of notebooks, and tables."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import Service

from slipway_hpc import JobFailed

InteractiveShell = pytest.importorskip("IPython.core.interactiveshell").InteractiveShell


@pytest.fixture
def shell() -> Iterator[Any]:
    shell = InteractiveShell.instance()
    shell.run_line_magic("load_ext", "slipway_hpc")
    yield shell
    InteractiveShell.clear_instance()


def test_a_cell_runs_as_a_job(
    shell: Any, machine: Service, study: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shell.user_ns["s"] = machine.connect()
    line = f"hpc_one --runtime 0:06:00 --client s --title 'a cell' --input {study}"
    cell = 'import os\nprint(sorted(os.listdir()))\nprint("神经元")\n'
    shell.run_cell_magic("slipway", line, cell)
    assert "['main.py', 'slipway-cell.py']\n神经元\n" in capsys.readouterr().out
    job = shell.user_ns["job"]
    assert (job.title, job.failed) == ("a cell", False)
    with pytest.raises(JobFailed, match="exit code 3"):
        shell.run_cell_magic(
            "slipway",
            "hpc_one --runtime 0.1 --client s --as other",
            'import sys\nsys.stderr.write("no")\nsys.exit(3)\n',
        )
    assert capsys.readouterr().err.endswith("no\n")
    assert shell.user_ns["other"].failed


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("hpc_one", "required: --runtime"),
        ("hpc_one --runtime x", "'x', which is not a duration"),
        ("hpc_one --runtime 1 --client nobody", "'nobody' is not a Slipway"),
        ("hpc_one --runtime 1 --moon", "unrecognized arguments"),
    ],
)
def test_mistakes_are_explained(shell: Any, line: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        shell.run_cell_magic("slipway", line, "1")


def test_it_has_help(shell: Any, capsys: pytest.CaptureFixture[str]) -> None:
    shell.run_cell_magic("slipway", "--help", "1")
    assert "--runtime RUNTIME" in capsys.readouterr().out


def test_lists_become_tables(machine: Service) -> None:
    pandas = pytest.importorskip("pandas")
    s = machine.connect()
    frame = s.quotas().to_dataframe()
    assert isinstance(frame, pandas.DataFrame)
    assert list(frame["project_name"]) == ["proj_hpc_one_01", "proj_hpc_two_01"]
    assert list(frame["usage.time.left"]) == [18_000_000, 18_000_000]
    assert s.jobs().to_dataframe().empty
