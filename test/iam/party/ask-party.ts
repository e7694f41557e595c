import type { DynamoDBDocument, TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { tableDefinition } from '#lib/table/definition.ts';
import type { ItemUse } from '#test/recording/service-call.ts';

/** Nothing has it, so that what is allowed changes nothing. */
const never = { ConditionExpression: 'attribute_exists(nothing)' };
const change = { UpdateExpression: 'SET changed = :yes', ExpressionAttributeValues: { ':yes': 1 } };

const unmet = ['ConditionalCheckFailedException', 'TransactionCanceledException'];

/** Makes a recorded call once more, and tells whether its caller may. */
export async function mayMake(
  table: DynamoDBDocument,
  name: string,
  uses: readonly ItemUse[],
): Promise<boolean> {
  try {
    await make(table, name, uses);
    return true;
  } catch (error) {
    const { name: kind } = Object(error);
    if (kind === 'AccessDeniedException') return false;
    if (unmet.includes(kind)) return true;
    throw error;
  }
}

/** An item that a call is about. Those of one call are different items. */
interface Touched {
  readonly action: string;
  readonly index: string | undefined;
  readonly Key: { readonly PK: string; readonly SK: string };
}

function make(
  table: DynamoDBDocument,
  TableName: string,
  uses: readonly ItemUse[],
): Promise<unknown> {
  const items = uses.flatMap(({ action, index, partitions }) =>
    partitions.map((PK): Touched => ({ action, index, Key: { PK, SK: action } })),
  );
  const [first, ...others] = items;
  if (!first) throw new Error(`No partition is named by ${JSON.stringify(uses)}.`);
  const { action, Key } = first;
  if (action === 'BatchGetItem') {
    return table.batchGet({
      RequestItems: { [TableName]: { Keys: items.map((each) => each.Key) } },
    });
  }
  if (action === 'GetItem' && others.length > 0) {
    return table.transactGet({
      TransactItems: items.map((each) => ({ Get: { TableName, Key: each.Key } })),
    });
  }
  if (others.length > 0 || action === 'ConditionCheckItem') {
    return table.transactWrite({ TransactItems: items.map((each) => stepOf(TableName, each)) });
  }
  switch (action) {
    case 'Query':
      return query(table, TableName, first);
    case 'GetItem':
      return table.get({ TableName, Key });
    case 'PutItem':
      return table.put({ TableName, Item: Key, ...never });
    case 'UpdateItem':
      return table.update({ TableName, Key, ...change, ...never });
    case 'DeleteItem':
      return table.delete({ TableName, Key, ...never });
    default:
      throw new Error(`Nothing recorded did ${action} until now.`);
  }
}

function query(table: DynamoDBDocument, TableName: string, { index, Key }: Touched) {
  const { globalIndexes, partitionKey } = tableDefinition;
  const key = globalIndexes.find(({ name }) => name === index)?.partitionKey ?? partitionKey;
  return table.query({
    TableName,
    IndexName: index,
    KeyConditionExpression: '#key = :key',
    ExpressionAttributeNames: { '#key': key },
    ExpressionAttributeValues: { ':key': Key.PK },
  });
}

type Step = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

function stepOf(TableName: string, { action, Key }: Touched): Step {
  switch (action) {
    case 'PutItem':
      return { Put: { TableName, Item: Key, ...never } };
    case 'UpdateItem':
      return { Update: { TableName, Key, ...change, ...never } };
    case 'DeleteItem':
      return { Delete: { TableName, Key, ...never } };
    case 'ConditionCheckItem':
      return { ConditionCheck: { TableName, Key, ...never } };
    default:
      throw new Error(`No transaction of writes does ${action}.`);
  }
}
