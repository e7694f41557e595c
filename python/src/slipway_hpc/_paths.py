"""Fills in paths such as ``/jobs/[{hpc}/[{project_name}/]]``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import quote, urlencode, urlsplit


def write_path(path: str, given: Mapping[str, object]) -> str:
    """Fills in a path. Names that it does not have become query parameters."""
    left = {name: _write(value) for name, value in given.items() if value is not None}
    wanted = _choose_form(path, left)

    def fill(match: re.Match[str]) -> str:
        name = match[1]
        if name not in left:
            raise TypeError(f"'{name}' is missing.")
        return quote(left.pop(name), safe="")

    filled = re.sub(r"\{(\w+)\}", fill, wanted)
    return f"{filled}?{urlencode(left)}" if left else filled


def _write(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _choose_form(path: str, given: Mapping[str, str]) -> str:
    """Keeps a bracket if its first name is given. Then its other names are required too."""
    first, *others = path.replace("]", "").split("[")
    kept = 0
    for number, part in enumerate(others, start=1):
        name = re.search(r"\{(\w+)\}", part)
        if name and name[1] in given:
            kept = number
    return "".join([first, *others[:kept]])


def read_next(link: str | None) -> str | None:
    """
    Reads the path of the next page from a Link header (RFC 8288).

    Ignores its host, which may be an internal name.
    """
    found = re.search(r'<([^>]+)>\s*;\s*rel="next"', link or "")
    if not found:
        return None
    parts = urlsplit(found[1])
    return f"{parts.path}?{parts.query}" if parts.query else parts.path
