import { createHash } from 'node:crypto';
import { type Catalog, findSystem } from '#lib/catalog/catalog.ts';
import type { UserId } from '#lib/catalog/identifiers.ts';
import { IdempotencyKeyReusedError } from '#lib/errors/domain-error.ts';
import { defineItem, number, text } from '#lib/table/define-item.ts';
import { grantedRowKey } from '#lib/table/keys.ts';
import { readItem } from '#lib/table/reads.ts';
import type { Table } from '#lib/table/table.ts';
import type { Step } from '#lib/table/transaction.ts';
import { accountOf } from '../quota.ts';
import { estimateQuota } from '../welcome.ts';
import { decideGrant, type GrantOrder, grantQuota } from './grant-quota.ts';
import type { OrderRecord } from './quota-order.ts';

export interface GrantRow extends GrantOrder {
  /** Undefined if the row is carried out each time it is sent. */
  readonly name: RowName | undefined;
}

export interface RowResult {
  readonly kind: 'granted' | 'corrected' | 'unchanged';
  /** Values before and after, if anything changed. */
  readonly details: OrderRecord['details'] | undefined;
}

const unchanged: RowResult = { kind: 'unchanged', details: undefined };

/** Carries out a row once. A row that was carried out before changes nothing. */
export async function grantRow(
  table: Table,
  catalog: Catalog,
  { name, ...order }: GrantRow,
  at = new Date(),
): Promise<RowResult> {
  if (!name) return describe((await grantQuota(table, catalog, order, at)).record);
  const fingerprint = fingerprintRow(order);
  const isDone = () => isRowDone(table, name, fingerprint, at);
  if (await isDone()) return unchanged;
  const planBefore = async () => [claimRow(name, fingerprint, at)];
  try {
    const { record } = await grantQuota(table, catalog, { ...order, planBefore }, at);
    return describe(record);
  } catch (error) {
    // The same request may run twice at once. If the other one was faster, this row is done.
    if (await isDone()) return unchanged;
    throw error;
  }
}

/** Works out what a row would do. Writes nothing and welcomes nobody. */
export async function estimateRow(
  table: Table,
  catalog: Catalog,
  { name, ...order }: GrantRow,
  at = new Date(),
): Promise<RowResult> {
  if (name && (await isRowDone(table, name, fingerprintRow(order), at))) return unchanged;
  const system = findSystem(catalog, order.project.hpc);
  const quota = await estimateQuota(table, system, accountOf(order));
  return describe(decideGrant(order, quota, at).record);
}

function describe(record: OrderRecord | undefined): RowResult {
  if (!record) return unchanged;
  const { act, details } = record;
  return { kind: act === 'quota-corrected' ? 'corrected' : 'granted', details };
}

const keptSeconds = 24 * 60 * 60;

interface RowName {
  /** The administrator who sent the row. */
  readonly sender: UserId;
  readonly line: number;
  /** The Idempotency-Key of the request. */
  readonly key: string;
}

const storedRow = defineItem('granted-row', () => ({
  fingerprint: text('fingerprint'),
  expiresAt: number('expires_at'),
}));

/**
 * Marks a row as done in the transaction that carries it out, so a repeated request does not repeat
 * it. DynamoDB deletes expired items days late, so the condition checks the time.
 */
function claimRow({ sender, line, key }: RowName, fingerprint: string, at: Date): Step {
  const now = Math.floor(at.getTime() / 1000);
  return {
    Put: {
      Item: {
        ...grantedRowKey(sender, line, key),
        ...storedRow.format({ fingerprint, expiresAt: now + keptSeconds }),
      },
      ConditionExpression: 'attribute_not_exists(PK) OR expires_at <= :now',
      ExpressionAttributeValues: { ':now': now },
    },
    refuse: () => new Error(`Line ${line} is already done.`),
  };
}

/** Returns true if the row was carried out before. Throws if the line was a different row then. */
async function isRowDone(
  table: Table,
  { sender, line, key }: RowName,
  fingerprint: string,
  at: Date,
): Promise<boolean> {
  const row = await readItem(table, grantedRowKey(sender, line, key), storedRow.parse);
  if (!row || row.expiresAt <= Math.floor(at.getTime() / 1000)) return false;
  if (row.fingerprint !== fingerprint) throw new IdempotencyKeyReusedError();
  return true;
}

/** Hashes what a row means, so a row that is only written differently counts as the same. */
function fingerprintRow(order: GrantOrder): string {
  const { user, hpc, project } = accountOf(order);
  const meaning = JSON.stringify([user, hpc, project, order.change, order.reason]);
  return createHash('sha256').update(meaning).digest('base64url');
}
