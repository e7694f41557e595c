import type {
  EmbeddedDynamoDb,
  EmbeddedDynamoDbOptions,
} from '#local/dynamodb/embedded-dynamodb.ts';
import { startEmbeddedDynamoDb } from '#local/dynamodb/embedded-dynamodb.ts';
import { openTables, type Tables } from './open-tables.ts';

/** Runs a task on an engine of its own, and closes it whatever happens. */
export async function useEmbedded(
  options: EmbeddedDynamoDbOptions,
  task: (tables: Tables, running: EmbeddedDynamoDb) => Promise<void>,
): Promise<void> {
  const running = await startEmbeddedDynamoDb(options);
  const tables = openTables(running.endpoint);
  try {
    await task(tables, running);
  } finally {
    tables.destroy();
    await running.close();
  }
}
