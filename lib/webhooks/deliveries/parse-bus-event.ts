import * as v from 'valibot';
import { isStoredUserId, type UserId } from '#lib/catalog/identifiers.ts';
import { eventTypes, type SlipwayEvent } from '#lib/events/event.ts';

/** What the bus hands on, as far as it is ours. The identifier becomes a header and a part of a key. */
const BusEvent = v.object({
  source: v.literal('slipway'),
  detail: v.object({
    id: v.pipe(v.string(), v.regex(/^[\x21-\x7e]{1,512}$/)),
    type: v.picklist(eventTypes),
    owner: v.custom<UserId>(isStoredUserId),
    at: v.pipe(v.string(), v.isoTimestamp()),
    data: v.record(v.string(), v.unknown()),
  }),
});

/** Throws where it is something else: the bus keeps what no listener took. */
export function parseBusEvent(told: unknown): SlipwayEvent {
  const { at, ...rest } = v.parse(BusEvent, told).detail;
  return { ...rest, at: new Date(at) };
}
