import { join } from 'node:path';
import * as v from 'valibot';
import { pollUntil } from '#test/slurm/poll-until.ts';
import { type Figure, formatTable } from './measure/figures.ts';
import { seedFolder, startLaptopEdition, submitJobs } from './measure/laptop-edition.ts';
import { type Part, readCount } from './measure/part.ts';
import { createTemporaryFolder } from './measure/processes.ts';

const patienceSeconds = 600;
const submitter = '306328';

/** The only field of a quota that is needed here. */
const Quota = v.object({ usage: v.object({ living_jobs: v.number() }) });

export const part: Part = {
  about: `Measures how many jobs per minute get from their 201 to their settlement while other jobs are active:
submitted to the laptop edition over HTTP, handed over to its simulated system, followed, ended and
settled. A job takes two and a half seconds there, which limits a few jobs; the service limits many.
`,
  options: {
    living: { usual: '10,1000', about: 'how many others live, one measurement for each' },
    jobs: { usual: 300, about: 'how many jobs go their way, 1 to 1000' },
  },
  async measure({ count, text }) {
    const jobs = count('jobs');
    if (jobs > 1000) throw new Error('--jobs must be at most 1000: one caller may have no more.');
    const sizes = (text('living') ?? '').split(',').map((living) => readCount('living', living));
    const folder = createTemporaryFolder();
    const rows = [['active jobs', 'jobs a minute', 'seconds', 'MB']];
    const figures: Figure[] = [];
    for (const living of sizes) {
      const { seconds, megabytes = Number.NaN } = await measureWith(folder, living, jobs);
      const perMinute = (jobs / seconds) * 60;
      rows.push([String(living), perMinute.toFixed(0), seconds.toFixed(1), String(megabytes)]);
      figures.push({ name: `life.${living}-living`, value: perMinute, unit: 'jobs a minute' });
    }
    process.stdout.write(formatTable(rows));
    return figures;
  },
};

async function measureWith(folder: string, living: number, jobs: number) {
  const home = join(folder, String(living));
  await seedFolder(home, 'living', living);
  const edition = await startLaptopEdition(home);
  const countLiving = async () => {
    const quota = await edition.call(submitter, '/quotas/hpc_one/proj_hpc_one_01/?expand=usage');
    return v.parse(Quota, quota).usage.living_jobs;
  };
  // The first contact is not measured.
  await countLiving();
  let began = Number.NaN;
  await submitJobs(edition, submitter, jobs, () => {
    began = performance.now();
  });
  // The stage and the settlement are one transaction, so without active jobs there are no holds.
  await pollUntil('all jobs are settled', patienceSeconds, async () =>
    (await countLiving()) === 0 ? true : undefined,
  );
  const seconds = (performance.now() - began) / 1000;
  const megabytes = edition.readMemory();
  await edition.stop();
  return { seconds, megabytes };
}
