"""Whether an answer goes on where an earlier one was cut off."""

from __future__ import annotations

import httpx


def read_version(response: httpx.Response) -> str | None:
    """Returns the version of a file. One without a strong version is read from its beginning."""
    version: str | None = response.headers.get("etag")
    return version if version is not None and version.startswith('"') else None


def is_rest(response: httpx.Response, start: int, version: str | None) -> bool:
    """Tells whether an answer is usable: the rest of the same file, or the whole."""
    if response.status_code != 206:
        return True
    place = response.headers.get("content-range", "")
    return place.startswith(f"bytes {start}-") and read_version(response) == version
