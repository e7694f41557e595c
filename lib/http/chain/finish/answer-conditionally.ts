import { hash } from 'node:crypto';
import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { ApiResponse } from '../../respond.ts';

/**
 * Whoever has an answer already can ask whether it still holds, and a list of ten thousand jobs
 * need not be sent again. What is read from the table is the same: it is the way to the client that
 * is saved. What belongs to a caller stays `no-store`: a client keeps it in its memory, and no cache
 * on a disk does.
 */
export function answerConditionally(): MiddlewareObj<APIGatewayProxyEventV2, ApiResponse> {
  return {
    after: function answerConditionallyAfter(request) {
      const { event, response } = request;
      if (!response || !isReading(event) || !isWhole(response)) return;
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

/** JSON, all of it, or a file of ours: those of jobs are large, and their systems say when they change. */
function isWhole(response: ApiResponse): response is ApiResponse & { readonly body: string } {
  return (
    response.statusCode === 200 &&
    response.body !== undefined &&
    (!(response.isBase64Encoded ?? false) || mayBeKept(response))
  );
}

function mayBeKept({ headers }: ApiResponse): boolean {
  return String(headers?.['cache-control']).startsWith('public');
}

function tagOf(body: string): string {
  return `"${hash('sha256', body, 'base64url').slice(0, tagLength)}"`;
}

/** 132 bits: no two answers share one by chance. */
const tagLength = 22;

/** RFC 9110, 13.1.2: any of a list, `W/` or not. */
function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes(etag) || tags.includes('*');
}

/** With the headers that the answer itself would have had, but for those of its body. */
function notModified({
  'content-type': _,
  'content-encoding': __,
  ...headers
}: NonNullable<ApiResponse['headers']>): ApiResponse {
  return { statusCode: 304, headers };
}
