import * as v from 'valibot';
import { eventTypes, isForAdministrators } from '#lib/events/event.ts';
import type { AddressRules } from '#lib/outbound/public-address.ts';
import { judgeUrl } from '#lib/webhooks/judge-url.ts';
import { anyText, plainText } from '../fields.ts';
import { jsonBody } from './json-body.ts';

const maxDescriptionLength = 200;

const knownTypes = `Known events: ${eventTypes.join(', ')}.`;

export const webhookBody = (rules: AddressRules) =>
  jsonBody(
    v.object({
      url: v.pipe(
        anyText,
        v.rawTransform(({ dataset, addIssue, NEVER }) => {
          const judged = judgeUrl(dataset.value, rules);
          if ('url' in judged) return judged.url.href;
          addIssue({ message: judged.fault });
          return NEVER;
        }),
      ),
      events: v.optional(
        v.pipe(
          v.array(v.picklist(eventTypes, `Unknown event. ${knownTypes}`), 'It must be a list.'),
          v.minLength(1, `Name at least one event. ${knownTypes}`),
          v.transform((types) => eventTypes.filter((type) => types.includes(type))),
        ),
        eventTypes.filter((type) => !isForAdministrators(type)),
      ),
      description: v.optional(plainText(maxDescriptionLength), ''),
    }),
  );
