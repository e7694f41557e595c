import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { MethodNotAllowedError, PathNotFoundError } from '../errors.ts';
import {
  allowedMethods,
  answersMethod,
  type Endpoint,
  type EndpointTable,
  matchOperation,
} from '../routes/route.ts';
import type { ApiContext } from './api-context.ts';

/**
 * The greedy key brings a function everything below its beginning, so it looks for itself whether
 * the path is its own: in `rawPath`, the one place that holds it whatever key matched.
 */
export function matchRoute(
  endpoints: EndpointTable,
  endpoint?: Endpoint,
): MiddlewareObj<APIGatewayProxyEventV2, unknown, Error, ApiContext> {
  return {
    before: function matchRouteBefore({ event, context }) {
      const { method } = event.requestContext.http;
      const matched =
        endpoint && answersMethod(endpoint, method)
          ? matchOperation(endpoint, event.rawPath)
          : undefined;
      if (!matched) throw refusePath(endpoints, method, event.rawPath);
      context.matched = matched;
    },
  };
}

function refusePath(endpoints: EndpointTable, method: string, rawPath: string): Error {
  const allowed = allowedMethods(endpoints, rawPath);
  return allowed.length > 0 ? new MethodNotAllowedError(method, allowed) : new PathNotFoundError();
}
