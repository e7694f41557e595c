import { Duration, Validations } from 'aws-cdk-lib';
import { EventSourceMapping, FilterCriteria, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { SqsDlq } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Construct } from 'constructs';
import type { StreamFilter, StreamReader } from '#functions/streams.ts';
import type { StreamPace } from '#infra/settings/limits.ts';
import type { ServedTable } from '../data/slipway-table.ts';
import type { ServiceFunction } from '../functions/service-function.ts';
import type { DeadLetterQueue } from './dead-letter-queue.ts';

export interface StreamSubscriptionProps {
  readonly table: ServedTable;
  readonly target: ServiceFunction;
  readonly reader: StreamReader;
  readonly pace: StreamPace;
  /** Absent if a schedule takes up what is lost. */
  readonly deadLetters: DeadLetterQueue | undefined;
}

/**
 * Sends changes of the table to a function, in order. Failed changes are retried in smaller batches
 * and finally sent to the dead-letter queue, if there is one, so that they do not block later ones.
 */
export class StreamSubscription extends Construct {
  constructor(scope: Construct, id: string, props: StreamSubscriptionProps) {
    super(scope, id);
    const { table, target, reader, pace } = props;
    new EventSourceMapping(this, 'Mapping', {
      target: target.lambda,
      eventSourceArn: table.streamArn,
      filters: reader.filters.map(toCriteria),
      // Includes changes from before this deployment.
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize: pace.batchSize,
      maxBatchingWindow: Duration.seconds(0),
      bisectBatchOnError: true,
      reportBatchItemFailures: true,
      retryAttempts: pace.retries,
      maxRecordAge: Duration.hours(pace.oldestHours),
      ...(props.deadLetters && { onFailure: new SqsDlq(props.deadLetters) }),
    });
    if (!props.deadLetters) {
      Validations.of(this).acknowledge({
        id: 'Serverless-LambdaEventSourceMappingDestination',
        reason: 'A schedule does what is lost on the way, so nobody needs to look at it.',
      });
    }
    Validations.of(target.lambda).acknowledge({
      id: 'Serverless-LambdaDLQ',
      reason: 'Only the stream calls it, and the stream itself puts aside what fails.',
    });
  }
}

/** Converts a filter of functions/streams.ts to the filter of an event source. */
function toCriteria({ eventName, itemType, flag, kind }: StreamFilter): Record<string, unknown> {
  return FilterCriteria.filter({
    eventName: [...eventName],
    dynamodb: {
      NewImage: {
        type: { S: [itemType].flat() },
        ...(flag !== undefined && { [flag]: { BOOL: [true] } }),
        ...(kind !== undefined && { kind: { S: [kind] } }),
      },
    },
  });
}
