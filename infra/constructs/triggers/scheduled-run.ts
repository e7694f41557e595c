import { Duration, Validations } from 'aws-cdk-lib';
import { Rule, RuleTargetInput, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { Construct } from 'constructs';
import type { SweepCall } from '#lib/jobs/run/sweep/sweep.ts';
import type { ServiceFunction } from '../functions/service-function.ts';

export interface ScheduledRunProps {
  readonly target: ServiceFunction;
  readonly everyMinutes: number;
  /**
   * Calls the function once per entry, all at the same time. By default, once with the event of the
   * schedule.
   */
  readonly calls?: readonly SweepCall[];
}

/** Lambda's maximum event age, in minutes. */
const longestEventAge = 6 * 60;

/**
 * Calls a function on a schedule. Failed runs are not retried, because the next run does their
 * work.
 */
export class ScheduledRun extends Construct {
  constructor(scope: Construct, id: string, { target, everyMinutes, calls }: ScheduledRunProps) {
    super(scope, id);
    const reason =
      'The event says only that time has passed: the next run does the work of a lost one, and an alarm rings when there are no runs.';
    target.lambda.configureAsyncInvoke({
      retryAttempts: 0,
      maxEventAge: Duration.minutes(Math.min(everyMinutes, longestEventAge)),
    });
    const call = (ruleId: string, event?: RuleTargetInput): void => {
      const rule = new Rule(this, ruleId, {
        schedule: Schedule.rate(Duration.minutes(everyMinutes)),
        targets: [new LambdaFunction(target.lambda, { retryAttempts: 0, ...(event && { event }) })],
      });
      Validations.of(rule).acknowledge({ id: 'Serverless-EventBusDLQ', reason });
    };
    if (calls === undefined) call('Rule');
    for (const each of calls ?? []) {
      call(`${each.hpc}-${each.run.number}`, RuleTargetInput.fromObject(each));
    }
    Validations.of(target).acknowledge(
      { id: 'Serverless-LambdaDLQ', reason },
      { id: 'Serverless-LambdaAsyncFailureDestination', reason },
    );
  }
}
