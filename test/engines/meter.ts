import type { Table } from '#lib/table/table.ts';

/** Units that requests consumed, as the engine counted them. */
export interface Cost {
  readonly readUnits: number;
  readonly writeUnits: number;
}

interface Consumed {
  readonly CapacityUnits?: number;
}

const reads = new Set(['BatchGetItemCommand', 'GetItemCommand', 'QueryCommand']);

/** Adds up what the requests of a table consume. */
export function meter(table: Table) {
  let readUnits = 0;
  let writeUnits = 0;
  table.client.middlewareStack.add(
    (next, { commandName }) =>
      async (parameters) => {
        Object.assign(parameters.input, { ReturnConsumedCapacity: 'TOTAL' });
        const result = await next(parameters);
        const output: { ConsumedCapacity?: Consumed | Consumed[] } = Object(result.output);
        const units = [output.ConsumedCapacity ?? []]
          .flat()
          .reduce((sum, { CapacityUnits = Number.NaN }) => sum + CapacityUnits, 0);
        if (reads.has(commandName ?? '')) readUnits += units;
        else writeUnits += units;
        return result;
      },
    { step: 'initialize' },
  );
  return {
    async cost(action: () => Promise<unknown>): Promise<Cost> {
      readUnits = 0;
      writeUnits = 0;
      await action();
      return { readUnits, writeUnits };
    },
  };
}
