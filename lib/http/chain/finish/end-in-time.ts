import type { MiddlewareObj } from '@middy/core';
import type { Context } from 'aws-lambda';
import { TimeoutError } from '../../errors.ts';

/**
 * Kept for the answer that says that it took too long. A function of this size has a third of a
 * processor, and whoever is late by a millisecond is ended without a word.
 */
const reservedMs = 500;

/**
 * A part of the chain that may wait for others. middy watches the handler alone, but a token, a
 * count of calls or the project of a path may wait for the table just as long.
 */
export function inTime<Event, Result, C extends Context>(
  middleware: MiddlewareObj<Event, Result, Error, C>,
): MiddlewareObj<Event, Result, Error, C> {
  const { before } = middleware;
  if (!before) return middleware;
  return { ...middleware, before: (request) => endInTime(request.context, before(request)) };
}

/** What comes of it, or the error that it took too long. It goes on all the same. */
export async function endInTime<T>(
  context: Pick<Context, 'getRemainingTimeInMillis'>,
  work: T | Promise<T>,
): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new TimeoutError()),
    Math.max(0, context.getRemainingTimeInMillis() - reservedMs),
  );
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
