import { LeftOutError } from './left-out.ts';

const part = 'The part of the SDK for event streams';

/**
 * For `@smithy/core/event-streams`, which the SDK loads when an operation has a stream of events
 * as its input or its output. No operation of DynamoDB, EventBridge or Secrets Manager has one.
 */
export class EventStreamSerde {
  constructor() {
    throw new LeftOutError(part);
  }
}

export function eventStreamSerdeProvider(): never {
  throw new LeftOutError(part);
}
