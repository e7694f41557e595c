import { execFile, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as v from 'valibot';
import type { Target } from './target.ts';
import { writeScript } from './write-script.ts';

export interface Load {
  readonly folder: string;
  readonly connections: number;
  readonly seconds: number;
}

/** What a load brought: only worth something where `refused` and `broken` are 0. */
export interface Measured {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
  /** Answers of 400 and above. */
  readonly refused: number;
  /** Connections that failed, and requests that were not answered in time. */
  readonly broken: number;
}

const Report = v.object({
  requests: v.number(),
  microseconds: v.number(),
  p50: v.number(),
  p95: v.number(),
  p99: v.number(),
  refused: v.number(),
  broken: v.number(),
});

const secondsForAnAnswer = 10;

export function expectWrk(): void {
  const { error } = spawnSync('wrk', ['--version']);
  if (error) throw new Error('wrk is not installed: apt-get install wrk');
}

export async function runWrk(target: Target, load: Load): Promise<Measured> {
  const script = join(load.folder, 'requests.lua');
  writeFileSync(script, writeScript(target.requests), { mode: 0o600 });
  const { stdout } = await promisify(execFile)(
    'wrk',
    [
      ...['--threads', '1', '--connections', String(load.connections)],
      ...['--duration', `${load.seconds}s`, '--timeout', `${secondsForAnAnswer}s`],
      ...['--script', script, target.url],
    ],
    { timeout: (load.seconds + 3 * secondsForAnAnswer) * 1000 },
  );
  return readReport(stdout);
}

export function readReport(output: string): Measured {
  const line = output.split('\n').find((each) => each.startsWith('{')) ?? '';
  const report = v.parse(v.pipe(v.string(), v.parseJson(), Report), line);
  return {
    perSecond: report.requests / (report.microseconds / 1_000_000),
    p50Ms: report.p50 / 1000,
    p95Ms: report.p95 / 1000,
    p99Ms: report.p99 / 1000,
    refused: report.refused,
    broken: report.broken,
  };
}
