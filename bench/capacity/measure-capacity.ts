import { createTable } from '#local/create-table.ts';
import { credentials, setCredentials } from '#test/engines/credentials.ts';
import { javaIsPresent, startDynamoDbLocal } from '#test/engines/dynamodb-local.ts';
import type { Cost } from '#test/engines/meter.ts';
import { measuredUnits } from '#tools/costs/measured-units.ts';
import type { Figure } from '../measure/figures.ts';
import { formatTable } from '../measure/format-table.ts';
import { openTableAt } from '../measure/open-table-at.ts';
import { readCount, runPart } from '../measure/run-part.ts';
import { seedEndedJobs } from '../seed/seed-ended-jobs.ts';
import { seedOwner as owner } from '../seed/seed-owner.ts';
import { computeGrowth } from './compute-growth.ts';
import { measureOperations, type Operations } from './measure-operations.ts';

const smallest = 100;

const help = `What each operation consumes of the table, in read and write units of Amazon's
DynamoDB Local (needs Java 17), in a table of 100 jobs and in a large one. The growth is the units
of the large table divided by those of the small one: 1.00 where an operation costs the same.

  npm run -s bench:capacity -- [--jobs 10000] [--json FILE]

  --jobs          how many jobs the large table has (default 10000)
`;

await runPart({
  help,
  options: { jobs: { type: 'string' } },
  async measure(wishes) {
    const largest = readCount(wishes, 'jobs', 10_000);
    if (!javaIsPresent()) {
      throw new Error('DynamoDB Local needs Java 17: apt-get install default-jre-headless');
    }
    const { endpoint, close } = await startDynamoDbLocal();
    const small = await measureWith(endpoint, smallest);
    const large = await measureWith(endpoint, largest);
    await close();
    process.stdout.write(describeUnits(largest, small, large));
    return listFigures(small, large);
  },
});

async function measureWith(endpoint: string, jobs: number): Promise<Operations> {
  setCredentials();
  const name = `slipway-${jobs}`;
  await createTable(name, endpoint);
  const table = openTableAt(endpoint, name, credentials);
  await seedEndedJobs(table, owner, jobs);
  const operations = await measureOperations(table, owner, jobs);
  table.client.destroy();
  return operations;
}

function operationNames(): (keyof Operations)[] {
  const isName = (name: string): name is keyof Operations => name in measuredUnits;
  return Object.keys(measuredUnits).filter(isName);
}

function describeUnits(largest: number, small: Operations, large: Operations): string {
  const size = (jobs: number) => `${jobs.toLocaleString('en-US')} jobs`;
  const units = ({ readUnits, writeUnits }: Cost) => `${readUnits} r ${writeUnits} w`;
  return formatTable([
    ['units', size(smallest), size(largest), 'growth'],
    ...operationNames().map((name) => [
      name,
      units(small[name]),
      units(large[name]),
      computeGrowth(small[name], large[name]).toFixed(2),
    ]),
  ]);
}

function listFigures(small: Operations, large: Operations): Figure[] {
  return operationNames().flatMap((name) => [
    { name: `capacity.${name}`, value: computeGrowth(small[name], large[name]) },
    { name: `capacity.${name}.read-units`, value: large[name].readUnits, unit: 'read units' },
    { name: `capacity.${name}.write-units`, value: large[name].writeUnits, unit: 'write units' },
  ]);
}
