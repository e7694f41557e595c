import * as v from 'valibot';

/** What is made anew for each request: ids, moments, secrets, and addresses that hold one of them. */
const madeAnew = [
  'act_id',
  'address',
  'at',
  'batch_id',
  'created',
  'end_date',
  'ended',
  'expires',
  'first_seen',
  'init_date',
  'job_id',
  'last_contact',
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
  if (!success) return answer;
  const { headers, body: text, ...rest } = output;
  if (text === undefined) return { ...rest, headers: blankAddress(headers) };
  // Problems name a request in the middle of a sentence.
  const blankRequests = (words: string) =>
    words.replaceAll(/\b\d+-[0-9a-f]{32}\b/g, '<request_id>');
  const body = blankRequests(text);
  const found = [...body.matchAll(field)].map(([, name = '', value = '']) => ({ name, value }));
  if (found.length === 0) return { ...output, body };
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
      ...(location !== undefined && { location: blank(blankRequests(String(location))) }),
    },
    body: blank(body.replaceAll(field, '"$1":"<$1>"')),
  };
}

/** An address into the storage, without where it is, which job it is of, and when it was signed. */
function blankAddress({ location, ...others }: Readonly<Record<string, unknown>>) {
  if (location === undefined) return others;
  const blank = String(location)
    .replace(/^http:\/\/127\.0\.0\.1:\d+\//, '<storage>/')
    .replace(/[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}/, '<job_id>')
    .replaceAll(/(X-Amz-(?:Credential|Date|Signature))=[^&]+/g, '$1=<$1>');
  return { ...others, location: blank };
}
