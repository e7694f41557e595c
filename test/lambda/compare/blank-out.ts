import * as v from 'valibot';

/** What is made anew for each request: ids, moments, secrets, and addresses that hold one of them. */
const madeAnew = [
  'act_id',
  'address',
  'at',
  'created',
  'expires',
  'first_seen',
  'init_date',
  'job_id',
  'opened',
  'request_id',
  'secret',
  'upload_id',
  'webhook_id',
];

const field = new RegExp(`"(${madeAnew.join('|')})":"([^"]+)"`, 'g');

const HttpAnswer = v.looseObject({
  headers: v.record(v.string(), v.unknown()),
  body: v.optional(v.string()),
});

/**
 * An answer as it can be compared with that of another time and place. Everything else is compared
 * to the letter; so is the tag of a body with nothing in it that is made anew.
 */
export function blankOut(answer: unknown): unknown {
  const { success, output } = v.safeParse(HttpAnswer, answer);
  if (!success || output.body === undefined) return answer;
  const { headers, body, ...rest } = output;
  const found = [...body.matchAll(field)].map(([, name = '', value = '']) => ({ name, value }));
  if (found.length === 0) return answer;
  // An id may be named anywhere else; a moment may be that of another field by chance.
  const ids = found.filter(({ name }) => name.endsWith('_id'));
  const blank = (text: string) =>
    ids.reduce((left, { name, value }) => left.replaceAll(value, `<${name}>`), text);
  const { etag, location, ...others } = headers;
  return {
    ...rest,
    headers: {
      ...others,
      ...(etag !== undefined && { etag: '<of the body>' }),
      ...(location !== undefined && { location: blank(String(location)) }),
    },
    body: blank(body.replaceAll(field, '"$1":"<$1>"')),
  };
}
