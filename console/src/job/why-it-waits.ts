import type { Timeline } from '#client/src/index.ts';

/** The last reason that anybody gave: the system, or the try to hand the job over. */
export function whyItWaits({ reason, tries, terminal_stage: ended }: Timeline): string | undefined {
  if (reason !== null) return reason;
  const last = tries.at(-1);
  if (ended || !last || last.accepted) return undefined;
  return last.reason ?? 'It is being handed over.';
}
