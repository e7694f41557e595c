import { Duration, Validations } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { Construct } from 'constructs';
import type { ServiceFunction } from '../functions/service-function.ts';

export interface ScheduledRunProps {
  readonly target: ServiceFunction;
  readonly everyMinutes: number;
}

/** Lambda keeps no event for longer, in minutes. */
const longestEventAge = 6 * 60;

/** Calls a function by the clock. A run that fails is not repeated: the next one does its work. */
export class ScheduledRun extends Construct {
  constructor(scope: Construct, id: string, { target, everyMinutes }: ScheduledRunProps) {
    super(scope, id);
    target.lambda.configureAsyncInvoke({
      retryAttempts: 0,
      maxEventAge: Duration.minutes(Math.min(everyMinutes, longestEventAge)),
    });
    const rule = new Rule(this, 'Rule', {
      schedule: Schedule.rate(Duration.minutes(everyMinutes)),
      targets: [new LambdaFunction(target.lambda, { retryAttempts: 0 })],
    });
    const reason =
      'The event says only that time has passed: the next run does the work of a lost one, and an alarm rings when there are no runs.';
    Validations.of(rule).acknowledge({ id: 'Serverless-EventBusDLQ', reason });
    Validations.of(target).acknowledge(
      { id: 'Serverless-LambdaDLQ', reason },
      { id: 'Serverless-LambdaAsyncFailureDestination', reason },
    );
  }
}
