import { ComparisonOperator } from 'aws-cdk-lib/aws-cloudwatch';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { iteratorAge, lostByRule, waitingIn } from '../metrics/delivery-metrics.ts';
import { damagedRecords } from '../metrics/service-metrics.ts';
import { sumOf } from '../metrics/table-metrics.ts';
import type { ListeningFunction, ReadingFunction } from '../triggers/called-functions.ts';
import { RunbookAlarm, runbookHeadings } from './runbook-alarm.ts';

export interface DeliveryAlarmsProps {
  readonly service: string;
  readonly reading: ReadonlyMap<string, ReadingFunction>;
  readonly listening: ReadonlyMap<string, ListeningFunction>;
  readonly topic: ITopic;
}

const patienceMs = 15 * 60 * 1000;

/** Alarms about deliveries to functions that are late, in a dead-letter queue, or lost. */
export class DeliveryAlarms extends Construct {
  readonly all: readonly RunbookAlarm[];

  constructor(scope: Construct, id: string, props: DeliveryAlarmsProps) {
    super(scope, id);
    const { service, reading, listening, topic } = props;
    const comparisonOperator = ComparisonOperator.GREATER_THAN_THRESHOLD;
    // Fire at the first one, because these failures do not resolve themselves.
    const atOnce = { topic, comparisonOperator, threshold: 0, evaluationPeriods: 1 };
    const behind = [...reading].map(
      ([name, { target }]) =>
        new RunbookAlarm(this, `${name}-behind`, {
          topic,
          heading: runbookHeadings.streamBehind,
          meaning: `The function ${name} was told about changes more than 15 minutes after they happened.`,
          metric: iteratorAge(target.lambda),
          threshold: patienceMs,
          comparisonOperator,
          evaluationPeriods: 2,
        }),
    );
    const putAside = [...reading, ...listening].map(
      ([name, { deadLetters }]) =>
        new RunbookAlarm(this, `${name}-dead-letters`, {
          ...atOnce,
          heading: runbookHeadings.deadLetters,
          meaning: `Something that the function ${name} should have handled has failed for good.`,
          metric: waitingIn(deadLetters),
        }),
    );
    const lost = [...listening].map(
      ([name, { rule }]) =>
        new RunbookAlarm(this, `${name}-lost`, {
          ...atOnce,
          heading: runbookHeadings.busFailed,
          meaning: `The bus could not deliver an event to the function ${name}, or could not put it aside.`,
          metric: sumOf('events not delivered', lostByRule(rule)),
        }),
    );
    const damaged = new RunbookAlarm(this, 'damaged', {
      ...atOnce,
      heading: runbookHeadings.damagedRecords,
      meaning: 'Nothing could be made of a change of the table, and it was left out.',
      metric: damagedRecords(service),
    });
    this.all = [...behind, ...putAside, ...lost, damaged];
  }
}
