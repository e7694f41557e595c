import {
  type Charging,
  nameUnit,
  writeNodeHours,
  writeNodeTime,
  writeSize,
} from '../format/amounts/amounts.ts';
import { writeNumber } from '../format/numbers/write-number.ts';
import { writeDay, writeMoment } from '../format/times/day.ts';
import type { Act } from '../generated/operations.ts';
import { phrase } from '../words/changes.ts';
import { term } from '../words/terms.ts';

/** The most kilobytes that the service grants. Carrying over this many means all of them. */
export const everything = 1_000_000_000_000_000;

export type Change = Act['details'];

/** Describes what changed, before and after: `5,000 → 5,500 node-hours`. */
export function describeChange(change: Change | null, charging: Charging): string {
  if (change === null) return '';
  const { time, space, valid_until: end, account } = change;
  return [
    writePair(time, (value) => writeNodeHours(Number(value)), nameUnit(charging)),
    writePair(space, (value) => writeSize(Number(value) * 1000), phrase('change.space')),
    writePair(end, (value) => (value === null ? phrase('change.noEnd') : writeDay(String(value)))),
    writeRenewalPair(change, charging),
    writePair(account, (value) => (value === null ? phrase('change.none') : String(value))),
    ...facts().map(([fact, name]) => {
      const words = writePair(change[fact], writeFact);
      return words === '' ? '' : `${name}: ${words}`;
    }),
  ]
    .filter((part) => part !== '')
    .join(', ');
}

/** Facts of projects, their leaders, folders and maintenance, each with its name. */
const facts = () =>
  [
    ['leaders', phrase('change.leaders')],
    ['description', phrase('change.description')],
    ['max_living_jobs', phrase('change.activeJobs')],
    ['state', phrase('change.state')],
    ['shared', phrase('change.shared')],
    ['group', phrase('change.group')],
    ['from', phrase('change.from')],
    ['until', phrase('change.until')],
    ['drain', phrase('change.drain')],
    ['files', phrase('change.files')],
  ] as const;

type Value = string | number | null;

function writeFact(value: Value): string {
  if (typeof value === 'number') return writeNumber(value);
  if (value === null || value === '') return phrase('change.none');
  return /^\d{4}-\d\d-\d\dT/.test(value) ? writeMoment(value) : term(value);
}

function writePair(value: Change[string] | undefined, write: (value: Value) => string, unit = '') {
  if (value === undefined) return '';
  if (typeof value !== 'object' || value === null) return `${write(value)} ${unit}`.trim();
  const { before, after } = value;
  return before === after ? '' : `${write(before)} → ${write(after)} ${unit}`.trim();
}

function writeRenewalPair(change: Change, charging: Charging): string {
  const [before, after] = (['before', 'after'] as const).map((side) =>
    writeRenewal(change, side, charging),
  );
  return before === after ? '' : `${before} → ${after}`;
}

/** Describes a renewal from its facts. Old acts have none, and keep their words. */
function writeRenewal(change: Change, side: 'before' | 'after', charging: Charging): string {
  const fact = (name: string): Value => {
    const value = change[name];
    return typeof value === 'object' && value !== null ? value[side] : (value ?? null);
  };
  const every = fact('renews_every');
  if (every === null) return String(fact('renews') ?? phrase('change.noRenewal'));
  const month = fact('renews_month');
  const [time, space] = [Number(fact('renews_time')), Number(fact('renews_space'))];
  const kept = Number(fact('carries_over_time'));
  const keptSpace = Number(fact('carries_over_space'));
  const parts = {
    every: term(String(every)),
    day: String(fact('renews_on')),
    amount: writeBoth(time, space, charging),
    kept: writeBoth(kept, keptSpace, charging),
  };
  return month === null
    ? phrase('change.renews', parts)
    : phrase('change.renewsFromMonth', { ...parts, month });
}

function writeBoth(seconds: number, kilobytes: number, charging: Charging): string {
  const time = writeNodeTime(seconds, charging);
  if (kilobytes === 0) return time;
  const space = kilobytes >= everything ? phrase('change.allSpace') : writeSize(kilobytes * 1000);
  return phrase('change.timeAndSpace', { time, space });
}
