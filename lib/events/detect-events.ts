import type { DynamoDBRecord } from 'aws-lambda';
import { detectJobEvents } from './detect-job-events.ts';
import { detectQuotaEvents } from './detect-quota-events.ts';
import { detectRequestEvents } from './detect-request-events.ts';
import type { DetectedEvent } from './detected-event.ts';
import { readChange } from './item-change.ts';

/** What a change of the table means to those who are told: often nothing. */
export function detectEvents(record: DynamoDBRecord): DetectedEvent[] {
  const change = readChange(record);
  switch (change?.newItem.type) {
    case 'job':
      return detectJobEvents(change);
    case 'quota':
      return detectQuotaEvents(change);
    case 'quota-request':
      return detectRequestEvents(change);
    default:
      return [];
  }
}
