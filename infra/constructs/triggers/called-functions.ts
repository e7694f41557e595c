import type { Schedule } from '#functions/schedules.ts';
import type { ServiceFunction } from '../functions/service-function.ts';
import type { BusRule } from './bus-subscription.ts';
import type { DeadLetterQueue } from './dead-letter-queue.ts';

/** A function called by the clock. */
export interface ScheduledFunction {
  readonly schedule: Schedule;
  readonly target: ServiceFunction;
}

/** A function called by the stream. */
export interface ReadingFunction {
  readonly target: ServiceFunction;
  readonly deadLetters: DeadLetterQueue;
}

/** A function called by the bus. */
export interface ListeningFunction extends ReadingFunction {
  readonly rule: BusRule;
}
