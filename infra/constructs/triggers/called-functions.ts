import type { Schedule } from '#functions/schedules.ts';
import type { ServiceFunction } from '../functions/service-function.ts';
import type { BusRule } from './bus-subscription.ts';
import type { DeadLetterQueue } from './dead-letter-queue.ts';

/** A function that a schedule calls. */
export interface ScheduledFunction {
  readonly schedule: Schedule;
  readonly target: ServiceFunction;
}

/** A function that the table's stream calls. */
export interface ReadingFunction {
  readonly target: ServiceFunction;
  /** Absent if a schedule takes up what is lost. */
  readonly deadLetters: DeadLetterQueue | undefined;
}

/** A function that the bus calls. */
export interface ListeningFunction extends ReadingFunction {
  readonly rule: BusRule;
}
