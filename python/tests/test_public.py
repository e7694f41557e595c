"""The public names."""

from __future__ import annotations

import runpy

from conftest import ROOT

import slipway


def test_all_names_are_there_and_sorted() -> None:
    assert sorted(slipway.__all__) == slipway.__all__
    assert all(hasattr(slipway, name) for name in slipway.__all__)


def test_problems_are_found_by_name() -> None:
    assert slipway.problems.by_name["quota-exceeded"] is slipway.problems.QuotaExceeded
    assert issubclass(slipway.problems.QuotaExceeded, slipway.SlipwayProblem)


def test_the_reference_is_up_to_date() -> None:
    """If not: npm run python:reference."""
    written = runpy.run_path(str(ROOT / "tools/python/write-reference.py"))["write_reference"]()
    assert (ROOT / "docs/python-reference.md").read_text("utf-8") == written
