import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import * as v from 'valibot';
import { type Listening, listenOnLoopback } from '#local/loopback/listen-on-loopback.ts';
import { isOwnHost } from '#local/loopback/own-address.ts';
import { type BusEvent, PutEventsRequest, putEvents } from '#local/stream/put-events.ts';

export interface EventBusOptions {
  readonly name: string;
  /** Told of what arrived. The answer waits for it, so it must take note and no more. */
  onEvents(events: readonly BusEvent[]): void;
}

const contentType = 'application/x-amz-json-1.1';

/**
 * The laptop's bus over EventBridge's protocol, for functions in processes of their own, as far as
 * one call of it: PutEvents. Signatures are not checked.
 */
export async function startEventBus(options: EventBusOptions): Promise<Listening> {
  const server = createServer((request, response) => {
    answer(options, request)
      .catch((error: unknown) => {
        process.stderr.write(`The event bus failed: ${error}\n`);
        return refuse(500, 'InternalException', 'The event bus failed.');
      })
      .then((result) => send(response, result));
  });
  server.keepAliveTimeout = 0;
  return listenOnLoopback(server, 0);
}

interface Answer {
  readonly status: number;
  readonly body: object;
}

async function answer({ name, onEvents }: EventBusOptions, request: IncomingMessage) {
  const { 'content-type': type, 'x-amz-target': target } = request.headers;
  if (!isOwnHost(request)) {
    return refuse(403, 'AccessDeniedException', 'The Host header names another host.');
  }
  const body = await text(request);
  if (request.method !== 'POST' || type !== contentType || target !== 'AWSEvents.PutEvents') {
    return refuse(400, 'UnknownOperationException', 'Only PutEvents is supported.');
  }
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), PutEventsRequest), body);
  if (!parsed.success) {
    return refuse(400, 'ValidationException', 'The request is not a valid PutEvents request.');
  }
  const result = putEvents(parsed.output, name, new Date());
  onEvents(result.events);
  return { status: 200, body: result.answer };
}

function refuse(status: number, type: string, message: string): Answer {
  return { status, body: { __type: type, message } };
}

function send(response: ServerResponse, { status, body }: Answer): void {
  response.writeHead(status, { 'content-type': contentType }).end(JSON.stringify(body));
}
