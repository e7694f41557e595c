"""The provider: submits, follows and cancels blocks."""

from __future__ import annotations

import io
import secrets
import zipfile
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from parsl.jobs.states import JobState, JobStatus
from parsl.launchers import SimpleLauncher
from parsl.launchers.base import Launcher
from parsl.providers.base import ExecutionProvider
from parsl.utils import RepresentationMixin

from slipway_hpc import Job, JobOptions, Slipway, SlipwayError

_SCRIPT = "slipway-block.sh"
_PAGE = 1000
#: The folder of a job may lie so deep that workers can make no socket in it (107 characters).
_SHORT_FOLDER = """
if [ "${#TMPDIR}" -gt 60 ]; then
  export TMPDIR=$(mktemp -d /tmp/parsl-XXXXXX)
  trap 'rm -rf "$TMPDIR"' EXIT
fi
"""
#: The most of the output of a failed block that Parsl is told.
_MOST_OUTPUT = 2000

#: What Parsl calls a stage, by its meaning in the catalog.
_STATES = {
    "waiting": JobState.PENDING,
    "starting": JobState.PENDING,
    "running": JobState.RUNNING,
    "finishing": JobState.RUNNING,
    "done": JobState.COMPLETED,
    "failed": JobState.FAILED,
    "cancelled": JobState.CANCELLED,
    "deleted": JobState.CANCELLED,
}


class SlipwayProvider(ExecutionProvider, RepresentationMixin):
    """
    Runs each block as a job of a Slipway service.

    Args:
        system: The name of the system.
        runtime: The time that each block is granted, as in ``Slipway.submit``.
        project: The project that is charged (default: the first one of the system).
        cores_per_node: The cores on each node.
        mem_per_node: The memory on each node in GB, on systems that take it.
        gpus_per_node: The GPUs on each node.
        class_: The class of the jobs.
        image: The image that the workers run in.
        worker_init: What to run before the workers, such as ``module load python``.
        status_polling_interval: The seconds from one check of all blocks to the next.
        client: Your own client (default: ``Slipway()``).

    The other arguments are those of Parsl's own providers.
    """

    def __init__(
        self,
        system: str,
        *,
        runtime: float | str | timedelta,
        project: str | None = None,
        cores_per_node: int = 1,
        mem_per_node: float | None = None,
        gpus_per_node: int | None = None,
        class_: str | None = None,
        image: str | None = None,
        worker_init: str = "",
        nodes_per_block: int = 1,
        init_blocks: int = 1,
        min_blocks: int = 0,
        max_blocks: int = 1,
        parallelism: float = 1,
        launcher: Launcher | None = None,
        status_polling_interval: int = 10,
        client: Slipway | None = None,
    ) -> None:
        self.system = system
        self.runtime = runtime
        self.project = project
        self.cores_per_node: int | None = cores_per_node
        self.mem_per_node = mem_per_node
        self.gpus_per_node = gpus_per_node
        self.class_ = class_
        self.image = image
        self.worker_init = worker_init
        self.nodes_per_block = nodes_per_block
        self.init_blocks = init_blocks
        self.min_blocks = min_blocks
        self.max_blocks = max_blocks
        self.parallelism = parallelism
        self.launcher = launcher or SimpleLauncher()
        self.script_dir: str | None = None
        self.resources: dict[object, Any] = {}
        self.client = client or Slipway()
        #: The text that the titles of all blocks begin with.
        self.tag = f"parsl-{secrets.token_hex(3)}"
        self._interval = status_polling_interval
        self._meanings = {each.name: each.stage_meanings for each in self.client.systems()}.get(
            system
        )
        if self._meanings is None:
            raise ValueError(f"Unknown system '{system}'.")
        self._first: str | None = None

    @property
    def label(self) -> str:
        """The name of the provider."""
        return "slipway"

    @property
    def status_polling_interval(self) -> int:
        """The seconds from one check of all blocks to the next."""
        return self._interval

    def submit(self, command: str, tasks_per_node: int, job_name: str = "parsl.slipway") -> str:
        """Submits a block, and returns the id of its job."""
        options: JobOptions = {
            "command": f"bash {_SCRIPT}",
            "runtime": self.runtime,
            "nodes": self.nodes_per_block,
            "cores": self.cores_per_node or 1,
            "project": self.project,
            "gpus": self.gpus_per_node,
            "class_": self.class_,
            "image": self.image,
            "title": f"{self.tag} {job_name}"[:200],
        }
        if self.mem_per_node is not None:
            options["memory"] = f"{self.mem_per_node:g} GB"
        started = self.launcher(command, tasks_per_node, self.nodes_per_block, ".")
        job = self.client.submit(self._pack(started), self.system, progress=False, **options)
        self._first = self._first or job.submitted
        self.resources[job.job_id] = {
            "job_id": job.job_id,
            "status": JobStatus(JobState.PENDING),
        }
        return job.job_id

    def _pack(self, command: str) -> bytes:
        lines = ["#!/bin/bash", _SHORT_FOLDER, f"export PARSL_CORES={self.cores_per_node}"]
        if self.mem_per_node is not None:
            lines.append(f"export PARSL_MEMORY_GB={self.mem_per_node:g}")
        packed = io.BytesIO()
        script = "\n".join([*lines, self.worker_init, command, ""])
        with zipfile.ZipFile(packed, "w") as archive:
            archive.writestr(_SCRIPT, script)
        return packed.getvalue()

    def status(self, job_ids: Sequence[object]) -> list[JobStatus]:
        """Asks for all blocks in one request. If nobody answers, nothing has changed."""
        active = {job_id for job_id in job_ids if not self.resources[job_id]["status"].terminal}
        if active:
            try:
                self._refresh(active)
            except SlipwayError as error:
                for job_id in active:
                    self.resources[job_id]["status"].message = f"Slipway: {error}"
        return [self.resources[job_id]["status"] for job_id in job_ids]

    def _refresh(self, active: set[object]) -> None:
        listed = self.client.jobs(title=self.tag, since=self._first, order="desc", limit=_PAGE)
        found = {job.job_id: job for job in listed if job.job_id in active}
        for job_id in active:
            job = found.get(str(job_id))
            self.resources[job_id]["status"] = (
                self._translate(job)
                if job is not None
                else JobStatus(JobState.FAILED, "Slipway: the job was deleted.")
            )

    def _translate(self, job: Job) -> JobStatus:
        state = _STATES.get((self._meanings or {}).get(job.stage, ""), JobState.UNKNOWN)
        if state != JobState.FAILED:
            return JobStatus(state)
        timeline = job.timeline()
        # Blocks are expected to run until their time is up. That is no error of the system.
        if (timeline.ran_seconds or 0) >= job.runtime * 3600 - 1:
            state = JobState.TIMEOUT
        return JobStatus(state, f"{timeline.reason}\n{_read_errors(job)}")

    def cancel(self, job_ids: Sequence[object]) -> list[bool]:
        """Cancels blocks. True means that a block is not active any more."""
        return [self._cancel(job_id) for job_id in job_ids]

    def _cancel(self, job_id: object) -> bool:
        try:
            self.client.job(str(job_id)).cancel()
        except LookupError:
            pass
        except SlipwayError:
            return False
        self.resources[job_id]["status"] = JobStatus(JobState.CANCELLED)
        return True


def _read_errors(job: Job) -> str:
    try:
        return job.logs(stream="stderr")[-_MOST_OUTPUT:]
    except (FileNotFoundError, SlipwayError):
        return ""
