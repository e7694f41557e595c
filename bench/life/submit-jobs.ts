import { mapInParallel } from '#lib/concurrency/map-in-parallel.ts';

const submissionsAtOnce = 8;

/** Half a second of a simulated system that takes a minute for an hour. */
const payload = JSON.stringify({
  command: 'python3 main.py',
  node_number: '1',
  core_number: '4',
  runtime: '0.01',
  title: 'a job title',
});

/** Submits so many short jobs over HTTP; every one of them must be accepted. */
export async function submitJobs(
  url: string,
  authorization: string,
  count: number,
  onFirst: () => void,
): Promise<void> {
  const headers = {
    authorization,
    payload,
    'content-disposition': 'attachment; filename=job_file.zip',
  };
  let accepted = 0;
  await mapInParallel(
    Array.from({ length: count }),
    submissionsAtOnce,
    async () => {
      const answer = await fetch(`${url}/jobs/hpc_one/`, { method: 'POST', headers });
      const text = await answer.text();
      if (answer.status !== 201) throw new Error(`A job was not accepted: ${text}`);
      accepted += 1;
      if (accepted === 1) onFirst();
    },
    { stopAtFailure: true },
  );
}
