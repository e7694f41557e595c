import { execFile, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as v from 'valibot';

/** A request that is sent repeatedly. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer | undefined;
}

/**
 * An endpoint under load. Several requests come from several callers, to stay below the limits of
 * one.
 */
export interface Target {
  readonly name: string;
  readonly url: string;
  readonly requests: readonly HttpRequest[];
}

export interface Load {
  readonly folder: string;
  readonly connections: number;
  readonly seconds: number;
}

/** The result of a load test. It is valid only if `refused` and `broken` are 0. */
export type Measured = Readonly<ReturnType<typeof readReport>>;

const Report = v.object({
  requests: v.number(),
  microseconds: v.number(),
  p50: v.number(),
  p95: v.number(),
  p99: v.number(),
  /** Answers of 400 and above. */
  refused: v.number(),
  /** Connections that failed, and requests that were not answered in time. */
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

export function readReport(output: string) {
  const line = output.split('\n').find((each) => each.startsWith('{')) ?? '';
  const report = v.parse(v.pipe(v.string(), v.parseJson(), Report), line);
  const { requests, microseconds, p50, p95, p99, ...faults } = report;
  return {
    perSecond: requests / (microseconds / 1_000_000),
    p50Ms: p50 / 1000,
    p95Ms: p95 / 1000,
    p99Ms: p99 / 1000,
    ...faults,
  };
}

/** Writes the script that makes wrk send the requests in turn and print its report. */
export function writeScript(requests: readonly HttpRequest[]): string {
  return `local requests = {}
local turn = 0

function init()
${requests.map((request) => `  requests[#requests + 1] = ${formatRequest(request)}`).join('\n')}
end

function request()
  turn = turn % #requests + 1
  return requests[turn]
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '{"requests":%d,"microseconds":%d,"p50":%d,"p95":%d,"p99":%d,"refused":%d,"broken":%d}\\n',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(95), latency:percentile(99),
    errors.status, errors.connect + errors.read + errors.write + errors.timeout))
end
`;
}

/** Formats a request before the load starts, so that formatting is not measured. */
function formatRequest({ method, path, headers, body }: HttpRequest): string {
  const fields = Object.entries(headers).map(
    ([name, value]) => `[${quoteForLua(name)}] = ${quoteForLua(value)}`,
  );
  const content = body === undefined ? 'nil' : quoteForLua(body);
  return `wrk.format(${quoteForLua(method)}, ${quoteForLua(path)}, { ${fields.join(', ')} }, ${content})`;
}

/** Writes every byte except letters and digits as its number, so that a zip stays intact. */
export function quoteForLua(text: string | Buffer): string {
  const bytes = [...Buffer.from(text)];
  const quoted = bytes.map((byte) => {
    const sign = String.fromCharCode(byte);
    return /[A-Za-z0-9]/.test(sign) ? sign : `\\${String(byte).padStart(3, '0')}`;
  });
  return `"${quoted.join('')}"`;
}
