"""Sends many rows in one request, and reads tables as CSV."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from .._paths import read_next, write_path
from .paged import AsyncPaged, Page
from .transport import AsyncTransport, Sending, require_list

Done = TypeVar("Done")


async def send_rows_async(
    transport: AsyncTransport,
    path: str,
    rows: Iterable[Mapping[str, Any]] | None,
    csv: str | None,
    query: Mapping[str, object],
    key: str | None,
    read: Callable[[object], Done],
) -> list[Done]:
    """
    Sends rows and returns the outcome of each.

    If the time of a request was too short for all of them, sends it again under its key, for as
    long as it makes progress.
    """
    if (rows is None) == (csv is None):
        raise ValueError("Give either rows or csv.")
    body = csv if rows is None else "\n".join(json.dumps(dict(row)) for row in rows)
    headers = {
        "Content-Type": "text/csv" if rows is None else "application/x-ndjson",
        "Idempotency-Key": key or str(uuid.uuid4()),
    }
    done: list[Any] = []
    while True:
        answer = await transport.send(
            Sending(
                method="POST",
                path=write_path(path, query),
                headers=headers,
                body=(body or "").encode(),
                repeatable=True,
            )
        )
        left = _count_left(done)
        answered = require_list(answer.parse())
        # The first outcome is kept, because a row that was done is unchanged the second time.
        done = [
            now if index >= len(done) or _is_left(done[index]) else done[index]
            for index, now in enumerate(answered)
        ]
        if _count_left(done) in (0, left):
            return [read(each) for each in done]


def _is_left(row: Any) -> bool:
    return isinstance(row, dict) and row.get("outcome") == "not-done"


def _count_left(rows: list[Any]) -> int:
    return sum(_is_left(row) for row in rows)


async def read_csv_async(transport: AsyncTransport, path: str, query: Mapping[str, object]) -> str:
    """Reads a table with all of its pages, as one CSV text."""

    async def read_page(page: str) -> Page[str]:
        sending = Sending(method="GET", path=page, headers={"Accept": "text/csv"})
        answer = await transport.send(sending)
        return Page([answer.text], read_next(answer.headers.get("link")))

    table = ""
    pages = AsyncPaged(write_path(path, query), read_page, transport.settings.max_pages)
    async for text in pages:
        table += text if not table else text.partition("\n")[2]
    return table
