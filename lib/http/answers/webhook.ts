import * as v from 'valibot';
import { eventTypes } from '#lib/events/event.ts';
import { digests, topics } from '#lib/mail/preferences.ts';
import { languages } from '#lib/mail/words/languages.ts';
import { deliveredTypes } from '#lib/webhooks/deliveries/delivery.ts';
import { count, timestamp } from './fields.ts';

const fields = {
  webhook_id: v.string(),
  url: v.pipe(v.string(), v.url()),
  events: v.array(v.picklist(eventTypes)),
  description: v.string(),
  created: timestamp,
};

export const Webhook = v.strictObject(fields);

/** The secret is shown only once. */
export const WebhookWithSecret = v.strictObject({ ...fields, secret: v.string() });

export const Delivery = v.strictObject({
  delivery_id: v.string(),
  event_id: v.string(),
  type: v.picklist(deliveredTypes),
  at: timestamp,
  state: v.picklist(['waiting', 'delivered', 'given-up']),
  next_try: v.nullable(timestamp),
  tries: v.array(
    v.strictObject({
      at: timestamp,
      status: v.nullable(count),
      reason: v.nullable(v.string()),
      ms: count,
    }),
  ),
});

/** What a user wants to be told by mail. */
export const Notifications = v.strictObject({
  /** Whether the service sends mail at all. */
  available: v.boolean(),
  email: v.nullable(v.string()),
  unconfirmed_email: v.nullable(v.string()),
  /** The address in the token, which needs no confirmation. */
  token_email: v.nullable(v.string()),
  events: v.array(v.picklist(topics)),
  digest: v.picklist(digests),
  language: v.picklist(languages),
});
