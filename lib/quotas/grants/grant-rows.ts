import { createHash } from 'node:crypto';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { type Catalog, findSystem } from '#lib/catalog/catalog.ts';
import type { UserId } from '#lib/catalog/identifiers.ts';
import { IdempotencyKeyReusedError } from '#lib/errors/idempotency-key-reused-error.ts';
import { grantedRowKey } from '#lib/table/keys.ts';
import { parseItem } from '#lib/table/parse-item.ts';
import type { Table } from '#lib/table/table.ts';
import type { Step } from '#lib/table/writes/transaction.ts';
import { accountOf } from '../quota.ts';
import { estimateQuota } from '../welcome.ts';
import { decideGrant, type GrantOrder, grantQuota } from './grant-quota.ts';
import type { OrderOutcome } from './quota-order.ts';

/** A grant that is one of many. */
export interface GrantRow extends GrantOrder {
  /** Nothing where it may be done again each time it is sent. */
  readonly name: RowName | undefined;
}

/** What became of it, or what would. */
export interface RowOutcome {
  readonly kind: 'granted' | 'corrected' | 'unchanged';
  /** Before and after; nothing where nothing changed. */
  readonly details: OrderOutcome['details'] | undefined;
}

const unchanged: RowOutcome = { kind: 'unchanged', details: undefined };

/** Does what a row says, once: a row that was done before changes nothing. */
export async function grantRow(
  table: Table,
  catalog: Catalog,
  { name, ...order }: GrantRow,
  at = new Date(),
): Promise<RowOutcome> {
  if (!name) return describe((await grantQuota(table, catalog, order, at)).outcome);
  const fingerprint = fingerprintRow(order);
  const isDone = () => isRowDone(table, name, fingerprint, at);
  if (await isDone()) return unchanged;
  const planBefore = async () => [claimRow(name, fingerprint, at)];
  try {
    const { outcome } = await grantQuota(table, catalog, { ...order, planBefore }, at);
    return describe(outcome);
  } catch (error) {
    // The same request may be running twice, and the other one was faster: that is no refusal.
    if (await isDone()) return unchanged;
    throw error;
  }
}

/** What a row would do. Nothing is written, and nobody is welcomed. */
export async function estimateRow(
  table: Table,
  catalog: Catalog,
  { name, ...order }: GrantRow,
  at = new Date(),
): Promise<RowOutcome> {
  if (name && (await isRowDone(table, name, fingerprintRow(order), at))) return unchanged;
  const system = findSystem(catalog, order.project.hpc);
  const quota = await estimateQuota(table, system, accountOf(order));
  return describe(decideGrant(order, quota, at).outcome);
}

function describe(outcome: OrderOutcome | undefined): RowOutcome {
  if (!outcome) return unchanged;
  const { act, details } = outcome;
  return { kind: act === 'quota-corrected' ? 'corrected' : 'granted', details };
}

const keptSeconds = 24 * 60 * 60;

/** One row of many grants, as its sender names it. */
interface RowName {
  /** The administrator who sent it. */
  readonly sender: UserId;
  readonly line: number;
  /** The Idempotency-Key of the request. */
  readonly key: string;
}

const GrantedRowItem = v.object({
  type: v.literal('granted-row'),
  schema_version: v.literal(1),
  fingerprint: v.string(),
  expires_at: v.number(),
});

/**
 * Written in the transaction that does what the row says, so that a row is done once however often
 * its request is sent. DynamoDB deletes expired items days late: the condition checks the time.
 */
function claimRow({ sender, line, key }: RowName, fingerprint: string, at: Date): Step {
  const now = Math.floor(at.getTime() / 1000);
  return {
    write: (tableName) => ({
      Put: {
        TableName: tableName,
        Item: {
          ...grantedRowKey(sender, line, key),
          type: 'granted-row',
          schema_version: 1,
          fingerprint,
          expires_at: now + keptSeconds,
        },
        ConditionExpression: 'attribute_not_exists(PK) OR expires_at <= :now',
        ExpressionAttributeValues: { ':now': now },
      },
    }),
    refuse: () => new Error(`Line ${line} is already done.`),
  };
}

/** Whether it was done before; a row on the same line that said something else is refused. */
async function isRowDone(
  table: Table,
  { sender, line, key }: RowName,
  fingerprint: string,
  at: Date,
): Promise<boolean> {
  const { Item } = await table.client.send(
    new GetCommand({
      TableName: table.name,
      Key: grantedRowKey(sender, line, key),
      ConsistentRead: true,
    }),
  );
  if (!Item) return false;
  const item = parseItem(GrantedRowItem, Item);
  if (item.expires_at <= Math.floor(at.getTime() / 1000)) return false;
  if (item.fingerprint !== fingerprint) throw new IdempotencyKeyReusedError();
  return true;
}

/** Of what a row means, so that another way to write it is the same row. */
function fingerprintRow(order: GrantOrder): string {
  const { user, hpc, project } = accountOf(order);
  const meaning = JSON.stringify([user, hpc, project, order.change, order.reason]);
  return createHash('sha256').update(meaning).digest('base64url');
}
