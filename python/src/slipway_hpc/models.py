# Made by `npm run describe` from docs/openapi.json. Do not edit.
"""The answers of the service, and the bodies of requests."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypedDict

from ._faces import QuotaFace, TimelineFace
from ._model import Model, read_one_of


@dataclass(frozen=True, kw_only=True)
class BatchCounts(Model):
    waiting: int
    running: int
    done: int
    failed: int
    cancelled: int


@dataclass(frozen=True, kw_only=True)
class Amount(Model):
    time: float
    space: float


@dataclass(frozen=True, kw_only=True)
class Batch(Model):
    batch_id: str
    count: int
    counts: BatchCounts
    end_date: str | None
    held: Amount
    init_date: str
    max_running: int | None
    owner: str
    project: int
    project_hpc: str
    project_name: str
    runtime: float
    title: str
    used: Amount


@dataclass(frozen=True, kw_only=True)
class BatchEstimateResources(Model):
    task_number: int | None = None
    memory: str | None = None
    gpu_number: int | None = None
    gpu_kind: str | None = None
    class_: str | None = None
    image: str | None = None


@dataclass(frozen=True, kw_only=True)
class MaintenanceWindow(Model):
    name: str
    from_: str
    until: str | None
    reason: str
    drain: bool
    source: Literal["administrator", "catalog", "slurm"]


@dataclass(frozen=True, kw_only=True)
class BatchEstimatePreview(Model):
    index: int
    program: str
    title: str


@dataclass(frozen=True, kw_only=True)
class BatchEstimate(Model):
    accepted: Literal[True]
    count: int
    runtime: float
    held: Amount
    left: Amount
    living_jobs: int
    max_living_jobs: int
    account: str | None = None
    resources: BatchEstimateResources | None = None
    maintenance: MaintenanceWindow | None = None
    preview: list[BatchEstimatePreview]


@dataclass(frozen=True, kw_only=True)
class Share(Model):
    used: float
    asked: float


@dataclass(frozen=True, kw_only=True)
class EstimateSimilar(Model):
    jobs: int
    time: Share


@dataclass(frozen=True, kw_only=True)
class Estimate(Model):
    accepted: Literal[True]
    runtime: float
    held: Amount
    left: Amount
    living_jobs: int
    max_living_jobs: int
    similar: EstimateSimilar | None = None
    account: str | None = None
    resources: BatchEstimateResources | None = None
    maintenance: MaintenanceWindow | None = None


@dataclass(frozen=True, kw_only=True)
class Followed(Model):
    followed: bool


@dataclass(frozen=True, kw_only=True)
class Job(Model):
    end_date: str | None
    failed: bool
    id: int
    init_date: str
    job_id: str
    owner: str
    project: int
    project_hpc: str
    project_name: str
    runtime: float
    stage: str
    terminal_stage: bool
    title: str
    batch: str | None = None
    index: int | None = None
    owner_name: str | None = None


@dataclass(frozen=True, kw_only=True)
class JobFile(Model):
    fileid: str
    filename: str
    length: int
    starts_at: int | None = None
    folder: Literal[True] | None = None


@dataclass(frozen=True, kw_only=True)
class JobResult(Model):
    place: int
    index: int
    job_id: str
    stage: str
    terminal_stage: bool
    failed: bool
    state: Literal["included", "apart", "missing", "active", "unavailable"]
    fileid: str | None = None
    filename: str | None = None
    length: int | None = None
    starts_at: int | None = None
    encoding: Literal["utf-8", "base64"] | None = None
    content: str | None = None


@dataclass(frozen=True, kw_only=True)
class FetchedInput(Model):
    from_: str
    to: str
    sha256: str | None = None


@dataclass(frozen=True, kw_only=True)
class JobWithRequestRequestOutput(Model):
    files: str
    to: str


@dataclass(frozen=True, kw_only=True)
class JobWithRequestRequestInput(Model):
    filename: str
    length: int


@dataclass(frozen=True, kw_only=True)
class JobWithRequestRequest(Model):
    command: str | None = None
    tool: str | None = None
    node_number: int
    core_number: int
    task_number: int | None = None
    memory: str | None = None
    gpu_number: int | None = None
    gpu_kind: str | None = None
    class_: str | None = None
    image: str | None = None
    fields: dict[str, str]
    inputs: list[FetchedInput] | None = None
    outputs: list[JobWithRequestRequestOutput] | None = None
    input: JobWithRequestRequestInput | None


@dataclass(frozen=True, kw_only=True)
class JobWithRequest(Model):
    end_date: str | None
    failed: bool
    id: int
    init_date: str
    job_id: str
    owner: str
    project: int
    project_hpc: str
    project_name: str
    runtime: float
    stage: str
    terminal_stage: bool
    title: str
    batch: str | None = None
    index: int | None = None
    owner_name: str | None = None
    request: JobWithRequestRequest | None = None


@dataclass(frozen=True, kw_only=True)
class ProjectFolder(Model):
    project_hpc: str
    project_name: str
    length: int | None
    files: int | None
    measured: str | None
    limit: int
    full: bool
    in_reach: bool


@dataclass(frozen=True, kw_only=True)
class TimelineEfficiency(Model):
    time: Share
    cpu: Share | None = None
    memory: Share | None = None


@dataclass(frozen=True, kw_only=True)
class TimelineStage(Model):
    stage: str
    since: str


@dataclass(frozen=True, kw_only=True)
class TimelineTry(Model):
    at: str
    accepted: bool
    reason: str | None


@dataclass(frozen=True, kw_only=True)
class TimelineEarlierRun(Model):
    run: int
    began: str | None
    ended: str | None
    seconds: int
    lost: bool
    reason: str
    sent_bytes: int | None


@dataclass(frozen=True, kw_only=True)
class TimelineAfter(Model):
    job_id: str
    hpc: str
    project_name: str
    title: str
    stage: str
    state: Literal["active", "succeeded", "failed", "cancelled", "deleted"]
    any_end: bool
    gives_input: bool


@dataclass(frozen=True, kw_only=True)
class TimelineAwaitedBy(Model):
    job_id: str
    hpc: str
    project_name: str
    title: str
    stage: str
    terminal_stage: bool
    failed: bool


@dataclass(frozen=True, kw_only=True)
class Timeline(TimelineFace, Model):
    job_id: str
    stage: str
    terminal_stage: bool
    reason: str | None
    running_since: str | None
    ran_seconds: int | None
    efficiency: TimelineEfficiency | None = None
    resources: BatchEstimateResources | None = None
    stages: list[TimelineStage]
    tries: list[TimelineTry]
    earlier_runs: list[TimelineEarlierRun] | None = None
    after: list[TimelineAfter] | None = None
    awaited_by: list[TimelineAwaitedBy] | None = None


@dataclass(frozen=True, kw_only=True)
class Upload(Model):
    upload_id: str
    filename: str
    length: int
    expires: str
    method: Literal["PUT"]
    address: str
    headers: dict[str, str]
    part_length: int | None = None


@dataclass(frozen=True, kw_only=True)
class UploadProgressPart(Model):
    number: int
    first: int
    length: int
    address: str
    headers: dict[str, str]


@dataclass(frozen=True, kw_only=True)
class UploadProgress(Model):
    upload_id: str
    length: int
    complete: bool
    expires: str
    parts: list[UploadProgressPart]


@dataclass(frozen=True, kw_only=True)
class RowGrantedChange(Model):
    before: str | float | None
    after: str | float | None


@dataclass(frozen=True, kw_only=True)
class RowGranted(Model):
    line: int
    outcome: Literal["granted", "corrected", "unchanged"]
    user: str
    project_hpc: str
    project_name: str
    change: dict[str, str | float | RowGrantedChange | None] | None


@dataclass(frozen=True, kw_only=True)
class FieldError(Model):
    location: Literal["path", "payload", "header", "query", "body"]
    name: str
    message: str


@dataclass(frozen=True, kw_only=True)
class TimeUsage(Model):
    granted: int
    left: int
    held: int
    used: int


@dataclass(frozen=True, kw_only=True)
class SpaceUsage(Model):
    granted: float
    left: float
    held: float
    used: float


@dataclass(frozen=True, kw_only=True)
class GrantRefusedProblem(Model):
    type: str
    title: str
    detail: str
    errors: list[FieldError] | None = None
    project_hpc: str | None = None
    project_name: str | None = None
    charging: Literal["wall-clock", "node", "core", "weights"] | None = None
    asked: Amount | None = None
    left: Amount | None = None
    estimate: float | None = None
    cost: float | None = None
    budget: float | None = None
    opens_at: str | None = None
    time: TimeUsage | None = None
    space: SpaceUsage | None = None
    lowest: Amount | None = None
    living_jobs: int | None = None
    ended_jobs: int | None = None
    discarded_jobs: int | None = None
    limit: float | None = None
    count: float | None = None
    reason: str | None = None
    request_id: str | None = None
    state: str | None = None
    by: str | None = None


@dataclass(frozen=True, kw_only=True)
class GrantRefused(Model):
    line: int
    outcome: Literal["refused"]
    problem: GrantRefusedProblem


@dataclass(frozen=True, kw_only=True)
class GrantNotDone(Model):
    line: int
    outcome: Literal["not-done"]


@dataclass(frozen=True, kw_only=True)
class JudgedRequestDecision(Model):
    by: str
    reason: str
    time: int | None
    space: float | None
    valid_until: str | None


@dataclass(frozen=True, kw_only=True)
class JudgedRequest(Model):
    request_id: str
    user: str
    project: int
    project_hpc: str
    project_name: str
    time: int
    space: float
    reason: str
    state: Literal["open", "approved", "declined", "withdrawn"]
    opened: str
    ended: str | None
    decision: JudgedRequestDecision | None
    name: str | None = None
    banned: str | None


@dataclass(frozen=True, kw_only=True)
class LedgerLineSettled(Model):
    outcome: Literal["succeeded", "failed", "cancelled"]
    used: int
    held: int
    excused: int | None = None


@dataclass(frozen=True, kw_only=True)
class LedgerLine(Model):
    at: str
    kind: Literal["grant", "hold", "settle", "refund", "correction", "expiry", "share"]
    time: float
    space: float
    time_left: float
    space_left: float
    by: str
    reason: str
    job_id: str | None
    act_id: str | None
    settled: LedgerLineSettled | None = None
    batch_id: str | None = None
    user: str | None = None


@dataclass(frozen=True, kw_only=True)
class LedgerDay(Model):
    day: str
    granted: Amount
    expired: Amount
    corrected: Amount
    held: Amount
    returned: Amount
    used: Amount
    change: Amount


@dataclass(frozen=True, kw_only=True)
class LedgerJob(Model):
    job_id: str
    corrected: Amount
    held: Amount
    returned: Amount
    used: Amount
    change: Amount


@dataclass(frozen=True, kw_only=True)
class QuotaUsageRenews(Model):
    every: Literal["monthly", "quarterly", "yearly"]
    on: int
    month: int | None = None
    to: Amount
    carry_over: Amount
    next: str | None


@dataclass(frozen=True, kw_only=True)
class QuotaUsage(Model):
    time: TimeUsage
    space: SpaceUsage
    living_jobs: int
    valid_until: str | None
    renews: QuotaUsageRenews | None
    banned: str | None
    from_budget: Amount | None = None


@dataclass(frozen=True, kw_only=True)
class Quota(QuotaFace, Model):
    id: int
    project: int
    project_hpc: str
    project_name: str
    space_left: float
    time_left: int
    user: str
    usage: QuotaUsage | None = None
    name: str | None = None


@dataclass(frozen=True, kw_only=True)
class QuotaRequest(Model):
    request_id: str
    user: str
    project: int
    project_hpc: str
    project_name: str
    time: int
    space: float
    reason: str
    state: Literal["open", "approved", "declined", "withdrawn"]
    opened: str
    ended: str | None
    decision: JudgedRequestDecision | None


@dataclass(frozen=True, kw_only=True)
class QuotaWithUsage(Model):
    id: int
    project: int
    project_hpc: str
    project_name: str
    space_left: float
    time_left: int
    user: str
    usage: QuotaUsage


@dataclass(frozen=True, kw_only=True)
class ReportRow(Model):
    user: str | None = None
    name: str | None = None
    project_hpc: str | None = None
    project_name: str | None = None
    day: str | None = None
    month: str | None = None
    time_used: int
    jobs_ended: int
    jobs_failed: int
    jobs_cancelled: int
    queue_time_median: int | None
    queue_time_p95: int | None
    run_time_median: int | None
    run_time_p95: int | None
    time_asked: int | None


@dataclass(frozen=True, kw_only=True)
class StatementRow(Model):
    user: str | None
    name: str | None = None
    opening: Amount
    granted: Amount
    expired: Amount
    corrected: Amount
    shared: Amount
    used: Amount
    drawn: Amount
    reserved: Amount
    closing: Amount
    jobs_ended: int


@dataclass(frozen=True, kw_only=True)
class Statement(Model):
    project: int
    project_hpc: str
    project_name: str
    month: str
    until: str
    closed: bool
    opening: Amount
    granted: Amount
    expired: Amount
    corrected: Amount
    shared: Amount
    used: Amount
    drawn: Amount
    reserved: Amount
    closing: Amount
    jobs_ended: int
    rows: list[StatementRow]


@dataclass(frozen=True, kw_only=True)
class LedProjectBudgetTime(Model):
    granted: int
    left: int
    held: int
    used: int
    shared_out: int


@dataclass(frozen=True, kw_only=True)
class LedProjectBudgetSpace(Model):
    granted: float
    left: float
    held: float
    used: float
    shared_out: float


@dataclass(frozen=True, kw_only=True)
class LedProjectBudget(Model):
    time: LedProjectBudgetTime
    space: LedProjectBudgetSpace
    living_jobs: int
    valid_until: str | None
    renews: QuotaUsageRenews | None


@dataclass(frozen=True, kw_only=True)
class LedProject(Model):
    project: int
    project_hpc: str
    project_name: str
    leaders: list[str]
    leader_names: dict[str, str] | None = None
    budget: LedProjectBudget | None


@dataclass(frozen=True, kw_only=True)
class ProjectMembers(Model):
    group: str


@dataclass(frozen=True, kw_only=True)
class Project(Model):
    id: int
    project_hpc: str
    project_name: str
    default: bool
    max_living_jobs: int
    description: str | None = None
    closed: bool | None = None
    shared: Literal[True] | None = None
    members: ProjectMembers | None = None


@dataclass(frozen=True, kw_only=True)
class StatusSystem(Model):
    name: str
    project_hpc: str
    status: Literal["up", "down", "unknown", "closed"]
    closed_until: str | None = None


@dataclass(frozen=True, kw_only=True)
class Status(Model):
    status: Literal["up"]
    version: str
    systems: list[StatusSystem]


@dataclass(frozen=True, kw_only=True)
class SystemPayload(Model):
    required: list[str]
    optional: list[str]


@dataclass(frozen=True, kw_only=True)
class SystemLimits(Model):
    node_number: int
    core_number: int
    runtime: float
    memory: str | None = None
    gpu_number: int | None = None


@dataclass(frozen=True, kw_only=True)
class SystemWeightsPer(Model):
    core: float
    gpu: float
    memory_gb: float


@dataclass(frozen=True, kw_only=True)
class SystemWeights(Model):
    per: SystemWeightsPer
    rule: Literal["sum", "max"]


@dataclass(frozen=True, kw_only=True)
class SystemClasse(Model):
    name: str
    description: str | None = None
    projects: list[str] | None = None
    setup: list[str] | None = None
    cores_as: Literal["tasks", "threads", "choice"] | None = None
    limits: SystemLimits
    weights: SystemWeights | None = None
    charging_factor: float


@dataclass(frozen=True, kw_only=True)
class SystemDataset(Model):
    name: str
    path: str
    description: str
    bytes: int | None = None
    licence: str | None = None
    projects: list[str] | None = None


@dataclass(frozen=True, kw_only=True)
class SystemKeep(Model):
    limit: int
    projects: list[str] | None = None


@dataclass(frozen=True, kw_only=True)
class SystemInputs(Model):
    hosts: list[str]
    buckets: list[str] | None = None
    paid_by: Literal["site", "user"]
    fetched_by: Literal["job", "service"]


@dataclass(frozen=True, kw_only=True)
class SystemOutputs(Model):
    hosts: list[str]
    buckets: list[str] | None = None
    paid_by: Literal["site", "user"]


@dataclass(frozen=True, kw_only=True)
class SystemContainers(Model):
    runtime: Literal["apptainer", "podman", "docker", "batch"]
    images: list[str]


@dataclass(frozen=True, kw_only=True)
class SystemMachineTool(Model):
    name: str
    available: bool


@dataclass(frozen=True, kw_only=True)
class SystemMachine(Model):
    cores: int
    memory_megabytes: int
    limits: str
    sandboxed: bool
    tools: list[SystemMachineTool] | None = None


@dataclass(frozen=True, kw_only=True)
class SystemEnvironment(Model):
    shell: Literal["login", "plain"]
    setup: list[str]


@dataclass(frozen=True, kw_only=True)
class System(Model):
    name: str
    project_hpc: str
    description: str
    announcement: str | None = None
    maintenance: list[MaintenanceWindow] | None = None
    projects: list[str]
    default_project: str
    payload: SystemPayload
    limits: SystemLimits
    charging: Literal["wall-clock", "node", "core", "weights"]
    weights: SystemWeights | None = None
    gpu_kinds: list[str] | None = None
    classes: list[SystemClasse] | None = None
    datasets: list[SystemDataset] | None = None
    keep: SystemKeep | None = None
    inputs: SystemInputs | None = None
    outputs: SystemOutputs | None = None
    containers: SystemContainers | None = None
    simulated: bool
    machine: SystemMachine | None = None
    cores_as: Literal["tasks", "threads", "choice"] | None = None
    environment: SystemEnvironment | None = None
    live_output: bool
    cancel_keeps_output: bool
    stages: list[str]
    stage_meanings: dict[str, Literal["waiting", "starting", "running", "finishing", "done", "failed", "cancelled", "deleted"]]


@dataclass(frozen=True, kw_only=True)
class SystemReportBreaker(Model):
    state: Literal["closed", "open", "trial"]
    failures: int
    open_until: str | None


@dataclass(frozen=True, kw_only=True)
class SystemReportLastError(Model):
    at: str
    reason: str


@dataclass(frozen=True, kw_only=True)
class SystemReportHistory(Model):
    day: str
    up: int
    slow: int
    down: int


@dataclass(frozen=True, kw_only=True)
class SystemReportSpending(Model):
    estimate: float
    used: float
    held: float
    budget: float | None
    opens_at: str


@dataclass(frozen=True, kw_only=True)
class SystemReport(Model):
    name: str
    project_hpc: str
    status: Literal["up", "down", "unknown", "closed"]
    maintenance: list[MaintenanceWindow] | None = None
    last_contact: str | None
    failing_since: str | None
    breaker: SystemReportBreaker
    last_error: SystemReportLastError | None
    history: list[SystemReportHistory] | None = None
    spending: SystemReportSpending | None = None


@dataclass(frozen=True, kw_only=True)
class DeliveryTry(Model):
    at: str
    status: int | None
    reason: str | None
    ms: int


@dataclass(frozen=True, kw_only=True)
class Delivery(Model):
    delivery_id: str
    event_id: str
    type: Literal["job.submitted", "job.stage-changed", "job.ended", "batch.progress", "batch.ended", "quota.low", "quota.expiring", "quota.renewing", "quota.renewed", "request.opened", "request.approved", "request.declined", "project.opened", "project.closed", "member.joined", "member.left", "budget.changed", "account.mapped", "system.maintenance-announced", "system.maintenance-changed", "system.maintenance-ended", "webhook.test"]
    at: str
    state: Literal["waiting", "delivered", "given-up"]
    next_try: str | None
    tries: list[DeliveryTry]


@dataclass(frozen=True, kw_only=True)
class Notifications(Model):
    available: bool
    email: str | None
    unconfirmed_email: str | None
    token_email: str | None
    events: list[Literal["job.ended", "batch.ended", "quota.low", "request.decided", "system.maintenance", "project.statement"]]
    digest: Literal["when-many", "daily"]
    language: Literal["en", "de"]


@dataclass(frozen=True, kw_only=True)
class Webhook(Model):
    webhook_id: str
    url: str
    events: list[Literal["job.submitted", "job.stage-changed", "job.ended", "batch.progress", "batch.ended", "quota.low", "quota.expiring", "quota.renewing", "quota.renewed", "request.opened", "request.approved", "request.declined", "project.opened", "project.closed", "member.joined", "member.left", "budget.changed", "account.mapped", "system.maintenance-announced", "system.maintenance-changed", "system.maintenance-ended"]]
    description: str
    created: str


@dataclass(frozen=True, kw_only=True)
class WebhookWithSecret(Model):
    webhook_id: str
    url: str
    events: list[Literal["job.submitted", "job.stage-changed", "job.ended", "batch.progress", "batch.ended", "quota.low", "quota.expiring", "quota.renewing", "quota.renewed", "request.opened", "request.approved", "request.declined", "project.opened", "project.closed", "member.joined", "member.left", "budget.changed", "account.mapped", "system.maintenance-announced", "system.maintenance-changed", "system.maintenance-ended"]]
    description: str
    created: str
    secret: str


@dataclass(frozen=True, kw_only=True)
class Account(Model):
    user: str
    hpc: str
    account: str


@dataclass(frozen=True, kw_only=True)
class AccountMapped(Model):
    line: int
    outcome: Literal["created", "changed", "unchanged"]
    user: str
    hpc: str
    account: str


@dataclass(frozen=True, kw_only=True)
class Act(Model):
    act_id: str
    kind: Literal["quota-granted", "quota-removed", "quota-corrected", "user-banned", "user-unbanned", "user-erased", "job-cancelled", "job-deleted", "account-mapped", "account-unmapped", "request-declined", "project-opened", "project-changed", "project-closed", "budget-changed", "leaders-changed", "folder-emptied", "maintenance-announced", "maintenance-changed", "maintenance-withdrawn"]
    at: str
    by: str
    by_name: str | None = None
    reason: str
    user: str | None
    name: str | None = None
    project_hpc: str | None
    project_name: str | None
    job_id: str | None
    details: dict[str, str | float | RowGrantedChange | None]


@dataclass(frozen=True, kw_only=True)
class UserBan(Model):
    project_hpc: str
    project_name: str
    reason: str


@dataclass(frozen=True, kw_only=True)
class UserActivity(Model):
    last_submission: str | None
    time_used: int
    jobs_ended: int


@dataclass(frozen=True, kw_only=True)
class User(Model):
    user: str
    name: str | None = None
    email: str | None = None
    erased: str | None = None
    subject: str | None = None
    first_seen: str
    banned: str | None
    bans: list[UserBan]
    activity: UserActivity | None = None


@dataclass(frozen=True, kw_only=True)
class Erasure(Model):
    user: str
    erased: str
    names_return: str
    removed: list[Literal["name", "email", "mail", "webhooks", "accounts"]]
    stays: list[Literal["jobs", "quotas", "ledgers", "reports", "requests", "audit", "bans", "leads", "subject"]]


@dataclass(frozen=True, kw_only=True)
class PersonLead(Model):
    project_hpc: str
    project_name: str


@dataclass(frozen=True, kw_only=True)
class PersonNotifications(Model):
    email: str | None
    unconfirmed_email: str | None
    events: list[Literal["job.ended", "batch.ended", "quota.low", "request.decided", "system.maintenance", "project.statement"]]
    digest: Literal["when-many", "daily"]


@dataclass(frozen=True, kw_only=True)
class PersonLists(Model):
    jobs: str
    ledgers: list[str]
    usage: str
    audit: str
    acts: str


@dataclass(frozen=True, kw_only=True)
class Person(Model):
    user: User
    accounts: list[Account]
    claimed_accounts: list[Account]
    leads: list[PersonLead]
    quotas: list[QuotaWithUsage]
    requests: list[QuotaRequest]
    notifications: PersonNotifications | None
    webhooks: list[Webhook]
    lists: PersonLists


@dataclass(frozen=True, kw_only=True)
class Problem(Model):
    type: str
    title: str
    status: int
    detail: str
    instance: str
    errors: list[FieldError] | None = None
    project_hpc: str | None = None
    project_name: str | None = None
    charging: Literal["wall-clock", "node", "core", "weights"] | None = None
    asked: Amount | None = None
    left: Amount | None = None
    estimate: float | None = None
    cost: float | None = None
    budget: float | None = None
    opens_at: str | None = None
    time: TimeUsage | None = None
    space: SpaceUsage | None = None
    lowest: Amount | None = None
    living_jobs: int | None = None
    ended_jobs: int | None = None
    discarded_jobs: int | None = None
    limit: float | None = None
    count: float | None = None
    reason: str | None = None
    request_id: str | None = None
    state: str | None = None
    by: str | None = None


GrantedRow = RowGranted | GrantRefused | GrantNotDone


def read_granted_row(value: object) -> GrantedRow:
    found: GrantedRow = read_one_of(value, RowGranted, GrantRefused, GrantNotDone)
    return found


Ledger = LedgerLine | LedgerDay | LedgerJob


def read_ledger(value: object) -> Ledger:
    found: Ledger = read_one_of(value, LedgerLine, LedgerDay, LedgerJob)
    return found


AccountRow = AccountMapped | GrantRefused | GrantNotDone


def read_account_row(value: object) -> AccountRow:
    found: AccountRow = read_one_of(value, AccountMapped, GrantRefused, GrantNotDone)
    return found


class _CreateUploadBody(TypedDict):
    filename: str
    length: int


class CreateUploadBody(_CreateUploadBody, total=False):
    parts: bool


class GrantQuotaBodySet(TypedDict, total=False):
    time: int
    space: int


class GrantQuotaBodyAdd(TypedDict, total=False):
    time: int
    space: int


class GrantQuotaBodyRenewsTo(TypedDict):
    time: int
    space: int


class GrantQuotaBodyRenewsCarryOver(TypedDict, total=False):
    time: int
    space: int


class _GrantQuotaBodyRenews(TypedDict):
    every: Literal["monthly", "quarterly", "yearly"]
    on: int
    to: GrantQuotaBodyRenewsTo


class GrantQuotaBodyRenews(_GrantQuotaBodyRenews, total=False):
    month: int
    carry_over: GrantQuotaBodyRenewsCarryOver


class _GrantQuotaBody(TypedDict):
    reason: str


class GrantQuotaBody(_GrantQuotaBody, total=False):
    set: GrantQuotaBodySet
    add: GrantQuotaBodyAdd
    valid_until: str | None
    renews: GrantQuotaBodyRenews | None


class RemoveQuotaBody(TypedDict):
    reason: str


_AnnounceMaintenanceBody = TypedDict("_AnnounceMaintenanceBody", {"from": str, "reason": str})


class AnnounceMaintenanceBody(_AnnounceMaintenanceBody, total=False):
    until: str | None
    drain: bool


class WithdrawMaintenanceBody(TypedDict):
    reason: str


class PauseSystemBody(TypedDict):
    reason: str


class ResumeSystemBody(TypedDict):
    reason: str


class MapAccountBody(TypedDict):
    account: str
    reason: str


class UnmapAccountBody(TypedDict):
    reason: str


class BanUserBody(TypedDict):
    reason: str


class UnbanUserBody(TypedDict):
    reason: str


class EraseUserBody(TypedDict):
    reason: str


class DeleteAnyJobBody(TypedDict):
    reason: str


class _AskForMoreBody(TypedDict):
    hpc: str
    project_name: str
    reason: str


class AskForMoreBody(_AskForMoreBody, total=False):
    time: int
    space: int


class _ApproveRequestBody(TypedDict):
    reason: str


class ApproveRequestBody(_ApproveRequestBody, total=False):
    time: int
    space: int
    valid_until: str | None


class DeclineRequestBody(TypedDict):
    reason: str


class _CreateWebhookBody(TypedDict):
    url: str


class CreateWebhookBody(_CreateWebhookBody, total=False):
    events: list[Literal["job.submitted", "job.stage-changed", "job.ended", "batch.progress", "batch.ended", "quota.low", "quota.expiring", "quota.renewing", "quota.renewed", "request.opened", "request.approved", "request.declined", "project.opened", "project.closed", "member.joined", "member.left", "budget.changed", "account.mapped", "system.maintenance-announced", "system.maintenance-changed", "system.maintenance-ended"]]
    description: str


class ChangeNotificationsBody(TypedDict, total=False):
    email: str | None
    events: list[Literal["job.ended", "batch.ended", "quota.low", "request.decided", "system.maintenance", "project.statement"]]
    digest: Literal["when-many", "daily"]
    language: Literal["en", "de"]


class OpenProjectBodyMembers(TypedDict):
    group: str


class _OpenProjectBody(TypedDict):
    reason: str


class OpenProjectBody(_OpenProjectBody, total=False):
    description: str
    max_living_jobs: float
    shared: bool
    members: OpenProjectBodyMembers | None


class CloseProjectBody(TypedDict):
    reason: str


class ChangeBudgetBodySet(TypedDict, total=False):
    time: int
    space: int


class ChangeBudgetBodyAdd(TypedDict, total=False):
    time: int
    space: int


class ChangeBudgetBodyRenewsTo(TypedDict):
    time: int
    space: int


class ChangeBudgetBodyRenewsCarryOver(TypedDict, total=False):
    time: int
    space: int


class _ChangeBudgetBodyRenews(TypedDict):
    every: Literal["monthly", "quarterly", "yearly"]
    on: int
    to: ChangeBudgetBodyRenewsTo


class ChangeBudgetBodyRenews(_ChangeBudgetBodyRenews, total=False):
    month: int
    carry_over: ChangeBudgetBodyRenewsCarryOver


class _ChangeBudgetBody(TypedDict):
    reason: str


class ChangeBudgetBody(_ChangeBudgetBody, total=False):
    set: ChangeBudgetBodySet
    add: ChangeBudgetBodyAdd
    valid_until: str | None
    renews: ChangeBudgetBodyRenews | None


class SetLeadersBody(TypedDict):
    leaders: list[str]
    reason: str
