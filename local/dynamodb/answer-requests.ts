import { randomUUID, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { crc32 } from 'node:zlib';
import * as v from 'valibot';
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
 * never granted. A DNS name rebound to the loopback address is recognized by the Host header. A key,
 * if there is one, keeps out the other users of the machine: the path must begin with it, unless the
 * table is open to programs that cannot know the key.
 */
export function answerRequests(engine: Engine, access: TableAccess): RequestListener {
  return async (request, response) => {
    try {
      send(response, await answer(engine, access, request));
    } catch (error) {
      // An incomplete request means that the client disconnected and expects no response.
      if (request.complete) throw error;
    }
  };
}

export interface TableAccess {
  /** Empty for none. */
  readonly key: string;
  /** Whether requests without the key are answered, too. */
  readonly isOpen: boolean;
}

async function answer(
  engine: Engine,
  { key, isOpen }: TableAccess,
  request: IncomingMessage,
): Promise<CallAnswer> {
  const { 'x-amz-target': target = '' } = request.headers;
  if (!isOwnHost(request)) {
    return refuse(403, 'AccessDeniedException', 'The Host header names another host.');
  }
  if (!isOwnOrigin(request)) {
    return refuse(403, 'AccessDeniedException', 'Pages of other origins are not served.');
  }
  const knowsKey = key !== '' && hasKey(request.url ?? '', key);
  if (!knowsKey && !isOpen) {
    return refuse(403, 'AccessDeniedException', 'The address lacks the key of this service.');
  }
  if (request.method !== 'POST' || request.headers['content-type'] !== contentType) {
    return refuse(404, 'UnknownOperationException', `Only POST with ${contentType} is supported.`);
  }
  const body = await readBody(request);
  if (body === undefined) return refuse(413, 'RequestTooLarge', 'The request is too large.');
  if (target === backupTarget && knowsKey) return backUp(engine, body);
  return answerCall(engine, String(target), body);
}

function hasKey(path: string, key: string): boolean {
  const given = Buffer.from(path.split('/')[1] ?? '');
  return given.length === key.length && timingSafeEqual(given, Buffer.from(key));
}

/** An operation of our own, for `npm run backup`. It writes files, so it needs a key. */
export const backupTarget = 'Slipway.Backup';

const BackupRequest = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ file: v.pipe(v.string(), v.minLength(1)) }),
);

async function backUp({ database }: Engine, body: string): Promise<CallAnswer> {
  const wish = v.safeParse(BackupRequest, body);
  if (!wish.success) return refuse(400, 'SerializationException', 'Name the file to write.');
  try {
    const pages = await database.backUp(wish.output.file);
    return { status: 200, text: JSON.stringify({ pages }) };
  } catch (error) {
    return refuse(500, 'InternalServerError', error instanceof Error ? error.message : 'Failed');
  }
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
  const request = v.safeParse(JsonObject, body);
  const outcome: Outcome = request.success
    ? runOperation(engine, name, request.output)
    : { refusal: new ServiceError('SerializationException', 'The body is not a JSON object.') };
  return outcome.refusal
    ? { status: outcome.refusal.status, text: JSON.stringify(outcome.refusal.body) }
    : { status: 200, text: renderAnswer(outcome.answer) };
}

const JsonObject = v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.unknown()));
