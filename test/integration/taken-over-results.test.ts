import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { inflateRawSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { judgeAccount } from '#lib/accounts/judge-account.ts';
import { resultsKey } from '#lib/files/object-keys.ts';
import type { Connector } from '#lib/hpc/connector.ts';
import { attendEnd, sweepWaiting } from '#lib/jobs/chains/attend-waiting.ts';
import type { WaitingContext } from '#lib/jobs/chains/prepare-input.ts';
import type { AwaitedId } from '#lib/jobs/chains/waits.ts';
import { accountOf, type Job } from '#lib/jobs/job.ts';
import { readRequest } from '#lib/jobs/job-request.ts';
import { findJob } from '#lib/jobs/job-store.ts';
import { findLife } from '#lib/jobs/life/job-life-store.ts';
import { readTimeline } from '#lib/jobs/read/read-timeline.ts';
import type { Submission } from '#lib/jobs/submit/submission.ts';
import { inspectZip } from '#lib/zips/inspect-zip.ts';
import { listParts } from '#lib/zips/list-parts.ts';
import { tableForEach } from '../engines/use-table.ts';
import { createBatchWorld } from '../fixtures/batch-world.ts';
import { buildZip } from '../fixtures/build-zip.ts';
import { catalog } from '../fixtures/catalog.ts';
import { createWorld } from '../fixtures/life.ts';
import { systemName, userId } from '../fixtures/names.ts';
import { slurm } from '../model/job-steps.ts';
import { openNsg } from '../unit/hpc/nsg/open-nsg.ts';
import { openUnicore } from '../unit/hpc/unicore/open-unicore.ts';

const owner = userId('42');

const table = tableForEach();
let one: ReturnType<typeof createWorld>;
let two: ReturnType<typeof createWorld>;
const closing: (() => unknown)[] = [];
beforeEach(() => {
  two = createWorld(table, systemName('hpc_two'));
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** Opens hpc_one with another connector. */
function openFirst(connector: Connector): void {
  one = createWorld(table, systemName('hpc_one'), () => connector);
}

function contextOf(change: Partial<WaitingContext> = {}): WaitingContext {
  const { files } = two;
  const connect: WaitingContext['connect'] = async () => one.connector;
  return { table, catalog, files, connect, now: () => two.now(), ...change };
}

const submitFirst = (program: string, extras = {}) =>
  one.submit(owner, {
    program,
    extras,
    input: { fileName: 'in.zip', source: { kind: 'inline', content: buildZip([]), sha256: '' } },
  });

function submitSecond(
  { jobId: from }: { readonly jobId: AwaitedId },
  change: Partial<Submission> = {},
): Promise<Job> {
  return two.submit(owner, {
    input: { fileName: '', source: { kind: 'none' } },
    waits: { after: [], afterAny: [], input: { from, folder: 'before' } },
    ...change,
  });
}

/** Hands the first job over, and returns the name that its system has given it. */
async function handOver(job: Job): Promise<string> {
  one.pass(1);
  await one.sweep();
  const { handle } = await findLife(table, accountOf(job), job.jobId);
  expect(handle).toBeDefined();
  return handle ?? '';
}

/** Lets the clock find the end of the first job. */
async function noticeEnd(job: Job): Promise<void> {
  for (let checks = 0; checks < 20; checks += 1) {
    one.pass(120);
    two.pass(120);
    await one.sweep();
    if ((await findJob(table, accountOf(job), job.jobId)).terminal) return;
  }
  throw new Error('The first job has not ended.');
}

/** Reads the input of a job: each file with its content. */
async function readInput(job: Job): Promise<Record<string, Buffer>> {
  const { input } = (await readRequest(table, job)) ?? {};
  const { key = '', bytes = 0 } = input ?? {};
  await inspectZip(two.files.inputs.objects.get(key) ?? new Uint8Array());
  const found: Record<string, Buffer> = {};
  for (const part of await listParts(two.files.inputs, key, bytes)) {
    const packed = await buffer(part.open());
    found[part.name] = part.isDeflated ? inflateRawSync(packed) : packed;
  }
  return found;
}

async function expectTakenOver(second: Job): Promise<void> {
  expect(await findLife(table, accountOf(second), second.jobId)).toMatchObject({
    waiting: false,
    released: true,
  });
  const { hold } = await findJob(table, accountOf(second), second.jobId);
  expect(hold.kilobytes).toBeGreaterThan(0);
  expect(await judgeAccount(table, accountOf(second))).toEqual({ state: 'sound' });
}

describe('the results that a system keeps', () => {
  it('are taken over from UNICORE, with their folders', async () => {
    const { server, connector } = await openUnicore();
    closing.push(() => server.close());
    openFirst(connector);
    const first = await submitFirst('./prepare');
    const second = await submitSecond(first);
    const remote = server.jobs.get(await handOver(first))!;
    const large = randomBytes(3_000_000);
    const write = (path: string, content: string | Buffer) =>
      server.batch.write(remote, `job/${path}`, content);
    write('stdout', 'prepared\n');
    write('out/deep/answer.txt', '42\n');
    write('out/über dir/field 1.bin', large);
    write('empty.txt', '');
    remote.status = 'SUCCESSFUL';
    await noticeEnd(first);
    await attendEnd(contextOf(), owner, first.jobId);
    await expectTakenOver(second);
    const input = await readInput(second);
    expect(Object.keys(input).sort()).toEqual([
      'before/empty.txt',
      'before/out/deep/answer.txt',
      'before/out/über dir/field 1.bin',
      'before/stdout',
    ]);
    expect(String(input['before/out/deep/answer.txt'])).toBe('42\n');
    expect(input['before/out/über dir/field 1.bin']?.equals(large)).toBe(true);
  });

  it('are taken over from NSG, and tried again after an outage', async () => {
    const { server, connector } = await openNsg();
    closing.push(() => server.close());
    openFirst(connector);
    const first = await submitFirst('PY_EXPANSE', { init_file: 'run.py' });
    const second = await submitSecond(first);
    const remote = server.jobs.get(await handOver(first))!;
    remote.output.set(1, { name: 'STDOUT', text: 'done' });
    remote.output.set(2, { name: 'output.tar.gz', text: 'packed' });
    Object.assign(remote, { stage: 'COMPLETED', terminal: true });
    await noticeEnd(first);
    server.password = 'another';
    await attendEnd(contextOf(), owner, first.jobId);
    const { reason } = (await readTimeline(table, accountOf(second), second.jobId)).life;
    expect(reason).toBe(
      `The results of ${first.jobId} on hpc_one cannot be reached right now. It will be tried again.`,
    );
    server.password = 'right';
    two.pass(61);
    expect(await sweepWaiting(contextOf())).toEqual([]);
    await expectTakenOver(second);
    const input = await readInput(second);
    expect(String(input['before/STDOUT'])).toBe('done');
    expect(String(input['before/output.tar.gz'])).toBe('packed');
  });
});

describe('the results of a batch that a system keeps', () => {
  /** Submits two jobs as a batch, and returns the names that their system has given them. */
  async function handOverTwo(program: string) {
    const sweeps = createBatchWorld(table, one);
    const source = { kind: 'inline', content: buildZip([]), sha256: '' } as const;
    const input = { fileName: 'in.zip', source };
    const batch = await sweeps.submit(owner, { program, input, shape: { count: 2 } });
    await sweeps.attend(batch);
    const jobs = await sweeps.listJobs(batch);
    const second = await submitSecond({ jobId: batch.id });
    const handles: string[] = [];
    for (const job of jobs) handles.push(await handOver(job));
    return { batch, jobs, second, handles };
  }

  it('are taken over from UNICORE', async () => {
    const { server, connector } = await openUnicore();
    closing.push(() => server.close());
    openFirst(connector);
    const { batch, jobs, second, handles } = await handOverTwo('./prepare {index}');
    for (const [index, handle] of handles.entries()) {
      const remote = server.jobs.get(handle)!;
      server.batch.write(remote, 'job/out/answer.txt', `${index}`);
      remote.status = 'SUCCESSFUL';
    }
    for (const job of jobs) await noticeEnd(job);
    await attendEnd(contextOf(), owner, batch.id);
    await expectTakenOver(second);
    const input = await readInput(second);
    for (const index of [0, 1]) {
      expect(String(input[`before/${index}/out/answer.txt`])).toBe(`${index}`);
    }
  });

  it('are taken over from NSG, and tried again after an outage', async () => {
    const { server, connector } = await openNsg();
    closing.push(() => server.close());
    openFirst(connector);
    const { batch, jobs, second, handles } = await handOverTwo('PY_EXPANSE');
    for (const [index, handle] of handles.entries()) {
      const remote = server.jobs.get(handle)!;
      remote.output.set(1, { name: 'STDOUT', text: `${index}` });
      Object.assign(remote, { stage: 'COMPLETED', terminal: true });
    }
    for (const job of jobs) await noticeEnd(job);
    server.password = 'another';
    await attendEnd(contextOf(), owner, batch.id);
    expect(await findLife(table, accountOf(second), second.jobId)).toMatchObject({
      waiting: true,
      takeOvers: 0,
    });
    server.password = 'right';
    two.pass(61);
    expect(await sweepWaiting(contextOf())).toEqual([]);
    await expectTakenOver(second);
    const input = await readInput(second);
    expect([0, 1].map((index) => String(input[`before/${index}/STDOUT`]))).toEqual(['0', '1']);
  });
});

describe('the results that a job on Slurm has sent', () => {
  it('are taken over from the storage, without a call of the system', async () => {
    one = createWorld(table, systemName('hpc_one'));
    const first = await one.submit(owner);
    const second = await submitSecond(first);
    const before = one.now().getTime();
    await one.runToEnd(first);
    two.pass((one.now().getTime() - before) / 1000);
    const sent = buildZip([
      { name: 'slurm.out', content: 'prepared' },
      { name: 'out/answer.txt', content: '42' },
    ]);
    await two.files.results.put(resultsKey({ owner, jobId: first.jobId, run: 1 }), sent);
    const systems = catalog.systems.map((system) => ({ ...system, connector: slurm }));
    const connect = () => Promise.reject(new Error('No system is asked.'));
    await attendEnd(contextOf({ catalog: { ...catalog, systems }, connect }), owner, first.jobId);
    await expectTakenOver(second);
    const input = await readInput(second);
    expect(Object.keys(input).sort()).toEqual(['before/out/answer.txt', 'before/slurm.out']);
    expect(String(input['before/out/answer.txt'])).toBe('42');
  });
});
