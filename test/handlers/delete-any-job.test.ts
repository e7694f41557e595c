import { QueryCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { handler } from '#functions/admin/delete-any-job.ts';
import { asAdministrator, call } from '../fixtures/call.ts';
import { useTable } from '../fixtures/engine-table.ts';
import { answer, jobNotFound, readResponse } from '../fixtures/responses.ts';
import {
  administrator,
  jobBody,
  jobItem,
  jobRequestItem,
  lifeItem,
  otherUser,
  quotaItem,
  systemSamples,
} from '../fixtures/samples.ts';
import { mockStorage } from '../fixtures/storage-mock.ts';
import { sentCommands } from '../fixtures/table-mock.ts';

const table = useTable();
const storage = mockStorage();
beforeEach(() => storage.reset());

const owner = otherUser;
const reason = 'It runs wild.';

describe.each(systemSamples)('DELETE /admin/jobs/.../{job_id}/ on $hpc', (sample) => {
  const { hpc, project, jobId, heldSeconds } = sample;
  const remove = (query = 'reason=It+runs+wild.', body?: string) =>
    call(handler, {
      method: 'DELETE',
      path: `/admin/jobs/${hpc}/${project}/${jobId}/`,
      query,
      headers: { ...asAdministrator(), 'content-type': 'application/json' },
      ...(body !== undefined && { body: Buffer.from(body) }),
    });
  const living = jobItem(sample, { owner });
  const ended = jobItem(sample, { owner, ended: true });
  const life = lifeItem(sample, { owner });
  const quota = quotaItem(sample, { user: owner });
  const hold = (job: typeof living, used: object) =>
    table.hold(job, life, jobRequestItem(sample, { owner }), { ...quota, ...used });
  const active = {
    time_left: 18_000_000 - heldSeconds,
    time_held: heldSeconds,
    space_left: 9_999_999,
    space_held: 1,
    living_jobs: 1,
  };
  const stored = { space_left: 9_999_999, space_held: 1 };
  const input = `DELETE /inputs-test/${owner}/${jobId}.zip`;
  const files = ['output', 'zip'].map((kind) => `DELETE /results-test/${owner}/${jobId}.${kind}`);

  it.each([
    {
      what: 'cancels an active job and settles it; its input goes',
      job: living,
      used: active,
      change: { before: sample.firstStage, after: 'CANCELED' },
      kind: 'job-cancelled',
      line: { kind: 'settle', seconds: heldSeconds },
      gone: [input],
    },
    {
      what: 'deletes an ended job and gives its space back; its files go',
      job: ended,
      used: stored,
      change: { before: sample.doneStage, after: 'DELETED' },
      kind: 'job-deleted',
      line: { kind: 'refund' },
      gone: [input, ...files],
    },
  ])('$what, and tells of it, at once', async ({ job, used, change, kind, line, gone }) => {
    await hold(job, used);
    const { end_date: _, ...body } = jobBody(sample, { owner, ended: true });
    expect(readResponse(await remove())).toMatchObject({
      statusCode: 200,
      body: { ...body, stage: change.after },
    });
    expect(await table.read(job)).toMatchObject({ stage: change.after });
    expect(await table.read(quota)).toMatchObject(quota);
    const [act, ...others] = await table.list('AUDIT#');
    const told = { kind, by: administrator, reason, user: owner, hpc, project_name: project };
    expect(others).toEqual([]);
    expect(act).toMatchObject({ ...told, job_id: jobId, details: { stage: change } });
    expect(act?.act_id).toMatch(/^[0-9a-f-]{36}$/);
    expect(await table.list('LEDGER#')).toMatchObject([
      { ...line, by: administrator, job_id: jobId, act_id: act?.act_id },
    ]);
    expect([table.writes(), storage.calls.sort()]).toEqual([1, gone]);
  });

  it('tells the owner why it was cancelled, whether the reason came as JSON or not', async () => {
    await hold(living, active);
    expect((await remove('', JSON.stringify({ reason }))).statusCode).toBe(200);
    const cancelled = `Cancelled by an administrator: ${reason}`;
    expect(await table.read(life)).toMatchObject({ reason: cancelled });
  });

  it.each([
    { stage: 'CANCELED', gone: [input] },
    { stage: 'DELETED', gone: [input, ...files] },
  ])('leaves a job that is $stage, and removes what a killed request left', async (done) => {
    await hold({ ...ended, stage: done.stage }, {});
    const body = { ...jobBody(sample, { owner, ended: true }), stage: done.stage };
    expect(readResponse(await remove())).toEqual(answer(200, body));
    expect([table.writes(), storage.calls.sort()]).toEqual([0, done.gone]);
  });

  it.each(['', 'reason=', `reason=${'x'.repeat(501)}`, 'reason=a&reason=b', 'why=a'])(
    'answers 400 to ?%s, and reads nothing',
    async (query) => {
      expect((await remove(query)).statusCode).toBe(400);
      expect(table.sent()).toEqual([]);
    },
  );

  it('with a mocked table: writes five steps in one transaction', async () => {
    await hold(living, active);
    table.mock.on(TransactWriteCommand).resolves({});
    expect((await remove()).statusCode).toBe(200);
    const sent = sentCommands(table.mock).filter(([name]) => name === 'TransactWriteCommand');
    expect(sent).toEqual([
      ['TransactWriteCommand', { TransactItems: expect.objectContaining({ length: 5 }) }],
    ]);
  });

  it('with a mocked table: answers 404 for a job that the registry does not know', async () => {
    table.mock.on(QueryCommand).resolves({ Items: [] });
    expect(readResponse(await remove())).toEqual(jobNotFound);
  });
});
