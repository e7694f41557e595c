import middy from '@middy/core';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { type ApiContext, answerOf } from '#lib/http/chain/api-context.ts';
import { answerAnybody, parseRequest } from '#lib/http/chain/operation.ts';
import { InvalidRequestError, PathNotFoundError } from '#lib/http/errors.ts';
import { type ApiResponse, ok } from '#lib/http/respond.ts';
import { apiEvent, lambdaContext } from '#test/fixtures/api-event.ts';

const operations = { list: answerAnybody({}, async () => ok([])) };

/** The answer of a chain that matched the path to this operation. */
function ask(operation: string, query = '') {
  const chain = middy<APIGatewayProxyEventV2, ApiResponse, Error, ApiContext>()
    .use(parseRequest(operations))
    .handler((_event: APIGatewayProxyEventV2, context: ApiContext) => answerOf(context)());
  const context = { ...lambdaContext, matched: { operation, path: '/list/', values: {} } };
  return chain(apiEvent({ path: '/list/', query }), context);
}

describe('parseRequest', () => {
  it('reads the request as the operation of its path declares', async () => {
    expect(await ask('list')).toMatchObject({ statusCode: 200, body: '[]' });
    await expect(ask('list', 'a=1')).rejects.toThrow(InvalidRequestError);
  });

  it('finds nothing where the operation is not there', async () => {
    await expect(ask('read')).rejects.toThrow(PathNotFoundError);
  });
});
