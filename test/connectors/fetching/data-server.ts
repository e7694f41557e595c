import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listenOnLoopback } from '#local/loopback/listen-on-loopback.ts';

export interface DataServer {
  /** Such as `http://127.0.0.1:4711`, as a catalog allows it. */
  readonly host: string;
  /** The requests so far, with what each asked for: `/data bytes=3-`. */
  readonly asked: readonly string[];
  close(): Promise<void>;
}

export const data = Buffer.from('All the letters of the world.\n'.repeat(1000));
export const hash = createHash('sha256').update(data).digest('hex');

/** Serves the same data well and badly, by path. */
export async function startDataServer(): Promise<DataServer> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const { url = '', headers } = request;
    asked.push([url, headers.range].filter((each) => each !== undefined).join(' '));
    const times = asked.filter((each) => each.split(' ')[0] === url).length;
    (answers[url.split('?')[0] ?? ''] ?? refuse(404))(request, response, times);
  });
  const { endpoint, close } = await listenOnLoopback(server, 0);
  return { host: endpoint, asked, close };
}

type Answer = (request: IncomingMessage, response: ServerResponse, times: number) => void;

const answers: Readonly<Record<string, Answer>> = {
  '/data': ({ headers }, response) => sendFrom(headers.range, response),
  '/moved': redirect('/data?moved'),
  '/away': redirect('https://elsewhere.example/data'),
  '/inside': redirect('http://169.254.169.254/latest/'),
  '/around': redirect('/around'),
  /** Leads to any address, as it was written. */
  '/to': ({ url = '' }, response) => {
    const address = Buffer.from(decodeURIComponent(url.slice('/to?'.length)));
    response.writeHead(302, { location: address.toString('latin1') }).end('moved');
  },
  '/secret': refuse(403),
  /** Breaks off in the middle of the first answer. */
  '/cut': ({ headers }, response, times) => {
    if (times > 1) return sendFrom(headers.range, response);
    response.writeHead(200, { 'content-length': data.length });
    response.write(data.subarray(0, 10_000), () => response.destroy());
  },
  /** Does the same, and knows no ranges. */
  '/cut-whole': (_, response, times) => {
    if (times > 1) return sendFrom(undefined, response);
    response.writeHead(200, { 'content-length': data.length });
    response.write(data.subarray(0, 10_000), () => response.destroy());
  },
  '/busy': (request, response, times) =>
    times > 1 ? sendFrom(undefined, response) : refuse(503)(request, response, times),
  '/endless': (_, response) => {
    const more = () => {
      while (response.write(data));
      response.once('drain', more);
    };
    more();
  },
  '/silent': (_, response) => {
    response.writeHead(200, { 'content-length': data.length });
    response.write(data.subarray(0, 10));
  },
};

function redirect(location: string): Answer {
  return (_, response) => response.writeHead(302, { location }).end('moved');
}

function refuse(status: number): Answer {
  return (_, response) => response.writeHead(status).end('refused');
}

function sendFrom(range: string | undefined, response: ServerResponse): void {
  const from = Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0);
  const part = data.subarray(from);
  const place = { 'content-range': `bytes ${from}-${data.length - 1}/${data.length}` };
  response.writeHead(range === undefined ? 200 : 206, {
    'content-length': part.length,
    ...(range !== undefined && place),
  });
  response.end(part);
}
