import { GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { handler } from '#functions/admin/read-all-jobs.ts';
import { handler as readOwnJobs } from '#functions/jobs/read-jobs.ts';
import { asAdministrator, asUser, call } from '../fixtures/call.ts';
import { useTable } from '../fixtures/engine-table.ts';
import { jobId } from '../fixtures/names.ts';
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
import { sentCommands } from '../fixtures/table-mock.ts';

const table = useTable();
const owner = otherUser;

const get = (path: string, query = '') =>
  call(handler, { path, query, headers: asAdministrator() });

/** A job of its own for each id. */
const factsOf = (id: number, of = user) => ({ id, owner: of, jobId: jobId(`JOB-${id}`) });

describe('GET /admin/jobs/', () => {
  it('finds a job by its job_id alone, whoever owns it', async () => {
    const query = `job_id=${hpcTwo.jobId}`;
    expect(readResponse(await get('/admin/jobs/', query))).toEqual(answer(200, []));
    await table.hold(lifeItem(hpcTwo, { owner }), jobItem(hpcTwo, { owner }));
    expect(readResponse(await get('/admin/jobs/', query))).toEqual(
      answer(200, [jobBody(hpcTwo, { owner })]),
    );
  });

  const samples = [
    { sample: hpcOne, facts: factsOf(4) },
    { sample: hpcTwo, facts: factsOf(8) },
    { sample: hpcOne, facts: factsOf(12, owner) },
    { sample: secondProject, facts: factsOf(16) },
    { sample: openedProject, facts: factsOf(20) },
  ];

  it.each([
    { at: '', query: '', ids: [4, 8, 12, 16, 20] },
    { at: 'hpc_one/', query: '', ids: [4, 12] },
    { at: 'hpc_two/', query: '', ids: [8, 16, 20] },
    { at: `hpc_two/${secondProject.project}/`, query: '', ids: [16] },
    { at: '', query: 'order=desc', ids: [20, 16, 12, 8, 4] },
    { at: 'hpc_one/', query: `user=${owner}&stage=QUEUED`, ids: [12] },
    { at: '', query: `user=${owner}`, ids: [12] },
    { at: '', query: 'failed=true', ids: [] },
    { at: 'hpc_one/', query: 'title=a%20job&since=2019-02-10', ids: [4, 12] },
  ])('lists $ids at /admin/jobs/$at?$query, whole and in pages', async ({ at, query, ids }) => {
    await table.hold(projectItem(openedProject, { closed: true }));
    await table.hold(...samples.map(({ sample, facts }) => jobItem(sample, facts)));
    const wanted = ids.flatMap((id) => samples.filter(({ facts }) => facts.id === id));
    const bodies = wanted.map(({ sample, facts }) => jobBody(sample, facts));
    expect(readResponse(await get(`/admin/jobs/${at}`, query))).toEqual(answer(200, bodies));
    const seen: unknown[] = [];
    let next: string | undefined = `${query}&limit=2`;
    while (next !== undefined) {
      const { headers, body } = await get(`/admin/jobs/${at}`, next);
      seen.push(...JSON.parse(body ?? ''));
      next = /^<https:\/\/slipway\.test\/admin\/jobs\/[^?]*\?([^>]*)>; rel="next"$/.exec(
        String(headers?.link),
      )?.[1];
    }
    expect(seen).toEqual(bodies);
  });

  it('takes no cursor of another list, nor gives one to the user’s own', async () => {
    await table.hold(jobItem(hpcOne, factsOf(4)), jobItem(hpcOne, factsOf(8)));
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
      expect(table.sent()).toEqual([]);
    },
  );

  it('answers 404 for an unknown system', async () => {
    expect(readResponse(await get('/admin/jobs/hpc_three/'))).toEqual(systemNotFound('hpc_three'));
  });
});

describe.each(systemSamples)('GET /admin/jobs/{hpc}/{project_name}/{job_id}/ on $hpc', (sample) => {
  const path = `/admin/jobs/${sample.hpc}/${sample.project}/${sample.jobId}/`;
  const hold = () => table.hold(jobItem(sample, { owner }), lifeItem(sample, { owner }));

  it('shows the job and its timeline, whoever owns it', async () => {
    await hold();
    expect(readResponse(await get(path))).toEqual(answer(200, jobBody(sample, { owner })));
    expect(readResponse(await get(`${path}timeline/`))).toMatchObject({
      statusCode: 200,
      body: { job_id: sample.jobId, stage: sample.firstStage, tries: [] },
    });
  });

  it('answers 404 for a job that nobody has, or that is in another project', async () => {
    expect(readResponse(await get(path))).toEqual(jobNotFound);
    await hold();
    const other = sample === hpcOne ? hpcTwo : hpcOne;
    const elsewhere = `/admin/jobs/${other.hpc}/${other.project}/${sample.jobId}/`;
    expect(readResponse(await get(elsewhere))).toEqual(jobNotFound);
  });

  it('answers 404 for another view, and 400 to parameters, and reads nothing', async () => {
    expect(readResponse(await get(`${path}secrets/`))).toEqual(pathNotFound);
    expect((await get(path, `user=${user}`)).statusCode).toBe(400);
    expect(table.sent()).toEqual([]);
  });
});

describe('read-all-jobs with a mocked table', () => {
  const path = `/admin/jobs/hpc_one/${hpcOne.project}/${hpcOne.jobId}/`;
  const { PK, SK } = lifeItem(hpcOne, { owner });

  it('finds whose a job is by the registry, and reads it consistently', async () => {
    table.mock.on(QueryCommand).resolves({ Items: [{ PK, SK }] });
    table.mock.on(GetCommand).resolves({ Item: jobItem(hpcOne, { owner }) });
    expect((await get(path)).statusCode).toBe(200);
    const registry = { ':registry': `REGISTRY#JOB#${hpcOne.jobId}` };
    expect(sentCommands(table.mock)).toMatchObject([
      ['QueryCommand', { IndexName: 'registry', ExpressionAttributeValues: registry }],
      ['GetCommand', { Key: { PK, SK: SK.replace('LIFE', 'JOB') }, ConsistentRead: true }],
    ]);
  });

  it('answers 404 where the registry does not know it', async () => {
    table.mock.on(QueryCommand).resolves({ Items: [] });
    expect(readResponse(await get(path))).toEqual(jobNotFound);
  });
});
