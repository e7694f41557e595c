import { GetCommand, QueryCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { handler } from '#functions/admin/delete-any-job.ts';
import { asAdministrator, call } from '../fixtures/call.ts';
import { answer, jobNotFound, readResponse } from '../fixtures/responses.ts';
import {
  administrator,
  jobBody,
  jobItem,
  lifeItem,
  otherUser,
  systemSamples,
} from '../fixtures/samples.ts';
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
  table.on(QueryCommand).resolves({ Items: [] });
  table.on(TransactWriteCommand).resolves({});
});

const owner = otherUser;
const reason = 'It runs wild.';

describe.each(systemSamples)(
  'DELETE /admin/jobs/{hpc}/{project_name}/{job_id}/ on $hpc',
  (sample) => {
    const path = `/admin/jobs/${sample.hpc}/${sample.project}/${sample.jobId}/`;
    const remove = (query = 'reason=It+runs+wild.', body?: string) =>
      call(handler, {
        method: 'DELETE',
        path,
        query,
        headers: { ...asAdministrator(), 'content-type': 'application/json' },
        ...(body !== undefined && { body: Buffer.from(body) }),
      });
    const living = jobItem(sample, { owner });
    const ended = jobItem(sample, { owner, ended: true });
    const cancelled = { ...ended, stage: 'CANCELED' };
    const request = {
      type: 'job-request',
      schema_version: 1,
      program: sample.program,
      nodes: 2,
      cores_per_node: 6,
      extras: {},
      input_file: sample.fileName,
      input_key: 'an/input.zip',
    };
    const inputRemoved = ['DELETE /inputs-test/an/input.zip'];
    const removed = [
      ...inputRemoved,
      `DELETE /results-test/${owner}/${sample.jobId}.output`,
      `DELETE /results-test/${owner}/${sample.jobId}.zip`,
    ];

    /** The job as it is read first and afterwards. */
    function hold(job: object, next: object = job): void {
      const { PK, SK, registry, registry_key } = lifeItem(sample, { owner });
      table.on(QueryCommand).resolves({});
      table
        .on(QueryCommand, { IndexName: 'registry' })
        .resolves({ Items: [{ PK, SK, registry, registry_key }] });
      let reads = 0;
      table.on(GetCommand).callsFake(({ Key }) => {
        expect(Key.PK).toBe(`USER#${owner}`);
        if (Key.SK.startsWith('LIFE#')) return { Item: lifeItem(sample, { owner }) };
        if (Key.SK.startsWith('REQUEST#')) return { Item: request };
        reads += 1;
        return { Item: reads === 1 ? job : next };
      });
    }

    it('ends the job, settles it and tells of it in one transaction; its input goes', async () => {
      hold(living, cancelled);
      const body = { ...jobBody(sample, { owner, ended: true }), stage: 'CANCELED' };
      expect(readResponse(await remove())).toEqual(answer(200, body));
      const [transaction] = table.commandCalls(TransactWriteCommand);
      const steps = transaction?.args[0].input.TransactItems ?? [];
      const actId = steps[4]?.Put?.Item?.act_id;
      expect(steps).toMatchObject([
        { Update: { Key: { SK: `JOB#${sample.hpc}#${sample.project}#${sample.jobId}` } } },
        {
          Update: {
            ExpressionAttributeValues: { ':reason': `Cancelled by an administrator: ${reason}` },
          },
        },
        { Update: { Key: { SK: `QUOTA#${sample.hpc}#${sample.project}` } } },
        {
          Put: {
            Item: {
              kind: 'settle',
              seconds: sample.heldSeconds,
              by: administrator,
              job_id: sample.jobId,
              act_id: actId,
            },
          },
        },
        {
          Put: {
            Item: {
              type: 'act',
              act_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
              kind: 'job-cancelled',
              by: administrator,
              reason,
              user: owner,
              hpc: sample.hpc,
              project_name: sample.project,
              job_id: sample.jobId,
              details: { stage: { before: sample.firstStage, after: 'CANCELED' } },
            },
          },
        },
      ]);
      expect(steps).toHaveLength(5);
      expect(storage.calls.sort()).toEqual(inputRemoved);
    });

    it('takes the reason as JSON too', async () => {
      hold(living, cancelled);
      expect((await remove('', JSON.stringify({ reason }))).statusCode).toBe(200);
    });

    it('deletes an ended job, gives its space back and tells of it; its files go', async () => {
      hold(ended, { ...ended, stage: 'DELETED' });
      const body = { ...jobBody(sample, { owner, ended: true }), stage: 'DELETED' };
      expect(readResponse(await remove())).toEqual(answer(200, body));
      const [transaction, ...others] = table.commandCalls(TransactWriteCommand);
      expect(others).toEqual([]);
      const steps = transaction?.args[0].input.TransactItems ?? [];
      const act = steps.at(-1)?.Put?.Item;
      expect(steps).toMatchObject([
        {
          Update: {
            Key: { SK: `JOB#${sample.hpc}#${sample.project}#${sample.jobId}` },
            ExpressionAttributeValues: { ':stage': 'DELETED', ':seen_stage': sample.doneStage },
          },
        },
        { Update: { Key: { SK: `QUOTA#${sample.hpc}#${sample.project}` } } },
        { Put: { Item: { kind: 'refund', by: administrator, act_id: act?.act_id } } },
        {
          Put: {
            Item: {
              type: 'act',
              kind: 'job-deleted',
              by: administrator,
              reason,
              user: owner,
              job_id: sample.jobId,
              details: { stage: { before: sample.doneStage, after: 'DELETED' } },
            },
          },
        },
      ]);
      expect(storage.calls.sort()).toEqual(removed);
    });

    it.each(['CANCELED', 'DELETED'])(
      'leaves a job that is %s, and removes what a killed request left',
      async (stage) => {
        hold({ ...ended, stage });
        const body = { ...jobBody(sample, { owner, ended: true }), stage };
        expect(readResponse(await remove())).toEqual(answer(200, body));
        expect(table.commandCalls(TransactWriteCommand)).toEqual([]);
        expect(storage.calls.sort()).toEqual(stage === 'DELETED' ? removed : inputRemoved);
      },
    );

    it('answers the ended job where its completion was first: its results stay', async () => {
      const refusal = canceled([conditionFailed(), passed, passed, passed, passed]);
      table.on(TransactWriteCommand).rejects(refusal);
      hold(living, ended);
      const body = jobBody(sample, { owner, ended: true });
      expect(readResponse(await remove())).toEqual(answer(200, body));
      expect(storage.calls).toEqual([]);
    });

    it('answers 404 for a job that nobody has', async () => {
      expect(readResponse(await remove())).toEqual(jobNotFound);
    });

    it.each(['', 'reason=', `reason=${'x'.repeat(501)}`, 'reason=a&reason=b', 'why=a'])(
      'answers 400 to ?%s, and reads nothing',
      async (query) => {
        expect((await remove(query)).statusCode).toBe(400);
        expect(sentCommands(table)).toEqual([]);
      },
    );
  },
);
