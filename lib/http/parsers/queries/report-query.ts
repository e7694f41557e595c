import * as v from 'valibot';
import type { Catalog } from '#lib/catalog/catalog.ts';
import {
  countDays,
  dayOf,
  firstDayOf,
  lastDayOf,
  monthOf,
  mostDays,
  type Period,
} from '#lib/reports/period.ts';
import { type Dimension, dimensions, fitTogether } from '#lib/reports/report.ts';
import {
  checkAt,
  cursor,
  flag,
  isMoment,
  limitTo,
  projectName,
  systemName,
  userNumber,
} from '../fields.ts';

const mostRows = 1000;
const usualRows = 100;

const dayForm = 'It must be a day (2026-01-31) or a month (2026-01).';

/** Reads a day. A month stands for its first or its last day, because sums are kept by day. */
const dayIn = (edge: (month: string) => string) =>
  v.optional(
    v.pipe(
      v.string(),
      v.regex(/^\d{4}-\d{2}(-\d{2})?$/, dayForm),
      v.check((text) => isMoment(text.length === 7 ? firstDayOf(text) : text), dayForm),
      v.transform((text) => (text.length === 7 ? edge(text) : text)),
    ),
  );

const byAny = (known: readonly Dimension[]) =>
  v.optional(
    v.pipe(
      v.string(),
      v.transform((text) => text.split(',')),
      v.custom<Dimension[]>(
        (parts) =>
          Array.isArray(parts) && parts.every((part) => known.some((each) => each === part)),
        `It must be one or two of ${known.join(', ')}.`,
      ),
      v.check(
        (by) => fitTogether(by),
        'These do not go together. Use one, one with day or month, or user with project or system.',
      ),
    ),
    'project',
  );

const periodFields = { since: dayIn(firstDayOf), until: dayIn(lastDayOf) };

interface GivenPeriod {
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

/** Ends an open period with the current month, because whole months cost the fewest reads. */
function completePeriod({ since, until }: GivenPeriod, now: Date): Period {
  const end = until ?? lastDayOf(monthOf(dayOf(now)));
  return { since: since ?? firstDayOf(monthOf(end)), until: end };
}

function isInOrder(given: GivenPeriod, now: Date): boolean {
  return countDays(completePeriod(given, now)) >= 1;
}

function isShort(given: GivenPeriod, now: Date): boolean {
  return countDays(completePeriod(given, now)) <= mostDays;
}

const wrongOrder = 'It must not be after the end of the period.';
const tooLong = `The period must have at most ${mostDays} days.`;

export const ownReportQuery = (now: Date) =>
  v.pipe(
    v.object({ by: byAny(dimensions.filter((each) => each !== 'user')), ...periodFields }),
    checkAt('since', (given) => isInOrder(given, now), wrongOrder),
    checkAt('since', (given) => isShort(given, now), tooLong),
    v.transform(({ by, ...given }) => ({ by, period: completePeriod(given, now) })),
  );

/** Reports everybody's use, or that of one user, system or project. */
export const reportQuery = (catalog: Catalog, now: Date) =>
  v.pipe(
    v.object({
      limit: v.optional(limitTo(mostRows), String(usualRows)),
      cursor,
      by: byAny(dimensions),
      ...periodFields,
      user: v.optional(userNumber),
      hpc: v.optional(systemName(catalog)),
      project_name: v.optional(projectName),
      names: flag,
    }),
    checkAt('since', (given) => isInOrder(given, now), wrongOrder),
    checkAt('since', (given) => isShort(given, now), tooLong),
    v.transform(({ limit, cursor, by, user, hpc, project_name: project, names, ...given }) => ({
      limit,
      cursor,
      names,
      report: { by, period: completePeriod(given, now), user, hpc, project },
    })),
  );
