import { join } from 'node:path';
import * as v from 'valibot';
import { mapInParallel } from '#lib/concurrency/map-in-parallel.ts';
import { findDue } from '#lib/table/due-index.ts';
import { handOversOf, listShards } from '#lib/table/keys.ts';
import { tableName } from '#local/names.ts';
import { findFreePort } from '#test/engines/find-free-port.ts';
import { hpcOne } from '#test/fixtures/jobs.ts';
import { pollUntil } from '#test/slurm/poll-until.ts';
import { type Figure, formatTable, median } from './measure/figures.ts';
import { describeJob, startLaptopEdition, submitJobs } from './measure/laptop-edition.ts';
import { openTableAt } from './measure/open-table-at.ts';
import type { Part } from './measure/part.ts';
import { createTemporaryFolder } from './measure/processes.ts';

export const part: Part = {
  about: `Measures how much one party delays another, on the laptop edition over HTTP.

- The time from the 201 of a job on a healthy system to its end, while the other system works and
  while every call to it takes two seconds (SIM_FAULTS=hpc_one:slow). Both systems have jobs.
- The seconds from the last 201 of a burst until all of its jobs are handed over, to a system that
  takes 100 ms per call.
`,
  options: {
    jobs: { usual: 20, about: 'how many jobs on the healthy system are timed' },
    burst: { usual: 1000, about: 'how many are submitted at once' },
  },
  async measure({ count }) {
    const folder = createTemporaryFolder();
    const jobs = count('jobs');
    const alone = await measureHealthy(join(folder, 'well'), jobs, {});
    const slow = { SIM_FAULTS: 'hpc_one:slow' };
    const beside = await measureHealthy(join(folder, 'slow'), jobs, slow);
    const burst = await measureBurst(join(folder, 'burst'), count('burst'));
    const ratio = beside / alone;
    process.stdout.write(
      formatTable([
        ['submit to end on hpc_two, p50', 's'],
        ['hpc_one is well', alone.toFixed(2)],
        ['hpc_one is slow', `${beside.toFixed(2)} (${ratio.toFixed(2)} x)`],
        [`${count('burst')} jobs handed over, after the last 201`, burst.toFixed(1)],
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

const Job = v.object({ job_id: v.string(), terminal_stage: v.boolean() });

/** Returns the median seconds from the 201 of a job on hpc_two to its end. */
async function measureHealthy(
  folder: string,
  jobs: number,
  environment: Readonly<Record<string, string>>,
): Promise<number> {
  const edition = await startLaptopEdition(folder, environment);
  const submit = async (user: string, hpc: string, change = {}) =>
    v.parse(
      Job,
      await edition.call(user, `/jobs/${hpc}/`, { method: 'POST', headers: describeJob(change) }),
    );
  const timeOne = async (number: number): Promise<number> => {
    // Both systems get work at the same moment, as they would from many users.
    await mapInParallel(Array.from({ length: Math.ceil(otherJobs / jobs) }), 4, () =>
      submit('1001', 'hpc_one'),
    );
    const user = String(2000 + number);
    const job = await submit(user, 'hpc_two', { command: undefined, tool: 'PYTHON' });
    const began = performance.now();
    await pollUntil(`job ${job.job_id} ends`, patienceSeconds, async () => {
      const jobs = await edition.call(user, '/jobs/hpc_two/?limit=1&order=desc');
      const [latest] = v.parse(v.array(Job), jobs);
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
  await submitJobs(edition, '306328', count);
  const began = performance.now();
  await pollUntil('all jobs are handed over', burstPatienceSeconds, async () => {
    const waiting = await findDue(table, listShards(handOversOf(hpcOne.hpc)), everything, 1);
    return waiting.length === 0 ? true : undefined;
  });
  const seconds = (performance.now() - began) / 1000;
  table.client.destroy();
  await edition.stop();
  return seconds;
}
