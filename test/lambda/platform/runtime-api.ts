import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { listenOnLoopback } from '#local/loopback/listen-on-loopback.ts';
import type { FunctionError, Outcome } from './outcome.ts';

/** One event on its way to a handler. */
export interface Invocation {
  readonly requestId: string;
  readonly functionArn: string;
  readonly traceId: string;
  /** When its time is out, in milliseconds since 1970. */
  readonly deadline: number;
  readonly event: unknown;
}

/** Lambda's Runtime API of one process: docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html */
export interface RuntimeApi {
  /** Host and port, as the runtime client reads them in AWS_LAMBDA_RUNTIME_API. */
  readonly address: string;
  /** Never, unless the handler could not be loaded. */
  readonly initError: Promise<FunctionError>;
  /** When the process has nothing to do, and asks for its next event. */
  idle(): Promise<void>;
  /** Gives it one, and waits for what it tells of it. */
  give(invocation: Invocation): Promise<Outcome>;
  close(): Promise<void>;
}

const root = '/2018-06-01/runtime';

export async function startRuntimeApi(): Promise<RuntimeApi> {
  const initError = Promise.withResolvers<FunctionError>();
  let asking = Promise.withResolvers<ServerResponse>();
  let underWay: { readonly requestId: string; tell(outcome: Outcome): void } | undefined;

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '').slice(root.length);
    if (path === '/invocation/next') return asking.resolve(response);
    const told = JSON.parse(await text(request));
    const [, requestId, kind] = /^\/invocation\/([^/]+)\/(response|error)$/.exec(path) ?? [];
    if (path === '/init/error') initError.resolve(told);
    else if (underWay && underWay.requestId === requestId) {
      underWay.tell(kind === 'response' ? { answer: told } : { error: told });
    } else return void response.writeHead(400).end('{"errorType":"InvalidRequestID"}');
    response.writeHead(202).end('{"status":"OK"}');
  }

  const server = createServer((request, response) => {
    // Only a process that ends in the middle of a sentence fails here, and its end is seen elsewhere.
    take(request, response).catch(() => response.destroy());
  });
  // A process may be idle for as long as it likes.
  server.keepAliveTimeout = 0;
  const { endpoint, close } = await listenOnLoopback(server, 0);
  return {
    address: new URL(endpoint).host,
    initError: initError.promise,
    idle: async () => {
      await asking.promise;
    },
    give: async ({ event, ...invocation }) => {
      const response = await asking.promise;
      asking = Promise.withResolvers();
      const { promise, resolve: tell } = Promise.withResolvers<Outcome>();
      underWay = { requestId: invocation.requestId, tell };
      response.writeHead(200, headersOf(invocation)).end(JSON.stringify(event));
      return promise;
    },
    close,
  };
}

function headersOf({ requestId, functionArn, traceId, deadline }: Omit<Invocation, 'event'>) {
  return {
    'content-type': 'application/json',
    'lambda-runtime-aws-request-id': requestId,
    'lambda-runtime-deadline-ms': String(deadline),
    'lambda-runtime-invoked-function-arn': functionArn,
    'lambda-runtime-trace-id': traceId,
  };
}
