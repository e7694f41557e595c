"""What a rule asks for, and what is asked of the service."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import httpx
import pytest
from edition import Service as Edition
from snakemake_executor_plugin_slipway._notes import Notes
from snakemake_executor_plugin_slipway._options import choose_system, read_options
from snakemake_executor_plugin_slipway._service import Service
from snakemake_interface_common.exceptions import WorkflowError
from workflows import wait_for

from slipway_hpc import Slipway, models


@pytest.fixture(scope="session")
def system(machine: Edition) -> models.System:
    return next(each for each in machine.connect().systems() if each.name == "hpc_one")


def with_limits(system: models.System, **changes: Any) -> models.System:
    written = system.to_dict()
    return models.System.from_json({**written, **changes})


@pytest.mark.parametrize(
    ("resources", "expected"),
    [
        ({"runtime": 90}, {"runtime": 1.5, "nodes": 1, "cores": 4}),
        ({"cpus_per_task": 3}, {"cores": 3}),
        ({"nodes": 2, "tasks": 8, "cpus_per_task": 2}, {"nodes": 2, "cores": 8, "tasks": 4}),
        ({"mem_mb": 2000}, {"memory": "2000 MB"}),
        ({"mem_mb_per_cpu": 500}, {"memory": "2000 MB"}),
        ({"gpu": 2, "gpu_model": "a100"}, {"gpus": 2, "gpu_kind": "a100"}),
        (
            {"slipway_class": "long", "slipway_project": "lab", "slipway_image": "a.org/b:1"},
            {"class_": "long", "project": "lab", "image": "a.org/b:1"},
        ),
    ],
)
def test_resources_become_options(
    system: models.System, resources: Mapping[str, Any], expected: Mapping[str, Any]
) -> None:
    limits = {**system.limits.to_dict(), "memory": "64 GB"}
    rich = with_limits(system, limits=limits, cores_as="choice")
    options = read_options({"runtime": 30, **resources}, 4, rich, "usual")
    assert {**options, **expected} == options


def test_what_a_system_does_not_take_is_left_out(system: models.System) -> None:
    options = read_options({"runtime": 30, "mem_mb": 1000, "tasks": 2}, 4, system, None)
    assert "memory" not in options
    assert "tasks" not in options
    assert options["cores"] == 8


@pytest.mark.parametrize("runtime", [{}, {"runtime": 0}, {"runtime": "soon"}])
def test_a_rule_without_a_time_is_refused(
    system: models.System, runtime: Mapping[str, Any]
) -> None:
    with pytest.raises(WorkflowError, match="--default-resources runtime=30"):
        read_options(runtime, 1, system, None)


def test_a_mistyped_resource_is_refused() -> None:
    assert choose_system({"slipway_system": "one"}, "other") == "one"
    with pytest.raises(WorkflowError, match="Unknown resource 'slipway_clas'"):
        choose_system({"slipway_clas": "long"}, "hpc_one")
    with pytest.raises(WorkflowError, match="--slipway-system"):
        choose_system({}, None)


def test_a_thousand_jobs_are_asked_for_in_one_request(machine: Edition, tmp_path: Path) -> None:
    real = machine.connect().submit(None, "hpc_one", command="true", runtime=0.1)
    listed = [{**real.to_dict(), "job_id": str(number)} for number in range(1000)]
    asked: list[httpx.URL] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request.url)
        # A deleted job is in no list.
        return httpx.Response(200, json=[] if "job_id" in request.url.params else listed)

    client = Slipway("https://slipway.test", "a token", transport=httpx.MockTransport(answer))
    service = Service(client, Notes(tmp_path), "study-1c9e02", {})
    submitted = {str(number): real.submitted for number in range(1000)}
    assert len(service.look_up(submitted)) == 1000
    assert [dict(url.params)["title"] for url in asked] == ["study-1c9e02"]
    assert "gone" not in service.look_up({**submitted, "gone": real.submitted})
    wait_for(lambda: real.refresh().ended)
    # No stage has a meaning for this service, so not even this one is a success.
    assert not service.has_succeeded(real)


def test_a_note_outlives_a_crash_in_the_middle_of_another(tmp_path: Path) -> None:
    notes = Notes(tmp_path)
    note = notes.begin("align:sample=A", "as it was")
    (tmp_path / "0.part").write_text('{"idempotency_key":')
    assert Notes(tmp_path).read("align:sample=A") == note
    notes.complete("align:sample=A", note, "5F3C", "2026-11-19T10:00:00Z")
    found = Notes(tmp_path).read("align:sample=A")
    assert found is not None
    assert (found.idempotency_key, found.job_id) == (note.idempotency_key, "5F3C")
    notes.drop("align:sample=A")
    assert notes.read("align:sample=A") is None
    assert notes.read_tag(Path("a study, ähnlich")) == Notes(tmp_path).read_tag(Path("other"))
