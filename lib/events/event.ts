import type { UserId } from '#lib/catalog/identifiers.ts';

/** An event as the bus and the webhooks carry it. Documented in docs/events.md. */
export interface SlipwayEvent {
  /** Stays the same however often the event is delivered. */
  readonly id: string;
  readonly type: EventType;
  /** The user whose job, quota or request it is. Missing for events of systems, projects, budgets. */
  readonly owner?: UserId | undefined;
  readonly at: Date;
  readonly data: Readonly<Record<string, unknown>>;
}

export const eventTypes = [
  'job.submitted',
  'job.stage-changed',
  'job.ended',
  'batch.progress',
  'batch.ended',
  'quota.low',
  'quota.expiring',
  'quota.renewing',
  'quota.renewed',
  'request.opened',
  'request.approved',
  'request.declined',
  'project.opened',
  'project.closed',
  'member.joined',
  'member.left',
  'budget.changed',
  'account.mapped',
  'system.maintenance-announced',
  'system.maintenance-changed',
  'system.maintenance-ended',
] as const;

export type EventType = (typeof eventTypes)[number];

/** Returns true for events of systems, which concern everybody. */
export function isForEverybody(type: EventType): boolean {
  return type.startsWith('system.');
}

/**
 * Returns true for events that administrators get about all users. Other events go to their owner.
 */
export function isForAdministrators(type: EventType): boolean {
  return forAdministrators.includes(type);
}

const forAdministrators: readonly EventType[] = [
  'request.opened',
  'project.opened',
  'project.closed',
  'member.joined',
  'member.left',
  'budget.changed',
  'account.mapped',
];
