import { createServer, type RequestListener, type Server } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import {
  askForEach,
  callUpstream,
  decodeText,
  readRetryAfter,
  retryOnceRefused,
} from '#lib/hpc/call-upstream.ts';
import {
  AnswerTooLargeError,
  CredentialsRefusedError,
  SystemBusyError,
  SystemUnavailableError,
} from '#lib/hpc/errors.ts';

let server: Server | undefined;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function serve(listener: RequestListener): Promise<string> {
  const listening = createServer(listener);
  server = listening;
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  const address = listening.address();
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  return `http://127.0.0.1:${address.port}`;
}

function serveStatus(status: number, headers = {}, body = '') {
  return serve((_, response) => response.writeHead(status, headers).end(body));
}

/** The error itself, so that all of it can be compared. */
async function failureOf(work: Promise<unknown>): Promise<Error> {
  const error = await work.then(
    () => new Error('there was none'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof Error)) throw new Error('not an error');
  return error;
}

describe('a call to an HPC system', () => {
  it.each([200, 201, 204, 400, 404, 409, 422, 432])('gives %d to the caller', async (status) => {
    const url = await serveStatus(status, { 'X-A': 'b' }, status === 204 ? '' : 'text');
    const answer = await callUpstream({ url });
    expect(answer.status).toBe(status);
    expect(answer.headers.get('x-a')).toBe('b');
    expect(decodeText(answer)).toBe(status === 204 ? '' : 'text');
  });

  it.each([
    { status: 401, kind: CredentialsRefusedError },
    { status: 403, kind: CredentialsRefusedError },
    { status: 302, kind: SystemUnavailableError },
    { status: 500, kind: SystemUnavailableError },
    { status: 503, kind: SystemUnavailableError },
    { status: 504, kind: SystemUnavailableError },
    { status: 429, kind: SystemBusyError },
  ])('turns $status into $kind.name', async ({ status, kind }) => {
    const url = await serveStatus(status, { Location: '/elsewhere' });
    expect(await failureOf(callUpstream({ url }))).toBeInstanceOf(kind);
  });

  it.each([429, 503])('reads Retry-After of a %d', async (status) => {
    const url = await serveStatus(status, { 'Retry-After': '7' });
    expect(await failureOf(callUpstream({ url }))).toMatchObject({
      name: 'SystemBusyError',
      retryAfterSeconds: 7,
    });
  });

  it('does not follow a redirect: credentials stay where they are', async () => {
    const paths: (string | undefined)[] = [];
    const url = await serve((request, response) => {
      paths.push(request.url);
      response.writeHead(307, { Location: '/elsewhere' }).end();
    });
    expect(await failureOf(callUpstream({ url }))).toBeInstanceOf(SystemUnavailableError);
    expect(paths).toEqual(['/']);
  });

  it('shows an answer to the caller before it is classified', async () => {
    const url = await serveStatus(500, {}, '{"error_number":2017}');
    const takesAnswer = (answer: Parameters<typeof decodeText>[0]) =>
      decodeText(answer).includes('2017');
    expect((await callUpstream({ url, takesAnswer })).status).toBe(500);
    const other = callUpstream({ url, takesAnswer: () => false });
    expect(await failureOf(other)).toBeInstanceOf(SystemUnavailableError);
  });

  it('reads an answer of the allowed size, and none that is a byte longer', async () => {
    const url = await serveStatus(200, {}, '12345');
    expect(decodeText(await callUpstream({ url, maxAnswerBytes: 5 }))).toBe('12345');
    const error = await failureOf(callUpstream({ url, maxAnswerBytes: 4 }));
    expect(error).toBeInstanceOf(AnswerTooLargeError);
  });

  it.each([
    { when: 'nothing is answered', listener: () => {} },
    {
      when: 'the answer stops half-way',
      listener: ((_, response) => response.writeHead(200).write('a')) as RequestListener,
    },
  ])('ends after its time when $when', async ({ listener }) => {
    const url = await serve(listener);
    const error = await failureOf(callUpstream({ url, timeoutSeconds: 0.05 }));
    expect(error).toBeInstanceOf(SystemUnavailableError);
    expect(error.message).toMatch(/no answer within 0.05 s/);
  });

  it('is unavailable where the connection is lost or nobody listens', async () => {
    const url = await serve((request) => request.socket.destroy());
    expect(await failureOf(callUpstream({ url }))).toBeInstanceOf(SystemUnavailableError);
    const error = await failureOf(callUpstream({ url: 'http://127.0.0.1:1/jobs' }));
    expect(error).toBeInstanceOf(SystemUnavailableError);
  });

  it.each([
    { headers: { Authorization: 'Bearer secret\nword' }, url: 'http://127.0.0.1:1/' },
    { headers: {}, url: 'http://user:secret@127.0.0.1:1/' },
    { headers: {}, url: 'secret' },
  ])('shows no credentials when it cannot be made: $url', async ({ headers, url }) => {
    const error = await failureOf(callUpstream({ url, headers }));
    expect(error).toBeInstanceOf(SystemUnavailableError);
    expect(`${error.stack} ${JSON.stringify(error)} ${String(error.cause)}`).not.toMatch('secret');
  });
});

describe('Retry-After', () => {
  const now = Date.UTC(2026, 0, 5, 9, 0, 0);
  it.each([
    { value: null, seconds: undefined },
    { value: 'soon', seconds: undefined },
    { value: '0', seconds: 1 },
    { value: '120', seconds: 120 },
    { value: '999999999', seconds: 86_400 },
    { value: 'Mon, 05 Jan 2026 09:01:30 GMT', seconds: 90 },
    { value: 'Mon, 05 Jan 2026 08:00:00 GMT', seconds: 1 },
  ])('of $value is $seconds', ({ value, seconds }) => {
    expect(readRetryAfter(value, now)).toBe(seconds);
  });
});

describe('refused credentials', () => {
  const store = () => {
    const forgotten: string[] = [];
    return { forgotten, read: async () => ({}), forget: () => void forgotten.push('once') };
  };
  const refuse = async () => {
    throw new CredentialsRefusedError('no');
  };

  it('are read anew, once', async () => {
    const credentials = store();
    let calls = 0;
    const work = () => (calls++ === 0 ? refuse() : Promise.resolve('in'));
    expect(await retryOnceRefused(credentials, work)).toBe('in');
    expect(credentials.forgotten).toEqual(['once']);
    expect(await failureOf(retryOnceRefused(store(), refuse))).toBeInstanceOf(
      CredentialsRefusedError,
    );
  });

  it('are kept when something else goes wrong', async () => {
    const credentials = store();
    const fail = () => Promise.reject(new SystemUnavailableError('down'));
    await failureOf(retryOnceRefused(credentials, fail));
    expect(credentials.forgotten).toEqual([]);
  });
});

describe('parallel calls', () => {
  const busy = new SystemBusyError('later');
  const down = new SystemUnavailableError('down');

  it.each([
    { what: 'two failures', failing: [2, 4], error: down, seen: [1, 3, 5, 6], asked: 6 },
    { what: 'a third failure', failing: [2, 3, 4], error: down, seen: [1], asked: 4 },
    { what: 'a request for patience', failing: [2], error: busy, seen: [1], asked: 2 },
  ])('for a look-up keep what was seen after $what', async ({ failing, error, seen, asked }) => {
    let calls = 0;
    const answers = await askForEach([1, 2, 3, 4, 5, 6], 1, async (item) => {
      calls += 1;
      if (failing.includes(item)) throw error;
      return item;
    });
    expect([...answers.values()]).toEqual(seen);
    expect(calls).toBe(asked);
  });

  it.each([down, busy])('for a look-up fail where nothing was seen', async (error) => {
    expect(await failureOf(askForEach([1], 1, () => Promise.reject(error)))).toBe(error);
  });

  it('are not used where a mistake of ours ended the asking: it would go unnoticed', async () => {
    const mistake = new TypeError('undefined is not an answer');
    const ask = async (item: number) => {
      if (item === 2) throw mistake;
      return item;
    };
    expect(await failureOf(askForEach([1, 2, 3], 1, ask))).toBe(mistake);
  });
});
