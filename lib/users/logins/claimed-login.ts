import type { HpcSystem } from '#lib/catalog/hpc-system.ts';
import type { SystemName, UserId } from '#lib/catalog/identifiers.ts';
import { ifMissing } from '#lib/table/conditions.ts';
import { StaleReadError } from '#lib/table/errors.ts';
import { claimedLoginKey, loginHolderKey } from '#lib/table/keys.ts';
import { readItem } from '#lib/table/reads.ts';
import type { Table } from '#lib/table/table.ts';
import { decideUntilWritten, type Step, writeTransaction } from '#lib/table/transaction.ts';
import { AccountMissingError } from './errors.ts';
import { claimedLogin, type Login, loginHolder, loginInClaim } from './login.ts';

export function readClaimedLogin(
  table: Table,
  user: UserId,
  hpc: SystemName,
): Promise<Login | undefined> {
  return readItem(table, claimedLoginKey(user, hpc), claimedLogin.parse);
}

function readHolder(table: Table, hpc: SystemName, name: string): Promise<Login | undefined> {
  return readItem(table, loginHolderKey(hpc, name), loginHolder.parse);
}

/** Notes whose a login is. An administrator may give it to somebody else. */
export function holdLogin(login: Login, condition = {}): Step {
  const Item = { ...loginHolderKey(login.hpc, login.name), ...loginHolder.format(login) };
  return { Put: { Item, ...condition }, refuse: () => new StaleReadError() };
}

/** Frees a login that its user no longer has, unless somebody else has it. */
export async function freeLogin(table: Table, { user, hpc, name }: Login): Promise<Step[]> {
  const holder = await readHolder(table, hpc, name);
  if (holder?.user !== user) return [];
  return [
    {
      Delete: { Key: loginHolderKey(hpc, name), ...onlyOf(user) },
      refuse: () => new StaleReadError(),
    },
  ];
}

const onlyOf = (user: UserId) => ({
  ConditionExpression: '#user = :user',
  ExpressionAttributeNames: { '#user': 'user' },
  ExpressionAttributeValues: { ':user': user },
});

/** A user whose login no administrator has entered. */
export interface Claimant {
  readonly owner: UserId;
  readonly system: HpcSystem;
  /** The claims of the owner's token, by name. */
  readonly claims?: Readonly<Record<string, string>> | undefined;
}

interface ClaimedLogin {
  readonly login: Login;
  /** What the token named before. */
  readonly before: Login | undefined;
  /** Whether the service knows already whose it is. */
  readonly isHeld: boolean;
}

/** Returns the login that the token names, unless the system has none like it or it is another's. */
export async function judgeClaim(
  table: Table,
  { owner, system, claims = {} }: Claimant,
): Promise<ClaimedLogin> {
  const { name: hpc, accountClaim } = system;
  const claim = accountClaim && claims[accountClaim.name];
  if (accountClaim === undefined || claim === undefined) throw new AccountMissingError(owner, hpc);
  const name = loginInClaim(accountClaim, claim);
  if (name === undefined) throw new AccountMissingError(owner, hpc, { claim });
  const [before, holder] = await Promise.all([
    readClaimedLogin(table, owner, hpc),
    readHolder(table, hpc, name),
  ]);
  if (holder && holder.user !== owner) {
    throw new AccountMissingError(owner, hpc, { claim: name, isTaken: true });
  }
  return { login: { user: owner, hpc, name }, before, isHeld: holder !== undefined };
}

/** Takes the login that the token names, and notes whose it is. */
export async function takeClaimed(table: Table, claimant: Claimant): Promise<string> {
  return decideUntilWritten(async () => {
    const { login, before, isHeld } = await judgeClaim(table, claimant);
    const { user, hpc, name } = login;
    if (isHeld && before?.name === name) return name;
    await writeTransaction(table, [
      {
        Put: { Item: { ...claimedLoginKey(user, hpc), ...claimedLogin.format(login) } },
        refuse: () => new StaleReadError(),
      },
      holdLogin(login, isHeld ? onlyOf(user) : ifMissing),
      ...(before && before.name !== name ? await freeLogin(table, before) : []),
    ]);
    return name;
  });
}
