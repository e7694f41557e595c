import type { Figure } from '../measure/figures.ts';
import { formatTable } from '../measure/format-table.ts';
import { readCount, runPart } from '../measure/run-part.ts';
import { createTemporaryFolder } from '../measure/temporary-folder.ts';
import { measureInTurn } from './measure-in-turn.ts';
import {
  type Operation,
  operations,
  type SeededEdition,
  startSeededEdition,
} from './start-seeded-edition.ts';

const help = `How the time of an answer grows with the table: the median of a single job, a page of
100 jobs and a submission, over HTTP from the laptop edition, with 100 and with 10,000 jobs of one
user. Both run beside each other and are asked in turn.

  npm run -s bench:growth -- [--jobs 10000] [--million] [--json FILE]

  --jobs          how many jobs the large table has (default 10000)
  --million       a third one with 1,000,000 jobs, which takes a while to load
`;

/** So many that a median stands still, and so few that the small table stays small. */
const perRound: Readonly<Record<Operation, number>> = { single: 50, 'page-100': 10, submit: 10 };

const million = 1_000_000;

await runPart({
  help,
  options: { jobs: { type: 'string' }, million: { type: 'boolean' } },
  async measure(wishes) {
    const sizes = [100, readCount(wishes, 'jobs', 10_000), ...(wishes.million ? [million] : [])];
    const folder = createTemporaryFolder();
    const editions: SeededEdition[] = [];
    for (const size of sizes) editions.push(await startSeededEdition(folder, size));
    const figures: Figure[] = [];
    const rows = [['p50 ms', ...sizes.map((size) => `${size.toLocaleString('en-US')} jobs`)]];
    for (const operation of operations) {
      const medians = await measureInTurn(editions, operation, perRound[operation]);
      figures.push(...listFigures(operation, sizes, medians));
      const [smallest = Number.NaN] = medians;
      rows.push([
        operation,
        ...medians.map((time) => `${time.toFixed(2)} (${(time / smallest).toFixed(2)} x)`),
      ]);
    }
    for (const { edition } of editions) await edition.stop();
    process.stdout.write(formatTable(rows));
    return figures;
  },
});

/** The largest table against the smallest; the million has a name of its own. */
function listFigures(
  operation: Operation,
  sizes: readonly number[],
  medians: readonly number[],
): Figure[] {
  const [smallest = Number.NaN, ...larger] = medians;
  return [
    ...medians.map((value, index) => ({
      name: `growth.${operation}.${sizes[index]}-jobs`,
      value,
      unit: 'ms',
    })),
    ...larger.map((value, index) => ({
      name: `growth.${operation}${sizes[index + 1] === million ? '.million' : ''}`,
      value: value / smallest,
    })),
  ];
}
