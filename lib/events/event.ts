import type { UserId } from '#lib/catalog/identifiers.ts';

/** What happened, as the bus and the webhooks carry it. Documented in docs/events.md. */
export interface SlipwayEvent {
  /** The same for the same happening, however often it is told. */
  readonly id: string;
  readonly type: EventType;
  /** Whose job, quota or request it is. */
  readonly owner: UserId;
  readonly at: Date;
  /** The body, as JSON shows it. */
  readonly data: Readonly<Record<string, unknown>>;
}

export const eventTypes = [
  'job.submitted',
  'job.stage-changed',
  'job.ended',
  'quota.low',
  'quota.expiring',
  'quota.renewing',
  'quota.renewed',
  'request.opened',
  'request.approved',
  'request.declined',
] as const;

export type EventType = (typeof eventTypes)[number];

/** What administrators are told, of everybody; all others are told to whom they concern. */
export function isForAdministrators(type: EventType): boolean {
  return type === 'request.opened';
}
