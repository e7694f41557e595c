import { BatchGetCommand, GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { handler } from '#functions/jobs/read-jobs.ts';
import { asUser, call } from '../fixtures/call.ts';
import {
  answer,
  invalidRequest,
  jobNotFound,
  pathNotFound,
  projectNotFound,
  readResponse,
  systemNotFound,
} from '../fixtures/responses.ts';
import {
  hpcOne,
  hpcTwo,
  jobBody,
  jobItem,
  lifeItem,
  otherUser,
  systemSamples,
  user,
} from '../fixtures/samples.ts';
import { mockTable, projectRead, sentCommands, tableName } from '../fixtures/table-mock.ts';

const table = mockTable();

beforeEach(() => {
  table.reset();
  table.on(QueryCommand).resolves({ Items: [] });
  table.on(GetCommand).resolves({});
  table.on(BatchGetCommand).resolves({});
});

function get(path: string, query = '', headers = asUser()) {
  return call(handler, { path, query, headers });
}

const firstId = '0000000000000001';
const lastId = '9007199254740991';

/** The one consistent query of a list, over the whole range of ids. */
function listQuery(index: string, prefix = '', owner = user) {
  return [
    'QueryCommand',
    {
      TableName: tableName,
      IndexName: index,
      KeyConditionExpression: 'PK = :user AND #index BETWEEN :from AND :to',
      FilterExpression: undefined,
      ExpressionAttributeNames: { '#index': index },
      ExpressionAttributeValues: {
        ':user': `USER#${owner}`,
        ':from': `${prefix}${firstId}`,
        ':to': `${prefix}${lastId}`,
      },
      ConsistentRead: true,
      ScanIndexForward: true,
      Limit: undefined,
    },
  ];
}

describe('GET /jobs/', () => {
  it('answers 200 with all jobs of the caller in ascending id', async () => {
    const ended = { ended: true, id: 84 };
    table.on(QueryCommand).resolves({ Items: [jobItem(hpcOne), jobItem(hpcTwo, ended)] });
    const response = await get('/jobs/');
    expect(readResponse(response)).toEqual(answer(200, [jobBody(hpcOne), jobBody(hpcTwo, ended)]));
    expect(response.body).toContain('"runtime":2.0,');
    expect(sentCommands(table)).toEqual([listQuery('jobs_by_id')]);
  });

  it.each([
    {
      path: '/jobs/',
      projects: ['hpc_one#proj_hpc_one_01', 'hpc_two#proj_hpc_two_01', 'hpc_two#proj_hpc_two_02'],
    },
    { path: '/jobs/hpc_one/', projects: ['hpc_one#proj_hpc_one_01'] },
  ])('finds a job by its job_id alone at $path, consistently', async ({ path, projects }) => {
    const found = { Responses: { [tableName]: [jobItem(hpcOne)] } };
    table.on(BatchGetCommand).resolvesOnce(found).resolves({});
    const query = `job_id=${hpcOne.jobId}`;
    expect(readResponse(await get(path, query))).toEqual(answer(200, [jobBody(hpcOne)]));
    const PK = `USER#${user}`;
    const Keys = projects.map((each) => ({ PK, SK: `JOB#${each}#${hpcOne.jobId}` }));
    // Those that were opened at run time come first, then the job in each of all projects.
    expect(sentCommands(table)).toMatchObject([
      ['QueryCommand', { ExpressionAttributeValues: { ':projects': 'PROJECTS' } }],
      ['BatchGetCommand', { RequestItems: { [tableName]: { Keys, ConsistentRead: true } } }],
    ]);
    expect(readResponse(await get(path, query))).toEqual(answer(200, []));
  });

  it('answers 200 with an empty array to a caller without jobs', async () => {
    const response = await get('/jobs');
    expect(readResponse(response)).toEqual(answer(200, []));
    expect(response.body).toBe('[]');
  });

  it('reads the partition of the caller, and nobody else can be named', async () => {
    await get('/jobs/', '', asUser(otherUser));
    expect(sentCommands(table)).toEqual([listQuery('jobs_by_id', '', otherUser)]);
  });
});

describe.each(systemSamples)('GET /jobs/{hpc}/ on $hpc', (sample) => {
  const { hpc, project, foreignProject, projectHpc, jobId } = sample;

  it('answers 200 with the jobs of the system', async () => {
    table.on(QueryCommand).resolves({ Items: [jobItem(sample)] });
    const response = await get(`/jobs/${hpc}/`);
    expect(readResponse(response)).toEqual(answer(200, [jobBody(sample)]));
    expect(sentCommands(table)).toEqual([listQuery('jobs_by_system', `${hpc}#`)]);
  });

  it('answers 200 with the jobs of the project', async () => {
    table.on(QueryCommand).resolves({ Items: [jobItem(sample)] });
    const response = await get(`/jobs/${hpc}/${project}/`);
    expect(readResponse(response)).toEqual(answer(200, [jobBody(sample)]));
    expect(sentCommands(table)).toEqual([listQuery('jobs_by_project', `${hpc}#${project}#`)]);
  });

  it('answers 200 with one job, ended, in the form of the contract', async () => {
    table.on(GetCommand).resolves({ Item: jobItem(sample, { ended: true, id: 81 }) });
    const response = await get(`/jobs/${hpc}/${project}/${jobId}/`);
    expect(readResponse(response)).toEqual(answer(200, jobBody(sample, { ended: true, id: 81 })));
    expect(response.body).toBe(
      `{"end_date":"2019-02-10T23:21:51Z","failed":false,"id":81,` +
        `"init_date":"2019-02-10T22:40:01Z","job_id":"${jobId}","owner":"306328",` +
        `"project":${sample.projectNumber},"project_hpc":"${projectHpc}",` +
        `"project_name":"${project}","runtime":${sample.runtimeText},` +
        `"stage":"${sample.doneStage}","terminal_stage":true,"title":"a job title"}`,
    );
  });

  it('reads one job by its key, consistently, also without the slash', async () => {
    table.on(GetCommand).resolves({ Item: jobItem(sample) });
    await get(`/jobs/${hpc}/${project}/${jobId}`);
    expect(sentCommands(table)).toEqual([
      [
        'GetCommand',
        {
          TableName: tableName,
          Key: { PK: `USER#${user}`, SK: `JOB#${hpc}#${project}#${jobId}` },
          ConsistentRead: true,
        },
      ],
    ]);
  });

  it('answers 404 to a job that is not there, or somebody else’s', async () => {
    const response = await get(`/jobs/${hpc}/${project}/${jobId}/`);
    expect(readResponse(response)).toEqual(jobNotFound);
  });

  it.each([
    'not-a-job',
    jobId.toLowerCase(),
    `${jobId}#1`,
    ' ',
    '\u0000',
    '..',
    'X'.repeat(2000),
    '💥',
  ])('answers the same 404 to the malformed identifier %j', async (malformed) => {
    // DynamoDB refuses a sort key of more than 1,024 bytes: such a read must not be a failure.
    table.on(GetCommand).callsFake(({ Key }) => {
      if (Buffer.byteLength(Key.SK) > 1024) throw new Error('ValidationException');
      return {};
    });
    const response = await get(`/jobs/${hpc}/${project}/${malformed}/`);
    expect(readResponse(response)).toEqual(jobNotFound);
  });

  it('answers 404 to a project of the other system, and to one that is nowhere', async () => {
    for (const name of [foreignProject, 'proj_hpc_three_01', '__proto__']) {
      const list = await get(`/jobs/${hpc}/${name}/`);
      expect(readResponse(list)).toEqual(projectNotFound(hpc, name));
      const one = await get(`/jobs/${hpc}/${name}/${jobId}/`);
      expect(readResponse(one)).toEqual(projectNotFound(hpc, name));
    }
    // A name that no project can have is not looked for.
    const looked = [foreignProject, 'proj_hpc_three_01'].map((name) => projectRead(hpc, name));
    expect(sentCommands(table)).toEqual(looked.flatMap((read) => [read, read]));
  });

  it('answers 404 to the name of the system in upper case', async () => {
    const response = await get(`/jobs/${projectHpc}/`);
    expect(readResponse(response)).toEqual(systemNotFound(projectHpc));
    expect(sentCommands(table)).toEqual([]);
  });
});

describe.each(systemSamples)('GET /jobs/{hpc}/{project_name}/{job_id}/ on $hpc', (sample) => {
  const path = `/jobs/${sample.hpc}/${sample.project}/${sample.jobId}/`;
  const hold = (items: Readonly<Record<string, object>>) =>
    table.on(GetCommand).callsFake(({ Key: { SK } }) => ({ Item: items[SK.split('#')[0]] }));
  const request = {
    type: 'job-request',
    schema_version: 1,
    program: sample.program,
    nodes: 2,
    cores_per_node: 6,
    extras: { note: 'x' },
    input_file: sample.fileName,
    input_bytes: 22,
    input_key: 'a.zip',
  };

  it('says what the job asked for, if that is asked', async () => {
    hold({ JOB: jobItem(sample), REQUEST: request });
    expect(readResponse(await get(path))).toEqual(answer(200, jobBody(sample)));
    expect(readResponse(await get(path, 'expand=request'))).toEqual(
      answer(200, {
        ...jobBody(sample),
        request: {
          [sample.hpc === 'hpc_one' ? 'command' : 'tool']: sample.program,
          node_number: 2,
          core_number: 6,
          fields: { note: 'x' },
          input: { filename: sample.fileName, length: 22 },
        },
      }),
    );
  });

  it('has no input for a job without a zip, and no request for an imported job', async () => {
    const { input_key: _, ...without } = request;
    hold({ JOB: jobItem(sample), REQUEST: without });
    expect(readResponse(await get(path, 'expand=request'))).toMatchObject({
      body: { request: { input: null } },
    });
    hold({ JOB: jobItem(sample) });
    expect(readResponse(await get(path, 'expand=request'))).toMatchObject({
      body: { request: null },
    });
  });
});

describe('GET /jobs/..., refused', () => {
  it.each(['/jobs//', '/jobs/hpc_one//', '//jobs/', '/jobs/hpc_one/proj_hpc_one_01/x/y/z/'])(
    'answers 404 to %s',
    async (path) => {
      const response = await get(path);
      expect(readResponse(response)).toEqual(pathNotFound);
      expect(sentCommands(table)).toEqual([]);
    },
  );

  it('answers 404 to an unknown system', async () => {
    expect(readResponse(await get('/jobs/hpc_three/'))).toEqual(systemNotFound('hpc_three'));
  });

  it('answers 400 to parameters of a list where one job is asked for', async () => {
    const path = `/jobs/hpc_one/proj_hpc_one_01/${hpcOne.jobId}/`;
    const response = await get(path, 'limit=1');
    expect(readResponse(response)).toEqual(
      invalidRequest([
        {
          location: 'query',
          name: 'limit',
          message: 'Unknown parameter. Known parameters: expand.',
        },
      ]),
    );
    expect(sentCommands(table)).toEqual([]);
  });
});

describe.each(systemSamples)(
  'GET /jobs/{hpc}/{project_name}/{job_id}/timeline/ on $hpc',
  (sample) => {
    const path = `/jobs/${sample.hpc}/${sample.project}/${sample.jobId}/timeline/`;
    const hold = (items: Readonly<Record<string, object>>) =>
      table.on(GetCommand).callsFake(({ Key: { SK } }) => ({ Item: items[SK.split('#')[0]] }));

    it('shows each stage with its time, each try, and the last reason', async () => {
      const life = {
        ...lifeItem(sample),
        reason: 'No nodes are free.',
        tries: [
          { at: '2019-02-10T22:40:02.500Z', reason: 'It does not answer.' },
          { at: '2019-02-10T22:40:05.000Z' },
        ],
      };
      hold({ JOB: jobItem(sample), LIFE: life });
      expect(readResponse(await get(path))).toEqual(
        answer(200, {
          job_id: sample.jobId,
          stage: sample.firstStage,
          terminal_stage: false,
          reason: 'No nodes are free.',
          running_since: null,
          ran_seconds: null,
          stages: [{ stage: sample.firstStage, since: '2019-02-10T22:40:01Z' }],
          tries: [
            { at: '2019-02-10T22:40:02Z', accepted: false, reason: 'It does not answer.' },
            { at: '2019-02-10T22:40:05Z', accepted: true, reason: null },
          ],
        }),
      );
    });

    it('says since when the job runs, and of an ended one how long it ran', async () => {
      const running = { ...lifeItem(sample), running_since: '2019-02-10T22:41:02.700Z' };
      hold({ JOB: { ...jobItem(sample), ran_seconds: 43 }, LIFE: running });
      expect(readResponse(await get(path))).toMatchObject({
        body: { running_since: '2019-02-10T22:41:02Z', ran_seconds: 43 },
      });
    });

    it('compares what an ended job used with what it asked for', async () => {
      const ended = { terminal: true, end_date: '2019-02-10T22:45:00.000Z', ran_seconds: 60 };
      const measured = { cpu_seconds: 90.5, cores: 2, memory_bytes: 5e8, memory_limit_bytes: 2e9 };
      const time = { used: 60, asked: sample.runtime * 3600 };
      hold({ JOB: { ...jobItem(sample), ...ended }, LIFE: { ...lifeItem(sample), measured } });
      expect(readResponse(await get(path))).toMatchObject({
        body: {
          ran_seconds: 60,
          efficiency: {
            time,
            cpu: { used: 90.5, asked: 120 },
            memory: { used: 5e8, asked: 2e9 },
          },
        },
      });
      hold({ JOB: { ...jobItem(sample), ...ended }, LIFE: lifeItem(sample) });
      const { body } = readResponse(await get(path));
      expect(body).toHaveProperty('efficiency', { time });
    });

    it('compares nothing for a job that runs, or that never ran', async () => {
      for (const terminal of [false, true]) {
        hold({ JOB: { ...jobItem(sample), terminal }, LIFE: lifeItem(sample) });
        expect(readResponse(await get(path)).body).not.toHaveProperty('efficiency');
      }
    });

    it('says that the system is down where that is why nothing was tried', async () => {
      hold({ JOB: jobItem(sample), LIFE: lifeItem(sample) });
      const key = { PK: `SYSTEM#${sample.hpc}`, SK: 'HEALTH' };
      const health = { ...key, type: 'system-health', hpc: sample.hpc, healthy: false };
      const checked_at = new Date().toISOString();
      table.on(BatchGetCommand).resolves({
        Responses: { [tableName]: [{ ...health, checked_at }] },
      });
      expect(readResponse(await get(path))).toMatchObject({
        body: {
          reason: `${sample.hpc} is not answering. The job will be handed over as soon as it does.`,
        },
      });
      table.on(BatchGetCommand).resolves({
        Responses: { [tableName]: [{ ...health, healthy: true, checked_at }] },
      });
      expect(readResponse(await get(path))).toMatchObject({ body: { reason: null } });
    });

    it('answers 404 for an unknown job, and for another view of a known one', async () => {
      expect(readResponse(await get(path))).toEqual(jobNotFound);
      hold({ JOB: jobItem(sample), LIFE: lifeItem(sample) });
      expect(readResponse(await get(path.replace('timeline', 'history')))).toEqual(pathNotFound);
    });
  },
);
