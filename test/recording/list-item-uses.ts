import type { ItemUse } from './service-call.ts';

export interface TableCommand {
  readonly constructor: { readonly name: string };
  readonly input: Readonly<Record<string, unknown>>;
}

type Write = Readonly<Record<string, { Key?: { PK: string }; Item?: { PK: string } }>>;

const single = new Map([
  ['GetCommand', 'GetItem'],
  ['PutCommand', 'PutItem'],
  ['UpdateCommand', 'UpdateItem'],
  ['DeleteCommand', 'DeleteItem'],
]);

/** What a command of the document client does, item by item. */
export function listItemUses({ constructor: { name }, input }: TableCommand): ItemUse[] {
  switch (name) {
    case 'QueryCommand':
      return [
        {
          action: 'Query',
          ...(typeof input.IndexName === 'string' && { index: input.IndexName }),
          partitions: [partitionOf(input)],
        },
      ];
    case 'TransactWriteCommand':
      return Object(input.TransactItems).flatMap((write: Write) =>
        Object.entries(write).map(([kind, { Key, Item }]) => ({
          action: kind === 'ConditionCheck' ? 'ConditionCheckItem' : `${kind}Item`,
          partitions: [(Key ?? Item)?.PK ?? ''],
        })),
      );
    case 'TransactGetCommand':
      return Object(input.TransactItems).map(({ Get }: { Get: { Key: { PK: string } } }) => ({
        action: 'GetItem',
        partitions: [Get.Key.PK],
      }));
    case 'BatchGetCommand':
      return Object.values(Object(input.RequestItems)).flatMap((request) =>
        Object(request).Keys.map((key: { PK: string }) => ({
          action: 'BatchGetItem',
          partitions: [key.PK],
        })),
      );
    default: {
      const action = single.get(name);
      // What is not known here names no partition, and is judged so.
      if (action === undefined) return [{ action: name.replace(/Command$/, ''), partitions: [] }];
      return [{ action, partitions: [Object(input.Key ?? input.Item).PK ?? ''] }];
    }
  }
}

/** Of a condition on keys the partition stands first. */
function partitionOf(input: TableCommand['input']): string {
  const name = /= (:\w+)/.exec(String(input.KeyConditionExpression))?.[1] ?? '';
  return Object(input.ExpressionAttributeValues)[name] ?? '';
}

/**
 * What is asked of IAM for them: each action once in each place, with all partitions that it names.
 * How DynamoDB divides a transaction is not said anywhere; who may do all of it at once may do any
 * part of it.
 */
export function joinItemUses(uses: readonly ItemUse[]): ItemUse[] {
  const groups = Map.groupBy(uses, ({ action, index = '' }) => `${action} ${index}`);
  return [...groups.values()].flatMap(([first, ...others]) =>
    first
      ? [
          {
            ...first,
            partitions: [
              ...new Set([first, ...others].flatMap((use) => use.partitions.map(generalize))),
            ].sort(),
          },
        ]
      : [],
  );
}

/** A part of a key with a digit in it is a number, a day or an identifier: any other would do. */
function generalize(partition: string): string {
  return partition
    .split('#')
    .map((part) => (/\d/.test(part) ? '0' : part))
    .join('#');
}
