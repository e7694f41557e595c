import * as v from 'valibot';
import { mapInParallel } from '#lib/concurrency/map-in-parallel.ts';
import { pollUntil } from '#test/slurm/poll-until.ts';
import { median } from '../measure/percentile.ts';
import { startLaptopEdition } from '../measure/start-laptop-edition.ts';

const patienceSeconds = 300;
/** So many more are on the other system all the while. */
const otherJobs = 60;

const forms = {
  hpc_one: { command: 'python3 main.py', node_number: '1', core_number: '4', runtime: '0.01' },
  hpc_two: { tool: 'PYTHON', node_number: '1', core_number: '4', runtime: '0.01' },
};

const Job = v.object({ job_id: v.string(), terminal_stage: v.boolean() });

/** Seconds from its 201 to its end that a job on hpc_two takes in the median. */
export async function measureHealthy(
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
  // The first contact and the first load are no part of it.
  await timeOne(0);
  const times: number[] = [];
  for (let number = 1; number <= jobs; number += 1) times.push(await timeOne(number));
  await edition.stop();
  return median(times);
}
