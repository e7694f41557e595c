import { type EventType, isForAdministrators } from '#lib/events/event.ts';
import { EventForAdministratorsError } from './errors.ts';

/** Only an administrator, as the token says when a webhook is made, may hear of everybody. */
export function judgeEvents(
  events: readonly EventType[],
  byAdministrator: boolean,
): EventForAdministratorsError | undefined {
  const reserved = events.find(isForAdministrators);
  return reserved === undefined || byAdministrator
    ? undefined
    : new EventForAdministratorsError(reserved);
}
