import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { recordRun } from '../setup/record-run.ts';
import type { Deployment } from './deployment.ts';
import { clock, drawFrom, faults, seed } from './listed-faults.ts';
import { type Outcome, play } from './play.ts';

vi.hoisted(() => {
  process.env.SIM_HOUR_SECONDS = '60';
});

let open: () => Deployment;
const began = process.hrtime.bigint();
const outcomes: Outcome[] = [];

beforeAll(async () => {
  const { loadDeployment } = await import('./deployment.ts');
  open = await loadDeployment();
});

describe(`after a fault (SEED=${seed}), everything goes on, once, and adds up`, () => {
  it.each(faults.map((fault, place) => ({ fault, place, name: fault.name })))(
    '$name',
    async ({ fault, place }) => {
      drawFrom(seed - place);
      const outcome = await play(open(), clock, fault, {
        seed: seed + place,
        firstUser: 1000 + 10 * place,
      });
      outcomes.push(outcome);
      if (!fault.name.startsWith('clock')) expect(outcome.met).toBeGreaterThan(0);
      expect(outcome.jobs).toBeGreaterThan(20);
    },
  );
});

afterAll(() => {
  process.stdout.write(`${outcomes.map(describeOutcome).join('\n')}\n`);
  if (outcomes.length < faults.length) return;
  const tried = outcomes.reduce((sum, outcome) => sum + outcome.tried, 0);
  recordRun({
    suite: 'faults',
    tried: [
      { unit: 'faults', tried: faults.length, survived: outcomes.length },
      { unit: 'operations', tried, survived: tried },
    ],
    seconds: Number(process.hrtime.bigint() - began) / 1e9,
    figures: [`seed ${seed}`],
  });
});

function describeOutcome({
  fault,
  met,
  tried,
  refused,
  jobs,
  rounds,
  seconds,
  deadLetters,
}: Outcome): string {
  const parts = [
    `${met} met`,
    `${tried} tried`,
    `${refused} refused`,
    `${jobs} jobs`,
    `${rounds} rounds`,
  ];
  if (deadLetters > 0) parts.push(`${deadLetters} dead letters`);
  return `${fault.padEnd(60)} ${parts.join(', ')}, ${seconds} s`;
}
