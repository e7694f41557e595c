"""Turns the resources of a rule into the options of a job."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil
from typing import Any

from snakemake_interface_common.exceptions import WorkflowError

from slipway_hpc import JobOptions, models

#: Resources that only this plugin knows, with what they set.
_OWN = {"slipway_system", "slipway_project", "slipway_class", "slipway_image"}


def choose_system(resources: Mapping[str, Any], default: str | None) -> str:
    """Returns the name of the system that a rule runs on."""
    unknown = sorted(name for name in resources if name.startswith("slipway_") and name not in _OWN)
    if unknown:
        raise WorkflowError(f"Unknown resource '{unknown[0]}'. Known: {', '.join(sorted(_OWN))}.")
    system = resources.get("slipway_system", default)
    if not system:
        raise WorkflowError(
            "Choose a system with --slipway-system, or with the resource slipway_system."
        )
    return str(system)


def read_options(
    resources: Mapping[str, Any], threads: int, system: models.System, project: str | None
) -> JobOptions:
    """
    Returns the options of a job.

    Memory is left out on systems that take none, because Snakemake asks for some for every rule.
    """
    nodes = int(resources.get("nodes", 1))
    tasks = ceil(int(resources.get("tasks", nodes)) / nodes)
    cores = int(resources.get("cpus_per_task", threads)) * tasks
    options: JobOptions = {
        "runtime": _read_minutes(resources.get("runtime")) / 60,
        "nodes": nodes,
        "cores": cores,
        "project": resources.get("slipway_project", project),
        "class_": resources.get("slipway_class"),
        "image": resources.get("slipway_image"),
        "gpu_kind": resources.get("gpu_model"),
    }
    if "tasks" in resources and _takes_tasks(system, options.get("class_")):
        options["tasks"] = tasks
    if resources.get("gpu"):
        options["gpus"] = int(resources["gpu"])
    megabytes = resources.get("mem_mb")
    if megabytes is None and resources.get("mem_mb_per_cpu") is not None:
        megabytes = int(resources["mem_mb_per_cpu"]) * cores
    if megabytes is not None and system.limits.memory is not None:
        options["memory"] = f"{int(megabytes)} MB"
    return options


def _read_minutes(runtime: object) -> float:
    """A job is charged by its time, so no time is made up where a rule names none."""
    if isinstance(runtime, int | float) and runtime > 0:
        return float(runtime)
    raise WorkflowError(
        "A job needs a time in minutes. Give the rule one (resources: runtime=30), or all "
        "rules (--default-resources runtime=30)."
    )


def _takes_tasks(system: models.System, class_: str | None) -> bool:
    chosen = next((each for each in system.classes or [] if each.name == class_), None)
    return ((chosen and chosen.cores_as) or system.cores_as) == "choice"
