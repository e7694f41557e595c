import type { Item } from 'dynalite/db/index.js';
import type { Types } from 'dynalite/validations/index.js';
import type { ParsedExpressions } from '../dynalite/condition-gaps.ts';
import type { Shape } from '../dynalite/dynalite-operations.ts';
import { itemReads, itemWrites } from '../dynalite/dynalite-operations.ts';

const { GetItem } = itemReads;
const { PutItem, UpdateItem, DeleteItem } = itemWrites;

export interface TransactWrite extends ParsedExpressions {
  TableName: string;
  ReturnValuesOnConditionCheckFailure?: string;
}

export type WriteKind = 'ConditionCheck' | 'Put' | 'Update' | 'Delete';

export interface TransactWriteRequest {
  TransactItems: Partial<Record<WriteKind, TransactWrite>>[];
  ClientRequestToken?: string;
  ReturnConsumedCapacity?: string;
}

export interface TransactGetRequest {
  TransactItems: { Get: { TableName: string; Key: Item } }[];
  ReturnConsumedCapacity?: string;
}

const conditional = [
  'ConditionExpression',
  'ExpressionAttributeNames',
  'ExpressionAttributeValues',
  'ReturnValuesOnConditionCheckFailure',
];
const required = { type: 'String', notNull: true };

export const transactWriteShape: Shape = {
  types: {
    ReturnConsumedCapacity: PutItem.types.ReturnConsumedCapacity,
    ReturnItemCollectionMetrics: PutItem.types.ReturnItemCollectionMetrics,
    ClientRequestToken: {
      type: 'String',
      lengthGreaterThanOrEqual: 1,
      lengthLessThanOrEqual: 36,
    },
    TransactItems: listOf('TransactWriteItem', {
      ConditionCheck: structure('ConditionCheck', {
        ...pick(DeleteItem.types, ['TableName', 'Key', ...conditional]),
        ConditionExpression: required,
      }),
      Put: structure('Put', pick(PutItem.types, ['TableName', 'Item', ...conditional])),
      Update: structure('Update', {
        ...pick(UpdateItem.types, ['TableName', 'Key', ...conditional]),
        UpdateExpression: required,
      }),
      Delete: structure('Delete', pick(DeleteItem.types, ['TableName', 'Key', ...conditional])),
    }),
  },
};

export const transactGetShape: Shape = {
  types: {
    ReturnConsumedCapacity: GetItem.types.ReturnConsumedCapacity,
    TransactItems: listOf('TransactGetItem', {
      Get: {
        ...structure(
          'Get',
          pick(GetItem.types, [
            'TableName',
            'Key',
            'ProjectionExpression',
            'ExpressionAttributeNames',
          ]),
        ),
        notNull: true,
      },
    }),
  },
};

function listOf(name: string, children: Types): Types {
  return {
    type: 'List',
    notNull: true,
    lengthGreaterThanOrEqual: 1,
    lengthLessThanOrEqual: 100,
    children: { type: `ValueStruct<${name}>`, children },
  };
}

function structure(name: string, children: Types): Types {
  return { type: `FieldStruct<${name}>`, children };
}

function pick(types: Types, names: string[]): Types {
  return Object.fromEntries(names.map((name) => [name, types[name]]));
}
