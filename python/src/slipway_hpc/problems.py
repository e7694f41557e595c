# Made by `npm run describe` from docs/openapi.json. Do not edit.
"""An exception class for each type of problem (docs/problems.md)."""

from __future__ import annotations

from typing import Literal

from . import models
from ._problem import SlipwayProblem, need


class AccountMissing(SlipwayProblem):
    """
    Jobs on that system run as the caller's own account there, and the caller has none yet. What
    to do: ask an administrator to add it.
    """

    type_name = "account-missing"


class AccountNotFound(SlipwayProblem):
    """
    The user has no account on that system. What to do: `GET /admin/users/{user_id}/accounts/`
    lists the user's accounts.
    """

    type_name = "account-not-found"


class AccountsNotUsed(SlipwayProblem):
    """
    All jobs on that system run as the service, so it needs no accounts. What to do: set
    `runsAs` to `mapped` for that system in the catalog first.
    """

    type_name = "accounts-not-used"


class AwaitedFailed(SlipwayProblem):
    """
    The new job waits for a job or batch (`job_id`) that has already failed, or was cancelled or
    deleted. What to do: submit that one again first, or name it in `after_any`. For a batch in
    `input_from`, `input_failed` can leave out its failed jobs.
    """

    type_name = "awaited-failed"


class Banned(SlipwayProblem):
    """
    An administrator has banned the caller from submitting; `reason` says why. What to do: ask
    an administrator.
    """

    type_name = "banned"

    @property
    def reason(self) -> str:
        return need(self.problem.reason, "reason")


class BatchInputGone(SlipwayProblem):
    """The zip of the batch was removed. What to do: submit the jobs with their zip."""

    type_name = "batch-input-gone"


class BatchNotFound(SlipwayProblem):
    """
    The caller has no such batch in this project. What to do: `GET /batches/` lists the caller's
    batches.
    """

    type_name = "batch-not-found"


class BodyTooLarge(SlipwayProblem):
    """The body is too large for one request. What to do: send a zip with `POST /uploads/`."""

    type_name = "body-too-large"


class BudgetEnds(SlipwayProblem):
    """
    The budget has ended, or a leader's grant would last longer than the budget. What to do:
    choose an earlier end, or ask an administrator to extend the budget.
    """

    type_name = "budget-ends"


class BudgetNotFound(SlipwayProblem):
    """The project has no budget. What to do: an administrator can give it one."""

    type_name = "budget-not-found"


class BudgetSpent(SlipwayProblem):
    """
    Jobs on AWS Batch could cost more this month than its budget; in US dollars, `estimate` is
    what this month's jobs have cost and may still cost, `cost` what this submission could cost,
    `budget` the limit; `opens_at` is when the next month begins. What to do: ask for less, use
    another system, wait until jobs end early or the next month begins, or ask an administrator
    to raise the budget.
    """

    type_name = "budget-spent"

    @property
    def estimate(self) -> float:
        return need(self.problem.estimate, "estimate")

    @property
    def cost(self) -> float:
        return need(self.problem.cost, "cost")

    @property
    def budget(self) -> float:
        return need(self.problem.budget, "budget")

    @property
    def opens_at(self) -> str:
        return need(self.problem.opens_at, "opens_at")


class BudgetTooSmall(SlipwayProblem):
    """
    A leader shares out more than the budget of the project has left; `asked` and `left`
    (`time`, `space`) say how much, `project_hpc`, `project_name` and `charging` as for
    `quota-exceeded`. What to do: share out less, or ask an administrator for more.
    """

    type_name = "budget-too-small"

    @property
    def asked(self) -> models.Amount:
        return need(self.problem.asked, "asked")

    @property
    def left(self) -> models.Amount:
        return need(self.problem.left, "left")

    @property
    def project_hpc(self) -> str:
        return need(self.problem.project_hpc, "project_hpc")

    @property
    def project_name(self) -> str:
        return need(self.problem.project_name, "project_name")

    @property
    def charging(self) -> Literal["wall-clock", "node", "core", "weights"]:
        return need(self.problem.charging, "charging")


class Busy(SlipwayProblem):
    """
    Too many changes of one account at once; on a laptop also more requests than can be answered
    soon; nothing was changed. What to do: retry after `Retry-After` seconds.
    """

    type_name = "busy"


class DeliveryNotFound(SlipwayProblem):
    """
    The webhook has no such delivery, or it is older than 30 days. What to do: `GET
    /webhooks/{webhook_id}/deliveries/` lists those that remain.
    """

    type_name = "delivery-not-found"


class EmptyingUnconfirmed(SlipwayProblem):
    """
    Everything in the folder of a project would be deleted (`files`, `length`). What to do:
    repeat the request with `confirm` and the name of the project.
    """

    type_name = "emptying-unconfirmed"


class EventForAdministrators(SlipwayProblem):
    """
    The webhook names an event for administrators, and the caller is not one. What to do: leave
    it out of `events`.
    """

    type_name = "event-for-administrators"


class FileNotFound(SlipwayProblem):
    """The job or folder has no such file, or not yet. What to do: list the files again."""

    type_name = "file-not-found"


class FileTooLarge(SlipwayProblem):
    """
    The file is on another system than the machine of the service, and has more than
    5,000,000,000 bytes. What to do: fetch it from the HPC system itself, or let the job write
    smaller files.
    """

    type_name = "file-too-large"


class FolderFull(SlipwayProblem):
    """
    The folder of the project has more bytes (`length`) than it may (`limit`). What to do:
    delete files that nobody needs, then submit again.
    """

    type_name = "folder-full"


class FolderNotFound(SlipwayProblem):
    """
    The project has no folder on this system, or you are not a member. What to do: ask a leader
    of the project.
    """

    type_name = "folder-not-found"


class FolderOutOfReach(SlipwayProblem):
    """
    Only jobs reach the folder of the project, so nothing can be downloaded or deleted here.
    What to do: submit a job that does it.
    """

    type_name = "folder-out-of-reach"


class GrantTooLarge(SlipwayProblem):
    """The total grant would exceed 1,000,000,000,000,000. What to do: grant less."""

    type_name = "grant-too-large"


class IdempotencyKeyInUse(SlipwayProblem):
    """
    The first request with this key is still running. What to do: retry after `Retry-After`
    seconds.
    """

    type_name = "idempotency-key-in-use"


class IdempotencyKeyReused(SlipwayProblem):
    """The key belongs to a different request. What to do: send a new key."""

    type_name = "idempotency-key-reused"


class IdentityUnavailable(SlipwayProblem):
    """The identity provider cannot be reached. What to do: retry later."""

    type_name = "identity-unavailable"


class InternalError(SlipwayProblem):
    """
    The service has a bug; the operator finds it in the log by its `instance`. What to do: tell
    the operator the `instance`.
    """

    type_name = "internal-error"


class InvalidRequest(SlipwayProblem):
    """
    Something in the request is wrong; `errors` lists every mistake. What to do: correct the
    parts that `errors` names.
    """

    type_name = "invalid-request"


class InvalidToken(SlipwayProblem):
    """The token is missing or invalid. What to do: get a fresh token."""

    type_name = "invalid-token"


class JobNotFound(SlipwayProblem):
    """
    The caller has no such job; for an administrator, nobody has; for a job that asks for its
    own files, it has ended or its address is invalid. What to do: `GET /jobs/` lists the
    caller's jobs.
    """

    type_name = "job-not-found"


class JobRunsElsewhere(SlipwayProblem):
    """Another run of the job has begun, and a job runs only once. What to do: end this run."""

    type_name = "job-runs-elsewhere"


class LinkNotValid(SlipwayProblem):
    """
    The link of a mail has expired, or was sent for another address. What to do: ask for a new
    one: `PUT /notifications/`.
    """

    type_name = "link-not-valid"


class MailNotSetUp(SlipwayProblem):
    """This service sends no mail. What to do: ask its operator, or use a webhook."""

    type_name = "mail-not-set-up"


class MaintenanceNotFound(SlipwayProblem):
    """
    Administrators have announced no maintenance of this name for the system, or it is not
    paused; those of the catalog and of Slurm are changed there. What to do: `GET
    /admin/systems/` lists the windows of all systems.
    """

    type_name = "maintenance-not-found"


class NoBudget(SlipwayProblem):
    """
    Members of the project draw from its budget, but it has none. What to do: ask an
    administrator to give it one.
    """

    type_name = "no-budget"


class NoQuota(SlipwayProblem):
    """The caller has no quota in the project. What to do: ask for one with `POST /requests/`."""

    type_name = "no-quota"


class NotAdministrator(SlipwayProblem):
    """
    The path is for administrators only, or for leaders of the project that it names. What to
    do: ask an administrator.
    """

    type_name = "not-administrator"


class NotFromBudget(SlipwayProblem):
    """
    A leader wants to change or remove what an administrator granted. What to do: ask an
    administrator.
    """

    type_name = "not-from-budget"


class NotLeader(SlipwayProblem):
    """
    Only leaders of the project and administrators see its budget, or empty its folder. What to
    do: ask one of them.
    """

    type_name = "not-leader"


class NotMember(SlipwayProblem):
    """
    The caller was a member of the project by a group that the token no longer has. What to do:
    sign in again, or ask a leader of the project.
    """

    type_name = "not-member"


class NothingFailed(SlipwayProblem):
    """No job of the batch has failed, so none can run again. What to do: read the batch."""

    type_name = "nothing-failed"


class PathNotFound(SlipwayProblem):
    """The path is unknown. What to do: see the interface."""

    type_name = "path-not-found"


class ProjectClosed(SlipwayProblem):
    """
    An administrator has closed the project; its jobs and files can still be read and deleted.
    What to do: submit to another project, or ask an administrator to open it again.
    """

    type_name = "project-closed"


class ProjectInCatalog(SlipwayProblem):
    """
    The project is in the catalog, so an administrator cannot open, change or close it. What to
    do: ask the operator to change the catalog, or choose another name.
    """

    type_name = "project-in-catalog"


class ProjectNotFound(SlipwayProblem):
    """The system has no such project. What to do: `GET /projects/` lists all projects."""

    type_name = "project-not-found"


class QuotaExceeded(SlipwayProblem):
    """
    Too little of the quota remains; `asked` and `left` say how much (`time` in seconds, `space`
    in kilobytes), `project_hpc` and `project_name` where, and `charging` how the seconds are
    counted (`node`, `core`, `wall-clock` or `weights`). What to do: ask for less, wait until
    jobs end, or ask for more with `POST /requests/`.
    """

    type_name = "quota-exceeded"

    @property
    def asked(self) -> models.Amount:
        return need(self.problem.asked, "asked")

    @property
    def left(self) -> models.Amount:
        return need(self.problem.left, "left")

    @property
    def project_hpc(self) -> str:
        return need(self.problem.project_hpc, "project_hpc")

    @property
    def project_name(self) -> str:
        return need(self.problem.project_name, "project_name")

    @property
    def charging(self) -> Literal["wall-clock", "node", "core", "weights"]:
        return need(self.problem.charging, "charging")


class QuotaExpired(SlipwayProblem):
    """The quota has ended. What to do: ask an administrator to extend it."""

    type_name = "quota-expired"


class QuotaInUse(SlipwayProblem):
    """
    An administrator wants to take more from a quota than remains, or to remove it while jobs
    need it; `time`, `space` (each `granted`, `left`, `held`, `used`) and `living_jobs` describe
    the quota, `lowest` (`time`, `space`) is the lowest that can be set, `ended_jobs` counts
    ended jobs that hold space, `discarded_jobs` counts the jobs that this request has cancelled
    or deleted; `project_hpc`, `project_name` and `charging` as for `quota-exceeded`. What to
    do: set `lowest` or more; cancel active jobs and delete ended ones, or remove the quota with
    `?with_jobs=true`.
    """

    type_name = "quota-in-use"

    @property
    def time(self) -> models.TimeUsage:
        return need(self.problem.time, "time")

    @property
    def space(self) -> models.SpaceUsage:
        return need(self.problem.space, "space")

    @property
    def living_jobs(self) -> int:
        return need(self.problem.living_jobs, "living_jobs")

    @property
    def lowest(self) -> models.Amount:
        return need(self.problem.lowest, "lowest")

    @property
    def ended_jobs(self) -> int:
        return need(self.problem.ended_jobs, "ended_jobs")

    @property
    def discarded_jobs(self) -> int:
        return need(self.problem.discarded_jobs, "discarded_jobs")

    @property
    def project_hpc(self) -> str:
        return need(self.problem.project_hpc, "project_hpc")

    @property
    def project_name(self) -> str:
        return need(self.problem.project_name, "project_name")

    @property
    def charging(self) -> Literal["wall-clock", "node", "core", "weights"]:
        return need(self.problem.charging, "charging")


class QuotaNotFound(SlipwayProblem):
    """The quota does not exist. What to do: `GET /quotas/` lists the caller's quotas."""

    type_name = "quota-not-found"


class RecordsFull(SlipwayProblem):
    """
    The table has no room for more records of this user; nothing was changed. What to do: tell
    the operator; retrying does not help.
    """

    type_name = "records-full"


class RequestEnded(SlipwayProblem):
    """
    The request was already approved, declined or withdrawn; `state` says which, `by` says who
    did it; nothing was changed. What to do: read the request.
    """

    type_name = "request-ended"

    @property
    def state(self) -> str:
        return need(self.problem.state, "state")

    @property
    def by(self) -> str:
        return need(self.problem.by, "by")


class RequestNotFound(SlipwayProblem):
    """
    The caller has made no such request; for an administrator, nobody has, or it ended more than
    a year ago. What to do: `GET /requests/` lists the caller's requests.
    """

    type_name = "request-not-found"


class RequestOpen(SlipwayProblem):
    """
    The caller already has an open request for this project; `request_id` names it. What to do:
    wait for its decision, or withdraw it.
    """

    type_name = "request-open"


class ResultsTooLarge(SlipwayProblem):
    """
    The results of a job have more bytes than its system allows; see `limit`. What to do: let
    the job remove unneeded files before it ends.
    """

    type_name = "results-too-large"

    @property
    def limit(self) -> float:
        return need(self.problem.limit, "limit")


class StatementNotReady(SlipwayProblem):
    """
    The ledgers since the month of a statement have so many lines that one request can't draw it
    up; what is done is kept. What to do: retry after `Retry-After` seconds; each request goes
    on where the one before has ended.
    """

    type_name = "statement-not-ready"


class StorageUnavailable(SlipwayProblem):
    """
    The service cannot reach its file storage; no job was created. What to do: retry after
    `Retry-After` seconds.
    """

    type_name = "storage-unavailable"


class SubmissionUncertain(SlipwayProblem):
    """
    The service lost contact with its database while it stored the job, so the job may or may
    not exist. What to do: with an `Idempotency-Key`, send the same request again; without one,
    check `GET /jobs/` first.
    """

    type_name = "submission-uncertain"


class SystemBusy(SlipwayProblem):
    """
    The HPC system accepts no more requests right now. What to do: retry after `Retry-After`
    seconds.
    """

    type_name = "system-busy"


class SystemNotFound(SlipwayProblem):
    """The HPC system is unknown. What to do: `GET /hpc/` lists all systems."""

    type_name = "system-not-found"


class SystemUnavailable(SlipwayProblem):
    """
    The HPC system cannot be reached, or refuses the service's credentials. What to do: retry
    after `Retry-After` seconds.
    """

    type_name = "system-unavailable"


class Timeout(SlipwayProblem):
    """
    The request timed out but may have taken effect. What to do: check before you retry; a
    submission with an `Idempotency-Key` can be repeated safely.
    """

    type_name = "timeout"


class TooManyCalls(SlipwayProblem):
    """
    The caller calls more often than allowed; `limit` is the number of calls per second; the
    call had no effect. What to do: retry after `Retry-After` seconds, and call less often;
    webhooks report changes.
    """

    type_name = "too-many-calls"

    @property
    def limit(self) -> float:
        return need(self.problem.limit, "limit")


class TooManyDownloads(SlipwayProblem):
    """
    Downloads of large files exceed 10,000,000,000 bytes at once for the caller. What to do:
    retry after `Retry-After` seconds, or download the files one after the other.
    """

    type_name = "too-many-downloads"


class TooManyJobs(SlipwayProblem):
    """
    The caller would have more active jobs in the project than allowed; see `limit` and `count`.
    What to do: wait until some end, cancel some, or submit fewer.
    """

    type_name = "too-many-jobs"

    @property
    def limit(self) -> float:
        return need(self.problem.limit, "limit")

    @property
    def count(self) -> float:
        return need(self.problem.count, "count")


class TooManyLinks(SlipwayProblem):
    """
    5 links that confirm an address were sent for the caller within a day. What to do: open the
    last one, or wait for `Retry-After` seconds.
    """

    type_name = "too-many-links"


class TooManyOpenRequests(SlipwayProblem):
    """
    The caller has 20 open requests (`limit`). What to do: wait for a decision, or withdraw one.
    """

    type_name = "too-many-open-requests"


class TooManyUploads(SlipwayProblem):
    """
    The caller has 10 unused uploads; see `limit` and `count`. What to do: submit jobs with
    them, or wait; each expires after 24 hours.
    """

    type_name = "too-many-uploads"

    @property
    def limit(self) -> float:
        return need(self.problem.limit, "limit")

    @property
    def count(self) -> float:
        return need(self.problem.count, "count")


class TooManyWebhooks(SlipwayProblem):
    """The caller has 10 webhooks. What to do: delete one first."""

    type_name = "too-many-webhooks"


class Unavailable(SlipwayProblem):
    """The service cannot reach its database. What to do: retry later."""

    type_name = "unavailable"


class UnsupportedBody(SlipwayProblem):
    """
    The content type is not supported: the body would not arrive byte by byte, or JSON is
    expected. What to do: send a zip with `Content-Type: application/zip`; send JSON as
    `application/json`.
    """

    type_name = "unsupported-body"


class UploadGone(SlipwayProblem):
    """
    The upload does not exist, has expired, or belongs to somebody else. What to do: create a
    new one.
    """

    type_name = "upload-gone"


class UploadUnfinished(SlipwayProblem):
    """
    The file of the upload has not arrived. What to do: send it to the upload's address, then
    submit again.
    """

    type_name = "upload-unfinished"


class UploadUsed(SlipwayProblem):
    """Another job has already used this upload. What to do: create a new upload."""

    type_name = "upload-used"


class UploadsTooLarge(SlipwayProblem):
    """
    The caller's unused uploads and this one have more kilobytes (`count`) than the caller's
    quotas have remaining (`limit`). What to do: submit jobs with them, or wait; each expires
    after 24 hours.
    """

    type_name = "uploads-too-large"


class UserNotFound(SlipwayProblem):
    """
    The service does not know this user. What to do: `GET /admin/users/` lists all known users.
    """

    type_name = "user-not-found"


class WebhookNotFound(SlipwayProblem):
    """
    The caller has no such webhook. What to do: `GET /webhooks/` lists the caller's webhooks.
    """

    type_name = "webhook-not-found"


by_name: dict[str, type[SlipwayProblem]] = {
    "account-missing": AccountMissing,
    "account-not-found": AccountNotFound,
    "accounts-not-used": AccountsNotUsed,
    "awaited-failed": AwaitedFailed,
    "banned": Banned,
    "batch-input-gone": BatchInputGone,
    "batch-not-found": BatchNotFound,
    "body-too-large": BodyTooLarge,
    "budget-ends": BudgetEnds,
    "budget-not-found": BudgetNotFound,
    "budget-spent": BudgetSpent,
    "budget-too-small": BudgetTooSmall,
    "busy": Busy,
    "delivery-not-found": DeliveryNotFound,
    "emptying-unconfirmed": EmptyingUnconfirmed,
    "event-for-administrators": EventForAdministrators,
    "file-not-found": FileNotFound,
    "file-too-large": FileTooLarge,
    "folder-full": FolderFull,
    "folder-not-found": FolderNotFound,
    "folder-out-of-reach": FolderOutOfReach,
    "grant-too-large": GrantTooLarge,
    "idempotency-key-in-use": IdempotencyKeyInUse,
    "idempotency-key-reused": IdempotencyKeyReused,
    "identity-unavailable": IdentityUnavailable,
    "internal-error": InternalError,
    "invalid-request": InvalidRequest,
    "invalid-token": InvalidToken,
    "job-not-found": JobNotFound,
    "job-runs-elsewhere": JobRunsElsewhere,
    "link-not-valid": LinkNotValid,
    "mail-not-set-up": MailNotSetUp,
    "maintenance-not-found": MaintenanceNotFound,
    "no-budget": NoBudget,
    "no-quota": NoQuota,
    "not-administrator": NotAdministrator,
    "not-from-budget": NotFromBudget,
    "not-leader": NotLeader,
    "not-member": NotMember,
    "nothing-failed": NothingFailed,
    "path-not-found": PathNotFound,
    "project-closed": ProjectClosed,
    "project-in-catalog": ProjectInCatalog,
    "project-not-found": ProjectNotFound,
    "quota-exceeded": QuotaExceeded,
    "quota-expired": QuotaExpired,
    "quota-in-use": QuotaInUse,
    "quota-not-found": QuotaNotFound,
    "records-full": RecordsFull,
    "request-ended": RequestEnded,
    "request-not-found": RequestNotFound,
    "request-open": RequestOpen,
    "results-too-large": ResultsTooLarge,
    "statement-not-ready": StatementNotReady,
    "storage-unavailable": StorageUnavailable,
    "submission-uncertain": SubmissionUncertain,
    "system-busy": SystemBusy,
    "system-not-found": SystemNotFound,
    "system-unavailable": SystemUnavailable,
    "timeout": Timeout,
    "too-many-calls": TooManyCalls,
    "too-many-downloads": TooManyDownloads,
    "too-many-jobs": TooManyJobs,
    "too-many-links": TooManyLinks,
    "too-many-open-requests": TooManyOpenRequests,
    "too-many-uploads": TooManyUploads,
    "too-many-webhooks": TooManyWebhooks,
    "unavailable": Unavailable,
    "unsupported-body": UnsupportedBody,
    "upload-gone": UploadGone,
    "upload-unfinished": UploadUnfinished,
    "upload-used": UploadUsed,
    "uploads-too-large": UploadsTooLarge,
    "user-not-found": UserNotFound,
    "webhook-not-found": WebhookNotFound,
}
