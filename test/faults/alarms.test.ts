import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import {
  type DeployedAlarms,
  type Ring,
  readDeployedAlarms,
} from '../fixtures/alarms/deployed-alarms.ts';
import type { Deployment } from './deployment.ts';
import { createRandom, type Fault } from './fault.ts';
import { clock, drawFrom, faults, seed } from './listed-faults.ts';
import { Load } from './load.ts';
import { Witness } from './witness.ts';

vi.hoisted(() => {
  Object.assign(process.env, {
    SIM_HOUR_SECONDS: '60',
    SERVICE_NAME: 'slipway-prod',
    METRICS_DISABLED: 'false',
  });
});

const minutesBefore = 5;
/** Long enough for what rings a quarter of an hour after the fact, and twice in a row. */
const minutesOfFault = 45;

const page = readFileSync('docs/alarms.md', 'utf8');

/**
 * What a row of the page says of a fault: the alarms that ring, each with its urgency, and those that
 * do so only if people happen to do what meets the fault.
 */
function readRow(fault: string): { readonly sure: string[]; readonly perhaps: string[] } {
  const row = page.split('\n').find((line) => line.startsWith(`| ${fault} |`));
  if (row === undefined) throw new Error(`docs/alarms.md has no row for ${fault}.`);
  const [, , told = ''] = row.split('|');
  const [sure = '', perhaps = ''] = told.split('*perhaps*');
  const named = (text: string) => text.match(/[A-Z][a-z ]+ \((page|ticket)\)/g) ?? [];
  return { sure: named(sure), perhaps: named(perhaps) };
}

let alarms: DeployedAlarms;
let open: (witness?: Witness) => Deployment;

beforeAll(async () => {
  alarms = readDeployedAlarms();
  const { loadDeployment } = await import('./deployment.ts');
  open = await loadDeployment(['measure-queue', 'reconcile-accounts']);
});

/** Plays a scene in which a fault stays for a while, and returns what rings. */
async function playLong(fault: Fault, place: number): Promise<readonly Ring[]> {
  const witness = await new Witness(alarms).load();
  const from = witness.now();
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    for (const line of String(text).split('\n')) witness.logged(line);
    return true;
  });
  try {
    const deployment = open(witness);
    const load = new Load(deployment, createRandom(seed + place), ['1000', '1001', '1002']);
    const pass = async (minutes: number) => {
      for (let at = 0; at < minutes; at += 1) {
        await load.send(3);
        await deployment.tell();
        await deployment.round();
        await load.sendAgain();
        witness.passMinute();
        clock.pass(60);
      }
    };
    await pass(minutesBefore);
    deployment.begin(fault);
    fault.begin?.(clock);
    await pass(minutesOfFault);
    fault.end?.(clock);
    deployment.end();
    return alarms.ring(witness.data, { from, to: witness.now() });
  } finally {
    write.mockRestore();
  }
}

describe(`a fault that stays for ${minutesOfFault} minutes (SEED=${seed}) rings what docs/alarms.md says`, () => {
  it('rings nobody if there is none', async () => {
    expect(await playLong({ name: 'none' }, 0)).toEqual([]);
  });

  it.each(faults.map((fault, place) => ({ fault, place, name: fault.name })))(
    '$name',
    async ({ fault, place }) => {
      drawFrom(seed - place);
      const { sure, perhaps } = readRow(fault.name);
      const rings = await playLong(fault, place);
      const rang = new Set(rings.map(({ heading, urgency }) => `${heading} (${urgency})`));
      expect(new Set([...rang].filter((each) => !perhaps.includes(each)))).toEqual(new Set(sure));
    },
  );

  it('has no row of another fault', () => {
    const rows = [
      ...page.matchAll(/^\| ((?:table|storage|bus|secrets|processes|clock|system): [^|]+) \|/gm),
    ];
    expect(rows.map(([, name]) => name)).toEqual(faults.map(({ name }) => name));
  });
});
