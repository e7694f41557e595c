"""
Runs one call of ``slipway.futures``, as a job.

This file is packed into the input of the job. It must run without the package, on any Python 3.6 or
later.
"""

import base64
import importlib
import json
import os
import pickle
import sys
import traceback
from typing import Any

CALLS = "slipway-calls.txt"
RESULT = "slipway-result.txt"


def main() -> int:
    index, how = int(sys.argv[1]), sys.argv[2]
    with open(CALLS, "rb") as calls:
        line = next(line for number, line in enumerate(calls) if number == index)
    # Modules are those of the folder, which is the job's own.
    sys.path.insert(0, os.getcwd())
    try:
        name, args, kwargs = decode(line, how)
        module, _, path = name.partition(":")
        function: Any = importlib.import_module(module)
        for part in path.split("."):
            function = getattr(function, part)
        line = encode({"result": function(*args, **kwargs)}, how)
        failed = 0
    except Exception as error:
        traceback.print_exc()
        line = describe(error, how)
        failed = 1
    # A result is complete or not there.
    with open(RESULT + ".part", "wb") as file:
        file.write(line)
    os.replace(RESULT + ".part", RESULT)
    return failed


def describe(error: Exception, how: str) -> bytes:
    """Writes an error as text, and with pickle the exception itself where that is possible."""
    told = {
        "type": type(error).__name__,
        "message": str(error),
        "traceback": "".join(traceback.format_exception(type(error), error, error.__traceback__)),
    }
    if how == "pickle":
        try:
            return encode({"error": told, "exception": error}, how)
        except Exception:
            pass
    return encode({"error": told}, how)


def encode(value: Any, how: str) -> bytes:
    """Writes a value as one line."""
    if how == "pickle":
        return base64.b64encode(pickle.dumps(value, protocol=4))
    return json.dumps(value).encode()


def decode(line: bytes, how: str) -> Any:
    """Reads a line. With pickle, this runs whatever code the line says."""
    return pickle.loads(base64.b64decode(line)) if how == "pickle" else json.loads(line.decode())


if __name__ == "__main__":
    sys.exit(main())
