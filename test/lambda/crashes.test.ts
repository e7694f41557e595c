import { afterEach, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { judgeAccount } from '#lib/accounts/judge-account.ts';
import { userId } from '#test/fixtures/names.ts';
import { hpcOne } from '#test/fixtures/samples.ts';
import { exampleEvent } from './deployed/example-event.ts';
import { openScene, type Scene } from './deployed/open-scene.ts';
import { type GateCall, neverAnswer } from './deployed/table-gate.ts';
import type { LambdaFunction, Report } from './platform/open-function.ts';

const prepared = inject('lambda') ?? { runtime: '', functions: [] };

function submissionBy(user: string) {
  const { headers, ...rest } = exampleEvent('submit-job', { names: { user_id: user } });
  return { ...rest, headers: { ...Object(headers), 'idempotency-key': 'a-key' } };
}

function bodyOf(report: Report) {
  expect(report).toHaveProperty('answer.body');
  return JSON.parse(Object(Object(report).answer).body);
}

function killProcessOf(lambda: LambdaFunction): void {
  process.kill(lambda.sandbox()?.pid ?? Number.NaN, 'SIGKILL');
}

describe.skipIf(prepared.runtime === '')('a process that is killed', () => {
  let scene: Scene;
  beforeEach(async () => {
    scene = await openScene(prepared);
  });
  afterEach(() => scene.close());

  it('between two events is not missed: another answers', async () => {
    const lambda = scene.open('read-quotas');
    const first = await lambda.invoke(exampleEvent('read-quotas'));
    expect(first).toMatchObject({ answer: { statusCode: 200 } });
    killProcessOf(lambda);
    await vi.waitUntil(() => lambda.sandbox() === undefined, { timeout: 120_000 });
    const second = await lambda.invoke(exampleEvent('read-quotas'));
    expect(second).toMatchObject({ answer: { statusCode: 200 }, initMs: expect.any(Number) });
    expect(second.pid).not.toBe(first.pid);
    expect(bodyOf(second)).toEqual(bodyOf(first));
  });

  async function stateOf(user: string): Promise<string> {
    const { hpc, project } = hpcOne;
    return (await judgeAccount(scene.table, { user: userId(user), hpc, project })).state;
  }

  /** The calls of a first submission, in their order: each is a moment to be killed in. */
  async function listCalls(): Promise<GateCall[]> {
    const calls: GateCall[] = [];
    scene.gate.keepBy((call, way) => {
      if (way === 'there') calls.push(call);
    });
    const lambda = scene.open('submit-job');
    expect(await lambda.invoke(submissionBy('100'))).toMatchObject({ answer: { statusCode: 201 } });
    return calls;
  }

  it('anywhere in a submission leaves exact accounts, and its repetition makes one job', async () => {
    const calls = await listCalls();
    expect(calls.map(({ operation }) => operation)).toContain('TransactWriteItems');
    const moments = calls.flatMap(({ number }) => [
      { number, way: 'there', user: `${number + 1}01` },
      { number, way: 'back', user: `${number + 1}02` },
    ]);
    const reading = scene.open('read-jobs');
    for (const { number, way, user } of moments) {
      // A new process makes all of these calls, one that has answered before does not read the steps.
      const submitting = scene.open('submit-job');
      scene.gate.keepBy((call, at) => {
        if (call.number !== number || at !== way) return undefined;
        killProcessOf(submitting);
        return neverAnswer();
      });
      const killed = await submitting.invoke(submissionBy(user));
      expect(killed).toMatchObject({
        error: {
          errorType: 'Runtime.ExitError',
          errorMessage: `RequestId: ${killed.requestId} Error: Runtime exited with error: signal: killed`,
        },
      });
      expect(['absent', 'sound']).toContain(await stateOf(user));
      scene.gate.keepBy(() => undefined);
      const repeated = await submitting.invoke(submissionBy(user));
      expect(repeated).toMatchObject({ answer: { statusCode: 201 } });
      expect(repeated.pid).not.toBe(killed.pid);
      expect(await stateOf(user)).toBe('sound');
      const list = await reading.invoke(exampleEvent('read-jobs', { names: { user_id: user } }));
      expect(bodyOf(list)).toMatchObject([{ job_id: bodyOf(repeated).job_id }]);
    }
  });
});
