import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createClient } from '#client/src/node/index.ts';
import { findFreePort } from '../engines/find-free-port.ts';
import { end, openHome, projectRoot } from '../fixtures/edition.ts';
import { zipOf } from '../fixtures/zip.ts';
import { checkOut } from '../releases/check-out.ts';
import { releases } from '../releases/releases.ts';
import { hasProxy, startWorkstation, type Workstation } from './workstation.ts';

const callers = 6;
/** Accepted submissions before and after the update. */
const enough = 150;
const deadlineMs = 120_000;

interface Target {
  readonly baseUrl: string;
  readonly token: string;
  readonly fetch: typeof fetch;
  readonly folder: string;
  update(): Promise<void>;
}

/**
 * Submits from many callers while the service is updated, by the client with its usual retries.
 * Prints the figures of docs/updating.md.
 */
async function updateUnderLoad(name: string, target: Target): Promise<void> {
  const sent = { requests: 0, unanswered: 0 };
  const client = createClient({
    baseUrl: target.baseUrl,
    token: target.token,
    fetch: async (address, init) => {
      sent.requests += 1;
      const answer = await target.fetch(address, init).catch((error: unknown) => {
        sent.unanswered += 1;
        throw error;
      });
      if (answer.status >= 500) sent.unanswered += 1;
      return answer;
    },
  });
  const accepted: string[] = [];
  const failed: unknown[] = [];
  const answeredAt = [performance.now()];
  let isOver = false;
  const submitOn = async () => {
    while (!isOver) {
      try {
        const job = await client.submit({
          hpc: 'hpc_one',
          command: 'true',
          nodes: 1,
          cores: 1,
          runtime: 0.01,
          input: new Uint8Array(zipOf(1000)),
        });
        accepted.push(job.job_id);
      } catch (error) {
        failed.push(error);
      }
      answeredAt.push(performance.now());
    }
  };
  const load = Promise.all(Array.from({ length: callers }, submitOn));
  const until = (count: number) =>
    expect.poll(() => accepted.length, { timeout: deadlineMs }).toBeGreaterThanOrEqual(count);
  await until(enough);
  await target.update();
  await until(accepted.length + enough);
  isOver = true;
  await load;
  const pauses = answeredAt.slice(1).map((at, index) => at - (answeredAt[index] ?? at));
  process.stdout.write(
    `${name}: ${accepted.length + failed.length} submissions, ${sent.requests} requests, ` +
      `${sent.unanswered} of them sent again, ${failed.length} failed after retries, ` +
      `longest pause ${(Math.max(...pauses) / 1000).toFixed(1)} s\n`,
  );
  expect(failed).toEqual([]);
  const listed = new Set<string>();
  for await (const { job_id: id } of client.listJobs()) listed.add(id);
  expect([...listed].sort()).toEqual([...new Set(accepted)].sort());
  const reconcile = join(projectRoot, 'tools/reconcile/reconcile.ts');
  const checked = execFileSync(process.execPath, [reconcile], {
    cwd: target.folder,
    encoding: 'utf8',
  });
  expect(checked).toContain('0 wrong');
}

describe('an update while clients submit', () => {
  it.each(releases)(
    'from release $release, on a laptop',
    async ({ release, commit }) => {
      const home = openHome();
      const settings = { PORT: String(await findFreePort()), SYSTEMS: 'simulated' };
      const before = await home.start(settings, checkOut(commit) ?? projectRoot);
      await updateUnderLoad(`from ${release}, on a laptop`, {
        baseUrl: before.url,
        token: before.token,
        fetch,
        folder: home.path,
        update: async () => {
          await end(before.child, 'SIGTERM');
          await home.start(settings);
        },
      });
    },
    240_000,
  );

  // The first release knows no groups.
  const forGroups = releases.filter(({ release }) => release !== '0.1.0');
  it.runIf(hasProxy).each(forGroups)(
    'from release $release, behind nginx',
    async ({ release, commit }) => {
      const station = await startWorkstation({}, checkOut(commit));
      await updateUnderLoad(`from ${release}, behind nginx`, {
        baseUrl: station.url,
        token: station.token,
        fetch: fetchThrough(station),
        folder: station.home.path,
        update: station.restart,
      });
    },
    240_000,
  );
});

/** A fetch that knows the name of the service, which no DNS does. */
function fetchThrough({ ask }: Workstation): typeof fetch {
  return async (address, init) => {
    const { method, headers, body } = new Request(address, init);
    const sent = body ? new Uint8Array(await new Response(body).arrayBuffer()) : undefined;
    const answer = await ask(String(address), {
      method,
      headers: Object.fromEntries(headers),
      ...(sent && { body: sent }),
    });
    return new Response(answer.body === '' ? null : answer.body, {
      status: answer.status,
      headers: Object.entries(answer.headers).flatMap(([key, value]): [string, string][] =>
        value === undefined ? [] : [[key, String(value)]],
      ),
    });
  };
}
