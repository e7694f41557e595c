"""Packs what a job needs, and saves what it made."""

from __future__ import annotations

import os
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from snakemake_interface_common.exceptions import WorkflowError

from slipway_hpc import models

#: Larger sources are left out, as Snakemake's own archive of sources leaves them out.
_LARGEST_SOURCE = 10_000_000
_SCRIPT = "slipway-job.sh"


def list_sources(sources: Iterable[str]) -> list[str]:
    """Returns the files of the workflow itself: what it includes, scripts, and files of Git."""
    paths = sorted({os.path.normpath(path) for path in sources})
    return [
        path
        for path in paths
        if not path.startswith("..")
        and not os.path.isabs(path)
        and os.path.isfile(path)
        and os.path.getsize(path) <= _LARGEST_SOURCE
    ]


def list_inputs(paths: Iterable[str]) -> list[str]:
    """Returns the input files of a job, those of folders too. Storage has its own ways."""
    found: set[str] = set()
    for path in paths:
        if getattr(path, "is_storage", False):
            continue
        relative = os.path.normpath(path)
        if os.path.isabs(relative) or relative.startswith(".."):
            raise WorkflowError(
                f"The input {path} is outside of the workflow's folder, and cannot be sent "
                "with the job. Copy or link it into the folder."
            )
        if os.path.isdir(relative):
            for folder, _, names in os.walk(relative, followlinks=True):
                found.update(os.path.join(folder, name) for name in names)
        else:
            found.add(relative)
    return sorted(found)


def describe_files(paths: Iterable[str]) -> list[tuple[str, int, int]]:
    """Returns what changes whenever a file does."""
    return [(path, state.st_size, state.st_mtime_ns) for path in paths for state in [os.stat(path)]]


@contextmanager
def pack(paths: Iterable[str], script: str) -> Iterator[Path]:
    """Writes the input of a job, the same bytes for the same files."""
    with tempfile.TemporaryDirectory(prefix="slipway-") as aside:
        target = Path(aside, "input.zip")
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
            archive.writestr(_describe(_SCRIPT, 0o755), script)
            for path in paths:
                with (
                    open(path, "rb") as source,
                    archive.open(
                        _describe(Path(path).as_posix(), os.stat(path).st_mode), "w"
                    ) as entry,
                ):
                    while piece := source.read(1_000_000):
                        entry.write(piece)
        yield target


def _describe(name: str, mode: int) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.compress_type = zipfile.ZIP_DEFLATED
    info.external_attr = (0o100755 if mode & 0o100 else 0o100644) << 16
    return info


def choose_outputs(paths: Iterable[str]) -> Callable[[models.JobFile], bool]:
    """Returns whether a file of a job is one that its rule makes, or lies in a folder of these."""
    wanted = {os.path.normpath(path) for path in paths if not getattr(path, "is_storage", False)}
    folders = tuple(f"{path}/" for path in wanted)
    return lambda file: file.filename in wanted or file.filename.startswith(folders)


def write_script(*, command: str, python: str, shared_folder: str | None) -> str:
    """
    Writes what a job runs.

    Args:
        shared_folder: The folder of the workflow, if the system has the same disk.
    """
    enter, leave = "", "rm -rf .snakemake\n"
    if shared_folder is not None:
        quoted = "'" + shared_folder.replace("'", "'\\''") + "'"
        leave = ""
        enter = f"""if ! cd {quoted} 2>/dev/null || ! [ -w . ]; then
  echo "Jobs on this system cannot see or write the folder" {quoted} >&2
  echo "Run Snakemake with --shared-fs-usage none: files then travel with the jobs." >&2
  exit 1
fi
"""
    return f"""#!/bin/sh
{enter}{command}
code=$?
if [ $code -ne 0 ] && ! {python} -c 'import snakemake'; then
  echo "Snakemake is needed on this system. Choose another Python with --slipway-python." >&2
fi
{leave}exit $code
"""


def start_script() -> str:
    """Returns the command of a job. A script has no limit to its length, as a command has."""
    return f"sh {_SCRIPT}"
