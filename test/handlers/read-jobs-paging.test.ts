import { beforeEach, describe, expect, it } from 'vitest';
import { handler } from '#functions/jobs/read-jobs.ts';
import { asUser, call } from '../fixtures/call.ts';
import { useTable } from '../fixtures/engine-table.ts';
import { jobId } from '../fixtures/names.ts';
import { answer, invalidRequest, jsonHeaders, readResponse } from '../fixtures/responses.ts';
import { hpcOne, jobBody, jobItem, otherUser } from '../fixtures/samples.ts';

const table = useTable();
const ids = [80, 84, 88];
const factsOf = (id: number) => ({ id, jobId: jobId(`JOB-${id}`) });

beforeEach(() => table.hold(...ids.map((id) => jobItem(hpcOne, factsOf(id)))));

const get = (path: string, query = '', headers = asUser()) =>
  call(handler, { path, query, headers });

/** The query of the address that a Link names. */
function nextQuery(link: unknown): string {
  const [, address = ''] = /^<(https:\/\/[^>]+)>; rel="next"$/.exec(String(link)) ?? [];
  return new URL(address).searchParams.toString();
}

const badCursor = invalidRequest([
  { location: 'query', name: 'cursor', message: 'It does not belong to this list.' },
]);

describe('GET /jobs/ in pages', () => {
  it('answers a page, and in Link where the next one is', async () => {
    const response = await get('/jobs/', 'limit=1&order=asc');
    expect(readResponse(response)).toEqual({
      statusCode: 200,
      headers: {
        ...jsonHeaders,
        link: expect.stringMatching(
          /^<https:\/\/slipway\.test\/jobs\/\?limit=1&order=asc&cursor=28\.[\w-]{22}>; rel="next"$/,
        ),
      },
      body: [jobBody(hpcOne, factsOf(80))],
    });
  });

  it.each(['asc', 'desc'])('goes on with its cursor, %s, and ends without Link', async (order) => {
    const first = await get('/jobs/', `limit=2&order=${order}`);
    const query = nextQuery(first.headers?.link);
    expect([...new URLSearchParams(query).keys()]).toEqual(['limit', 'order', 'cursor']);
    const last = await get('/jobs/', query);
    expect(last.headers?.link).toBeUndefined();
    const found = [first, last].flatMap(({ body }) => JSON.parse(body ?? ''));
    const wanted = order === 'asc' ? ids : ids.toReversed();
    expect(found).toEqual(wanted.map((id) => jobBody(hpcOne, factsOf(id))));
  });

  it('replaces the cursor of the address instead of adding one', async () => {
    const first = await get('/jobs/', 'limit=1');
    const second = await get('/jobs/', nextQuery(first.headers?.link));
    const query = new URLSearchParams(nextQuery(second.headers?.link));
    expect([...query.keys()]).toEqual(['limit', 'cursor']);
    expect(query.get('cursor')).toMatch(/^2c\./);
  });

  it('answers the whole list where no limit is given', async () => {
    const all = ids.map((id) => jobBody(hpcOne, factsOf(id)));
    expect(readResponse(await get('/jobs/'))).toEqual(answer(200, all));
  });
});

describe('GET /jobs/ with a cursor that does not belong to it', () => {
  it.each([
    { why: 'of another caller', path: '/jobs/', query: '', headers: () => asUser(otherUser) },
    { why: 'of another path', path: '/jobs/hpc_one/', query: '', headers: asUser },
    { why: 'of another filter', path: '/jobs/', query: '&failed=true', headers: asUser },
    { why: 'of another order', path: '/jobs/', query: '&order=desc', headers: asUser },
  ])('answers 400 to one $why, and reads nothing', async ({ path, query, headers }) => {
    const { headers: first } = await get('/jobs/', 'limit=1');
    const cursor = new URLSearchParams(nextQuery(first?.link)).get('cursor');
    const response = await get(path, `cursor=${cursor}${query}`, headers());
    expect(readResponse(response)).toEqual(badCursor);
    expect(table.sent()).toEqual(['Query']);
  });

  it.each(['', '28', '28.', '28.AAAAAAAAAAAAAAAAAAAAAA', '%00', '-1.AAAA'])(
    'answers 400 to the made-up cursor %j',
    async (cursor) => {
      expect(readResponse(await get('/jobs/', `cursor=${cursor}`))).toEqual(badCursor);
      expect(table.sent()).toEqual([]);
    },
  );
});

describe('GET /jobs/ with wrong parameters', () => {
  it('answers 400 with every one of them, and reads nothing', async () => {
    const response = await get('/jobs/', 'limit=0&colour=red&failed=maybe&order=asc&order=desc');
    expect(readResponse(response).body).toMatchObject({
      status: 400,
      errors: ['colour', 'order', 'limit', 'failed'].map((name) => ({ location: 'query', name })),
    });
    expect((await get('/jobs/hpc_one/', 'stage=COMPLETED')).statusCode).toBe(400);
    expect(table.sent()).toEqual([]);
  });
});
