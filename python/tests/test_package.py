"""The wheel and the sdist, in bare environments, with every example of the page."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
from conftest import ROOT, Service
from pages import read_examples, run_examples

FOLDER = ROOT / "python"


def find_pythons() -> list[str]:
    """Finds the oldest and the newest Python of this machine that the package supports."""
    versions = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"), "versions")
    candidates = [sys.executable]
    for minor in range(10, 15):
        candidates.append(f"python3.{minor}")
        candidates += map(str, sorted(versions.glob(f"3.{minor}.*/bin/python")))
    found: dict[int, str] = {}
    for name in candidates:
        try:
            asked = [name, "-c", "import sys; print(sys.version_info.minor)"]
            done = subprocess.run(asked, capture_output=True, text=True, timeout=60)
        except OSError:
            continue
        if done.returncode == 0 and int(done.stdout) >= 10:
            found[int(done.stdout)] = name
    return [found[minor] for minor in sorted({min(found), max(found)})]


def run(*command: str | Path) -> str:
    words = [str(word) for word in command]
    done = subprocess.run(words, capture_output=True, text=True, timeout=600, env=bare())
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def bare() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", target, FOLDER)
    return target


def test_the_archives_have_what_they_need(built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert wheel.name == "slipway-0.1.0-py3-none-any.whl"
    assert {"slipway/py.typed", "slipway/_sync/client.py", "slipway/models.py"} <= set(names)
    assert any(name.endswith("licenses/LICENSE") for name in names)
    assert not any("test" in name for name in names)
    metadata = zipfile.ZipFile(wheel).read("slipway-0.1.0.dist-info/METADATA").decode()
    assert metadata.count("Requires-Dist:") == 1
    assert "License-Expression: Apache-2.0" in metadata
    (sdist,) = built.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        assert "slipway-0.1.0/src/slipway/py.typed" in archive.getnames()


def open_bare(python: str, folder: Path, archive: Path) -> Path:
    """Makes an environment with nothing but the package and what it depends on."""
    run(python, "-m", "venv", folder)
    quick = ["--quiet", "--disable-pip-version-check", "--timeout", "15", "--retries", "2"]
    run(folder / "bin/pip", "install", *quick, archive)
    return folder / "bin/python"


@pytest.mark.parametrize("python", find_pythons())
def test_the_page_prints_what_it_says(
    python: str, built: Path, service: Service, tmp_path: Path
) -> None:
    (wheel,) = built.glob("*.whl")
    inside = open_bare(python, tmp_path / "bare", wheel)
    (tmp_path / "page").mkdir()
    printed = run_examples(str(inside), service, tmp_path / "page", service.next_user())
    examples = read_examples()
    assert printed == [shown for _, shown in examples]
    assert len(examples) > 8


def test_the_sdist_can_be_installed(built: Path, tmp_path: Path) -> None:
    (sdist,) = built.glob("*.tar.gz")
    inside = open_bare(sys.executable, tmp_path / "bare", sdist)
    assert run(inside, "-c", "import slipway; print(slipway.__version__)") == "0.1.0\n"
