import { randomUUID } from 'node:crypto';
import type { Act } from '#lib/audit/act.ts';
import { recordAct } from '#lib/audit/audit-store.ts';
import { type HpcSystem, runsAsOwner } from '#lib/catalog/hpc-system.ts';
import type { UserId } from '#lib/catalog/identifiers.ts';
import type { Table } from '#lib/table/table.ts';
import { decideUntilWritten, writeTransaction } from '#lib/table/transaction.ts';
import { freeLogin, holdLogin } from './claimed-login.ts';
import { AccountNotFoundError, AccountsNotUsedError } from './errors.ts';
import type { Login } from './login.ts';
import { deleteLogin, putLogin, readLogin } from './login-store.ts';

/** An administrator's order about a user's login. */
interface LoginOrder {
  readonly user: UserId;
  readonly system: HpcSystem;
  readonly name: string;
  readonly reason: string;
  readonly by: string;
}

export interface Mapped {
  readonly login: Login;
  readonly outcome: 'created' | 'changed' | 'unchanged';
}

/**
 * Sets the account that the user's jobs run as from now on. Jobs that were already submitted keep
 * theirs. The user need not be known yet. Repeating an order changes nothing.
 */
export async function mapLogin(table: Table, order: LoginOrder, at = new Date()): Promise<Mapped> {
  const login = loginOf(order);
  return decideUntilWritten(async () => {
    const before = await readLogin(table, login.user, login.hpc);
    const outcome = compare(before, login);
    if (outcome !== 'unchanged') {
      const act = describeAct(order, 'account-mapped', at, before?.name ?? null, login.name);
      await writeTransaction(table, [
        putLogin(login, before),
        holdLogin(login),
        ...(before ? await freeLogin(table, before) : []),
        recordAct(act),
      ]);
    }
    return { login, outcome };
  });
}

/** Returns what mapLogin would do, or throws its error. Writes nothing. */
export async function estimateMapping(table: Table, order: LoginOrder): Promise<Mapped> {
  const login = loginOf(order);
  return { login, outcome: compare(await readLogin(table, login.user, login.hpc), login) };
}

/** Also works after the system's jobs were switched to run as the service. */
export async function unmapLogin(
  table: Table,
  order: Omit<LoginOrder, 'name'>,
  at = new Date(),
): Promise<Login> {
  const { user, system } = order;
  return decideUntilWritten(async () => {
    const before = await readLogin(table, user, system.name);
    if (!before) throw new AccountNotFoundError(user, system.name);
    const act = describeAct(order, 'account-unmapped', at, before.name, null);
    const freed = await freeLogin(table, before);
    await writeTransaction(table, [deleteLogin(before), ...freed, recordAct(act)]);
    return before;
  });
}

function loginOf({ user, system, name }: LoginOrder): Login {
  if (!runsAsOwner(system)) throw new AccountsNotUsedError(system.name);
  return { user, hpc: system.name, name };
}

function compare(before: Login | undefined, { name }: Login): Mapped['outcome'] {
  if (!before) return 'created';
  return before.name === name ? 'unchanged' : 'changed';
}

function describeAct(
  { user, system, reason, by }: Omit<LoginOrder, 'name'>,
  kind: Act['kind'],
  at: Date,
  before: string | null,
  after: string | null,
): Act {
  const subject = { user, hpc: system.name };
  return {
    id: randomUUID(),
    kind,
    at,
    by,
    reason,
    subject,
    details: { account: { before, after } },
  };
}
