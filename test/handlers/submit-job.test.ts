import { TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { handler } from '#functions/jobs/submit-job.ts';
import { catalog, findSystem } from '#lib/catalog/catalog.ts';
import type { JobId } from '#lib/catalog/identifiers.ts';
import type { ApiResponse } from '#lib/http/respond.ts';
import { jobId } from '#test/fixtures/names.ts';
import { call } from '../fixtures/call.ts';
import { useTable } from '../fixtures/engine-table.ts';
import { profileItem } from '../fixtures/profiles.ts';
import { answer, problem, readResponse, refusalOf } from '../fixtures/responses.ts';
import {
  describedJob,
  hpcOne,
  hpcTwo,
  jobBody,
  openedProject,
  projectItem,
  quotaItem,
  secondProject,
  submittedAt,
  systemSamples,
  user,
} from '../fixtures/samples.ts';
import { mockStorage } from '../fixtures/storage-mock.ts';
import {
  acceptedItems,
  numbersTaken,
  type SubmissionChanges,
  submission,
} from '../fixtures/submissions.ts';
import { canceled, conditionFailed, passed, sentCommands } from '../fixtures/table-mock.ts';
import { emptyZip, zipOf } from '../fixtures/zip.ts';
import { craftZip } from '../unit/zips/craft-zip.ts';

const table = useTable();
const storage = mockStorage();
const quotas = [quotaItem(hpcOne), quotaItem(hpcTwo)];

beforeEach(async () => {
  storage.reset();
  vi.useFakeTimers({ toFake: ['Date'], now: submittedAt });
  await table.hold({ PK: 'COUNTER#job', SK: 'COUNTER', value: 79 });
});
afterEach(() => vi.useRealTimers());

const submit = (sample = hpcOne, changes: SubmissionChanges = {}) =>
  call(handler, submission(sample, changes));

/** The part of an answer that nobody can know before. */
function jobIdOf(response: ApiResponse): JobId {
  return jobId(JSON.parse(response.body ?? '{}').job_id);
}

describe.each(systemSamples)('POST /jobs/{hpc}/ on $hpc', (sample) => {
  it('answers 201 with the job in its first stage, and where it is', async () => {
    await table.hold(profileItem(), ...quotas);
    const response = await submit(sample);
    const made = jobIdOf(response);
    expect(made).toMatch(sample.jobIdForm);
    expect(readResponse(response)).toEqual(
      answer(201, jobBody(sample, { jobId: made }), {
        location: `https://slipway.test/jobs/${sample.hpc}/${sample.project}/${made}/`,
      }),
    );
    expect(response.body).toContain(`"runtime":${sample.runtimeText},`);
  });

  it('stores job, life, request, hold and ledger line at once, and its zip', async () => {
    await table.hold(profileItem(), ...quotas);
    const accepted = { id: 80, jobId: jobIdOf(await submit(sample)), at: submittedAt };
    for (const item of acceptedItems(sample, accepted)) {
      expect(await table.read(item)).toEqual(item);
    }
    expect(await table.read(quotaItem(sample))).toMatchObject({
      time_left: 18_000_000 - sample.heldSeconds,
      time_held: sample.heldSeconds,
      space_held: 1,
      living_jobs: 1,
    });
    // The counter, what the caller had, and these four.
    expect(await table.list()).toHaveLength(1 + 3 + 4);
    expect(table.sent()).toEqual(['UpdateItem', 'TransactWriteItems']);
    const place = `/inputs-test/${user}/${accepted.jobId}.zip`;
    expect(storage.calls).toEqual([`PUT ${place}`]);
    expect(storage.objects.get(place)).toEqual(Uint8Array.from(emptyZip));
  });

  it('welcomes a new user first, and then takes the job', async () => {
    const response = await submit(sample);
    const accepted = { id: 80, jobId: jobIdOf(response), at: submittedAt };
    expect(readResponse(response).body).toEqual(jobBody(sample, accepted));
    const { first_seen } = (await table.read(profileItem())) ?? {};
    expect(first_seen).toBe(submittedAt.toISOString());
    expect(await table.read(quotaItem(sample))).toMatchObject({ time_held: sample.heldSeconds });
  });

  it('remembers an Idempotency-Key for 24 hours, and answers the same request again', async () => {
    await table.hold(profileItem(), ...quotas);
    const repeated = { headers: { 'idempotency-key': 'a-key' } };
    const first = await submit(sample, repeated);
    expect(table.sent()).toEqual(['UpdateItem', 'TransactWriteItems']);
    const key = { PK: `USER#${user}`, SK: 'IDEMPOTENCY#a-key' };
    expect(await table.read(key)).toEqual({
      ...key,
      type: 'idempotency-key',
      schema_version: 1,
      fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
      answer: describedJob(sample, { jobId: jobIdOf(first) }),
      expires_at: Math.floor(submittedAt.getTime() / 1000) + 86_400,
    });
    const again = await submit(sample, repeated);
    expect(again).toEqual({
      ...first,
      headers: { ...first.headers, 'idempotency-replayed': 'true' },
    });
    expect(storage.calls.map((line) => line.split(' ')[0])).toEqual(['PUT', 'PUT', 'DELETE']);
    const other = { ...repeated, payload: { ...sample.payload, title: 'another title' } };
    expect(refusalOf(await submit(sample, other))).toBe('422 idempotency-key-reused');
  });
});

describe('POST /jobs/{hpc}/, refused', () => {
  const without = (...names: string[]) => {
    const { headers = {}, ...request } = submission(hpcOne);
    const kept = Object.entries(headers).filter(([name]) => !names.includes(name));
    return { ...request, headers: Object.fromEntries(kept) };
  };
  const wrong = {
    payload: { ...hpcOne.payload, node_number: '0', runtime: '2,0', colour: 'red' },
    headers: { 'content-disposition': 'attachment', 'idempotency-key': 'two words' },
    body: Buffer.from('no zip'),
  };
  const leading = craftZip([{ name: '../a' }]);
  const large = zipOf(4_500_001);
  const form = { headers: { 'content-type': 'multipart/form-data; boundary=x' } };
  const on = (path: string, changes: SubmissionChanges = {}) =>
    submission(hpcOne, { ...changes, path: `/jobs/${path}/` });

  it.each([
    ['400 invalid-request', 'all that is wrong', () => on('hpc_one', wrong)],
    ['400 invalid-request', 'no headers', () => without('payload', 'content-disposition')],
    ['400 invalid-request', 'no JSON', () => on('hpc_one', { payload: 'ls -lisa' })],
    ['400 invalid-request', 'a zip that leads outside', () => on('hpc_one', { body: leading })],
    ['404 system-not-found', 'a system in upper case', () => on('HPC_ONE')],
    ['404 project-not-found', 'a project of another system', () => on('hpc_one/proj_hpc_two_01')],
    ['404 path-not-found', 'a path that goes on', () => on('hpc_one/proj_hpc_one_01/x/y/z')],
    ['413 body-too-large', 'more than one request carries', () => on('hpc_one', { body: large })],
    ['415 unsupported-body', 'a form', () => on('hpc_one', form)],
  ])('answers %s to %s, and stores nothing', async (refusal, _, request) => {
    await table.hold(profileItem(), ...quotas);
    expect(refusalOf(await call(handler, request()))).toBe(refusal);
    expect([table.writes(), storage.calls]).toEqual([0, []]);
  });

  it('names all that is wrong at once, in the order of the interface', async () => {
    expect(readResponse(await submit(hpcOne, wrong)).body).toMatchObject({
      errors: [
        { location: 'payload', name: 'colour' },
        { location: 'payload', name: 'node_number' },
        { location: 'payload', name: 'runtime' },
        { location: 'header', name: 'Content-Disposition' },
        { location: 'header', name: 'Idempotency-Key' },
        { location: 'body', name: 'body' },
      ],
    });
  });

  it.each([
    { why: 'too little time', facts: { timeLeft: 14_399 } },
    { why: 'too little space', facts: { spaceLeft: 0 } },
  ])('answers 403 where there is $why, and takes the zip back', async ({ facts }) => {
    const quota = quotaItem(hpcOne, facts);
    await table.hold(profileItem(), quota);
    expect(refusalOf(await submit())).toBe('403 quota-exceeded');
    expect(await table.read(quota)).toEqual(quota);
    expect(storage.calls.map((line) => line.split(' ')[0])).toEqual(['PUT', 'DELETE']);
  });

  it('answers 403 to a known user without a quota in the project', async () => {
    await table.hold(profileItem(), ...quotas);
    expect(refusalOf(await submit(secondProject, { path: '/jobs/hpc_two/proj_hpc_two_02/' }))).toBe(
      '403 no-quota',
    );
  });

  it('answers 503 where the storage is down, and takes no job', async () => {
    vi.mocked(fetch).mockRejectedValueOnce(new TypeError('fetch failed'));
    vi.mocked(fetch).mockResolvedValueOnce(new Response(null, { status: 503 }));
    vi.mocked(fetch).mockResolvedValueOnce(new Response(null, { status: 500 }));
    const response = await submit();
    expect(refusalOf(response)).toBe('503 storage-unavailable');
    expect(response.headers).toMatchObject({ 'retry-after': '10' });
    expect(table.sent()).toEqual([]);
  });
});

describe('POST /jobs/{hpc}/{project_name}/ of a project that was opened at run time', () => {
  const path = `/jobs/hpc_two/${openedProject.project}/`;
  const ask = (query = '') => call(handler, { ...submission(openedProject, { path }), query });

  it('is held to the limit that it has now, each time', async () => {
    await table.hold(profileItem(), { ...quotaItem(openedProject), living_jobs: 20 });
    await table.hold(projectItem(openedProject, { max_living_jobs: 20 }));
    expect((await ask()).statusCode).toBe(409);
    await table.hold(projectItem(openedProject, { max_living_jobs: 21 }));
    expect((await ask()).statusCode).toBe(201);
  });

  it('answers 403 once it is closed, to an estimate too, whether there is a quota or not', async () => {
    await table.hold(profileItem(), projectItem(openedProject, { closed: true }));
    for (const items of [[], [quotaItem(openedProject)]]) {
      await table.hold(...items);
      for (const query of ['dry_run=true', '']) {
        expect(refusalOf(await ask(query))).toBe('403 project-closed');
      }
    }
    expect(storage.objects.size).toBe(0);
  });
});

describe('submit-job with a mocked table', () => {
  beforeEach(() => table.mock.on(UpdateCommand).resolves({ Attributes: { value: 80 } }));

  it('takes a number, and sends one transaction once the zip is in place', async () => {
    table.mock.on(TransactWriteCommand).callsFake(() => {
      expect(storage.objects.size).toBe(1);
      return {};
    });
    expect((await submit()).statusCode).toBe(201);
    expect(sentCommands(table.mock)).toEqual([
      numbersTaken('job', 1),
      ['TransactWriteCommand', { TransactItems: expect.objectContaining({ length: 5 }) }],
    ]);
  });

  it('answers 403 with what was asked and what is left where the hold is refused', async () => {
    const stored = quotaItem(hpcOne, { timeLeft: 14_399 });
    table.mock.on(TransactWriteCommand).rejects(canceled([conditionFailed(stored), passed]));
    expect(readResponse(await submit())).toEqual(
      problem({
        status: 403,
        slug: 'quota-exceeded',
        title: 'The quota is too small',
        detail:
          `The quota of '${hpcOne.project}' on 'hpc_one' is too small: 14400 seconds of time are ` +
          'needed, but only 14399 remain. Ask for less, or request more with POST /requests/.',
        members: {
          project_hpc: 'HPC_ONE',
          project_name: hpcOne.project,
          charging: findSystem(catalog, 'hpc_one').charging,
          asked: { time: 14_400, space: 1 },
          left: { time: 14_399, space: 10_000_000 },
        },
      }),
    );
    expect(storage.objects.size).toBe(0);
  });
});
