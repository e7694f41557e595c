import { InvalidArgumentError } from '@commander-js/extra-typings';
import { readDayOption } from '../session/options.ts';
import type { Session } from '../session/session.ts';
import { CannotDo } from '../terminal/outcome.ts';

/** A user is a number; a project in its place would lead elsewhere. */
export function readUser(text: string): string {
  if (/^(0|[1-9]\d*)$/.test(text)) return text;
  throw new InvalidArgumentError(
    'Write the number of the user without leading zeros, such as 306328.',
  );
}

export const reasonWords = 'why: the audit keeps it, and the user may read it';

/** Every act has one. A person who left it out is asked for it; a program is told. */
export async function askReason({ host }: Session, given: string | undefined): Promise<string> {
  const reason = (given ?? (await host.ask('Why? (The audit keeps it.) ')))?.trim();
  if (reason) return reason;
  throw new CannotDo('The reason is missing.', { next: 'Add it: --reason "..."' });
}

/** The last day of a quota; nothing is no end. */
export function readEnd(text: string): string | null {
  return text.trim().toLowerCase() === 'never' ? null : readDayOption(text);
}
