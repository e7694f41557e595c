import { createServer, request as forward } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listenOnLoopback } from '#local/loopback/listen-on-loopback.ts';

/** The input of the process that compares two handlers. */
export interface Comparison {
  readonly chainFile: string;
  readonly bareFile: string;
  readonly event: object;
  readonly token: string;
  readonly calls: readonly RecordedCall[];
  readonly resultFile: string;
}

/** Processor milliseconds per request, round by round. */
export interface Compared {
  readonly chain: readonly number[];
  readonly bare: readonly number[];
}

/** A call to the table or the storage, as sent. */
export interface RecordedCall {
  /** The DynamoDB operation; undefined for a call to the storage. */
  readonly operation: string | undefined;
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

/** Starts a proxy for a table or a storage that records every request. */
export async function startRecorder(endpoint: string) {
  const calls: RecordedCall[] = [];
  const server = createServer(async (request, response) => {
    const { method = 'GET', url: path = '/', headers } = request;
    const body = await buffer(request);
    const target = headers['x-amz-target'];
    const operation = typeof target === 'string' ? target.split('.')[1] : undefined;
    calls.push({ operation, method, path, body: body.toString('latin1') });
    // Keeps the host that was signed.
    const onward = forward(`${endpoint}${path}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    onward.end(body);
  });
  return { calls, ...(await listenOnLoopback(server, 0)) };
}
