import type { Session } from '../session/session.ts';
import { CannotDo } from '../terminal/outcome.ts';
import { phrase } from '../words/phrase.ts';

export function reasonWords(): string {
  return phrase('admin.reasonWhichTheAuditKeeps');
}

/** Returns the reason, which every act needs. Asks a person for a missing one; refuses programs. */
export async function askReason({ host }: Session, given: string | undefined): Promise<string> {
  const reason = (given ?? (await host.ask(phrase('admin.reasonTheAuditKeeps'))))?.trim();
  if (reason) return reason;
  throw new CannotDo(phrase('admin.theReasonIsMissing'), { next: phrase('admin.addIt') });
}
