import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { tableName } from '#local/names.ts';
import { openTableAt } from '../../bench/measure/open-table-at.ts';
import { findFreePort } from '../engines/find-free-port.ts';
import type { RequestFixture } from '../fixtures/api-event.ts';
import { type Edition, end, openHome } from '../fixtures/edition.ts';
import { limitedFiles, type Shortage, smallDisk } from '../fixtures/shortages.ts';
import { recordRun } from '../setup/record-run.ts';
import { pollUntil } from '../slurm/poll-until.ts';
import { createRandom } from './fault.ts';
import { expectAddsUp, readContents } from './judge.ts';
import { Load } from './load.ts';

const seed = Number(process.env.SEED ?? 20_261_117);

/** A laptop edition under load, and the folder that it keeps. */
interface Scene {
  readonly data: string;
  readonly clockFile: string;
  edition: Edition;
  restart(): Promise<void>;
}

/** What happens to the process of a laptop edition while it serves the load. */
interface ProcessFault {
  readonly name: string;
  readonly isPossible?: boolean;
  prepare?(data: string): void;
  happen(scene: Scene): Promise<void>;
}

const faultMs = 2_000;

const faults: readonly ProcessFault[] = [
  {
    name: 'process: killed three times (SIGKILL)',
    async happen(scene) {
      for (let kills = 0; kills < 3; kills += 1) {
        await delay(faultMs / 2);
        await end(scene.edition.child, 'SIGKILL');
        await scene.restart();
      }
    },
  },
  {
    name: 'process: frozen for five seconds (SIGSTOP, SIGCONT)',
    async happen({ edition: { child } }) {
      child.kill('SIGSTOP');
      await delay(5_000);
      child.kill('SIGCONT');
    },
  },
  ...[smallDisk, limitedFiles].map(runOutOf),
  {
    name: 'process: its clock jumps an hour ahead',
    async happen({ clockFile }) {
      writeFileSync(clockFile, '3600');
      await delay(faultMs);
    },
  },
  {
    name: 'process: its clock jumps an hour back, and is right again later',
    async happen({ clockFile }) {
      writeFileSync(clockFile, '-3600');
      await delay(faultMs);
      writeFileSync(clockFile, '0');
    },
  },
];

function runOutOf(shortage: Shortage): ProcessFault {
  return {
    name: `process: ${shortage.name}`,
    isPossible: shortage.isPossible,
    prepare: shortage.prepare,
    async happen({ data, edition: { child } }) {
      shortage.begin(data, child.pid ?? 0);
      await delay(faultMs);
      shortage.end(data, child.pid ?? 0);
    },
  };
}

const shiftClock = join(import.meta.dirname, 'shift-clock.ts');

it('has a row in docs/alarms.md for each fault, and for no other', () => {
  const page = readFileSync('docs/alarms.md', 'utf8');
  const rows = [...page.matchAll(/^\| (process: .+?) \|/gm)];
  expect(rows.map(([, name]) => name)).toEqual(faults.map(({ name }) => name));
});

/** Longer than any lease. */
const patienceSeconds = 600;

interface Survived {
  readonly row: string;
  readonly tried: number;
  readonly secondsToRecover: number;
}

const beganAll = performance.now();
const survived: Survived[] = [];

describe(`a laptop edition under load (SEED=${seed}) goes on, loses nothing and doubles nothing`, () => {
  it.for(faults.map((fault, place) => ({ fault, place, name: fault.name })))(
    '$name',
    { timeout: 3 * patienceSeconds * 1000 },
    async ({ fault, place }, { skip }) => {
      skip(fault.isPossible === false, 'This machine does not allow it.');
      const home = openHome();
      const data = join(home.path, 'data');
      const clockFile = join(home.path, 'clock');
      mkdirSync(data);
      writeFileSync(clockFile, '0');
      fault.prepare?.(data);
      const port = String(await findFreePort());
      const environment = {
        DATA_DIR: data,
        DYNAMODB_PORT: port,
        SIM_HOUR_SECONDS: '1',
        CLOCK_FILE: clockFile,
        NODE_OPTIONS: `--import=${shiftClock}`,
      };
      const scene: Scene = {
        data,
        clockFile,
        edition: await home.start(environment),
        async restart() {
          scene.edition = await home.start(environment);
        },
      };
      const service = {
        call: (_: string, request: RequestFixture) => send(scene.edition, request),
      };
      const load = new Load(service, createRandom(seed + place), ['306328']);
      await load.send(20);
      let isOver = false;
      const sending = (async () => {
        while (!isOver) {
          await load.send(4);
          await load.sendAgain();
        }
      })();
      await fault.happen(scene);
      isOver = true;
      await sending;

      const began = performance.now();
      await pollUntil('every request has its answer', patienceSeconds, async () =>
        (await load.sendAgain()) === 0 ? true : undefined,
      );
      const table = openTableAt(`http://127.0.0.1:${port}`, tableName);
      const contents = await pollUntil('every job ends', patienceSeconds, async () => {
        const read = await readContents(table);
        return read.jobs.every(({ terminal }) => terminal) ? read : undefined;
      });
      const seconds = (performance.now() - began) / 1000;
      // Reports and batches count ends a moment later.
      await vi.waitFor(async () => expectAddsUp(table, load, await readContents(table), {}), {
        timeout: 120_000,
        interval: 1_000,
      });
      table.client.destroy();
      await end(scene.edition.child, 'SIGTERM');
      const { tried, refused } = load;
      const jobs = contents.jobs.length;
      expect(jobs).toBeGreaterThan(20);
      survived.push({
        row: `${fault.name.padEnd(60)} ${tried} tried, ${refused} refused, ${jobs} jobs, ${seconds.toFixed(1)} s`,
        tried,
        secondsToRecover: seconds,
      });
    },
  );
});

afterAll(() => {
  process.stdout.write(`${survived.map(({ row }) => row).join('\n')}\n`);
  const possible = faults.filter(({ isPossible = true }) => isPossible).length;
  if (survived.length < possible) return;
  const tried = survived.reduce((sum, each) => sum + each.tried, 0);
  const slowest = Math.max(...survived.map(({ secondsToRecover }) => secondsToRecover));
  recordRun({
    suite: 'faults-processes',
    tried: [
      { unit: 'faults', tried: possible, survived: survived.length },
      { unit: 'operations', tried, survived: tried },
    ],
    figures: [`seed ${seed}`, `at most ${Math.round(slowest)} s until every job had ended`],
    seconds: (performance.now() - beganAll) / 1000,
  });
});

/** A request that gets no answer may have been accepted, so that its client asks again. */
async function send(
  { url, token }: Edition,
  { method = 'GET', path, headers, body }: RequestFixture,
) {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { ...headers, authorization: `Bearer ${token}` },
    ...(body && { body: Uint8Array.from(body) }),
  }).catch(() => undefined);
  const text = await response?.text().catch(() => undefined);
  if (!response || text === undefined) {
    await delay(20);
    return { status: 503, headers: { 'retry-after': '1' }, body: {} };
  }
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: JSON.parse(text || 'null'),
  };
}
