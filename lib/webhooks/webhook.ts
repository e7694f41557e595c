import { randomBytes, randomUUID } from 'node:crypto';
import type { UserId } from '#lib/catalog/identifiers.ts';
import type { EventType } from '#lib/events/event.ts';

/** A URL to which a user's events are pushed. */
export interface Webhook {
  readonly id: string;
  readonly owner: UserId;
  readonly url: string;
  readonly events: readonly EventType[];
  readonly description: string;
  readonly createdAt: Date;
  /** Signs every push. Its owner sees it once, when the webhook is created. */
  readonly secret: string;
  /** When tries started to fail or to be slow. Undefined if the last one was fine. */
  readonly failingSince?: Date | undefined;
}

/** What a user sets in a new webhook. */
export type NewWebhook = Pick<Webhook, 'owner' | 'url' | 'events' | 'description'>;

export const maxWebhooks = 10;

export function makeWebhook(wanted: NewWebhook, now: Date): Webhook {
  return { ...wanted, id: randomUUID(), createdAt: now, secret: makeSecret() };
}

/** Checks the characters of an id, so other text is never looked up. */
export function isWebhookId(text: string): boolean {
  return /^[0-9a-f-]{36}$/.test(text);
}

/** The prefix of a Standard Webhooks secret, which is followed by 24 random bytes. */
export const secretPrefix = 'whsec_';

function makeSecret(): string {
  return `${secretPrefix}${randomBytes(24).toString('base64')}`;
}
