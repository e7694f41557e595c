import middy from '@middy/core';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { type ApiContext, type Caller, callerOf } from '#lib/http/chain/api-context.ts';
import { authenticate } from '#lib/http/chain/authenticate.ts';
import { InvalidTokenError, NotAdministratorError } from '#lib/http/errors.ts';
import type { Access } from '#lib/http/routes/route.ts';
import { apiEvent, lambdaContext } from '#test/fixtures/api-event.ts';
import { user } from '#test/fixtures/samples.ts';

const tokens: Record<string, Caller> = {
  'a.user-s_token': { userId: user, administrator: false },
  boss: { userId: user, administrator: true },
};

/** Knows its own tokens, letter for letter. */
async function verify(token: string): Promise<Caller> {
  const caller = tokens[token];
  if (!caller) throw new Error(`It was asked about ${token}.`);
  return caller;
}

/** Whom the chain lets in with this header. */
function enter(authorization: string | undefined, access: Access = 'caller') {
  const headers = authorization === undefined ? {} : { authorization };
  const chain = middy<APIGatewayProxyEventV2, Caller, Error, ApiContext>()
    .use(authenticate(verify, access))
    .handler(async (_event: APIGatewayProxyEventV2, context: ApiContext) => callerOf(context));
  return chain(apiEvent({ path: '/', headers }), { ...lambdaContext });
}

describe('Authorization', () => {
  it.each([
    'Bearer a.user-s_token',
    'bearer a.user-s_token',
    'BEARER a.user-s_token',
    'Bearer   a.user-s_token',
  ])('names the caller as %j', async (header) => {
    expect(await enter(header)).toEqual(tokens['a.user-s_token']);
  });

  it.each([
    undefined,
    '',
    'Bearer',
    'Bearer ',
    'boss',
    'Bearerboss',
    'Bearer\tboss',
    'Basic boss',
    'NoBearer boss',
    ' Bearer boss',
    'Bearer boss ',
    'Bearer boss, Bearer boss',
    'Bearer boss\nBearer boss',
  ])('names nobody as %j, and no token is looked at', async (header) => {
    await expect(enter(header)).rejects.toThrow(InvalidTokenError);
  });
});

describe('what is for administrators', () => {
  it('is open to them alone', async () => {
    expect(await enter('Bearer boss', 'administrator')).toEqual(tokens.boss);
    await expect(enter('Bearer a.user-s_token', 'administrator')).rejects.toThrow(
      NotAdministratorError,
    );
  });
});
