import { CannotDo } from '../../outcome/outcome.ts';
import type { Session } from '../../session/session.ts';

export const reasonWords = 'why: the audit keeps it, and the user may read it';

/** Every act has one. A person who left it out is asked for it; a program is told. */
export async function askReason({ host }: Session, given: string | undefined): Promise<string> {
  const reason = (given ?? (await host.ask('Why? (The audit keeps it.) ')))?.trim();
  if (reason) return reason;
  throw new CannotDo('The reason is missing.', { next: 'Add it: --reason "..."' });
}
