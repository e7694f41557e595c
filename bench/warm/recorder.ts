import { createServer, request as forward } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { type Listening, listenOnLoopback } from '#local/loopback/listen-on-loopback.ts';

/** What a process that compares two handlers is told. */
export interface Comparison {
  readonly chainFile: string;
  readonly bareFile: string;
  readonly event: object;
  readonly token: string;
  readonly calls: readonly RecordedCall[];
  readonly resultFile: string;
}

/** Milliseconds of processor time per request, round by round. */
export interface Compared {
  readonly chain: readonly number[];
  readonly bare: readonly number[];
}

/** A call as it went over the wire, to the table or to the storage. */
export interface RecordedCall {
  /** The operation of DynamoDB; nothing for a call to the storage. */
  readonly operation: string | undefined;
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

export interface Recorder extends Listening {
  readonly calls: RecordedCall[];
}

/** Stands before a table or a storage and writes down what is asked of it. */
export async function startRecorder(endpoint: string): Promise<Recorder> {
  const calls: RecordedCall[] = [];
  const server = createServer(async (request, response) => {
    const { method = 'GET', url: path = '/', headers } = request;
    const body = await buffer(request);
    const target = headers['x-amz-target'];
    const operation = typeof target === 'string' ? target.split('.')[1] : undefined;
    calls.push({ operation, method, path, body: body.toString('latin1') });
    // With the host that was signed.
    const onward = forward(`${endpoint}${path}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    onward.end(body);
  });
  return { calls, ...(await listenOnLoopback(server, 0)) };
}
