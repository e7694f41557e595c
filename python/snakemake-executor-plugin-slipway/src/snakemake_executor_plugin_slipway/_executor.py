"""The executor: submits, follows and cancels the jobs of a workflow."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from snakemake_interface_common.exceptions import WorkflowError
from snakemake_interface_executor_plugins.executors.base import SubmittedJobInfo
from snakemake_interface_executor_plugins.executors.real import RealExecutor
from snakemake_interface_executor_plugins.executors.remote import RemoteExecutor
from snakemake_interface_executor_plugins.jobs import JobExecutorInterface
from snakemake_interface_executor_plugins.settings import SharedFSUsage
from snakemake_interface_executor_plugins.utils import (
    format_cli_arg,
    join_cli_args,
)

from slipway_hpc import Job, NotSignedIn, Slipway, SlipwayError, problems

from ._costs import Costs
from ._files import (
    choose_outputs,
    list_inputs,
    list_sources,
    start_script,
    write_script,
)
from ._notes import Notes
from ._options import choose_system, read_options
from ._service import Service, is_away
from ._submission import Submission, name_job, write_fingerprint

#: What could not be sent is sent again at the next check, so nothing needs to wait for long.
_RETRIES = 2


class Executor(RemoteExecutor):
    """Runs the rules of a workflow as jobs."""

    def __post_init__(self) -> None:
        settings = self.workflow.executor_settings
        usage = self.workflow.storage_settings.shared_fs_usage
        self._shares_disk = SharedFSUsage.INPUT_OUTPUT in usage
        if usage and not self._shares_disk:
            raise WorkflowError("Share all with the system, or use --shared-fs-usage none.")
        if not self._shares_disk and self.snakefile.startswith(".."):
            raise WorkflowError("Without a shared disk, start Snakemake above the Snakefile.")
        try:
            client = Slipway(profile=settings.profile, retries=_RETRIES)
            self._systems = {system.name: system for system in client.systems()}
        except SlipwayError as error:
            raise WorkflowError(f"Slipway: {error}") from error
        folder = Path(self.workflow.persistence.path, "slipway")
        notes = Notes(folder)
        self._logs = folder / "logs"
        self._service = Service(client, notes, notes.read_tag(Path.cwd()), self._systems)
        self._costs = Costs()
        #: Snakemake's own list is empty while it checks, so a cancel in between would miss jobs.
        self._active: dict[str, SubmittedJobInfo] = {}
        self._sources: list[str] | None = None
        self._waits = self._has_told = False
        self.logger.info(f"Slipway: the titles of the jobs begin with {self._service.tag}.")

    def run_job(self, job: JobExecutorInterface) -> None:
        name = name_job(job)
        info = SubmittedJobInfo(job, aux={"name": name})
        try:
            info.aux["submission"] = self._prepare(job, name)
            self._active[name] = info
            self._send(info)
        except (OSError, WorkflowError, SlipwayError) as error:
            self._fail(info, str(error))
            return
        # One that could not be sent is sent at a later check.
        self.report_job_submission(info, register_job=info.external_jobid is not None)

    def get_job_args(self, job: JobExecutorInterface, **kwargs: Any) -> str:
        """Waits for no folder of this run, because jobs may begin after it was killed."""
        cores = kwargs.get("cores", job.threads)
        wait = job.get_wait_for_files() if self._shares_disk else []
        own = RealExecutor.get_job_args(self, job, cores=cores)
        return str(join_cli_args([own, format_cli_arg("--wait-for-files", wait)]))

    def get_python_executable(self) -> str:
        chosen = self.workflow.executor_settings.python
        return str(chosen or (super().get_python_executable() if self._shares_disk else "python3"))

    def _prepare(self, job: JobExecutorInterface, name: str) -> Submission:
        resources = dict(job.resources.items())
        settings = self.workflow.executor_settings
        hpc = choose_system(resources, settings.system)
        system = self._systems.get(hpc)
        if system is None:
            raise WorkflowError(f"Unknown system '{hpc}'. Known: {', '.join(self._systems)}.")
        options = read_options(resources, job.threads, system, settings.project)
        options["command"] = start_script()
        options["title"] = f"{self._service.tag} {name.replace(':', ' ', 1).strip()}"[:200]
        if self._sources is None:
            self._sources = list_sources(self.dag.get_sources())
        if self._shares_disk:
            inputs = [path for path in job.input if os.path.isfile(path)]
        else:
            inputs = list_inputs(job.input)
        files = sorted({*filter(os.path.isfile, self._sources), *inputs})
        command = self.format_job_exec(job)
        return Submission(
            name=name,
            hpc=hpc,
            options=options,
            files=[] if self._shares_disk else files,
            script=write_script(
                command=command,
                python=self.get_python_executable(),
                shared_folder=os.getcwd() if self._shares_disk else None,
            ),
            fingerprint=write_fingerprint(hpc, options, files, job),
            unfinished=set(self.workflow.persistence.external_jobids(job)) if job.output else None,
        )

    def _send(self, info: SubmittedJobInfo) -> None:
        """Submits a job, unless another one has to wait already."""
        if self._waits:
            return
        try:
            job, was_found = self._service.submit(info.aux["submission"])
        except SlipwayError as error:
            if not is_away(error):
                raise
            self._wait(error)
            return
        info.external_jobid = job.job_id
        info.aux["submitted"] = job.submitted
        verb = "Resumes" if was_found else "Submitted"
        self.logger.info(f"{verb} {job.job_id} on {job.hpc} / {job.project}: {job.title}")

    async def check_active_jobs(
        self, active_jobs: list[SubmittedJobInfo]
    ) -> AsyncIterator[SubmittedJobInfo]:
        if not active_jobs:
            return
        async with self.status_rate_limiter:
            remaining = self._check(active_jobs)
        for info in remaining:
            yield info

    def _check(self, active: list[SubmittedJobInfo]) -> list[SubmittedJobInfo]:
        """Returns what has not ended. What nobody could say of a job ends nothing."""
        self._waits = False
        try:
            found = self._service.look_up(
                {
                    info.external_jobid: info.aux["submitted"]
                    for info in active
                    if info.external_jobid is not None
                }
            )
        except SlipwayError as error:
            if not is_away(error):
                raise
            self._wait(error)
            return active
        remaining = [info for info in active if not self._attend(info, found)]
        self._has_told = self._waits
        return remaining

    def _attend(self, info: SubmittedJobInfo, found: dict[str, Job]) -> bool:
        """Returns whether a job has ended, for Snakemake too."""
        try:
            if info.external_jobid is None:
                self._send(info)
                if info.external_jobid is not None:
                    info.job.register(external_jobid=info.external_jobid)
                return False
            job = found.get(info.external_jobid)
            if job is None:
                self._fail(info, f"The job {info.external_jobid} is gone: it was deleted.")
                return True
            if not job.ended:
                return False
            self._end(info, job)
        except SlipwayError as error:
            if is_away(error):
                self._wait(error)
                return False
            if isinstance(error, problems.InvalidToken | NotSignedIn):
                # The jobs go on. The next run finds them, after signing in again.
                raise
            self._fail(info, str(error))
        return True

    def _end(self, info: SubmittedJobInfo, job: Job) -> None:
        is_done = self._service.has_succeeded(job)
        if not self._shares_disk:
            # Logs come first: a job counts as finished once all of its outputs are there.
            parts = list(getattr(info.job, "jobs", [info.job]))
            self._save(job, [path for part in parts for path in part.log])
            if is_done:
                marks = [part.benchmark for part in parts if part.benchmark]
                self._save(job, [*marks, *(path for part in parts for path in part.output)])
        self._costs.add(info.job.name, job)
        if is_done:
            self._active.pop(info.aux["name"], None)
            self.report_job_success(info)
            return
        log = info.job.logfile_suggestion(str(self._logs))
        self._service.save_output(job, Path(log))
        self._fail(info, self._service.explain_end(job), aux_logs=[log])

    def _save(self, job: Job, paths: list[str]) -> None:
        if paths:
            job.download(".", only=choose_outputs(paths), progress=False)

    def _fail(self, info: SubmittedJobInfo, reason: str, **kwargs: Any) -> None:
        self._active.pop(info.aux["name"], None)
        self.report_job_error(info, msg=f"Slipway: {reason} ", **kwargs)

    def _wait(self, error: SlipwayError) -> None:
        """Leaves the rest for the next check. Says so once, and not at every check."""
        if not self._has_told:
            self.logger.warning(f"Slipway: waits, and tries again. {error}")
        self._waits = self._has_told = True

    def cancel_jobs(self, active_jobs: list[SubmittedJobInfo]) -> None:
        submissions = [info.aux.get("submission") for info in list(self._active.values())]
        titles = {each.options["title"] for each in submissions if each is not None}
        try:
            self._service.cancel(titles)
        except SlipwayError as error:
            self.logger.error(f"Slipway: not all jobs were cancelled. {error}")

    def handle_job_success(self, job: JobExecutorInterface) -> None:
        """Snakemake has noted the end, so that a crash from here on repeats nothing."""
        super().handle_job_success(job)
        self._service.notes.drop(name_job(job))

    def handle_job_error(self, job: JobExecutorInterface) -> None:
        super().handle_job_error(job)
        self._service.notes.drop(name_job(job))

    def shutdown(self) -> None:
        super().shutdown()
        try:
            text = self._costs.write(self._service.client)
        except SlipwayError as error:
            text = f"What this run was charged could not be read: {error}"
        if text:
            self.logger.info(text)
