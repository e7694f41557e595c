"""The public names."""

from __future__ import annotations

import slipway


def test_all_names_are_there_and_sorted() -> None:
    assert sorted(slipway.__all__) == slipway.__all__
    assert all(hasattr(slipway, name) for name in slipway.__all__)


def test_problems_are_found_by_name() -> None:
    assert slipway.problems.by_name["quota-exceeded"] is slipway.problems.QuotaExceeded
    assert issubclass(slipway.problems.QuotaExceeded, slipway.SlipwayProblem)


def test_html_is_escaped() -> None:
    job = slipway.models.Job.from_json(
        {
            "end_date": None,
            "failed": False,
            "id": 1,
            "init_date": "",
            "job_id": "<b>",
            "owner": "",
            "project": 1,
            "project_hpc": "<X>",
            "project_name": '"p"',
            "runtime": 1,
            "stage": "<script>",
            "terminal_stage": False,
            "title": "<script>alert(1)</script>",
        }
    )
    shown = slipway.Job(None, job)._repr_html_()  # type: ignore[arg-type]
    assert "<script" not in shown
    assert "&lt;script&gt;alert(1)" in shown
