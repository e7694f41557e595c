import { BatchGetCommand, GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { handler } from '#functions/admin/read-all-jobs.ts';
import { handler as readOwnJobs } from '#functions/jobs/read-jobs.ts';
import { asAdministrator, asUser, call } from '../fixtures/call.ts';
import {
  answer,
  invalidRequest,
  jobNotFound,
  pathNotFound,
  readResponse,
  systemNotFound,
} from '../fixtures/responses.ts';
import {
  hpcOne,
  hpcTwo,
  jobBody,
  jobItem,
  lifeItem,
  openedProject,
  otherUser,
  projectItem,
  secondProject,
  systemSamples,
  user,
} from '../fixtures/samples.ts';
import { mockTable, openedQuery, sentCommands, tableName } from '../fixtures/table-mock.ts';

const table = mockTable();

type Jobs = Record<string, Record<string, unknown>[]>;

beforeEach(() => {
  table.reset();
  table.on(QueryCommand).resolves({ Items: [] });
  table.on(GetCommand).resolves({});
  table.on(BatchGetCommand).resolves({});
});

const get = (path: string, query = '') =>
  call(handler, { path, query, headers: asAdministrator() });

/** What each project's part of the index holds, by the project. */
function holdJobs(jobs: Jobs) {
  table.on(QueryCommand).callsFake(({ ExpressionAttributeValues: values, Limit, ...input }) => {
    const { ':from': from, ':to': to, ':project': project = '' } = values;
    const all = (jobs[project.split('#')[2]] ?? []).filter(
      ({ jobs_by_id: id }) => String(id) >= from && String(id) <= to,
    );
    const ordered = input.ScanIndexForward ? all : all.toReversed();
    const Items = ordered.slice(0, Limit);
    return {
      Items,
      ...(Items.length < ordered.length && { LastEvaluatedKey: Items.at(-1) }),
    };
  });
}

function projectQuery(sample: { hpc: string; project: string }, changes: object = {}) {
  return [
    'QueryCommand',
    {
      TableName: tableName,
      IndexName: 'project_jobs',
      KeyConditionExpression: 'project_jobs = :project AND #index BETWEEN :from AND :to',
      ExpressionAttributeNames: { '#index': 'jobs_by_id' },
      ExpressionAttributeValues: {
        ':project': `PROJECT#${sample.hpc}#${sample.project}`,
        ':from': '0000000000000001',
        ':to': '9007199254740991',
      },
      ScanIndexForward: true,
      Limit: 100,
      ...changes,
    },
  ];
}

const ids = (response: { body?: string | undefined }) =>
  JSON.parse(response.body ?? '').map(({ id }: { id: number }) => id);

describe('GET /admin/jobs/', () => {
  it('finds a job by its job_id alone, whoever owns it', async () => {
    const owner = otherUser;
    const query = `job_id=${hpcTwo.jobId}`;
    expect(readResponse(await get('/admin/jobs/', query))).toEqual(answer(200, []));
    const { PK, SK } = lifeItem(hpcTwo, { owner });
    table.on(QueryCommand, { IndexName: 'registry' }).resolves({ Items: [{ PK, SK }] });
    const found = { Responses: { [tableName]: [jobItem(hpcTwo, { owner })] } };
    table.on(BatchGetCommand).resolves(found);
    expect(readResponse(await get('/admin/jobs/', query))).toEqual(
      answer(200, [jobBody(hpcTwo, { owner })]),
    );
    const [, input] = sentCommands(table).at(-1) ?? [];
    expect(Object(input).RequestItems[tableName].Keys).toContainEqual({
      PK,
      SK: `JOB#hpc_two#${hpcTwo.project}#${hpcTwo.jobId}`,
    });
  });

  it('merges the jobs of all projects by id, whoever owns them', async () => {
    holdJobs({
      [hpcOne.project]: [jobItem(hpcOne, { id: 4 }), jobItem(hpcOne, { id: 12, owner: otherUser })],
      [hpcTwo.project]: [jobItem(hpcTwo, { id: 8 })],
      [secondProject.project]: [jobItem(secondProject, { id: 16 })],
    });
    expect(readResponse(await get('/admin/jobs/'))).toEqual(
      answer(200, [
        jobBody(hpcOne, { id: 4 }),
        jobBody(hpcTwo, { id: 8 }),
        jobBody(hpcOne, { id: 12, owner: otherUser }),
        jobBody(secondProject, { id: 16 }),
      ]),
    );
    expect(sentCommands(table)).toEqual([
      openedQuery,
      ...[hpcOne, hpcTwo, secondProject].map((each) => projectQuery(each)),
    ]);
  });

  it('answers an empty array where nobody has jobs', async () => {
    expect(readResponse(await get('/admin/jobs'))).toEqual(answer(200, []));
  });

  it('holds the jobs of projects that were opened at run time', async () => {
    table.on(QueryCommand).callsFake(({ ExpressionAttributeValues: values }) => {
      if (values[':projects']) return { Items: [projectItem(openedProject, { closed: true })] };
      const mine = values[':project'] === `PROJECT#hpc_two#${openedProject.project}`;
      return { Items: mine ? [jobItem(openedProject)] : [] };
    });
    for (const path of ['/admin/jobs/', '/admin/jobs/hpc_two/']) {
      expect(readResponse(await get(path))).toEqual(answer(200, [jobBody(openedProject)]));
    }
    expect(readResponse(await get('/admin/jobs/hpc_one/'))).toEqual(answer(200, []));
  });

  it('asks the projects of the system, and of the one project', async () => {
    await get('/admin/jobs/hpc_two/');
    expect(sentCommands(table)).toEqual([
      openedQuery,
      ...[hpcTwo, secondProject].map((each) => projectQuery(each)),
    ]);
    table.resetHistory();
    await get(`/admin/jobs/hpc_two/${secondProject.project}/`);
    expect(sentCommands(table)).toEqual([projectQuery(secondProject)]);
  });

  it.each(['asc', 'desc'])('pages through all of them, %s, each once', async (order) => {
    const of = (sample: typeof hpcOne, ids: number[]) => ids.map((id) => jobItem(sample, { id }));
    holdJobs({
      [hpcOne.project]: of(hpcOne, [4, 8, 12, 40, 44]),
      [hpcTwo.project]: of(hpcTwo, [16, 20]),
      [secondProject.project]: of(secondProject, [24, 28, 32, 36]),
    });
    const all = [4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44];
    const seen: number[] = [];
    let query = `limit=2&order=${order}`;
    for (let pages = 0; pages < 10; pages += 1) {
      const response = await get('/admin/jobs/', query);
      seen.push(...ids(response));
      const link = response.headers?.link;
      if (link === undefined) break;
      expect(link).toMatch(/^<https:\/\/slipway\.test\/admin\/jobs\/\?limit=2/);
      query = String(link)
        .replace(/^<[^?]*\?/, '')
        .replace(/>.*$/, '');
    }
    expect(seen).toEqual(order === 'asc' ? all : all.toReversed());
  });

  it('reads those of one user by the user’s own index, consistent', async () => {
    table.on(QueryCommand).resolves({ Items: [jobItem(hpcOne, { owner: otherUser })] });
    const response = await get('/admin/jobs/hpc_one/', `user=${otherUser}&stage=QUEUED&limit=5`);
    expect(readResponse(response)).toEqual(answer(200, [jobBody(hpcOne, { owner: otherUser })]));
    expect(sentCommands(table)).toMatchObject([
      [
        'QueryCommand',
        {
          IndexName: 'jobs_by_system',
          ConsistentRead: true,
          FilterExpression: '#stage = :stage',
          ExpressionAttributeValues: { ':user': `USER#${otherUser}` },
        },
      ],
    ]);
  });

  it('filters as the caller’s own list does', async () => {
    await get('/admin/jobs/hpc_one/', 'failed=true&title=a%20job&since=2019-02-10');
    expect(sentCommands(table)).toEqual([
      openedQuery,
      projectQuery(hpcOne, {
        FilterExpression: '#failed = :failed AND contains(#title, :title) AND #init_date >= :since',
        ExpressionAttributeNames: {
          '#index': 'jobs_by_id',
          '#failed': 'failed',
          '#title': 'title',
          '#init_date': 'init_date',
        },
        ExpressionAttributeValues: {
          ':project': `PROJECT#hpc_one#${hpcOne.project}`,
          ':from': '0000000000000001',
          ':to': '9007199254740991',
          ':failed': true,
          ':title': 'a job',
          ':since': '2019-02-10T00:00:00.000Z',
        },
        Limit: 1000,
      }),
    ]);
  });

  it('takes no cursor of another list, nor gives one to the user’s own', async () => {
    table.on(QueryCommand).resolves({
      Items: [jobItem(hpcOne)],
      LastEvaluatedKey: jobItem(hpcOne),
    });
    const page = await get('/admin/jobs/', `user=${user}&limit=1`);
    const cursor = /cursor=([^>]+)/.exec(String(page.headers?.link))?.[1] ?? '';
    const refused = invalidRequest([
      { location: 'query', name: 'cursor', message: 'It does not belong to this list.' },
    ]);
    const own = { path: '/jobs/', query: `cursor=${cursor}`, headers: asUser() };
    expect(readResponse(await call(readOwnJobs, own))).toEqual(refused);
    expect(readResponse(await get('/admin/jobs/', `cursor=${cursor}`))).toEqual(refused);
    const again = await get('/admin/jobs/', `user=${user}&cursor=${cursor}`);
    expect(again.statusCode).toBe(200);
  });

  it.each(['user=', 'user=alice', 'user=1&user=2', 'owner=1', 'limit=1001', 'stage=NOPE'])(
    'answers 400 to %s, and reads nothing',
    async (query) => {
      expect((await get('/admin/jobs/', query)).statusCode).toBe(400);
      expect(sentCommands(table)).toEqual([]);
    },
  );

  it('answers 404 for an unknown system', async () => {
    expect(readResponse(await get('/admin/jobs/hpc_three/'))).toEqual(systemNotFound('hpc_three'));
  });
});

describe.each(systemSamples)('GET /admin/jobs/{hpc}/{project_name}/{job_id}/ on $hpc', (sample) => {
  const path = `/admin/jobs/${sample.hpc}/${sample.project}/${sample.jobId}/`;
  const place = `${sample.hpc}#${sample.project}#${sample.jobId}`;

  /** The registry knows whose job it is; the table holds it. */
  function hold(owner = otherUser) {
    const { PK, SK, registry, registry_key } = lifeItem(sample, { owner });
    table.on(QueryCommand).resolves({ Items: [{ PK, SK, registry, registry_key }] });
    table.on(GetCommand).callsFake(({ Key }) => {
      if (Key.PK !== `USER#${owner}`) return {};
      if (Key.SK === `JOB#${place}`) return { Item: jobItem(sample, { owner }) };
      return Key.SK === `LIFE#${place}` ? { Item: lifeItem(sample, { owner }) } : {};
    });
  }

  it('finds whose it is by the registry, and reads it consistently', async () => {
    hold();
    expect(readResponse(await get(path))).toEqual(
      answer(200, jobBody(sample, { owner: otherUser })),
    );
    expect(sentCommands(table)).toEqual([
      [
        'QueryCommand',
        {
          TableName: tableName,
          IndexName: 'registry',
          KeyConditionExpression: 'registry = :registry',
          ExpressionAttributeValues: { ':registry': `REGISTRY#JOB#${sample.jobId}` },
          Limit: 1,
        },
      ],
      [
        'GetCommand',
        {
          TableName: tableName,
          Key: { PK: `USER#${otherUser}`, SK: `JOB#${place}` },
          ConsistentRead: true,
        },
      ],
    ]);
  });

  it('shows its timeline', async () => {
    hold();
    expect(readResponse(await get(`${path}timeline/`))).toMatchObject({
      statusCode: 200,
      body: { job_id: sample.jobId, stage: sample.firstStage, tries: [] },
    });
  });

  it('answers 404 for a job that nobody has, or that is in another project', async () => {
    expect(readResponse(await get(path))).toEqual(jobNotFound);
    hold();
    const other = sample === hpcOne ? hpcTwo : hpcOne;
    const elsewhere = path.replace(
      `${sample.hpc}/${sample.project}`,
      `${other.hpc}/${other.project}`,
    );
    expect(readResponse(await get(elsewhere))).toEqual(jobNotFound);
  });

  it('answers 404 for another view, and 400 to parameters, and reads nothing', async () => {
    expect(readResponse(await get(`${path}secrets/`))).toEqual(pathNotFound);
    expect((await get(path, `user=${user}`)).statusCode).toBe(400);
    expect(sentCommands(table)).toEqual([]);
  });
});
