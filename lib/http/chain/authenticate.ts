import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { InvalidTokenError, NotAdministratorError } from '../errors.ts';
import type { Access } from '../routes/route.ts';
import type { ApiContext } from './api-context.ts';
import type { TokenVerifier } from './tokens/token-verifier.ts';

/**
 * Verified here in every function and never taken from a gateway's authorizer: HTTP APIs have been
 * bypassed by a trailing slash.
 */
export function authenticate(
  verify: TokenVerifier,
  access: Access,
): MiddlewareObj<APIGatewayProxyEventV2, unknown, Error, ApiContext> {
  return {
    before: async function authenticateBefore({ event, context }) {
      const token = event.headers.authorization?.match(/^Bearer +(\S+)$/i)?.[1];
      if (token === undefined) throw new InvalidTokenError();
      const caller = await verify(token);
      if (access === 'administrator' && !caller.administrator) throw new NotAdministratorError();
      context.caller = caller;
    },
  };
}
