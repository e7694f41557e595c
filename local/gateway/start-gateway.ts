import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { Server as NetServer } from 'node:net';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { ApiHandler } from '#lib/http/chain/api-handler.ts';
import { problemType } from '#lib/http/problems.ts';
import { type ApiResponse, respond } from '#lib/http/respond.ts';
import { allowAtGateway, isPreflight, readAskingPage } from '../loopback/cross-origin.ts';
import { keepConnections, releaseConnections } from '../loopback/listen-on-loopback.ts';
import { isOwnHost, isOwnOrigin } from '../loopback/own-address.ts';
import { refuseUnreadable } from '../loopback/refuse-unreadable.ts';
import { buildEvent, withBody } from './build-event.ts';
import { callFunction, gatewayError, maxHeaderBytes } from './call-function.ts';
import { LineFullError, WaitingLine } from './waiting-line.ts';

export interface Gateway {
  readonly url: string;
  /** The address that it listens on. */
  readonly address: string;
  /** Answers the requests that are here, and takes no others. */
  close(): Promise<void>;
}

export type HandlersByKey = ReadonlyMap<string, ApiHandler>;

/** A request whose body is not in the event yet, because encoding it takes time too. */
export interface RequestApart {
  readonly event: APIGatewayProxyEventV2;
  readonly pieces: readonly Buffer[];
  readonly bytes: number;
}

/** Answers a request of a caller in another thread. */
export type AnswerApart = (caller: string, request: RequestApart) => Promise<ApiResponse>;

export interface GatewayOptions {
  /** Handlers by route key, including `$default`. Requests wait until they are loaded. */
  readonly handlers: HandlersByKey | Promise<HandlersByKey>;
  readonly port: number;
  /** Address to listen on. Only this machine can reach the default. */
  readonly listen?: string;
  /** The descriptor of a socket to use instead. It stays open after `close`, for the next process. */
  readonly keptSocket?: number | undefined;
  readonly slashes: Slashes;
  /** Public address, if it differs from the local one. */
  readonly publicUrl?: string;
  /** Answers requests of the laptop edition that are not part of the API. */
  readonly beside?: (event: APIGatewayProxyEventV2) => ApiResponse | undefined;
  /** Serves the paths below `storagePath`, if the storage is reached through the public address. */
  readonly storage?: RequestListener;
  /** Origins whose pages may call the API, as on AWS. */
  readonly corsOrigins?: readonly string[];
  /** Queues requests before they reach the functions. Several gateways may share one line. */
  readonly line?: WaitingLine;
  /** Answers the requests that may take long to read. */
  readonly apart?: AnswerApart | undefined;
  /** Awaited before the answer to whatever may have changed something. */
  readonly waitForCopy?: (() => Promise<void>) | undefined;
  readonly onAnswer?: (line: AnsweredLine) => void;
}

/** An answered request, without what only its caller may know. */
export interface AnsweredLine {
  readonly method: string;
  readonly path: string;
  /** Undefined if no function was called. */
  readonly routeKey: string | undefined;
  readonly status: number;
  readonly ms: number;
}

/** No path of the API. */
export const storagePath = '/storage';

/** Limits of an HTTP API, which answers larger requests with its own errors. */
const maxBodyBytes = 10_000_000;
const integrationTimeoutMs = 30_000;

/** A little longer than a request may take. Only uploads and downloads of large files take longer. */
const drainMs = integrationTimeoutMs + 5_000;

/**
 * How long connections without a request stay open while others wait at a kept socket. A busy client
 * sends its next request within this time, and is then told that the connection ends.
 */
const restingMs = 1_000;

/** Leaves the path of a target that is a whole address, as clients of a proxy send it (RFC 9112). */
function readTarget({ url = '/' }: IncomingMessage): string {
  return url.replace(/^https?:\/\/[^/?]*\/?/i, '/');
}

/** Starts an HTTP server that calls the functions as the deployed HTTP API does. */
export function startGateway(options: GatewayOptions): Promise<Gateway> {
  const line = options.line ?? new WaitingLine();
  let addresses: readonly [URL, ...URL[]] = [new URL('http://localhost')];
  const server = createServer({ maxHeaderSize: maxHeaderBytes }, (request, response) => {
    const start = performance.now();
    request.url = readTarget(request);
    let routeKey: string | undefined;
    response.on('finish', () =>
      options.onAnswer?.({
        method: request.method ?? '',
        // Drop the query, because it may contain the pass of a job.
        path: request.url?.replace(/\?.*/, '') ?? '',
        routeKey,
        status: response.statusCode,
        ms: performance.now() - start,
      }),
    );
    const isForStorage = request.url?.startsWith(`${storagePath}/`) ?? false;
    // The storage checks the origin by its own rules.
    if (options.storage && isForStorage && isOwnHost(request, otherAddresses(options))) {
      if (!server.listening) response.setHeader('connection', 'close');
      options.storage(request, response);
      return;
    }
    const noteKey = (key: string) => {
      routeKey = key;
    };
    answer(options, line, request, addresses, noteKey)
      .catch((error: unknown) => {
        // A client that hangs up before its body has ended is not a failure, and hears no answer.
        if (!request.errored) process.stderr.write(`The gateway failed: ${error}\n`);
        return gatewayError(500, 'Internal Server Error');
      })
      .then((result) => {
        const allowed = allowAtGateway(readAskingPage(request), options.corsOrigins ?? []);
        const last = server.listening ? {} : { connection: 'close' };
        send(response, { ...result, headers: { ...result.headers, ...allowed, ...last } });
      });
  });
  // A large upload may take long.
  if (options.storage) server.requestTimeout = 0;
  keepConnections(server);
  refuseUnreadable(server);
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.once('listening', () => {
      const place = server.address();
      const { address, port } =
        typeof place === 'object' && place ? place : { address: '', port: undefined };
      const url = `http://localhost:${port ?? options.port}`;
      const others = [url.replace('localhost', '127.0.0.1'), options.publicUrl ?? url];
      addresses = [new URL(url), ...others.map((other) => new URL(other))];
      resolve({
        url,
        address,
        close: () => drain(server, keptSocket === undefined ? 0 : restingMs),
      });
    });
    const { keptSocket, port, listen = '127.0.0.1' } = options;
    if (keptSocket === undefined) server.listen({ port, host: listen });
    else server.listen({ fd: keptSocket });
  });
}

/** Takes no new connections, and ends each of the others with its answer, or when time is up. */
function drain(server: Server, restMs: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.once('close', resolve);
  const end = () => {
    server.close();
    releaseConnections(server);
  };
  if (restMs === 0) end();
  else {
    // Unlike that of an HTTP server, this `close` leaves the connections open that have no request.
    NetServer.prototype.close.call(server);
    setTimeout(end, restMs).unref();
  }
  setTimeout(() => server.closeAllConnections(), drainMs).unref();
  return promise;
}

async function answer(
  options: GatewayOptions,
  line: WaitingLine,
  request: IncomingMessage,
  addresses: readonly [URL, ...URL[]],
  noteKey: (routeKey: string) => void,
): Promise<ApiResponse> {
  const { handlers: loaded, slashes, beside, corsOrigins = [] } = options;
  const others = otherAddresses(options);
  if (!isOwnHost(request, others)) {
    return refuseStranger(
      `The Host header names another host. Use ${addresses[0].origin}, or start the service with PUBLIC_URL set to the address that you use.`,
    );
  }
  if (!isOwnOrigin(request, others)) {
    return refuseStranger(
      'Pages of this origin may not use the service. To allow them, start it with CORS_ORIGINS set to their origin.',
    );
  }
  if (isPreflight(readAskingPage(request), corsOrigins)) return { statusCode: 204 };
  const handlers = await loaded;
  const body = await readBody(request);
  if (!body) return gatewayError(413, 'Request Entity Too Large');
  const bare = buildEvent(request, '', addresses);
  const apart = mayBeHeavy(bare, body.bytes) ? options.apart : undefined;
  const event = apart ? bare : withBody(bare, body.pieces);
  const own = beside?.(event);
  if (own) return own;
  const { requestId, http } = event.requestContext;
  const routeKey = matchKey([...handlers.keys()], http.method, event.rawPath, slashes);
  const handler = handlers.get(routeKey);
  if (!handler) return gatewayError(404, 'Not Found');
  noteKey(routeKey);
  const routed = { ...event, routeKey, requestContext: { ...event.requestContext, routeKey } };
  const call = () => waitFor(callFunction(handler, routed));
  const begin = (): Promise<ApiResponse> => {
    if (apart) {
      return waitFor(apart(event.headers.authorization ?? '', { event: routed, ...body }));
    }
    return waitsForSystem(event.rawPath) ? call() : line.run(body.bytes, call);
  };
  const result = await begin().catch((error: unknown) => {
    if (error instanceof LineFullError) return refuseBusy(error, requestId);
    throw error;
  });
  if (http.method !== 'GET' && http.method !== 'HEAD') await options.waitForCopy?.();
  return { ...result, headers: { ...result.headers, 'apigw-requestid': requestId } };
}

/** Reading more than this takes longer than the rest of an answer. */
const lightBodyBytes = 64 * 1024;

/** A batch has a table in its zip, which may be a thousand times as large as the zip. */
function mayBeHeavy({ rawPath, requestContext }: APIGatewayProxyEventV2, bytes: number): boolean {
  const submitsBatch = requestContext.http.method === 'POST' && /^\/+batches\//.test(rawPath);
  return submitsBatch || bytes > lightBodyBytes;
}

function waitFor(result: Promise<ApiResponse>): Promise<ApiResponse> {
  const { promise: tooLate, resolve } = Promise.withResolvers<ApiResponse>();
  const timer = setTimeout(
    () => resolve(gatewayError(503, 'Service Unavailable')),
    integrationTimeoutMs,
  );
  return Promise.race([result, tooLate]).finally(() => clearTimeout(timer));
}

/** Returns undefined if the body is larger than the gateway's limit. */
async function readBody(
  request: IncomingMessage,
): Promise<{ readonly pieces: Buffer[]; readonly bytes: number } | undefined> {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  if (length === undefined && encoding === undefined) return { pieces: [], bytes: 0 };
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of request) {
    bytes += piece.length;
    if (bytes <= maxBodyBytes) pieces.push(piece);
  }
  return bytes <= maxBodyBytes ? { pieces, bytes } : undefined;
}

/**
 * Files are read from HPC systems. These requests skip the line, so that a slow system does not
 * block the others.
 */
function waitsForSystem(path: string): boolean {
  return /^\/+files\//.test(path);
}

/** Answers as a function does when its table is too busy. */
function refuseBusy({ retryAfterSeconds }: LineFullError, requestId: string): ApiResponse {
  const problem = {
    type: problemType('busy'),
    title: 'Too many requests at once',
    status: 503,
    detail:
      'More requests wait than can be answered soon. Nothing was done for this one. ' +
      `Send it again in ${retryAfterSeconds} seconds.`,
    instance: requestId,
  };
  return respond(503, problem, { 'retry-after': String(retryAfterSeconds) });
}

function otherAddresses({ corsOrigins = [], publicUrl }: GatewayOptions): string[] {
  return publicUrl === undefined ? [...corsOrigins] : [...corsOrigins, publicUrl];
}

/** Refuses a request that a web page may have sent, before anything of it is read. */
function refuseStranger(detail: string): ApiResponse {
  const problem = { type: 'about:blank', title: 'Forbidden', status: 403, detail };
  return respond(403, problem);
}

function send(
  response: ServerResponse,
  { statusCode, headers, body, isBase64Encoded }: ApiResponse,
) {
  response.statusCode = statusCode ?? 200;
  for (const [name, value] of Object.entries(headers ?? {}))
    response.setHeader(name, String(value));
  response.end(isBase64Encoded ? Buffer.from(body ?? '', 'base64') : (body ?? ''));
}

/**
 * How trailing slashes are matched. AWS does not document its behaviour, so both variants exist for
 * tests. 'exact': `/jobs/` is not `/jobs`, and `{proxy+}` needs at least one character. 'ignored':
 * the slash is dropped before matching.
 */
export type Slashes = 'exact' | 'ignored';

/**
 * Chooses a route key as an HTTP API does: exact match, then the longest greedy one, then $default.
 */
export function matchKey(
  keys: readonly string[],
  method: string,
  rawPath: string,
  slashes: Slashes,
): string {
  const path = slashes === 'ignored' && rawPath !== '/' ? rawPath.replace(/\/$/, '') : rawPath;
  const wanted = `${method} ${path}`;
  if (keys.includes(wanted)) return wanted;
  const greedy = keys
    .filter((key) => key.endsWith('/{proxy+}'))
    .filter((key) => {
      const prefix = key.slice(0, -'{proxy+}'.length);
      return wanted.startsWith(prefix) && wanted.length > prefix.length;
    });
  return greedy.sort((a, b) => b.length - a.length)[0] ?? '$default';
}
