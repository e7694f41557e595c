import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { crc32 } from 'node:zlib';
import { isOwnHost, isOwnOrigin } from '../loopback/own-address.ts';
import { type Outcome, runOperation } from './dispatch/run-operation.ts';
import { renderAnswer } from './operations/answer.ts';
import type { Engine } from './store/engine.ts';
import { ServiceError } from './values/errors.ts';

const contentType = 'application/x-amz-json-1.0';
const maxBodyBytes = 16 * 1024 * 1024;

/**
 * Serves DynamoDB's protocol: one path, the operation in a header, JSON in both directions.
 * Signatures are not checked. The server listens on the loopback address only, and two checks keep
 * web pages out. A page of another site cannot set this content type without a preflight, which is
 * never granted. A DNS name rebound to the loopback address is recognized by the Host header.
 */
export function answerRequests(engine: Engine): RequestListener {
  return async (request, response) => {
    try {
      send(response, await answer(engine, request));
    } catch (error) {
      // An incomplete request means that the client disconnected and expects no response.
      if (request.complete) throw error;
    }
  };
}

async function answer(engine: Engine, request: IncomingMessage): Promise<CallAnswer> {
  const { 'x-amz-target': target = '' } = request.headers;
  if (!isOwnHost(request)) {
    return refuse(403, 'AccessDeniedException', 'The Host header names another host.');
  }
  if (!isOwnOrigin(request)) {
    return refuse(403, 'AccessDeniedException', 'Pages of other origins are not served.');
  }
  if (request.method !== 'POST' || request.headers['content-type'] !== contentType) {
    return refuse(404, 'UnknownOperationException', `Only POST with ${contentType} is supported.`);
  }
  const body = await readBody(request);
  if (body === undefined) return refuse(413, 'RequestTooLarge', 'The request is too large.');
  return answerCall(engine, String(target), body);
}

/**
 * Returns undefined if the body is too large. Reads it to the end even then, because clients read
 * the response only after sending the whole request.
 */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes <= maxBodyBytes) chunks.push(chunk);
  }
  return bytes <= maxBodyBytes ? Buffer.concat(chunks).toString('utf8') : undefined;
}

function refuse(status: number, type: string, message: string): CallAnswer {
  return {
    status,
    text: JSON.stringify({ __type: `com.amazon.coral.service#${type}`, message }),
  };
}

function send(response: ServerResponse, { status, text }: CallAnswer): void {
  response
    .writeHead(status, {
      'content-type': contentType,
      'content-length': Buffer.byteLength(text),
      'x-amz-crc32': crc32(text),
      'x-amzn-requestid': randomUUID(),
    })
    .end(text);
}

interface CallAnswer {
  readonly status: number;
  /** JSON. */
  readonly text: string;
}

function answerCall(engine: Engine, target: string, body: string): CallAnswer {
  const name = /^DynamoDB_20120810\.(.+)$/.exec(target)?.[1] ?? target;
  const request = parseJson(body);
  const outcome: Outcome = request ? runOperation(engine, name, request) : { refusal: notJson() };
  return outcome.refusal
    ? { status: outcome.refusal.status, text: JSON.stringify(outcome.refusal.body) }
    : { status: 200, text: renderAnswer(outcome.answer) };
}

function parseJson(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function notJson(): ServiceError {
  return new ServiceError('SerializationException', 'The body is not a JSON object.');
}
