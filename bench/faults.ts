import { join } from 'node:path';
import * as v from 'valibot';
import { mapInParallel } from '#lib/concurrency/map-in-parallel.ts';
import { findDue } from '#lib/table/due-index.ts';
import { listHandOverShards } from '#lib/table/keys.ts';
import { tableName } from '#local/settings.ts';
import { findFreePort } from '#test/engines/find-free-port.ts';
import { hpcOne } from '#test/fixtures/jobs.ts';
import { pollUntil } from '#test/slurm/poll-until.ts';
import { type Figure, formatTable, median } from './measure/figures.ts';
import { startLaptopEdition, submitJobs } from './measure/laptop-edition.ts';
import { openTableAt } from './measure/open-table-at.ts';
import { type Part, readCount } from './measure/part.ts';
import { createTemporaryFolder } from './measure/processes.ts';

const help = `Measures how much one party delays another, on the laptop edition over HTTP.

- The time from the 201 of a job on a healthy system to its end, while the other system works and
  while every call to it takes two seconds (SIM_FAULTS=hpc_one:slow). Both systems have jobs.
- The seconds from the last 201 of a burst until all of its jobs are handed over, to a system that
  takes 100 ms per call.

  npm run -s bench:faults -- [--jobs 20] [--burst 1000] [--json FILE]

  --jobs          how many jobs on the healthy system are timed (default 20)
  --burst         how many are submitted at once (default 1000)
`;

export const part: Part = {
  help,
  options: { jobs: { type: 'string' }, burst: { type: 'string' } },
  async measure(options) {
    const folder = createTemporaryFolder();
    const jobs = readCount(options, 'jobs', 20);
    const alone = await measureHealthy(join(folder, 'well'), jobs, {});
    const slow = { SIM_FAULTS: 'hpc_one:slow' };
    const beside = await measureHealthy(join(folder, 'slow'), jobs, slow);
    const count = readCount(options, 'burst', 1000);
    const burst = await measureBurst(join(folder, 'burst'), count);
    const ratio = beside / alone;
    process.stdout.write(
      formatTable([
        ['submit to end on hpc_two, p50', 's'],
        ['hpc_one is well', alone.toFixed(2)],
        ['hpc_one is slow', `${beside.toFixed(2)} (${ratio.toFixed(2)} x)`],
        [`${count} jobs handed over, after the last 201`, burst.toFixed(1)],
      ]),
    );
    return [
      { name: 'faults.slow-system', value: ratio },
      { name: 'faults.burst', value: burst, unit: 's' },
    ] satisfies Figure[];
  },
};

const patienceSeconds = 300;
/** Jobs that run on the other system during the measurement. */
const otherJobs = 60;

const forms = {
  hpc_one: { command: 'python3 main.py', node_number: '1', core_number: '4', runtime: '0.01' },
  hpc_two: { tool: 'PYTHON', node_number: '1', core_number: '4', runtime: '0.01' },
};

const Job = v.object({ job_id: v.string(), terminal_stage: v.boolean() });

/** Returns the median seconds from the 201 of a job on hpc_two to its end. */
async function measureHealthy(
  folder: string,
  jobs: number,
  environment: Readonly<Record<string, string>>,
): Promise<number> {
  const edition = await startLaptopEdition(folder, environment);
  const submit = async (hpc: keyof typeof forms, user: string) => {
    const authorization = `Bearer ${edition.issuer.issueToken({ user })}`;
    const answer = await fetch(`${edition.url}/jobs/${hpc}/`, {
      method: 'POST',
      headers: {
        authorization,
        payload: JSON.stringify({ ...forms[hpc], title: 'a job title' }),
        'content-disposition': 'attachment; filename=job_file.zip',
      },
    });
    const text = await answer.text();
    if (answer.status !== 201) throw new Error(`A job was not accepted: ${text}`);
    return { authorization, job: v.parse(Job, JSON.parse(text)) };
  };
  const timeOne = async (number: number): Promise<number> => {
    // Both systems get work at the same moment, as they would from many users.
    await mapInParallel(Array.from({ length: Math.ceil(otherJobs / jobs) }), 4, () =>
      submit('hpc_one', '1001'),
    );
    const { authorization, job } = await submit('hpc_two', String(2000 + number));
    const began = performance.now();
    const url = `${edition.url}/jobs/hpc_two/?limit=1&order=desc`;
    await pollUntil(`job ${job.job_id} ends`, patienceSeconds, async () => {
      const answer = await fetch(url, { headers: { authorization } });
      const [latest] = v.parse(v.array(Job), JSON.parse(await answer.text()));
      return latest?.job_id === job.job_id && latest.terminal_stage ? true : undefined;
    });
    return (performance.now() - began) / 1000;
  };
  // The first contact and the first load are not measured.
  await timeOne(0);
  const times: number[] = [];
  for (let number = 1; number <= jobs; number += 1) times.push(await timeOne(number));
  await edition.stop();
  return median(times);
}

const burstPatienceSeconds = 600;
const callMs = 100;
/** Later than any retry. */
const everything = new Date('9999-01-01T00:00:00Z');

/** Returns the seconds from the last 201 until no job waits. */
async function measureBurst(folder: string, count: number): Promise<number> {
  const port = await findFreePort();
  const edition = await startLaptopEdition(folder, {
    SIM_FAULTS: `hpc_one:slow:${callMs}`,
    DYNAMODB_PORT: String(port),
  });
  const table = openTableAt(`http://127.0.0.1:${port}`, tableName);
  const authorization = `Bearer ${edition.issuer.issueToken({ user: '306328' })}`;
  await submitJobs(edition.url, authorization, count, () => undefined);
  const began = performance.now();
  await pollUntil('all jobs are handed over', burstPatienceSeconds, async () => {
    const waiting = await findDue(table, listHandOverShards(hpcOne.hpc), everything, 1);
    return waiting.length === 0 ? true : undefined;
  });
  const seconds = (performance.now() - began) / 1000;
  table.client.destroy();
  await edition.stop();
  return seconds;
}
