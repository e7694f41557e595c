import type { Session } from '../session/session.ts';
import { CannotDo } from '../terminal/outcome.ts';
import { phrase } from '../words/phrase.ts';

export function reasonWords(): string {
  return phrase('admin.reasonWhichTheAuditKeeps');
}

interface Reasoned {
  readonly reason?: string | undefined;
}

/** Begins an act with its reason, and with what acts need of the session. */
export async function beginAct(session: Session, { reason: given }: Reasoned) {
  const reason = await askReason(session, given);
  const { client, print, screen } = session;
  return { reason, client, print, screen };
}

/** Returns the reason, which every act needs. Asks a person for a missing one; refuses programs. */
export async function askReason({ host }: Session, given: string | undefined): Promise<string> {
  const reason = (given ?? (await host.ask(phrase('admin.reasonTheAuditKeeps'))))?.trim();
  if (reason) return reason;
  throw new CannotDo(phrase('admin.theReasonIsMissing'), { next: phrase('admin.addIt') });
}
