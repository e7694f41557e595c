import { logger } from './logger.ts';

/** One cause may fail a thousand jobs, and the first lines tell of it. */
const mostLogged = 20;

/**
 * Logs failures that were put aside so that everything else could have its turn, each with its
 * stack, and throws them together: then the function counts as failed, and its alarm rings.
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
