import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { submitBatch } from '#lib/batches/submit-batch.ts';
import type { UserId } from '#lib/catalog/identifiers.ts';
import type { Job } from '#lib/jobs/job.ts';
import { endJob } from '#lib/jobs/life/end-job.ts';
import type { Submission } from '#lib/jobs/submit/submission.ts';
import { submitJob } from '#lib/jobs/submit/submit-job.ts';
import { grantQuota } from '#lib/quotas/grants/grant-quota.ts';
import { readQuota } from '#lib/quotas/quota-store.ts';
import type { Table } from '#lib/table/table.ts';
import { openInProcessTable } from '../engines/in-process.ts';
import type { OpenedTable } from '../engines/open-table-on.ts';
import { catalog } from '../fixtures/catalog.ts';
import { createMemoryFiles } from '../fixtures/memory-files.ts';
import { userId } from '../fixtures/names.ts';
import { recordRun } from '../setup/record-run.ts';
import { type Asked, accountOf, type Told } from './account.ts';
import { type Call, findOrder } from './find-order.ts';

/** `npm run test:linear` plays many more, and others each time. LINEAR_SEED plays the same again. */
const isLong = process.env.LINEAR === 'long';
const histories = Number(process.env.LINEAR_RUNS ?? (isLong ? 2_000 : 20));
const firstSeed = Number(process.env.LINEAR_SEED ?? (isLong ? Date.now() % 2 ** 31 : 20_261_117));
const clients = 5;
const callsOfClient = 12;
const hour = 3600;

const [system] = catalog.systems;
const [project] = system?.projects ?? [];
if (!system || !project) throw new Error('The catalog has no project.');
const { inputs } = createMemoryFiles();

let opened: OpenedTable;
beforeAll(async () => {
  opened = await openInProcessTable('slipway-linear');
});
afterAll(() => opened.close());

function submissionOf(owner: UserId, hours: number): Submission {
  return {
    owner,
    system: system!,
    project: project!,
    program: 'true',
    nodes: 1,
    coresPerNode: 1,
    joins: false,
    requestedRuntime: hours,
    title: '',
    extras: {},
    input: { fileName: '', source: { kind: 'none' } },
  };
}

/** The same seed chooses the same (mulberry32). */
function chooseBy(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** Plays clients side by side on one account, and writes down what they asked and were told. */
async function play(table: Table, seed: number): Promise<Call<Asked, Told>[]> {
  const choose = chooseBy(seed);
  const user = userId(String(100_000_000 + (seed % 800_000_000)));
  const account = { user, hpc: system!.name, project: project!.name };
  const order = { user, project: project!, by: '100001', reason: 'a history' };
  const grant = (mode: 'add' | 'set', seconds: number) =>
    grantQuota(table, catalog, {
      ...order,
      change: { amounts: { mode, seconds, kilobytes: mode === 'set' ? 10 : 0 } },
    });
  await grant('set', 10 * hour);
  const calls: Call<Asked, Told>[] = [];
  const active: Job[] = [];
  let clock = 0;
  const record = async (asked: Asked, ask: () => Promise<Told>): Promise<void> => {
    clock += 1;
    const invoked = clock;
    const told = await ask().catch((error: Error): Told => {
      if (!['QuotaExceededError', 'QuotaInUseError'].includes(error.name)) throw error;
      return 'refused';
    });
    clock += 1;
    calls.push({ asked, invoked, answer: { told, at: clock } });
  };
  const context = { table, catalog, inputs };

  const submitOne = async (hours: number) => {
    const asked: Asked = { act: 'submit', id: '', jobs: 1, seconds: hours * hour };
    await record(asked, async () => {
      active.push((await submitJob(context, submissionOf(user, hours))).job);
      return 'accepted';
    });
  };
  const submitMany = async (jobs: number) => {
    const submission = { ...submissionOf(user, 1), shape: { count: jobs }, maxRunning: undefined };
    await record({ act: 'submit', id: '', jobs, seconds: hour }, async () => {
      await submitBatch(context, submission);
      return 'accepted';
    });
  };
  const endOne = async (share: number) => {
    const job = active[choose(active.length + 1)];
    if (!job) return;
    const used = (job.hold.seconds * share) / 4;
    const asked: Asked = { act: 'end', id: job.jobId, held: job.hold.seconds, used };
    const ended = { stage: 'SUCCESSFUL', failed: false, endedAt: new Date() };
    const ranSeconds = (job.runtime * hour * share) / 4;
    await record(asked, async () => {
      const outcome = await endJob(table, job, { ...ended, ranSeconds }, new Date());
      return outcome === 'ended' ? 'accepted' : 'too late';
    });
  };
  const change = async (mode: 'add' | 'set', seconds: number) =>
    record({ act: 'grant', mode, seconds }, async () => {
      await grant(mode, seconds);
      return 'accepted';
    });
  const look = () =>
    record({ act: 'read' }, async () => {
      const quota = await readQuota(table, account);
      return { granted: quota!.time.granted, left: quota!.time.left };
    });

  const acts = [
    () => submitOne(1 + choose(3)),
    () => submitOne(1 + choose(3)),
    () => submitMany(2 + choose(3)),
    () => endOne(choose(5)),
    () => endOne(choose(5)),
    () => change('add', hour * (1 + choose(2))),
    () => change('set', hour * (8 + choose(6))),
    () => look(),
    () => look(),
  ];
  const runClient = async () => {
    for (let made = 0; made < callsOfClient; made += 1) await acts[choose(acts.length)]?.();
  };
  await Promise.all(Array.from({ length: clients }, runClient));
  return calls;
}

describe(`${histories} histories of ${clients} clients on one account`, () => {
  it('have an order in which everything happened one at a time', async () => {
    const began = performance.now();
    let made = 0;
    for (let history = 0; history < histories; history += 1) {
      const seed = firstSeed + history;
      const calls = await play(opened.table, seed);
      made += calls.length;
      const verdict = findOrder(calls, accountOf(10 * hour));
      if (!verdict.isLinear) {
        const unexplained = calls.filter((_, place) => !verdict.explained.includes(place));
        expect.fail(`seed ${seed} has no order: ${JSON.stringify(unexplained, null, 1)}`);
      }
    }
    process.stdout.write(`${made} calls in ${histories} histories, seed ${firstSeed}\n`);
    recordRun({
      suite: 'linear',
      tried: [
        { unit: 'concurrent calls put in order', tried: made, survived: made },
        { unit: 'histories', tried: histories, survived: histories },
      ],
      figures: [`${clients} clients on one account`, `seed ${firstSeed}`],
      seconds: (performance.now() - began) / 1000,
    });
  });
});
