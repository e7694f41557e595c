"""The scripts of test/client/fixtures, which the TypeScript client plays too."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest
from conftest import ROOT, Script, cut_off, refuse

from slipway_hpc import ServiceUnreachable, Slipway, SlipwayProblem, problems

FIXTURES = ROOT / "test/client/fixtures"
SCRIPTS = json.loads((FIXTURES / "scripts.json").read_text("utf-8"))
ANSWERS = json.loads((FIXTURES / "answers.json").read_text("utf-8"))

PLACE = {"hpc": "hpc_one", "project_name": "proj_hpc_one_01"}


def call(s: Slipway, name: str) -> Any:
    match name:
        case "list-systems":
            return s.systems()
        case "list-jobs":
            return s.jobs().all()
        case "submit":
            return s.submit(None, "hpc_one", command="ls", runtime=1)
        case "submit-batch":
            return s.map(None, "hpc_one", command="ls", runtime=1, count=3)
        case "repeat-failed":
            return s.api.repeat_failed(**PLACE, batch_id=ANSWERS["batch"]["batch_id"])
        case "cancel":
            return s.api.delete_job(**PLACE, job_id=ANSWERS["job"]["job_id"], only="cancel")
        case "grant-that-adds":
            body = {"reason": "why", "add": {"time": 1}}
            return s.api.grant_quota(**PLACE, user_id="306328", body=body)  # type: ignore[arg-type]
        case "create-webhook":
            return s.api.create_webhook(body={"url": "https://a.example"})
    raise AssertionError(name)


def fill(value: Any) -> Any:
    if isinstance(value, list):
        return [fill(each) for each in value]
    return ANSWERS[value] if isinstance(value, str) else value


def to_answer(answer: dict[str, Any]) -> httpx.Response | Exception:
    if answer.get("cut"):
        return cut_off
    headers = answer.get("headers", {})
    if "problem" in answer:
        return refuse(answer["status"], answer["problem"], headers)
    if "text" in answer:
        return httpx.Response(answer["status"], text=answer["text"], headers=headers)
    return httpx.Response(answer["status"], json=fill(answer["json"]), headers=headers)


@pytest.mark.parametrize("script", SCRIPTS, ids=[script["name"] for script in SCRIPTS])
def test_script(script: dict[str, Any]) -> None:
    played = Script(*map(to_answer, script["answers"]))
    failure: Exception | None = None
    outcome: Any = None
    try:
        outcome = call(played.client, script["call"])
    except Exception as error:
        failure = error
    assert len(played.asked) == script["asked"]
    if "fails" not in script:
        assert failure is None
    elif script["fails"] == "ServiceUnreachable":
        assert isinstance(failure, ServiceUnreachable)
    else:
        assert isinstance(failure, SlipwayProblem)
        assert failure.name == script["fails"]
        assert type(failure) is problems.by_name.get(failure.name, SlipwayProblem)
    if "message" in script:
        assert str(failure) == script["message"]
    if "retryAfter" in script:
        assert isinstance(failure, SlipwayProblem)
        assert failure.retry_after == script["retryAfter"]
    if "items" in script:
        assert len(outcome) == script["items"]
    if "paths" in script:
        assert [request.url.raw_path.decode() for request in played.asked] == script["paths"]
    if "keys" in script:
        keys = [request.headers["idempotency-key"] for request in played.asked]
        assert len(set(keys)) == script["keys"]
        assert len(keys[0]) == 36
    if "pauses" in script:
        assert len(played.pauses) == len(script["pauses"])
        for pause, (least, most) in zip(played.pauses, script["pauses"], strict=True):
            assert least <= pause <= most
