import type { Session } from './session.ts';

/** Asks whoever is there; a program has said what it wants. */
export async function confirm(
  { host, screen }: Session,
  question: string,
  yes = false,
): Promise<boolean> {
  if (yes || !screen.isLive) return true;
  const answer = await host.ask(`${question} [y/N] `);
  return /^y(es)?$/i.test(answer?.trim() ?? '');
}
