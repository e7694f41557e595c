# Made by `npm run describe` from _async/uploads.py. Do not edit.
"""Sends large inputs to the storage."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx

from .. import models
from .._errors import ServiceUnreachable
from .._files import Progress
from .._profile import is_safe_address
from .._retry import choose_pause
from .transport import Transport

_PIECE = 65_536
_MOST_ANSWER_BYTES = 1_000_000
#: The file is there already, because the answer to an earlier try was lost.
_ALREADY_THERE = 412
#: Another try is still going on, or there are too many.
_PASSING = {409, 429}


def send_file(
    transport: Transport, upload: models.Upload, path: Path, on_progress: Progress
) -> None:
    """Sends a file to the storage, which accepts it once. Retries start from the beginning."""
    if not is_safe_address(upload.address):
        raise ServiceUnreachable("The storage is at an address that is not encrypted.")
    count = 0
    while True:
        failure: ServiceUnreachable
        try:
            status = _put_once(transport, upload, path, on_progress)
            if status < 300 or status == _ALREADY_THERE:
                return
            failure = ServiceUnreachable(f"The storage answered {status}.")
            passing = status >= 500 or status in _PASSING
        except httpx.HTTPError as error:
            failure = ServiceUnreachable("The storage did not answer.")
            failure.__cause__ = error
            passing = True
        seconds = choose_pause(count, None)
        if count >= transport.settings.retries or not passing or seconds is None:
            raise failure
        transport.pause(seconds)
        count += 1


def _put_once(
    transport: Transport, upload: models.Upload, path: Path, on_progress: Progress
) -> int:
    whole = path.stat().st_size

    def read_pieces() -> Iterator[bytes]:
        sent = 0
        with open(path, "rb") as file:
            while piece := file.read(_PIECE):
                yield piece
                sent += len(piece)
                on_progress(sent, whole)

    headers = {**upload.headers, "Content-Length": str(whole)}
    # A client of its own: the storage must not see the token.
    with httpx.Client(
        timeout=transport.settings.timeout, follow_redirects=False
    ) as client:
        transport.requests += 1
        with client.stream(
            "PUT", upload.address, headers=headers, content=read_pieces()
        ) as response:
            received = 0
            for piece in response.iter_bytes():
                received += len(piece)
                if received > _MOST_ANSWER_BYTES:
                    break
            return response.status_code
