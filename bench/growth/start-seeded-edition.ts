import { join } from 'node:path';
import type { HttpRequest } from '../http/target.ts';
import { type LaptopEdition, startLaptopEdition } from '../measure/start-laptop-edition.ts';
import { endedJob } from '../seed/ended-job-items.ts';
import { seedFolder } from '../seed/seed-folder.ts';
import { seedOwner as owner } from '../seed/seed-owner.ts';

/** A laptop edition whose one user owns all of its jobs. */
export interface SeededEdition {
  readonly jobs: number;
  readonly edition: LaptopEdition;
  /** Asks for something else each time, as far as there is something else. */
  readonly operations: Readonly<Record<Operation, () => HttpRequest>>;
}

export const operations = ['single', 'page-100', 'submit'] as const;
export type Operation = (typeof operations)[number];

/** Jobs take the time that they say: those that are submitted here do not change while it measures. */
const environment = { SIM_HOUR_SECONDS: '3600' };

export async function startSeededEdition(folder: string, jobs: number): Promise<SeededEdition> {
  const home = join(folder, String(jobs));
  await seedFolder(home, { kind: 'ended', count: jobs });
  const edition = await startLaptopEdition(home, environment);
  const authorization = `Bearer ${edition.issuer.issueToken({ user: owner })}`;
  const headers = { authorization };
  const payload = JSON.stringify({
    command: 'python3 main.py',
    node_number: '1',
    core_number: '4',
    runtime: '0.5',
  });
  return {
    jobs,
    edition,
    operations: {
      single() {
        const { jobId, project } = endedJob(owner, 1 + Math.floor(Math.random() * jobs));
        return { method: 'GET', path: `/jobs/${project.hpc}/${project.name}/${jobId}/`, headers };
      },
      'page-100': () => ({ method: 'GET', path: '/jobs/?limit=100', headers }),
      submit: () => ({
        method: 'POST',
        path: '/jobs/hpc_one/',
        headers: {
          ...headers,
          'content-disposition': 'attachment; filename=job_file.zip',
          payload,
        },
      }),
    },
  };
}
