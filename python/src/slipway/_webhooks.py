"""Checks what webhooks send."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import time
from collections.abc import Mapping

_TOLERANCE_SECONDS = 300


def verify_webhook(
    secret: str, headers: Mapping[str, str], body: bytes | str, *, now: float | None = None
) -> bool:
    """
    Checks that a push is from the service and fresh (Standard Webhooks).

    Args:
        secret: The secret of the webhook (``whsec_...``).
        headers: The headers of the push, in any case.
        body: The body byte by byte as it came, not parsed and written again.
        now: The time in seconds (default: the clock).
    """
    named = {name.lower(): value for name, value in headers.items()}
    sent_id, timestamp = named.get("webhook-id"), named.get("webhook-timestamp")
    if sent_id is None or timestamp is None or not (timestamp.isascii() and timestamp.isdigit()):
        return False
    if abs((time.time() if now is None else now) - int(timestamp[:12])) > _TOLERANCE_SECONDS:
        return False
    try:
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except (binascii.Error, ValueError):
        return False
    content = body.encode() if isinstance(body, str) else bytes(body)
    signed = f"{sent_id}.{timestamp}.".encode() + content
    wanted = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    return any(
        hmac.compare_digest(b"v1," + wanted, each.encode())
        for each in named.get("webhook-signature", "").split(" ")
    )
