"""
The exceptions.

SlipwayError
├── SlipwayProblem        the service refused a request; one class per type in slipway_hpc.problems
├── ServiceUnreachable    no usable answer came, despite retries
├── NotSignedIn           no service or no token was found
├── WaitTimeout           a job or batch has not ended within the time given to wait()
├── JobFailed             a call or a cell did not end well as a job
├── FolderNotPackable     a folder has something that a zip cannot hold
├── FileTooLarge          a file of a job is too large to be read into memory
└── FilesSkipped          some files of a job could not be saved under their names
"""

from __future__ import annotations

from pathlib import Path
from typing import Any


class SlipwayError(Exception):
    """The base of all exceptions of this package."""

    def __reduce__(self) -> tuple[Any, ...]:
        # Without this, pickles call __init__ with the text alone, and a process pool breaks.
        return _restore, (type(self), self.args), self.__dict__


def _restore(kind: type[SlipwayError], args: tuple[Any, ...]) -> SlipwayError:
    """Makes a pickled exception again, as it was after its ``__init__``."""
    error = kind.__new__(kind)
    error.args = args
    return error


class ServiceUnreachable(SlipwayError):
    """
    No usable answer came, despite retries. The reason is in ``__cause__``.

    A request that changes something may have taken effect.
    """


class NotSignedIn(SlipwayError):
    """No service or no token was found. The message says how to sign in."""


class WaitTimeout(SlipwayError, TimeoutError):
    """The time given to ``wait()`` is over. The job or batch goes on."""


class FileTooLarge(SlipwayError):
    """A file is too large to be read into memory. Use ``download`` instead."""


class FolderNotPackable(SlipwayError):
    """A folder cannot be packed as it is. The message says why, and what to do."""


class FilesSkipped(SlipwayError):
    """Some files were skipped, because the disk cannot hold their names. All others were saved."""

    def __init__(self, saved: list[Path], skipped: dict[str, str]) -> None:
        names = " ".join(f"{name!r}: {reason}" for name, reason in skipped.items())
        super().__init__(f"Some files could not be saved under their names. {names}")
        #: The paths of the files that were saved.
        self.saved = saved
        #: The names of the files that were not, each with the reason.
        self.skipped = skipped
