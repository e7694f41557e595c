import type { BodyKind } from '../reading.ts';

const message =
  'It must be how many bytes will be sent: a whole number from 1. A request with a body may leave it out.';

/**
 * How many bytes are going to be sent where the answer says. A gateway takes no large body, so
 * whoever asks sends none and says it in the query; one who sends the body along need not.
 */
export const announcedBytes: BodyKind<number> = {
  read({ headers, rawQueryString }) {
    const given = new URLSearchParams(rawQueryString).get('bytes') ?? headers['content-length'];
    if (/^[1-9][0-9]{0,14}$/.test(given ?? '')) return { output: Number(given) };
    return { problems: [{ location: 'query', name: 'bytes', message }] };
  },
};
