import * as v from 'valibot';
import { dayOf, firstDayOf, monthOf } from '#lib/reports/period.ts';
import { flag, isMoment } from '../fields.ts';

/** How far statements go back. */
const mostYears = 10;

/** Reads the month of a statement: this one, or one of the last years. */
export const statementQuery = (now: Date) => {
  const thisMonth = monthOf(dayOf(now));
  const first = `${now.getUTCFullYear() - mostYears}-01`;
  return v.object({
    month: v.optional(
      v.pipe(
        v.string(),
        v.check(
          (text) =>
            /^\d{4}-\d{2}$/.test(text) &&
            isMoment(firstDayOf(text)) &&
            text >= first &&
            text <= thisMonth,
          `It must be a month (2026-01), from ${first} to this one.`,
        ),
      ),
      thisMonth,
    ),
    names: flag,
  });
};
