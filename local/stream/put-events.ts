import { randomUUID } from 'node:crypto';
import type { EventBridgeEvent } from 'aws-lambda';
import * as v from 'valibot';

export type BusEvent = EventBridgeEvent<string, unknown>;

const Entry = v.object({
  Source: v.optional(v.string()),
  DetailType: v.optional(v.string()),
  Detail: v.optional(v.string()),
  EventBusName: v.optional(v.string()),
  /** A number (seconds since 1970) if the request came over HTTP. */
  Time: v.optional(
    v.union([
      v.date(),
      v.pipe(
        v.number(),
        v.transform((seconds) => new Date(seconds * 1000)),
      ),
    ]),
  ),
  Resources: v.optional(v.array(v.string()), []),
});

/** EventBridge takes at most 10 entries per call. */
export const PutEventsRequest = v.object({
  Entries: v.pipe(v.array(Entry), v.minLength(1), v.maxLength(10)),
});

/**
 * Handles a PutEvents call: creates an event for each valid entry, and a result for every entry.
 * Entries for another bus are accepted and dropped.
 */
export function putEvents(
  { Entries }: v.InferOutput<typeof PutEventsRequest>,
  busName: string,
  now: Date,
) {
  const events: BusEvent[] = [];
  const results = Entries.map((entry) => {
    const { Source, DetailType, EventBusName } = entry;
    const detail = parseDetail(entry.Detail);
    if (!Source || !DetailType)
      return refuse('InvalidArgument', 'Source or DetailType is missing.');
    if (!detail) return refuse('MalformedDetail', 'Detail is malformed.');
    const id = randomUUID();
    if (EventBusName === busName) {
      events.push({
        version: '0',
        id,
        source: Source,
        'detail-type': DetailType,
        time: `${(entry.Time ?? now).toISOString().slice(0, 19)}Z`,
        region: 'local',
        account: '000000000000',
        resources: entry.Resources,
        detail,
      });
    }
    return { EventId: id };
  });
  const failed = results.filter((result) => 'ErrorCode' in result);
  return { events, answer: { FailedEntryCount: failed.length, Entries: results } };
}

function refuse(ErrorCode: string, ErrorMessage: string) {
  return { ErrorCode, ErrorMessage };
}

/** Returns undefined unless the text is a JSON object. */
function parseDetail(text = ''): object | undefined {
  try {
    const detail: unknown = JSON.parse(text);
    return typeof detail === 'object' && detail !== null && !Array.isArray(detail)
      ? detail
      : undefined;
  } catch {
    return undefined;
  }
}
