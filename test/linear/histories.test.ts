import { afterAll, beforeAll, describe, it } from 'vitest';
import { embedded, engines } from '../engines/engines.ts';
import { type OpenedTable, openTableOn } from '../engines/open-table-on.ts';
import { recordRun } from '../setup/record-run.ts';
import { openInProcess } from './in-process.ts';
import { expectOrder } from './judge.ts';
import { play } from './play.ts';

/** `npm run suite -- linear` plays many more, and others each time. LINEAR_SEED plays the same again. */
const isLong = process.env.LINEAR === 'long';
const firstSeed = Number(process.env.LINEAR_SEED ?? (isLong ? Date.now() % 2 ** 31 : 20_261_117));
const clients = 5;
const callsOfClient = 12;
/** On a slow machine fewer are played, so that a run ends. */
const mostSeconds = 360;

describe.each(engines.filter(({ available }) => available))('$name', (engine) => {
  const isEmbedded = engine === embedded;
  const usual = isLong ? (isEmbedded ? 2_000 : 150) : 20;
  const histories = Number(process.env.LINEAR_RUNS ?? usual);
  let opened: OpenedTable;
  beforeAll(async () => {
    opened = await openTableOn(engine, 'slipway-linear');
  });
  afterAll(() => opened.close());

  it(`has an order of everything in ${histories} histories of ${clients} clients`, async () => {
    const began = performance.now();
    const secondsGone = () => (performance.now() - began) / 1000;
    let [played, made] = [0, 0];
    while (played < histories && secondsGone() < mostSeconds) {
      const seed = firstSeed + played;
      const project = await openInProcess(opened.table, seed);
      const calls = await play(project, { seed, clients, callsOfClient });
      made += calls.length;
      expectOrder(calls, project.unit, seed);
      played += 1;
    }
    process.stdout.write(`${engine.name}: ${made} calls, ${played} histories, seed ${firstSeed}\n`);
    recordRun({
      suite: isEmbedded ? 'linear' : 'linear-dynamodb',
      tried: [
        { unit: 'concurrent calls put in order', tried: made, survived: made },
        { unit: 'histories', tried: played, survived: played },
      ],
      figures: [`${clients} clients in one project`, `seed ${firstSeed}`],
      seconds: secondsGone(),
    });
  }, 1_800_000);
});
