import { readDayOption } from '../../session/read-options.ts';

/** The last day of a quota; nothing is no end. */
export function readEnd(text: string): string | null {
  return text.trim().toLowerCase() === 'never' ? null : readDayOption(text);
}
