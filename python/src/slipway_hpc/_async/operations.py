# Made by `npm run describe` from docs/openapi.json. Do not edit.
"""A method for each operation of the service."""

from __future__ import annotations

from typing import Literal

from .. import models
from .paged import AsyncPaged
from .transport import AsyncTransport


class AsyncOperations:
    """Every operation of the service, with the names of its interface."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def list_jobs(
        self,
        *,
        hpc: str | None = None,
        project_name: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        stage: str | None = None,
        terminal: bool | None = None,
        failed: bool | None = None,
        title: str | None = None,
        since: str | None = None,
        until: str | None = None,
        order: Literal["asc", "desc"] | None = None,
        job_id: str | None = None,
        batch: str | None = None,
    ) -> AsyncPaged[models.Job]:
        """List your jobs. In ascending order of `id`. Without parameters you get everything that fits into one answer. If there is more, `Link` leads to the next page."""
        return self._transport.list_pages(
            "/jobs/[{hpc}/[{project_name}/]]",
            {"hpc": hpc, "project_name": project_name, "limit": limit, "cursor": cursor, "stage": stage, "terminal": terminal, "failed": failed, "title": title, "since": since, "until": until, "order": order, "job_id": job_id, "batch": batch},
            models.Job.from_json,
        )

    async def get_job(
        self,
        *,
        hpc: str,
        project_name: str,
        job_id: str,
        expand: Literal["request"] | None = None,
    ) -> models.JobWithRequest:
        """Get one of your jobs. With `expand=request` the answer also says what the job asked for."""
        return await self._transport.call(
            "GET",
            "/jobs/{hpc}/{project_name}/{job_id}/",
            {"hpc": hpc, "project_name": project_name, "job_id": job_id, "expand": expand},
            models.JobWithRequest.from_json,
        )

    async def delete_job(
        self,
        *,
        hpc: str,
        project_name: str,
        job_id: str,
        only: Literal["cancel", "delete"] | None = None,
    ) -> models.Job:
        """Cancel an active job, or delete an ended one. Repeating the request changes nothing. With `only`, a job to which the request does not apply stays as it is, and you can delete a cancelled job."""
        return await self._transport.call(
            "DELETE",
            "/jobs/{hpc}/{project_name}/{job_id}/",
            {"hpc": hpc, "project_name": project_name, "job_id": job_id, "only": only},
            models.Job.from_json,
        )

    async def get_timeline(
        self,
        *,
        hpc: str,
        project_name: str,
        job_id: str,
    ) -> models.Timeline:
        """Get the timeline of a job, and why it waits."""
        return await self._transport.call(
            "GET",
            "/jobs/{hpc}/{project_name}/{job_id}/timeline/",
            {"hpc": hpc, "project_name": project_name, "job_id": job_id},
            models.Timeline.from_json,
        )

    def list_batches(
        self,
        *,
        hpc: str | None = None,
        project_name: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> AsyncPaged[models.Batch]:
        """List your batches. The newest first. `Link` leads to the next page."""
        return self._transport.list_pages(
            "/batches/[{hpc}/[{project_name}/]]",
            {"hpc": hpc, "project_name": project_name, "limit": limit, "cursor": cursor},
            models.Batch.from_json,
        )

    async def repeat_failed(
        self,
        *,
        hpc: str,
        project_name: str,
        batch_id: str,
    ) -> models.Batch:
        """Submit the failed jobs of a batch again. They become a batch of their own, with the same zip and the same values, also that of `{index}`."""
        return await self._transport.call(
            "POST",
            "/batches/{hpc}/{project_name}/{batch_id}/failed/",
            {"hpc": hpc, "project_name": project_name, "batch_id": batch_id},
            models.Batch.from_json,
        )

    async def get_batch(
        self,
        *,
        hpc: str,
        project_name: str,
        batch_id: str,
    ) -> models.Batch:
        """Get one of your batches. Its jobs are at `GET /jobs/?batch=`."""
        return await self._transport.call(
            "GET",
            "/batches/{hpc}/{project_name}/{batch_id}/",
            {"hpc": hpc, "project_name": project_name, "batch_id": batch_id},
            models.Batch.from_json,
        )

    async def delete_batch(
        self,
        *,
        hpc: str,
        project_name: str,
        batch_id: str,
        only: Literal["cancel", "delete"] | None = None,
    ) -> models.Batch:
        """Cancel the active jobs of a batch, or delete an ended batch. The jobs are cancelled or deleted in the background. Repeating the request changes nothing: a cancelled batch is deleted only with `only=delete`."""
        return await self._transport.call(
            "DELETE",
            "/batches/{hpc}/{project_name}/{batch_id}/",
            {"hpc": hpc, "project_name": project_name, "batch_id": batch_id, "only": only},
            models.Batch.from_json,
        )

    async def create_upload(
        self,
        *,
        body: models.CreateUploadBody,
    ) -> models.Upload:
        """Get an address to which you can upload a large zip. A file of more than 5,000,000,000 bytes is sent in parts, and any other may be: with `"parts": true` the address takes the first part, and `POST /uploads/{upload_id}/` has those of the others."""
        return await self._transport.call(
            "POST",
            "/uploads/",
            {},
            models.Upload.from_json,
            body=body,
        )

    async def continue_upload(
        self,
        *,
        upload_id: str,
    ) -> models.UploadProgress:
        """Get the addresses of the parts that are missing. Lists up to 32 parts that have not arrived. Send each with `PUT`, and call again until `complete` is true: the call that finds none missing joins them. An upload that was interrupted goes on in the same way."""
        return await self._transport.call(
            "POST",
            "/uploads/{upload_id}/",
            {"upload_id": upload_id},
            models.UploadProgress.from_json,
        )

    def list_files(
        self,
        *,
        hpc: str,
        project_name: str,
        job_id: str,
        folder: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> AsyncPaged[models.JobFile]:
        """List the files of a job. Without parameters the list is one answer. With any of them it comes in pages, and `Link` leads to the next one. A page may have fewer entries than `limit`, or none, although others follow."""
        return self._transport.list_pages(
            "/files/{hpc}/{project_name}/{job_id}/",
            {"hpc": hpc, "project_name": project_name, "job_id": job_id, "folder": folder, "limit": limit, "cursor": cursor},
            models.JobFile.from_json,
        )

    def list_results(
        self,
        *,
        hpc: str,
        project_name: str,
        batch_id: str,
        name: str | None = None,
        first: int | None = None,
        last: int | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> AsyncPaged[models.JobResult]:
        """Read one file of each job of a batch. In the order of the jobs. A file of at most 262,144 bytes is included. `Link` leads to the next page, which begins when 4,500,000 bytes, 1,000 jobs or half of the time of one answer are reached. With `Accept: application/x-ndjson` each job is a line."""
        return self._transport.list_pages(
            "/results/{hpc}/{project_name}/{batch_id}/",
            {"hpc": hpc, "project_name": project_name, "batch_id": batch_id, "name": name, "first": first, "last": last, "limit": limit, "cursor": cursor},
            models.JobResult.from_json,
        )

    async def get_project_folder(
        self,
        *,
        hpc: str,
        project_name: str,
    ) -> models.ProjectFolder:
        """Read how full a project's folder is. A folder in which the jobs of a project find what earlier ones left (`SLIPWAY_PROJECT_DIR`). For members, leaders and administrators; for everybody else it does not exist."""
        return await self._transport.call(
            "GET",
            "/folders/{hpc}/{project_name}/",
            {"hpc": hpc, "project_name": project_name},
            models.ProjectFolder.from_json,
        )

    async def empty_project_folder(
        self,
        *,
        hpc: str,
        project_name: str,
        confirm: str | None = None,
    ) -> models.ProjectFolder:
        """Delete everything in a project's folder. For leaders of the project and administrators. Without `confirm` nothing is deleted, and the answer says what would be. The folder itself stays, because jobs may use it."""
        return await self._transport.call(
            "DELETE",
            "/folders/{hpc}/{project_name}/",
            {"hpc": hpc, "project_name": project_name, "confirm": confirm},
            models.ProjectFolder.from_json,
        )

    def list_project_files(
        self,
        *,
        hpc: str,
        project_name: str,
        folder: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> AsyncPaged[models.JobFile]:
        """List the files of a project's folder. In pages, like the files of a job. `Link` leads to the next one."""
        return self._transport.list_pages(
            "/folders/{hpc}/{project_name}/files/",
            {"hpc": hpc, "project_name": project_name, "folder": folder, "limit": limit, "cursor": cursor},
            models.JobFile.from_json,
        )

    async def delete_project_file(
        self,
        *,
        hpc: str,
        project_name: str,
        file_id: str,
    ) -> models.ProjectFolder:
        """Delete a file of a project's folder."""
        return await self._transport.call(
            "DELETE",
            "/folders/{hpc}/{project_name}/files/{file_id}/",
            {"hpc": hpc, "project_name": project_name, "file_id": file_id},
            models.ProjectFolder.from_json,
        )

    async def list_quotas(
        self,
        *,
        hpc: str | None = None,
        expand: Literal["usage"] | None = None,
    ) -> list[models.Quota]:
        """List your quotas. The first call of a new user creates the default quotas."""
        return await self._transport.call_list(
            "GET",
            "/quotas/[{hpc}/]",
            {"hpc": hpc, "expand": expand},
            models.Quota.from_json,
        )

    async def get_quota(
        self,
        *,
        hpc: str,
        project_name: str,
        expand: Literal["usage"] | None = None,
    ) -> models.Quota:
        """Get one of your quotas."""
        return await self._transport.call(
            "GET",
            "/quotas/{hpc}/{project_name}/",
            {"hpc": hpc, "project_name": project_name, "expand": expand},
            models.Quota.from_json,
        )

    def read_ledger(
        self,
        *,
        hpc: str,
        project_name: str,
        limit: int | None = None,
        cursor: str | None = None,
        since: str | None = None,
        until: str | None = None,
        sum: Literal["day", "job"] | None = None,
    ) -> AsyncPaged[models.Ledger]:
        """List every change of one of your quotas, newest first."""
        return self._transport.list_pages(
            "/quotas/{hpc}/{project_name}/ledger/",
            {"hpc": hpc, "project_name": project_name, "limit": limit, "cursor": cursor, "since": since, "until": until, "sum": sum},
            models.read_ledger,
        )

    async def list_quotas_of_user(
        self,
        *,
        user_id: str,
        hpc: str | None = None,
        expand: Literal["usage"] | None = None,
    ) -> list[models.Quota]:
        """List a user's quotas."""
        return await self._transport.call_list(
            "GET",
            "/admin/quotas/{user_id}/[{hpc}/]",
            {"user_id": user_id, "hpc": hpc, "expand": expand},
            models.Quota.from_json,
        )

    async def get_quota_of_user(
        self,
        *,
        user_id: str,
        hpc: str,
        project_name: str,
        expand: Literal["usage"] | None = None,
    ) -> models.Quota:
        """Get one of a user's quotas."""
        return await self._transport.call(
            "GET",
            "/admin/quotas/{user_id}/{hpc}/{project_name}/",
            {"user_id": user_id, "hpc": hpc, "project_name": project_name, "expand": expand},
            models.Quota.from_json,
        )

    async def grant_quota(
        self,
        *,
        user_id: str,
        hpc: str,
        project_name: str,
        body: models.GrantQuotaBody,
    ) -> models.QuotaWithUsage:
        """Grant, correct or extend a quota."""
        return await self._transport.call(
            "PUT",
            "/admin/quotas/{user_id}/{hpc}/{project_name}/",
            {"user_id": user_id, "hpc": hpc, "project_name": project_name},
            models.QuotaWithUsage.from_json,
            body=body,
        )

    async def remove_quota(
        self,
        *,
        user_id: str,
        hpc: str,
        project_name: str,
        reason: str | None = None,
        with_jobs: bool | None = None,
        body: models.RemoveQuotaBody | None = None,
    ) -> models.QuotaWithUsage:
        """Remove a quota."""
        return await self._transport.call(
            "DELETE",
            "/admin/quotas/{user_id}/{hpc}/{project_name}/",
            {"user_id": user_id, "hpc": hpc, "project_name": project_name, "reason": reason, "with_jobs": with_jobs},
            models.QuotaWithUsage.from_json,
            body=body,
        )

    def read_ledger_of_user(
        self,
        *,
        user_id: str,
        hpc: str,
        project_name: str,
        limit: int | None = None,
        cursor: str | None = None,
        since: str | None = None,
        until: str | None = None,
        sum: Literal["day", "job"] | None = None,
    ) -> AsyncPaged[models.Ledger]:
        """List every change of one of a user's quotas, newest first."""
        return self._transport.list_pages(
            "/admin/quotas/{user_id}/{hpc}/{project_name}/ledger/",
            {"user_id": user_id, "hpc": hpc, "project_name": project_name, "limit": limit, "cursor": cursor, "since": since, "until": until, "sum": sum},
            models.read_ledger,
        )

    def list_all_quotas(
        self,
        *,
        hpc: str | None = None,
        project: str | None = None,
        user: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        names: bool | None = None,
        search: str | None = None,
        expand: Literal["usage"] | None = None,
    ) -> AsyncPaged[models.Quota]:
        """List everybody's quotas."""
        return self._transport.list_pages(
            "/admin/quotas/",
            {"hpc": hpc, "project": project, "user": user, "limit": limit, "cursor": cursor, "names": names, "search": search, "expand": expand},
            models.Quota.from_json,
        )

    def read_audit(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        since: str | None = None,
        until: str | None = None,
        by: str | None = None,
        user: str | None = None,
        kind: Literal["quota-granted", "quota-removed", "quota-corrected", "user-banned", "user-unbanned", "user-erased", "job-cancelled", "job-deleted", "account-mapped", "account-unmapped", "request-declined", "project-opened", "project-changed", "project-closed", "budget-changed", "leaders-changed", "folder-emptied", "maintenance-announced", "maintenance-changed", "maintenance-withdrawn"] | None = None,
        names: bool | None = None,
    ) -> AsyncPaged[models.Act]:
        """List administrators' acts, newest first."""
        return self._transport.list_pages(
            "/admin/audit/",
            {"limit": limit, "cursor": cursor, "since": since, "until": until, "by": by, "user": user, "kind": kind, "names": names},
            models.Act.from_json,
        )

    async def report_systems(
        self,
        *,
        history: int | None = None,
    ) -> list[models.SystemReport]:
        """Get the state of the HPC systems: since when one fails, its breaker, its last error. With `history` the answer also says how each system was on the last days."""
        return await self._transport.call_list(
            "GET",
            "/admin/systems/",
            {"history": history},
            models.SystemReport.from_json,
        )

    async def announce_maintenance(
        self,
        *,
        hpc: str,
        window_name: str,
        body: models.AnnounceMaintenanceBody,
    ) -> models.MaintenanceWindow:
        """Announce a maintenance of an HPC system, or change it. Submissions are accepted meanwhile and wait. The reason is shown to users. With `drain`, the default, jobs are held back before that would not be over in time."""
        return await self._transport.call(
            "PUT",
            "/admin/systems/{hpc}/maintenance/{window_name}/",
            {"hpc": hpc, "window_name": window_name},
            models.MaintenanceWindow.from_json,
            body=body,
        )

    async def withdraw_maintenance(
        self,
        *,
        hpc: str,
        window_name: str,
        body: models.WithdrawMaintenanceBody,
    ) -> models.MaintenanceWindow:
        """Withdraw a maintenance, or end it early."""
        return await self._transport.call(
            "PUT",
            "/admin/systems/{hpc}/maintenance/{window_name}/withdraw/",
            {"hpc": hpc, "window_name": window_name},
            models.MaintenanceWindow.from_json,
            body=body,
        )

    async def pause_system(
        self,
        *,
        hpc: str,
        body: models.PauseSystemBody,
    ) -> models.MaintenanceWindow:
        """Hand over no more jobs to an HPC system until it is resumed."""
        return await self._transport.call(
            "PUT",
            "/admin/systems/{hpc}/pause/",
            {"hpc": hpc},
            models.MaintenanceWindow.from_json,
            body=body,
        )

    async def resume_system(
        self,
        *,
        hpc: str,
        body: models.ResumeSystemBody,
    ) -> models.MaintenanceWindow:
        """Resume a paused HPC system."""
        return await self._transport.call(
            "PUT",
            "/admin/systems/{hpc}/resume/",
            {"hpc": hpc},
            models.MaintenanceWindow.from_json,
            body=body,
        )

    def list_users(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        expand: Literal["activity"] | None = None,
        search: str | None = None,
    ) -> AsyncPaged[models.User]:
        """List all users. With `expand=activity` the answer also says when users last submitted, and what they used."""
        return self._transport.list_pages(
            "/admin/users/",
            {"limit": limit, "cursor": cursor, "expand": expand, "search": search},
            models.User.from_json,
        )

    async def get_user(
        self,
        *,
        user_id: str,
    ) -> models.User:
        """Get one user."""
        return await self._transport.call(
            "GET",
            "/admin/users/{user_id}/",
            {"user_id": user_id},
            models.User.from_json,
        )

    async def list_accounts(
        self,
        *,
        user_id: str,
    ) -> list[models.Account]:
        """List a user's accounts on the HPC systems."""
        return await self._transport.call_list(
            "GET",
            "/admin/users/{user_id}/accounts/",
            {"user_id": user_id},
            models.Account.from_json,
        )

    async def get_account(
        self,
        *,
        user_id: str,
        hpc: str,
    ) -> models.Account:
        """Get a user's account on an HPC system."""
        return await self._transport.call(
            "GET",
            "/admin/users/{user_id}/accounts/{hpc}/",
            {"user_id": user_id, "hpc": hpc},
            models.Account.from_json,
        )

    async def map_account(
        self,
        *,
        user_id: str,
        hpc: str,
        body: models.MapAccountBody,
    ) -> models.Account:
        """Set the account under which a user's jobs run on an HPC system."""
        return await self._transport.call(
            "PUT",
            "/admin/users/{user_id}/accounts/{hpc}/",
            {"user_id": user_id, "hpc": hpc},
            models.Account.from_json,
            body=body,
        )

    async def unmap_account(
        self,
        *,
        user_id: str,
        hpc: str,
        reason: str | None = None,
        body: models.UnmapAccountBody | None = None,
    ) -> models.Account:
        """Remove a user's account on an HPC system."""
        return await self._transport.call(
            "DELETE",
            "/admin/users/{user_id}/accounts/{hpc}/",
            {"user_id": user_id, "hpc": hpc, "reason": reason},
            models.Account.from_json,
            body=body,
        )

    async def export_user(
        self,
        *,
        user_id: str,
    ) -> models.Person:
        """Get everything that is kept about a person. Jobs, ledgers, sums and the audit are lists, which are named by their addresses."""
        return await self._transport.call(
            "GET",
            "/admin/users/{user_id}/export/",
            {"user_id": user_id},
            models.Person.from_json,
        )

    async def ban_user(
        self,
        *,
        user_id: str,
        hpc: str | None = None,
        project_name: str | None = None,
        body: models.BanUserBody,
    ) -> models.User:
        """Ban a user from submitting, anywhere or to one project."""
        return await self._transport.call(
            "PUT",
            "/admin/users/{user_id}/ban/[{hpc}/{project_name}/]",
            {"user_id": user_id, "hpc": hpc, "project_name": project_name},
            models.User.from_json,
            body=body,
        )

    async def unban_user(
        self,
        *,
        user_id: str,
        hpc: str | None = None,
        project_name: str | None = None,
        reason: str | None = None,
        body: models.UnbanUserBody | None = None,
    ) -> models.User:
        """Lift a ban."""
        return await self._transport.call(
            "DELETE",
            "/admin/users/{user_id}/ban/[{hpc}/{project_name}/]",
            {"user_id": user_id, "hpc": hpc, "project_name": project_name, "reason": reason},
            models.User.from_json,
            body=body,
        )

    async def erase_user(
        self,
        *,
        user_id: str,
        reason: str | None = None,
        body: models.EraseUserBody | None = None,
    ) -> models.Erasure:
        """Erase what is kept about a person. What the number has done stays with it."""
        return await self._transport.call(
            "DELETE",
            "/admin/users/{user_id}/person/",
            {"user_id": user_id, "reason": reason},
            models.Erasure.from_json,
            body=body,
        )

    def list_all_jobs(
        self,
        *,
        hpc: str | None = None,
        project_name: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        stage: str | None = None,
        terminal: bool | None = None,
        failed: bool | None = None,
        title: str | None = None,
        since: str | None = None,
        until: str | None = None,
        order: Literal["asc", "desc"] | None = None,
        job_id: str | None = None,
        user: str | None = None,
        names: bool | None = None,
    ) -> AsyncPaged[models.Job]:
        """List everybody's jobs."""
        return self._transport.list_pages(
            "/admin/jobs/[{hpc}/[{project_name}/]]",
            {"hpc": hpc, "project_name": project_name, "limit": limit, "cursor": cursor, "stage": stage, "terminal": terminal, "failed": failed, "title": title, "since": since, "until": until, "order": order, "job_id": job_id, "user": user, "names": names},
            models.Job.from_json,
        )

    async def get_any_job(
        self,
        *,
        hpc: str,
        project_name: str,
        job_id: str,
        expand: Literal["request"] | None = None,
        names: bool | None = None,
    ) -> models.JobWithRequest:
        """Get anybody's job. With `expand=request` the answer also says what the job asked for."""
        return await self._transport.call(
            "GET",
            "/admin/jobs/{hpc}/{project_name}/{job_id}/",
            {"hpc": hpc, "project_name": project_name, "job_id": job_id, "expand": expand, "names": names},
            models.JobWithRequest.from_json,
        )

    async def delete_any_job(
        self,
        *,
        hpc: str,
        project_name: str,
        job_id: str,
        reason: str | None = None,
        body: models.DeleteAnyJobBody | None = None,
    ) -> models.Job:
        """Cancel anybody's active job, or delete an ended one."""
        return await self._transport.call(
            "DELETE",
            "/admin/jobs/{hpc}/{project_name}/{job_id}/",
            {"hpc": hpc, "project_name": project_name, "job_id": job_id, "reason": reason},
            models.Job.from_json,
            body=body,
        )

    async def get_any_timeline(
        self,
        *,
        hpc: str,
        project_name: str,
        job_id: str,
    ) -> models.Timeline:
        """Get the timeline of anybody's job, and why it waits."""
        return await self._transport.call(
            "GET",
            "/admin/jobs/{hpc}/{project_name}/{job_id}/timeline/",
            {"hpc": hpc, "project_name": project_name, "job_id": job_id},
            models.Timeline.from_json,
        )

    async def ask_for_more(
        self,
        *,
        body: models.AskForMoreBody,
    ) -> models.QuotaRequest:
        """Ask for more time or space in a project."""
        return await self._transport.call(
            "POST",
            "/requests/",
            {},
            models.QuotaRequest.from_json,
            body=body,
        )

    def list_requests(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> AsyncPaged[models.QuotaRequest]:
        """List your requests, oldest first."""
        return self._transport.list_pages(
            "/requests/",
            {"limit": limit, "cursor": cursor},
            models.QuotaRequest.from_json,
        )

    async def get_request(
        self,
        *,
        request_id: str,
    ) -> models.QuotaRequest:
        """Get one of your requests."""
        return await self._transport.call(
            "GET",
            "/requests/{request_id}/",
            {"request_id": request_id},
            models.QuotaRequest.from_json,
        )

    async def withdraw_request(
        self,
        *,
        request_id: str,
    ) -> models.QuotaRequest:
        """Withdraw a request."""
        return await self._transport.call(
            "DELETE",
            "/requests/{request_id}/",
            {"request_id": request_id},
            models.QuotaRequest.from_json,
        )

    def list_all_requests(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        state: Literal["open", "approved", "declined", "withdrawn"] | None = None,
        hpc: str | None = None,
        project: str | None = None,
    ) -> AsyncPaged[models.JudgedRequest]:
        """List everybody's requests in one state, oldest first."""
        return self._transport.list_pages(
            "/admin/requests/",
            {"limit": limit, "cursor": cursor, "state": state, "hpc": hpc, "project": project},
            models.JudgedRequest.from_json,
        )

    async def get_any_request(
        self,
        *,
        request_id: str,
    ) -> models.JudgedRequest:
        """Get anybody's request."""
        return await self._transport.call(
            "GET",
            "/admin/requests/{request_id}/",
            {"request_id": request_id},
            models.JudgedRequest.from_json,
        )

    async def approve_request(
        self,
        *,
        request_id: str,
        body: models.ApproveRequestBody,
    ) -> models.JudgedRequest:
        """Approve a request and grant its amount."""
        return await self._transport.call(
            "PUT",
            "/admin/requests/{request_id}/approve/",
            {"request_id": request_id},
            models.JudgedRequest.from_json,
            body=body,
        )

    async def decline_request(
        self,
        *,
        request_id: str,
        body: models.DeclineRequestBody,
    ) -> models.JudgedRequest:
        """Decline a request."""
        return await self._transport.call(
            "PUT",
            "/admin/requests/{request_id}/decline/",
            {"request_id": request_id},
            models.JudgedRequest.from_json,
            body=body,
        )

    def report_usage(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        by: str | None = None,
        since: str | None = None,
        until: str | None = None,
        user: str | None = None,
        hpc: str | None = None,
        project_name: str | None = None,
        names: bool | None = None,
    ) -> AsyncPaged[models.ReportRow]:
        """Report what ended jobs used, by user, project, system, day or month. With `Accept: text/csv` you get a table."""
        return self._transport.list_pages(
            "/admin/reports/usage/",
            {"limit": limit, "cursor": cursor, "by": by, "since": since, "until": until, "user": user, "hpc": hpc, "project_name": project_name, "names": names},
            models.ReportRow.from_json,
        )

    async def read_usage(
        self,
        *,
        by: str | None = None,
        since: str | None = None,
        until: str | None = None,
    ) -> list[models.ReportRow]:
        """Report what your ended jobs used, by project, system, day or month. With `Accept: text/csv` you get a table."""
        return await self._transport.call_list(
            "GET",
            "/usage/",
            {"by": by, "since": since, "until": until},
            models.ReportRow.from_json,
        )

    async def list_webhooks(
        self,
    ) -> list[models.Webhook]:
        """List your webhooks, oldest first."""
        return await self._transport.call_list(
            "GET",
            "/webhooks/",
            {},
            models.Webhook.from_json,
        )

    async def create_webhook(
        self,
        *,
        body: models.CreateWebhookBody,
    ) -> models.WebhookWithSecret:
        """Create a webhook. The answer is the only one that shows its secret."""
        return await self._transport.call(
            "POST",
            "/webhooks/",
            {},
            models.WebhookWithSecret.from_json,
            body=body,
        )

    async def get_webhook(
        self,
        *,
        webhook_id: str,
    ) -> models.Webhook:
        """Get one of your webhooks."""
        return await self._transport.call(
            "GET",
            "/webhooks/{webhook_id}/",
            {"webhook_id": webhook_id},
            models.Webhook.from_json,
        )

    async def delete_webhook(
        self,
        *,
        webhook_id: str,
    ) -> models.Webhook:
        """Delete a webhook."""
        return await self._transport.call(
            "DELETE",
            "/webhooks/{webhook_id}/",
            {"webhook_id": webhook_id},
            models.Webhook.from_json,
        )

    def list_deliveries(
        self,
        *,
        webhook_id: str,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> AsyncPaged[models.Delivery]:
        """List the deliveries of a webhook in the last 30 days."""
        return self._transport.list_pages(
            "/webhooks/{webhook_id}/deliveries/",
            {"webhook_id": webhook_id, "limit": limit, "cursor": cursor},
            models.Delivery.from_json,
        )

    async def get_notifications(
        self,
    ) -> models.Notifications:
        """Get what you are told by mail."""
        return await self._transport.call(
            "GET",
            "/notifications/",
            {},
            models.Notifications.from_json,
        )

    async def change_notifications(
        self,
        *,
        body: models.ChangeNotificationsBody,
    ) -> models.Notifications:
        """Choose what you are told by mail. What you leave out stays as it is. An address other than the one in your token gets a mail with a link that confirms it."""
        return await self._transport.call(
            "PUT",
            "/notifications/",
            {},
            models.Notifications.from_json,
            body=body,
        )

    async def test_webhook(
        self,
        *,
        webhook_id: str,
    ) -> models.Delivery:
        """Send a test to a webhook. Sends `webhook.test` within a minute, once and without retries. The list of deliveries shows the answer of the receiver."""
        return await self._transport.call(
            "POST",
            "/webhooks/{webhook_id}/test/",
            {"webhook_id": webhook_id},
            models.Delivery.from_json,
        )

    async def send_again(
        self,
        *,
        webhook_id: str,
        delivery_id: str,
    ) -> models.Delivery:
        """Send a delivery again. Sends it again within a minute, also if it was delivered or given up. The body and its `webhook-id` stay the same. If it fails, it is retried for a day."""
        return await self._transport.call(
            "POST",
            "/webhooks/{webhook_id}/deliveries/{delivery_id}/",
            {"webhook_id": webhook_id, "delivery_id": delivery_id},
            models.Delivery.from_json,
        )

    async def list_systems(
        self,
    ) -> list[models.System]:
        """List the HPC systems: fields, limits, stages and their meanings."""
        return await self._transport.call_list(
            "GET",
            "/hpc/",
            {},
            models.System.from_json,
        )

    async def list_projects(
        self,
        *,
        hpc: str | None = None,
        led: bool | None = None,
    ) -> list[models.Project]:
        """List the projects. With `led=true` only those that you lead."""
        return await self._transport.call_list(
            "GET",
            "/projects/[{hpc}/]",
            {"hpc": hpc, "led": led},
            models.Project.from_json,
        )

    async def get_project(
        self,
        *,
        hpc: str,
        project_name: str,
    ) -> models.Project:
        """Get a project."""
        return await self._transport.call(
            "GET",
            "/projects/{hpc}/{project_name}/",
            {"hpc": hpc, "project_name": project_name},
            models.Project.from_json,
        )

    async def get_budget(
        self,
        *,
        hpc: str,
        project_name: str,
        names: bool | None = None,
    ) -> models.LedProject:
        """Get the budget and the leaders of a project. For its leaders and administrators."""
        return await self._transport.call(
            "GET",
            "/projects/{hpc}/{project_name}/budget/",
            {"hpc": hpc, "project_name": project_name, "names": names},
            models.LedProject.from_json,
        )

    def read_budget_ledger(
        self,
        *,
        hpc: str,
        project_name: str,
        limit: int | None = None,
        cursor: str | None = None,
        since: str | None = None,
        until: str | None = None,
        sum: Literal["day", "job"] | None = None,
    ) -> AsyncPaged[models.Ledger]:
        """Get the ledger of a project's budget, newest lines first. For its leaders and administrators."""
        return self._transport.list_pages(
            "/projects/{hpc}/{project_name}/budget/ledger/",
            {"hpc": hpc, "project_name": project_name, "limit": limit, "cursor": cursor, "since": since, "until": until, "sum": sum},
            models.read_ledger,
        )

    async def get_statement(
        self,
        *,
        hpc: str,
        project_name: str,
        month: str | None = None,
        names: bool | None = None,
    ) -> models.Statement:
        """Get the statement of a project for a month. For its leaders and administrators. Opening balance + granted - expired + corrected + shared - used + drawn - reserved = closing balance, in every row and in their sums. With `Accept: text/csv` you get a table."""
        return await self._transport.call(
            "GET",
            "/projects/{hpc}/{project_name}/statement/",
            {"hpc": hpc, "project_name": project_name, "month": month, "names": names},
            models.Statement.from_json,
        )

    async def open_project(
        self,
        *,
        hpc: str,
        any_project_name: str,
        body: models.OpenProjectBody,
    ) -> models.Project:
        """Open, change or reopen a project."""
        return await self._transport.call(
            "PUT",
            "/admin/projects/{hpc}/{any_project_name}/",
            {"hpc": hpc, "any_project_name": any_project_name},
            models.Project.from_json,
            body=body,
        )

    async def close_project(
        self,
        *,
        hpc: str,
        any_project_name: str,
        reason: str | None = None,
        body: models.CloseProjectBody | None = None,
    ) -> models.Project:
        """Close a project, so that nobody can submit to it."""
        return await self._transport.call(
            "DELETE",
            "/admin/projects/{hpc}/{any_project_name}/",
            {"hpc": hpc, "any_project_name": any_project_name, "reason": reason},
            models.Project.from_json,
            body=body,
        )

    async def change_budget(
        self,
        *,
        hpc: str,
        project_name: str,
        body: models.ChangeBudgetBody,
    ) -> models.LedProject:
        """Give a project a budget, or change it."""
        return await self._transport.call(
            "PUT",
            "/admin/projects/{hpc}/{project_name}/budget/",
            {"hpc": hpc, "project_name": project_name},
            models.LedProject.from_json,
            body=body,
        )

    async def set_leaders(
        self,
        *,
        hpc: str,
        project_name: str,
        body: models.SetLeadersBody,
    ) -> models.LedProject:
        """Say who leads a project."""
        return await self._transport.call(
            "PUT",
            "/admin/projects/{hpc}/{project_name}/leaders/",
            {"hpc": hpc, "project_name": project_name},
            models.LedProject.from_json,
            body=body,
        )

    async def read_status(
        self,
    ) -> models.Status:
        """Check whether the service and its systems are up."""
        return await self._transport.call(
            "GET",
            "/status/",
            {},
            models.Status.from_json,
        )
