import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createServer, request as sendRequest } from 'node:https';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { Certificates } from './certificates.ts';

export interface LineRequest {
  readonly method: string;
  /** With its query, as it was sent. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

export interface Line {
  readonly url: string;
  readonly requests: readonly LineRequest[];
  /** From when on requests are passed on, to this port. */
  connect(port: number): void;
  close(): Promise<void>;
}

/**
 * Stands before the server and passes everything on. With a delay, the storage of a new job is not
 * ready for so long: with a batch system its directory is made after the job is, whereas the
 * embedded target system makes it at once.
 */
export async function startLine(
  { key, certificate, caPem }: Certificates,
  storageDelayMs: number,
): Promise<Line> {
  const requests: LineRequest[] = [];
  const readyAt = new Map<string, number>();
  let serverPort = 0;

  function pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    return new Promise((resolve, reject) => {
      const { method = 'GET', url: path = '/', headers } = incoming;
      const options = { host: '127.0.0.1', port: serverPort, ca: caPem, method, path, headers };
      const call = sendRequest(options, (answer) => {
        const created = /\/jobs\/([\w-]+)$/.exec(answer.headers.location ?? '')?.[1];
        if (created !== undefined) readyAt.set(created, Date.now() + storageDelayMs);
        giveBack(incoming, answer, outgoing).then(resolve, reject);
      });
      // A caller that goes away takes its call along.
      outgoing.once('close', () => outgoing.writableFinished || call.destroy());
      pipeline(incoming, call).catch(reject);
      call.once('error', reject);
    });
  }

  async function giveBack(
    incoming: IncomingMessage,
    answer: IncomingMessage,
    outgoing: ServerResponse,
  ): Promise<void> {
    const { statusCode = 502, headers } = answer;
    const { rest } = readStorage(incoming.url);
    if (rest === '' && isInitializing(incoming.url) && statusCode === 200) {
      // As long as there is no directory, the answer does not name one.
      const properties = { ...JSON.parse(await text(answer)), mountPoint: undefined };
      const body = JSON.stringify({ ...properties, resourceStatus: 'INITIALIZING' });
      const length = String(Buffer.byteLength(body));
      outgoing.writeHead(statusCode, { ...headers, 'content-length': length }).end(body);
    } else {
      outgoing.writeHead(statusCode, headers);
      await pipeline(answer, outgoing);
    }
  }

  function isInitializing(url: string | undefined): boolean {
    return Date.now() < (readyAt.get(readStorage(url).job) ?? 0);
  }

  const server = createServer({ key, cert: certificate }, (incoming, outgoing) => {
    const { method = 'GET', url = '/', headers } = incoming;
    requests.push({ method, path: url, headers });
    const { rest } = readStorage(url);
    if (rest.startsWith('/files') && isInitializing(url)) {
      // The directory is not known yet, and becomes the word `null` in the path.
      const file = rest.slice('/files'.length).split('?')[0];
      const reason = `No such file or directory: 'null${file}'`;
      const errorMessage = `Error uploading to '${file}': ${reason}`;
      incoming.resume();
      outgoing.writeHead(500, { 'Content-Type': 'application/json' });
      outgoing.end(JSON.stringify({ errorMessage, status: 500 }));
      return;
    }
    pass(incoming, outgoing).catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The line has no port.');
  return {
    url: `https://127.0.0.1:${address.port}`,
    requests,
    connect(port) {
      serverPort = port;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The job whose storage is asked for, and what of it. */
function readStorage(url = ''): { job: string; rest: string } {
  const [, job = '', rest = ''] = /\/storages\/([\w-]+)-uspace(\/.*)?$/.exec(url) ?? [];
  return { job, rest };
}
