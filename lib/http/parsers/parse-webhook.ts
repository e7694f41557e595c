import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as v from 'valibot';
import { eventTypes } from '#lib/events/event.ts';
import { judgeUrl } from '#lib/webhooks/push/judge-url.ts';
import type { AddressRules } from '#lib/webhooks/push/public-address.ts';
import type { WebhookWish } from '#lib/webhooks/webhook.ts';
import type { Caller } from '../caller.ts';
import { parseJsonBody } from './parse-json-body.ts';
import { readQuery } from './read-query.ts';

const maxDescriptionLength = 200;
const maxDeliveries = 100;

const knownTypes = `There are: ${eventTypes.join(', ')}.`;

const bodySchema = (rules: AddressRules) =>
  v.object({
    url: v.pipe(
      v.string('It must be text.'),
      v.rawTransform(({ dataset, addIssue, NEVER }) => {
        const judged = judgeUrl(dataset.value, rules);
        if ('url' in judged) return judged.url.href;
        addIssue({ message: judged.fault });
        return NEVER;
      }),
    ),
    events: v.optional(
      v.pipe(
        v.array(v.picklist(eventTypes, `There is no such event. ${knownTypes}`), 'It is a list.'),
        v.minLength(1, `At least one event is needed. ${knownTypes}`),
        v.transform((types) => eventTypes.filter((type) => types.includes(type))),
      ),
      [...eventTypes],
    ),
    description: v.optional(
      v.pipe(
        v.string('It must be text.'),
        v.trim(),
        v.check(
          (text) => [...text].length <= maxDescriptionLength,
          `At most ${maxDescriptionLength} characters are taken.`,
        ),
        v.check(
          (text) => text.isWellFormed() && !/\p{Cc}/u.test(text),
          'It must not hold control characters or broken Unicode.',
        ),
      ),
      '',
    ),
  });

export function parseWebhook(
  { userId }: Caller,
  rules: AddressRules,
  event: APIGatewayProxyEventV2,
): WebhookWish {
  return { owner: userId, ...parseJsonBody(bodySchema(rules), event) };
}

const limitSchema = v.object({
  limit: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^[0-9]{1,3}$/, `A whole number from 1 to ${maxDeliveries} is needed.`),
      v.transform(Number),
      v.minValue(1, 'At least 1 is needed.'),
      v.maxValue(maxDeliveries, `At most ${maxDeliveries} are given.`),
    ),
    String(maxDeliveries),
  ),
});

/** How much of the log is asked for. */
export function parseDeliveryLimit(event: APIGatewayProxyEventV2): number {
  return readQuery(limitSchema, event).limit;
}
