import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { UserId } from '#lib/catalog/identifiers.ts';
import { createShortMemory } from '#lib/memory/short-memory.ts';
import { logger } from '#lib/telemetry/logger.ts';
import type { CallCounter } from '#lib/users/calls/open-call-counter.ts';
import { TooManyCallsError } from '../errors.ts';
import { type ApiContext, callerOf } from './api-context.ts';
import { type CallLimit, forgetAfterMs, judgeCall } from './judge-call.ts';
import { addCall, type CallTally, hear, minuteOf, mustTell, tell } from './tally-calls.ts';

export interface CallerLimits {
  readonly limit: CallLimit;
  /** The name that calls are counted under. */
  readonly endpoint: string;
  /** How containers tell each other; without it each counts for itself. */
  readonly count?: CallCounter | undefined;
  readonly now?: () => number;
}

/** More callers than one container meets in a minute; those who called longest ago go first. */
const maxCallers = 1_000;

/** Longer than a minute of calls elsewhere, all heard of at once. */
const extraMs = 120_000;

/**
 * Holds back a caller who calls without a pause, before anything is read for the call. Each
 * container counts in its memory, and tells the table of every so many calls of one caller: few
 * ever make so many, so it costs nearly nothing (docs/decisions/0043).
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
    // Kept before anything is waited for: on a laptop the next call comes meanwhile.
    callers.keep(user, tell(tally));
    try {
      const all = await counter({ user, endpoint, minute: minuteOf(tally) }, tally.untold);
      const current = callers.recall(user);
      if (current?.minute === tally.minute) callers.keep(user, hear(current, all, limit));
    } catch (error) {
      // Whoever cannot be counted is let in: a table that is down refuses what comes after.
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
