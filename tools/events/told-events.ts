import { budgetHolder, projectName } from '#lib/catalog/identifiers.ts';
import type { DetectedEvent } from '#lib/events/detected-event.ts';
import { eventSource } from '#lib/events/publish-events.ts';
import { presentEvent } from '#lib/http/presenters/present-event.ts';
import type { OpenedProject } from '#lib/projects/opened-project.ts';
import { accountOf, openQuota } from '#lib/quotas/quota.ts';
import { computeRenewal, nextRenewal } from '#lib/quotas/renewal.ts';
import {
  approvedRequest,
  batch,
  beginning,
  declinedRequest,
  endedAt,
  endedJob,
  job,
  quota,
  request,
} from '../story/things.ts';
import { writeBusEvent } from './example-event.ts';

const lowQuota = { ...quota, time: { ...quota.time, left: 3_599_000 } };
const rule = {
  every: 'monthly',
  on: 1,
  month: 1,
  to: { seconds: 36_000, kilobytes: 1000 },
  carryOver: { seconds: 3600, kilobytes: 0 },
} as const;
const renewing = {
  ...quota,
  time: { ...quota.time, left: 24_000 },
  space: { ...quota.space, left: 980 },
};
const renewsAt = nextRenewal(rule, beginning);
const next = nextRenewal(rule, renewsAt);
const amounts = computeRenewal(renewing, rule);
const renewed = {
  ...quota,
  time: { ...quota.time, left: amounts.left.seconds },
  space: { ...quota.space, left: amounts.left.kilobytes },
};

/** Only the end of the job is shown whole; of the others, what they tell. */
const occurrence = { id: `${job.jobId}-ended`, owner: job.owner, at: endedAt };

/** Projects and budgets have no owner. */
const ofProject = { id: occurrence.id, at: endedAt };
const lab: OpenedProject = {
  ...quota.project,
  number: 1001,
  name: projectName('lab_42'),
  description: 'The lab of Ada.',
  maxLivingJobs: 100,
  closed: false,
  members: { group: 'lab-42' },
  revision: 1,
};
const granted = { seconds: 36_000_000, kilobytes: 100_000_000 };
const budget = openQuota({ id: 3, user: budgetHolder, project: lab }, granted, {
  validUntil: new Date('2028-01-01T00:00:00Z'),
});
const login = { user: job.owner, hpc: quota.project.hpc, name: 'ada' };
const aboutSystem = {
  id: 'hpc_one-maintenance',
  at: endedAt,
  hpc: job.project.hpc,
  window: {
    name: '2026-12-01',
    source: 'administrator',
    from: new Date('2026-12-01T08:00:00Z'),
    until: new Date('2026-12-01T16:00:00Z'),
    reason: 'New firmware for the storage.',
    drains: true,
  },
} as const;

/** What is told in the story, once for each type of event. */
const told: readonly DetectedEvent[] = [
  { ...occurrence, type: 'job.submitted', job },
  {
    ...occurrence,
    type: 'job.stage-changed',
    job: { ...job, stage: 'RUNNING' },
    previousStage: job.stage,
  },
  { ...occurrence, type: 'job.ended', job: endedJob },
  { ...occurrence, type: 'batch.progress', batch },
  {
    ...occurrence,
    type: 'batch.ended',
    batch: {
      ...batch,
      counts: { running: 0, done: 499, failed: 1, cancelled: 0 },
      held: { seconds: 0, kilobytes: 12 },
      usedSeconds: 598_120,
      lastEnd: endedAt,
    },
  },
  {
    ...occurrence,
    type: 'quota.low',
    quota: lowQuota,
    resource: 'time',
    thresholdPercent: 20,
    granted: quota.time.granted,
  },
  { ...occurrence, type: 'quota.expiring', quota: lowQuota, validUntil: next, daysLeft: 7 },
  { ...occurrence, type: 'quota.renewing', quota: renewing, renewsAt, amounts },
  { ...occurrence, type: 'quota.renewed', quota: renewed, renewedAt: renewsAt, next, amounts },
  { ...occurrence, type: 'request.opened', request },
  { ...occurrence, type: 'request.approved', request: approvedRequest },
  { ...occurrence, type: 'request.declined', request: declinedRequest },
  { ...ofProject, type: 'project.opened', project: lab },
  { ...ofProject, type: 'project.closed', project: { ...lab, closed: true } },
  { ...occurrence, type: 'member.joined', quota },
  {
    ...occurrence,
    type: 'member.left',
    account: accountOf(quota),
    by: '100001',
    reason: 'she has left',
  },
  { ...ofProject, type: 'budget.changed', budget },
  { ...occurrence, type: 'account.mapped', login },
  { ...aboutSystem, type: 'system.maintenance-announced' },
  { ...aboutSystem, type: 'system.maintenance-changed' },
  { ...aboutSystem, type: 'system.maintenance-ended' },
];

/** The events of the story, as they are sent. */
export const toldEvents = told.map(presentEvent);

/** Writes the examples of docs/events.md: a whole event, and the data of all others. */
export function writeEventExamples(): string {
  const [whole] = toldEvents.filter(({ type }) => type === 'job.ended');
  if (!whole) throw new Error('No job ends in the story.');
  const others = Map.groupBy(
    toldEvents.filter((event) => event !== whole && event.type !== 'job.submitted'),
    ({ data }) => JSON.stringify(data),
  );
  const data = [...others.values()].flatMap(([first, ...same]) =>
    first ? [wrap([first, ...same].map(({ type }) => type).join(', '), first.data, 2)] : [],
  );
  const { data: ofWhole, ...head } = whole;
  const envelope = { ...writeBusEvent(eventSource, whole.type, {}, whole.at), detail: head };
  const rest = `,\n${wrap('data', ofWhole, 4)}\n  }\n}`;
  return [
    `\`\`\`json envelope\n${JSON.stringify(envelope, undefined, 2).replace(/\n {2}\}\n\}$/, rest)}\n\`\`\``,
    'The `data` of `job.submitted` has the same fields. That of the other types:',
    `\`\`\`json data\n{\n${data.join(',\n')}\n}\n\`\`\``,
  ].join('\n\n');
}

const columns = 100;

/** Writes a member of an object, with as many of its own members in each line as fit. */
function wrap(name: string, value: object, indent: number): string {
  const flat = JSON.stringify(value, undefined, 1).replaceAll(/\n */g, ' ');
  const lines: string[] = [];
  for (const member of `"${name}": ${flat}`.split(/(?<=,) (?=")/)) {
    const longer = `${lines.at(-1)} ${member}`;
    if (lines.length > 0 && longer.length <= columns) lines.splice(-1, 1, longer);
    else lines.push(`${' '.repeat(indent + (lines.length === 0 ? 0 : 2))}${member}`);
  }
  return lines.join('\n');
}
