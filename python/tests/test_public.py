"""The public names."""

from __future__ import annotations

import base64
import hmac
import runpy

from conftest import ROOT

import slipway


def test_all_names_are_there_and_sorted() -> None:
    assert sorted(slipway.__all__) == slipway.__all__
    assert all(hasattr(slipway, name) for name in slipway.__all__)


def test_problems_are_found_by_name() -> None:
    assert slipway.problems.by_name["quota-exceeded"] is slipway.problems.QuotaExceeded
    assert issubclass(slipway.problems.QuotaExceeded, slipway.SlipwayProblem)


SECRET = "whsec_" + base64.b64encode(b"an example of 24 bytes..").decode()


def sign(timestamp: str, body: bytes, secret: str = SECRET) -> dict[str, str]:
    """Signs a push as Standard Webhooks says."""
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signature = hmac.new(key, b"A-ended." + timestamp.encode() + b"." + body, "sha256").digest()
    return {
        "Webhook-Id": "A-ended",
        "webhook-timestamp": timestamp,
        "webhook-signature": f"v1,bm8= v1,{base64.b64encode(signature).decode()}",
    }


def test_a_push_of_the_service_is_verified() -> None:
    body = '{"title":"神经元"}'.encode()
    headers = sign("1000", body)
    assert slipway.verify_webhook(SECRET, headers, body, now=1300)
    assert slipway.verify_webhook(SECRET, headers, body.decode(), now=700)
    assert not slipway.verify_webhook(SECRET, headers, body, now=1301)
    assert not slipway.verify_webhook(SECRET, headers, body + b" ", now=1000)
    assert not slipway.verify_webhook("whsec_bm8=", headers, body, now=1000)
    assert not slipway.verify_webhook("whsec_?", headers, body, now=1000)
    for name in headers:
        without = {each: value for each, value in headers.items() if each != name}
        assert not slipway.verify_webhook(SECRET, without, body, now=1000)
    for wrong in ["", "soon", "1e3", "１０００", "9" * 99]:
        assert not slipway.verify_webhook(
            SECRET, {**headers, "webhook-timestamp": wrong}, body, now=1000
        )


def test_the_reference_is_up_to_date() -> None:
    """If not: npm run python:reference."""
    written = runpy.run_path(str(ROOT / "tools/python/write-reference.py"))["write_reference"]()
    assert (ROOT / "docs/python-reference.md").read_text("utf-8") == written
