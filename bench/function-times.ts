import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openTable } from '#lib/table/table.ts';
import { startService } from '#local/start-service.ts';
import { jobFixture, seedJobs } from '#test/fixtures/jobs.ts';
import { userId } from '#test/fixtures/names.ts';
import { buildBundles } from '#tools/bundles/build-bundles.ts';

/**
 * `npm run bench:functions`: the processor time of one request in the bundle that is deployed, and
 * of its cold start, each in a process of its own against the embedded table in this one. Compare
 * figures of one run with each other; those of another machine are another machine's.
 */
const user = userId('306328');
const cases = [
  { name: 'submission', bundle: 'submit-job', change: {} },
  { name: 'singleJob', bundle: 'read-jobs', change: { rawPath: pathOfFirstJob() } },
  { name: 'pageOf100Jobs', bundle: 'read-jobs', change: { rawQueryString: 'limit=100' } },
  { name: 'ownQuotas', bundle: 'read-quotas', change: {} },
];

const directory = mkdtempSync(join(tmpdir(), 'slipway-bench-'));
const service = await startService({ port: 0, dataDirectory: 'memory', stateDirectory: directory });
await seedJobs(openTable('slipway'), user, 1, 1000);
const bundles = await buildBundles(directory);
const token = service.issuer.issueToken({ user });
for (const { name, bundle, change } of cases) {
  const event = { ...readEvent(bundle), ...change };
  const eventFile = join(directory, `${name}.json`);
  writeFileSync(eventFile, JSON.stringify(event));
  const file = bundles.find((each) => each.name === bundle)?.file ?? '';
  const { stdout } = await promisify(execFile)(process.execPath, [
    join(import.meta.dirname, 'time-function.ts'),
    file,
    eventFile,
  ]);
  process.stdout.write(`${name.padEnd(16)}${stdout}`);
}
await service.close();
rmSync(directory, { recursive: true });
process.exit(0);

function readEvent(name: string): object {
  const text = readFileSync(join(import.meta.dirname, `../test/events/${name}.json`), 'utf8');
  return JSON.parse(text.replace('<TOKEN>', token));
}

function pathOfFirstJob(): string {
  const { project, jobId } = jobFixture(user, 1);
  return `/jobs/${project.hpc}/${project.name}/${jobId}/`;
}
