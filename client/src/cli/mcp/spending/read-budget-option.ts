import { InvalidArgumentError } from '@commander-js/extra-typings';
import { readNodeTime } from '../../../format/read-node-time.ts';

/**
 * Seconds of a quota. A number alone is refused: whoever means seconds would give 3,600 times as
 * much away.
 */
export function readBudgetOption(text: string): number {
  const seconds = readNodeTime(text);
  const hasUnit = /[a-z]/i.test(text);
  if (seconds === undefined || seconds < 0 || (seconds > 0 && !hasUnit)) {
    throw new InvalidArgumentError(
      'Write a time with its unit, such as 2h (two node-hours), "500 node-hours" or 3600s.',
    );
  }
  return seconds;
}
