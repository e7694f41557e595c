import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { type HpcSystem, runsAsOwner } from '#lib/catalog/hpc-system.ts';
import type { SystemName, UserId } from '#lib/catalog/identifiers.ts';
import { loginKey, loginPrefix, userPartition } from '#lib/table/keys.ts';
import { parseItem } from '#lib/table/parse-item.ts';
import { readItem } from '#lib/table/reads/read-item.ts';
import { StoredSystemName, StoredUserId } from '#lib/table/stored-names.ts';
import type { Table } from '#lib/table/table.ts';
import type { Step } from '#lib/table/writes/transaction.ts';
import { AccountMissingError, AccountNotFoundError, LoginChangedError } from './errors.ts';
import type { Login } from './login.ts';

const LoginItem = v.object({
  type: v.literal('login'),
  schema_version: v.literal(1),
  user: StoredUserId,
  hpc: StoredSystemName,
  login: v.string(),
});

function loginToItem({ user, hpc, name }: Login) {
  return {
    ...loginKey(user, hpc),
    type: 'login',
    schema_version: 1,
    user,
    hpc,
    login: name,
  } satisfies v.InferInput<typeof LoginItem> & ReturnType<typeof loginKey>;
}

function loginFromItem(stored: unknown): Login {
  const { user, hpc, login: name } = parseItem(LoginItem, stored);
  return { user, hpc, name };
}

export async function readLogin(
  table: Table,
  user: UserId,
  hpc: SystemName,
): Promise<Login | undefined> {
  const stored = await readItem(table, loginKey(user, hpc));
  return stored && loginFromItem(stored);
}

export async function findLogin(table: Table, user: UserId, hpc: SystemName): Promise<Login> {
  const login = await readLogin(table, user, hpc);
  if (!login) throw new AccountNotFoundError(user, hpc);
  return login;
}

/**
 * Reads a user's logins, sorted by system. There is at most one per system, so one page holds them.
 */
export async function readLogins(table: Table, user: UserId): Promise<Login[]> {
  const { Items = [] } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      KeyConditionExpression: 'PK = :user AND begins_with(SK, :logins)',
      ExpressionAttributeValues: { ':user': userPartition(user), ':logins': loginPrefix },
      ConsistentRead: true,
    }),
  );
  return Items.map(loginFromItem);
}

/** Writes a login only over the one that was read. */
export function putLogin(login: Login, before: Login | undefined): Step {
  return {
    write: (tableName) => ({
      Put: { TableName: tableName, Item: loginToItem(login), ...onlyOver(before) },
    }),
    refuse: () => new LoginChangedError(),
  };
}

export function deleteLogin(login: Login): Step {
  return {
    write: (tableName) => ({
      Delete: {
        TableName: tableName,
        Key: loginKey(login.user, login.hpc),
        ...onlyOver(login),
      },
    }),
    refuse: () => new LoginChangedError(),
  };
}

function onlyOver(login: Login | undefined) {
  return login
    ? {
        ConditionExpression: 'login = :seen',
        ExpressionAttributeValues: { ':seen': login.name },
      }
    : { ConditionExpression: 'attribute_not_exists(PK)' };
}

/**
 * Returns the account that a user's job runs as. Undefined, and no read, if jobs run as the
 * service.
 */
export async function requireLogin(
  table: Table,
  user: UserId,
  system: HpcSystem,
): Promise<string | undefined> {
  if (!runsAsOwner(system)) return undefined;
  const login = await readLogin(table, user, system.name);
  if (!login) throw new AccountMissingError(user, system.name);
  return login.name;
}
