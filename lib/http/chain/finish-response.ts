import { hash } from 'node:crypto';
import type { MiddlewareObj, Request } from '@middy/core';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { logger } from '#lib/telemetry/logger.ts';
import { countRefusal } from '#lib/telemetry/metrics.ts';
import { acceptsGzip } from '../parsers/accept.ts';
import { explainError, type Problem, problemType } from '../problems.ts';
import { type ApiResponse, addressAt, respond } from '../respond.ts';

type Finish = MiddlewareObj<APIGatewayProxyEventV2, ApiResponse>;

/** Forbids content sniffing, plain HTTP and telling other sites our addresses. */
const secure = {
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=63072000; includeSubDomains',
  'x-content-type-options': 'nosniff',
} as const;

/** Must be registered before `problemResponse`, so that problems carry these headers too. */
export function securityHeaders(): Finish {
  function addHeaders({ response }: Request<APIGatewayProxyEventV2, ApiResponse>) {
    if (response) response.headers = { ...secure, ...response.headers };
  }
  return { after: addHeaders, onError: addHeaders };
}

/** Drops the body of responses to HEAD, problems included (RFC 9110, 9.3.2). */
export function answerHead(): Finish {
  function dropBody({ event, response }: Request<APIGatewayProxyEventV2, ApiResponse>) {
    if (!response || event.requestContext.http.method !== 'HEAD') return;
    delete response.body;
    delete response.isBase64Encoded;
  }
  return { after: dropBody, onError: dropBody };
}

/**
 * Adds an ETag, and answers 304 if the client has this version already, so that a list of ten
 * thousand jobs need not be sent again. The table is read either way. Responses for one caller
 * stay `no-store`: clients may keep them in memory, but caches must not write them to disk.
 */
export function answerConditionally(): Finish {
  return {
    after: function answerConditionallyAfter(request) {
      const { event, response } = request;
      if (!response || !isReading(event) || !canBeTagged(response)) return;
      const etag = tagOf(response.body);
      const headers = { ...response.headers, etag };
      request.response = matches(event.headers['if-none-match'], etag)
        ? notModified(headers)
        : { ...response, headers };
    },
  };
}

function isReading({ requestContext }: APIGatewayProxyEventV2): boolean {
  return requestContext.http.method === 'GET' || requestContext.http.method === 'HEAD';
}

/** True for JSON and for Slipway's own files, but not for files of jobs, which may be large. */
function canBeTagged(response: ApiResponse): response is ApiResponse & { readonly body: string } {
  return (
    response.statusCode === 200 &&
    response.body !== undefined &&
    (!(response.isBase64Encoded ?? false) || isCacheable(response))
  );
}

function isCacheable({ headers }: ApiResponse): boolean {
  return String(headers?.['cache-control']).startsWith('public');
}

/** 132 bits, so two responses never share a tag by chance. */
const tagLength = 22;

function tagOf(body: string): string {
  return `"${hash('sha256', body, 'base64url').slice(0, tagLength)}"`;
}

/** Accepts a list of tags, each with or without `W/` (RFC 9110, 13.1.2). */
function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes(etag) || tags.includes('*');
}

/** Keeps the headers of the full response, except those that describe its body. */
function notModified({
  'content-type': _,
  'content-encoding': __,
  ...headers
}: NonNullable<ApiResponse['headers']>): ApiResponse {
  return { statusCode: 304, headers };
}

/** Less than this fits into one or two packets, and saves nobody anything. */
const shortBytes = 2048;

/** The fastest level packs a list into a seventh. The best one takes twice as long for 6 % more. */
const level = 1;

/**
 * Packs long answers. Must be registered before `answerConditionally`, which needs no packed body
 * to answer 304. The tag becomes a weak one, because other bytes now say the same. There is no
 * `Vary`, because no cache stores these answers.
 */
export function packAnswer(): Finish {
  return {
    after: async function packAnswerAfter({ event, response }) {
      if (!response?.body || response.isBase64Encoded || response.body.length < shortBytes) return;
      if (!acceptsGzip(event.headers['accept-encoding'])) return;
      const { etag, ...headers } = response.headers ?? {};
      const weak = etag !== undefined && { etag: `W/${etag}` };
      response.headers = { ...headers, ...weak, 'content-encoding': 'gzip' };
      response.body = await pack(response.body);
      response.isBase64Encoded = true;
    },
  };
}

/** Loads the library with the first long answer, because cold starts would pay milliseconds for it. */
async function pack(text: string): Promise<string> {
  const { gzip } = await import('node:zlib');
  return new Promise((resolve, reject) => {
    gzip(text, { level }, (error, bytes) => {
      if (error) reject(error);
      else resolve(bytes.toString('base64'));
    });
  });
}

/** Makes relative Location headers absolute. */
export function completeLocation(): Finish {
  return {
    after: function completeLocationAfter({ event, response }) {
      const location = response?.headers?.location;
      if (!response || typeof location !== 'string' || !location.startsWith('/')) return;
      response.headers = { ...response.headers, location: addressAt(event, location) };
    },
  };
}

/** Assigns the response instead of returning it: a returned one would skip the other `onError`s. */
export function problemResponse(): Finish {
  return {
    onError: function problemResponseOnError(request) {
      const problem = explainError(request.error);
      const requestId = request.event.requestContext.requestId;
      if (problem.status >= 500)
        logger.error('request failed', { requestId, error: request.error });
      countRefusal(problem.name);
      request.response = renderProblem(problem, requestId, request.event.headers.accept);
    },
  };
}

/** Sends `application/json` like all responses, unless the client asks for RFC 9457's own type. */
function renderProblem(problem: Problem, requestId: string, accept?: string): ApiResponse {
  const { name, title, status, detail, members, headers } = problem;
  const contentType = accept?.toLowerCase().includes('application/problem+json')
    ? 'application/problem+json'
    : 'application/json';
  return respond(
    status,
    { type: problemType(name), title, status, detail, instance: requestId, ...members },
    { ...headers, 'content-type': contentType },
  );
}
