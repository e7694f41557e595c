import { phrase } from '../../words/formats.ts';
import { countDecimals, writeDecimals } from './write-number.ts';

/** A number as it is shown. Its plural depends on the count. */
export interface Shown {
  readonly count: number;
  readonly amount: string;
}

/** Finer amounts of a whole are shown as nothing, or as less than the smallest that is shown. */
const mostDecimals = 2;
/** Of what is shown line by line, each second of a quota is seen. */
const mostInLedger = 4;

/**
 * Writes the parts of a whole with one precision, and so that they add up to it as they are shown: a
 * part that is not nothing is `under 0.01` at least. What is left comes first, and is rounded down, so
 * that what is shown of it can be had.
 */
export function writeParts(
  parts: readonly number[],
  { leftFirst = true } = {},
): {
  readonly parts: readonly Shown[];
  readonly whole: Shown;
} {
  const sum = parts.reduce((all, part) => all + part, 0);
  const decimals = choosePrecision(parts, sum < 1 ? mostInLedger : mostDecimals);
  const { rounded, whole } = roundTogether(parts, decimals, { from: leftFirst ? 1 : 0 });
  return {
    parts: rounded.map((count, at) =>
      count === 0 && parts[at] !== 0
        ? {
            count: 0,
            amount: phrase('under', { amount: writeDecimals(10 ** -decimals, decimals) }),
          }
        : show(count, decimals),
    ),
    whole: show(whole, decimals),
  };
}

/** A change of an account, and what remained after it. */
export interface Step {
  readonly change: number;
  readonly after: number;
}

/**
 * Writes changes and what remained after each with one precision. A change is the difference of what
 * is shown before and after it, so that each line leads to the next one.
 */
export function writeSteps(steps: readonly Step[]): (step: Step) => {
  readonly change: string;
  readonly after: string;
} {
  const changes = steps.map(({ change }) => change);
  const needed = choosePrecision(changes, mostInLedger);
  // Three would look like a thousand in German.
  const decimals = needed === 3 ? mostInLedger : needed;
  const scale = 10 ** decimals;
  return ({ change, after }) => {
    const [before, then] = [roundScaled((after - change) * scale), roundScaled(after * scale)];
    return {
      change: writeDecimals((then - before) / scale, decimals, { isFixed: true, hasSign: true }),
      after: writeDecimals(then / scale, decimals, { isFixed: true }),
    };
  };
}

/**
 * Rounds numbers so that their sum is the rounded sum: those that lose most by rounding down are
 * rounded up, of those from a place on. None is off by one unit of the last decimal or more.
 */
export function roundTogether(
  parts: readonly number[],
  decimals: number,
  { from = 0 } = {},
): { readonly rounded: readonly number[]; readonly whole: number } {
  const scale = 10 ** decimals;
  const exact = parts.map((part) => withoutNoise(part * scale));
  const sum = (all: readonly number[]) => all.reduce((one, other) => one + other, 0);
  const floors = exact.map(Math.floor);
  const missing = roundScaled(sum(exact)) - sum(floors);
  const loss = (at: number) => (exact[at] ?? 0) - (floors[at] ?? 0);
  const up = new Set(
    [...exact.keys()]
      .filter((at) => at >= from && loss(at) > 0)
      .sort((one, other) => loss(other) - loss(one))
      .slice(0, missing),
  );
  const rounded = floors.map((floor, at) => floor + (up.has(at) ? 1 : 0));
  return { rounded: rounded.map((part) => part / scale), whole: sum(rounded) / scale };
}

/** So that 0.29 is 29 hundredths and not 28.999999999999996. */
function withoutNoise(scaled: number): number {
  return Number(scaled.toFixed(6));
}

function roundScaled(scaled: number): number {
  return Math.round(withoutNoise(scaled));
}

/** Returns the decimals that the finest of these amounts is shown with by itself. */
function choosePrecision(amounts: readonly number[], most: number): number {
  return Math.min(most, Math.max(0, ...amounts.map((each) => countDecimals(withoutNoise(each)))));
}

function show(count: number, decimals: number): Shown {
  return { count, amount: writeDecimals(count, decimals) };
}
