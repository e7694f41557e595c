import * as v from 'valibot';
import { changeOf, writeChange } from '#lib/table/change.ts';
import { StaleReadError } from '#lib/table/errors.ts';
import { spendingKey } from '#lib/table/keys.ts';
import { parseItem } from '#lib/table/parse-item.ts';
import { readItem } from '#lib/table/reads.ts';
import type { Table } from '#lib/table/table.ts';
import type { Step } from '#lib/table/transaction.ts';
import { microsPerDollar } from '../charging/price-job.ts';
import { judgeSpending, type Spending } from './judge-spending.ts';

/** What a submission could cost, and the month's budget if there is one. */
export interface SpendingWish {
  /** Millionths of a US dollar. Undefined on a system without a price. */
  readonly cost: number | undefined;
  /** US dollars. */
  readonly budget: number | undefined;
  readonly at: Date;
}

/**
 * Judges a submission by the month's budget, or throws why it is refused. Returns the steps that
 * count its cost, for the transaction that accepts it. Reads one item, and nothing on a system
 * without a price or in a service without a budget.
 */
export async function holdSpending(
  table: Table,
  { cost, budget, at }: SpendingWish,
): Promise<Step[]> {
  if (cost === undefined) return [];
  if (budget === undefined) return [changeSpending({ held: cost })];
  const most = budget * microsPerDollar;
  const stored = await readStored(table, at);
  const refusal = judgeSpending({ held: stored.held, used: stored.used ?? 0 }, cost, most, at);
  if (refusal) throw refusal;
  // Other submissions may have been accepted since, as long as this one still fits. If ends were
  // counted since, the sum of both numbers is not known, so it is read again.
  const change = writeChange({
    ...countAs({ held: cost }),
    expect: { [usedName(at)]: stored.used },
    when: ['(attribute_not_exists(#held) OR #held <= :most)'],
    values: { ':most': most - (stored.used ?? 0) - cost },
  });
  return [{ Update: { Key: spendingKey(), ...change }, refuse: () => new StaleReadError() }];
}

/** Reads what the month of a moment has cost so far, and what active jobs may still cost. */
export async function readSpending(table: Table, at: Date): Promise<Spending> {
  const { held, used = 0 } = await readStored(table, at);
  return { held, used };
}

/** Gives back the cost of jobs that never began. */
export function returnSpending(cost: number): Step {
  return changeSpending({ held: -cost });
}

/** The cost of an ended job: the most it could have been, and what it was. */
export interface EndedCost {
  readonly at: Date;
  readonly cost?: { readonly held: number; readonly used: number };
}

/** Moves the costs of ended jobs from `held` to the months in which they ended. */
export function settleSpending(ends: readonly EndedCost[]): Step[] {
  const costs = ends.flatMap(({ at, cost }) => (cost ? [{ at, ...cost }] : []));
  if (costs.length === 0) return [];
  const months = Map.groupBy(costs, ({ at }) => usedName(at));
  const used = [...months].map(([name, ended]) => [name, sum(ended.map(({ used }) => used))]);
  const held = -sum(costs.map((cost) => cost.held));
  return [changeSpending({ held, ...Object.fromEntries(used) }, costs.map(lastYear))];
}

function changeSpending(add: Readonly<Record<string, number>>, outdated: string[] = []): Step {
  return {
    Update: changeOf(spendingKey(), countAs(add, outdated)),
    refuse: () => new Error('The costs of jobs on AWS Batch could not be counted.'),
  };
}

/** Removes the same month of the year before, so that the item stays small. */
function countAs(add: Readonly<Record<string, number>>, outdated: readonly string[] = []) {
  const old = Object.fromEntries(outdated.map((name) => [name, undefined]));
  return { set: { type: 'spending', schema_version: 1, ...old }, add };
}

const Amounts = v.record(v.string(), v.number());

/** Leaves out the keys, the type and the version. */
function amountsFromItem(stored: Readonly<Record<string, unknown>>) {
  const numbers = Object.entries(stored).filter(([name]) => /^(held|used_)/.test(name));
  return parseItem(Amounts, Object.fromEntries(numbers));
}

async function readStored(table: Table, at: Date) {
  const name = usedName(at);
  const stored = await readItem(table, spendingKey(), amountsFromItem);
  return { held: stored?.held ?? 0, used: stored?.[name] };
}

/** Each month has an attribute of its own, in UTC: `used_2026_11`. */
function usedName(at: Date): string {
  return `used_${at.toISOString().slice(0, 'YYYY-MM'.length).replace('-', '_')}`;
}

function lastYear({ at }: { readonly at: Date }): string {
  return usedName(new Date(Date.UTC(at.getUTCFullYear() - 1, at.getUTCMonth())));
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}
