import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import {
  PutCommand,
  type PutCommandInput,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { type Change, changeOf } from './change.ts';
import type { PrimaryKey } from './keys.ts';
import type { Table } from './table.ts';

type Put = Omit<PutCommandInput, 'TableName'>;
type Update = Omit<UpdateCommandInput, 'TableName'>;

export function putItem(table: Table, put: Put) {
  return table.client.send(new PutCommand({ TableName: table.name, ...put }));
}

export function updateItem(table: Table, update: Update) {
  return table.client.send(new UpdateCommand({ TableName: table.name, ...update }));
}

export function changeItem(table: Table, key: PrimaryKey, change: Change) {
  return updateItem(table, changeOf(key, change));
}

/** Returns false if the conditions of the change do not hold. */
export function changeIf(table: Table, key: PrimaryKey, change: Change): Promise<boolean> {
  return updateIf(table, changeOf(key, change));
}

/** Returns false if the condition does not hold. */
export function updateIf(table: Table, update: Update): Promise<boolean> {
  return wasWritten(updateItem(table, update));
}

/** Returns the result of a conditional write, or undefined if its condition did not hold. */
export async function unlessRefused<T>(write: Promise<T>): Promise<T | undefined> {
  try {
    return await write;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return undefined;
    throw error;
  }
}

export async function wasWritten(write: Promise<object>): Promise<boolean> {
  return (await unlessRefused(write)) !== undefined;
}
