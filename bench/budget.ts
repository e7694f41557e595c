import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { type Figure, formatTable, readFigures } from './measure/figures.ts';

const Limit = v.strictObject({
  min: v.optional(v.number()),
  max: v.optional(v.number()),
  /** The command that measures it, if a plain run does not. */
  needs: v.optional(v.string()),
});

type Limit = v.InferOutput<typeof Limit>;

/** Prints every figure beside its budget, and returns whether all budgets are kept. */
export function checkBudget(folder: string): boolean {
  const verdicts = compareWithBudget(readFolder(folder), readBudget());
  process.stdout.write(describeVerdicts(verdicts));
  return isKept(verdicts);
}

function readBudget(): Budget {
  const file = join(import.meta.dirname, 'budget.json');
  return v.parse(v.record(v.string(), Limit), JSON.parse(readFileSync(file, 'utf8')));
}

function readFolder(folder: string) {
  if (!existsSync(folder)) throw new Error(`There is no folder ${folder}. First: npm run bench`);
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
  return files.flatMap((file) => readFigures(join(folder, file)));
}

function describeVerdicts(verdicts: readonly Verdict[]): string {
  return formatTable([
    ['', 'measured', 'budget', ''],
    ...verdicts.map(({ name, limit, value, outcome }) => [
      name,
      value === undefined ? '' : value.toFixed(value < 100 ? 2 : 0),
      limit.min === undefined ? `at most ${limit.max}` : `at least ${limit.min}`,
      outcome === 'left out' ? `left out: ${limit.needs}` : outcome,
    ]),
  ]);
}

/**
 * Limits by the name of a figure. `*` stands for one part of a name; the longest matching name
 * wins.
 */
type Budget = Readonly<Record<string, Limit>>;

interface Verdict {
  /** The name of the figure, or of the budget if there is no figure. */
  readonly name: string;
  readonly limit: Limit;
  readonly value?: number;
  /** `not measured` counts as a failure too, because the figure could be bad. */
  readonly outcome: 'met' | 'missed' | 'not measured' | 'left out';
}

/** Compares every figure that has a budget, and lists every budget without a figure. */
export function compareWithBudget(figures: readonly Figure[], budget: Budget): Verdict[] {
  const names = Object.keys(budget).toSorted((a, b) => b.length - a.length);
  const nameFor = new Map(
    figures.map(({ name }) => [name, names.find((pattern) => matches(pattern, name))]),
  );
  return Object.entries(budget).flatMap(([pattern, limit]): Verdict[] => {
    const own = figures.filter(({ name }) => nameFor.get(name) === pattern);
    if (own.length === 0) {
      return [{ name: pattern, limit, outcome: limit.needs ? 'left out' : 'not measured' }];
    }
    return own.map(({ name, value }) => {
      return { name, limit, value, outcome: keeps(value, limit) ? 'met' : 'missed' };
    });
  });
}

export function isKept(verdicts: readonly Verdict[]): boolean {
  return verdicts.every(({ outcome }) => outcome === 'met' || outcome === 'left out');
}

function matches(pattern: string, name: string): boolean {
  const parts = pattern.split('*').map((part) => RegExp.escape(part));
  return new RegExp(`^${parts.join('[^.]*')}$`).test(name);
}

function keeps(value: number, { min = -Infinity, max = Infinity }: Limit): boolean {
  return value >= min && value <= max;
}
