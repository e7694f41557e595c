"""The wheel and the sdist, in bare environments, with every example of the page."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from concurrent.futures import ThreadPoolExecutor
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
    done = subprocess.run(words, capture_output=True, text=True, timeout=600, env=without_sources())
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def without_sources() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", target, FOLDER)
    return target


def test_the_archives_have_what_they_need(built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert wheel.name == "slipway_hpc-0.2.0-py3-none-any.whl"
    assert {"slipway_hpc/py.typed", "slipway_hpc/_sync/client.py", "slipway_hpc/models.py"} <= set(
        names
    )
    assert any(name.endswith("licenses/LICENSE") for name in names)
    assert not any("test" in name for name in names)
    metadata = zipfile.ZipFile(wheel).read("slipway_hpc-0.2.0.dist-info/METADATA").decode()
    assert metadata.count("Requires-Dist:") == 2
    assert "cloudpickle<4,>=3; extra == 'functions'" in metadata
    assert "License-Expression: Apache-2.0" in metadata
    (sdist,) = built.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        assert "slipway_hpc-0.2.0/src/slipway_hpc/py.typed" in archive.getnames()


class Bare:
    """What was printed in environments with nothing but the package and what it depends on."""

    def __init__(self, built: Path, service: Service, folder: Path) -> None:
        (wheel,) = built.glob("*.whl")
        (sdist,) = built.glob("*.tar.gz")
        self._folder = folder
        # Most of the time they wait for pip and for jobs, so all of them do so at once.
        with ThreadPoolExecutor() as pool:
            self.pages = {
                python: pool.submit(self._run_page, python, wheel, service)
                for python in find_pythons()
            }
            self.version = pool.submit(self._print_version, sdist)

    def _run_page(self, python: str, wheel: Path, service: Service) -> list[str]:
        inside = self._install(python, f"{wheel}[functions]")
        return run_examples(str(inside), service, inside.parent, service.next_user())

    def _print_version(self, sdist: Path) -> str:
        inside = self._install(sys.executable, sdist)
        return run(inside, "-c", "import slipway_hpc; print(slipway_hpc.__version__)")

    def _install(self, python: str, archive: Path | str) -> Path:
        folder = Path(tempfile.mkdtemp(dir=self._folder))
        run(python, "-m", "venv", "--without-pip", folder)
        inside = folder / "bin/python"
        quiet = ["--quiet", "--disable-pip-version-check", "--no-compile", "--timeout", "15"]
        run(sys.executable, "-m", "pip", "--python", inside, "install", *quiet, archive)
        return inside


@pytest.fixture(scope="module")
def bare(built: Path, machine: Service, tmp_path_factory: pytest.TempPathFactory) -> Bare:
    return Bare(built, machine, tmp_path_factory.mktemp("bare"))


@pytest.mark.parametrize("python", find_pythons())
def test_the_page_prints_what_it_says(python: str, bare: Bare) -> None:
    examples = read_examples()
    assert bare.pages[python].result() == [shown for _, shown in examples]
    assert len(examples) > 8


def test_the_sdist_can_be_installed(bare: Bare) -> None:
    assert bare.version.result() == "0.2.0\n"
