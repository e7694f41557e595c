import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { createShortMemory } from '#lib/memory/short-memory.ts';
import { TooManyCallsError } from '../errors.ts';
import { type ApiContext, callerOf } from './api-context.ts';
import { type CallLimit, forgetAfterMs, judgeCall } from './judge-call.ts';

/** More callers than one container meets in a minute; those who called longest ago go first. */
const maxCallers = 1_000;

/**
 * Holds back a caller who calls without a pause, before anything is read for the call. It counts in
 * the memory of the container, which costs nothing, and so it counts what this container is asked:
 * whoever calls many of them at once may call as many times as often (docs/decisions/0043).
 */
export function limitCallers(
  limit: CallLimit,
  now: () => number = Date.now,
): MiddlewareObj<APIGatewayProxyEventV2, unknown, Error, ApiContext> {
  const callers = createShortMemory<number>({
    most: maxCallers,
    maxAgeMs: forgetAfterMs(limit),
    now,
  });
  return {
    before: function limitCallersBefore({ context }) {
      const { userId } = callerOf(context);
      const judged = judgeCall(callers.recall(userId), now(), limit);
      if ('waitMs' in judged) throw new TooManyCallsError(limit, judged.waitMs);
      callers.keep(userId, judged.paidUntil);
    },
  };
}
