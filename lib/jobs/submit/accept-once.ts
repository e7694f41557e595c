import { admitByGroup } from '#lib/budgets/admit-by-group.ts';
import type { Catalog } from '#lib/catalog/catalog.ts';
import type { Project } from '#lib/catalog/hpc-system.ts';
import { IdempotencyKeyReusedError } from '#lib/errors/domain-error.ts';
import { UploadUsedError } from '#lib/files/errors.ts';
import { HoldRefusedError, NoQuotaError } from '#lib/quotas/errors.ts';
import { readQuota } from '#lib/quotas/quota-store.ts';
import { welcomeUser } from '#lib/quotas/welcome.ts';
import { PartitionFullError, TableUnavailableError } from '#lib/table/errors.ts';
import type { AccountKey } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import { IdempotencyKeyInUseError, SubmissionUncertainError } from '../errors.ts';
import { AlreadySubmittedError } from './idempotency.ts';

interface Books {
  readonly table: Table;
  readonly catalog: Catalog;
}

/** A submission whose zip is stored, and which one transaction accepts or refuses. */
interface Attempt {
  readonly account: AccountKey;
  /** The project whose group makes the user a member, if one does. */
  readonly joining: Project | undefined;
  write(): Promise<void>;
  /** Removes what was stored for it. */
  takeBack(): Promise<void>;
  /** Its own errors which prove that nothing was written. */
  readonly refusals?: readonly RefusalClass[];
  readonly hasKey: boolean;
  readonly at: Date;
}

type RefusalClass = abstract new (...parameters: never[]) => Error;

/**
 * Errors which prove that nothing was written. After any other error the job or batch may exist with
 * its answer lost, and then its files must stay.
 */
const proofs: readonly RefusalClass[] = [
  AlreadySubmittedError,
  IdempotencyKeyInUseError,
  IdempotencyKeyReusedError,
  HoldRefusedError,
  PartitionFullError,
  UploadUsedError,
];

/**
 * Accepts a job or a batch. A new user is welcomed first, and a new member by a group admitted. Returns the answer to an earlier request
 * with the same key, as it was stored, or undefined if this one was accepted.
 */
export async function acceptOnce({ table, catalog }: Books, attempt: Attempt): Promise<unknown> {
  const { account, joining, write, at } = attempt;
  try {
    await write().catch(async (error) => {
      if (!(error instanceof NoQuotaError)) throw error;
      // The user may be new, or another call may have welcomed them a moment ago.
      await welcomeUser(table, catalog, account.user, at);
      if (joining) await admitByGroup(table, { user: account.user, project: joining }, at);
      if (!(await readQuota(table, account))) throw error;
      await write();
    });
    return undefined;
  } catch (error) {
    const isRefused = [...proofs, ...(attempt.refusals ?? [])].some(
      (refusal) => error instanceof refusal,
    );
    if (isRefused) await attempt.takeBack();
    if (error instanceof AlreadySubmittedError) return error.answer;
    if (error instanceof TableUnavailableError) {
      throw new SubmissionUncertainError(attempt.hasKey, { cause: error });
    }
    throw error;
  }
}
