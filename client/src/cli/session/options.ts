import { InvalidArgumentError } from '@commander-js/extra-typings';
import { readNumber, readWhole } from '../../format/numbers/write-number.ts';
import { readUserNumber } from '../../format/quotas/read-grant.ts';
import { readPastDay } from '../../format/times/day.ts';
import { readDuration, readRuntime } from '../../format/times/duration.ts';
import { readAge } from '../../format/times/write-age.ts';
import { type AddressedInput, readInputAddress } from '../../jobs/input-addresses.ts';
import { type AddressedOutput, readOutputAddress } from '../../jobs/output-addresses.ts';
import {
  insist,
  RowUnreadable,
  readEndOfQuota,
  readSpaceOfQuota,
  readTimeOfQuota,
} from '../../rows/read-grant-row.ts';
import { phrase } from '../words/phrase.ts';

/** Makes a reader of an option, which says what to write instead of what it cannot read. */
export function createReader<Value>(
  read: (text: string) => Value | undefined,
  advise: () => string,
) {
  return asOption(insist(read, advise));
}

export const readCount = createReader(
  (text) => {
    const count = readWhole(text);
    return count !== undefined && count < 1e9 ? count : undefined;
  },
  () => phrase('session.writeAWholeNumberFrom'),
);

/** Seconds. */
export const readTimeOption = createReader(
  (text) => readDuration(text) || undefined,
  () => phrase('session.writeATime'),
);

/** Hours of a job. */
export const readRuntimeOption = createReader(readRuntime, () => phrase('session.writeATime'));

export const readAmount = asOption((text) => {
  const seconds = readTimeOfQuota(text);
  // Nobody sees in a command how it was understood, as one does in a form.
  const [, thousands, rest] = /^[+-]?([1-9]\d{0,2})\.(\d{3})(?!\d)/.exec(text.trim()) ?? [];
  if (rest === undefined || readNumber('1.000') !== 1) return seconds;
  throw new InvalidArgumentError(
    phrase('session.writeAThousand', {
      thousands: `${thousands}${rest}`,
      few: Number(`${thousands}.${rest}`),
    }),
  );
});
export const readSpace = asOption(readSpaceOfQuota);
export const readEnd = asOption(readEndOfQuota);
export const readUser = createReader(readUserNumber, () => phrase('admin.writeTheNumber'));

/** Makes the parser show what is wrong with the text. */
function asOption<Value>(read: (text: string) => Value): (text: string) => Value {
  return (text) => {
    try {
      return read(text);
    } catch (error) {
      throw error instanceof RowUnreadable ? new InvalidArgumentError(error.message) : error;
    }
  };
}

/** Reads `since` and `until`: a day, or how long ago. */
export function readPastOption(text: string): string {
  const ago = readAge(text);
  if (ago !== undefined)
    return new Date(Date.now() - ago * 1000).toISOString().replace(/\.\d+/, '');
  if (/^\d{4}-\d{2}(-\d{2})?$/.test(text)) return text;
  const day = readPastDay(text, new Date());
  if (day !== undefined) return day;
  throw new InvalidArgumentError(phrase('session.writeADay'));
}

/** Reads a day for reports, which know no times of day. */
export function readPastDayOption(text: string): string {
  return readPastOption(text).slice(0, '2026-11-15'.length);
}

export const readTemplateName = createReader(
  (text) => /^[\w.-]{1,64}$/.exec(text)?.[0],
  () => phrase('session.writeANameOfLetters'),
);

/** Collects a repeatable option. Several values may also be separated by commas. */
export function readList(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, ...text.split(',').filter((value) => value !== '')];
}

/** Collects files to fetch from a repeatable option. */
export function readInput(text: string, before: readonly AddressedInput[] = []) {
  const input = readInputAddress(text);
  if (!input) throw new InvalidArgumentError(phrase('session.writeAnInputAs'));
  return [...before, input];
}

/** Collects files to send from a repeatable option. */
export function readOutput(text: string, before: readonly AddressedOutput[] = []) {
  const output = readOutputAddress(text);
  if (!output) throw new InvalidArgumentError(phrase('session.writeAnOutputAs'));
  return [...before, output];
}

/** Collects `name=value` from a repeatable option. */
export function readField(
  text: string,
  before: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const [, name, value] = /^([a-z_]+)=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined) {
    throw new InvalidArgumentError(phrase('session.writeAFieldAsName'));
  }
  return { ...before, [name]: value };
}
