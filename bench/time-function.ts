import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { lambdaContext } from '#test/fixtures/api-event.ts';

/** Loads one bundle, calls it, and prints medians: cold start and processor time per request. */
const rounds = 300;
const warmUp = 100;
const [, , file = '', eventFile = ''] = process.argv;
const event: { requestContext: { http: { path: string } } } = JSON.parse(
  readFileSync(eventFile, 'utf8'),
);

const before = process.cpuUsage();
const { handler } = createRequire(import.meta.url)(file);
const coldStartMs = milliseconds(process.cpuUsage(before));

const times: number[] = [];
for (let round = 0; round < rounds + warmUp; round += 1) {
  const start = process.cpuUsage();
  const { statusCode, body } = await handler(event, lambdaContext);
  const spent = milliseconds(process.cpuUsage(start));
  if (statusCode >= 300) throw new Error(`${statusCode} ${body}`);
  if (round >= warmUp) times.push(spent);
}
times.sort((a, b) => a - b);
const median = times[Math.floor(times.length / 2)] ?? Number.NaN;
process.stdout.write(`cpu ${median.toFixed(2)} ms, cold start ${coldStartMs.toFixed(0)} ms\n`);
process.exit(0);

function milliseconds({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1000;
}
