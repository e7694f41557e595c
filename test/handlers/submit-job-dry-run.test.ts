import {
  GetCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { handler } from '#functions/jobs/submit-job.ts';
import { lastId } from '#lib/table/keys.ts';
import { call } from '../fixtures/call.ts';
import { profileItem } from '../fixtures/profiles.ts';
import { answer, invalidRequest, readResponse } from '../fixtures/responses.ts';
import {
  hpcOne,
  jobItem,
  quotaItem,
  type SystemSample,
  secondProject,
  submittedAt,
  systemSamples,
  user,
} from '../fixtures/samples.ts';
import { mockStorage } from '../fixtures/storage-mock.ts';
import { profileRead, type SubmissionChanges, submission } from '../fixtures/submissions.ts';
import {
  canceled,
  conditionFailed,
  mockTable,
  passed,
  quotaRead,
  sentCommands,
  tableName,
} from '../fixtures/table-mock.ts';
import { zipOf } from '../fixtures/zip.ts';
import { craftZip } from '../unit/zips/craft-zip.ts';

const table = mockTable();
const storage = mockStorage();
const uploadId = 'b0f5c5a4-7f6e-4f0e-9d55-1f0a7d5c2e11';
const uploadPlace = `/inputs-test/${user}/uploads/${uploadId}.zip`;

beforeEach(() => {
  table.reset();
  storage.reset();
  vi.useFakeTimers({ toFake: ['Date'], now: submittedAt });
});
afterEach(() => {
  // Whatever a case asks for, nothing may be written: no item, no number, no file.
  const reads = ['GetCommand', 'QueryCommand'];
  expect(sentCommands(table).filter(([name]) => !reads.includes(name))).toEqual([]);
  expect(storage.calls.filter((sent) => !/^(GET|HEAD) /.test(sent))).toEqual([]);
  vi.useRealTimers();
});

/** What the table holds of the caller: a quota or none, a profile or none, an upload or none. */
function hold(found: { quota?: object; profile?: object; upload?: object }) {
  table.on(GetCommand).callsFake(({ Key: { SK } }) => {
    const { quota, profile, upload } = found;
    return { Item: SK === 'PROFILE' ? profile : SK.startsWith('UPLOAD#') ? upload : quota };
  });
  table.on(QueryCommand).resolves({ Items: [] });
}

function estimate(sample: SystemSample, changes: SubmissionChanges = {}, query = 'dry_run=true') {
  return call(handler, { ...submission(sample, changes), query });
}

/** The one query for the caller's newest jobs in the project. */
function newestJobs({ hpc, project }: SystemSample): [string, object] {
  return [
    'QueryCommand',
    {
      TableName: tableName,
      IndexName: 'jobs_by_project',
      KeyConditionExpression: 'PK = :user AND #index BETWEEN :from AND :to',
      ExpressionAttributeNames: { '#index': 'jobs_by_project' },
      ExpressionAttributeValues: {
        ':user': `USER#${user}`,
        ':from': `${hpc}#${project}#0000000000000001`,
        ':to': `${hpc}#${project}#${lastId}`,
      },
      ScanIndexForward: false,
      ConsistentRead: true,
      Limit: 50,
    },
  ];
}

describe.each(systemSamples)('POST /jobs/{hpc}/?dry_run=true on $hpc', (sample) => {
  it('answers 200 with what would be held and what would be left', async () => {
    hold({ quota: { ...quotaItem(sample), living_jobs: 4 } });
    const response = await estimate(sample);
    expect(response.body).toBe(
      `{"accepted":true,"runtime":${sample.runtimeText},` +
        `"held":{"time":${sample.heldSeconds},"space":1.0},` +
        `"left":{"time":${18_000_000 - sample.heldSeconds},"space":9999999.0},` +
        '"living_jobs":5,"max_living_jobs":1000}',
    );
    expect(readResponse(response)).toEqual(answer(200, JSON.parse(response.body ?? '')));
    expect(sentCommands(table)).toEqual([quotaRead(sample), newestJobs(sample)]);
    expect(storage.calls).toEqual([]);
  });

  it('says how much time the last jobs with such a title used', async () => {
    hold({ quota: quotaItem(sample) });
    const ended = { ...jobItem(sample), runtime: 2, terminal: true, ran_seconds: 720 };
    table.on(QueryCommand).resolves({ Items: [ended, ended, { ...ended, title: 'another' }] });
    const response = await estimate(sample);
    expect(readResponse(response).body).toMatchObject({
      similar: { jobs: 2, time: { used: 720, asked: 7200 } },
    });
  });

  it('judges somebody who was never seen by what the first contact would grant', async () => {
    hold({});
    expect(readResponse(await estimate(sample)).body).toMatchObject({
      left: { time: 18_000_000 - sample.heldSeconds, space: 9_999_999 },
      living_jobs: 1,
    });
    expect(sentCommands(table)).toEqual([quotaRead(sample), profileRead, newestJobs(sample)]);
  });

  it('takes an Idempotency-Key, and does not look at it', async () => {
    hold({ quota: quotaItem(sample) });
    const response = await estimate(sample, { headers: { 'idempotency-key': 'a-key' } });
    expect(response.statusCode).toBe(200);
    expect(sentCommands(table)).toEqual([quotaRead(sample), newestJobs(sample)]);
  });

  const held = { ...quotaItem(sample), time_left: sample.heldSeconds, space_left: 1 };
  const refusals = [
    { why: 'too little time', stored: { ...held, time_left: sample.heldSeconds - 1 } },
    { why: 'too little space', stored: { ...held, space_left: 0 } },
    { why: 'a ban here', stored: { ...held, banned_here: 'a loop' } },
    { why: 'a ban everywhere', stored: { ...held, banned_everywhere: 'left' } },
    { why: 'an end', stored: { ...held, valid_until: submittedAt.toISOString() } },
    { why: 'too many jobs', stored: { ...held, living_jobs: 1000 } },
  ];

  it.each(refusals)('answers the very refusal of the submission: $why', async ({ stored }) => {
    hold({ quota: stored });
    const estimated = await estimate(sample);
    table.reset();
    table.on(UpdateCommand).resolves({ Attributes: { value: 80 } });
    table
      .on(TransactWriteCommand)
      .rejects(canceled([conditionFailed(stored), passed, passed, passed, passed]));
    const submitted = await call(handler, submission(sample));
    expect(estimated).toEqual(submitted);
    expect([403, 409]).toContain(submitted.statusCode);
    table.reset();
    storage.reset();
  });

  it('accepts what fits exactly', async () => {
    const soon = new Date(submittedAt.getTime() + 1).toISOString();
    hold({ quota: { ...held, living_jobs: 999, valid_until: soon } });
    expect(readResponse(await estimate(sample)).body).toMatchObject({
      left: { time: 0, space: 0 },
      living_jobs: 1000,
    });
  });
});

describe('POST /jobs/{hpc}/{project_name}/?dry_run=true', () => {
  const path = '/jobs/hpc_two/proj_hpc_two_02/';

  it.each([
    { who: 'a known user', profile: profileItem() },
    { who: 'somebody who was never seen', profile: undefined },
  ])('answers 403 to $who without a quota in the project', async ({ profile }) => {
    hold(profile ? { profile } : {});
    const response = await estimate(secondProject, { path });
    expect(readResponse(response).body).toMatchObject({
      type: 'urn:slipway:problem:no-quota',
      status: 403,
    });
  });

  it('finds the quota that another call’s first contact has just made', async () => {
    let looks = 0;
    table.on(QueryCommand).resolves({ Items: [] });
    table.on(GetCommand).callsFake(({ Key }) => {
      looks += 1;
      if (Key.SK === 'PROFILE') return { Item: profileItem() };
      return looks > 1 ? { Item: quotaItem(hpcOne) } : {};
    });
    expect((await estimate(hpcOne)).statusCode).toBe(200);
  });
});

describe('POST /jobs/{hpc}/?dry_run=true, the request itself', () => {
  beforeEach(() => hold({ quota: quotaItem(hpcOne) }));

  it.each(['dry_run=1', 'dry_run=', 'dry_run=TRUE', 'dry_run=yes'])(
    'answers 400 to ?%s',
    async (query) => {
      expect(readResponse(await estimate(hpcOne, {}, query))).toEqual(
        invalidRequest([
          { location: 'query', name: 'dry_run', message: 'It must be true or false.' },
        ]),
      );
    },
  );

  it('answers 400 to a parameter that is mistyped, with all else that is wrong', async () => {
    const response = await estimate(hpcOne, { body: Buffer.from('no zip') }, 'dryrun=true');
    expect(readResponse(response)).toEqual(
      invalidRequest([
        {
          location: 'query',
          name: 'dryrun',
          message: 'Unknown parameter. Known parameters: dry_run.',
        },
        { location: 'body', name: 'body', message: 'It is not a zip file.' },
      ]),
    );
  });

  it('answers 400 to a zip that leads outside', async () => {
    const response = await estimate(hpcOne, { body: craftZip([{ name: '../a' }]) });
    expect(readResponse(response)).toEqual(
      invalidRequest([
        {
          location: 'body',
          name: 'body',
          message: "'../a': its path leads outside the archive.",
        },
      ]),
    );
  });
});

describe('POST /jobs/{hpc}/?dry_run=true with an Upload-Id', () => {
  const zip = zipOf(6_000_000);
  const upload = {
    type: 'upload',
    schema_version: 1,
    upload_id: uploadId,
    owner: user,
    file_name: 'big.zip',
    bytes: zip.length,
    expires_at: Math.floor(submittedAt.getTime() / 1000) + 1,
  };
  const { body: _, ...request } = submission(hpcOne, { headers: { 'upload-id': uploadId } });
  const ask = () => call(handler, { ...request, query: 'dry_run=true' });

  it('looks at the file, and weighs it', async () => {
    hold({ quota: quotaItem(hpcOne), upload });
    storage.objects.set(uploadPlace, zip);
    expect(readResponse(await ask()).body).toMatchObject({ held: { time: 14_400, space: 6000 } });
    expect(storage.calls[0]).toBe(`HEAD ${uploadPlace}`);
  });

  it.each([
    { what: 'is not there', upload: undefined, object: zip, status: 400, type: 'invalid-request' },
    { what: 'has not arrived', upload, object: undefined, status: 409, type: 'upload-unfinished' },
    {
      what: 'is no zip',
      upload,
      object: Buffer.alloc(zip.length),
      status: 400,
      type: 'invalid-request',
    },
    {
      what: 'has its job',
      upload: { ...upload, job_id: 'A' },
      object: zip,
      status: 409,
      type: 'upload-used',
    },
  ])('answers $status where it $what', async ({ upload: found, object, status, type }) => {
    hold({ quota: quotaItem(hpcOne), ...(found && { upload: found }) });
    if (object) storage.objects.set(uploadPlace, object);
    expect(readResponse(await ask()).body).toMatchObject({
      status,
      type: `urn:slipway:problem:${type}`,
    });
  });
});

describe('POST /jobs/{hpc}/?dry_run=false', () => {
  it('is a submission', async () => {
    table.on(UpdateCommand).resolves({ Attributes: { value: 80 } });
    table.on(TransactWriteCommand).resolves({});
    const response = await estimate(hpcOne, {}, 'dry_run=false');
    expect(response.statusCode).toBe(201);
    expect(table.commandCalls(TransactWriteCommand)).toHaveLength(1);
    // The hint is for the estimate alone.
    expect(table.commandCalls(QueryCommand)).toHaveLength(0);
    table.reset();
    storage.reset();
  });
});
