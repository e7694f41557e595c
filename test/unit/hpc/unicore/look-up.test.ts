import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SubmittedJob } from '#lib/hpc/connector.ts';
import { parseDate } from '#lib/hpc/unicore/observe-job.ts';
import { jobId, userId } from '#test/fixtures/names.ts';
import { type Bench, keepCredentials, openUnicore, order, tag } from './open-unicore.ts';

let bench: Bench;
beforeEach(async () => {
  bench = await openUnicore();
});
afterEach(() => bench.server.close());

async function submitSeveral(count: number): Promise<SubmittedJob[]> {
  const jobs: SubmittedJob[] = [];
  for (let number = 0; number < count; number += 1) {
    const id = jobId(`JOB-${number}`);
    const handle = await bench.connector.submit({ ...order, jobId: id });
    jobs.push({ jobId: id, owner: userId('42'), handle });
  }
  return jobs;
}

describe('lookUp', () => {
  it.each(['READY', 'STAGINGIN', 'QUEUED', 'RUNNING', 'STAGINGOUT'])(
    'passes %s on as it comes, by one call',
    async (status) => {
      const { job, remote } = await bench.submit();
      remote.status = status;
      const before = bench.server.requests.length;
      expect(await bench.connector.lookUp([job])).toEqual(
        new Map([[tag.jobId, { state: 'living', stage: status }]]),
      );
      expect(bench.server.requests.length - before).toBe(1);
    },
  );

  it('does not take the answer about another job for its own', async () => {
    const [mine, other] = await submitSeveral(2);
    const remote = bench.server.jobs.get(other!.handle);
    remote!.status = 'FAILED';
    // The answers of the two are mixed up.
    const wrong = { ...mine!, handle: other!.handle };
    await expect(bench.connector.lookUp([wrong])).rejects.toThrow('about another job');
    const seen = await bench.connector.lookUp([wrong, other!]);
    expect([...seen.keys()]).toEqual([other!.jobId]);
    remote!.status = 'RUNNING';
    await expect(bench.connector.cancel(wrong)).rejects.toThrow('about another job');
    await expect(bench.connector.listFiles(wrong)).rejects.toThrow('about another job');
    expect(remote!.status).toBe('RUNNING');
    // A server that has no tags is believed.
    remote!.properties = { tags: undefined };
    expect((await bench.connector.lookUp([wrong])).size).toBe(1);
  });

  it.each(['UNDEFINED', 'UNKNOWN', 'ABORTED', ''])('observes nothing in %j', async (status) => {
    const { job, remote } = await bench.submit();
    remote.status = status;
    expect(await bench.connector.lookUp([job])).toEqual(new Map());
  });

  it('does not know a job that the system does not know', async () => {
    const { connector } = bench;
    const lost = { ...tag, handle: 'gone' };
    expect(await connector.lookUp([lost])).toEqual(new Map([[tag.jobId, { state: 'unknown' }]]));
  });

  it('tells of the other jobs when one cannot be shown', async () => {
    const jobs = await submitSeveral(4);
    bench.server.failNext(new RegExp(jobs[1]!.handle), { status: 500 });
    bench.server.failNext(new RegExp(jobs[2]!.handle), { status: 200, body: '<html>' });
    const seen = await bench.connector.lookUp(jobs);
    expect([...seen.keys()].sort()).toEqual(['JOB-0', 'JOB-3']);
  });

  it('knows nothing yet about a job that the server cannot show yet, and waits with it', async () => {
    const jobs = await submitSeveral(3);
    const errorMessage =
      'Error getting resource state: eu.unicore.services.exceptions.ResourceUnknownException (no further message available)';
    const reply = { status: 500, body: JSON.stringify({ errorMessage, status: 500 }) };
    bench.server.failNext(new RegExp(jobs[0]!.handle), reply);
    expect([...(await bench.connector.lookUp(jobs)).keys()]).toEqual(['JOB-1', 'JOB-2']);
    const busy = { name: 'SystemBusyError', retryAfterSeconds: 2 };
    bench.server.failNext(/jobs\/./, reply);
    await expect(bench.connector.cancel(jobs[0]!)).rejects.toMatchObject(busy);
    bench.server.failNext(/GET .*jobs\/./, reply);
    await expect(bench.connector.submit(order)).rejects.toMatchObject(busy);
  });

  it('gives up on a system that fails throughout, and says so', async () => {
    const jobs = await submitSeveral(12);
    const before = bench.server.requests.length;
    bench.server.failNext(/^GET/, { status: 500 }, 99);
    await expect(bench.connector.lookUp(jobs)).rejects.toMatchObject({
      name: 'SystemUnavailableError',
    });
    expect(bench.server.requests.length - before).toBeLessThan(9);
  });

  it('stops at once when the system asks for patience', async () => {
    const jobs = await submitSeveral(12);
    const before = bench.server.requests.length;
    bench.server.failNext(/^GET/, { status: 429, headers: { 'Retry-After': '9' } }, 99);
    await expect(bench.connector.lookUp(jobs)).rejects.toMatchObject({ retryAfterSeconds: 9 });
    expect(bench.server.requests.length - before).toBeLessThan(6);
  });

  it('reads dates with and without the colon in their offset', () => {
    const noon = new Date('2024-10-17T10:00:00Z');
    expect(parseDate('2024-10-17T12:00:00+0200')).toEqual(noon);
    expect(parseDate('2024-10-17T04:30:00-0530')).toEqual(noon);
    expect(parseDate('2024-10-17T12:00:00+02:00')).toEqual(noon);
    expect(parseDate('yesterday')).toBeUndefined();
  });
});

describe('the end of a job', () => {
  const began = 1_767_600_000;

  /** Ends a job on the server, with a note and a record of the batch system. */
  async function end(
    status: string,
    given: { note?: string; details?: string; properties?: Record<string, unknown> } = {},
  ) {
    const { job, remote } = await bench.submit();
    if (given.note !== undefined) bench.server.batch.write(remote, 'slipway.runs', given.note);
    remote.status = status;
    remote.details = given.details ?? 'N/A';
    remote.properties = { batchSystemID: '7', ...given.properties };
    return (await bench.connector.lookUp([job])).get(tag.jobId);
  }

  const slurm = (state: string, runTime: string) =>
    `JobId=7 JobName=a\n   JobState=${state} Reason=None\n   RunTime=${runTime} TimeLimit=01:00:00`;
  const at = (seconds: number) => new Date((began + seconds) * 1000);

  it('is told by the note of the script, for two more calls', async () => {
    const { server } = bench;
    const note = `began 1 ${began}\nended 1 ${began + 130} 120 0 itself\n`;
    expect(await end('SUCCESSFUL', { note })).toEqual({
      state: 'ended',
      stage: 'SUCCESSFUL',
      failed: false,
      usedSeconds: 120,
      startedAt: at(10),
      endedAt: at(130),
    });
    expect(server.listCalls().slice(-3)).toEqual([
      expect.stringMatching(/^GET .*jobs\/\w+$/),
      expect.stringMatching(/^GET .*slipway\.runs$/),
      expect.stringMatching(/^GET .*details$/),
    ]);
  });

  it.each([
    { what: 'close to it: the note', batch: '00:02:30', used: 120 },
    { what: 'a little less, after a suspension: the figure', batch: '00:01:57', used: 117 },
    { what: 'much more: the figure', batch: '1-02:03:04', used: 93_784 },
    { what: 'much less: the figure', batch: '00:00:10', used: 10 },
    { what: 'not readable: the note', batch: 'N/A', used: 120 },
  ])('counts, with a figure of Slurm that is $what', async ({ batch, used }) => {
    const note = `began 1 ${began}\nended 1 ${began + 130} 120 0 itself\n`;
    const seen = await end('SUCCESSFUL', { note, details: slurm('COMPLETED', batch) });
    expect(seen).toMatchObject({ usedSeconds: used });
  });

  it.each([
    { what: 'the figure of Slurm', details: slurm('FAILED', '00:00:35'), main: '8', used: 35 },
    { what: 'that of UNICORE', details: 'N/A', main: '8', used: 8 },
  ])('counts a run that was killed by $what', async ({ details, main, used }) => {
    const properties = { consumedTime: { main, total: 'N/A' } };
    const seen = await end('FAILED', { note: `began 1 ${began}\n`, details, properties });
    expect(seen).toMatchObject({ usedSeconds: used, endedAt: at(used) });
  });

  it('counts a run that nobody else has a figure for until now', async () => {
    const now = Math.floor(Date.now() / 1000);
    const seen = await end('FAILED', { note: `began 1 ${now - 35}\n` });
    expect(seen).toMatchObject({ usedSeconds: expect.closeTo(35, -1) });
  });

  it('never counts nothing for a run that began', async () => {
    const note = `began 1 ${began}\nended 1 ${began} 0 0 itself\n`;
    expect(await end('SUCCESSFUL', { note })).toMatchObject({ usedSeconds: 1 });
  });

  it('counts nothing for a job that never reached its batch system', async () => {
    const properties = { batchSystemID: 'N/A', statusMessage: 'Job aborted.' };
    const seen = await end('FAILED', { properties });
    expect(seen).toMatchObject({ usedSeconds: 0 });
    expect(bench.server.listCalls().at(-1)).toMatch(/jobs\/\w+$/);
  });

  it('leaves it to the service to count what nobody counted', async () => {
    expect(await end('SUCCESSFUL')).toStrictEqual({
      state: 'ended',
      stage: 'SUCCESSFUL',
      failed: false,
    });
  });

  it('tells of the runs before, which were put back into the queue or lost', async () => {
    const note = [
      `began 1 ${began}`,
      `ended 1 ${began + 50} 45 143 stopped`,
      `began 2 ${began + 100}`,
      `began 3 ${began + 200}`,
      `ended 3 ${began + 230} 30 0 itself`,
    ];
    expect(await end('SUCCESSFUL', { note: note.join('\n') })).toMatchObject({
      run: 3,
      usedSeconds: 30,
      endedAt: at(230),
      earlierRuns: [
        { number: 1, seconds: 45, isLost: false, startedAt: at(0), endedAt: at(50) },
        { number: 2, seconds: 100, isLost: true, startedAt: at(100) },
      ],
    });
  });

  it('does not believe in runs that Slurm knows nothing of', async () => {
    const note = `began 1 ${began}\nbegan 2 ${began + 900}\nended 2 ${began + 901} 1 0 itself\n`;
    const details = `${slurm('COMPLETED', '00:15:01')} Restarts=0`;
    const seen = await end('SUCCESSFUL', { note, details });
    expect(seen).toMatchObject({ usedSeconds: 901 });
    expect(seen).not.toHaveProperty('earlierRuns');
    const restarted = await end('SUCCESSFUL', {
      note,
      details: `Restarts=1 ${slurm('COMPLETED', '00:00:02')}`,
    });
    expect(restarted).toMatchObject({ run: 2, earlierRuns: [{ number: 1, isLost: true }] });
  });

  it('adds up a run that began twice under one number', async () => {
    const first = `began 1 ${began}\nended 1 ${began + 50} 50 143 stopped\n`;
    const second = `began 1 ${began + 60}\nended 1 ${began + 80} 20 0 itself\n`;
    const seen = await end('SUCCESSFUL', { note: first + second });
    expect(seen).toMatchObject({ usedSeconds: 70, endedAt: at(80) });
    expect(seen).not.toHaveProperty('earlierRuns');
  });

  it.each([
    { what: 'an essay', note: 'began soon\nended 1 2 3\n'.repeat(3) },
    { what: 'an end without a beginning', note: `ended 1 ${began} 9 0 itself\n` },
    { what: 'a book', note: 'x'.repeat(200_000) },
  ])('does not believe $what in the place of the note', async ({ note }) => {
    const properties = { consumedTime: { main: '12' } };
    expect(await end('SUCCESSFUL', { note, properties })).toMatchObject({ usedSeconds: 12 });
  });

  it('is not told while the note cannot be read, which is no outage', async () => {
    const { job, remote } = await bench.submit();
    remote.status = 'SUCCESSFUL';
    bench.server.failNext(/slipway\.runs$/, 'lost call');
    expect(await bench.connector.lookUp([job])).toEqual(new Map());
  });

  it('is not told while an aborted job still runs', async () => {
    const note = `began 1 ${began}\n`;
    const properties = { statusMessage: 'Job aborted.' };
    for (const state of ['RUNNING', 'COMPLETING', 'SUSPENDED']) {
      const details = slurm(state, '00:01:00');
      const seen = await end('FAILED', { note, details, properties });
      expect(seen).toEqual({ state: 'living', stage: 'STAGINGOUT' });
      for (const each of bench.server.jobs.values()) bench.server.batch.remove(each);
    }
  });

  const exited = (code: number) => ({
    exitCode: String(code),
    statusMessage: `User application exited with non-zero exit code: <${code}>. More information might be available in the job's working directory '/var/unicore/jobs/x1/'`,
  });

  it.each([
    { properties: exited(3), reason: 'The command ended with exit code 3.' },
    { properties: { ...exited(3), exitCode: '' }, reason: 'The command ended with exit code 3.' },
    { properties: exited(245), reason: 'The job reached its time limit.' },
    {
      properties: exited(242),
      reason: 'The job ended with exit code 242: the input could not be unpacked.',
    },
    {
      properties: { statusMessage: 'Job aborted.' },
      reason: 'The job was aborted on the HPC system.',
    },
    {
      properties: {
        statusMessage:
          'Processing failed: eu.unicore.xnjs.ems.ExecutionException: Resource request <Nodes=99> is out of range. (Invalid resource request)',
      },
      reason:
        'UNICORE could not run the job: Resource request <Nodes=99> is out of range. (Invalid resource request)',
    },
    {
      properties: {
        statusMessage:
          "Processing failed: java.io.IOException: java.lang.Exception: Cannot write to '/var/spool/unicore/a-b.c'",
      },
      reason: 'UNICORE could not run the job: Cannot write to',
    },
    { properties: {}, reason: 'The job failed.' },
    {
      details: slurm('OUT_OF_MEMORY', '00:00:10'),
      properties: exited(137),
      reason: 'The job ran out of memory.',
    },
    { details: slurm('TIMEOUT', '00:00:10'), reason: 'The job reached its time limit.' },
    {
      note: `began 1 ${began}\nended 1 ${began + 9} 9 143 time\n`,
      details: slurm('CANCELLED', '00:00:10'),
      reason: 'The job reached its time limit.',
    },
    {
      note: `began 1 ${began}\n`,
      reason: 'The HPC system ended the job before its command ended.',
    },
  ])('has the reason: $reason', async ({ reason, ...given }) => {
    expect(await end('FAILED', given)).toMatchObject({ failed: true, reason });
  });

  it.each(['NODE_FAIL', 'PREEMPTED'])('by %s is a loss', async (state) => {
    const seen = await end('FAILED', { details: slurm(state, '00:00:10') });
    expect(seen).toMatchObject({ isLost: true, reason: expect.stringContaining(state) });
  });

  describe('that moves its own files', () => {
    beforeEach(async () => {
      bench.server.close();
      bench = await openUnicore(undefined, 5, { movesOwnFiles: true });
    });
    const note = `began 1 ${began}\nended 1 ${began + 20} 20 0 itself\n`;

    it('says where they are if they were not sent', async () => {
      const seen = await end('FAILED', { note, properties: exited(243) });
      const [handle] = bench.server.jobs.keys();
      expect(seen).toMatchObject({ leftIn: `UNICORE's job ${handle}`, usedSeconds: 20 });
      expect(seen).not.toHaveProperty('patienceSeconds');
    });

    it('may have waited for this service', async () => {
      const given = { note, details: slurm('FAILED', '00:06:00'), properties: exited(243) };
      expect(await end('FAILED', given)).toMatchObject({ usedSeconds: 360, patienceSeconds: 300 });
    });

    it('left nothing behind if its command failed', async () => {
      expect(await end('FAILED', { note, properties: exited(3) })).not.toHaveProperty('leftIn');
    });
  });

  it('is listed for a comparison, if it was lately and has our tag', async () => {
    const note = `began 1 ${began}\nended 1 ${began + 50} 50 143 stopped\nbegan 2 ${began + 60}\nended 2 ${began + 80} 20 0 itself\n`;
    await end('SUCCESSFUL', { note });
    await bench.connector.submit({ ...order, jobId: jobId('LIVING') });
    const { readAccounting } = bench.connector;
    expect(await readAccounting?.(at(0))).toEqual([
      {
        name: tag.jobId,
        handle: [...bench.server.jobs.keys()][0],
        endedAt: at(80),
        runs: [
          expect.objectContaining({ number: 1, seconds: 50, isLost: false }),
          expect.objectContaining({ number: 2, seconds: 20, isLost: false }),
        ],
      },
    ]);
    expect(await readAccounting?.(at(81))).toEqual([]);
  });
});

describe('checkHealth', () => {
  it('waits so long and no longer', async () => {
    bench.server.close();
    bench = await openUnicore(keepCredentials({ token: 'right' }), 0.05);
    bench.server.failNext(/GET/, 'silence');
    await expect(bench.connector.checkHealth()).rejects.toThrow('no answer within 0.05 s');
  });

  it.each([404, 500, 302])('throws at %d', async (status) => {
    bench.server.failNext(/GET/, { status });
    await expect(bench.connector.checkHealth()).rejects.toMatchObject({
      name: 'SystemUnavailableError',
    });
  });
});
