import { GetCommand, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { handler } from '#functions/jobs/submit-job.ts';
import { catalog, findSystem } from '#lib/catalog/catalog.ts';
import { TableUnavailableError } from '#lib/table/errors.ts';
import { call } from '#test/fixtures/call.ts';
import { profileItem } from '#test/fixtures/profiles.ts';
import {
  invalidRequest,
  pathNotFound,
  problem,
  projectNotFound,
  readResponse,
  systemNotFound,
} from '#test/fixtures/responses.ts';
import {
  hpcOne,
  hpcTwo,
  openedProject,
  projectItem,
  quotaItem,
  secondProject,
  systemSamples,
} from '#test/fixtures/samples.ts';
import { mockStorage } from '#test/fixtures/storage-mock.ts';
import { submission } from '#test/fixtures/submissions.ts';
import {
  canceled,
  conditionFailed,
  mockTable,
  passed,
  projectRead,
  sentCommands,
} from '#test/fixtures/table-mock.ts';
import { zipOf } from '#test/fixtures/zip.ts';
import { craftZip } from '#test/unit/zips/craft-zip.ts';

const table = mockTable();
const storage = mockStorage();

beforeEach(() => {
  table.reset();
  storage.reset();
  table.on(UpdateCommand).resolves({ Attributes: { value: 80 } });
  table.on(TransactWriteCommand).resolves({});
});

describe.each(systemSamples)('POST /jobs/{hpc}/ on $hpc, refused', (sample) => {
  it('answers 400 with all that is wrong at once, and writes nothing', async () => {
    const response = await call(
      handler,
      submission(sample, {
        payload: { ...sample.payload, node_number: '0', runtime: '2,0', colour: 'red' },
        headers: { 'content-disposition': 'attachment', 'idempotency-key': 'two words' },
        body: Buffer.from('no zip'),
      }),
    );
    const known =
      sample === hpcOne
        ? 'command, node_number, core_number, runtime, title, after, after_any, input_from, input_folder'
        : 'tool, node_number, core_number, runtime, title, init_file, python_option, after, after_any, input_from, input_folder';
    expect(readResponse(response)).toEqual(
      invalidRequest([
        {
          location: 'payload',
          name: 'colour',
          message: `Unknown field on ${sample.hpc}. Known fields: ${known}.`,
        },
        {
          location: 'payload',
          name: 'node_number',
          message: `It must be a whole number from 1 to ${sample === hpcOne ? 512 : 72}.`,
        },
        {
          location: 'payload',
          name: 'runtime',
          message: 'It must be a number of hours, at least 0.000001, for example "2.0".',
        },
        {
          location: 'header',
          name: 'Content-Disposition',
          message: 'It must be of the form: attachment; filename=<file.zip>',
        },
        {
          location: 'header',
          name: 'Idempotency-Key',
          message: 'It must have 1 to 255 visible ASCII characters without spaces.',
        },
        { location: 'body', name: 'body', message: 'It is not a zip file.' },
      ]),
    );
    expect(sentCommands(table)).toEqual([]);
  });

  it('answers 400 where both headers are missing', async () => {
    const { headers, ...request } = submission(sample);
    const { payload: _, 'content-disposition': __, ...others } = headers ?? {};
    const response = await call(handler, { ...request, headers: others });
    expect(readResponse(response)).toEqual(
      invalidRequest([
        {
          location: 'header',
          name: 'Payload',
          message: 'This header is required: a JSON object that describes the job.',
        },
        {
          location: 'header',
          name: 'Content-Disposition',
          message: 'This header is required: attachment; filename=<file.zip>',
        },
      ]),
    );
    expect(sentCommands(table)).toEqual([]);
  });

  it.each([
    { why: 'not JSON', payload: 'ls -lisa' },
    { why: 'an array', payload: '[]' },
    { why: 'null', payload: 'null' },
    { why: 'too long', payload: JSON.stringify({ title: 'x'.repeat(9000) }) },
    { why: 'a prototype', payload: '{"__proto__": {"node_number": "1"}}' },
    { why: 'empty', payload: '{}' },
  ])('answers 400 to a Payload that is $why, and writes nothing', async ({ payload }) => {
    const response = await call(handler, submission(sample, { payload }));
    expect(response.statusCode).toBe(400);
    expect(readResponse(response).body).toMatchObject({
      type: 'urn:slipway:problem:invalid-request',
      errors: expect.arrayContaining([expect.objectContaining({ message: expect.any(String) })]),
    });
    expect(sentCommands(table)).toEqual([]);
  });

  it('answers 404 for a project of the other system', async () => {
    table.on(GetCommand).resolves({});
    const path = `/jobs/${sample.hpc}/${sample.foreignProject}/`;
    const response = await call(handler, submission(sample, { path }));
    expect(readResponse(response)).toEqual(projectNotFound(sample.hpc, sample.foreignProject));
    expect(sentCommands(table)).toEqual([projectRead(sample.hpc, sample.foreignProject)]);
  });

  it('answers 404 for a system in upper case', async () => {
    const path = `/jobs/${sample.projectHpc}/`;
    const response = await call(handler, submission(sample, { path }));
    expect(readResponse(response)).toEqual(systemNotFound(sample.projectHpc));
    expect(sentCommands(table)).toEqual([]);
  });

  it('answers 403 where too little time is left, with what was asked and what is left', async () => {
    const stored = quotaItem(sample, { timeLeft: sample.heldSeconds - 1 });
    table
      .on(TransactWriteCommand)
      .rejects(canceled([conditionFailed(stored), passed, passed, passed]));
    const response = await call(handler, submission(sample));
    expect(readResponse(response)).toEqual(
      problem({
        status: 403,
        slug: 'quota-exceeded',
        title: 'The quota is too small',
        detail:
          `The quota of '${sample.project}' on '${sample.hpc}' is too small: ` +
          `${sample.heldSeconds} seconds of time are needed, but only ${sample.heldSeconds - 1} remain. Ask for less, or request more with POST /requests/.`,
        members: {
          project_hpc: sample.hpc.toUpperCase(),
          project_name: sample.project,
          charging: findSystem(catalog, sample.hpc).charging,
          asked: { time: sample.heldSeconds, space: 1 },
          left: { time: sample.heldSeconds - 1, space: 10_000_000 },
        },
      }),
    );
    expect(table.commandCalls(TransactWriteCommand)).toHaveLength(1);
    expect(storage.objects.size).toBe(0);
  });

  it('answers 403 where too little space is left', async () => {
    const stored = quotaItem(sample, { spaceLeft: 0 });
    table
      .on(TransactWriteCommand)
      .rejects(canceled([conditionFailed(stored), passed, passed, passed]));
    const response = await call(handler, submission(sample));
    expect(readResponse(response).body).toMatchObject({
      status: 403,
      detail:
        `The quota of '${sample.project}' on '${sample.hpc}' is too small: ` +
        '1 kilobytes of space are needed, but only 0 remain. Ask for less, or request more with POST /requests/.',
      left: { time: 18_000_000, space: 0 },
    });
  });
});

describe('POST /jobs/{hpc}/{project_name}/, refused', () => {
  it('answers 403 to a known user without a quota in the project', async () => {
    table.on(TransactWriteCommand).rejects(canceled([conditionFailed(), passed, passed, passed]));
    table
      .on(GetCommand)
      .callsFake(({ Key }) => (Key.SK === 'PROFILE' ? { Item: profileItem() } : {}));
    const path = '/jobs/hpc_two/proj_hpc_two_02/';
    const response = await call(handler, submission(secondProject, { path }));
    expect(readResponse(response)).toEqual(
      problem({
        status: 403,
        slug: 'no-quota',
        title: 'No quota in this project',
        detail:
          "You have no quota in the project 'proj_hpc_two_02' on 'hpc_two'. " +
          'An administrator can grant one.',
      }),
    );
  });

  it('answers 413 above what one request carries, and takes what is just within', async () => {
    const within = await call(handler, submission(hpcOne, { body: zipOf(4_500_000) }));
    expect(within.statusCode).toBe(201);
    table.resetHistory();
    const beyond = await call(handler, submission(hpcOne, { body: zipOf(4_500_001) }));
    expect(readResponse(beyond)).toEqual(
      problem({
        status: 413,
        slug: 'body-too-large',
        title: 'The body is too large',
        detail:
          'The body has 4500001 bytes, but at most 4500000 are allowed. ' +
          'Use POST /uploads/ to send a larger file.',
      }),
    );
    expect(sentCommands(table)).toEqual([]);
  });

  it('answers 415 to a form, in which the zip is wrapped', async () => {
    const contentType = 'multipart/form-data; boundary=x';
    const headers = { 'content-type': contentType };
    const response = await call(handler, submission(hpcTwo, { headers }));
    expect(readResponse(response)).toEqual(
      problem({
        status: 415,
        slug: 'unsupported-body',
        title: 'Unsupported content type',
        detail:
          `The content type '${contentType}' is not supported here. ` +
          "Send the bytes of the zip as they are, with 'Content-Type: application/zip'.",
      }),
    );
    expect(sentCommands(table)).toEqual([]);
  });

  it('answers 404 to a path that goes on behind the project', async () => {
    const path = '/jobs/hpc_one/proj_hpc_one_01/x/y/z/';
    const response = await call(handler, submission(hpcOne, { path }));
    expect(readResponse(response)).toEqual(pathNotFound);
    expect(sentCommands(table)).toEqual([]);
  });

  it('answers 400 to a zip that leads outside, and keeps nothing of it', async () => {
    const body = craftZip([{ name: '../a' }]);
    const response = await call(handler, submission(hpcOne, { body }));
    expect(readResponse(response)).toEqual(
      invalidRequest([
        {
          location: 'body',
          name: 'body',
          message: "'../a': its path leads outside the archive.",
        },
      ]),
    );
    expect(storage.calls).toEqual([]);
    expect(sentCommands(table)).toEqual([]);
  });

  it('answers 503 where the storage is down, and takes no job', async () => {
    vi.mocked(fetch).mockRejectedValueOnce(new TypeError('fetch failed'));
    vi.mocked(fetch).mockResolvedValueOnce(new Response(null, { status: 503 }));
    vi.mocked(fetch).mockResolvedValueOnce(new Response(null, { status: 500 }));
    const response = await call(handler, submission(hpcOne));
    expect(readResponse(response)).toEqual(
      problem({
        status: 503,
        slug: 'storage-unavailable',
        title: 'The file storage is down',
        detail: 'The service cannot reach its file storage. Try again later.',
        headers: { 'retry-after': '10' },
      }),
    );
    expect(sentCommands(table)).toEqual([]);
  });

  it('keeps the zip where nobody knows whether the job was taken', async () => {
    table.on(TransactWriteCommand).rejects(new TableUnavailableError());
    const response = await call(handler, submission(hpcOne));
    expect(response.statusCode).toBe(503);
    expect(storage.objects.size).toBe(1);
  });

  it('answers its refusal also where the zip cannot be taken back', async () => {
    const stored = quotaItem(hpcOne, { timeLeft: 0 });
    table.on(TransactWriteCommand).callsFake(() => {
      vi.mocked(fetch).mockResolvedValueOnce(new Response(null, { status: 403 }));
      throw canceled([conditionFailed(stored), passed, passed, passed, passed]);
    });
    const response = await call(handler, submission(hpcOne));
    expect(response.statusCode).toBe(403);
    expect(storage.objects.size).toBe(1);
  });
});

describe('POST /jobs/{hpc}/{project_name}/ of a project that was opened at run time', () => {
  const { hpc, project } = openedProject;
  const path = `/jobs/${hpc}/${project}/`;
  const submit = () => call(handler, submission(openedProject, { path }));
  const stored = (facts: object = {}) => ({ Item: projectItem(openedProject, facts) });
  const projectClosed = problem({
    status: 403,
    slug: 'project-closed',
    title: 'The project is closed',
    detail:
      "The project 'spring_2027' on 'hpc_two' is closed and accepts no jobs. " +
      'Submit to another project, or ask an administrator to open it again.',
  });
  const held = () => table.commandCalls(TransactWriteCommand).at(-1)?.args[0].input.TransactItems;

  it('is held to the limit that it has now, each time', async () => {
    for (const max_living_jobs of [20, 21]) {
      table.on(GetCommand).resolves(stored({ max_living_jobs }));
      expect((await submit()).statusCode).toBe(201);
      expect(held()?.[0]?.Update?.ExpressionAttributeValues).toMatchObject({
        ':others': max_living_jobs - 1,
      });
    }
  });

  it('answers 403 once it is closed, and takes the zip back', async () => {
    table.on(GetCommand).resolves(stored({ closed: true }));
    const refused = canceled([conditionFailed(quotaItem(openedProject)), passed, passed, passed]);
    table.on(TransactWriteCommand).rejects(refused);
    expect(readResponse(await submit())).toEqual(projectClosed);
    // No number of active jobs is below it.
    expect(held()?.[0]?.Update?.ExpressionAttributeValues).toMatchObject({ ':others': -1 });
    expect(storage.objects.size).toBe(0);
    expect(storage.calls).toHaveLength(2);
  });

  it('answers 403 to an estimate too, and to somebody who has no quota there', async () => {
    table
      .on(GetCommand)
      .resolves({})
      .on(GetCommand, { Key: { PK: 'PROJECTS', SK: `${hpc}#${project}` } })
      .resolves(stored({ closed: true }));
    const estimate = { ...submission(openedProject, { path }), query: 'dry_run=true' };
    expect(readResponse(await call(handler, estimate))).toEqual(projectClosed);
    table.on(TransactWriteCommand).rejects(canceled([conditionFailed(), passed, passed, passed]));
    expect(readResponse(await submit())).toEqual(projectClosed);
  });
});
