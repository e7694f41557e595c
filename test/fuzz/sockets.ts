import { connect } from 'node:net';
import fc from 'fast-check';

/** Bytes for a socket, beneath what any HTTP client would send. `HOST` and `TOKEN` are filled in. */
export interface RawRequest {
  readonly from: string;
  readonly text: string;
  /** Leaves the rest of the bytes out and hangs up. */
  readonly cutAt?: number | undefined;
}

const head = 'Host: HOST\r\nAuthorization: TOKEN\r\n';
const end = 'Connection: close\r\n\r\n';

const forms: readonly (readonly [from: string, text: string])[] = [
  ['no version', 'GET /jobs/\r\n\r\n'],
  ['another version', `GET /jobs/ HTTP/9.9\r\n${head}${end}`],
  ['HTTP/2 without asking', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  ['no host', `GET /jobs/ HTTP/1.1\r\n${end}`],
  ['two hosts', `GET /jobs/ HTTP/1.1\r\nHost: evil.example\r\n${head}${end}`],
  ['another host', `GET /jobs/ HTTP/1.1\r\nHost: evil.example\r\n${end}`],
  ['a whole address', `GET http://evil.example/jobs/ HTTP/1.1\r\n${head}${end}`],
  ['an asterisk', `OPTIONS * HTTP/1.1\r\n${head}${end}`],
  ['a tunnel', `CONNECT evil.example:443 HTTP/1.1\r\n${head}${end}`],
  ['an upgrade', `GET /jobs/ HTTP/1.1\r\n${head}Upgrade: websocket\r\nConnection: Upgrade\r\n\r\n`],
  ['a path without a slash', `GET jobs/ HTTP/1.1\r\n${head}${end}`],
  ['a path of two slashes', `GET // HTTP/1.1\r\n${head}${end}`],
  ['a path that names a host', `GET //evil.example/jobs/ HTTP/1.1\r\n${head}${end}`],
  ['a path with a port', `GET //:99999/ HTTP/1.1\r\n${head}${end}`],
  ['a path with brackets', `GET //[::1/ HTTP/1.1\r\n${head}${end}`],
  ['a path with a backslash', `GET /\\evil.example/ HTTP/1.1\r\n${head}${end}`],
  ['a path of raw bytes', `GET /jobs/\xff\xfe/ HTTP/1.1\r\n${head}${end}`],
  ['a fragment', `GET /jobs/#x HTTP/1.1\r\n${head}${end}`],
  ['a space in the path', `GET /jobs/ x HTTP/1.1\r\n${head}${end}`],
  ['line feeds alone', `GET /status/ HTTP/1.1\n${head.replaceAll('\r', '')}Connection: close\n\n`],
  ['a folded header', `GET /jobs/ HTTP/1.1\r\n${head}X-A: 1\r\n 2\r\n${end}`],
  ['a NUL in a header', `GET /jobs/ HTTP/1.1\r\n${head}X-A: \x00\r\n${end}`],
  ['a header without a name', `GET /jobs/ HTTP/1.1\r\n${head}: x\r\n${end}`],
  ['a header without a colon', `GET /jobs/ HTTP/1.1\r\n${head}X-A\r\n${end}`],
  ['a space before the colon', `GET /jobs/ HTTP/1.1\r\n${head}X-A : 1\r\n${end}`],
  ['many headers', `GET /jobs/ HTTP/1.1\r\n${head}${'a: b\r\n'.repeat(1900)}${end}`],
  ['a large header', `GET /jobs/ HTTP/1.1\r\n${head}X-A: ${'x'.repeat(20_000)}\r\n${end}`],
  [
    'two lengths',
    `POST /requests/ HTTP/1.1\r\n${head}Content-Length: 2\r\nContent-Length: 3\r\n${end}{}`,
  ],
  ['a negative length', `POST /requests/ HTTP/1.1\r\n${head}Content-Length: -1\r\n${end}`],
  [
    'a length that is not a number',
    `POST /requests/ HTTP/1.1\r\n${head}Content-Length: 2x\r\n${end}{}`,
  ],
  [
    'a huge length',
    `POST /requests/ HTTP/1.1\r\n${head}Content-Length: 99999999999999999999\r\n${end}{}`,
  ],
  [
    'length and chunks',
    `POST /requests/ HTTP/1.1\r\n${head}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n${end}0\r\n\r\nGET /admin/users/ HTTP/1.1\r\nHost: HOST\r\n\r\n`,
  ],
  [
    'chunks in another word',
    `POST /requests/ HTTP/1.1\r\n${head}Transfer-Encoding: xchunked\r\n${end}0\r\n\r\n`,
  ],
  [
    'a chunk that lies',
    `POST /requests/ HTTP/1.1\r\n${head}Transfer-Encoding: chunked\r\n${end}FFFFFFFFFFFFFFFFF\r\n{}\r\n0\r\n\r\n`,
  ],
  [
    'a chunk with an extension',
    `POST /requests/ HTTP/1.1\r\n${head}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n${end}2;a=${'b'.repeat(100)}\r\n{}\r\n0\r\nX-Trailer: 1\r\n\r\n`,
  ],
  ['a body of a GET', `GET /jobs/ HTTP/1.1\r\n${head}Content-Length: 2\r\n${end}{}`],
  [
    'an expectation',
    `POST /requests/ HTTP/1.1\r\n${head}Expect: 200-maybe\r\nContent-Length: 2\r\n${end}{}`,
  ],
  [
    'a pipeline',
    `${`GET /status/ HTTP/1.1\r\nHost: HOST\r\n\r\n`.repeat(8)}GET /quotas/ HTTP/1.1\r\n${head}${end}`,
  ],
  ['a missing body', `POST /requests/ HTTP/1.1\r\n${head}Content-Length: 1000\r\n\r\n{`],
  ['a method of our own', `FROBNICATE /jobs/ HTTP/1.1\r\n${head}${end}`],
  ['noise', '\x00\x01\x02\x03\r\n\r\n\xff'],
];

/** The bytes of one of the forms, some of them cut off or with one byte changed. */
export const anyRawRequest: fc.Arbitrary<RawRequest> = fc
  .tuple(
    fc.constantFrom(...forms),
    fc.oneof(
      { weight: 3, arbitrary: fc.constant<undefined>(undefined) },
      { weight: 1, arbitrary: fc.nat(300) },
    ),
    fc.oneof(
      { weight: 3, arbitrary: fc.constant<undefined>(undefined) },
      { weight: 1, arbitrary: fc.tuple(fc.nat(200), fc.nat(255)) },
    ),
  )
  .map(([[from, text], cutAt, change]) => ({
    from,
    text: change ? replaceByte(text, ...change) : text,
    cutAt,
  }));

function replaceByte(text: string, at: number, byte: number): string {
  const place = at % text.length;
  return `${text.slice(0, place)}${String.fromCharCode(byte)}${text.slice(place + 1)}`;
}

/** So long a peer that does not finish its request is kept waiting here, before it hangs up. */
const patienceMs = 150;

/**
 * Sends the bytes and returns the answer: its first lines, or nothing if the service hung up. Whether
 * it still serves others is seen by the requests that follow.
 */
export function sendRaw(url: string, token: string, request: RawRequest): Promise<string> {
  const { port, host } = new URL(url);
  const text = request.text.replaceAll('HOST', host).replaceAll('TOKEN', token);
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect({ host: '127.0.0.1', port: Number(port) });
    const done = (): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(answer);
    };
    const timer = setTimeout(done, patienceMs);
    socket.on('connect', () => socket.write(Buffer.from(text.slice(0, request.cutAt), 'latin1')));
    socket.on('data', (bytes) => {
      answer += bytes.toString('latin1', 0, 2000);
      timer.refresh();
    });
    socket.on('error', done);
    socket.on('close', done);
  });
}

/** Returns the status of an answer that no service should give, or undefined. */
export function findWrongAnswer(answer: string): string | undefined {
  if (answer === '') return undefined;
  const statuses = [...answer.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) =>
    Number(status),
  );
  if (statuses.length === 0) return `It is not HTTP: ${answer.slice(0, 60)}`;
  const wrong = statuses.find((status) => status >= 500);
  return wrong === undefined ? undefined : `The status is ${wrong}.`;
}
