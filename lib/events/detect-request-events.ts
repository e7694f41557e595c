import { requestFromItem } from '#lib/requests/request-item.ts';
import type { DetectedEvent } from './detected-event.ts';
import type { ItemChange } from './item-change.ts';

/** A request is opened once, and ends once; that its user withdraws it is news to nobody. */
export function detectRequestEvents({ at, oldItem, newItem }: ItemChange): DetectedEvent[] {
  const request = requestFromItem(newItem);
  const { id, user: owner, state } = request;
  if (state === 'withdrawn' || oldItem?.state === state) return [];
  const happened = state === 'open' ? 'opened' : state;
  return [{ type: `request.${happened}`, id: `${id}-${happened}`, owner, at, request }];
}
