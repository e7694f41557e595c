import type { MiddlewareObj, Request } from '@middy/core';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { logger } from '#lib/telemetry/logger.ts';
import type { ApiResponse } from '../respond.ts';
import type { ApiContext } from './api-context.ts';

type LoggedRequest = Request<
  APIGatewayProxyEventV2,
  ApiResponse,
  Error,
  ApiContext,
  { startedAt?: number }
>;

/** Logs one line per request, without headers, query or body: they hold tokens and commands. */
export function logRequest(): MiddlewareObj<
  APIGatewayProxyEventV2,
  ApiResponse,
  Error,
  ApiContext,
  { startedAt?: number }
> {
  function writeLine({ event, context, response, internal }: LoggedRequest) {
    const { requestId, http } = event.requestContext;
    logger.info('request', {
      requestId,
      method: http.method,
      path: event.rawPath,
      status: response?.statusCode,
      ms: Math.round(performance.now() - (internal.startedAt ?? Number.NaN)),
      user: context.caller?.userId,
    });
  }
  return {
    before: function logRequestBefore({ internal }) {
      internal.startedAt = performance.now();
    },
    after: writeLine,
    onError: writeLine,
  };
}
