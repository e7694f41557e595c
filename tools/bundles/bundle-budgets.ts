import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import type { Bundle } from './build-bundles.ts';

/**
 * What each function may weigh. A cold start parses the bytes and evaluates the modules, so these
 * keep it short on any machine, where a time would only hold on one.
 */
const file = join(import.meta.dirname, 'budgets.json');

type Weight = Pick<Bundle, 'bytes' | 'modules'>;

const Budgets = v.record(v.string(), v.object({ bytes: v.number(), modules: v.number() }));

export function readBudgets(): Readonly<Record<string, Weight>> {
  return v.parse(Budgets, JSON.parse(readFileSync(file, 'utf8')));
}

/** A fix may add a little to a function. More than that is written down, and seen in a review. */
const slack = { bytes: 1000, modules: 1 };

export function budgetFor({ bytes, modules }: Weight): Weight {
  return {
    bytes: Math.ceil((bytes + slack.bytes) / 1000) * 1000,
    modules: modules + slack.modules,
  };
}

export function isOver({ bytes, modules }: Weight, budget: Weight | undefined): boolean {
  return budget === undefined || bytes > budget.bytes || modules > budget.modules;
}

export function writeBudgets(bundles: readonly Bundle[]): void {
  const rows = bundles.map((each) => {
    const { bytes, modules } = budgetFor(each);
    return `  "${each.name}": { "bytes": ${bytes}, "modules": ${modules} }`;
  });
  writeFileSync(file, `{\n${rows.join(',\n')}\n}\n`);
}
