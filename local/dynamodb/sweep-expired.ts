import { ConditionFailedError } from './operations/evaluate-write.ts';
import { deleteItem } from './operations/write-items.ts';
import type { Engine } from './store/engine.ts';
import { keyNames, pickNames, type TableDefinition } from './store/table-definition.ts';
import { forgetExpiredTokens } from './store/token-store.ts';
import type { Item } from './values/attribute-value.ts';

// Like DynamoDB, ignore older times. They are probably mistakes, so the items stay.
const oldestSeconds = 5 * 365 * 24 * 3600;
const batchSize = 100;

/** Deletes a batch of expired items. Returns whether there may be more. */
export function sweepExpired(engine: Engine): boolean {
  const { database, tables, items } = engine;
  const now = Math.floor(engine.now() / 1000);
  forgetExpiredTokens(database, engine.now());
  let found = 0;
  for (const name of tables.names) {
    const table = tables.require(name);
    const attribute = tables.timeToLive(table);
    if (attribute === undefined) continue;
    const expired = items.findExpired(table, now - oldestSeconds, now, batchSize);
    for (const item of expired) deleteExpired(engine, table, attribute, item, now);
    found = Math.max(found, expired.length);
  }
  return found === batchSize;
}

function deleteExpired(
  engine: Engine,
  table: TableDefinition,
  attribute: string,
  item: Item,
  now: number,
): void {
  const request = {
    TableName: table.name,
    Key: pickNames(item, keyNames(table)),
    ConditionExpression: '#expires <= :now',
    ExpressionAttributeNames: { '#expires': attribute },
    ExpressionAttributeValues: { ':now': { N: String(now) } },
  };
  try {
    deleteItem(engine, request, 'expiry');
  } catch (error) {
    if (!(error instanceof ConditionFailedError)) throw error;
  }
}
