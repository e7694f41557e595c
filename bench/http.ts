import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mapInParallel } from '#lib/concurrency/map-in-parallel.ts';
import { findFreePort } from '#test/engines/find-free-port.ts';
import { userId } from '#test/fixtures/names.ts';
import { startCluster } from '#test/slurm/cluster.ts';
import { pollUntil } from '#test/slurm/poll-until.ts';
import { describeRows, isValid, listFigures, type Row } from './http/rows.ts';
import { expectWrk, runWrk, type Target } from './http/wrk.ts';
import {
  answers,
  describeJob,
  type LaptopEdition,
  seedFolder,
  startLaptopEdition,
} from './measure/laptop-edition.ts';
import type { Part } from './measure/part.ts';
import { createTemporaryFolder, startChild } from './measure/processes.ts';
import { endedJob, seedOwner as reader } from './measure/seed-ended-jobs.ts';

export const part: Part = {
  about: `Measures requests per second, answer times and memory of the laptop edition with wrk (Debian: apt-get
install wrk), at 1 and at 16 connections. A bare node:http server in the same run shows how fast the
machine is.
`,
  options: {
    seconds: { usual: 5, about: 'how long each is measured' },
    only: {
      about:
        'some of systems, single, list-100, list-1000, both with -gzip, quotas, submit, submit-zip',
    },
    slurm: { usual: false, about: 'also slurmrestd, which it installs and starts (Debian, root)' },
  },
  async measure({ count, text, flag }) {
    const seconds = count('seconds');
    expectWrk();
    const folder = createTemporaryFolder();
    const yardstick = await startYardstick(folder);
    await seedFolder(folder, readerJobs);
    const edition = await startLaptopEdition(folder);
    const slurm = flag('slurm') ? await startSlurmrestd() : undefined;
    const own = chooseTargets(await listTargets(edition), text('only'));
    const rows: Row[] = [];
    for (const target of [yardstick.target, ...own]) {
      // Right after ours, so that the machine is in the same state for both.
      const theirs = slurm?.targets.find(({ name }) => name === `slurmrestd.${target.name}`);
      for (const each of theirs ? [target, theirs] : [target]) {
        const server = each.url === edition.url ? edition : undefined;
        rows.push(...(await measureTarget(each, folder, seconds, server)));
      }
    }
    await slurm?.stop();
    await edition.stop();
    await yardstick.stop();
    process.stdout.write(describeRows(rows));
    if (!rows.every(isValid)) process.exitCode = 1;
    return listFigures(rows);
  },
};

async function measureTarget(
  target: Target,
  folder: string,
  seconds: number,
  server: LaptopEdition | undefined,
): Promise<Row[]> {
  await checkAnswer(target);
  // Lets the compiler warm up.
  await runWrk(target, { folder, connections: 16, seconds: 2 });
  const rows: Row[] = [];
  for (const connections of [1, 16]) {
    const before = server?.readProcessorSeconds() ?? Number.NaN;
    const measured = await runWrk(target, { folder, connections, seconds });
    const used = (server?.readProcessorSeconds() ?? Number.NaN) - before;
    const processorMs = (used * 1000) / (measured.perSecond * seconds);
    rows.push({
      name: target.name,
      connections,
      ...measured,
      megabytes: server?.readMemory(),
      processorMs: Number.isFinite(processorMs) ? processorMs : undefined,
    });
  }
  return rows;
}

function chooseTargets(targets: readonly Target[], only: string | undefined): Target[] {
  if (only === undefined) return [...targets];
  const names = only.split(',');
  const unknown = names.filter((name) => !targets.some((target) => target.name === name));
  if (unknown.length > 0) throw new Error(`There is no target ${unknown.join(', ')}.`);
  return targets.filter(({ name }) => names.includes(name));
}

/**
 * Checks the answer once before the load, because wrk only counts answers of 400 and above as
 * errors.
 */
async function checkAnswer({ name, url, requests }: Target): Promise<void> {
  const [request] = requests;
  if (!request) throw new Error(`${name} sends nothing.`);
  const { method, path, headers, body } = request;
  const answer = await fetch(`${url}${path}`, {
    method,
    headers,
    ...(body && { body: new Uint8Array(body) }),
  });
  const text = await answer.text();
  const expected = method === 'POST' ? 201 : 200;
  if (answer.status !== expected) throw new Error(`${name} answers ${answer.status}: ${text}`);
}

/** The length of the longest list. */
const readerJobs = 1000;

/** Each user may have a thousand active jobs. */
const submitters = Array.from({ length: 64 }, (_, index) => userId(String(400_001 + index)));

const zip = readFileSync(join(import.meta.dirname, '../docs/examples/job_file.zip'));

/** Lists the endpoints to measure. The reader owns `readerJobs` jobs. */
async function listTargets({ url, authorize, call }: LaptopEdition): Promise<Target[]> {
  const headers = authorize(reader);
  const read = (
    name: string,
    path: string,
    wish: Readonly<Record<string, string>> = {},
  ): Target => {
    return { name, url, requests: [{ method: 'GET', path, headers: { ...headers, ...wish } }] };
  };
  const packed = { 'accept-encoding': 'gzip' };
  // The first contact of each user must not be measured.
  await mapInParallel([reader, ...submitters], 8, (user) => call(user, '/quotas/'));
  const { jobId, project } = endedJob(reader, readerJobs / 2);
  const submit = (name: string, body?: Buffer): Target => ({
    name,
    url,
    requests: submitters.map((user) => ({
      method: 'POST',
      path: '/jobs/hpc_one/',
      headers: {
        ...authorize(user),
        ...describeJob({ node_number: '2', core_number: '6', runtime: '0.5' }),
        ...(body && { 'content-type': 'application/zip' }),
      },
      body,
    })),
  });
  return [
    read('systems', '/hpc/'),
    read('single', `/jobs/${project.hpc}/${project.name}/${jobId}/`),
    read('list-100', '/jobs/?limit=100'),
    read('list-1000', '/jobs/?limit=1000'),
    read('list-100-gzip', '/jobs/?limit=100', packed),
    read('list-1000-gzip', '/jobs/?limit=1000', packed),
    read('quotas', '/quotas/'),
    // Last, because these jobs keep the service busy afterwards.
    submit('submit'),
    submit('submit-zip', zip),
  ];
}

/** Starts a bare server in its own process. It shows how fast the machine is without Slipway. */
async function startYardstick(folder: string): Promise<{ target: Target; stop(): Promise<void> }> {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const child = startChild({
    command: [
      process.execPath,
      join(import.meta.dirname, 'http/yardstick-server.ts'),
      String(port),
    ],
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
async function startSlurmrestd(): Promise<{ targets: Target[]; stop(): Promise<void> }> {
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
