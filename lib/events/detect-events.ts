import type { DynamoDBRecord } from 'aws-lambda';
import * as v from 'valibot';
import { actFromItem } from '#lib/audit/audit-store.ts';
import { batchFromItem, hasEnded } from '#lib/batches/batch.ts';
import { jobFromItem } from '#lib/jobs/job.ts';
import { openedProjectFromItem } from '#lib/projects/opened-project.ts';
import { daysUntil } from '#lib/quotas/calendar.ts';
import { type DueQuota, dueQuotaFromItem } from '#lib/quotas/ends/due-quota.ts';
import { lineFromItem } from '#lib/quotas/ledger.ts';
import { quotaFromItem } from '#lib/quotas/quota-item.ts';
import { computeRenewal } from '#lib/quotas/renewal.ts';
import { type EndedJob, endFromLine } from '#lib/reports/ended-job.ts';
import { requestFromItem } from '#lib/requests/quota-request.ts';
import { isOfSameName, isSame } from '#lib/systems/judge-maintenance.ts';
import { type MaintenanceWindow, maintenanceFromItem } from '#lib/systems/maintenance.ts';
import { accountOfLedger } from '#lib/table/keys.ts';
import { parseItem } from '#lib/table/parse-item.ts';
import { readImage } from '#lib/table/read-image.ts';
import { loginFromItem } from '#lib/users/logins/login.ts';
import type { DetectedEvent, Resource, SystemEvent } from './detected-event.ts';

/** Translates a change of the table into events. Most changes cause none. */
export function detectEvents(record: DynamoDBRecord): DetectedEvent[] {
  const change = readChange(record);
  switch (change?.newItem.type) {
    case 'job':
      return detectJobEvents(change);
    case 'batch':
      return detectBatchEvents(change);
    case 'quota':
      return detectQuotaEvents(change);
    case 'quota-request':
      return detectRequestEvents(change);
    case 'project':
      return detectProjectEvents(change);
    case 'budget':
      return detectBudgetEvents(change);
    case 'login':
    case 'claimed-login':
      return detectLoginEvents(change);
    case 'act':
      return detectLeaving(change);
    case 'system-maintenance':
      return detectMaintenance(change);
    default:
      return [];
  }
}

function detectJobEvents({ id, at, oldItem, newItem }: ItemChange): DetectedEvent[] {
  const job = jobFromItem(newItem);
  const { owner, jobId } = job;
  if (oldItem === undefined) {
    // A job that first appears as ended was imported, not submitted.
    return job.terminal
      ? []
      : [{ type: 'job.submitted', id: `${jobId}-submitted`, owner, at, job }];
  }
  const before = jobFromItem(oldItem);
  const events: DetectedEvent[] = [];
  if (job.stage !== before.stage) {
    // A system may requeue a job, so it can reach a stage twice. The stage alone does not identify
    // the change.
    const changeId = `${jobId}-${job.stage}-${id}`;
    const previousStage = before.stage;
    events.push({ type: 'job.stage-changed', id: changeId, owner, at, job, previousStage });
  }
  // True once in a job's life, because only DELETED can follow a terminal stage.
  if (job.terminal && !before.terminal)
    events.push({ type: 'job.ended', id: `${jobId}-ended`, owner, at, job });
  return events;
}

function detectBatchEvents({ id, at, oldItem, newItem }: ItemChange): DetectedEvent[] {
  if (oldItem === undefined) return [];
  const [before, batch] = [batchFromItem(oldItem), batchFromItem(newItem)];
  const { owner, told } = batch;
  const isTold = told !== undefined && told.at.getTime() !== before.told?.at.getTime();
  return [
    ...(isTold
      ? [{ type: 'batch.progress' as const, id: `${batch.id}-progress-${id}`, owner, at, batch }]
      : []),
    // True once, because no job of a batch comes back from its end.
    ...(hasEnded(batch) && !hasEnded(before)
      ? [{ type: 'batch.ended' as const, id: `${batch.id}-ended`, owner, at, batch }]
      : []),
  ];
}

/** Percent of the grant, ascending. If several are crossed at once, the lowest counts. */
const thresholds = [0, 10, 20];

const resources: readonly Resource[] = ['time', 'space'];

function detectQuotaEvents(change: ItemChange): DetectedEvent[] {
  if (change.oldItem === undefined) return [describeJoining(change)];
  const before = dueQuotaFromItem(change.oldItem);
  const after = dueQuotaFromItem(change.newItem);
  const renewed = detectRenewal(change, before, after);
  return [
    ...renewed,
    // The event of a renewal says what remains, even if that is little.
    ...(renewed.length > 0 ? [] : detectLows(change, before, after)),
    ...detectWarning(change, before, after),
    ...detectAnnouncement(change, before, after),
  ];
}

function detectLows({ id, at }: ItemChange, before: DueQuota, after: DueQuota): DetectedEvent[] {
  const { quota } = after;
  return resources.flatMap((resource) => {
    const share = shareOf(after, resource);
    const thresholdPercent = findCrossed(shareOf(before, resource), share);
    if (thresholdPercent === undefined) return [];
    const low = { type: 'quota.low' as const, id: `quota-${resource}-${id}`, owner: quota.user };
    return [{ ...low, at, quota, resource, thresholdPercent, granted: share.granted }];
  });
}

interface Share {
  readonly left: number;
  readonly granted: number;
}

/** For a quota that renews, usage of earlier periods does not count. */
function shareOf({ quota, usedBefore }: DueQuota, resource: Resource): Share {
  const { left, granted } = quota[resource];
  return { left, granted: resource === 'time' ? granted - usedBefore : granted };
}

/** Extending a quota removes its warning. That is not an event, but the next warning is. */
function detectWarning(
  { id, at }: ItemChange,
  before: DueQuota,
  { quota, warned }: DueQuota,
): DetectedEvent[] {
  const { user: owner, validUntil } = quota;
  if (warned === undefined || warned === before.warned || !validUntil) return [];
  const daysLeft = daysUntil(validUntil, at);
  return [
    { type: 'quota.expiring', id: `quota-expiring-${id}`, owner, at, quota, validUntil, daysLeft },
  ];
}

/** Shows what would lapse if the quota renewed now. It may still change until then. */
function detectAnnouncement(
  { id, at }: ItemChange,
  before: DueQuota,
  { quota, announced: renewsAt }: DueQuota,
): DetectedEvent[] {
  const { user: owner, renewal } = quota;
  if (!renewal || !renewsAt || isSameMoment(renewsAt, before.announced)) return [];
  const amounts = computeRenewal(quota, renewal.rule);
  return [
    { type: 'quota.renewing', id: `quota-renewing-${id}`, owner, at, quota, renewsAt, amounts },
  ];
}

/**
 * The renewal can be recomputed from the old item, because its write required exactly that state.
 */
function detectRenewal(
  { id, at }: ItemChange,
  before: DueQuota,
  { quota, renewedAt }: DueQuota,
): DetectedEvent[] {
  const { renewal } = before.quota;
  if (!renewal || !quota.renewal || !renewedAt) return [];
  if (isSameMoment(renewedAt, before.renewedAt)) return [];
  const { next } = quota.renewal;
  const amounts = computeRenewal(before.quota, renewal.rule);
  const renewed = { type: 'quota.renewed' as const, id: `quota-renewed-${id}`, owner: quota.user };
  return [{ ...renewed, at, quota, renewedAt, next, amounts }];
}

function isSameMoment(one: Date, other: Date | undefined): boolean {
  return one.getTime() === other?.getTime();
}

/** A grant can shrink the share although more remains. That does not cross a threshold. */
function findCrossed(before: Share, after: Share): number | undefined {
  if (after.left >= before.left) return undefined;
  return thresholds.find((percent) => isAbove(before, percent) && !isAbove(after, percent));
}

function isAbove({ left, granted }: Share, percent: number): boolean {
  return left * 100 > granted * percent;
}

/** A request is opened once and ends once. A withdrawal is not an event. */
function detectRequestEvents({ at, oldItem, newItem }: ItemChange): DetectedEvent[] {
  const request = requestFromItem(newItem);
  const { id, user: owner, state } = request;
  if (state === 'withdrawn' || oldItem?.state === state) return [];
  const happened = state === 'open' ? 'opened' : state;
  return [{ type: `request.${happened}`, id: `${id}-${happened}`, owner, at, request }];
}

/** Who has a quota in a project is a member, even with a quota of nothing. */
function describeJoining({ id, at, newItem }: ItemChange): DetectedEvent {
  const quota = quotaFromItem(newItem);
  return { type: 'member.joined', id: `${id}-member-joined`, owner: quota.user, at, quota };
}

/** The removed quota itself says neither who removed it nor why. */
function detectLeaving({ at, newItem }: ItemChange): DetectedEvent[] {
  const { kind, id, by, reason, subject } = actFromItem(newItem);
  const { user, hpc, project } = subject;
  if (kind !== 'quota-removed' || !user || !hpc || !project) return [];
  const account = { user, hpc, project };
  return [{ type: 'member.left', id: `${id}-member-left`, owner: user, at, account, by, reason }];
}

function detectProjectEvents({ id, at, oldItem, newItem }: ItemChange): DetectedEvent[] {
  const project = openedProjectFromItem(newItem);
  const wasClosed = oldItem === undefined || openedProjectFromItem(oldItem).closed;
  if (project.closed === wasClosed) return [];
  const happened = project.closed ? 'closed' : 'opened';
  return [{ type: `project.${happened}`, id: `${id}-project-${happened}`, at, project }];
}

/** What jobs use of a budget is not a change of it. */
function detectBudgetEvents({ id, at, oldItem, newItem }: ItemChange): DetectedEvent[] {
  const budget = quotaFromItem(newItem);
  const before = oldItem && quotaFromItem(oldItem);
  const isSame =
    before?.time.granted === budget.time.granted &&
    before.space.granted === budget.space.granted &&
    before.validUntil?.getTime() === budget.validUntil?.getTime();
  return isSame ? [] : [{ type: 'budget.changed', id: `${id}-budget-changed`, at, budget }];
}

function detectLoginEvents({ id, at, oldItem, newItem }: ItemChange): DetectedEvent[] {
  const login = loginFromItem(newItem);
  const before = oldItem && loginFromItem(oldItem).name;
  if (before === login.name) return [];
  const { user: owner } = login;
  const named = { type: 'account.mapped' as const, id: `${id}-account-mapped`, owner, at, login };
  return [{ ...named, ...(before !== undefined && { before }) }];
}

/** Reservations of Slurm are shown, but not told: they may concern a few of its nodes. */
function detectMaintenance({ id, at, oldItem, newItem }: ItemChange): SystemEvent[] {
  const { hpc, windows } = maintenanceFromItem(newItem);
  const before = oldItem ? maintenanceFromItem(oldItem).windows : [];
  const tell = (happened: string, type: SystemEvent['type'], window: MaintenanceWindow) =>
    window.source === 'slurm'
      ? []
      : [{ id: `${hpc}-${window.name}-${happened}-${id}`, type, at, hpc, window }];
  return [
    ...windows.flatMap((window) => {
      const old = before.find((each) => isOfSameName(each, window));
      if (!old) return tell('announced', 'system.maintenance-announced', window);
      return isSame(old, window) ? [] : tell('changed', 'system.maintenance-changed', window);
    }),
    ...before
      .filter((old) => !windows.some((each) => isOfSameName(each, old)))
      .flatMap((old) => tell('ended', 'system.maintenance-ended', old)),
  ];
}

const Keyed = v.object({ PK: v.string() });

/** Returns the ended job if the change is a new ledger line that settles one. */
export function detectEnd(record: DynamoDBRecord): EndedJob | undefined {
  const { newItem } = readChange(record) ?? {};
  if (newItem?.type !== 'ledger-line') return undefined;
  const { PK } = parseItem(Keyed, newItem);
  return endFromLine(accountOfLedger(PK), lineFromItem(newItem));
}

/** A change of an item that still exists afterwards. */
interface ItemChange {
  /** The stream's id, which stays the same if a record is delivered again. */
  readonly id: string;
  readonly at: Date;
  /** Undefined if the item is new. */
  readonly oldItem: Record<string, unknown> | undefined;
  readonly newItem: Record<string, unknown>;
}

/**
 * Returns undefined if an item was removed. Jobs and quotas never are, and expiry is not an event.
 */
function readChange({ eventID, dynamodb }: DynamoDBRecord): ItemChange | undefined {
  const { ApproximateCreationDateTime: seconds, NewImage, OldImage } = dynamodb ?? {};
  if (eventID === undefined || seconds === undefined || NewImage === undefined) return undefined;
  return {
    id: eventID,
    at: new Date(seconds * 1000),
    oldItem: OldImage && readImage(OldImage),
    newItem: readImage(NewImage),
  };
}
