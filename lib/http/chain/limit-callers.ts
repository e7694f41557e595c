import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { UserId } from '#lib/catalog/identifiers.ts';
import { createShortMemory } from '#lib/memory/short-memory.ts';
import { logger } from '#lib/telemetry/logger.ts';
import type { CallCounter } from '#lib/users/call-counter.ts';
import { TooManyCallsError } from '../errors.ts';
import { type ApiContext, callerOf } from './api-context.ts';

export interface CallerLimits {
  readonly limit: CallLimit;
  /** The name that calls are counted under. */
  readonly endpoint: string;
  /** Shares counts between containers; without it each container counts alone. */
  readonly count?: CallCounter | undefined;
  readonly now?: () => number;
}

/** More callers than one container meets in a minute. The least recent ones are forgotten first. */
const maxCallers = 1_000;

/** Longer than a minute of calls in other containers, all reported at once. */
const extraMs = 120_000;

/**
 * Limits the rate of one caller's calls before anything else is read. Each container counts in
 * memory and adds a caller's calls to the table only after a number of them. Few callers make that
 * many, so the table sees almost no extra writes (docs/decisions/0043).
 */
export function limitCallers({
  limit,
  endpoint,
  count,
  now = Date.now,
}: CallerLimits): MiddlewareObj<APIGatewayProxyEventV2, unknown, Error, ApiContext> {
  const callers = createShortMemory<CallTally>({
    most: maxCallers,
    maxAgeMs: forgetAfterMs(limit) + extraMs,
    now,
  });
  async function share(counter: CallCounter, user: UserId, tally: CallTally): Promise<void> {
    // Kept before the await: on a laptop the next call arrives in the meantime.
    callers.keep(user, tell(tally));
    try {
      const minute = new Date(tally.minute * minuteMs);
      const all = await counter({ user, endpoint, minute }, tally.untold);
      const current = callers.recall(user);
      if (current?.minute === tally.minute) callers.keep(user, hear(current, all, limit));
    } catch (error) {
      // Lets the caller in: if the table is down, the handler will refuse the request itself.
      logger.warn('calls were not counted', { endpoint, user, error });
    }
  }
  return {
    before: async function limitCallersBefore({ context }) {
      const { userId } = callerOf(context);
      const known = callers.recall(userId);
      const judged = judgeCall(known?.paidUntil, now(), limit);
      if ('waitMs' in judged) throw new TooManyCallsError(limit, judged.waitMs);
      const tally = addCall(known, judged.paidUntil, now());
      callers.keep(userId, tally);
      if (count && mustTell(tally, limit)) await share(count, userId, tally);
    },
  };
}

/** Allows `burst` calls at once, then `rate` calls a second. */
export interface CallLimit {
  readonly rate: number;
  readonly burst: number;
}

/** Allows the call and says what to remember, or says how long to wait. */
export type JudgedCall = { readonly paidUntil: number } | { readonly waitMs: number };

/**
 * Each call pays for a slice of time, 1/rate seconds long, and a caller may be `burst` slices ahead
 * of the clock. So one number per caller is enough.
 */
export function judgeCall(
  paidUntil: number | undefined,
  now: number,
  { rate, burst }: CallLimit,
): JudgedCall {
  const slice = 1000 / rate;
  const next = Math.max(paidUntil ?? now, now) + slice;
  const waitMs = next - now - burst * slice;
  return waitMs > 0 ? { waitMs } : { paidUntil: next };
}

/** After this long without a call, earlier calls no longer count. */
function forgetAfterMs({ rate, burst }: CallLimit): number {
  return (burst / rate) * 1000;
}

/** Counts one caller's calls to one endpoint, as this container knows them. */
interface CallTally {
  readonly paidUntil: number;
  /** The minute that the counts below belong to. Earlier minutes are paid for and forgotten. */
  readonly minute: number;
  /** Calls here that the table does not know of yet. */
  readonly untold: number;
  readonly told: number;
  /** Calls in other containers, as last read from the table. */
  readonly others: number;
}

const minuteMs = 60_000;

/** Adds a call that has been paid for. */
function addCall(known: CallTally | undefined, paidUntil: number, now: number): CallTally {
  const minute = Math.floor(now / minuteMs);
  const same = known?.minute === minute ? known : { untold: 0, told: 0, others: 0 };
  return { ...same, paidUntil, minute, untold: same.untold + 1 };
}

/**
 * True after a twentieth of the burst: late enough that occasional callers cost no writes, and early
 * enough that nobody gets far unseen.
 */
function mustTell({ untold }: CallTally, { burst }: CallLimit): boolean {
  return untold >= Math.ceil(burst / 20);
}

function tell(tally: CallTally): CallTally {
  return { ...tally, untold: 0, told: tally.told + tally.untold };
}

/** Charges calls made in other containers here as well, each once. */
function hear(tally: CallTally, all: number, { rate }: CallLimit): CallTally {
  const others = Math.max(tally.others, all - tally.told);
  const paidUntil = tally.paidUntil + ((others - tally.others) * 1000) / rate;
  return { ...tally, others, paidUntil };
}
