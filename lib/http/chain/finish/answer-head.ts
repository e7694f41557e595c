import type { MiddlewareObj, Request } from '@middy/core';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { ApiResponse } from '../../respond.ts';

/** HEAD is answered as GET is, problems too, and its body is not sent (RFC 9110, 9.3.2). */
export function answerHead(): MiddlewareObj<APIGatewayProxyEventV2, ApiResponse> {
  function leaveOutBody({ event, response }: Request<APIGatewayProxyEventV2, ApiResponse>) {
    if (!response || event.requestContext.http.method !== 'HEAD') return;
    delete response.body;
    delete response.isBase64Encoded;
  }
  return { after: leaveOutBody, onError: leaveOutBody };
}
