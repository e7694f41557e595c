"""The words of a submission: the table in the glossary, and old names."""

from __future__ import annotations

import inspect
import json
import re
from typing import Any

import pytest
from conftest import ROOT, Script, refuse

from slipway_hpc import AsyncSlipway, Job, Slipway, SlipwayProblem, _magic, models
from slipway_hpc.futures import Executor

GLOSSARY = (ROOT / "docs/glossary.md").read_text("utf-8")
ANSWERS = json.loads((ROOT / "test/client/fixtures/answers.json").read_text("utf-8"))
#: How a submission travels, and what is done with it.
TRAVELS = {"self", "input", "idempotency_key", "progress"}


def told(column: int) -> set[str]:
    section = GLOSSARY.partition("## What a submission can say")[2].partition("### Old names")[0]
    lines = [line for line in section.split("\n") if line.startswith("| ")]
    return {word for line in lines for word in re.findall("`([^`]+)`", line.split("|")[column])}


@pytest.mark.parametrize("client", [Slipway, AsyncSlipway])
def test_the_table_has_every_argument(client: type[Any]) -> None:
    taken = [
        set(inspect.signature(method).parameters)
        for method in (client.submit, client.estimate, client.map)
    ]
    assert told(4) == set().union(*taken) - TRAVELS


def test_the_options_of_the_magic_are_those_of_the_command() -> None:
    own = {"--python", "--client", "--as", "--no-wait", "--help", "--input"}
    options = set(_magic._parser._option_string_actions) - own
    assert options < told(5)


PRESENT = {"runtime": 1, "class_": "long"}
OLD = pytest.mark.parametrize(("old", "name"), [("hours", "runtime"), ("job_class", "class_")])


def with_old(old: str, name: str) -> dict[str, Any]:
    return {old if each == name else each: value for each, value in PRESENT.items()}


@OLD
@pytest.mark.parametrize("method", ["submit", "estimate", "map"])
def test_an_old_name_works_and_warns(method: str, old: str, name: str) -> None:
    script = Script(refuse(400, "invalid-request"))
    call = getattr(script.client, method)
    batch = {"count": 2} if method == "map" else {}
    with pytest.warns(DeprecationWarning, match=f"^{old} is now {name}.* until version 0.5.0") as f:
        with pytest.raises(SlipwayProblem):
            call(None, "hpc_one", command="ls", **batch, **with_old(old, name))
    assert [each.filename for each in f] == [__file__]
    payload = json.loads(script.asked[0].headers["payload"])
    assert (payload["runtime"], payload["class"]) == (1, "long")
    with pytest.raises(TypeError, match=f"Give {name} alone. {old} is its old name."):
        call(None, "hpc_one", command="ls", **batch, **{**PRESENT, old: 1})
    assert len(script.asked) == 1


@OLD
def test_an_executor_takes_old_names(old: str, name: str) -> None:
    with pytest.warns(DeprecationWarning, match=f"^{old} is now {name}.") as found:
        pool = Executor(None, "hpc_one", slipway=Script().client, **with_old(old, name))
    assert [each.filename for each in found] == [__file__]
    assert {each: pool._options[each] for each in PRESENT} == PRESENT


def test_the_magic_takes_old_options() -> None:
    with pytest.warns(DeprecationWarning, match="^--(hours|job-class) is now") as found:
        wanted = _magic._parse("hpc_one --hours 0:30 --job-class=long")
    assert len(found) == 2
    assert wanted is not None
    assert (wanted.runtime, wanted.class_) == (0.5, "long")
    with pytest.raises(ValueError, match="Give --runtime alone"):
        _magic._parse("hpc_one --hours 1 --runtime 1")


def test_a_job_has_its_hours_by_both_names() -> None:
    job = Job(Script().client.api, models.Job.from_json({**ANSWERS["job"], "runtime": 0.5}))
    assert job.runtime == 0.5
    with pytest.warns(DeprecationWarning, match=r"^Job.hours is now Job.runtime\.") as found:
        assert job.hours == 0.5
    assert [each.filename for each in found] == [__file__]
