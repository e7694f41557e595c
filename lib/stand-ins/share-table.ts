import { dataStepsKey } from '#lib/table/keys.ts';
import { openTable, type Table } from '#lib/table/table.ts';
import { checkSteps, NewerDataError } from '#lib/table/taken-steps.ts';

const shared = new Map<string, Table>();

/**
 * Stands in for share-table.ts in bundles, where another release may have changed the data. Before
 * its first call, each container reads which steps the data has taken, and refuses all calls if it
 * does not know one. A laptop edition checks that at its start.
 */
export function shareTable(name: string): Table {
  const table = shared.get(name) ?? guard(openTable(name));
  shared.set(name, table);
  return table;
}

function guard(table: Table): Table {
  let check: Promise<void> | undefined;
  const checkOnce = () => {
    check ??= checkSteps(table).catch((error: unknown) => {
      // The table could not be read. The next call tries again.
      if (!(error instanceof NewerDataError)) check = undefined;
      throw error;
    });
    return check;
  };
  table.client.middlewareStack.add(
    (next) => async (args) => {
      if (!asksForSteps(args.input)) await checkOnce();
      return next(args);
    },
    { step: 'initialize', priority: 'high', name: 'checkSteps' },
  );
  return table;
}

function asksForSteps(input: object): boolean {
  return 'Key' in input && JSON.stringify(input.Key) === JSON.stringify(dataStepsKey());
}
