import type { DetectedEvent } from '#lib/events/detected-event.ts';
import { eventSource } from '#lib/events/publish-events.ts';
import { presentEvent } from '#lib/http/presenters/present-event.ts';
import { daysUntil } from '#lib/quotas/calendar.ts';
import { computeRenewal, nextRenewal } from '#lib/quotas/renewal.ts';
import { endRequest } from '#lib/requests/quota-request.ts';
import { writeBusEvent } from './example-event.ts';
import { beginning, quota, request, submittedBatch, submittedJob } from './things.ts';

const change = '4b25bd0da9a181a155114127e4837252';
const endedAt = new Date('2026-11-15T10:06:00Z');
const decidedAt = new Date('2026-11-16T09:00:00Z');

const job = submittedJob();
const batch = { ...submittedBatch(), unfolded: 500 };
const progress = { running: 4, done: 7, failed: 1, cancelled: 0 };
const end = { running: 0, done: 499, failed: 1, cancelled: 0 };

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
const warnedAt = new Date('2026-12-25T00:10:00Z');
const daysLeft = daysUntil(next, warnedAt);

const approved = {
  by: '100001',
  reason: 'as every year',
  granted: { seconds: 18_000, kilobytes: 0 },
  validUntil: new Date('2027-07-01T00:00:00Z'),
};
const declined = { by: '100001', reason: 'the course has a project of its own' };

const happened = (at: Date, id: string) => ({ id, owner: job.owner, at });

/** What is told in the story, once for each type of event. */
const told: readonly DetectedEvent[] = [
  { type: 'job.submitted', ...happened(beginning, `${job.jobId}-submitted`), job },
  {
    type: 'job.stage-changed',
    ...happened(new Date('2026-11-15T08:31:00Z'), `${job.jobId}-RUNNING-${change}`),
    job: { ...job, stage: 'RUNNING' },
    previousStage: job.stage,
  },
  {
    type: 'job.ended',
    ...happened(endedAt, `${job.jobId}-ended`),
    job: { ...job, stage: 'SUCCESSFUL', terminal: true, endedAt },
  },
  {
    type: 'batch.progress',
    ...happened(endedAt, `${batch.id}-progress-${change}`),
    batch: {
      ...batch,
      counts: progress,
      held: { seconds: 885_600, kilobytes: 12 },
      usedSeconds: 9120,
    },
  },
  {
    type: 'batch.ended',
    ...happened(endedAt, `${batch.id}-ended`),
    batch: {
      ...batch,
      counts: end,
      held: { seconds: 0, kilobytes: 12 },
      usedSeconds: 598_120,
      lastEnd: endedAt,
    },
  },
  {
    type: 'quota.low',
    ...happened(beginning, `quota-time-${change}`),
    quota: lowQuota,
    resource: 'time',
    thresholdPercent: 20,
    granted: quota.time.granted,
  },
  {
    type: 'quota.expiring',
    ...happened(warnedAt, `quota-expiring-${change}`),
    quota: lowQuota,
    validUntil: next,
    daysLeft,
  },
  {
    type: 'quota.renewing',
    ...happened(new Date('2026-11-24T00:03:00Z'), `quota-renewing-${change}`),
    quota: renewing,
    renewsAt,
    amounts,
  },
  {
    type: 'quota.renewed',
    ...happened(new Date('2026-12-01T00:02:00Z'), `quota-renewed-${change}`),
    quota: renewed,
    renewedAt: renewsAt,
    next,
    amounts,
  },
  { type: 'request.opened', ...happened(beginning, `${request.id}-opened`), request },
  {
    type: 'request.approved',
    ...happened(decidedAt, `${request.id}-approved`),
    request: endRequest(request, { state: 'approved', decision: approved }, decidedAt),
  },
  {
    type: 'request.declined',
    ...happened(decidedAt, `${request.id}-declined`),
    request: endRequest(request, { state: 'declined', decision: declined }, decidedAt),
  },
];

/** The events of the story, as they are sent. */
export const toldEvents = told.map(presentEvent);

/** Writes the examples of docs/events.md: a whole event, and the data of each type. */
export function writeEventExamples(): string {
  const whole = toldEvents.find(({ type }) => type === 'job.ended');
  if (!whole) throw new Error('No job ends in the story.');
  const envelope = { ...writeBusEvent(eventSource, whole.type, {}, whole.at), detail: whole };
  const data = toldEvents.map((event) => wrap(`"${event.type}": ${writeInline(event.data)}`));
  return [
    `\`\`\`json envelope\n${JSON.stringify(envelope, undefined, 2)}\n\`\`\``,
    'The `data` of each type:',
    `\`\`\`json data\n{\n${data.join(',\n')}\n}\n\`\`\``,
  ].join('\n\n');
}

function writeInline(value: object): string {
  return JSON.stringify(value, undefined, 1).replaceAll(/\n */g, ' ');
}

const columns = 100;

/** Puts as many members into each line as fit. */
function wrap(text: string): string {
  const lines: string[] = [];
  for (const member of text.split(/(?<=,) (?=")/)) {
    const longer = `${lines.at(-1)} ${member}`;
    if (lines.length > 0 && longer.length <= columns) lines.splice(-1, 1, longer);
    else lines.push(`${lines.length === 0 ? '  ' : '    '}${member}`);
  }
  return lines.join('\n');
}
