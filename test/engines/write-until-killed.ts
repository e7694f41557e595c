// Run as a process of its own: writes transactions into the directory given until it is killed, and
// prints the number of each one after it was acknowledged.
import { startEmbeddedDynamoDb } from '#local/dynamodb/embedded-dynamodb.ts';
import { openTables } from './open-tables.ts';

const [path = '', first = '0'] = process.argv.slice(2);
const { endpoint } = await startEmbeddedDynamoDb({ path });
const tables = openTables(endpoint);
const TableName = first === '0' ? await tables.create() : 'Table-1';

let next = Number(first);
async function writeForEver(): Promise<never> {
  for (;;) {
    const id = next;
    next += 1;
    await tables.documents.transactWrite({
      TransactItems: ['a', 'b', 'c'].map((part) => ({
        Put: { TableName, Item: { PK: `USER#${part}`, SK: `${id}`, id, stage: `S${id}` } },
      })),
    });
    process.stdout.write(`${id}\n`);
  }
}
await Promise.all(Array.from({ length: 8 }, writeForEver));
