import { GetCommand, QueryCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { handler } from '#functions/jobs/delete-job.ts';
import { asUser, call } from '../fixtures/call.ts';
import { answer, jobNotFound, readResponse } from '../fixtures/responses.ts';
import { jobBody, jobItem, lifeItem, systemSamples, user } from '../fixtures/samples.ts';
import { mockStorage } from '../fixtures/storage-mock.ts';
import {
  canceled,
  conditionFailed,
  mockTable,
  passed,
  sentCommands,
} from '../fixtures/table-mock.ts';

const table = mockTable();
const storage = mockStorage();

beforeEach(() => {
  table.reset();
  storage.reset();
  table.on(QueryCommand).resolves({});
});

describe.each(systemSamples)('DELETE /jobs/{hpc}/{project_name}/{job_id}/ on $hpc', (sample) => {
  const path = `/jobs/${sample.hpc}/${sample.project}/${sample.jobId}/`;
  const remove = () => call(handler, { method: 'DELETE', path, headers: asUser() });
  const ended = jobItem(sample, { ended: true });
  const request = {
    type: 'job-request',
    schema_version: 1,
    program: sample.program,
    nodes: 2,
    cores_per_node: 6,
    extras: {},
    input_file: sample.fileName,
    input_bytes: 22,
    input_sha256: '',
    input_key: 'an/input.zip',
  };
  /** What the table holds of the job, by the kind of item. */
  function hold(job: object, next: object = job): void {
    let reads = 0;
    table.on(GetCommand).callsFake(({ Key: { SK } }) => {
      if (SK.startsWith('LIFE#')) return { Item: lifeItem(sample) };
      if (SK.startsWith('REQUEST#')) return { Item: request };
      reads += 1;
      return { Item: reads === 1 ? job : next };
    });
  }

  it.each([
    ['cancel', ended],
    ['delete', jobItem(sample)],
  ])('with only=%s leaves a job that it does not fit', async (only, job) => {
    hold(job);
    const response = await call(handler, {
      method: 'DELETE',
      path,
      query: `only=${only}`,
      headers: asUser(),
    });
    expect(readResponse(response)).toMatchObject({
      statusCode: 200,
      body: { stage: job.stage },
    });
    expect(sentCommands(table).map(([name]) => name)).not.toContain('TransactWriteCommand');
  });

  it('refuses a wish that it does not know', async () => {
    hold(ended);
    const response = await call(handler, {
      method: 'DELETE',
      path,
      query: 'only=all',
      headers: asUser(),
    });
    expect(response.statusCode).toBe(400);
  });

  it('cancels an active job, gives back its hold, and answers the job', async () => {
    hold(jobItem(sample), { ...ended, stage: 'CANCELED' });
    table.on(TransactWriteCommand).resolves({});
    expect(readResponse(await remove())).toMatchObject({
      statusCode: 200,
      body: { stage: 'CANCELED', terminal_stage: true, failed: false },
    });
    const transaction = sentCommands(table).find(([name]) => name === 'TransactWriteCommand');
    expect(transaction).toMatchObject([
      'TransactWriteCommand',
      {
        TransactItems: [
          { Update: { Key: { SK: `JOB#${sample.hpc}#${sample.project}#${sample.jobId}` } } },
          { Update: { Key: { SK: `LIFE#${sample.hpc}#${sample.project}#${sample.jobId}` } } },
          { Update: { Key: { PK: `USER#${user}`, SK: `QUOTA#${sample.hpc}#${sample.project}` } } },
          { Put: { Item: { kind: 'settle', seconds: sample.heldSeconds } } },
        ],
      },
    ]);
  });

  it.each(['CANCELED', 'DELETED'])('leaves a job that is %s as it is', async (stage) => {
    hold({ ...ended, stage });
    const body = { ...jobBody(sample, { ended: true }), stage };
    expect(readResponse(await remove())).toEqual(answer(200, body));
    expect(sentCommands(table).map(([name]) => name)).toEqual([
      'GetCommand',
      'GetCommand',
      // Only what is deleted has no results any more, of any of its runs.
      ...(stage === 'DELETED' ? ['GetCommand'] : []),
      'QueryCommand',
    ]);
    // A request that was killed before it removed the files is repeated, and removes them. What a
    // cancelled job has written stays.
    const written = ['output', 'zip'].map(
      (kind) => `DELETE /results-test/${user}/${sample.jobId}.${kind}`,
    );
    expect(storage.calls.sort()).toEqual([
      'DELETE /inputs-test/an/input.zip',
      ...(stage === 'DELETED' ? written : []),
    ]);
  });

  it('removes the copies that were made of its large files, and their records', async () => {
    hold({ ...ended, stage: 'DELETED' });
    const due_at = '2019-02-10T23:21:51.000Z';
    const relay = { type: 'relay', schema_version: 1, owner: user, job_id: sample.jobId, due_at };
    table.on(QueryCommand).resolves({ Items: [{ ...relay, file_id: 'large', size: 5_000_000 }] });
    table.on(TransactWriteCommand).resolves({});
    expect((await remove()).statusCode).toBe(200);
    expect(storage.calls).toContain(`DELETE /results-test/relay/${user}/${sample.jobId}/large`);
    const [transaction] = table.commandCalls(TransactWriteCommand);
    expect(transaction?.args[0].input.TransactItems).toMatchObject([
      { Delete: { Key: { PK: `USER#${user}`, SK: `RELAY#${sample.jobId}#large` } } },
      {
        Update: {
          Key: { PK: `USER#${user}`, SK: 'RELAYS' },
          ExpressionAttributeValues: { ':added_size': -5_000_000 },
        },
      },
    ]);
  });

  it('answers the ended job where its completion was first', async () => {
    hold(jobItem(sample), ended);
    table.on(TransactWriteCommand).rejects(canceled([conditionFailed(), passed, passed, passed]));
    expect(readResponse(await remove())).toMatchObject({
      statusCode: 200,
      body: { stage: sample.doneStage },
    });
    expect(storage.calls).toEqual([]);
  });

  it('answers 404 for a job that is not there, or is somebody else’s', async () => {
    table.on(GetCommand).resolves({});
    expect(readResponse(await remove())).toEqual(jobNotFound);
  });
});
