import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openInProcessTable } from '../engines/in-process.ts';
import type { OpenedTable } from '../engines/open-table-on.ts';
import { recordRun } from '../setup/record-run.ts';
import { injectFaults } from './faults.ts';
import { histories } from './history.ts';
import { play } from './play.ts';

/** A transaction that met another waits a little before it tries again: here it need not. */
vi.mock('node:timers/promises', async (original) => ({
  ...(await original<object>()),
  setTimeout: async () => undefined,
}));

/**
 * `npm run suite -- histories` plays 1,000, of which these are the first. `npm run suite -- model` plays
 * others each time; MODEL_SEED plays the same again, and MODEL_PATH with it the one that failed.
 */
const isLong = process.env.MODEL === 'long';
const runs = Number(process.env.MODEL_RUNS ?? (isLong ? 10_000 : 100));
const seed = Number(process.env.MODEL_SEED ?? (isLong ? Date.now() % 2 ** 31 : 20_261_115));
const path = process.env.MODEL_PATH ?? '';
const longest = 200;

let opened: OpenedTable;
beforeAll(async () => {
  opened = await openInProcessTable('slipway-model');
});
afterAll(() => opened.close());

describe('accounts', () => {
  it(`add up after every step of ${runs} histories of up to ${longest} steps`, async () => {
    const began = process.hrtime.bigint();
    const faults = injectFaults(opened.table);
    let played = 0;
    let steps = 0;
    await fc.assert(
      fc.asyncProperty(histories(longest), async (history) => {
        played += 1;
        steps += history.length;
        await play(history, opened.table, faults, played);
      }),
      { numRuns: runs, seed, path, endOnFailure: path !== '' },
    );
    expect(played).toBe(path === '' ? runs : 1);
    process.stdout.write(`${played} histories, ${steps} steps, seed ${seed}\n`);
    recordRun({
      suite: 'histories',
      tried: [
        { unit: 'steps of random histories', tried: steps, survived: steps },
        { unit: 'histories', tried: played, survived: played },
      ],
      figures: [`seed ${seed}`],
      seconds: Number(process.hrtime.bigint() - began) / 1e9,
    });
  }, 3_600_000);
});
