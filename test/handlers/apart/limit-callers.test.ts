import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ApiHandler } from '#lib/http/chain/api-handler.ts';
import { apiEvent, lambdaContext } from '#test/fixtures/api-event.ts';
import { asAdministrator, asUser } from '#test/fixtures/call.ts';
import { useTable } from '#test/fixtures/engine-table.ts';
import { userId } from '#test/fixtures/names.ts';
import { problem, readResponse } from '#test/fixtures/responses.ts';

const table = useTable();

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

/** The functions read their environment on loading. */
async function loadLimited(environment: Readonly<Record<string, string>>): Promise<ApiHandler> {
  const variables = {
    LOG_LEVEL: 'SILENT',
    CALLER_RATE: undefined,
    CALLER_BURST: undefined,
    ...environment,
  };
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  vi.resetModules();
  const { handler } = await import('#functions/catalog/list-systems.ts');
  return handler;
}

/** Not by the fixture that holds a call against its declaration: the limit has items of its own. */
const ask = (handler: ApiHandler, headers: Record<string, string>) =>
  handler(apiEvent({ path: '/hpc/', headers }), { ...lambdaContext });

async function countAnswers(handler: ApiHandler, calls: number, headers = asUser()) {
  const answers = [];
  for (let n = 0; n < calls; n += 1) answers.push(await ask(handler, headers));
  return answers.map(({ statusCode }) => statusCode);
}

describe('a caller who calls too often', () => {
  it('is not refused where callers are not limited', async () => {
    const handler = await loadLimited({ CALLER_RATE: 'off', CALLER_BURST: '3' });
    expect(new Set(await countAnswers(handler, 20))).toEqual(new Set([200]));
  });

  it('is refused with 429, and told when to come again', async () => {
    const handler = await loadLimited({ CALLER_RATE: '2', CALLER_BURST: '3' });
    expect(await countAnswers(handler, 3)).toEqual([200, 200, 200]);
    const refused = await ask(handler, asUser());
    expect(readResponse(refused)).toEqual(
      problem({
        status: 429,
        slug: 'too-many-calls',
        title: 'Too many calls in a short time',
        detail:
          'Rate limit reached; nothing was changed. Retry in 1 s. After 3 calls at once, 2 a second are allowed. Webhooks report changes without calling.',
        members: { limit: 2 },
        headers: { 'retry-after': '1' },
      }),
    );
    vi.setSystemTime(Date.now() + 1000);
    expect(await countAnswers(handler, 3)).toEqual([200, 200, 429]);
  });

  it('is refused whichever of their tokens they show', async () => {
    const handler = await loadLimited({ CALLER_RATE: '1', CALLER_BURST: '1' });
    expect(await countAnswers(handler, 1)).toEqual([200]);
    vi.setSystemTime(Date.now() + 10);
    expect(await countAnswers(handler, 1, asUser())).toEqual([429]);
  });

  it('holds nobody else up', async () => {
    const handler = await loadLimited({ CALLER_RATE: '1', CALLER_BURST: '1' });
    expect(await countAnswers(handler, 4)).toEqual([200, 429, 429, 429]);
    expect(await countAnswers(handler, 1, asUser(userId('7')))).toEqual([200]);
    expect(await countAnswers(handler, 1, asAdministrator())).toEqual([200]);
  });

  it('may call 500 times at once, unless the operator says otherwise', async () => {
    const handler = await loadLimited({});
    const answers = await countAnswers(handler, 501);
    expect(answers.indexOf(429)).toBe(500);
  });
});

describe('the containers of a function', () => {
  it('tell each other of a caller by the table, and hear how often others were called', async () => {
    vi.stubEnv('LOG_LEVEL', 'SILENT');
    vi.stubEnv('CALLER_RATE', '10');
    vi.stubEnv('CALLER_BURST', '60');
    vi.setSystemTime(new Date('2026-11-15T08:30:12Z'));
    vi.resetModules();
    const { handler } = await import('#functions/jobs/read-jobs.ts');
    const key = { PK: 'CALLS#306328', SK: '2026-11-15T08:30:00.000Z#read-jobs' };
    const counted = { ...key, type: 'call-count', schema_version: 1 };
    await table.hold({ ...counted, calls: 67 });
    const event = apiEvent({ path: '/jobs/', headers: asUser() });
    const statuses = [];
    for (let calls = 0; calls < 4; calls += 1) {
      statuses.push((await handler(event, { ...lambdaContext })).statusCode);
    }
    expect(statuses).toEqual([200, 200, 200, 429]);
    const expires_at = Date.parse('2026-11-15T08:40:00Z') / 1000;
    expect(await table.read(key)).toEqual({ ...counted, expires_at, calls: 70 });
    expect(table.writes()).toBe(1);
  });
});
