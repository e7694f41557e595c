"""Calls as they travel to their jobs."""

from __future__ import annotations

import base64
import contextlib
import functools
import io
import json
import os
import pickle
import sys
import sysconfig
import threading
import uuid
import zipfile
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from . import _call

#: The name of the program in the job's folder.
RUNNER = "slipway-call.py"


#: Why a value needs pickles.
NOT_JSON = 'does not travel as JSON, the default. Use Executor(..., serializer="pickle").'


@dataclass(frozen=True)
class Encoded:
    """A text of one line, and whether it has code by value."""

    text: str
    by_value: bool

    @classmethod
    def from_pickle(cls, pickled: bytes) -> Encoded:
        return cls(base64.b64encode(pickled).decode(), b"cloudpickle" in pickled)


@dataclass(frozen=True)
class Given:
    """The result of an awaited call: a file of the job that made it, or a value."""

    how: str
    file: str | None = None
    value: Encoded | None = None

    @classmethod
    def from_value(cls, value: object, how: str, folder: Path | None) -> Given:
        if how == "pickle":
            return cls(how, value=Encoded.from_pickle(dump(value, folder)))
        return cls(how, value=Encoded(json.dumps(value), False))

    def to_dict(self) -> dict[str, str]:
        if self.value is None:
            return {"file": self.file or "", "how": self.how}
        return {"value": self.value.text, "how": self.how}


class Function:
    """A function by its name, for the job to import, or by value."""

    def __init__(self, named: str | None, value: bytes = b"") -> None:
        self.named = named
        self.value = value


class Call:
    """A call that waits to be sent, with the futures that it awaits."""

    def __init__(
        self,
        function: Function,
        args: Any,
        kwargs: Any,
        how: str,
        folder: Path | None,
        future: Future[Any],
    ) -> None:
        self.function = function
        self.future = future
        #: What it awaits, each once.
        self.awaited: list[Future[Any]] = []
        self._mark = f"slipway-{uuid.uuid4()}"
        self._args = self._encode([args, kwargs], how, folder)

    def _encode(self, value: Any, how: str, folder: Path | None) -> Encoded:
        if how == "pickle":
            return Encoded.from_pickle(dump(value, folder, self._place_of))

        def write(found: object) -> Any:
            if (place := self._place_of(found)) is not None:
                return {self._mark: place}
            raise TypeError(f"{type(found).__name__} {NOT_JSON}")

        return Encoded(json.dumps(value, default=write), False)

    def _place_of(self, found: object) -> int | None:
        if not isinstance(found, Future):
            return None
        if found not in self.awaited:
            self.awaited.append(found)
        return self.awaited.index(found)

    def write(self, function: str | int, given: list[Given]) -> Encoded:
        """Writes the line of the call. The function is a name, or the number of one by value."""
        by_value = (
            b"cloudpickle" in self.function.value
            or self._args.by_value
            or any(each.value is not None and each.value.by_value for each in given)
        )
        line = {
            "function": function,
            # Code is for this version of Python only.
            "python": list(sys.version_info[:2]) if by_value else None,
            "args": self._args.text,
            "mark": self._mark,
            "given": [each.to_dict() for each in given],
        }
        return Encoded(json.dumps(line), by_value)

    def fail(self, error: BaseException) -> None:
        """Sets the exception of what the call awaits, if that has failed, or its own."""
        still_open = [future for future in self.awaited if not future.done()]
        if still_open:
            still_open[0].add_done_callback(lambda _: self.fail(error))
            return
        causes = [failure_of(future) for future in self.awaited]
        self.future.set_exception(next(filter(None, causes), error))


def failure_of(future: Future[Any]) -> BaseException | None:
    """Returns why a future has no result."""
    if future.cancelled():
        return CancelledError("A call that this one awaits was cancelled.")
    return future.exception()


def pack_calls(calls: Iterable[tuple[Call, list[Given]]]) -> dict[str, bytes]:
    """Returns the files that run calls in jobs. A function that many have is packed once."""
    functions: dict[bytes, int] = {}
    lines = []
    for call, given in calls:
        named, value = call.function.named, call.function.value
        number = functions.setdefault(value, len(functions)) if named is None else named
        lines.append(call.write(number, given))
    files = {
        RUNNER: Path(_call.__file__).read_bytes(),
        _call.CALLS: "".join(f"{line.text}\n" for line in lines).encode(),
    }
    if functions:
        files[_call.FUNCTIONS] = b"".join(base64.b64encode(each) + b"\n" for each in functions)
    if any(line.by_value for line in lines):
        files[_call.BY_VALUE] = _pack_package(require_cloudpickle())
    return files


def _pack_package(package: ModuleType) -> bytes:
    """Packs cloudpickle, which the system need not have."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(Path(str(package.__file__)).parent.glob("*.py")):
            archive.writestr(zipfile.ZipInfo(f"cloudpickle/{file.name}"), file.read_bytes())
    return packed.getvalue()


def require_cloudpickle() -> Any:
    try:
        import cloudpickle
    except ImportError:
        raise ImportError(
            "Functions that are not in a module of the folder travel with cloudpickle: "
            'pip install "slipway-hpc[functions]". Or move the function into a file there.'
        ) from None
    return cloudpickle


def dump(
    value: Any, folder: Path | None, place_of: Callable[[object], object] | None = None
) -> bytes:
    """Pickles a value, with functions and classes by value if cloudpickle is installed."""
    made: Any = pickle.Pickler
    own: contextlib.AbstractContextManager[None] = contextlib.nullcontext()
    with contextlib.suppress(ImportError):
        cloudpickle = require_cloudpickle()
        made, own = cloudpickle.Pickler, _own_modules_by_value(cloudpickle, folder)

    class Pickler(made):  # type: ignore[misc]
        def persistent_id(self, found: object) -> object:
            return place_of(found) if place_of else None

    file = io.BytesIO()
    # The oldest Python that a system may have reads no later protocol.
    with own:
        Pickler(file, protocol=4).dump(value)
    return file.getvalue()


def find_function(fn: Callable[..., Any] | str, folder: Path | None) -> Function:
    """Names a function that the job can import from the folder, and packs all others by value."""
    if isinstance(fn, str):
        return Function(_check_name(fn, folder))
    module, path = getattr(fn, "__module__", None), getattr(fn, "__qualname__", None)
    names = [*(path or "").split("."), *(module or "").split(".")]
    if all(name.isidentifier() for name in names) and _has_module(folder, str(module)):
        return Function(f"{module}:{path}")
    return Function(None, _pack_by_value(fn, folder))


def _check_name(name: str, folder: Path | None) -> str:
    module, colon, path = name.partition(":")
    if not colon or not all(part.isidentifier() for part in [*module.split("."), *path.split(".")]):
        raise ValueError(f"'{name}' is not the name of a function. Write it as 'module:function'.")
    if not _has_module(folder, module):
        raise ValueError(
            f"The folder '{folder}' has no module '{module}'. Move the function into a file there."
        )
    return name


def _has_module(folder: Path | None, module: str) -> bool:
    if folder is None or module == "__main__":
        return False
    below = folder.joinpath(*module.split("."))
    return below.with_suffix(".py").is_file() or below.is_dir()


def _pack_by_value(fn: Callable[..., Any], folder: Path | None) -> bytes:
    """Pickles a function of a notebook, of a script or of a module that the job has not."""
    require_cloudpickle()
    return dump(fn, folder)


_registering = threading.Lock()


@contextlib.contextmanager
def _own_modules_by_value(cloudpickle: Any, folder: Path | None) -> Iterator[None]:
    """Has functions and classes travel by value whose modules the job has not."""
    with _registering:
        modules = [
            module
            for name, module in list(sys.modules.items())
            # Some are in the list under another name than their own.
            if getattr(module, "__name__", None) == name
            and _is_own(name, getattr(module, "__file__", None))
            and not _has_module(folder, name)
        ]
        for module in modules:
            cloudpickle.register_pickle_by_value(module)
        try:
            yield
        finally:
            for module in modules:
                cloudpickle.unregister_pickle_by_value(module)


@functools.cache
def _is_own(module: str, file: str | None) -> bool:
    """Whether a module belongs to the user: it is neither installed nor a part of this package."""
    if file is None or module.partition(".")[0] in ("__main__", __name__.partition(".")[0]):
        return False
    return not any(Path(file).is_relative_to(folder) for folder in _list_installed())


@functools.cache
def _list_installed() -> list[str]:
    names = ("stdlib", "platstdlib", "purelib", "platlib")
    folders = {sysconfig.get_path(name) for name in names}
    return [*folders, *map(os.path.realpath, folders)]
