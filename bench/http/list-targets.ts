import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mapInParallel } from '#lib/concurrency/map-in-parallel.ts';
import { userId } from '#test/fixtures/names.ts';
import type { LaptopEdition } from '../measure/start-laptop-edition.ts';
import { endedJob } from '../seed/ended-job-items.ts';
import { seedOwner as reader } from '../seed/seed-owner.ts';
import type { HttpRequest, Target } from './target.ts';

/** As many as the longest list shows. */
export const readerJobs = 1000;

/** Each may have a thousand living jobs. */
const submitters = Array.from({ length: 64 }, (_, index) => userId(String(400_001 + index)));

const zip = readFileSync(join(import.meta.dirname, '../../docs/examples/job_file.zip'));

/** What is asked for, of an edition whose reader has so many jobs. */
export async function listTargets({ url, issuer }: LaptopEdition): Promise<Target[]> {
  const authorize = (user: string) => ({ authorization: `Bearer ${issuer.issueToken({ user })}` });
  const headers = authorize(reader);
  const read = (name: string, path: string): Target => {
    return { name, url, requests: [{ method: 'GET', path, headers }] };
  };
  // Their first contact, which comes once in a life, must not be measured.
  await mapInParallel([reader, ...submitters], 8, async (user) => {
    const answer = await fetch(`${url}/quotas/`, { headers: authorize(user) });
    if (!answer.ok) throw new Error(`A first contact was refused: ${await answer.text()}`);
    await answer.arrayBuffer();
  });
  const { jobId, project } = endedJob(reader, readerJobs / 2);
  const submit = (name: string, body?: Buffer): Target => ({
    name,
    url,
    requests: submitters.map((user) => writeSubmission(authorize(user), body)),
  });
  return [
    read('systems', '/hpc/'),
    read('single', `/jobs/${project.hpc}/${project.name}/${jobId}/`),
    read('list-100', '/jobs/?limit=100'),
    read('list-1000', '/jobs/?limit=1000'),
    read('quotas', '/quotas/'),
    // Last: the life of these jobs runs behind whatever follows.
    submit('submit'),
    submit('submit-zip', zip),
  ];
}

function writeSubmission(authorized: Readonly<Record<string, string>>, body?: Buffer): HttpRequest {
  return {
    method: 'POST',
    path: '/jobs/hpc_one/',
    headers: {
      ...authorized,
      'content-disposition': 'attachment; filename=job_file.zip',
      payload: JSON.stringify({
        command: 'python3 main.py',
        node_number: '2',
        core_number: '6',
        runtime: '0.5',
        title: 'a job title',
      }),
      ...(body && { 'content-type': 'application/zip' }),
    },
    body,
  };
}
