import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { explainMissingSandbox } from '#lib/hpc/machine/sandbox.ts';
import { pollUntil } from '#test/slurm/poll-until.ts';
import { measureStarts } from './machine/measure-starts.ts';
import { type Figure, formatTable } from './measure/figures.ts';
import { startLaptopEdition, submitJobs } from './measure/laptop-edition.ts';
import type { Part } from './measure/part.ts';
import { createTemporaryFolder, runChild } from './measure/processes.ts';

const about = `Measures how long jobs of one second take that really run on this machine, one core each, from
the first 201 to the last settlement, compared with xargs and as many processes at once. Also compares
what each job is charged with the time that its shepherd measured, and a job that starts in a sandbox
with one that does not.
`;

const patienceSeconds = 900;
const submitter = '306328';

const Systems = v.array(v.object({ machine: v.object({ cores: v.number(), limits: v.string() }) }));
const Quota = v.object({ usage: v.object({ living_jobs: v.number() }) });
const Sums = v.array(v.object({ job_id: v.string(), used: v.object({ time: v.number() }) }));
const Exit = v.object({ seconds: v.number(), code: v.nullable(v.number()) });

export const part: Part = {
  about,
  options: {
    jobs: { usual: 200, about: 'how many jobs run, 1 to 1000' },
    starts: { usual: 50, about: 'how many jobs are started in a sandbox and without one' },
  },
  async measure({ count }) {
    const jobs = count('jobs');
    if (jobs > 1000) throw new Error('--jobs must be at most 1000: one caller may have no more.');
    const fault = await explainMissingSandbox();
    if (fault !== undefined) throw new Error(`There is no sandbox here: ${fault}.`);
    const { open, sandboxed } = await measureStarts(count('starts'));
    const folder = createTemporaryFolder();
    const edition = await startLaptopEdition(folder, { SYSTEMS: 'machine' });
    const [system] = v.parse(Systems, await edition.call(submitter, '/hpc/'));
    if (!system) throw new Error('The laptop edition has no system.');
    const { cores, limits } = system.machine;
    const compared = await measureXargs(jobs, cores);
    let began = Number.NaN;
    const onFirst = () => {
      began = performance.now();
    };
    await submitJobs(edition, submitter, jobs, onFirst, { command: 'sleep 1', core_number: '1' });
    await pollUntil('all jobs are settled', patienceSeconds, async () => {
      const quota = await edition.call(submitter, '/quotas/hpc_one/proj_hpc_one_01/?expand=usage');
      return v.parse(Quota, quota).usage.living_jobs === 0 ? true : undefined;
    });
    const seconds = (performance.now() - began) / 1000;
    const ledger = await edition.call(submitter, '/quotas/hpc_one/proj_hpc_one_01/ledger/?sum=job');
    const off = compareCharges(join(folder, 'data/jobs/hpc_one'), v.parse(Sums, ledger));
    await edition.stop();
    process.stdout.write(`${cores} cores. ${limits}\n`);
    process.stdout.write(
      formatTable([
        ['', 'seconds', 'ratio'],
        [`xargs -P ${cores}`, compared.toFixed(1), ''],
        ['slipway', seconds.toFixed(1), (seconds / compared).toFixed(2)],
        ['largest difference of a charge', off.toFixed(2), ''],
        ['start of an open job, median', (open / 1000).toFixed(3), ''],
        [
          'start in a sandbox, median',
          (sandboxed / 1000).toFixed(3),
          (sandboxed / open).toFixed(2),
        ],
      ]),
    );
    return [
      { name: 'machine.against-xargs', value: seconds / compared },
      { name: 'machine.charge-difference', value: off, unit: 's' },
      { name: 'machine.sandbox-start', value: sandboxed - open, unit: 'ms' },
    ] satisfies Figure[];
  },
};

async function measureXargs(jobs: number, cores: number): Promise<number> {
  const began = performance.now();
  const command = `seq ${jobs} | xargs -P ${cores} -I{} sh -c 'sleep 1'`;
  const code = await runChild('sh', ['-c', command]);
  if (code !== 0) throw new Error('xargs failed.');
  return (performance.now() - began) / 1000;
}

/** Returns the largest difference between what a job is charged and how long it ran. */
function compareCharges(folder: string, sums: v.InferOutput<typeof Sums>): number {
  const charged = new Map(sums.map((sum) => [sum.job_id, sum.used.time]));
  const differences = readdirSync(folder).map((jobId) => {
    const exit = JSON.parse(readFileSync(join(folder, jobId, 'exit.json'), 'utf8'));
    const { seconds, code } = v.parse(Exit, exit);
    if (code !== 0) throw new Error(`${jobId} did not succeed.`);
    return Math.abs((charged.get(jobId) ?? Number.POSITIVE_INFINITY) - seconds);
  });
  return Math.max(...differences);
}
