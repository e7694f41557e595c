import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { catalog, findSystem } from '#lib/catalog/catalog.ts';
import type { SubmittedJob } from '#lib/hpc/connector.ts';
import { jobId, userId } from '#test/fixtures/names.ts';
import { refuse } from '#test/upstreams/nsg-server.ts';
import { type Bench, openNsg, tag } from './open-nsg.ts';

let bench: Bench;
beforeEach(async () => {
  bench = await openNsg();
});
afterEach(() => bench.server.close());

const message = (timestamp: string, text: string) => ({ timestamp, stage: 'SUBMITTED', text });

/** Jobs that the server has without having been told by HTTP. */
function plantJobs(count: number): SubmittedJob[] {
  return Array.from({ length: count }, (_, number) => {
    const id = jobId(`JOB-${number}`);
    const handle = `NGBW-JOB-PY_EXPANSE-${String(number).padStart(32, '0')}`;
    const job = { handle, user: 'demoapp.42', form: { 'metadata.clientJobId': id } };
    const living = { stage: 'SUBMITTED', terminal: false, failed: false, messages: [] };
    bench.server.jobs.set(handle, { ...job, ...living, output: new Map() });
    return { jobId: id, owner: userId('42'), handle };
  });
}

describe('lookUp of active jobs', () => {
  const { stages } = findSystem(catalog, 'hpc_two');

  it.each([
    { stage: 'NEW', shown: 'QUEUE' },
    { stage: 'READY', shown: 'QUEUE' },
    { stage: 'QUEUE', shown: 'QUEUE' },
    { stage: 'INPUTCHECK', shown: 'QUEUE' },
    { stage: 'COMMANDRENDERING', shown: 'COMMANDRENDERING' },
    { stage: 'INPUTSTAGING', shown: 'INPUTSTAGING' },
    { stage: 'SUBMITTING', shown: 'INPUTSTAGING' },
    { stage: 'SUBMITTED', shown: 'SUBMITTED' },
    { stage: 'LOAD_RESULTS', shown: 'LOAD_RESULTS' },
    { stage: 'COMPLETED', shown: 'LOAD_RESULTS' },
    { stage: 'SUBMIT', shown: 'INPUTSTAGING' },
    { stage: 'INITIALIZE', shown: 'QUEUE' },
    { stage: 'PROCESSING', shown: 'SUBMITTED' },
    { stage: 'ERR_LOAD_RESULTS', shown: 'LOAD_RESULTS' },
  ])('shows $stage as $shown, a word of the catalog', async ({ stage, shown }) => {
    const { job, remote } = await bench.submit();
    remote.stage = stage;
    remote.messages = [message('2026-01-05T09:00:01-08:00', 'in <line> & &amp;')];
    const seen = { state: 'living', stage: shown, reason: 'in <line> & &amp;' };
    expect(await bench.connector.lookUp([job])).toEqual(new Map([[tag.jobId, seen]]));
    expect(stages.living).toContain(shown);
  });

  it('observes nothing in a word that nobody knows', async () => {
    const { job, remote } = await bench.submit();
    remote.stage = 'DREAMING';
    expect(await bench.connector.lookUp([job])).toEqual(new Map());
  });

  it('asks for 1,000 in 20 calls', async () => {
    const jobs = plantJobs(1000);
    const seen = await bench.connector.lookUp(jobs);
    expect(seen.size).toBe(1000);
    expect(new Set([...seen.values()].map((each) => JSON.stringify(each))).size).toBe(1);
    expect(bench.server.requests).toHaveLength(20);
    expect(bench.connector).toMatchObject({ batchSize: 1000, pollFloorSeconds: 60 });
  });

  it('asks for nothing when there is nothing to ask for', async () => {
    expect(await bench.connector.lookUp([])).toEqual(new Map());
    expect(bench.server.requests).toEqual([]);
  });

  it('asks singly where one bad handle fails a call, and only there', async () => {
    const jobs = plantJobs(100);
    bench.server.jobs.delete(jobs[7]!.handle);
    const seen = await bench.connector.lookUp(jobs);
    expect(seen.get(jobId('JOB-7'))).toEqual({ state: 'unknown' });
    expect([...seen.values()].filter(({ state }) => state === 'living')).toHaveLength(99);
    expect(bench.server.requests).toHaveLength(2 + 50);
  });

  it('does not take the answer about another job for its own', async () => {
    const [mine, other] = plantJobs(2);
    const remote = bench.server.jobs.get(other!.handle);
    bench.server.jobs.set(mine!.handle, { ...remote!, terminal: true, failed: true });
    const gone = { ...mine!, jobId: jobId('GONE'), handle: 'gone' };
    const seen = await bench.connector.lookUp([mine!, other!, gone]);
    expect([...seen.keys()].toSorted()).toEqual(['GONE', other!.jobId]);
    expect(await bench.connector.lookUp([mine!])).toEqual(new Map());
    await expect(bench.connector.listFiles(mine!)).rejects.toThrow('about another job');
  });

  it.each([refuse(400, 7), refuse(500, 100)])('asks singly after $status', async (fault) => {
    const { job } = await bench.submit();
    bench.server.failNext(/job\/$/, fault);
    expect((await bench.connector.lookUp([job])).get(tag.jobId)).toMatchObject({ state: 'living' });
  });

  it.each([
    { fault: { status: 500 }, name: 'SystemUnavailableError' },
    { fault: { status: 404 }, name: 'SystemUnavailableError' },
    { fault: { status: 200, body: '<html></html>' }, name: 'SystemUnavailableError' },
    { fault: refuse(429, 103), name: 'SystemBusyError' },
  ])('concludes nothing from $fault', async ({ fault, name }) => {
    const { job } = await bench.submit();
    const before = bench.server.requests.length;
    bench.server.failNext(/job\/$/, fault);
    await expect(bench.connector.lookUp([job])).rejects.toMatchObject({ name });
    expect(bench.server.requests).toHaveLength(before + 1);
  });

  it('observes nothing of a job that a list leaves out or shows in part', async () => {
    const [one, two] = plantJobs(2);
    const part = `<jobstatus><jobHandle>${one!.handle}</jobHandle><jobStage>QUEUE</jobStage></jobstatus>`;
    const body = `<joblist><jobs>${part}</jobs></joblist>`;
    bench.server.failNext(/job\/$/, { status: 200, body });
    expect(await bench.connector.lookUp([one!, two!])).toEqual(new Map());
    for (const empty of ['<joblist/>', '<joblist><jobs/></joblist>']) {
      bench.server.failNext(/job\/$/, { status: 200, body: empty });
      expect(await bench.connector.lookUp([one!, two!])).toEqual(new Map());
    }
  });
});

describe('lookUp of a job that has ended', () => {
  const messages = [
    message('2026-01-05T09:00:01-08:00', 'first'),
    message('2026-01-05T09:30:00-08:00', 'last'),
  ];
  const endedAt = new Date('2026-01-05T17:30:00Z');
  // From the moment at which a cluster had it.
  const times = { startedAt: new Date('2026-01-05T17:00:01Z'), endedAt, usedSeconds: 1799 };

  it.each(['COMPLETED', 'SUBMITTED', 'DREAMING'])('goes by terminalStage at %s', async (stage) => {
    const { job, remote } = await bench.submit();
    Object.assign(remote, { stage, terminal: true, messages });
    const ended = { state: 'ended', stage: 'COMPLETED', failed: false, ...times };
    expect((await bench.connector.lookUp([job])).get(tag.jobId)).toStrictEqual(ended);
  });

  it.each([
    { stage: 'INPUTSTAGING', shown: 'INPUTSTAGING' },
    { stage: 'SUBMITTING', shown: 'INPUTSTAGING' },
    { stage: 'COMPLETED', shown: 'COMPLETED' },
    { stage: 'DREAMING', shown: 'COMPLETED' },
  ])('tells a failure at $stage, and why', async ({ stage, shown }) => {
    const { job, remote } = await bench.submit();
    Object.assign(remote, { stage, terminal: true, failed: true, messages });
    const ended = { state: 'ended', stage: shown, failed: true, reason: 'last', ...times };
    expect((await bench.connector.lookUp([job])).get(tag.jobId)).toStrictEqual(ended);
  });

  it('has used no time that a message tells if no cluster had it', async () => {
    const { job, remote } = await bench.submit();
    const early = messages.map((each) => ({ ...each, stage: 'QUEUE' }));
    Object.assign(remote, { stage: 'QUEUE', terminal: true, failed: true, messages: early });
    const seen = (await bench.connector.lookUp([job])).get(tag.jobId);
    expect(seen).toMatchObject({ failed: true, endedAt });
    expect(seen).not.toHaveProperty('usedSeconds');
  });

  it('has no time of the end where no message tells one', async () => {
    const { job, remote } = await bench.submit();
    Object.assign(remote, { terminal: true, messages: [message('soon', 'x')] });
    const ended = { state: 'ended', stage: 'COMPLETED', failed: false };
    expect((await bench.connector.lookUp([job])).get(tag.jobId)).toStrictEqual(ended);
  });
});
