import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openIssuer } from '#local/issuer.ts';
import { endOf, fillEnvironment } from '#tools/python/fill-environment.ts';
import { runTool } from '#tools/run-tool.ts';
import { startLaptopEdition } from '../../bench/measure/laptop-edition.ts';
import { userId } from '../fixtures/names.ts';
import { recordRun } from '../setup/record-run.ts';

const help = `Runs all checks of Schemathesis against the laptop edition, as a user and as an administrator.

  npm run suite -- schemathesis
  SEED=7 EXAMPLES=100 npm run suite -- schemathesis

  SEED      makes other requests (default 20261117)
  EXAMPLES  how many of each operation in a phase (default 10); histories take 6 seconds for each

It ends with 1 if a check fails. test/schemathesis/hooks.py lists what is allowed to.
`;

const environment = join(import.meta.dirname, '../../node_modules/.cache/schemathesis');
const packages = ['schemathesis==4.32.5'];
const seed = Number(process.env.SEED ?? 20_261_117);
const examples = Number(process.env.EXAMPLES ?? 10);
const longestSeconds = 30 * 60;

/**
 * Histories are bounded by time. Schemathesis gives a search up once a repeated request gets another
 * answer, which is usual for a service that remembers. With a time it then begins another search.
 */
const historySeconds = 6 * examples;
const parts = [
  ['--phases', 'examples,coverage,fuzzing', '--max-examples', String(examples)],
  ['--phases', 'stateful', '--max-time', String(historySeconds)],
] as const;

const callers = [
  { name: 'a user', user: '306328', administrator: false },
  { name: 'an administrator', user: '306329', administrator: true },
] as const;
type Caller = (typeof callers)[number];

/** What Schemathesis reports of a run. */
interface Report {
  readonly exit_code: number;
  readonly filtered: number;
  readonly operations: { readonly tested: number };
  readonly test_cases: { readonly generated: number; readonly with_failures: number };
}

await runTool(help, {}, async () => {
  const missing = await fillEnvironment({
    folder: environment,
    packages,
    probe: 'sortedcontainers==2.4.0',
  });
  if (missing !== undefined) {
    process.stdout.write(`Schemathesis did not run: ${missing}\n`);
    return 1;
  }
  const began = performance.now();
  const reports: Report[] = [];
  for (const caller of callers) reports.push(...(await tryCaller(caller)));
  const failed = reports.some(({ exit_code: code }) => code !== 0);
  const sum = (count: (report: Report) => number) =>
    reports.reduce((whole, report) => whole + count(report), 0);
  const tried = sum((report) => report.test_cases.generated);
  const broken = sum((report) => report.test_cases.with_failures);
  process.stdout.write(`${tried} requests, ${broken} with failures, seed ${seed}\n`);
  if (!failed) {
    recordRun({
      suite: 'schemathesis',
      tried: [{ unit: 'requests of Schemathesis', tried, survived: tried - broken }],
      figures: [
        `${reports[0]?.operations.tested} operations as ${callers.map(({ name }) => name).join(' and ')}`,
        `${sum(({ filtered }) => filtered)} refusals that OpenAPI cannot describe`,
        `seed ${seed}`,
      ],
      seconds: (performance.now() - began) / 1000,
    });
  }
  return failed ? 1 : 0;
});

/** Each caller has a service of its own, because an administrator may ban the user. */
async function tryCaller(caller: Caller): Promise<Report[]> {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-schemathesis-'));
  const service = await startLaptopEdition(folder, {
    SYSTEMS: 'simulated',
    SIM_HOUR_SECONDS: '0.5',
    LOG_LEVEL: 'SILENT',
  });
  try {
    process.stdout.write(`\nas ${caller.name}\n`);
    const token = openIssuer(join(folder, '.slipway')).issueToken({
      user: userId(caller.user),
      administrator: caller.administrator,
    });
    const reports: Report[] = [];
    for (const part of parts) {
      reports.push(await runSchemathesis(service.url, token, folder, part));
    }
    return reports;
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true });
  }
}

async function runSchemathesis(
  url: string,
  token: string,
  folder: string,
  part: readonly string[],
): Promise<Report> {
  const report = join(folder, 'report.json');
  const child = spawn(
    'env',
    [
      `SCHEMATHESIS_HOOKS=${join(import.meta.dirname, 'hooks.py')}`,
      'PYTHONDONTWRITEBYTECODE=1',
      join(environment, 'bin/schemathesis'),
      ...['--config-file', join(import.meta.dirname, 'schemathesis.toml')],
      ...['run', `${url}/openapi.json`],
      ...['--header', `Authorization: Bearer ${token}`],
      ...['--checks', 'all', '--continue-on-failure', '--no-color'],
      ...['--seed', String(seed), ...part],
      ...['--request-timeout', '60', '--generation-database', 'none'],
      ...['--report', 'json', '--report-json-path', report],
    ],
    { cwd: folder, timeout: longestSeconds * 1000, stdio: ['ignore', 'inherit', 'inherit'] },
  );
  const code = await endOf(child);
  if (code === null) throw new Error(`Schemathesis took longer than ${longestSeconds} seconds.`);
  return JSON.parse(readFileSync(report, 'utf8'));
}
