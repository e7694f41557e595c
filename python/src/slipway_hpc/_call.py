"""
Runs one call of ``slipway_hpc.futures``, as a job.

This file is packed into the input of the job. It must run without the package, on any Python 3.6 or
later.
"""

import base64
import importlib
import io
import json
import os
import pickle
import shutil
import sys
import traceback
from typing import Any

CALLS = "slipway-calls.txt"
FUNCTIONS = "slipway-functions.txt"
#: The package that functions by value need. The system need not have it.
BY_VALUE = "slipway-cloudpickle.zip"
#: The results of awaited calls are in here.
BEFORE = "slipway-before"
RESULT = "slipway-result.txt"


class PythonDiffers(Exception):
    """Code that travels by value is for one version of Python only."""


def main() -> int:
    index, how = int(sys.argv[1]), sys.argv[2]
    # Modules are those of the folder, which is the job's own.
    sys.path.insert(0, os.getcwd())
    try:
        call = json.loads(read_line(CALLS, index).decode())
        if call["python"] is not None:
            check_versions(call["python"])
            # Before another version of the same package, which the system may have.
            sys.path.insert(0, BY_VALUE)
        given = [read_given(each) for each in call["given"]]
        args, kwargs = decode(call["args"].encode(), how, call["mark"], given)
        function = find_function(call["function"])
        # What the next call in a chain takes over has the result alone.
        shutil.rmtree(BEFORE, ignore_errors=True)
        line = encode({"result": function(*args, **kwargs)}, how)
        failed = 0
    except Exception as error:
        line = describe(error, how)
        failed = 1
    # A result is complete or not there.
    with open(RESULT + ".part", "wb") as file:
        file.write(line)
    os.replace(RESULT + ".part", RESULT)
    return failed


def read_line(name: str, index: int) -> bytes:
    with open(name, "rb") as lines:
        return next(line for number, line in enumerate(lines) if number == index)


def check_versions(sent_by: Any) -> None:
    """Refuses a call by value from another version, which would crash or do something else."""
    here = list(sys.version_info[:2])
    if sent_by == here:
        return
    sent, runs = (".".join(map(str, version)) for version in (sent_by, here))
    raise PythonDiffers(
        f"The call has code by value from Python {sent}, and the job runs Python {runs}. Both must "
        f"be the same. Name the command that starts Python {sent} on the system, such as "
        f'Executor(..., python="python{sent}"), or move the function into a module of the folder.'
    )


def find_function(function: Any) -> Any:
    """Imports a function by its name, or reads one that travels by value."""
    if isinstance(function, int):
        return pickle.loads(base64.b64decode(read_line(FUNCTIONS, function)))
    module, _, path = function.partition(":")
    found: Any = importlib.import_module(module) if module else sys.modules[__name__]
    for part in path.split("."):
        found = getattr(found, part)
    return found


def call_each(calls: Any) -> Any:
    """Makes several calls in one job."""
    return [function(*args, **kwargs) for function, args, kwargs in calls]


def read_given(source: Any) -> Any:
    """Reads the result of an awaited call, which travels along or is a file."""
    if "file" not in source:
        return decode(source["value"].encode(), source["how"])
    with open(source["file"], "rb") as file:
        return decode(file.read(), source["how"])["result"]


def describe(error: Exception, how: str) -> bytes:
    """Writes an error as text, and with pickle the exception itself where that is possible."""
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_filename == __file__:
        trace = trace.tb_next
    lines = traceback.format_exception(type(error), error, trace or error.__traceback__)
    told = {
        "type": type(error).__name__,
        "message": str(error),
        "traceback": "" if isinstance(error, PythonDiffers) else "".join(lines),
    }
    sys.stderr.write("".join(lines))
    outcome: Any = {"error": told}
    if how == "pickle" and not isinstance(error, PythonDiffers):
        try:
            whole = dump(error)
            if type(pickle.loads(whole)) is type(error):
                outcome["exception"] = whole
        except Exception:
            pass
    return encode(outcome, how)


def encode(value: Any, how: str) -> bytes:
    """Writes a value as one line."""
    if how == "pickle":
        return base64.b64encode(dump(value))
    try:
        return json.dumps(value).encode()
    except TypeError as error:
        raise TypeError(f'{error}. Use Executor(..., serializer="pickle").') from None


def dump(value: Any) -> bytes:
    """Pickles a value, with functions and classes by value if the call came with the package."""
    by_value: Any = importlib.import_module("cloudpickle") if BY_VALUE in sys.path else pickle
    found: bytes = by_value.dumps(value, protocol=4)
    return found


class Unpickler(pickle.Unpickler):
    """Reads a pickle, with results in the place of calls that were awaited."""

    def __init__(self, file: io.BytesIO, given: Any) -> None:
        super().__init__(file)
        self._given = given

    def persistent_load(self, place: Any) -> Any:
        return self._given[place]


def decode(line: bytes, how: str, mark: str = "", given: Any = ()) -> Any:
    """Reads a line. With pickle, this runs whatever code the line says."""
    if how == "pickle":
        return Unpickler(io.BytesIO(base64.b64decode(line)), given).load()

    def put(found: Any) -> Any:
        return given[found[mark]] if list(found) == [mark] else found

    return json.loads(line.decode(), object_hook=put if given else None)


if __name__ == "__main__":
    sys.exit(main())
