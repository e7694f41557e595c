import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { handler } from '#functions/jobs/submit-job.ts';
import { call } from '../fixtures/call.ts';
import { useTable } from '../fixtures/engine-table.ts';
import { profileItem } from '../fixtures/profiles.ts';
import { invalidRequest, readResponse, refusalOf } from '../fixtures/responses.ts';
import {
  hpcOne,
  jobBody,
  jobRequestItem,
  quotaItem,
  submittedAt,
  user,
} from '../fixtures/samples.ts';
import { mockStorage } from '../fixtures/storage-mock.ts';
import { submission, uploadId, uploadItem } from '../fixtures/submissions.ts';
import { zipOf } from '../fixtures/zip.ts';
import { craftZip } from '../unit/zips/craft-zip.ts';

const table = useTable();
const storage = mockStorage();
const place = `/inputs-test/${user}/uploads/${uploadId}.zip`;
const now = Math.floor(submittedAt.getTime() / 1000);
const zip = zipOf(6_000_000);
const upload = uploadItem({ bytes: zip.length });

beforeEach(async () => {
  storage.reset();
  storage.objects.set(place, zip);
  vi.useFakeTimers({ toFake: ['Date'], now: submittedAt });
  await table.hold(profileItem(), quotaItem(hpcOne));
});
afterEach(() => vi.useRealTimers());

function submit(headers: Record<string, string> = {}) {
  const { body: _, ...request } = submission(hpcOne, {
    headers: { 'upload-id': uploadId, ...headers },
  });
  return call(handler, request);
}

const wrongUpload = (message: string) =>
  invalidRequest([{ location: 'header', name: 'Upload-Id', message }]);
const unknown = 'Upload not found, or older than 24 hours. Create a new one with POST /uploads/.';

describe('POST /jobs/{hpc}/ with an Upload-Id', () => {
  it('answers 201, holds what the upload weighs, and claims it for its job', async () => {
    await table.hold(upload);
    const response = await submit();
    const { id, job_id: jobId } = JSON.parse(response.body ?? '');
    expect(readResponse(response).body).toEqual(jobBody(hpcOne, { id, jobId }));
    expect(await table.read(quotaItem(hpcOne))).toMatchObject({ space_held: 6000 });
    expect(await table.read(jobRequestItem(hpcOne, { jobId }))).toMatchObject({
      input_file: hpcOne.fileName,
      input_bytes: 6_000_000,
      input_key: `${user}/uploads/${uploadId}.zip`,
    });
    const { due: _, due_at: __, ...open } = upload;
    expect(await table.read(upload)).toEqual({
      ...open,
      job_id: jobId,
      open_until: now + 86_400,
      expires_at: now + 86_400,
    });
    expect(table.sent()).toEqual(['GetItem', 'UpdateItem', 'TransactWriteItems']);
    // It looks at the end of the file alone.
    expect(storage.calls).toEqual([`HEAD ${place}`, `GET ${place}`, `GET ${place}`]);
  });

  it.each([
    { what: 'unknown, or somebody else’s', items: [] },
    { what: 'expired', items: [{ ...upload, expires_at: now, open_until: now }] },
  ])('answers 400 to an upload that is $what', async ({ items }) => {
    await table.hold(...items);
    expect(readResponse(await submit())).toEqual(wrongUpload(unknown));
    expect([storage.calls, table.writes()]).toEqual([[], 0]);
  });

  it('answers 400 to a name that no upload has, and to a body beside it', async () => {
    const form = 'It must be an upload_id that POST /uploads/ returned.';
    expect(readResponse(await submit({ 'upload-id': '../x' }))).toEqual(wrongUpload(form));
    const both = await call(handler, submission(hpcOne, { headers: { 'upload-id': uploadId } }));
    expect(readResponse(both)).toEqual(
      wrongUpload('The request also has a body. Send the zip in one of the two ways.'),
    );
    expect(table.sent()).toEqual([]);
  });

  it.each([
    {
      what: 'has not arrived',
      object: undefined,
      detail: /^The file for this upload has not arrived. Send its 6000000 bytes/,
    },
    {
      what: 'is shorter',
      object: zipOf(5_999_999),
      detail: /^The file for this upload has 5999999 bytes, but 6000000 were announced/,
    },
  ])('answers 409 where the file $what', async ({ object, detail }) => {
    await table.hold(upload);
    storage.objects.clear();
    if (object) storage.objects.set(place, object);
    const response = await submit();
    expect(refusalOf(response)).toBe('409 upload-unfinished');
    expect(JSON.parse(response.body ?? '').detail).toMatch(detail);
    expect(table.writes()).toBe(0);
  });

  it('answers 400 where the file is no safe zip', async () => {
    const unsafe = craftZip([{ name: '../a', content: 'x' }]);
    await table.hold({ ...upload, bytes: unsafe.length });
    storage.objects.set(place, unsafe);
    expect(readResponse(await submit())).toEqual(
      wrongUpload("'../a': its path leads outside the archive."),
    );
    storage.objects.set(place, Buffer.alloc(unsafe.length));
    expect(readResponse(await submit())).toEqual(wrongUpload('It is not a zip file.'));
  });

  it.each([{}, { 'idempotency-key': 'new' }])(
    'answers 409 where another job has it: %j',
    async (headers) => {
      await table.hold({ ...upload, job_id: 'OTHER' });
      expect(refusalOf(await submit(headers))).toBe('409 upload-used');
      expect(await table.read(quotaItem(hpcOne))).toEqual(quotaItem(hpcOne));
      expect(storage.objects.has(place)).toBe(true);
    },
  );

  it('answers the same request again as before, whatever became of the file', async () => {
    await table.hold(upload);
    const key = { 'idempotency-key': 'a-key' };
    const first = await submit(key);
    storage.reset();
    const { headers, ...again } = await submit(key);
    expect(again).toEqual({ statusCode: 201, body: first.body });
    expect(headers).toMatchObject({ 'idempotency-replayed': 'true' });
    expect(storage.calls).toEqual([]);
  });
});
