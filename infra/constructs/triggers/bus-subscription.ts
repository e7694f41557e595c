import { Duration, Fn, Validations } from 'aws-cdk-lib';
import { type EventBus, Rule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { SqsDestination } from 'aws-cdk-lib/aws-lambda-destinations';
import { Construct } from 'constructs';
import type { ServiceFunction } from '../functions/service-function.ts';
import type { DeadLetterQueue } from './dead-letter-queue.ts';

export interface BusSubscriptionProps {
  readonly bus: EventBus;
  /** Source of the events to receive. */
  readonly source: string;
  readonly target: ServiceFunction;
  /** Absent if a schedule takes up what is lost. */
  readonly deadLetters: DeadLetterQueue | undefined;
}

/** Dimensions of a rule's metrics. */
export interface BusRule {
  readonly busName: string;
  readonly ruleName: string;
}

/**
 * Sends every event of one source to a function. Events may fail in two places, and both have the
 * dead-letter queue, if there is one: on the way to Lambda, which the bus retries for a day, and in
 * the function, which Lambda runs up to three times.
 */
export class BusSubscription extends Construct {
  readonly rule: BusRule;

  constructor(scope: Construct, id: string, props: BusSubscriptionProps) {
    super(scope, id);
    const { bus, source, target, deadLetters } = props;
    // Otherwise Lambda's own terms hold, which are two retries within six hours as well.
    if (deadLetters) {
      target.lambda.configureAsyncInvoke({
        retryAttempts: 2,
        maxEventAge: Duration.hours(6),
        onFailure: new SqsDestination(deadLetters),
      });
    }
    const rule = new Rule(this, 'Rule', {
      eventBus: bus,
      eventPattern: { source: [source] },
      targets: [
        new LambdaFunction(target.lambda, {
          maxEventAge: Duration.hours(24),
          retryAttempts: 185,
          ...(deadLetters && { deadLetterQueue: deadLetters }),
        }),
      ],
    });
    // `Ref` of a rule on a custom bus returns `bus|rule`, but its ARN ends in `rule/<bus>/<rule>`.
    const ruleName = Fn.select(2, Fn.split('/', rule.ruleArn));
    this.rule = { busName: bus.eventBusName, ruleName };
    Validations.of(target.lambda).acknowledge({
      id: 'Serverless-LambdaDLQ',
      reason: 'What fails goes to a queue as its destination, with the error beside the event.',
    });
    if (deadLetters) return;
    const reason = 'A schedule does what is lost on the way, so nobody needs to look at it.';
    Validations.of(rule).acknowledge({ id: 'Serverless-EventBusDLQ', reason });
    Validations.of(target).acknowledge({
      id: 'Serverless-LambdaAsyncFailureDestination',
      reason,
    });
  }
}
