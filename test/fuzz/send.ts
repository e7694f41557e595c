import { Agent, type IncomingMessage, request as requestHttp } from 'node:http';
import { nameHeader } from './written.ts';

/** A request as it is sent. */
export interface SentRequest {
  readonly from: string;
  readonly caller: string;
  readonly method: string;
  /** A whole address. */
  readonly url: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body?: Buffer | undefined;
}

export interface GivenAnswer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  /** On the wire, with its head. */
  readonly bytes: number;
  readonly ms: number;
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/** Sends a request as it is: no path is tidied up, and headers may come twice. */
export function send(request: SentRequest, name: string): Promise<GivenAnswer> {
  const { port, host } = new URL(request.url);
  const start = performance.now();
  const headers = [
    ...['host', host],
    ...[nameHeader, name],
    ...request.headers.flatMap(([key, value]) => [key, sendable(value)]),
    ...(request.body ? ['content-length', String(request.body.length)] : []),
  ];
  return new Promise((resolve, reject) => {
    const sending = requestHttp(
      // Looking a name up would wait for the threads in which webhooks look theirs up.
      {
        agent,
        hostname: '127.0.0.1',
        port,
        method: request.method,
        path: pathOf(request),
        headers,
      },
      (response) => {
        readAnswer(response, start).then(resolve, reject);
      },
    );
    // The service may close an idle connection just as it is used again. Clients then open a new one.
    sending.on('error', (error) => {
      if (sending.reusedSocket) send(request, name).then(resolve, reject);
      else reject(error);
    });
    sending.end(request.body);
  });
}

/** Node refuses to send these characters in a path. Raw sockets send them (sockets.ts). */
export function pathOf({ url }: SentRequest): string {
  const path = url.replace(/^https?:\/\/[^/]*/, '');
  return path.replaceAll(/[^\x21-\x7e]/gu, (character) =>
    [...Buffer.from(character)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
  );
}

/** Headers carry bytes, so text beyond ASCII goes as its UTF-8, without what ends a header. */
function sendable(value: string): string {
  return Buffer.from(value)
    .toString('latin1')
    .replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '');
}

/** How many bytes a request has on the wire. */
export function measureRequest(request: SentRequest): number {
  const head = [
    `${request.method} ${pathOf(request)} HTTP/1.1`,
    `host: ${new URL(request.url).host}`,
    ...request.headers.map(([name, value]) => `${name}: ${sendable(value)}`),
  ];
  return Buffer.byteLength(head.join('\r\n')) + 4 + (request.body?.length ?? 0);
}

async function readAnswer(response: IncomingMessage, start: number): Promise<GivenAnswer> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  const head = response.rawHeaders.reduce((sum, each) => sum + each.length + 2, 17);
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    text: body.toString(),
    bytes: head + body.length,
    ms: performance.now() - start,
  };
}

/** Closes idle connections, so that the service can end. */
export function hangUp(): void {
  agent.destroy();
}

/** Writes a request as a command to paste. Binary bodies are piped in. */
export function asCurl({ method, url, headers, body }: SentRequest): string {
  const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const words = ['curl', '-i', '--path-as-is', '-X', method, quote(url)];
  for (const [name, value] of headers) words.push('-H', quote(`${name}: ${value}`));
  if (!body) return words.join(' ');
  const pipe = `echo ${body.toString('base64')} | base64 -d`;
  return `${pipe} | ${words.join(' ')} --data-binary @-`;
}
