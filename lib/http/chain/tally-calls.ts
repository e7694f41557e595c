import type { CallLimit } from './judge-call.ts';

/** What a container knows of one caller, at one endpoint. */
export interface CallTally {
  readonly paidUntil: number;
  /** The minute that the rest is about: what was in another one is paid for, and forgotten. */
  readonly minute: number;
  /** Calls here that the other containers do not know of. */
  readonly untold: number;
  readonly told: number;
  /** Calls elsewhere, as far as they were heard of. */
  readonly others: number;
}

const minuteMs = 60_000;

/** One more call, which was paid for. */
export function addCall(known: CallTally | undefined, paidUntil: number, now: number): CallTally {
  const minute = Math.floor(now / minuteMs);
  const same = known?.minute === minute ? known : { untold: 0, told: 0, others: 0 };
  return { ...same, paidUntil, minute, untold: same.untold + 1 };
}

/**
 * Whether it is time to tell. Not before there are some, so that whoever calls now and then costs
 * nothing; and after a small part of what is allowed at once, so that nobody gets far unseen.
 */
export function mustTell({ untold }: CallTally, { burst }: CallLimit): boolean {
  return untold >= Math.ceil(burst / 20);
}

export function tell(tally: CallTally): CallTally {
  return { ...tally, untold: 0, told: tally.told + tally.untold };
}

/** Calls elsewhere are paid for here as well, each once. */
export function hear(tally: CallTally, all: number, { rate }: CallLimit): CallTally {
  const others = Math.max(tally.others, all - tally.told);
  const paidUntil = tally.paidUntil + ((others - tally.others) * 1000) / rate;
  return { ...tally, others, paidUntil };
}

export function minuteOf({ minute }: CallTally): Date {
  return new Date(minute * minuteMs);
}
