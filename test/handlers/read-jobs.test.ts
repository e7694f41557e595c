import { GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { handler } from '#functions/jobs/read-jobs.ts';
import { asUser, call } from '../fixtures/call.ts';
import { useTable } from '../fixtures/engine-table.ts';
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
  jobRequestItem,
  lifeItem,
  otherUser,
  systemSamples,
  user,
} from '../fixtures/samples.ts';
import { sentCommands } from '../fixtures/table-mock.ts';

const table = useTable();
const get = (path: string, query = '', headers = asUser()) =>
  call(handler, { path, query, headers });
const bodyOf = async (path: string, query = '') => readResponse(await get(path, query)).body;

describe('GET /jobs/', () => {
  const ended = { ended: true, id: 84 };
  beforeEach(() => table.hold(jobItem(hpcTwo, ended), jobItem(hpcOne)));

  it('answers 200 with all jobs of the caller in ascending id', async () => {
    const response = await get('/jobs/');
    expect(readResponse(response)).toEqual(answer(200, [jobBody(hpcOne), jobBody(hpcTwo, ended)]));
    expect(response.body).toContain('"runtime":2.0,');
    expect(table.sent()).toEqual(['Query']);
  });

  it.each(['/jobs/', '/jobs/hpc_one/'])('finds a job by its job_id alone at %s', async (path) => {
    expect(await bodyOf(path, `job_id=${hpcOne.jobId}`)).toEqual([jobBody(hpcOne)]);
    expect(await bodyOf(path, 'job_id=00000000-0000-4000-8000-000000000000')).toEqual([]);
  });

  it('shows nobody the jobs of others', async () => {
    expect((await get('/jobs', '', asUser(otherUser))).body).toBe('[]');
  });

  it.each(systemSamples)('lists the jobs of $hpc, and of its project', async (sample) => {
    const listed = [jobBody(sample, sample === hpcTwo ? ended : {})];
    for (const path of [`/jobs/${sample.hpc}/`, `/jobs/${sample.hpc}/${sample.project}/`]) {
      expect(readResponse(await get(path))).toEqual(answer(200, listed));
    }
    expect(await bodyOf('/jobs/hpc_two/proj_hpc_two_02/')).toEqual([]);
  });

  it('filters by all parameters at once', async () => {
    const query = 'terminal=false&failed=false&title=job&since=2019-02-10&until=2019-02-11';
    expect(await bodyOf('/jobs/', query)).toEqual([jobBody(hpcOne)]);
    expect(await bodyOf('/jobs/hpc_one/', `${query}&stage=RUNNING`)).toEqual([]);
  });

  it.each(['/jobs//', '/jobs/hpc_one//', '//jobs/', '/jobs/hpc_one/proj_hpc_one_01/x/y/z/'])(
    'answers 404 to %s',
    async (path) => {
      expect(readResponse(await get(path))).toEqual(pathNotFound);
      expect(table.sent()).toEqual([]);
    },
  );

  it('answers 404 to a system that is unknown, or in upper case', async () => {
    for (const system of ['hpc_three', 'HPC_ONE']) {
      expect(readResponse(await get(`/jobs/${system}/`))).toEqual(systemNotFound(system));
    }
  });
});

describe.each(systemSamples)('GET /jobs/{hpc}/{project_name}/{job_id}/ on $hpc', (sample) => {
  const { hpc, project, jobId } = sample;
  const path = `/jobs/${hpc}/${project}/${jobId}/`;
  const hold = (attributes: object = {}) => table.hold({ ...jobItem(sample), ...attributes });

  it('answers 200 with one job, ended, in the form of the contract', async () => {
    await table.hold(jobItem(sample, { ended: true, id: 81 }));
    const response = await get(path.slice(0, -1));
    expect(readResponse(response)).toEqual(answer(200, jobBody(sample, { ended: true, id: 81 })));
    expect(response.body).toContain(`"runtime":${sample.runtimeText},`);
    expect(table.sent()).toEqual(['GetItem']);
  });

  it('answers 404 to a job that is not there, or somebody else’s', async () => {
    await table.hold(jobItem(sample, { owner: otherUser }));
    // No key of the table is longer than 1,024 bytes: that must not be a failure.
    for (const id of [jobId, jobId.toLowerCase(), `${jobId}#1`, '..', 'X'.repeat(2000), '💥']) {
      expect(readResponse(await get(`/jobs/${hpc}/${project}/${id}/`))).toEqual(jobNotFound);
    }
  });

  it('answers 404 to a project of the other system, and to one that is nowhere', async () => {
    for (const name of [sample.foreignProject, 'proj_hpc_three_01', '__proto__']) {
      for (const at of [`/jobs/${hpc}/${name}/`, `/jobs/${hpc}/${name}/${jobId}/`]) {
        expect(readResponse(await get(at))).toEqual(projectNotFound(hpc, name));
      }
    }
    // A name that no project can have is not looked for.
    expect(table.sent()).toHaveLength(4);
  });

  it('says what the job asked for, if that is asked', async () => {
    await table.hold(jobItem(sample), jobRequestItem(sample, { extras: { note: 'x' } }));
    expect(await bodyOf(path)).toEqual(jobBody(sample));
    expect(await bodyOf(path, 'expand=request')).toEqual({
      ...jobBody(sample),
      request: {
        [sample.programField]: sample.program,
        node_number: 2,
        core_number: 6,
        fields: { note: 'x' },
        input: { filename: sample.fileName, length: 22 },
      },
    });
  });

  it('has no input for a job without a zip, and no request for an imported job', async () => {
    await hold();
    expect(await bodyOf(path, 'expand=request')).toMatchObject({ request: null });
    const { input_key: _, ...without } = jobRequestItem(sample);
    await table.hold(without);
    expect(await bodyOf(path, 'expand=request')).toMatchObject({ request: { input: null } });
  });

  it('answers 400 to parameters of a list', async () => {
    const message = 'Unknown parameter. Known parameters: expand.';
    expect(readResponse(await get(path, 'limit=1'))).toEqual(
      invalidRequest([{ location: 'query', name: 'limit', message }]),
    );
  });

  describe('timeline/', () => {
    const timeline = () => bodyOf(`${path}timeline/`);

    it('shows each stage with its time, each try, and the last reason', async () => {
      const tries = [
        { at: '2019-02-10T22:40:02.500Z', reason: 'It does not answer.' },
        { at: '2019-02-10T22:40:05.000Z' },
      ];
      await hold();
      await table.hold({ ...lifeItem(sample), reason: 'No nodes are free.', tries });
      expect(readResponse(await get(`${path}timeline/`))).toEqual(
        answer(200, {
          job_id: jobId,
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
      await hold({ ran_seconds: 43 });
      await table.hold({ ...lifeItem(sample), running_since: '2019-02-10T22:41:02.700Z' });
      expect(await timeline()).toMatchObject({
        running_since: '2019-02-10T22:41:02Z',
        ran_seconds: 43,
      });
    });

    it('compares what an ended job used with what it asked for', async () => {
      const time = { used: 60, asked: sample.runtime * 3600 };
      await hold({ terminal: true, end_date: '2019-02-10T22:45:00.000Z', ran_seconds: 60 });
      await table.hold(lifeItem(sample));
      expect(await timeline()).toMatchObject({ ran_seconds: 60, efficiency: { time } });
      const measured = { cpu_seconds: 90.5, cores: 2, memory_bytes: 5e8, memory_limit_bytes: 2e9 };
      await table.hold({ ...lifeItem(sample), measured });
      expect(await timeline()).toMatchObject({
        efficiency: { time, cpu: { used: 90.5, asked: 120 }, memory: { used: 5e8, asked: 2e9 } },
      });
    });

    it.each([false, true])(
      'compares nothing for a job that never ran: terminal %s',
      async (terminal) => {
        await hold({ terminal });
        await table.hold(lifeItem(sample));
        expect(await timeline()).not.toHaveProperty('efficiency');
      },
    );

    it('says that the system is down where that is why nothing was tried', async () => {
      await hold();
      const checked_at = new Date().toISOString();
      const health = { PK: `SYSTEM#${hpc}`, SK: 'HEALTH', type: 'system-health', hpc, checked_at };
      await table.hold(lifeItem(sample), { ...health, healthy: false });
      expect(await timeline()).toMatchObject({
        reason: `${hpc} is not answering. The job will be handed over as soon as it does.`,
      });
      await table.hold({ ...health, healthy: true });
      expect(await timeline()).toMatchObject({ reason: null });
    });

    it('answers 404 for an unknown job, and for another view of a known one', async () => {
      expect(readResponse(await get(`${path}timeline/`))).toEqual(jobNotFound);
      await hold();
      expect(readResponse(await get(`${path}history/`))).toEqual(pathNotFound);
    });
  });
});

describe('read-jobs with a mocked table', () => {
  const path = `/jobs/hpc_one/${hpcOne.project}/${hpcOne.jobId}/`;

  it('reads on by itself where the table answers in parts', async () => {
    const { PK, SK, jobs_by_id } = jobItem(hpcOne);
    table.mock
      .on(QueryCommand)
      .resolvesOnce({ Items: [jobItem(hpcOne)], LastEvaluatedKey: { PK, SK, jobs_by_id } })
      .resolves({ Items: [jobItem(hpcTwo, { id: 84 })] });
    expect(await bodyOf('/jobs/')).toEqual([jobBody(hpcOne), jobBody(hpcTwo, { id: 84 })]);
    expect(sentCommands(table.mock)).toMatchObject(
      ['0000000000000001', '0000000000000081'].map((from) => [
        'QueryCommand',
        {
          IndexName: 'jobs_by_id',
          ExpressionAttributeValues: { ':user': `USER#${user}`, ':from': from },
        },
      ]),
    );
  });

  it('answers 404 where there is no such item', async () => {
    table.mock.on(GetCommand).resolves({});
    expect(readResponse(await get(path))).toEqual(jobNotFound);
    const Key = { PK: `USER#${user}`, SK: `JOB#hpc_one#${hpcOne.project}#${hpcOne.jobId}` };
    expect(sentCommands(table.mock)).toMatchObject([['GetCommand', { Key, ConsistentRead: true }]]);
  });
});
