"""The folder of a project, on this machine."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import ROOT, Service, run_service

from slipway_hpc import problems


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """The laptop edition, whose projects keep up to 50 kB."""
    catalog = json.loads((ROOT / "lib/catalog/this-machine.json").read_text())
    for system in catalog["systems"]:
        system["keep"] = {"maxKilobytes": 50}
    file = tmp_path_factory.mktemp("catalog") / "catalog.json"
    file.write_text(json.dumps({"systems": catalog["systems"]}))
    with run_service(CATALOG=str(file), DATA_DIR="memory") as service:
        yield service


def test_what_one_job_leaves_another_finds(machine: Service, tmp_path: Path) -> None:
    ada, ben = machine.connect(), machine.connect()
    hpc = ada.systems()[0].name
    write = 'cd "$SLIPWAY_PROJECT_DIR" && mkdir -p models && echo one > models/first'
    job = ada.submit(None, hpc, command=write, runtime=0.1).wait()
    assert not job.failed
    ben.quotas()
    folder = ben.folder(hpc, job.project)
    assert folder.size().length == 4
    assert [file.filename for file in folder.files()] == ["models/first"]
    assert [file.filename for file in folder.files("")] == ["models/"]
    assert folder.read("models/first") == b"one\n"
    [path] = folder.download(tmp_path)
    assert path == tmp_path / "models/first"
    with pytest.raises(FileNotFoundError, match="has no file 'none'"):
        folder.read("none")
    fill = 'head -c 60000 /dev/zero > "$SLIPWAY_PROJECT_DIR/large"'
    ben.submit(None, hpc, command=fill, runtime=0.1).wait()
    with pytest.raises(problems.FolderFull, match="has 60004 bytes, more than the 50000"):
        ada.submit(None, hpc, command="true", runtime=0.1)
    assert folder.delete("large").full is False
    with pytest.raises(problems.NotLeader):
        folder.empty(confirm=job.project)
    boss = machine.connect(administrator=True).folder(hpc, job.project)
    with pytest.raises(problems.EmptyingUnconfirmed, match="all 1 files"):
        boss.empty(confirm="")
    assert boss.empty(confirm=job.project).files == 0
    assert folder.files() == []
