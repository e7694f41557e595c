import { GetCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { handler } from '../../functions/jobs/delete-job.ts';
import { asUser, call } from '../fixtures/call.ts';
import { answer, jobNotFound, readResponse } from '../fixtures/responses.ts';
import { jobBody, jobItem, systemSamples, user } from '../fixtures/samples.ts';
import {
  canceled,
  conditionFailed,
  mockTable,
  passed,
  sentCommands,
} from '../fixtures/table-mock.ts';

const table = mockTable();

beforeEach(() => {
  table.reset();
});

describe.each(systemSamples)('DELETE /jobs/{hpc}/{project_name}/{job_id}/ on $hpc', (sample) => {
  const path = `/jobs/${sample.hpc}/${sample.project}/${sample.jobId}/`;
  const remove = () => call(handler, { method: 'DELETE', path, headers: asUser() });
  const ended = jobItem(sample, { ended: true });

  it('cancels a living job, gives back its hold, and answers the job', async () => {
    table
      .on(GetCommand)
      .resolvesOnce({ Item: jobItem(sample) })
      .resolves({ Item: { ...ended, stage: 'CANCELED' } });
    table.on(TransactWriteCommand).resolves({});
    expect(readResponse(await remove())).toMatchObject({
      statusCode: 200,
      body: { stage: 'CANCELED', terminal_stage: true, failed: false },
    });
    const [, transaction] = sentCommands(table);
    expect(transaction).toMatchObject([
      'TransactWriteCommand',
      {
        TransactItems: [
          { Update: { ConditionExpression: 'terminal = :no' } },
          { Update: { Key: { PK: `USER#${user}`, SK: `QUOTA#${sample.hpc}#${sample.project}` } } },
          { Put: { Item: { kind: 'settle', seconds: sample.heldSeconds } } },
        ],
      },
    ]);
  });

  it.each(['CANCELED', 'DELETED'])('leaves a job that is %s as it is', async (stage) => {
    table.on(GetCommand).resolves({ Item: { ...ended, stage } });
    const body = { ...jobBody(sample, { ended: true }), stage };
    expect(readResponse(await remove())).toEqual(answer(200, body));
    expect(sentCommands(table)).toHaveLength(1);
  });

  it('answers the ended job where its completion was first', async () => {
    table
      .on(GetCommand)
      .resolvesOnce({ Item: jobItem(sample) })
      .resolves({ Item: ended });
    table.on(TransactWriteCommand).rejects(canceled([conditionFailed(), passed, passed]));
    expect(readResponse(await remove())).toMatchObject({
      statusCode: 200,
      body: { stage: sample.doneStage },
    });
  });

  it('answers 404 for a job that is not there, or is somebody else’s', async () => {
    table.on(GetCommand).resolves({});
    expect(readResponse(await remove())).toEqual(jobNotFound);
  });
});
