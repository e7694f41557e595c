"""Checks what webhooks send."""

from __future__ import annotations

import base64
import hashlib
import hmac
import time
from collections.abc import Mapping

_TOLERANCE_SECONDS = 300

# Secrets of Standard Webhooks have at least this many bytes. Anybody could sign with an empty one.
_LEAST_SECRET_BYTES = 24


def verify_webhook(
    secret: str, headers: Mapping[str, str], body: bytes | str, *, now: float | None = None
) -> bool:
    """
    Checks that a push is from the service and fresh (Standard Webhooks).

    Raises ``ValueError`` for a secret that cannot be one, because no push would ever be valid.

    Args:
        secret: The secret of the webhook (``whsec_...``).
        headers: The headers of the push, in any case.
        body: The body byte by byte as it came, not parsed and written again.
        now: The time in seconds (default: the clock).
    """
    key = _read_secret(secret)
    named = {name.lower(): value for name, value in headers.items()}
    sent_id, timestamp = named.get("webhook-id"), named.get("webhook-timestamp")
    if sent_id is None or timestamp is None or not (timestamp.isascii() and timestamp.isdigit()):
        return False
    if abs((time.time() if now is None else now) - int(timestamp[:12])) > _TOLERANCE_SECONDS:
        return False
    content = body.encode() if isinstance(body, str) else bytes(body)
    # Headers of a forged push may hold what is not text.
    signed = f"{sent_id}.{timestamp}.".encode(errors="surrogatepass") + content
    wanted = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    return any(
        hmac.compare_digest(b"v1," + wanted, each.encode(errors="surrogatepass"))
        for each in named.get("webhook-signature", "").split(" ")
    )


def _read_secret(secret: str) -> bytes:
    try:
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except ValueError:
        key = b""
    if len(key) < _LEAST_SECRET_BYTES:
        raise ValueError(
            "This is not the secret of a webhook. It begins with 'whsec_', and the service shows "
            "it once, when the webhook is created."
        )
    return key
