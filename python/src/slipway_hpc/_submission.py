"""Writes submissions as the service takes them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any, TypedDict
from urllib.parse import quote

from ._durations import Runtime, read_runtime

#: Larger inputs do not fit into a request and go to the storage first.
MOST_IN_BODY = 4_500_000


class _Runtime(TypedDict):
    runtime: Runtime


class JobOptions(_Runtime, total=False):
    """The arguments that ``submit`` and ``estimate`` share, for ``**options``."""

    command: str | None
    tool: str | None
    nodes: int
    cores: int
    tasks: int | None
    memory: str | None
    gpus: int | None
    gpu_kind: str | None
    class_: str | None
    image: str | None
    title: str | None
    project: str | None
    after: object
    after_any: object
    input_from: object
    input_folder: str | None
    inputs: Mapping[str, str] | Iterable[Mapping[str, str]] | None
    outputs: Mapping[str, str] | Iterable[Mapping[str, str]] | None
    input_failed: str | None
    fields: Mapping[str, Any] | None


def write_payload(
    *,
    command: str | None,
    tool: str | None,
    runtime: Runtime,
    nodes: int,
    cores: int,
    tasks: int | None,
    memory: str | None,
    gpus: int | None,
    gpu_kind: str | None,
    class_: str | None,
    image: str | None,
    title: str | None,
    after: object,
    after_any: object,
    input_from: object,
    input_folder: str | None,
    input_failed: str | None = None,
    inputs: Mapping[str, str] | Iterable[Mapping[str, str]] | None = None,
    outputs: Mapping[str, str] | Iterable[Mapping[str, str]] | None = None,
    fields: Mapping[str, Any] | None,
    count: int | None = None,
    table: str | None = None,
    max_running: int | None = None,
) -> dict[str, Any]:
    """Returns the fields of a submission in the names of the interface."""
    payload = {
        "command": command,
        "tool": tool,
        "node_number": nodes,
        "core_number": cores,
        "task_number": tasks,
        "memory": memory,
        "gpu_number": gpus,
        "gpu_kind": gpu_kind,
        "class": class_,
        "image": image,
        "runtime": read_runtime(runtime),
        "title": title,
        "count": count,
        "table": table,
        "max_running": max_running,
        "after": _list_ids(after),
        "after_any": _list_ids(after_any),
        "input_from": next(iter(_list_ids(input_from) or []), None),
        "input_folder": input_folder,
        "input_failed": input_failed,
        "inputs": _list_inputs(inputs),
        "outputs": _list_outputs(outputs),
        **(fields or {}),
    }
    return {name: value for name, value in payload.items() if value is not None}


def refuse_unmatched(columns: Iterable[str], texts: Iterable[Any]) -> None:
    """
    Raises ``ValueError`` if a text has a name in braces that no column has.

    A mistyped ``{sed}`` for ``{seed}`` would be run, and charged, once for each row. ``${sed}`` is
    the shell's own.
    """
    found = [name for text in texts for name in re.findall(r"(?<!\$)\{([A-Za-z_]\w*)\}", str(text))]
    unknown = [f"{{{name}}}" for name in dict.fromkeys(found) if name not in {"index", *columns}]
    if unknown:
        raise ValueError(
            f"No row has the name {', '.join(unknown)}. Correct it, or set allow_unmatched=True "
            "if it should stay as it is."
        )


def write_headers(payload: Mapping[str, Any], filename: str) -> dict[str, str]:
    """Returns the headers of a submission. ``json`` escapes all but ASCII, as headers need it."""
    return {
        "Content-Disposition": f"attachment; filename*=UTF-8''{quote(filename, safe='')}",
        "Payload": json.dumps(payload),
    }


def _list_inputs(
    given: Mapping[str, str] | Iterable[Mapping[str, str]] | None,
) -> list[dict[str, str]] | None:
    """Takes addresses by path, or what the interface takes."""
    if not given:
        return None
    if isinstance(given, Mapping):
        return [{"from": address, "to": path} for path, address in given.items()]
    return [dict(each) for each in given]


def _list_outputs(
    given: Mapping[str, str] | Iterable[Mapping[str, str]] | None,
) -> list[dict[str, str]] | None:
    """Takes addresses by the files that are sent there, or what the interface takes."""
    if not given:
        return None
    if isinstance(given, Mapping):
        return [{"files": files, "to": address} for files, address in given.items()]
    return [dict(each) for each in given]


def _list_ids(given: object) -> list[str] | None:
    """Takes ids, jobs or batches, one or several."""
    if given is None:
        return None
    if isinstance(given, str) or hasattr(given, "job_id") or hasattr(given, "batch_id"):
        return [_id_of(given)]
    if isinstance(given, Iterable):
        return [_id_of(each) for each in given]
    raise TypeError(f"{given!r} is not a job.")


def _id_of(given: object) -> str:
    if isinstance(given, str):
        return given
    found = getattr(given, "job_id", None) or getattr(given, "batch_id", None)
    if isinstance(found, str):
        return found
    raise TypeError(f"{given!r} is not a job.")
