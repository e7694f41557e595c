"""What the jobs of a batch wrote, from a service that answers as scripted."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest
from conftest import Script, refuse

from slipway_hpc import Batch, models, problems

BATCH = models.Batch.from_json(
    {
        "batch_id": "B-1",
        "count": 8,
        "counts": {"waiting": 0, "running": 1, "done": 6, "failed": 1, "cancelled": 0},
        "end_date": None,
        "project_hpc": "HPC_ONE",
        "project_name": "proj_a",
        "title": "a",
    }
)

JOB = {"job_id": "J-0", "project_hpc": "HPC_ONE", "project_name": "proj_a"}


def write_line(place: int, state: str, **others: Any) -> dict[str, Any]:
    ended = state != "active"
    line = {"place": place, "index": place, "job_id": f"J-{place}", "stage": "DONE"}
    return {**line, "terminal_stage": ended, "failed": False, "state": state, **others}


def include(place: int, content: str, encoding: str = "utf-8", **others: Any) -> dict[str, Any]:
    return write_line(place, "included", content=content, encoding=encoding, **others)


def make_batch(script: Script) -> Batch:
    return Batch._of(script.client.api, BATCH)


def answer(lines: list[dict[str, Any]], following: str | None = None) -> httpx.Response:
    link = {"link": f'<https://slipway.test{following}>; rel="next"'} if following else None
    return httpx.Response(200, json=lines, headers=link)


def test_results_are_in_order_and_none_where_there_is_no_good_one() -> None:
    path = "/results/hpc_one/proj_a/B-1/"
    script = Script(
        answer([include(0, "a"), write_line(1, "active")], f"{path}?cursor=c"),
        answer([include(2, "/wA=", "base64"), include(3, "x", failed=True)], f"{path}?cursor=d"),
        answer([write_line(4, "missing"), include(6, "é")]),
    )
    read = make_batch(script).results("out", read=bytes)
    assert read == [b"a", None, b"\xff\x00", None, None, None, "é".encode(), None]
    asked = [request.url.raw_path.decode() for request in script.asked]
    assert asked == [f"{path}?name=out&first=0&last=7", f"{path}?cursor=c", f"{path}?cursor=d"]


def test_a_slice_asks_for_its_part() -> None:
    script = Script(answer([include(3, "3"), include(4, "4"), include(5, "5")]))
    assert make_batch(script)[5:2:-2].results() == ["5", "3"]
    assert dict(script.asked[0].url.params) == {"name": "stdout", "first": "3", "last": "5"}
    assert make_batch(script)[2:2].results() == []
    assert len(script.asked) == 1


def test_a_file_that_is_not_included_is_fetched_on_its_own() -> None:
    file = {"fileid": "f", "filename": "stdout", "length": 300_000}
    script = Script(
        answer([write_line(0, "apart", fileid="f", length=300_000)]),
        httpx.Response(200, json=[JOB]),
        httpx.Response(200, json=[file]),
        httpx.Response(200, content=b"large"),
    )
    assert make_batch(script)[:1].results() == ["large"]


def test_a_file_that_cannot_be_read_is_not_taken_for_missing() -> None:
    script = Script(
        answer([write_line(0, "unavailable")]),
        httpx.Response(200, json=[JOB]),
        refuse(503, "system-unavailable"),
        retries=1,
    )
    with pytest.raises(problems.SystemUnavailable):
        make_batch(script)[:1].results()


def test_values_are_read_from_each_file() -> None:
    script = Script(answer([include(0, "[1]")]))
    assert make_batch(script)[:1].results("result.json", read=json.loads) == [[1]]


def test_the_files_of_a_folder_are_listed_page_by_page() -> None:
    path = "/files/hpc_one/proj_a/J-0/"
    inner = {"fileid": "", "filename": "out/in/", "length": 0, "folder": True}
    script = Script(
        httpx.Response(200, json=[JOB]),
        answer([inner], f"{path}?folder=out&cursor=c"),
        answer([{"fileid": "a", "filename": "out/a", "length": 1}]),
    )
    files = script.client.job("J-0").files("out")
    assert [(file.filename, bool(file.folder)) for file in files] == [
        ("out/in/", True),
        ("out/a", False),
    ]
    assert script.asked[1].url.raw_path.decode() == f"{path}?folder=out&limit=5000"
