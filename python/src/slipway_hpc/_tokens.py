"""The kinds of tokens that callers pass."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from typing import TypeAlias

#: A token, or a function that returns one. The function is called before every request, and with
#: the refused token (if it takes an argument) after the service has refused one.
Token: TypeAlias = str | Callable[[], str] | Callable[[str | None], str]

#: The same for ``AsyncSlipway``, where the function may also be asynchronous.
AsyncToken: TypeAlias = (
    Token | Callable[[], Awaitable[str]] | Callable[[str | None], Awaitable[str]]
)


def ask_token(token: Token, refused: str | None) -> str:
    """Returns the token, or calls the function for it."""
    return token if isinstance(token, str) else str(_call(token, refused))


async def ask_token_async(token: AsyncToken, refused: str | None) -> str:
    """Returns the token, or calls the function for it."""
    if isinstance(token, str):
        return token
    found = _call(token, refused)
    return str(await found if inspect.isawaitable(found) else found)


def _call(source: Callable[..., object], refused: str | None) -> object:
    try:
        takes_any = bool(inspect.signature(source).parameters)
    except (TypeError, ValueError):
        takes_any = False
    return source(refused) if takes_any else source()
