import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { logger } from '#lib/telemetry/logger.ts';
import { countRefusal } from '#lib/telemetry/metrics.ts';
import { explainError, type Problem, problemType } from '../problems.ts';
import { type ApiResponse, respond } from '../respond.ts';

/** It assigns and returns nothing: an `onError` that returns would end the chain before others ran. */
export function problemResponse(): MiddlewareObj<APIGatewayProxyEventV2, ApiResponse> {
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

/** JSON as everything else here, unless the client asks for the type that RFC 9457 names. */
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
