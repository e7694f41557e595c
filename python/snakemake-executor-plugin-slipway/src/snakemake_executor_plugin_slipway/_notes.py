"""Remembers what was submitted, so that a workflow finds its jobs again after a crash."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import secrets
import uuid
from dataclasses import asdict, dataclass, replace
from pathlib import Path


@dataclass(frozen=True)
class Note:
    """One submission. It is on the disk before the service hears of it."""

    #: The same key never makes two jobs, also if the answer was lost.
    idempotency_key: str
    #: Tells apart submissions of the same rule whose files or options have changed.
    fingerprint: str
    job_id: str | None = None
    #: When the service got it, by its own clock.
    submitted: str | None = None


class Notes:
    """A file for each submission that has not ended, in Snakemake's own folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def read_tag(self, workflow: Path) -> str:
        """Returns the text that all titles of this workflow begin with, the same in every run."""
        file = self._folder / "tag"
        if not file.exists():
            name = re.sub(r"[^\w.-]+", "-", workflow.name)[:40] or "workflow"
            _write(file, f"{name}-{secrets.token_hex(3)}")
        return file.read_text("utf-8")

    def read(self, name: str) -> Note | None:
        """Returns the note of a submission. A damaged one counts as none."""
        try:
            return Note(**json.loads(self._path(name).read_text("utf-8")))
        except (FileNotFoundError, ValueError, TypeError):
            return None

    def begin(self, name: str, fingerprint: str) -> Note:
        """Notes a submission that is about to be sent."""
        note = Note(idempotency_key=str(uuid.uuid4()), fingerprint=fingerprint)
        self._save(name, note)
        return note

    def complete(self, name: str, note: Note, job_id: str, submitted: str) -> None:
        """Notes which job it has become."""
        self._save(name, replace(note, job_id=job_id, submitted=submitted))

    def drop(self, name: str) -> None:
        """Forgets a submission once Snakemake knows how it ended."""
        with contextlib.suppress(FileNotFoundError):
            self._path(name).unlink()

    def _save(self, name: str, note: Note) -> None:
        _write(self._path(name), json.dumps(asdict(note)))

    def _path(self, name: str) -> Path:
        return self._folder / f"{hashlib.sha256(name.encode()).hexdigest()[:32]}.json"


def _write(path: Path, text: str) -> None:
    """Writes aside and renames, so that no crash leaves half a note."""
    part = path.with_suffix(".part")
    with part.open("w", encoding="utf-8") as out:
        out.write(text)
        out.flush()
        os.fsync(out.fileno())
    part.replace(path)
