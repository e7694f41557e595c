"""Old names of arguments, and of options of ``%%slipway``."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

#: Old names with those in their place. They work until this version.
OLD_NAMES = {"hours": "runtime", "job_class": "class_"}
LAST_VERSION = "0.5.0"

Options = ParamSpec("Options")
Result = TypeVar("Result")


def accept_old_names(function: Callable[Options, Result]) -> Callable[Options, Result]:
    """Gives arguments with old names their present ones, and warns of them."""

    @functools.wraps(function)
    def call(*args: Options.args, **kwargs: Options.kwargs) -> Result:
        rename_old(kwargs)
        return function(*args, **kwargs)

    return call


def rename_old(arguments: dict[str, Any]) -> None:
    """Renames what has an old name. Both at once are refused, because they could differ."""
    for old, name in OLD_NAMES.items():
        if old not in arguments:
            continue
        if name in arguments:
            raise TypeError(f"Give {name} alone. {old} is its old name.")
        warn_of_old(old, name, stacklevel=4)
        arguments[name] = arguments.pop(old)


def warn_of_old(old: str, name: str, stacklevel: int = 3) -> None:
    """Warns where the old name was written."""
    warnings.warn(
        f"{old} is now {name}. The old name works until version {LAST_VERSION}.",
        DeprecationWarning,
        stacklevel=stacklevel,
    )
