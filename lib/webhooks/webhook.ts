import { randomBytes, randomUUID } from 'node:crypto';
import type { UserId } from '#lib/catalog/identifiers.ts';
import type { EventType } from '#lib/events/event.ts';

/** An address that a user is pushed events at. */
export interface Webhook {
  readonly id: string;
  readonly owner: UserId;
  readonly url: string;
  readonly events: readonly EventType[];
  readonly description: string;
  readonly createdAt: Date;
  /** Signs every push; shown to its owner once, when it is made. */
  readonly secret: string;
  /** Since the first try that failed or took long, after one that did neither; else nothing. */
  readonly failingSince?: Date | undefined;
}

/** What its owner says of a new one. */
export type WebhookWish = Pick<Webhook, 'owner' | 'url' | 'events' | 'description'>;

export const maxWebhooks = 10;

export function makeWebhook(wish: WebhookWish, now: Date): Webhook {
  return { ...wish, id: randomUUID(), createdAt: now, secret: makeSecret() };
}

/** The characters that identifiers have: others need no look. */
export function isWebhookId(text: string): boolean {
  return /^[0-9a-f-]{36}$/.test(text);
}

/** As Standard Webhooks writes a key for HMAC: 24 bytes, which nobody guesses. */
export const secretPrefix = 'whsec_';

function makeSecret(): string {
  return `${secretPrefix}${randomBytes(24).toString('base64')}`;
}
