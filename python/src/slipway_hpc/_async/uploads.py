"""Sends large inputs to the storage."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import httpx

from .. import models
from .._errors import ServiceUnreachable
from .._files import Progress
from .._profile import is_safe_address
from .._retry import choose_pause
from .transport import AsyncTransport, Sending

_PIECE = 65_536
_MOST_ANSWER_BYTES = 1_000_000
#: A larger file is sent in parts, so that it need not begin again when the line breaks.
_MOST_IN_ONE_PIECE = 200_000_000
#: The file is there already, because the answer to an earlier try was lost.
_ALREADY_THERE = 412
#: Another try is still going on, or there are too many.
_PASSING = {409, 429}


@dataclass(frozen=True)
class _Piece:
    """A file, or a part of it, and where it is sent."""

    path: Path
    first: int
    length: int
    address: str
    headers: Mapping[str, str]


async def upload_file_async(
    transport: AsyncTransport, path: Path, name: str, on_progress: Progress
) -> str:
    """Sends a file to the storage and returns the id of the upload."""
    whole = path.stat().st_size
    in_parts = whole > _MOST_IN_ONE_PIECE
    wish = {"filename": name, "length": whole, **({"parts": True} if in_parts else {})}
    answer = await transport.send(_post("/uploads/", wish))
    upload = models.Upload.from_json(answer.parse())
    if in_parts:
        await _send_parts_async(transport, upload.upload_id, path, on_progress)
    else:
        piece = _Piece(path, 0, whole, upload.address, upload.headers)
        await _send_piece_async(transport, piece, on_progress)
    return upload.upload_id


def _post(path: str, body: object = None) -> Sending:
    # Unused uploads are removed, so a retry does no harm.
    if body is None:
        return Sending(method="POST", path=path, repeatable=True)
    headers = {"Content-Type": "application/json"}
    content = json.dumps(body).encode()
    return Sending(method="POST", path=path, headers=headers, body=content, repeatable=True)


async def _send_parts_async(
    transport: AsyncTransport, upload_id: str, path: Path, on_progress: Progress
) -> None:
    """Sends what is missing, until nothing is."""
    reached = 0
    while True:
        answer = await transport.send(_post(f"/uploads/{upload_id}/"))
        state = models.UploadProgress.from_json(answer.parse())
        if state.complete:
            return
        if not state.parts or state.parts[0].number <= reached:
            raise ServiceUnreachable("The storage lost a part of the file.")
        for part in state.parts:
            piece = _Piece(path, part.first, part.length, part.address, part.headers)
            try:
                await _send_piece_async(transport, piece, on_progress)
            except ServiceUnreachable:
                # Addresses expire. If this one was new, the storage means it.
                if part is state.parts[0]:
                    raise
                break
            reached = part.number


async def _send_piece_async(
    transport: AsyncTransport, piece: _Piece, on_progress: Progress
) -> None:
    """Sends a piece to the storage. Retries start from its beginning."""
    if not is_safe_address(piece.address):
        raise ServiceUnreachable("The storage is at an address that is not encrypted.")
    count = 0
    while True:
        failure: ServiceUnreachable
        try:
            status = await _put_once_async(transport, piece, on_progress)
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
        await transport.pause(seconds)
        count += 1


async def _put_once_async(transport: AsyncTransport, piece: _Piece, on_progress: Progress) -> int:
    whole = piece.path.stat().st_size

    async def read_pieces() -> AsyncIterator[bytes]:
        left = piece.length
        with open(piece.path, "rb") as file:
            file.seek(piece.first)
            while content := file.read(min(_PIECE, left)):
                yield content
                left -= len(content)
                on_progress(piece.first + piece.length - left, whole)

    headers = {**piece.headers, "Content-Length": str(piece.length)}
    # A client of its own: the storage must not see the token.
    async with httpx.AsyncClient(
        timeout=transport.settings.timeout, follow_redirects=False
    ) as client:
        transport.requests += 1
        async with client.stream(
            "PUT", piece.address, headers=headers, content=read_pieces()
        ) as response:
            received = 0
            async for content in response.aiter_bytes():
                received += len(content)
                if received > _MOST_ANSWER_BYTES:
                    break
            return response.status_code
