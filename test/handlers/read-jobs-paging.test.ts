import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { handler } from '#functions/jobs/read-jobs.ts';
import { asUser, call } from '../fixtures/call.ts';
import { answer, invalidRequest, jsonHeaders, readResponse } from '../fixtures/responses.ts';
import { hpcOne, hpcTwo, jobBody, jobItem, otherUser, user } from '../fixtures/samples.ts';
import { mockTable, sentCommands, tableName } from '../fixtures/table-mock.ts';

const table = mockTable();

beforeEach(() => {
  table.reset();
  table.on(QueryCommand).resolves({ Items: [] });
});

function get(path: string, query = '', headers = asUser()) {
  return call(handler, { path, query, headers });
}

function lastQuery() {
  return table.commandCalls(QueryCommand).at(-1)?.args[0].input;
}

/** Lets the table say that the list goes on behind the job with this id. */
function goesOnAfter(id: number, items = [jobItem(hpcOne, { id })]) {
  const { PK, SK, jobs_by_id } = jobItem(hpcOne, { id });
  table.on(QueryCommand).resolves({ Items: items, LastEvaluatedKey: { PK, SK, jobs_by_id } });
}

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
    goesOnAfter(80);
    const response = await get('/jobs/', 'limit=1&order=asc');
    expect(readResponse(response)).toEqual({
      statusCode: 200,
      headers: {
        ...jsonHeaders,
        link: expect.stringMatching(
          /^<https:\/\/slipway\.test\/jobs\/\?limit=1&order=asc&cursor=28\.[\w-]{22}>; rel="next"$/,
        ),
      },
      body: [jobBody(hpcOne)],
    });
    expect(lastQuery()?.Limit).toBe(1);
  });

  it('goes on behind the last job with that cursor, and ends without Link', async () => {
    goesOnAfter(80);
    const first = await get('/jobs/', 'limit=1');
    table.on(QueryCommand).resolves({ Items: [jobItem(hpcTwo, { id: 84 })] });
    const second = await get('/jobs/', nextQuery(first.headers?.link));
    expect(readResponse(second)).toEqual(answer(200, [jobBody(hpcTwo, { id: 84 })]));
    expect(lastQuery()?.ExpressionAttributeValues).toEqual({
      ':user': `USER#${user}`,
      ':from': '0000000000000081',
      ':to': '9007199254740991',
    });
  });

  it('turns the order, and goes on before the last job', async () => {
    goesOnAfter(80);
    const first = await get('/jobs/', 'limit=1&order=desc');
    expect(lastQuery()?.ScanIndexForward).toBe(false);
    await get('/jobs/', nextQuery(first.headers?.link));
    expect(lastQuery()).toMatchObject({
      ScanIndexForward: false,
      ExpressionAttributeValues: { ':from': '0000000000000001', ':to': '0000000000000079' },
    });
  });

  it('replaces the cursor of the address instead of adding one', async () => {
    goesOnAfter(80);
    const first = await get('/jobs/', 'limit=1');
    goesOnAfter(84);
    const second = await get('/jobs/', nextQuery(first.headers?.link));
    const query = new URLSearchParams(nextQuery(second.headers?.link));
    expect([...query.keys()]).toEqual(['limit', 'cursor']);
    expect(query.get('cursor')).toMatch(/^2c\./);
  });

  it('reads on by itself where no limit is given and the table answers in parts', async () => {
    const { PK, SK, jobs_by_id } = jobItem(hpcOne);
    table
      .on(QueryCommand)
      .resolvesOnce({ Items: [jobItem(hpcOne)], LastEvaluatedKey: { PK, SK, jobs_by_id } })
      .resolves({ Items: [jobItem(hpcTwo, { id: 84 })] });
    const response = await get('/jobs/');
    expect(readResponse(response)).toEqual(
      answer(200, [jobBody(hpcOne), jobBody(hpcTwo, { id: 84 })]),
    );
    expect(sentCommands(table)).toHaveLength(2);
  });

  it('answers the first page and Link where the list is more than one answer carries', async () => {
    const title = '"'.repeat(200);
    const items = Array.from({ length: 8000 }, (_, index) =>
      jobItem(hpcOne, { id: 4 * (index + 1), title }),
    );
    table.on(QueryCommand).resolves({ Items: items });
    const response = await get('/jobs/');
    const jobs: { id: number }[] = JSON.parse(response.body ?? '');
    const answered = JSON.stringify({ ...response }).length;
    expect(answered).toBeLessThan(6 * 1024 * 1024);
    expect(jobs.length).toBeGreaterThan(1000);
    expect(jobs.length).toBeLessThan(8000);
    await get('/jobs/', nextQuery(response.headers?.link));
    const from = lastQuery()?.ExpressionAttributeValues?.[':from'];
    expect(Number(from)).toBe((jobs.at(-1)?.id ?? 0) + 1);
  });

  it('filters by all parameters at once', async () => {
    const query =
      'stage=QUEUED&terminal=false&failed=false&title=a%20job' +
      '&since=2019-02-10&until=2019-02-11T00:00:00%2B01:00';
    await get('/jobs/hpc_one/', query);
    expect(sentCommands(table)).toEqual([
      [
        'QueryCommand',
        {
          TableName: tableName,
          IndexName: 'jobs_by_system',
          KeyConditionExpression: 'PK = :user AND #index BETWEEN :from AND :to',
          FilterExpression:
            '#stage = :stage AND #terminal = :terminal AND #failed = :failed' +
            ' AND contains(#title, :title)' +
            ' AND #init_date >= :since AND #init_date <= :until',
          ExpressionAttributeNames: {
            '#index': 'jobs_by_system',
            '#stage': 'stage',
            '#terminal': 'terminal',
            '#failed': 'failed',
            '#title': 'title',
            '#init_date': 'init_date',
          },
          ExpressionAttributeValues: {
            ':user': `USER#${user}`,
            ':from': 'hpc_one#0000000000000001',
            ':to': 'hpc_one#9007199254740991',
            ':stage': 'QUEUED',
            ':terminal': false,
            ':failed': false,
            ':title': 'a job',
            ':since': '2019-02-10T00:00:00.000Z',
            ':until': '2019-02-10T23:00:00.000Z',
          },
          ConsistentRead: true,
          ScanIndexForward: true,
          Limit: 1000,
        },
      ],
    ]);
  });
});

describe('GET /jobs/ with a cursor that does not belong to it', () => {
  async function cursorOf(path: string, query = ''): Promise<string> {
    goesOnAfter(80);
    const page = await get(path, query ? `limit=1&${query}` : 'limit=1');
    return new URLSearchParams(nextQuery(page.headers?.link)).get('cursor') ?? '';
  }

  it.each([
    { why: 'of another caller', path: '/jobs/', query: '', headers: () => asUser(otherUser) },
    { why: 'of another path', path: '/jobs/hpc_one/', query: '', headers: asUser },
    { why: 'of another filter', path: '/jobs/', query: '&failed=true', headers: asUser },
    { why: 'of another order', path: '/jobs/', query: '&order=desc', headers: asUser },
  ])('answers 400 to one $why, and reads nothing', async ({ path, query, headers }) => {
    const cursor = await cursorOf('/jobs/');
    table.resetHistory();
    const response = await get(path, `cursor=${cursor}${query}`, headers());
    expect(readResponse(response)).toEqual(badCursor);
    expect(sentCommands(table)).toEqual([]);
  });

  it.each(['', '28', '28.', 'abc', '28.AAAAAAAAAAAAAAAAAAAAAA', '%00', '-1.AAAA'])(
    'answers 400 to the made-up cursor %j',
    async (cursor) => {
      const response = await get('/jobs/', `cursor=${cursor}`);
      expect(readResponse(response)).toEqual(badCursor);
      expect(sentCommands(table)).toEqual([]);
    },
  );
});

describe('GET /jobs/ with wrong parameters', () => {
  it('answers 400 with every one of them, and reads nothing', async () => {
    const response = await get('/jobs/', 'limit=0&colour=red&failed=maybe&order=asc&order=desc');
    expect(readResponse(response)).toEqual(
      invalidRequest([
        {
          location: 'query',
          name: 'colour',
          message:
            'Unknown parameter. Known parameters: limit, cursor, stage, terminal, failed, ' +
            'title, since, until, order, job_id, batch.',
        },
        { location: 'query', name: 'order', message: 'It is given twice. Send it once.' },
        { location: 'query', name: 'limit', message: 'It must be at least 1.' },
        { location: 'query', name: 'failed', message: 'It must be true or false.' },
      ]),
    );
    expect(sentCommands(table)).toEqual([]);
  });

  it('answers 400 to the stage of another system, with the ones there are', async () => {
    const response = await get('/jobs/hpc_one/', 'stage=COMPLETED');
    expect(readResponse(response)).toEqual(
      invalidRequest([
        {
          location: 'query',
          name: 'stage',
          message:
            'Unknown stage. Known stages: READY, STAGINGIN, QUEUED, RUNNING, ' +
            'STAGINGOUT, SUCCESSFUL, FAILED, CANCELED, DELETED.',
        },
      ]),
    );
  });
});
