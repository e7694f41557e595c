import { logger } from './logger.ts';

/** One cause may fail a thousand jobs; the first lines are enough to find it. */
const mostLogged = 20;

/**
 * Logs failures that were collected while other work went on, then throws them together, so that
 * the function counts as failed and its alarm goes off.
 */
export function reportFailures(
  failures: readonly unknown[],
  summary: string,
  about: Readonly<Record<string, string>> = {},
): void {
  const [first] = failures;
  if (failures.length === 0) return;
  for (const error of failures.slice(0, mostLogged)) logger.error(summary, { ...about, error });
  const reason = first instanceof Error ? first.message : String(first);
  throw new AggregateError(failures, `${summary}: ${reason}`);
}
