"""
The notebooks of docs/examples, which are committed with their outputs.

``WRITE_NOTEBOOKS=1 npm run suite -- python tests/test_notebooks.py`` writes the outputs anew.
"""

from __future__ import annotations

import json
import os
import re
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT, Service

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
for name in ("ipykernel", "matplotlib", "pandas"):
    pytest.importorskip(name)

FOLDER = ROOT / "docs/examples"
NOTEBOOKS = sorted(path.name for path in FOLDER.glob("*.ipynb"))

#: What differs from run to run.
CHANGING = [
    (r"[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}", "ID"),
    (r"\d{4}-\d\d-\d\dT[\d:.]+Z", "TIME"),
    (r"width:[\d.]+%", "width:SHARE"),
    # A slow machine uses a hundredth of an hour more.
    (r"[\d,.]+ of 5,000 hours left", "LEFT of 5,000 hours left"),
    (r"(under )?[\d.]+ used", "USED used"),
    (r"(QUEUED|RUNNING) \d+ (s|min)", r"\1 LASTED"),
    # A stage that was over at once is not seen by each run.
    (r'<span title="TIME">RUNNING LASTED</span> → ', ""),
]


def execute(name: str, folder: Path, environment: dict[str, str]) -> Any:
    notebook = nbformat.read(FOLDER / name, as_version=4)
    folder.mkdir()
    nbclient.NotebookClient(
        notebook,
        timeout=600,
        startup_timeout=300,
        record_timing=False,
        coalesce_streams=True,
        resources={"metadata": {"path": str(folder)}},
    ).execute(env=environment)
    notebook.metadata.language_info = {"name": "python"}
    return notebook


@pytest.fixture(scope="module")
def executed(machine: Service, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Future[Any]]:
    """Runs all notebooks at once, each as a user of its own."""
    below = tmp_path_factory.mktemp("notebooks")

    def sign_in() -> dict[str, str]:
        token = machine.connect()._transport._find_token(None) or ""
        return {**os.environ, "SLIPWAY_URL": machine.url, "SLIPWAY_TOKEN": token}

    with ThreadPoolExecutor() as pool:
        return {
            name: pool.submit(execute, name, below / name[:-6], sign_in()) for name in NOTEBOOKS
        }


def read_outputs(notebook: Any) -> list[list[Any]]:
    """Returns what each cell shows, without what differs from run to run."""
    return [
        # Libraries warn on machines on which they are slow.
        [_read_output(output) for output in cell.outputs if output.get("name") != "stderr"]
        for cell in notebook.cells
        if cell.cell_type == "code"
    ]


def _read_output(output: Any) -> Any:
    shown = dict(output.get("data", {"text": output.get("text", output.get("evalue"))}))
    if "image/png" in shown:
        return ["a picture"]
    # The plain text beside a face has every field, such as the seconds used.
    if "text/html" in shown:
        shown = {"text/html": shown["text/html"]}
    text = json.dumps(shown, ensure_ascii=False, sort_keys=True).replace('\\"', '"')
    for pattern, word in CHANGING:
        text = re.sub(pattern, word, text)
    return [text]


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_shows_what_is_committed(name: str, executed: dict[str, Future[Any]]) -> None:
    notebook = executed[name].result()
    if os.environ.get("WRITE_NOTEBOOKS"):
        nbformat.write(notebook, FOLDER / name)
    committed = nbformat.read(FOLDER / name, as_version=4)
    assert read_outputs(notebook) == read_outputs(committed)
    text = (FOLDER / name).read_text("utf-8")
    assert not re.search(r"/tmp|/home|/root|/Users|localhost:|127\.0\.0\.1|<script", text)
