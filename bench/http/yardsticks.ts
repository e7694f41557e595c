import { join } from 'node:path';
import { findFreePort } from '#test/engines/find-free-port.ts';
import { startCluster } from '#test/slurm/cluster.ts';
import { pollUntil } from '#test/slurm/poll-until.ts';
import { answers } from '../measure/laptop-edition.ts';
import { startChild } from '../measure/processes.ts';
import type { Target } from './wrk.ts';

/** Starts a bare server in its own process. It shows how fast the machine is without Slipway. */
export async function startYardstick(
  folder: string,
): Promise<{ target: Target; stop(): Promise<void> }> {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const child = startChild({
    command: [process.execPath, join(import.meta.dirname, 'yardstick-server.ts'), String(port)],
    folder,
    logFile: join(folder, 'yardstick.log'),
  });
  await pollUntil('the yardstick answers', 30, async () => (await answers(url)) || undefined);
  const requests = [{ method: 'GET', path: '/', headers: {} } as const];
  return { target: { name: 'yardstick', url, requests }, stop: child.stop };
}

const jobs = 100;
const version = '/slurm/v0.0.38';

/**
 * Starts a real Slurm with a hundred held jobs, so that nothing else runs during the measurement.
 */
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
