import * as v from 'valibot';
import { digests, topics } from '#lib/mail/preferences.ts';
import { languages } from '#lib/mail/words/languages.ts';
import { anyText } from '../fields.ts';
import { jsonBody } from './json-body.ts';

const knownTopics = `Known events: ${topics.join(', ')}.`;

/** The longest address that mail servers take (RFC 5321). */
const maxEmailLength = 254;

export const notificationsBody = jsonBody(
  v.object({
    email: v.optional(
      v.nullable(
        v.pipe(
          anyText,
          v.maxLength(maxEmailLength, `It must have at most ${maxEmailLength} characters.`),
          v.email('It is not a valid e-mail address.'),
        ),
      ),
    ),
    events: v.optional(
      v.pipe(
        v.array(v.picklist(topics, `Unknown event. ${knownTopics}`), 'It must be a list.'),
        v.transform((named) => topics.filter((topic) => named.includes(topic))),
      ),
    ),
    digest: v.optional(v.picklist(digests, `It must be one of: ${digests.join(', ')}.`)),
    language: v.optional(v.picklist(languages, `It must be one of: ${languages.join(', ')}.`)),
  }),
);
