import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { handler } from '#functions/jobs/submit-job.ts';
import { call } from '../fixtures/call.ts';
import { useTable } from '../fixtures/engine-table.ts';
import { profileItem } from '../fixtures/profiles.ts';
import { answer, readResponse, refusalOf } from '../fixtures/responses.ts';
import {
  hpcOne,
  jobItem,
  quotaItem,
  type SystemSample,
  secondProject,
  submittedAt,
  systemSamples,
} from '../fixtures/samples.ts';
import { mockStorage } from '../fixtures/storage-mock.ts';
import {
  type SubmissionChanges,
  submission,
  uploadId,
  uploadItem,
} from '../fixtures/submissions.ts';
import { zipOf } from '../fixtures/zip.ts';

const table = useTable();
const storage = mockStorage();

beforeEach(() => {
  storage.reset();
  vi.useFakeTimers({ toFake: ['Date'], now: submittedAt });
});
afterEach(() => vi.useRealTimers());

/** Whatever a case asks for, nothing may be written: no item, no number, no file. */
async function estimate(sample: SystemSample, changes: SubmissionChanges = {}) {
  const before = await table.list();
  const response = await call(handler, { ...submission(sample, changes), query: 'dry_run=true' });
  expect(await table.list()).toEqual(before);
  expect(storage.calls.filter((sent) => !/^(GET|HEAD) /.test(sent))).toEqual([]);
  return response;
}

describe.each(systemSamples)('POST /jobs/{hpc}/?dry_run=true on $hpc', (sample) => {
  it('answers 200 with what would be held and what would be left', async () => {
    await table.hold(profileItem(), { ...quotaItem(sample), living_jobs: 4 });
    const response = await estimate(sample, { headers: { 'idempotency-key': 'a-key' } });
    expect(response.body).toBe(
      `{"accepted":true,"runtime":${sample.runtimeText},` +
        `"held":{"time":${sample.heldSeconds},"space":1.0},` +
        `"left":{"time":${18_000_000 - sample.heldSeconds},"space":9999999.0},` +
        '"living_jobs":5,"max_living_jobs":1000}',
    );
    expect(readResponse(response)).toEqual(answer(200, JSON.parse(response.body ?? '')));
    expect(table.sent()).toEqual(['GetItem', 'GetItem', 'Query']);
    expect(storage.calls).toEqual([]);
  });

  it('says how much time the last jobs with such a title used', async () => {
    const ended = [4, 8, 12].map((id) => ({
      ...jobItem(sample, { id, title: id === 8 ? 'another' : 'a job title' }),
      SK: `JOB#${sample.hpc}#${sample.project}#${id}`,
      ...{ runtime: 2, terminal: true, ran_seconds: 720 },
    }));
    await table.hold(profileItem(), quotaItem(sample), ...ended);
    expect(readResponse(await estimate(sample)).body).toMatchObject({
      similar: { jobs: 2, time: { used: 720, asked: 7200 } },
    });
  });

  it('judges somebody who was never seen by what the first contact would grant', async () => {
    expect(readResponse(await estimate(sample)).body).toMatchObject({
      left: { time: 18_000_000 - sample.heldSeconds, space: 9_999_999 },
      living_jobs: 1,
    });
  });

  const last = { ...quotaItem(sample), time_left: sample.heldSeconds, space_left: 1 };
  const soon = new Date(submittedAt.getTime() + 1).toISOString();

  it.each([
    { why: 'too little time', change: { time_left: sample.heldSeconds - 1 } },
    { why: 'too little space', change: { space_left: 0 } },
    { why: 'a ban here', change: { banned_here: 'a loop' } },
    { why: 'a ban everywhere', change: { banned_everywhere: 'left' } },
    { why: 'an end', change: { valid_until: submittedAt.toISOString() } },
    { why: 'too many jobs', change: { living_jobs: 1000 } },
  ])('answers the very refusal of the submission: $why', async ({ change }) => {
    const stored = { ...last, ...change };
    await table.hold(profileItem(), stored);
    const estimated = await estimate(sample);
    expect([403, 409]).toContain(estimated.statusCode);
    expect(await call(handler, submission(sample))).toEqual(estimated);
    expect(await table.read(stored)).toEqual(stored);
  });

  it('accepts what fits exactly', async () => {
    await table.hold(profileItem(), { ...last, living_jobs: 999, valid_until: soon });
    expect(readResponse(await estimate(sample)).body).toMatchObject({
      left: { time: 0, space: 0 },
      living_jobs: 1000,
    });
  });
});

describe('POST /jobs/{hpc}/{project_name}/?dry_run=true', () => {
  it.each([
    { who: 'a known user', items: [profileItem()] },
    { who: 'somebody who was never seen', items: [] },
  ])('answers 403 to $who without a quota in the project', async ({ items }) => {
    await table.hold(...items);
    const response = await estimate(secondProject, { path: '/jobs/hpc_two/proj_hpc_two_02/' });
    expect(refusalOf(response)).toBe('403 no-quota');
  });
});

describe('POST /jobs/{hpc}/?dry_run=true with an Upload-Id', () => {
  const zip = zipOf(6_000_000);
  const place = `/inputs-test/306328/uploads/${uploadId}.zip`;
  const ask = () => estimate(hpcOne, { headers: { 'upload-id': uploadId }, body: Buffer.alloc(0) });
  const upload = uploadItem({ bytes: zip.length });
  beforeEach(() => table.hold(profileItem(), quotaItem(hpcOne)));

  it('looks at the file, and weighs it', async () => {
    await table.hold(upload);
    storage.objects.set(place, zip);
    expect(readResponse(await ask()).body).toMatchObject({ held: { time: 14_400, space: 6000 } });
    expect(storage.calls[0]).toBe(`HEAD ${place}`);
  });

  it.each([
    { what: 'is not there', items: [], object: zip, refusal: '400 invalid-request' },
    { what: 'has not arrived', items: [upload], refusal: '409 upload-unfinished' },
    {
      what: 'is no zip',
      items: [upload],
      object: Buffer.alloc(zip.length),
      refusal: '400 invalid-request',
    },
    {
      what: 'has its job',
      items: [{ ...upload, job_id: 'A' }],
      object: zip,
      refusal: '409 upload-used',
    },
  ])('is refused where it $what: $refusal', async ({ items, object, refusal }) => {
    await table.hold(...items);
    if (object) storage.objects.set(place, object);
    expect(refusalOf(await ask())).toBe(refusal);
  });
});
