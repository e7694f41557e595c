import { runsAsOwner } from '#lib/catalog/hpc-system.ts';
import type { SystemName, UserId } from '#lib/catalog/identifiers.ts';
import { ifMissing } from '#lib/table/conditions.ts';
import { StaleReadError } from '#lib/table/errors.ts';
import {
  claimedLoginKey,
  claimedLoginPrefix,
  loginKey,
  loginPrefix,
  userPartition,
} from '#lib/table/keys.ts';
import { queryPage, readItem, selectPrefix } from '#lib/table/reads.ts';
import type { Table } from '#lib/table/table.ts';
import type { Step } from '#lib/table/transaction.ts';
import { type Claimant, judgeClaim, takeClaimed } from './claimed-login.ts';
import { AccountNotFoundError } from './errors.ts';
import { claimedLogin, type Login, storedLogin } from './login.ts';

export function readLogin(table: Table, user: UserId, hpc: SystemName): Promise<Login | undefined> {
  return readItem(table, loginKey(user, hpc), storedLogin.parse);
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
  const logins = selectPrefix({ PK: userPartition(user), prefix: loginPrefix });
  const { Items } = await queryPage(table, logins);
  return Items.map(storedLogin.parse);
}

/** Reads the logins that the user's tokens named last, sorted by system. */
export async function readClaimedLogins(table: Table, user: UserId): Promise<Login[]> {
  const claimed = selectPrefix({ PK: userPartition(user), prefix: claimedLoginPrefix });
  const { Items } = await queryPage(table, claimed);
  return Items.map(claimedLogin.parse);
}

/** Writes a login only over the one that was read. */
export function putLogin(login: Login, before: Login | undefined): Step {
  return {
    Put: {
      Item: { ...loginKey(login.user, login.hpc), ...storedLogin.format(login) },
      ...onlyOver(before),
    },
    refuse: () => new StaleReadError(),
  };
}

export function deleteLogin(login: Login, Key = loginKey(login.user, login.hpc)): Step {
  return { Delete: { Key, ...onlyOver(login) }, refuse: () => new StaleReadError() };
}

export function deleteClaimedLogin(login: Login): Step {
  return deleteLogin(login, claimedLoginKey(login.user, login.hpc));
}

function onlyOver(login: Login | undefined) {
  return login
    ? {
        ConditionExpression: 'login = :seen',
        ExpressionAttributeValues: { ':seen': login.name },
      }
    : ifMissing;
}

/**
 * Returns the account that a user's job would run as: the one that an administrator entered, or that
 * of the token. Undefined, and no read, if jobs run as the service.
 */
export function estimateLogin(table: Table, claimant: Claimant): Promise<string | undefined> {
  return chooseLogin(table, claimant, async () => (await judgeClaim(table, claimant)).login.name);
}

/** Returns the same for a job that is submitted, and notes a login that the token names. */
export function requireLogin(table: Table, claimant: Claimant): Promise<string | undefined> {
  return chooseLogin(table, claimant, () => takeClaimed(table, claimant));
}

async function chooseLogin(
  table: Table,
  { owner, system }: Claimant,
  claimed: () => Promise<string>,
): Promise<string | undefined> {
  if (!runsAsOwner(system)) return undefined;
  const login = await readLogin(table, owner, system.name);
  return login ? login.name : claimed();
}
