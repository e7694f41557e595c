import { join } from 'node:path';
import type { Figure } from '../measure/figures.ts';
import { formatTable } from '../measure/format-table.ts';
import { readCount, runPart } from '../measure/run-part.ts';
import { createTemporaryFolder } from '../measure/temporary-folder.ts';
import { measureBurst } from './measure-burst.ts';
import { measureHealthy } from './measure-healthy.ts';

const help = `How far one party holds up another, on the laptop edition over HTTP.

- The time from the 201 of a job on a healthy system to its end, while the other system is well and
  while every call to it takes two seconds (SIM_FAULTS=hpc_one:slow), both with jobs on both.
- A burst of submissions to a system that takes 100 ms for a call: the seconds between the last 201
  and the moment in which all of them are handed over.

  npm run -s bench:faults -- [--jobs 20] [--burst 1000] [--json FILE]

  --jobs          how many jobs on the healthy system are timed (default 20)
  --burst         how many are submitted at once (default 1000)
`;

await runPart({
  help,
  options: { jobs: { type: 'string' }, burst: { type: 'string' } },
  async measure(wishes) {
    const folder = createTemporaryFolder();
    const jobs = readCount(wishes, 'jobs', 20);
    const alone = await measureHealthy(join(folder, 'well'), jobs, {});
    const slow = { SIM_FAULTS: 'hpc_one:slow' };
    const beside = await measureHealthy(join(folder, 'slow'), jobs, slow);
    const count = readCount(wishes, 'burst', 1000);
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
});
