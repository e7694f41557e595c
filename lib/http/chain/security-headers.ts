import type { MiddlewareObj, Request } from '@middy/core';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { ApiResponse } from '../respond.ts';

/** What concerns an API that answers JSON: no sniffing, no plain HTTP, no addresses to others. */
const headers = {
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=63072000; includeSubDomains',
  'x-content-type-options': 'nosniff',
} as const;

/** Registered before whatever makes the answer of an error, so that errors carry them too. */
export function securityHeaders(): MiddlewareObj<APIGatewayProxyEventV2, ApiResponse> {
  function addHeaders({ response }: Request<APIGatewayProxyEventV2, ApiResponse>) {
    if (response) response.headers = { ...headers, ...response.headers };
  }
  return { after: addHeaders, onError: addHeaders };
}
