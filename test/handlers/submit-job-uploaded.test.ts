import { GetCommand, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { handler } from '#functions/jobs/submit-job.ts';
import { call } from '../fixtures/call.ts';
import { answer, invalidRequest, problem, readResponse } from '../fixtures/responses.ts';
import { describedJob, hpcOne, jobBody, submittedAt, user } from '../fixtures/samples.ts';
import { mockStorage } from '../fixtures/storage-mock.ts';
import { submission } from '../fixtures/submissions.ts';
import {
  canceled,
  conditionFailed,
  mockTable,
  passed,
  sentCommands,
  tableName,
} from '../fixtures/table-mock.ts';
import { zipOf } from '../fixtures/zip.ts';
import { craftZip } from '../unit/zips/craft-zip.ts';

const table = mockTable();
const storage = mockStorage();
const uploadId = 'b0f5c5a4-7f6e-4f0e-9d55-1f0a7d5c2e11';
const place = `/inputs-test/${user}/uploads/${uploadId}.zip`;
const now = Math.floor(submittedAt.getTime() / 1000);
const zip = zipOf(6_000_000);

const record = {
  type: 'upload',
  schema_version: 1,
  upload_id: uploadId,
  owner: user,
  file_name: 'big.zip',
  bytes: zip.length,
  expires_at: now + 1,
};

beforeEach(() => {
  table.reset();
  storage.reset();
  storage.objects.set(place, zip);
  table.on(UpdateCommand).resolves({ Attributes: { value: 80 } });
  table.on(TransactWriteCommand).resolves({});
  table.on(GetCommand).resolves({ Item: record });
  vi.useFakeTimers({ toFake: ['Date'], now: submittedAt });
});
afterEach(() => vi.useRealTimers());

function submit(headers: Record<string, string> = {}) {
  const { body: _, ...request } = submission(hpcOne, {
    headers: { 'upload-id': uploadId, ...headers },
  });
  return call(handler, request);
}

function transaction() {
  return table.commandCalls(TransactWriteCommand).at(-1)?.args[0].input.TransactItems;
}

const wrongUpload = (message: string) =>
  invalidRequest([{ location: 'header', name: 'Upload-Id', message }]);
const unknown = 'Upload not found, or older than 24 hours. Create a new one with POST /uploads/.';

describe('POST /jobs/{hpc}/ with an Upload-Id', () => {
  it('answers 201, and holds what the upload weighs', async () => {
    const response = await submit();
    const { job_id: jobId } = JSON.parse(response.body ?? '');
    expect(readResponse(response).body).toEqual(jobBody(hpcOne, { jobId }));
    expect(transaction()?.[1]?.Update?.ExpressionAttributeValues).toMatchObject({
      ':added_space_held': 6000,
    });
    expect(transaction()?.[4]?.Put?.Item).toMatchObject({
      type: 'job-request',
      input_file: hpcOne.fileName,
      input_bytes: 6_000_000,
      input_key: `${user}/uploads/${uploadId}.zip`,
    });
  });

  it('looks at the end of the file alone', async () => {
    await submit();
    expect(storage.calls).toEqual([`HEAD ${place}`, `GET ${place}`, `GET ${place}`]);
  });

  it('claims the upload for its job, in the transaction of the job', async () => {
    const { job_id: jobId } = JSON.parse((await submit()).body ?? '');
    expect(sentCommands(table)[0]).toEqual([
      'GetCommand',
      {
        TableName: tableName,
        Key: { PK: `USER#${user}`, SK: `UPLOAD#${uploadId}` },
        ConsistentRead: true,
      },
    ]);
    expect(transaction()?.[0]).toEqual({
      Update: {
        TableName: tableName,
        Key: { PK: `USER#${user}`, SK: `UPLOAD#${uploadId}` },
        UpdateExpression: expect.stringContaining('REMOVE #due, #due_at'),
        ConditionExpression: expect.any(String),
        ExpressionAttributeNames: expect.any(Object),
        ExpressionAttributeValues: {
          ':job_id': jobId,
          ':open_until': now + 86_400,
          ':expires_at': now + 86_400,
        },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      },
    });
  });

  it.each([
    { what: 'unknown, or somebody else’s', found: {} },
    { what: 'expired', found: { Item: { ...record, expires_at: now } } },
  ])('answers 400 to an upload that is $what', async ({ found }) => {
    table.on(GetCommand).resolves(found);
    expect(readResponse(await submit())).toEqual(wrongUpload(unknown));
    expect(storage.calls).toEqual([]);
    expect(table.commandCalls(TransactWriteCommand)).toEqual([]);
  });

  it('answers 400 to a name that no upload has, and to a body beside it', async () => {
    const form = 'It must be an upload_id that POST /uploads/ returned.';
    expect(readResponse(await submit({ 'upload-id': '../x' }))).toEqual(wrongUpload(form));
    const both = await call(handler, submission(hpcOne, { headers: { 'upload-id': uploadId } }));
    expect(readResponse(both)).toEqual(
      wrongUpload('The request also has a body. Send the zip in one of the two ways.'),
    );
    expect(sentCommands(table)).toEqual([]);
  });

  it.each([
    {
      what: 'has not arrived',
      object: undefined,
      detail:
        "The file for this upload has not arrived. Send its 6000000 bytes to the upload's " +
        'address, then submit again.',
    },
    {
      what: 'is shorter',
      object: zipOf(5_999_999),
      detail:
        'The file for this upload has 5999999 bytes, but 6000000 were announced. Create a new ' +
        'upload with the right length.',
    },
  ])('answers 409 where the file $what', async ({ object, detail }) => {
    storage.objects.clear();
    if (object) storage.objects.set(place, object);
    expect(readResponse(await submit())).toEqual(
      problem({
        status: 409,
        slug: 'upload-unfinished',
        title: 'The upload is not complete',
        detail,
      }),
    );
    expect(table.commandCalls(TransactWriteCommand)).toEqual([]);
  });

  it('answers 400 where the file is no safe zip', async () => {
    const unsafe = craftZip([{ name: '../a', content: 'x' }]);
    table.on(GetCommand).resolves({ Item: { ...record, bytes: unsafe.length } });
    storage.objects.set(place, unsafe);
    expect(readResponse(await submit())).toEqual(
      wrongUpload("'../a': its path leads outside the archive."),
    );
    storage.objects.set(place, Buffer.alloc(unsafe.length));
    expect(readResponse(await submit())).toEqual(wrongUpload('It is not a zip file.'));
  });

  const used = problem({
    status: 409,
    slug: 'upload-used',
    title: 'The upload was already used',
    detail: 'Another job has already used this upload. Create a new one.',
  });

  it('answers 409 where another job has it, also when both come at once', async () => {
    table.on(GetCommand).resolves({ Item: { ...record, job_id: 'OTHER' } });
    expect(readResponse(await submit())).toEqual(used);
    expect(table.commandCalls(TransactWriteCommand)).toEqual([]);
    table.on(GetCommand).resolves({ Item: record });
    const reasons = [conditionFailed(record), passed, passed, passed, passed, passed];
    table.on(TransactWriteCommand).rejects(canceled(reasons));
    expect(readResponse(await submit())).toEqual(used);
    expect(storage.objects.has(place)).toBe(true);
  });

  it('answers the stored 201 to the same request again, whatever became of the file', async () => {
    const key = { 'idempotency-key': 'a-key' };
    await submit(key);
    const stored = {
      type: 'idempotency-key',
      schema_version: 1,
      fingerprint: transaction()?.[0]?.Put?.Item?.fingerprint,
      answer: describedJob(hpcOne, { id: 12 }),
      expires_at: 2_000_000_000,
    };
    storage.reset();
    table.on(GetCommand).resolves({ Item: { ...record, job_id: hpcOne.jobId } });
    const reasons = [conditionFailed(stored), conditionFailed(record), passed, passed, passed];
    table.on(TransactWriteCommand).rejects(canceled([...reasons, passed, passed]));
    expect(readResponse(await submit(key))).toEqual(
      answer(201, jobBody(hpcOne, { id: 12 }), {
        'idempotency-replayed': 'true',
        location: `https://slipway.test/jobs/${hpcOne.hpc}/${hpcOne.project}/${hpcOne.jobId}/`,
      }),
    );
    expect(storage.calls).toEqual([]);
  });

  it('answers 409 to a new key where another job has the upload', async () => {
    table.on(GetCommand).resolves({ Item: { ...record, job_id: 'OTHER' } });
    const reasons = [passed, conditionFailed(record), passed, passed, passed, passed, passed];
    table.on(TransactWriteCommand).rejects(canceled(reasons));
    expect(readResponse(await submit({ 'idempotency-key': 'new' }))).toEqual(used);
  });
});
