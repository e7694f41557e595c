import { GetCommand, QueryCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { handler } from '#functions/jobs/delete-job.ts';
import { asUser, call } from '../fixtures/call.ts';
import { useTable } from '../fixtures/engine-table.ts';
import { answer, jobNotFound, readResponse } from '../fixtures/responses.ts';
import {
  hpcOne,
  jobBody,
  jobItem,
  jobRequestItem,
  lifeItem,
  otherUser,
  quotaItem,
  systemSamples,
  user,
} from '../fixtures/samples.ts';
import { mockStorage } from '../fixtures/storage-mock.ts';
import { canceled, conditionFailed, passed, sentCommands } from '../fixtures/table-mock.ts';

const table = useTable();
const storage = mockStorage();
beforeEach(() => storage.reset());

describe.each(systemSamples)('DELETE /jobs/{hpc}/{project_name}/{job_id}/ on $hpc', (sample) => {
  const { hpc, project, jobId, heldSeconds } = sample;
  const remove = (query = '') =>
    call(handler, {
      method: 'DELETE',
      path: `/jobs/${hpc}/${project}/${jobId}/`,
      query,
      headers: asUser(),
    });
  const ended = jobItem(sample, { ended: true });
  const held = quotaItem(sample, { timeLeft: 18_000_000 - heldSeconds, spaceLeft: 9_999_999 });
  const hold = (job: ReturnType<typeof jobItem>) =>
    table.hold(job, lifeItem(sample), jobRequestItem(sample), { ...held, living_jobs: 1 });
  const input = `DELETE /inputs-test/${user}/${jobId}.zip`;
  const written = ['output', 'zip'].map((kind) => `DELETE /results-test/${user}/${jobId}.${kind}`);

  it('cancels an active job, gives back its hold, and answers the job', async () => {
    await hold(jobItem(sample));
    expect(readResponse(await remove())).toMatchObject({
      statusCode: 200,
      body: { stage: 'CANCELED', terminal_stage: true, failed: false },
    });
    expect(await table.read(ended)).toMatchObject({ stage: 'CANCELED', terminal: true });
    expect(await table.read(held)).toMatchObject(quotaItem(sample));
    expect(await table.list('LEDGER#')).toMatchObject([{ kind: 'settle', seconds: heldSeconds }]);
    expect(table.writes()).toBe(1);
    expect(storage.calls).toEqual([input]);
  });

  it.each([
    ['cancel', ended],
    ['delete', jobItem(sample)],
  ])('with only=%s leaves a job that it does not fit', async (only, job) => {
    await hold(job);
    expect(readResponse(await remove(`only=${only}`))).toMatchObject({
      statusCode: 200,
      body: { stage: job.stage },
    });
    expect([table.writes(), storage.calls]).toEqual([0, []]);
  });

  it('refuses a wish that it does not know', async () => {
    expect((await remove('only=all')).statusCode).toBe(400);
  });

  // A request that was killed before it removed the files is repeated, and removes them. What a
  // cancelled job has written stays.
  it.each([
    { stage: 'CANCELED', gone: [input] },
    { stage: 'DELETED', gone: [input, ...written] },
  ])('leaves a job that is $stage as it is, and removes its files', async ({ stage, gone }) => {
    await hold({ ...ended, stage });
    const body = { ...jobBody(sample, { ended: true }), stage };
    expect(readResponse(await remove())).toEqual(answer(200, body));
    expect([table.writes(), storage.calls.sort()]).toEqual([0, gone]);
  });

  it('removes the copies that were made of its large files, and their records', async () => {
    await hold({ ...ended, stage: 'DELETED' });
    const PK = `USER#${user}`;
    await table.hold(
      { PK, SK: 'RELAYS', type: 'relays', schema_version: 1, size: 5_000_007 },
      {
        ...{ PK, SK: `RELAY#${jobId}#large`, type: 'relay', schema_version: 1, owner: user },
        ...{ job_id: jobId, file_id: 'large', size: 5_000_000, due_at: '2019-02-10T23:21:51.000Z' },
      },
    );
    expect((await remove()).statusCode).toBe(200);
    expect(storage.calls).toContain(`DELETE /results-test/relay/${user}/${jobId}/large`);
    expect(await table.read({ PK, SK: `RELAY#${jobId}#large` })).toBeUndefined();
    expect(await table.read({ PK, SK: 'RELAYS' })).toMatchObject({ size: 7 });
  });

  it('answers 404 for a job that is not there, or is somebody else’s', async () => {
    await table.hold(jobItem(sample, { owner: otherUser }));
    expect(readResponse(await remove())).toEqual(jobNotFound);
  });
});

describe('delete-job with a mocked table', () => {
  const path = `/jobs/hpc_one/${hpcOne.project}/${hpcOne.jobId}/`;
  const remove = () => call(handler, { method: 'DELETE', path, headers: asUser() });
  /** The job as it is read first and afterwards. */
  function answerReads(job: object, next: object): void {
    let read = job;
    table.mock.on(QueryCommand).resolves({});
    table.mock.on(GetCommand).callsFake(({ Key: { SK } }) => {
      if (SK.startsWith('REQUEST#')) return { Item: jobRequestItem(hpcOne) };
      if (SK.startsWith('LIFE#')) return { Item: lifeItem(hpcOne) };
      const Item = read;
      read = next;
      return { Item };
    });
  }
  const ended = jobItem(hpcOne, { ended: true });

  it('ends the job, its life and its hold with one line, in one transaction', async () => {
    answerReads(jobItem(hpcOne), { ...ended, stage: 'CANCELED' });
    table.mock.on(TransactWriteCommand).resolves({});
    expect((await remove()).statusCode).toBe(200);
    const place = `hpc_one#${hpcOne.project}#${hpcOne.jobId}`;
    expect(
      sentCommands(table.mock).find(([name]) => name === 'TransactWriteCommand'),
    ).toMatchObject([
      'TransactWriteCommand',
      {
        TransactItems: [
          { Update: { Key: { SK: `JOB#${place}` } } },
          { Update: { Key: { SK: `LIFE#${place}` } } },
          { Update: { Key: { SK: `QUOTA#hpc_one#${hpcOne.project}` } } },
          { Put: { Item: { kind: 'settle', seconds: hpcOne.heldSeconds } } },
        ],
      },
    ]);
  });

  it('answers the ended job where its completion was first', async () => {
    answerReads(jobItem(hpcOne), ended);
    const refusal = canceled([conditionFailed(), passed, passed, passed]);
    table.mock.on(TransactWriteCommand).rejects(refusal);
    expect(readResponse(await remove())).toMatchObject({ body: { stage: hpcOne.doneStage } });
    expect(storage.calls).toEqual([]);
  });
});
