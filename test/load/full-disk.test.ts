import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { end, openHome } from '../fixtures/edition.ts';
import { get, type JobBody, submitTo } from '../fixtures/service.ts';

/** A way to let writes fail for a while. */
interface Shortage {
  readonly name: string;
  readonly isPossible: boolean;
  /** How the service is ended after it; a start takes its time, so each way is tried once. */
  readonly signals: readonly NodeJS.Signals[];
  prepare(directory: string): void;
  begin(directory: string, pid: number): void;
  end(directory: string, pid: number): void;
}

const megabyte = 1024 * 1024;
const succeeds = (command: string, ...parameters: string[]) =>
  spawnSync(command, parameters).status === 0;
const mustSucceed = (command: string, ...parameters: string[]) =>
  expect(succeeds(command, ...parameters), `${command} ${parameters.join(' ')}`).toBe(true);

/** A small disk of its own, which needs rights that not everybody has. */
const smallDisk: Shortage = {
  name: 'a disk of 8 MB that is full',
  isPossible: canMount(),
  signals: ['SIGKILL'],
  prepare(directory) {
    mustSucceed('mount', '-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', directory);
    onTestFinished(() => mustSucceed('umount', '-l', directory));
  },
  begin(directory) {
    // To the last byte: it takes what there is, and says that there was no more.
    succeeds('dd', 'if=/dev/zero', `of=${join(directory, 'filler')}`, 'bs=4k');
  },
  end: (directory) => rmSync(join(directory, 'filler')),
};

/** No file of the process may grow any more. */
const limitedFiles: Shortage = {
  name: 'files that may not grow',
  isPossible: succeeds('prlimit', '--version'),
  signals: smallDisk.isPossible ? ['SIGTERM'] : ['SIGTERM', 'SIGKILL'],
  prepare: () => undefined,
  begin(directory, pid) {
    const table = join(directory, 'dynamodb');
    const sizes = readdirSync(table).map((name) => statSync(join(table, name)).size);
    mustSucceed('prlimit', '--pid', String(pid), `--fsize=${Math.max(...sizes)}:`);
  },
  end(_, pid) {
    mustSucceed('prlimit', '--pid', String(pid), `--fsize=${1024 * megabyte}:`);
  },
};

function canMount(): boolean {
  if (process.getuid?.() !== 0) return false;
  const directory = `/tmp/slipway-mount-${process.pid}`;
  mkdirSync(directory, { recursive: true });
  const isPossible = succeeds('mount', '-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', directory);
  if (isPossible) succeeds('umount', directory);
  rmSync(directory, { recursive: true, force: true });
  return isPossible;
}

const readStatus = async (url: string) => (await fetch(`${url}/status/`)).status;

describe.each([smallDisk, limitedFiles])('with $name', (shortage) => {
  it.runIf(shortage.isPossible).each(shortage.signals)(
    'nothing is lost that was accepted, and no number given twice, after %s',
    async (signal) => {
      const home = openHome();
      const data = join(home.path, 'data');
      mkdirSync(data);
      shortage.prepare(data);
      const first = await home.start({ DATA_DIR: data });
      expect(await readStatus(first.url)).toBe(200);
      const pid = first.child.pid ?? 0;
      const submit = () => submitTo(first.url, first.token);
      const accepted: JobBody[] = [];
      for (let n = 0; n < 10; n += 1) {
        const { status, body } = await submit();
        expect(status).toBe(201);
        accepted.push(body);
      }

      shortage.begin(data, pid);
      let refused = 0;
      for (let n = 0; n < 200 && refused === 0; n += 1) {
        const { status, body } = await submit();
        if (status === 201) accepted.push(body);
        else expect(status).toBe(503);
        refused += status === 503 ? 1 : 0;
      }
      expect(refused).toBe(1);
      expect(await readStatus(first.url)).toBe(503);
      shortage.end(data, pid);
      expect(await readStatus(first.url)).toBe(200);

      for (let n = 0; n < 30; n += 1) {
        const { status, body } = await submit();
        expect(status).toBe(201);
        accepted.push(body);
      }
      await end(first.child, signal);

      const second = await home.start({ DATA_DIR: data });
      const { body: jobs } = await get<JobBody[]>(`${second.url}/jobs/`, second.token);
      const found = jobs.map(({ job_id }) => job_id);
      expect(found).toEqual(expect.arrayContaining(accepted.map(({ job_id }) => job_id)));
      const { status, body: last } = await submitTo(second.url, second.token);
      expect(status).toBe(201);
      const numbers = [...jobs, last].map(({ id }) => id);
      expect(new Set(numbers).size).toBe(numbers.length);
      await end(second.child, 'SIGTERM');
    },
  );
});
