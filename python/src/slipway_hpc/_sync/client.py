# Made by `npm run describe` from _async/client.py. Do not edit.
"""The client."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, overload

import httpx

from .. import models
from .._durations import Runtime
from .._files import Input, add_file, open_input, write_table
from .._old_names import accept_old_names
from .._paths import write_path
from .._profile import find_key_file, require_safe_address
from .._progress import ProgressLine
from .._quotas import QuotaWithUsage
from .._rows import Rows
from .._settings import Settings, read_timeout
from .._submission import MOST_IN_BODY, refuse_unmatched, write_headers, write_payload
from .._tokens import Token
from .access import LaptopTokens, find_access
from .batches import Batch
from .folders import ProjectFolder
from .jobs import Job, find_job
from .operations import Operations
from .paged import Paged
from .tables import read_csv, send_rows
from .transport import Answer, Transport, Sending
from .uploads import upload_file


class Slipway:
    """
    A client of a Slipway service.

    Finds its service as the command ``slipway`` does: in ``SLIPWAY_URL`` and ``SLIPWAY_TOKEN``, or
    in the profile that ``slipway login`` has written.

    Args:
        url: The address of the service.
        token: A token, or a function that returns one. The function is called before every
            request, so let it cache. If it takes an argument, it gets the refused token after a
            refusal, and None otherwise.
        profile: The name of a profile (default: ``SLIPWAY_PROFILE``, or ``default``).
        timeout: Seconds for one try of a request, and for which a download or upload may stall
            (default: ``SLIPWAY_TIMEOUT``, such as ``2m``, or 40).
        retries: How often a request is retried.
        max_answer_bytes: The bytes of an answer, except files.
        max_pages: The pages of a list.
    """

    def __init__(
        self,
        url: str | None = None,
        token: Token | None = None,
        *,
        profile: str | None = None,
        timeout: float | None = None,
        retries: int = 6,
        max_answer_bytes: int = 32_000_000,
        max_pages: int = 10_000,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        address, found = find_access(url, token, profile)
        self.settings = Settings(
            timeout=read_timeout() if timeout is None else timeout,
            retries=retries,
            max_answer_bytes=max_answer_bytes,
            max_pages=max_pages,
        )
        self._transport = Transport(address, found, self.settings, transport)
        #: Every operation of the service, with the names of its interface.
        self.api = Operations(self._transport)

    @classmethod
    def local(
        cls,
        url: str = "http://localhost:3000",
        *,
        user: str = "306328",
        administrator: bool = False,
        key_file: str | os.PathLike[str] | None = None,
        **settings: Any,
    ) -> Slipway:
        """
        Signs in at the laptop edition that ``npm start`` runs, as any user.

        Finds its key in ``.slipway/key`` of this folder or one above it, or in ``key_file``.
        """
        address = require_safe_address(url)
        file = Path(key_file) if key_file is not None else find_key_file()
        return cls(address, LaptopTokens(address, user, administrator, file), **settings)

    @property
    def url(self) -> str:
        """The address of the service."""
        return self._transport.url

    @property
    def requests_sent(self) -> int:
        """How many requests this client has sent, with all retries."""
        return self._transport.requests

    def status(self) -> models.Status:
        """Returns the state of the service and of its systems."""
        return self.api.read_status()

    def systems(self) -> Rows[models.System]:
        """Lists the HPC systems, with what each one takes."""
        return Rows(self.api.list_systems())

    def projects(self, hpc: str | None = None) -> Rows[models.Project]:
        """Lists the projects."""
        return Rows(self.api.list_projects(hpc=hpc))

    @accept_old_names
    def submit(
        self,
        input: Input,
        hpc: str,
        *,
        command: str | None = None,
        tool: str | None = None,
        runtime: Runtime,
        nodes: int = 1,
        cores: int = 1,
        tasks: int | None = None,
        memory: str | None = None,
        gpus: int | None = None,
        gpu_kind: str | None = None,
        class_: str | None = None,
        image: str | None = None,
        title: str | None = None,
        project: str | None = None,
        after: object = None,
        after_any: object = None,
        input_from: object = None,
        input_folder: str | None = None,
        inputs: Mapping[str, str] | Iterable[Mapping[str, str]] | None = None,
        outputs: Mapping[str, str] | Iterable[Mapping[str, str]] | None = None,
        input_failed: str | None = None,
        fields: Mapping[str, Any] | None = None,
        idempotency_key: str | None = None,
        progress: bool | None = None,
    ) -> Job:
        """
        Submits a job. However often the request must be sent, it makes one job.

        Args:
            input: A folder, which is packed, a zip on the disk or as bytes, or None.
            hpc: The name of the system.
            command: What to run, on systems that take a command.
            tool: The tool to run, on systems that have tools.
            runtime: The requested time, as a number of hours, a text such as ``"1:30:00"`` or
                ``"1h30m"``, or a timedelta.
            nodes: The number of nodes.
            cores: The number of cores on each node.
            tasks: The number of tasks on each node, which divide its cores, on systems that offer
                the choice.
            memory: The memory on each node, such as ``"16 GB"``.
            gpus: The number of GPUs on each node.
            gpu_kind: The kind of GPU, one of the system's ``gpu_kinds``.
            class_: The class of the job, one of the system's ``classes``.
            image: The image that the command runs in, with its registry, on systems that allow
                images.
            title: A title for people.
            project: The project (default: the first one of the system).
            after: Jobs, batches or ids that must end well before this job runs.
            after_any: Jobs, batches or ids that must end before this job runs, however that is.
            input_from: The job or batch whose results become the input. Each job of a batch has a
                folder, named by its index.
            input_folder: The folder for these results.
            inputs: Files that the job fetches, as addresses by their paths in its folder:
                ``{"data/a.nc": "https://data.example.org/a.nc"}``, on systems that allow hosts
                for it. A list of ``{"from": ..., "to": ..., "sha256": ...}`` has checksums, too.
            outputs: Where files go after the command, as addresses by the files:
                ``{"results/*.nc": "s3://lab-data/runs/"}``, on systems that allow places for it.
            input_failed: Whether jobs of this batch that did not end well refuse the input
                (``"refuse"``, the default) or are left out (``"leave_out"``).
            fields: Other fields of the system.
            idempotency_key: The same key never makes two jobs. Pass your own if your program may
                restart in between.
            progress: Whether to show the progress of a large upload. By default in terminals and
                notebooks only.
        """
        payload = write_payload(
            command=command,
            tool=tool,
            runtime=runtime,
            nodes=nodes,
            cores=cores,
            tasks=tasks,
            memory=memory,
            gpus=gpus,
            gpu_kind=gpu_kind,
            class_=class_,
            image=image,
            title=title,
            after=after,
            after_any=after_any,
            input_from=input_from,
            input_folder=input_folder,
            inputs=inputs,
            outputs=outputs,
            input_failed=input_failed,
            fields=fields,
        )
        with open_input(input) as (path, name):
            answer = self._submit(
                "jobs", hpc, project, payload, path, name, idempotency_key, progress
            )
        return Job(self.api, models.Job.from_json(answer.parse()))

    @accept_old_names
    def estimate(
        self,
        input: Input,
        hpc: str,
        *,
        command: str | None = None,
        tool: str | None = None,
        runtime: Runtime,
        nodes: int = 1,
        cores: int = 1,
        tasks: int | None = None,
        memory: str | None = None,
        gpus: int | None = None,
        gpu_kind: str | None = None,
        class_: str | None = None,
        image: str | None = None,
        title: str | None = None,
        project: str | None = None,
        after: object = None,
        after_any: object = None,
        input_from: object = None,
        input_folder: str | None = None,
        inputs: Mapping[str, str] | Iterable[Mapping[str, str]] | None = None,
        outputs: Mapping[str, str] | Iterable[Mapping[str, str]] | None = None,
        input_failed: str | None = None,
        fields: Mapping[str, Any] | None = None,
    ) -> models.Estimate:
        """
        Tells what a job would hold of the quota, and submits nothing.

        An input too large for one request is not sent, and its space is not counted.
        """
        payload = write_payload(
            command=command,
            tool=tool,
            runtime=runtime,
            nodes=nodes,
            cores=cores,
            tasks=tasks,
            memory=memory,
            gpus=gpus,
            gpu_kind=gpu_kind,
            class_=class_,
            image=image,
            title=title,
            after=after,
            after_any=after_any,
            input_from=input_from,
            input_folder=input_folder,
            inputs=inputs,
            outputs=outputs,
            input_failed=input_failed,
            fields=fields,
        )
        with open_input(input) as (path, name):
            answer = self._post("jobs", hpc, project, payload, path, name, {}, dry_run=True)
        return models.Estimate.from_json(answer.parse())

    @accept_old_names
    def map(
        self,
        input: Input,
        hpc: str,
        *,
        command: str | None = None,
        tool: str | None = None,
        rows: Iterable[Mapping[str, Any]] | None = None,
        count: int | None = None,
        runtime: Runtime,
        nodes: int = 1,
        cores: int = 1,
        tasks: int | None = None,
        memory: str | None = None,
        gpus: int | None = None,
        gpu_kind: str | None = None,
        class_: str | None = None,
        image: str | None = None,
        title: str | None = None,
        project: str | None = None,
        max_running: int | None = None,
        allow_unmatched: bool = False,
        after: object = None,
        after_any: object = None,
        input_from: object = None,
        input_folder: str | None = None,
        inputs: Mapping[str, str] | Iterable[Mapping[str, str]] | None = None,
        outputs: Mapping[str, str] | Iterable[Mapping[str, str]] | None = None,
        fields: Mapping[str, Any] | None = None,
        idempotency_key: str | None = None,
        progress: bool | None = None,
    ) -> Batch:
        """
        Submits a job for each row, as one batch. All of it is accepted or nothing.

        In ``command``, ``title`` and ``fields``, ``{index}`` stands for the number of the job, and
        ``{name}`` for the value of its row. Values are put in as they are, so quote what may
        contain spaces.

        Args:
            rows: A dictionary for each job, all with the same names, or a DataFrame.
            count: The number of jobs, instead of rows.
            max_running: How many of the jobs may run at once.
            allow_unmatched: Leaves names in braces that no row has as they are, instead of
                refusing them.

        The other arguments are those of ``submit``.
        """
        if (rows is None) == (count is None):
            raise ValueError("Give either rows or count.")
        table = None
        listed: list[Mapping[str, Any]] = []
        if rows is not None:
            listed = list(rows.to_dict("records") if hasattr(rows, "to_dict") else rows)
            input, table = add_file(input, "slipway-rows.csv", write_table(listed))
        if not allow_unmatched:
            texts = (command or "", title or "", *(fields or {}).values())
            refuse_unmatched(listed[0] if listed else (), texts)
        payload = write_payload(
            command=command,
            tool=tool,
            runtime=runtime,
            nodes=nodes,
            cores=cores,
            tasks=tasks,
            memory=memory,
            gpus=gpus,
            gpu_kind=gpu_kind,
            class_=class_,
            image=image,
            title=title,
            after=after,
            after_any=after_any,
            input_from=input_from,
            input_folder=input_folder,
            inputs=inputs,
            outputs=outputs,
            fields=fields,
            count=count,
            table=table,
            max_running=max_running,
        )
        with open_input(input) as (path, name):
            answer = self._submit(
                "batches", hpc, project, payload, path, name, idempotency_key, progress
            )
        return Batch._of(self.api, models.Batch.from_json(answer.parse()))

    def job(self, job_id: str) -> Job:
        """Finds one of your jobs by its id."""
        return find_job(self.api, job_id)

    def jobs(
        self,
        hpc: str | None = None,
        project: str | None = None,
        *,
        stage: str | None = None,
        ended: bool | None = None,
        failed: bool | None = None,
        title: str | None = None,
        since: str | None = None,
        until: str | None = None,
        order: Literal["asc", "desc"] | None = None,
        job_id: str | None = None,
        batch: str | None = None,
        limit: int | None = None,
    ) -> Paged[Job]:
        """
        Lists your jobs. Pages are fetched as you go through the list.

        Args:
            stage: Only jobs in this stage.
            ended: Only ended jobs, or only active ones.
            failed: Only jobs that failed, or only the others.
            title: Only jobs whose title contains this text.
            since: Only jobs submitted since this day or time.
            until: Only jobs submitted before this day or time.
            order: ``asc`` by default, or ``desc`` for the newest first.
            batch: Only the jobs of this batch.
            limit: The number of jobs on a page.
        """
        listed = self.api.list_jobs(
            hpc=hpc,
            project_name=project,
            stage=stage,
            terminal=ended,
            failed=failed,
            title=title,
            since=since,
            until=until,
            order=order,
            job_id=job_id,
            batch=batch,
            limit=limit,
        )
        return listed.change(lambda data: Job(self.api, data))

    def batch(self, hpc: str, project: str, batch_id: str) -> Batch:
        """Gets one of your batches."""
        data = self.api.get_batch(hpc=hpc, project_name=project, batch_id=batch_id)
        return Batch._of(self.api, data)

    def batches(self, hpc: str | None = None, project: str | None = None) -> Paged[Batch]:
        """Lists your batches, the newest first."""
        listed = self.api.list_batches(hpc=hpc, project_name=project)
        return listed.change(lambda data: Batch._of(self.api, data))

    def folder(self, hpc: str, project: str) -> ProjectFolder:
        """
        Returns the folder of a project, in which its jobs find what earlier ones left.

        Asks the service for nothing.
        """
        return ProjectFolder(self.api, hpc, project)

    def quotas(self, hpc: str | None = None) -> Rows[QuotaWithUsage]:
        """Lists your quotas, with their usage. Time is in seconds of node time."""
        quotas = self.api.list_quotas(hpc=hpc, expand="usage")
        return Rows([QuotaWithUsage.from_json(quota.to_dict()) for quota in quotas])

    def quota(self, hpc: str, project: str) -> QuotaWithUsage:
        """Gets one of your quotas, with its usage."""
        quota = self.api.get_quota(hpc=hpc, project_name=project, expand="usage")
        return QuotaWithUsage.from_json(quota.to_dict())

    @overload
    def ledger(
        self,
        hpc: str,
        project: str,
        *,
        since: str | None = None,
        until: str | None = None,
        sum: None = None,
    ) -> Paged[models.LedgerLine]: ...

    @overload
    def ledger(
        self,
        hpc: str,
        project: str,
        *,
        since: str | None = None,
        until: str | None = None,
        sum: Literal["day"],
    ) -> Paged[models.LedgerDay]: ...

    @overload
    def ledger(
        self,
        hpc: str,
        project: str,
        *,
        since: str | None = None,
        until: str | None = None,
        sum: Literal["job"],
    ) -> Paged[models.LedgerJob]: ...

    def ledger(
        self,
        hpc: str,
        project: str,
        *,
        since: str | None = None,
        until: str | None = None,
        sum: Literal["day", "job"] | None = None,
    ) -> Paged[Any]:
        """Lists every change of a quota, the newest first, or sums by day or job."""
        return self.api.read_ledger(
            hpc=hpc, project_name=project, since=since, until=until, sum=sum
        )

    def usage(
        self, by: str | None = None, *, since: str | None = None, until: str | None = None
    ) -> Rows[models.ReportRow]:
        """Reports what your ended jobs used, by ``project``, ``system``, ``day`` or ``month``."""
        return Rows(self.api.read_usage(by=by, since=since, until=until))

    def usage_as_csv(
        self, by: str | None = None, *, since: str | None = None, until: str | None = None
    ) -> str:
        """Reports what your ended jobs used, as CSV."""
        query = {"by": by, "since": since, "until": until}
        return read_csv(self._transport, "/usage/", query)

    def report_usage_as_csv(
        self,
        by: str | None = None,
        *,
        since: str | None = None,
        until: str | None = None,
        user: str | None = None,
        hpc: str | None = None,
        project: str | None = None,
    ) -> str:
        """Reports what ended jobs used, as CSV with all pages. For administrators."""
        query = {"by": by, "since": since, "until": until, "user": user, "hpc": hpc}
        return read_csv(
            self._transport, "/admin/reports/usage/", {**query, "project_name": project}
        )

    def grant_quotas(
        self,
        rows: Iterable[Mapping[str, Any]] | None = None,
        *,
        csv: str | None = None,
        reason: str | None = None,
        dry_run: bool | None = None,
        idempotency_key: str | None = None,
    ) -> Rows[models.GrantedRow]:
        """
        Grants or corrects many quotas, each row by itself. For administrators.

        Args:
            rows: A dictionary for each grant, with the names of ``api.grant_quota``.
            csv: A table instead of rows.
            reason: The reason of all rows without their own.
            dry_run: Only tells the outcome of each row.
            idempotency_key: Under one key, each row is granted once. Pass your own if your program
                may restart in between.
        """
        query = {"reason": reason, "dry_run": dry_run}
        return Rows(
            send_rows(
                self._transport,
                "/admin/quotas/",
                rows,
                csv,
                query,
                idempotency_key,
                models.read_granted_row,
            )
        )

    def map_accounts(
        self,
        rows: Iterable[Mapping[str, Any]] | None = None,
        *,
        csv: str | None = None,
        reason: str | None = None,
        dry_run: bool | None = None,
        idempotency_key: str | None = None,
    ) -> Rows[models.AccountRow]:
        """
        Enters the accounts of many users, each row by itself. For administrators.

        The arguments are those of ``grant_quotas``, with the names of accounts in the rows.
        """
        query = {"reason": reason, "dry_run": dry_run}
        return Rows(
            send_rows(
                self._transport,
                "/admin/accounts/",
                rows,
                csv,
                query,
                idempotency_key,
                models.read_account_row,
            )
        )

    def _submit(
        self,
        made: Literal["jobs", "batches"],
        hpc: str,
        project: str | None,
        payload: Mapping[str, Any],
        path: Path | None,
        name: str,
        key: str | None,
        progress: bool | None,
    ) -> Answer:
        headers = {"Idempotency-Key": key or str(uuid.uuid4())}
        if path is not None and path.stat().st_size > MOST_IN_BODY:
            headers["Upload-Id"] = self._upload(path, name, progress)
        return self._post(made, hpc, project, payload, path, name, headers)

    def _post(
        self,
        made: Literal["jobs", "batches"],
        hpc: str,
        project: str | None,
        payload: Mapping[str, Any],
        path: Path | None,
        name: str,
        headers: Mapping[str, str],
        *,
        dry_run: bool | None = None,
    ) -> Answer:
        body: bytes | None = None
        if path is not None and path.stat().st_size <= MOST_IN_BODY:
            body = path.read_bytes()
        return self._transport.send(
            Sending(
                method="POST",
                path=write_path(
                    f"/{made}/{{hpc}}/[{{project_name}}/]",
                    {"hpc": hpc, "project_name": project, "dry_run": dry_run},
                ),
                headers={
                    **write_headers(payload, name),
                    **({"Content-Type": "application/zip"} if body is not None else {}),
                    **headers,
                },
                body=body,
                repeatable=True,
            )
        )

    def _upload(self, path: Path, name: str, progress: bool | None) -> str:
        """Sends an input to the storage, a large one in parts."""
        with ProgressLine(progress) as line:
            return upload_file(
                self._transport, path, name, lambda done, all: line.update(done, all, "uploading")
            )

    def close(self) -> None:
        """Closes the connections."""
        self._transport.close()

    def __enter__(self) -> Slipway:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Slipway {self.url}>"
