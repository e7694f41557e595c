import type { Table } from '#lib/table/table.ts';

const name = 'interrupt';

/** Lets something happen right before the next command of a kind: once, and never in its own way. */
export function interruptBefore(
  table: Table,
  command: 'GetItemCommand' | 'QueryCommand' | 'TransactWriteItemsCommand' | 'UpdateItemCommand',
  happen: () => Promise<unknown>,
): void {
  table.client.middlewareStack.add(
    (next, { commandName }) =>
      async (parameters) => {
        if (commandName === command && table.client.middlewareStack.remove(name)) await happen();
        return next(parameters);
      },
    { step: 'initialize', name },
  );
}
