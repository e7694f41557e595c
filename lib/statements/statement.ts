import { budgetHolder, type UserId } from '#lib/catalog/identifiers.ts';
import type { StoredLine } from '#lib/quotas/ledger.ts';
import { type Amount, addUp, nothing, subtract } from '#lib/quotas/quota.ts';
import { sumLines } from '#lib/quotas/sum-ledger.ts';

/** The amounts of a statement, in the order in which people read them. */
export const statementParts = [
  'opening',
  'granted',
  'expired',
  'corrected',
  'shared',
  'used',
  'drawn',
  'reserved',
  'closing',
] as const;

export type StatementPart = (typeof statementParts)[number];

export type StatementAmounts = Readonly<Record<StatementPart, Amount>>;

/**
 * A month of one account of a project: opening + granted - expired + corrected + shared - used +
 * drawn - reserved = closing. `used` is by person, whoever paid: `drawn` is what the budget paid of
 * it, and with the other sign in the budget's own row. `shared` is what came from the budget. So
 * both add up to nothing. `reserved` is what holds have grown by.
 */
export interface StatementRow extends StatementAmounts {
  /** The user, or the holder of the budget. */
  readonly user: UserId;
  /** How many jobs of the user have ended. */
  readonly jobs: number;
}

/** The ledger of an account in a month, and what was left at the end. */
export interface AccountMonth {
  readonly user: UserId;
  readonly lines: readonly StoredLine[];
  readonly closing: Amount;
}

/**
 * Draws up the rows of a month from the ledgers of all accounts of a project. What only moved
 * between the budget and a member is neither granted nor expired. Accounts in which nothing was and
 * nothing happened are left out.
 */
export function drawUp(accounts: readonly AccountMonth[]): StatementRow[] {
  const ofBudget = accounts.find(({ user }) => user === budgetHolder)?.lines ?? [];
  const byMember = Map.groupBy(ofBudget, ({ member }) => member);
  return accounts
    .map((account) =>
      account.user === budgetHolder
        ? drawUpBudget(account)
        : drawUpMember(account, byMember.get(account.user) ?? []),
    )
    .filter(hasAnything);
}

function drawUpMember(
  { user, lines, closing }: AccountMonth,
  inBudget: readonly StoredLine[],
): StatementRow {
  const { granted, expired, corrected, held, returned, used, change } = sumLines(lines);
  const shares = inBudget.filter(({ kind }) => kind === 'share');
  const given = subtract(
    nothing,
    addParts(shares, (amount) => Math.min(0, amount)),
  );
  const givenBack = (isAct: boolean) =>
    addParts(
      shares.filter(({ actId }) => (actId !== undefined) === isAct),
      (amount) => Math.max(0, amount),
    );
  const [lapsed, taken] = [givenBack(false), givenBack(true)];
  const drawn = usedIn(inBudget);
  return {
    user,
    opening: subtract(closing, change),
    granted: subtract(granted, given),
    expired: subtract(expired, lapsed),
    corrected: addUp([corrected, taken]),
    shared: subtract(subtract(given, lapsed), taken),
    used: addUp([used, drawn]),
    drawn,
    reserved: subtract(subtract(held, returned), used),
    closing,
    jobs: [...lines, ...inBudget].filter(settlesJob).length,
  };
}

/** What members' jobs used of the budget is in their own rows. */
function drawUpBudget({ user, lines, closing }: AccountMonth): StatementRow {
  const shares = lines.filter(({ kind }) => kind === 'share');
  const others = lines.filter(({ kind }) => kind !== 'share');
  const { granted, expired, corrected, held, returned, used, change } = sumLines(others);
  const shared = addUp(shares);
  return {
    user,
    opening: subtract(closing, addUp([change, shared])),
    granted,
    expired,
    corrected,
    shared,
    used: nothing,
    drawn: subtract(nothing, used),
    reserved: subtract(subtract(held, returned), used),
    closing,
    jobs: 0,
  };
}

function usedIn(lines: readonly StoredLine[]): Amount {
  return { seconds: lines.reduce((sum, { used }) => sum + used, 0), kilobytes: 0 };
}

function settlesJob({ kind, jobId }: StoredLine): boolean {
  return kind === 'settle' && jobId !== undefined;
}

function addParts(lines: readonly Amount[], partOf: (amount: number) => number): Amount {
  return addUp(
    lines.map(({ seconds, kilobytes }) => ({
      seconds: partOf(seconds),
      kilobytes: partOf(kilobytes),
    })),
  );
}

function hasAnything(row: StatementRow): boolean {
  return (
    row.jobs > 0 ||
    statementParts.some((part) => row[part].seconds !== 0 || row[part].kilobytes !== 0)
  );
}

/** Adds up all rows, so that the sums of a statement are those of its rows by construction. */
export function sumRows(rows: readonly StatementRow[]): StatementAmounts & { jobs: number } {
  const total = (part: StatementPart) => addUp(rows.map((row) => row[part]));
  return {
    opening: total('opening'),
    granted: total('granted'),
    expired: total('expired'),
    corrected: total('corrected'),
    shared: total('shared'),
    used: total('used'),
    drawn: total('drawn'),
    reserved: total('reserved'),
    closing: total('closing'),
    jobs: rows.reduce((sum, { jobs }) => sum + jobs, 0),
  };
}
