"""What notebooks show."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from test_scripts import ANSWERS

from slipway_hpc import Batch, Job, models
from slipway_hpc._amounts import write_parts
from slipway_hpc._rows import Rows

EVIL = '<script>alert(1)</script>"><img src=x onerror=alert(1)>'


def make_job(**fields: Any) -> Job:
    data = models.Job.from_json({**ANSWERS["job"], **fields})
    return Job(None, data)  # type: ignore[arg-type]


def make_batch(**fields: Any) -> Batch:
    data = models.Batch.from_json({**ANSWERS["batch"], **fields})
    return Batch._of(None, data)  # type: ignore[arg-type]


def make_timeline(*stages: tuple[str, str], reason: str | None = None) -> models.Timeline:
    return models.Timeline.from_json(
        {
            "job_id": "A",
            "stage": stages[-1][0],
            "terminal_stage": True,
            "reason": reason,
            "stages": [{"stage": stage, "since": since} for stage, since in stages],
            "tries": [],
        }
    )


def make_quota(**fields: Any) -> models.Quota:
    time = {"granted": 36_000, "left": 18_000, "held": 7_200, "used": 10_800}
    return models.Quota.from_json(
        {
            "id": 1,
            "project": 1,
            "project_hpc": "HPC_ONE",
            "project_name": "p",
            "space_left": 1,
            "time_left": 18_000,
            "user": "1",
            "usage": {"time": time, "space": time, "living_jobs": 0},
            **fields,
        }
    )


def check_safe(shown: str) -> None:
    """Nothing from the service is markup: only these elements and attributes are there."""
    tags = re.findall(r"<(/?[^\s>]*)((?:[^>\"]|\"[^\"]*\")*)>", shown)
    assert {name.strip("/") for name, _ in tags} <= {
        *("div", "b", "span", "code", "table", "thead", "tbody", "tr", "th", "td", "p")
    }
    names = {name for _, rest in tags for name in re.findall(r"([\w-]+)=\"", rest)}
    assert names <= {"style", "title", "role", "aria-label"}
    assert "<script" not in shown
    assert "<img" not in shown


def test_a_job_shows_its_stage_and_timeline() -> None:
    job = make_job(title="Energy, 能量", stage="SUCCESSFUL", terminal_stage=True)
    assert "SUCCESSFUL" in job._repr_html_()
    job._timeline = make_timeline(
        ("QUEUED", "2026-11-01T10:00:00Z"),
        ("RUNNING", "2026-11-01T10:00:05Z"),
        ("SUCCESSFUL", "2026-11-01T13:10:05Z"),
        reason="exit code 3",
    )
    text = re.sub(r"<[^>]+>", "", job._repr_html_())
    assert "QUEUED 5 s → RUNNING 3 h 10 min → SUCCESSFUL since 2026-11-01T13:10:05Z" in text
    assert text.endswith("exit code 3")
    check_safe(job._repr_html_())


def test_texts_of_the_service_are_escaped() -> None:
    job = make_job(title=EVIL, stage=EVIL, job_id=EVIL, project_name=EVIL, project_hpc=EVIL)
    job._timeline = make_timeline((EVIL, EVIL), (EVIL, EVIL), reason=EVIL)
    faces: list[Any] = [
        job,
        job._timeline,
        Rows([job]),
        make_batch(title=EVIL),
        make_quota(project_name=EVIL),
        make_quota(project_name=EVIL, usage=None),
        Rows([make_quota(project_hpc=EVIL)]),
    ]
    for shown in faces:
        check_safe(shown._repr_html_())
    assert "&lt;script&gt;alert(1)" in job._repr_html_()


def test_a_quota_is_a_bar_also_in_a_list() -> None:
    shown = Rows([make_quota(), make_quota()])._repr_html_()
    assert shown.count('role="img"') == 2
    assert shown.count("width:30.0000%") == 2
    assert "hpc_one / p: 5 of 10 hours left, 2 reserved, 3 used" in shown


def test_amounts_add_up_as_those_of_the_console_do() -> None:
    path = Path(__file__).parents[2] / "test/fixtures/amounts-that-add-up.json"
    cases = json.loads(path.read_text())
    assert len(cases) > 50
    for case in cases:
        assert write_parts(case["parts"]) == (case["shown"], case["whole"])


def test_a_batch_is_a_strip_with_a_cell_for_each_job() -> None:
    counts = {"waiting": 1, "running": 1, "done": 2, "failed": 1, "cancelled": 0}
    batch = make_batch(count=5, counts=counts)
    # Which job is in which state is not known yet.
    shown = batch._repr_html_()
    widths = re.findall(r'title="(\w+)"[^>]*width:([\d.]+)%', shown)
    assert widths == [("done", "40.0000"), ("failed", "20.0000"), ("running", "20.0000")]
    check_safe(shown)
    ended = {"terminal_stage": True, "stage": "SUCCESSFUL"}
    batch._parts[0][0]._jobs = [
        make_job(index=0, failed=False, **ended),
        make_job(index=1, failed=True, terminal_stage=True),
        make_job(index=2, terminal_stage=True, stage="CANCELED", failed=False),
        make_job(index=3, terminal_stage=False, stage="RUNNING", failed=False),
        make_job(index=4, failed=False, **ended),
    ]
    shown = batch._repr_html_()
    cells = re.findall(r'title="\d+: (\w+)"', shown)
    assert cells == ["done", "failed", "cancelled", "active", "done"]
    check_safe(shown)
    many = make_batch(count=9999)
    many._parts[0][0]._jobs = [make_job(terminal_stage=False)] * 9999
    assert "and 7999 more" in many._repr_html_()
