"""The public names."""

from __future__ import annotations

import ast
import base64
import graphlib
import hmac
import inspect
import runpy
import typing
from pathlib import Path

import pytest
from conftest import ROOT

import slipway_hpc


def test_all_names_are_there_and_sorted() -> None:
    assert sorted(slipway_hpc.__all__) == slipway_hpc.__all__
    assert all(hasattr(slipway_hpc, name) for name in slipway_hpc.__all__)


def test_options_are_the_arguments_of_submit_and_estimate() -> None:
    taken = [
        {name: str(each.annotation) for name, each in inspect.signature(method).parameters.items()}
        for method in (slipway_hpc.Slipway.submit, slipway_hpc.Slipway.estimate)
    ]
    shared = {name: kind for name, kind in taken[0].items() if name in taken[1]}
    known = typing.get_type_hints(slipway_hpc.JobOptions).keys()
    assert known == shared.keys() - {"self", "input", "hpc"}
    written = {**vars(slipway_hpc.JobOptions)["__annotations__"]}
    assert {name: kind.__forward_arg__ for name, kind in written.items()} == {
        name: shared[name] for name in written
    }


def test_problems_are_found_by_name() -> None:
    assert slipway_hpc.problems.by_name["quota-exceeded"] is slipway_hpc.problems.QuotaExceeded
    assert issubclass(slipway_hpc.problems.QuotaExceeded, slipway_hpc.SlipwayProblem)


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
    assert slipway_hpc.verify_webhook(SECRET, headers, body, now=1300)
    assert slipway_hpc.verify_webhook(SECRET, headers, body.decode(), now=700)
    assert not slipway_hpc.verify_webhook(SECRET, headers, body, now=1301)
    assert not slipway_hpc.verify_webhook(SECRET, headers, body + b" ", now=1000)
    other = "whsec_" + base64.b64encode(b"another one of 24 bytes.").decode()
    assert not slipway_hpc.verify_webhook(other, headers, body, now=1000)
    for name in headers:
        without = {each: value for each, value in headers.items() if each != name}
        assert not slipway_hpc.verify_webhook(SECRET, without, body, now=1000)
    for name in ["Webhook-Id", "webhook-signature"]:
        for wrong in ["", "v1,", "v1,~", "v1,\udcff"]:
            assert not slipway_hpc.verify_webhook(SECRET, {**headers, name: wrong}, body, now=1000)
    for wrong in ["", "soon", "1e3", "１０００", "9" * 99]:
        assert not slipway_hpc.verify_webhook(
            SECRET, {**headers, "webhook-timestamp": wrong}, body, now=1000
        )


@pytest.mark.parametrize("wrong", ["", "whsec_", "whsec_bm8=", "whsec_?", SECRET[:20]])
def test_a_secret_that_cannot_be_one_is_said(wrong: str) -> None:
    body = b"{}"
    with pytest.raises(ValueError, match="not the secret of a webhook"):
        slipway_hpc.verify_webhook(wrong, sign("1000", body), body, now=1000)
    forged = {**sign("1000", body), "webhook-signature": "v1,"}
    with pytest.raises(ValueError, match="not the secret of a webhook"):
        slipway_hpc.verify_webhook(wrong, forged, body, now=1000)


def test_the_reference_is_up_to_date() -> None:
    """If not: npm run python:reference."""
    written = runpy.run_path(str(ROOT / "tools/python/write-reference.py"))["write_reference"]()
    assert (ROOT / "docs/python-reference.md").read_text("utf-8") == written


def list_imports(module: Path) -> set[Path]:
    """Returns the modules of the package that a module imports, also those for types alone."""
    found: set[Path] = set()
    for node in ast.walk(ast.parse(module.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level > 0:
            below = module.parents[node.level - 1].joinpath(*(node.module or "").split("."))
            named = [below / alias.name for alias in node.names]
            found |= {each.with_suffix(".py") for each in [below, *named]}
    return {each for each in found if each.is_file()}


def test_no_modules_import_each_other_in_a_circle() -> None:
    package = Path(slipway_hpc.__file__).parent
    imports = {module: list_imports(module) for module in package.rglob("*.py")}
    assert sum(map(len, imports.values())) > 100
    graphlib.TopologicalSorter(imports).prepare()
