import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listenOnLoopback } from '#local/loopback/listen-on-loopback.ts';

export interface StoreServer {
  /** Such as `http://127.0.0.1:4711`, as a catalog allows it. */
  readonly host: string;
  /** What was sent, by path. */
  readonly stored: ReadonlyMap<string, string>;
  /** The requests so far: `PUT /store`. */
  readonly asked: readonly string[];
  close(): Promise<void>;
}

/** Takes files well and badly, by path, and leads senders on as the service does. */
export async function startStoreServer(): Promise<StoreServer> {
  const asked: string[] = [];
  const stored = new Map<string, string>();
  const server = createServer(async (request, response) => {
    const url = new URL(`http://${request.headers.host}${request.url}`);
    asked.push(`${request.method} ${url.pathname}`);
    const times = asked.filter((each) => each.endsWith(` ${url.pathname}`)).length;
    const [, name = ''] = url.pathname.split('/');
    if (name === 'ask') return lead(url, response);
    if (name === 'silent') return undefined;
    if (name === 'moved') return response.writeHead(307, { location: '/store/moved' }).end();
    if (refusals[name] !== undefined) return response.writeHead(refusals[name]).end('refused');
    const body = await buffer(request);
    if (times === 1 && failsFirst[name]) return failsFirst[name](response);
    if (isSpoilt(request, body)) return response.writeHead(400).end('another checksum');
    stored.set(decodeURIComponent(url.pathname), body.toString());
    return response.end();
  });
  // Nothing is asked for before somebody decided.
  server.on('checkContinue', (request, response) => {
    const [, name = ''] = (request.url ?? '').split(/[/?]/);
    if (refusals[name] === undefined) response.writeContinue();
    server.emit('request', request, response);
  });
  const { endpoint, close } = await listenOnLoopback(server, 0);
  return { host: endpoint, stored, asked, close };
}

const failsFirst: Readonly<Record<string, (response: ServerResponse) => void>> = {
  busy: (response) => response.writeHead(503).end(),
  cut: (response) => response.destroy(),
};

const refusals: Readonly<Record<string, number>> = { secret: 403, missing: 404, large: 413 };

/** Leads to a place of its own for each file, with what was announced of it. */
function lead(url: URL, response: ServerResponse): void {
  const { file = '', length, sha256 } = Object.fromEntries(url.searchParams);
  if (file.includes('refused')) return void response.writeHead(400).end();
  const place = `/bucket/${encodeURIComponent(file)}?${length}&${sha256}`;
  response.writeHead(307, { location: `${url.origin}${place}` }).end();
}

/** Tells whether something else came than was announced. */
function isSpoilt({ url = '', headers }: IncomingMessage, body: Buffer): boolean {
  const wanted = headers['x-amz-checksum-sha256'];
  if (!url.startsWith('/bucket/')) return wanted !== undefined;
  const hash = createHash('sha256').update(body);
  const announced = url.split('?')[1];
  const hex = hash.copy().digest('hex');
  return wanted !== hash.digest('base64') || announced !== `${body.length}&${hex}`;
}
