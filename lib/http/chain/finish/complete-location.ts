import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { addressAt } from '../../address-at.ts';
import type { ApiResponse } from '../../respond.ts';

/** What lies in this service is named by its whole address, as the next page of a list is. */
export function completeLocation(): MiddlewareObj<APIGatewayProxyEventV2, ApiResponse> {
  return {
    after: function completeLocationAfter({ event, response }) {
      const location = response?.headers?.location;
      if (!response || typeof location !== 'string' || !location.startsWith('/')) return;
      response.headers = { ...response.headers, location: addressAt(event, location) };
    },
  };
}
