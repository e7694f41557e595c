import { BatchGetCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { routeNames, routes } from '#functions/routes.ts';
import { handlerOf } from '../fixtures/any-handler.ts';
import { apiEvent, lambdaContext } from '../fixtures/api-event.ts';
import { call } from '../fixtures/call.ts';
import { listPathForms } from '../fixtures/path-forms.ts';
import { readResponse, unauthorized } from '../fixtures/responses.ts';
import { administrator, user } from '../fixtures/samples.ts';
import { mockStorage } from '../fixtures/storage-mock.ts';
import { mockTable, sentCommands } from '../fixtures/table-mock.ts';
import { issuer } from '../setup/function-environment.ts';

const table = mockTable();
mockStorage();

beforeEach(() => {
  table.reset();
  table.onAnyCommand().rejects(new Error('Nothing may be asked of the table.'));
});

const protectedForms = routeNames
  .filter((name) => routes[name].access !== 'public')
  .flatMap((name) =>
    listPathForms(routes[name].paths).map((path) => ({ name, path, method: routes[name].method })),
  );

/** The matrix tries every bad token (matrix.test.ts). This is what a token cannot show. */
describe('a function', () => {
  it('does not trust what an authorizer of the gateway says', async () => {
    const claims = { sub: user, groups: '[slipway-admin]' };
    const authorizer = { jwt: { claims, scopes: [] }, lambda: { caller: { userId: user } } };
    for (const { name, method, path } of protectedForms) {
      const event = apiEvent({ method, path });
      const requestContext = { ...event.requestContext, authorizer };
      const response = await handlerOf(name)({ ...event, requestContext }, { ...lambdaContext });
      expect(readResponse(response), `${method} ${path}`).toEqual(unauthorized);
    }
    expect(sentCommands(table)).toEqual([]);
    expect(protectedForms.length).toBeGreaterThan(100);
  });

  it('answers without a token only at the public routes', () => {
    expect(routeNames.filter((name) => routes[name].access === 'public')).toEqual([
      'hand-out-input',
      'take-results',
      'answer-mail',
      'read-status',
      'read-reference',
    ]);
  });

  it.each(['Bearer', 'bearer', 'BEARER'])('takes the scheme as %s', async (scheme) => {
    table.on(BatchGetCommand).resolves({ Responses: {} });
    const token = issuer.issueToken({ user: administrator, administrator: true });
    const headers = { authorization: `${scheme} ${token}` };
    const response = await call(handlerOf('list-systems'), { path: '/hpc/', headers });
    expect(response.statusCode).toBe(200);
  });
});
