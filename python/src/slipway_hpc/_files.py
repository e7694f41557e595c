"""Packs folders, and finds safe paths for the files of jobs."""

from __future__ import annotations

import contextlib
import csv
import io
import itertools
import os
import re
import shutil
import stat
import sys
import tempfile
import unicodedata
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ._errors import FolderNotPackable

#: The service accepts this many entries in one zip.
_MOST_ENTRIES = 10_000
_MOST_NAMED = 10
_PIECE = 1 << 20

#: Called with the bytes done, and their total.
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class FolderWith:
    """A folder and further files, which are packed along with it."""

    folder: str | os.PathLike[str] | None
    add: Mapping[str, bytes]


Input = str | os.PathLike[str] | bytes | FolderWith | None


def add_file(source: Input, name: str, content: bytes) -> tuple[FolderWith, str]:
    """Adds a file to an input. Returns its name, which differs if the folder has such a file."""
    given = source if isinstance(source, FolderWith) else None
    folder = source.folder if isinstance(source, FolderWith) else source
    if isinstance(folder, bytes) or (folder is not None and not Path(folder).is_dir()):
        raise FolderNotPackable(f"Give a folder, not a zip: {name} is packed along with it.")
    stem, dot, ending = name.rpartition(".")
    free = name
    for number in itertools.count(2):
        if folder is None or not os.path.lexists(Path(folder, free)):
            break
        free = f"{stem}-{number}{dot}{ending}"
    return FolderWith(folder, {**(given.add if given else {}), free: content}), free


@contextlib.contextmanager
def open_input(source: Input) -> Iterator[tuple[Path | None, str]]:
    """
    Prepares the input of a job: packs a folder, takes a zip as it is, or none.

    Yields the path of the zip and its name.
    """
    if source is None:
        yield None, "input.zip"
        return
    if isinstance(source, (str, os.PathLike)) and not Path(source).is_dir():
        path = Path(source)
        if not path.is_file():
            raise FileNotFoundError(f"There is no folder or zip '{path}'.")
        if not zipfile.is_zipfile(path):
            raise FolderNotPackable(f"'{path}' is neither a folder nor a zip.")
        yield path, path.name if path.name.endswith(".zip") else f"{path.name}.zip"
        return
    with tempfile.TemporaryDirectory(prefix="slipway-input-") as folder:
        target = Path(folder, "input.zip")
        if isinstance(source, bytes):
            target.write_bytes(source)
        elif isinstance(source, FolderWith):
            pack_folder(source.folder, target, add=source.add)
        else:
            pack_folder(source, target)
        yield target, "input.zip"


def pack_folder(
    folder: str | os.PathLike[str] | None,
    target: str | os.PathLike[str],
    *,
    add: Mapping[str, bytes] | None = None,
    on_progress: Progress | None = None,
) -> int:
    """
    Packs a folder into a zip and returns the number of its files.

    The zip has names, contents, empty folders and executable flags, but no times, so that the same
    folder gives the same zip. Raises ``FolderNotPackable`` for links and everything else that a
    zip cannot hold. Nothing is left out silently.
    """
    listed = _list_folder(Path(folder)) if folder is not None else []
    taken = sorted({name.split("/")[0] for name, *_ in listed} & set(add or {}))
    if taken:
        raise FolderNotPackable(f"'{folder}' has a '{taken[0]}' already. Rename or remove it.")
    whole = sum(size for _, _, size, _ in listed)
    done = 0
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, path, size, executable in listed:
            info = _describe_entry(name, executable)
            if name.endswith("/"):
                archive.writestr(info, b"")
                continue
            info.file_size = size
            with open(path, "rb") as source, archive.open(info, "w") as entry:
                while piece := source.read(_PIECE):
                    entry.write(piece)
                    done += len(piece)
                    if on_progress:
                        on_progress(done, max(whole, done))
        for name, content in (add or {}).items():
            archive.writestr(_describe_entry(name, False), content)
    return sum(not name.endswith("/") for name, *_ in listed) + len(add or {})


def _describe_entry(name: str, executable: bool) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.compress_type = zipfile.ZIP_STORED if name.endswith("/") else zipfile.ZIP_DEFLATED
    info.create_system = 3
    mode = stat.S_IFDIR | 0o755 if name.endswith("/") else stat.S_IFREG | 0o644
    info.external_attr = (mode | (0o111 if executable else 0)) << 16
    if name.endswith("/"):
        info.external_attr |= 0x10
    return info


_Entry = tuple[str, Path, int, bool]


def _list_folder(folder: Path) -> list[_Entry]:
    """Lists all files, sorted by name. Names everything that a zip cannot hold at once."""
    entries: list[_Entry] = []
    problems: list[str] = []

    def list_below(directory: Path, prefix: str) -> None:
        with os.scandir(directory) as found:
            children = list(found)
        if not children and prefix:
            entries.append((prefix, directory, 0, False))
        for child in children:
            name = f"{prefix}{child.name}"
            problem = _judge(child)
            if problem:
                problems.append(f"'{_show(name)}' {problem}")
            elif child.is_dir(follow_symlinks=False):
                list_below(Path(child.path), f"{name}/")
            else:
                state = child.stat(follow_symlinks=False)
                entries.append((name, Path(child.path), state.st_size, bool(state.st_mode & 0o100)))

    list_below(folder, "")
    if len(entries) > _MOST_ENTRIES:
        problems.append(
            f"It has {len(entries)} files; a zip may have {_MOST_ENTRIES}. "
            "Pack some of them together."
        )
    if problems:
        more = len(problems) - _MOST_NAMED
        lines = [*problems[:_MOST_NAMED], *([f"And {more} more."] if more > 0 else [])]
        raise FolderNotPackable("\n".join([f"{folder} cannot be packed.", *lines]))
    return sorted(entries, key=lambda entry: entry[0])


def _judge(child: os.DirEntry[str]) -> str | None:
    try:
        child.name.encode("utf-8")
    except UnicodeEncodeError:
        return "has a name that is not UTF-8. Rename it."
    if "\\" in child.name or any(unicodedata.category(each) == "Cc" for each in child.name):
        return "has a backslash or a control character in its name. Rename it."
    if child.is_symlink():
        return "is a link. Replace it with a copy of its target, or remove it."
    if child.is_file(follow_symlinks=False) or child.is_dir(follow_symlinks=False):
        return None
    return "is not a file or folder. Remove it."


def _show(name: str) -> str:
    """Keeps a file name from steering a terminal."""
    return "".join("?" if unicodedata.category(each)[0] == "C" else each for each in name)


def write_table(rows: Iterable[Mapping[str, Any]]) -> bytes:
    """Writes rows as the CSV table of a batch. All rows must have the same names."""
    listed = [dict(row) for row in rows]
    if not listed:
        raise ValueError("There are no rows.")
    names = list(listed[0])
    if not names:
        raise ValueError("The first row has no values.")
    for name in names:
        if not re.fullmatch(r"\w+", str(name), re.ASCII):
            raise ValueError(f"'{name}' cannot be a column. Use letters, digits and underscores.")
    text = io.StringIO(newline="")
    table = csv.writer(text, lineterminator="\n")
    table.writerow(names)
    for number, row in enumerate(listed):
        if set(row) != set(names):
            raise ValueError(f"Row {number} has other names than the first row.")
        table.writerow(["" if row[name] is None else row[name] for name in names])
    return text.getvalue().encode("utf-8")


#: Control characters and direction marks, which nobody can type or see.
_UNFIT = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
#: Names and characters that Windows does not accept for files.
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)
_UNFIT_ON_WINDOWS = re.compile(r'[<>:"|?*]|[. ]$')


def clean_path(name: str, *, windows: bool = sys.platform == "win32") -> str:
    """
    Turns the name of a job's file into a path below a folder. Unfit characters become ``_``.

    Raises ``ValueError`` with the reason for a name that is empty or leads out of the folder,
    because any other path would be a guess.
    """
    parts = re.split(r"[/\\]", name)
    if ".." in parts or re.match(r"[/\\]|[a-z]:", name, re.IGNORECASE):
        raise ValueError("The name leads out of the folder.")
    if parts[-1] in ("", "."):
        raise ValueError("The name is empty.")
    return "/".join(_clean_part(part, windows) for part in parts if part not in ("", "."))


def _clean_part(part: str, windows: bool) -> str:
    clean = _UNFIT.sub("_", part)
    if not windows:
        return clean
    taken = _UNFIT_ON_WINDOWS.sub("_", clean)
    return f"_{taken}" if _RESERVED.fullmatch(taken) else taken


def explain_name(error: OSError) -> str | None:
    """Explains an error that concerns one name. All other errors concern every file."""
    if isinstance(error, (NotADirectoryError, FileExistsError)):
        return "A folder in its path is already a file."
    if isinstance(error, IsADirectoryError):
        return "A folder has this name already."
    import errno

    reasons = {
        errno.ENAMETOOLONG: "The name is too long.",
        errno.ENOTEMPTY: "A folder has this name already.",
        errno.EINVAL: "The disk does not accept this name.",
        errno.EILSEQ: "The disk does not accept this name.",
    }
    return reasons.get(error.errno or 0)


@contextlib.contextmanager
def write_aside(path: Path) -> Iterator[Path]:
    """Yields a path to write to. The file gets its name once it is complete."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name[:200]}.{os.getpid()}.part")
    try:
        yield part
        os.replace(part, path)
    finally:
        with contextlib.suppress(OSError):
            if part.is_dir():
                shutil.rmtree(part)
            else:
                part.unlink(missing_ok=True)
