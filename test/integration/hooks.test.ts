import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { catalog, findSystem } from '#lib/catalog/catalog.ts';
import type { SlipwayEvent } from '#lib/events/event.ts';
import { welcomeUser } from '#lib/quotas/welcome.ts';
import { mapLogin } from '#lib/users/logins/map-login.ts';
import { claimDelivery } from '#lib/webhooks/deliveries/delivery-store.ts';
import { openHookFolder } from '#local/hooks/hook-folder.ts';
import { dueKeyOf, queueHook, readWaiting } from '#local/hooks/hook-queue.ts';
import { type HookRun, runDueHooks } from '#local/hooks/open-hooks.ts';
import { tableForEach } from '../engines/use-table.ts';
import { userId } from '../fixtures/names.ts';

const table = tableForEach();
const ada = userId('1');
const eve = userId('2');

let path: string;
let runs: HookRun[];
let now: Date;
beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'slipway-hooks-'));
  runs = [];
  now = new Date('2026-11-15T08:30:00Z');
});
afterEach(() => rmSync(path, { recursive: true }));

/** Writes a hook that notes what it is called with, and then does more. */
function write(type: string, more = '') {
  const program = join(path, type);
  writeFileSync(program, `#!/bin/bash\ninput=$(cat)\necho "$input" >>${path}/calls\n${more}\n`);
  chmodSync(program, 0o755);
}

const readCalls = () =>
  readFileSync(join(path, 'calls'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

let count = 0;
function tell(type: SlipwayEvent['type'], user = ada, more: object = {}) {
  count += 1;
  const data = {
    project: 1,
    project_hpc: 'HPC_ONE',
    project_name: 'proj_hpc_one_01',
    user,
    ...more,
  };
  return queueHook(table, { id: `e${count}`, type, owner: user, at: now, data }, now);
}

async function sweep(seconds = 0) {
  now = new Date(now.getTime() + seconds * 1000);
  const folder = openHookFolder(path);
  const log = (run: HookRun) => runs.push(run);
  await runDueHooks(table, { folder, log, clock: () => now, random: () => 0 });
}

const told = () => runs.map(({ type, queue, state }) => `${type} ${queue} ${state}`);

describe('hooks', () => {
  it('run once for each event, with what a program needs to know', async () => {
    write('member.joined');
    await welcomeUser(table, catalog, ada);
    const system = { ...findSystem(catalog, 'hpc_one'), runsAs: 'mapped' as const };
    await mapLogin(table, { user: ada, system, name: 'ada', reason: 'x', by: '100001' });
    await tell('member.joined');
    await sweep();
    await sweep(60);
    expect(readCalls()).toEqual([
      {
        id: `e${count}`,
        type: 'member.joined',
        owner: ada,
        at: '2026-11-15T08:30:00.000Z',
        data: expect.objectContaining({ user: ada, project_name: 'proj_hpc_one_01' }),
        hpc: 'hpc_one',
        charging: 'node',
        // Jobs of the catalog's hpc_one run as the service.
        account: null,
        projects: ['proj_hpc_one_01'],
      },
    ]);
    expect(runs).toMatchObject([{ event: `e${count}`, tries: 1, state: 'delivered' }]);
  });

  it('keep the order of a user, however often the first one fails, and hold up nobody else', async () => {
    write('member.joined', `[ -e ${path}/up ] || [[ "$input" != *'"user":"1"'* ]]`);
    write('member.left');
    await tell('member.joined');
    await tell('member.left');
    await tell('member.joined', eve);
    await tell('member.left', eve);
    await sweep();
    expect(told().sort()).toEqual([
      'member.joined hpc_one/1 waiting',
      'member.joined hpc_one/2 delivered',
      'member.left hpc_one/2 delivered',
    ]);
    runs = [];
    // Before its pause of 5 seconds is over, and after it.
    await sweep(4);
    expect(told()).toEqual([]);
    await sweep(2);
    await tell('member.joined');
    await sweep(10);
    expect(told()).toEqual(['member.joined hpc_one/1 waiting']);
    writeFileSync(join(path, 'up'), '');
    await sweep(60);
    expect(told().slice(1)).toEqual([
      'member.joined hpc_one/1 delivered',
      'member.left hpc_one/1 delivered',
      'member.joined hpc_one/1 delivered',
    ]);
    expect(runs[0]).toMatchObject({ reason: 'exit code 1', tries: 2 });
  });

  it('give up after a day, and go on with the next', async () => {
    write('member.joined', 'echo "no such account" >&2; exit 1');
    write('member.left');
    await tell('member.joined');
    for (let hour = 0; hour < 23; hour += 1) await sweep(3600);
    await tell('member.left');
    for (let hour = 0; hour < 4; hour += 1) await sweep(3600);
    expect(told().slice(-2)).toEqual([
      'member.joined hpc_one/1 given-up',
      'member.left hpc_one/1 delivered',
    ]);
    expect(runs.at(-2)?.output).toBe('no such account');
  });

  it('are for projects in the order of the project', async () => {
    write('project.opened', 'sleep 0.2');
    write('budget.changed');
    const place = { project: 7, project_hpc: 'HPC_ONE', project_name: 'lab_42' };
    for (const type of ['project.opened', 'budget.changed'] as const) {
      await queueHook(table, { id: type, type, at: now, data: place }, now);
    }
    await sweep(1);
    expect(told()).toEqual([
      'project.opened hpc_one/lab_42 delivered',
      'budget.changed hpc_one/lab_42 delivered',
    ]);
  });

  it('are run by the next process if one dies in the middle, and never by two', async () => {
    write('member.joined', 'sleep 0.5');
    await tell('member.joined');
    await Promise.all([sweep(), sweep(), sweep()]);
    expect(readCalls()).toHaveLength(1);
    await tell('member.joined');
    const [waiting] = await readWaiting(table, 'WEBHOOK#hpc_one/1');
    await claimDelivery(table, dueKeyOf(waiting!), new Date(now.getTime() + 90_000));
    await sweep(89);
    expect(readCalls()).toHaveLength(1);
    await sweep(2);
    expect(runs.map(({ tries }) => tries)).toEqual([1, 2]);
  });

  it('fail while others may write them', async () => {
    write('member.joined');
    const folder = openHookFolder(path);
    await tell('member.joined');
    chmodSync(join(path, 'member.joined'), 0o777);
    const log = (run: HookRun) => runs.push(run);
    await runDueHooks(table, { folder, log, clock: () => now, random: () => 0 });
    expect(runs).toMatchObject([{ state: 'waiting', reason: expect.stringContaining('trusted') }]);
  });
});
