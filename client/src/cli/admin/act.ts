import { InvalidArgumentError } from '@commander-js/extra-typings';
import type { Session } from '../session/session.ts';
import { CannotDo } from '../terminal/outcome.ts';
import { phrase } from '../words/phrase.ts';

/** Reads the number of a user, and refuses a project in its place. */
export function readUser(text: string): string {
  if (/^(0|[1-9]\d*)$/.test(text)) return text;
  throw new InvalidArgumentError(phrase('admin.writeTheNumber'));
}

export function reasonWords(): string {
  return phrase('admin.reasonWhichTheAuditKeeps');
}

/** Returns the reason, which every act needs. Asks a person for a missing one; refuses programs. */
export async function askReason({ host }: Session, given: string | undefined): Promise<string> {
  const reason = (given ?? (await host.ask(phrase('admin.reasonTheAuditKeeps'))))?.trim();
  if (reason) return reason;
  throw new CannotDo(phrase('admin.theReasonIsMissing'), { next: phrase('admin.addIt') });
}
