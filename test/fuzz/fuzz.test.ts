import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import '../fixtures/captured-log.ts';
import { recordRun } from '../setup/record-run.ts';
import { describedApi } from './described-api.ts';
import { explain, type FuzzReport, runFuzz } from './run-fuzz.ts';
import { openWorld, type World } from './world.ts';

/** `npm run suite -- fuzz` sends many, `npm test` sends some. */
const isLong = process.env.FUZZ === '1';
const seed = Number(process.env.SEED ?? 20_261_117);
const requests = Number(process.env.REQUESTS ?? (isLong ? 200_000 : 300));
const longestMs = 45 * 60_000;

/**
 * The heap may breathe by so much between quarters of a run. A leak of a kilobyte each is 50 MB. In
 * a short run it still grows to what the service keeps, so only runs as long as the usual one count.
 * Those must also have got a good answer from every operation.
 */
const breathingBytes = 16_000_000;
const warmRequests = 50_000;

describe('seeded hostile requests over HTTP', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld({ runsJobs: isLong });
  });
  afterAll(() => world.close());

  it.runIf(!isLong)('break no rule', async () => {
    const plan = { seed, requests, lanes: 1, timesAnswers: false, socketsPerPack: 10 };
    const report = await runFuzz(world, plan);
    expectNoFindings(report);
    expect(report.sent).toBe(requests);
  });

  it.runIf(isLong)(
    'break no rule, and leave no memory behind',
    { timeout: 2 * longestMs },
    async () => {
      const start = Date.now();
      const heaps: number[] = [];
      const report = await runFuzz(world, {
        seed,
        requests,
        lanes: 4,
        timesAnswers: true,
        socketsPerPack: 4,
        deadline: start + longestMs,
        onFinding: (told) => process.stdout.write(`${told}\n`),
        async onProgress(report) {
          if (report.sent >= (requests * (heaps.length + 1)) / 4) heaps.push(measureHeap());
          if (report.sent % 2000 === 0) await world.tend();
          if (report.sent % 5000 === 0) process.stdout.write(`${tell(report, start)}\n`);
        },
      });
      for (const stall of report.stalls.slice(0, 20)) process.stdout.write(`slow once: ${stall}\n`);
      const unserved = describedApi.operations.filter(({ id }) => !report.served.has(id));
      process.stdout.write(
        `${tell(report, start)}\nheap after each quarter, in MB: ${heaps.map(inMegabytes).join(', ')}\n` +
          `never served: ${unserved.map(({ id }) => id).join(', ') || 'none'}\n`,
      );
      expectNoFindings(report);
      expect(report.sent).toBe(requests);
      const [first = 0, ...others] = heaps;
      if (requests / 4 >= warmRequests) {
        expect(unserved.map(({ id }) => id)).toEqual([]);
        expect(Math.max(...others) - first).toBeLessThan(breathingBytes);
      }
      recordRun({
        suite: 'fuzz',
        tried: [
          { unit: 'requests', tried: report.sent, survived: report.sent },
          { unit: 'raw sockets', tried: report.sockets, survived: report.sockets },
        ],
        seconds: Math.round((Date.now() - start) / 1000),
        figures: [
          `seed ${seed}`,
          `slowest answer ${(report.slowestMs / 1000).toFixed(2)} s`,
          `heap after each quarter ${heaps.map(inMegabytes).join(', ')} MB`,
        ],
      });
    },
  );
});

function expectNoFindings({ findings, socketFindings }: FuzzReport): void {
  const told = findings.map((finding) => explain(seed, finding));
  expect([...told, ...socketFindings].join('\n\n')).toBe('');
}

function tell(report: FuzzReport, start: number): string {
  const seconds = (Date.now() - start) / 1000;
  const statuses = [...report.statuses].sort(([a], [b]) => a - b);
  return [
    `${report.sent} requests, ${Math.round(report.sent / seconds)} a second`,
    `${report.sockets} raw sockets`,
    `slowest ${Math.round(report.slowestMs)} ms, ${report.stalls.length} stalls, ${report.busy} busy`,
    statuses.map(([status, count]) => `${status}: ${count}`).join(' '),
    `${report.findings.length + report.socketFindings.length} findings`,
  ].join('; ');
}

function measureHeap(): number {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}

function inMegabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}
