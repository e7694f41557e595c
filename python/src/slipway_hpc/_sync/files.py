# Made by `npm run describe` from _async/files.py. Do not edit.
"""Files that jobs have written, wherever they are listed."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Callable
from pathlib import Path

import httpx

from .. import models
from .._errors import FilesSkipped, FileTooLarge
from .._files import clean_path, explain_name, write_aside
from .._problem import SlipwayProblem
from .._progress import ProgressLine
from .._rows import Rows
from .._versions import is_rest, read_version
from .operations import Operations
from .transport import CutOff

DOWNLOAD_TRIES = 3
_IGNORES_CASE = os.name == "nt"


class Files:
    """What a ``Job`` and a ``ProjectFolder`` have: files that can be read and saved."""

    _api: Operations

    def files(self, folder: str | None = None) -> Rows[models.JobFile]:
        """Lists the files."""
        raise NotImplementedError

    def _path_of(self, file: models.JobFile) -> str:
        raise NotImplementedError

    def _name(self) -> str:
        raise NotImplementedError

    def _find(self, name: str) -> models.JobFile | None:
        return next((file for file in self.files() if file.filename == name), None)

    def read(self, name: str) -> bytes:
        """
        Reads a file.

        Raises ``FileTooLarge`` for more than ``max_answer_bytes`` (32 MB). Use ``download`` then.
        """
        found = self._find(name)
        if found is None:
            raise FileNotFoundError(f"{self._name()} has no file '{name}'.")
        for tries_left in reversed(range(DOWNLOAD_TRIES)):
            try:
                return self._read_once(found)
            except CutOff:
                if tries_left == 0:
                    raise
        raise AssertionError

    def _read_once(self, file: models.JobFile) -> bytes:
        content = bytearray()
        most = self._api._transport.settings.max_answer_bytes
        with self._api._transport.stream(self._path_of(file)) as response:
            for piece in response.iter_bytes():
                content += piece
                if len(content) > most:
                    raise FileTooLarge(
                        f"The file '{file.filename}' has more than {most} bytes. Use download()."
                    )
        return bytes(content)

    def download(
        self,
        folder: str | os.PathLike[str],
        *,
        only: Callable[[models.JobFile], bool] | None = None,
        progress: bool | None = None,
    ) -> list[Path]:
        """
        Saves the files below a folder, and returns their paths.

        Jobs choose the names of their files freely. Characters that nobody can see become ``_``. A
        name that leads out of the folder, or that the disk cannot hold, is skipped, and
        ``FilesSkipped`` is raised after all others were saved.
        """
        files = [file for file in self.files() if only is None or only(file)]
        whole = sum(file.length for file in files)
        saved: list[Path] = []
        skipped: dict[str, str] = {}
        taken: set[str] = set()
        done = 0
        with ProgressLine(progress) as line:
            for file in files:
                try:
                    path = clean_path(file.filename)
                except ValueError as error:
                    skipped[file.filename] = str(error)
                    continue
                key = path.lower() if _IGNORES_CASE else path
                if key in taken:
                    skipped[file.filename] = "Another file has this name already."
                    continue
                target = Path(folder, path)
                try:
                    done += self._save(file, target)
                except OSError as error:
                    reason = explain_name(error)
                    if reason is None:
                        raise
                    skipped[file.filename] = reason
                    continue
                taken.add(key)
                saved.append(target)
                line.update(done, max(whole, done), file.filename)
        if skipped:
            raise FilesSkipped(saved, skipped)
        return saved

    def _save(self, file: models.JobFile, path: Path) -> int:
        """Saves a file. A download that is cut off goes on, as long as it gets further."""
        version: str | None = None
        furthest = 0
        tries_left = DOWNLOAD_TRIES
        with write_aside(path) as part:
            while True:
                start = part.stat().st_size if version is not None else 0
                try:
                    with self._open(file, start, version) as response:
                        version = read_version(response)
                        with open(part, "ab" if response.status_code == 206 else "wb") as out:
                            for piece in response.iter_bytes():
                                out.write(piece)
                    return part.stat().st_size
                except CutOff:
                    reached = part.stat().st_size
                    tries_left = DOWNLOAD_TRIES if reached > furthest else tries_left - 1
                    furthest = max(furthest, reached)
                    if tries_left == 0:
                        raise

    @contextlib.contextmanager
    def _open(
        self, file: models.JobFile, start: int, version: str | None
    ) -> Iterator[httpx.Response]:
        """Opens the rest of a file, or the whole if it is another one by now."""
        path = self._path_of(file)
        if start > 0:
            try:
                with self._api._transport.stream(path, start) as response:
                    if is_rest(response, start, version):
                        yield response
                        return
            except SlipwayProblem as problem:
                # The file is not longer than what is here.
                if problem.status != 416:
                    raise
        with self._api._transport.stream(path) as response:
            yield response
