const dayMs = 86_400_000;

export interface DayStack {
  readonly day: string;
  readonly parts: readonly { readonly name: string; readonly amount: number }[];
  readonly sum: number;
}

interface Row {
  readonly day?: string;
  readonly project_name?: string;
  readonly time_used: number;
}

/** One stack for each of the last days, also for those on which nothing was used. */
export function stackDays(rows: readonly Row[], days: number, now: Date): readonly DayStack[] {
  return Array.from({ length: days }, (_, index) => {
    const day = new Date(now.getTime() - (days - 1 - index) * dayMs).toISOString().slice(0, 10);
    const parts = rows
      .filter((row) => row.day === day)
      .map(({ project_name: name = '', time_used: amount }) => ({ name, amount }));
    return { day, parts, sum: parts.reduce((sum, { amount }) => sum + amount, 0) };
  });
}
