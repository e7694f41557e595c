import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import type { ApiHandler } from '#lib/http/chain/api-handler.ts';
import type { ApiResponse } from '#lib/http/respond.ts';

/** Limit of an HTTP API for the headers of a request. */
export const maxHeaderBytes = 10_240;
/** Limit of Lambda for an event or a response. */
const maxEventBytes = 6 * 1024 * 1024;
const functionTimeoutMs = 10_000;

/** Calls a function within the limits of Lambda. */
export async function callFunction(
  handler: ApiHandler,
  event: APIGatewayProxyEventV2,
): Promise<ApiResponse> {
  if (isTooLong(event)) return gatewayError(413, 'Request Entity Too Large');
  const result = await handler(event, createContext());
  return isTooLong(result) ? gatewayError(500, 'Internal Server Error') : result;
}

interface Payload {
  readonly body?: string | undefined;
  readonly isBase64Encoded?: boolean | undefined;
}

/**
 * Measures the payload as JSON. Others would wait while megabytes are serialized, so that is only
 * done where it decides. JSON escapes take at most six characters, and in base64 there are none.
 */
function isTooLong(payload: Payload): boolean {
  const { body = '', isBase64Encoded = false } = payload;
  const mayBe = body.length * 6 + maxHeaderBytes * 12 > maxEventBytes;
  if (!mayBe) return false;
  return isBase64Encoded
    ? JSON.stringify({ ...payload, body: '' }).length + body.length > maxEventBytes
    : body.length > maxEventBytes || JSON.stringify(payload).length > maxEventBytes;
}

function createContext(): Context {
  const deadline = Date.now() + functionTimeoutMs;
  return {
    awsRequestId: randomUUID(),
    callbackWaitsForEmptyEventLoop: false,
    functionName: 'local',
    functionVersion: '$LATEST',
    invokedFunctionArn: 'arn:aws:lambda:local:000000000000:function:local',
    logGroupName: 'local',
    logStreamName: 'local',
    memoryLimitInMB: '512',
    getRemainingTimeInMillis: () => deadline - Date.now(),
    done: () => undefined,
    fail: () => undefined,
    succeed: () => undefined,
  };
}

/** Answers as the gateway itself does. */
export function gatewayError(statusCode: number, message: string): ApiResponse {
  return {
    statusCode,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ message }),
  };
}
