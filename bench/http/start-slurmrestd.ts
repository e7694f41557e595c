import { startCluster } from '#test/slurm/cluster.ts';
import type { Target } from './target.ts';

const jobs = 100;
const version = '/slurm/v0.0.38';

/** A real Slurm with a hundred jobs that wait, so that nothing runs beside what is measured. */
export async function startSlurmrestd(): Promise<{ targets: Target[]; stop(): Promise<void> }> {
  const { url, user, token, workDirectory, close } = await startCluster();
  const headers = { 'x-slurm-user-name': user, 'x-slurm-user-token': token };
  const body = JSON.stringify({
    script: '#!/bin/bash\ntrue',
    job: {
      name: 'a job title',
      hold: true,
      current_working_directory: workDirectory,
      environment: { PATH: '/usr/bin:/bin' },
    },
  });
  try {
    let id = 0;
    for (let count = 0; count < jobs; count += 1) {
      const type = { 'content-type': 'application/json' };
      const answer = await fetch(`${url}${version}/job/submit`, {
        method: 'POST',
        headers: { ...headers, ...type },
        body,
      });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`slurmrestd refused a job: ${text}`);
      id = Number(JSON.parse(text).job_id);
    }
    const read = (name: string, path: string): Target => ({
      name: `slurmrestd.${name}`,
      url,
      requests: [{ method: 'GET', path: `${version}${path}`, headers }],
    });
    return { targets: [read('single', `/job/${id}`), read('list-100', '/jobs')], stop: close };
  } catch (error) {
    await close();
    throw error;
  }
}
