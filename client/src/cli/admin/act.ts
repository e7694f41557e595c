import { InvalidArgumentError } from '@commander-js/extra-typings';
import type { Session } from '../session/session.ts';
import { CannotDo } from '../terminal/outcome.ts';

/** Reads the number of a user, and refuses a project in its place. */
export function readUser(text: string): string {
  if (/^(0|[1-9]\d*)$/.test(text)) return text;
  throw new InvalidArgumentError(
    'Write the number of the user without leading zeros, such as 306328.',
  );
}

export const reasonWords = 'reason, which the audit keeps and the user may read';

/** Returns the reason, which every act needs. Asks a person for a missing one; refuses programs. */
export async function askReason({ host }: Session, given: string | undefined): Promise<string> {
  const reason = (given ?? (await host.ask('Reason (the audit keeps it): ')))?.trim();
  if (reason) return reason;
  throw new CannotDo('The reason is missing.', { next: 'Add it: --reason "..."' });
}
