import { admitByGroup } from '#lib/budgets/admit-by-group.ts';
import type { Catalog } from '#lib/catalog/catalog.ts';
import { IdempotencyKeyReusedError } from '#lib/errors/domain-error.ts';
import { FolderFullError, UploadUsedError } from '#lib/files/errors.ts';
import type { ObjectStore } from '#lib/files/storage/object-store.ts';
import { holdSteps, lineOf, type Payment } from '#lib/quotas/draws.ts';
import { HoldRefusedError, NoQuotaError } from '#lib/quotas/errors.ts';
import { type LedgerLine, writeLedgerLine } from '#lib/quotas/ledger.ts';
import type { Hold } from '#lib/quotas/quota.ts';
import { readQuota } from '#lib/quotas/quota-store.ts';
import { welcomeUser } from '#lib/quotas/welcome.ts';
import { BudgetSpentError } from '#lib/spending/errors.ts';
import { holdSpending } from '#lib/spending/spending-store.ts';
import type { Attributes } from '#lib/table/define-item.ts';
import { PartitionFullError, TableUnavailableError } from '#lib/table/errors.ts';
import type { Table } from '#lib/table/table.ts';
import { decideUntilWritten, type Step, writeTransaction } from '#lib/table/transaction.ts';
import { AccountMissingError } from '#lib/users/logins/errors.ts';
import { IdempotencyKeyInUseError, SubmissionUncertainError } from '../errors.ts';
import {
  AlreadySubmittedError,
  claimIdempotencyKey,
  findAnswer,
  type KeyedRequest,
} from './idempotency.ts';
import type { Submission } from './submission.ts';

/** What a submission needs of the service. */
export interface SubmissionContext {
  readonly table: Table;
  readonly catalog: Catalog;
  readonly inputs: ObjectStore;
  /** US dollars a month for jobs on systems with a price. */
  readonly budget?: number | undefined;
}

/** A job or a batch whose zip is stored, and which one transaction accepts or refuses. */
interface Attempt {
  readonly submission: Pick<Submission, 'project' | 'joins'>;
  readonly payment: Payment;
  readonly hold: Hold;
  /** How many jobs share the hold. */
  readonly jobs: number;
  /** Millionths of a US dollar. Missing on systems without a price. */
  readonly cost: number | undefined;
  readonly keyed: KeyedRequest | undefined;
  /** As it is stored, which is the answer to a repeated request. */
  readonly answer: Attributes;
  /** What the ledger says about the hold. */
  readonly line: Pick<LedgerLine, 'reason' | 'jobId' | 'batchId'>;
  readonly inputSteps: readonly Step[];
  /** Returns the steps that write it. They are decided anew for each try of the transaction. */
  steps(): readonly Step[] | Promise<readonly Step[]>;
  /** Removes what was stored for it. */
  takeBack(): Promise<void>;
  /** Its own errors which prove that nothing was written. */
  readonly refusals: readonly RefusalClass[];
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
 * Accepts a job or a batch. It, the hold on its quota, the ledger line and the idempotency key are
 * one transaction, so none of them ever exists without the others. A new user is welcomed first, and
 * a new member by a group admitted. Returns the answer to an earlier request with the same key, as it
 * was stored, or undefined if this one was accepted.
 */
export async function acceptOnce(context: SubmissionContext, attempt: Attempt): Promise<unknown> {
  const { table, catalog } = context;
  const { submission, payment, at } = attempt;
  const { account } = payment;
  const write = () => decideUntilWritten(() => writeAttempt(context, attempt));
  try {
    await write().catch(async (error) => {
      if (!(error instanceof NoQuotaError)) throw error;
      // The user may be new, or another call may have welcomed them a moment ago.
      await welcomeUser(table, catalog, account.user, at);
      const { project, joins } = submission;
      if (joins) await admitByGroup(table, { user: account.user, project }, at);
      if (!(await readQuota(table, account))) throw error;
      await write();
    });
    return undefined;
  } catch (error) {
    if (isOneOf([...proofs, ...attempt.refusals], error)) await attempt.takeBack();
    if (error instanceof AlreadySubmittedError) return error.answer;
    if (error instanceof TableUnavailableError) {
      throw new SubmissionUncertainError(attempt.keyed !== undefined, { cause: error });
    }
    throw error;
  }
}

/**
 * Puts the key first, so that a repeated request gets its answer even if the quota is used up by
 * now.
 */
async function writeAttempt({ table, budget }: SubmissionContext, attempt: Attempt): Promise<void> {
  const { submission, payment, hold, jobs, cost, keyed, at } = attempt;
  const { joins, project } = submission;
  const { maxLivingJobs, closed } = project;
  const steps = [
    ...(keyed ? [claimIdempotencyKey(keyed, attempt.answer)] : []),
    ...attempt.inputSteps,
    ...holdSteps(payment, hold, { maxLivingJobs, jobs, closed, joins, now: at }),
    ...(await attempt.steps()),
    writeLedgerLine({
      ...lineOf(payment),
      kind: 'hold',
      seconds: -hold.seconds,
      kilobytes: -hold.kilobytes,
      at,
      by: payment.account.user,
      ...attempt.line,
    }),
  ];
  const spending = await holdSpending(table, { cost, budget, at });
  await writeTransaction(table, [...steps, ...spending]);
}

/** A refusal from before the transaction, which would recognize a repeated request. */
const refusedAtOnce: readonly RefusalClass[] = [
  AccountMissingError,
  BudgetSpentError,
  FolderFullError,
];

/**
 * Accepts a submission, or returns its first answer to a repeated request, even if it would be
 * refused by now: its account was removed since, the job that it waits for has failed, or the budget
 * is spent.
 */
export async function submitOnce<Acceptance>(
  table: Table,
  keyed: KeyedRequest | undefined,
  refusals: readonly RefusalClass[],
  accept: () => Promise<Acceptance>,
  repeat: (answer: unknown) => Acceptance,
): Promise<Acceptance> {
  try {
    return await accept();
  } catch (error) {
    const mayBeRepeated = keyed && isOneOf([...refusedAtOnce, ...refusals], error);
    const answer = mayBeRepeated ? await findAnswer(table, keyed) : undefined;
    if (answer === undefined) throw error;
    return repeat(answer);
  }
}

function isOneOf(classes: readonly RefusalClass[], error: unknown): boolean {
  return classes.some((refusal) => error instanceof refusal);
}
