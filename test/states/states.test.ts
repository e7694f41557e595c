import { afterAll, describe, expect, it, vi } from 'vitest';
import { recordRun } from '../setup/record-run.ts';
import { type Explored, explore } from './explore.ts';
import type { Scenario } from './scene.ts';

/** Ids follow from the task, so that the same task makes the same calls when it is run again. */
vi.mock('node:crypto', async (original) => {
  const { seededBytes } = await import('./processes.ts');
  return { ...(await original<object>()), randomBytes: seededBytes };
});

/** Numbers are taken outside of every transaction and may leave gaps. Each gap would be a state. */
vi.mock('#lib/table/counter.ts', () => ({
  takeNumbers: async (_table: unknown, _name: string, count = 1) => (count === 1 ? 1 : 2),
}));

const simple = { handsOver: false, counts: false, cancels: [], deletes: false } as const;
const both = ['job', 'batch'] as const;

const oneJob: Scenario = {
  ...simple,
  name: 'one job that may be cancelled and deleted',
  asks: ['job'],
  fits: 1,
  cancels: ['job'],
  deletes: true,
};

/** `npm run suite -- states` explores all of them, `npm test` the first. */
const scenarios: Scenario[] = [
  oneJob,
  { ...simple, name: 'three jobs that fit', asks: both, fits: 3, cancels: both },
  {
    ...simple,
    name: 'three jobs of which some fit',
    asks: both,
    fits: 2,
    cancels: both,
    deletes: true,
  },
  { ...oneJob, name: 'one job on a system that counts its time', handsOver: true, counts: true },
  { ...oneJob, name: 'one job on a system that does not', handsOver: true },
  { ...simple, name: 'two jobs of a batch on a system', asks: ['batch'], fits: 2, handsOver: true },
  {
    ...simple,
    name: 'three jobs on a system, of which one may be cancelled',
    asks: both,
    fits: 3,
    handsOver: true,
    cancels: ['job'],
  },
];
const isWhole = process.env.STATES === '1';
/** The last one takes minutes on a busy machine. */
const patienceMs = 1_800_000;

describe('two workers that may each crash once, in every order of their calls', () => {
  const all: Explored[] = [];
  const began = performance.now();

  it.each(isWhole ? scenarios : [oneJob])(
    'keep all rules with $name',
    async (scenario) => {
      const explored = await explore(scenario);
      const { states, transitions, ends, worlds, depth } = explored;
      process.stdout.write(
        `${scenario.name}: ${states} states, ${transitions} transitions, ${worlds} tables, ${ends} ends, depth ${depth}\n`,
      );
      all.push(explored);
      expect(ends).toBeGreaterThan(0);
    },
    patienceMs,
  );

  afterAll(() => {
    if (!isWhole || all.length < scenarios.length) return;
    const sum = (of: 'states' | 'transitions') => all.reduce((total, each) => total + each[of], 0);
    const survived = (unit: 'states' | 'transitions') => ({
      unit: unit === 'states' ? 'states of a model' : unit,
      tried: sum(unit),
      survived: sum(unit),
    });
    recordRun({
      suite: 'states',
      tried: [survived('states'), survived('transitions')],
      figures: [
        `${scenarios.length} scenarios`,
        `longest way ${Math.max(...all.map(({ depth }) => depth))} steps`,
      ],
      seconds: (performance.now() - began) / 1000,
    });
  });
});

describe('the search', () => {
  it('finds a broken rule if the table forgets the conditions of its writes', async () => {
    const broken = { ...oneJob, forgetsConditions: true };
    await expect(explore(broken)).rejects.toThrow(/-1 jobs are counted(.*\n)*.*worker 2: end /);
  });
});
