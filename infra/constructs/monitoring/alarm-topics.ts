import { Stack, Validations } from 'aws-cdk-lib';
import { EventField, Match, Rule, RuleTargetInput } from 'aws-cdk-lib/aws-events';
import { SnsTopic } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { type ITopic, Subscription, SubscriptionProtocol, Topic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';

/**
 * `page`: work of users is lost or delayed, so somebody should look at once. `ticket`: it can wait
 * for the next working day.
 */
export type Urgency = 'page' | 'ticket';

export interface AlarmTopicProps {
  /** Alarms whose names begin with this, after the name of the stack, are reported when they end. */
  readonly urgency: Urgency;
  readonly email: string | undefined;
}

/**
 * The topic of the alarms of one urgency, and of their ends. It has no key of its own, which would
 * cost more than all its alarms: messages name functions and systems, never users or their data.
 */
export class AlarmTopic extends Construct {
  readonly topic: Topic;

  constructor(scope: Construct, id: string, { urgency, email }: AlarmTopicProps) {
    super(scope, id);
    this.topic = new Topic(this, 'Topic', { enforceSSL: true });
    this.topic.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [this.topic.topicArn],
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
      }),
    );
    Validations.of(this.topic).acknowledge({
      id: 'AwsSolutions-SNS2',
      reason: 'Messages name functions and systems, never users or what they write.',
    });
    new AllClear(this, 'AllClear', { topic: this.topic, urgency });
    if (email !== undefined) this.#subscribe(email);
  }

  #subscribe(email: string): void {
    const subscription = new Subscription(this, 'Email', {
      topic: this.topic,
      protocol: SubscriptionProtocol.EMAIL,
      endpoint: email,
    });
    Validations.of(subscription).acknowledge({
      id: 'Serverless-SNSRedrivePolicy',
      reason: 'A queue would not help an e-mail that bounces; the alarm itself stays.',
    });
  }
}

/** The construct in which the alarms of an urgency are, so that their names begin with it. */
export function groupAlarms(scope: Construct, urgency: Urgency): Construct {
  return new Construct(scope, prefixes[urgency]);
}

const prefixes: Readonly<Record<Urgency, string>> = { page: 'Page', ticket: 'Ticket' };

/**
 * Reports that an alarm has ended. An OK action of the alarm would also send an email for each new
 * alarm after the first deployment.
 */
class AllClear extends Construct {
  constructor(
    scope: Construct,
    id: string,
    { topic, urgency }: { readonly topic: ITopic; readonly urgency: Urgency },
  ) {
    super(scope, id);
    const rule = new Rule(this, 'Rule', {
      description: `Slipway: a ${urgency} is over`,
      eventPattern: {
        source: ['aws.cloudwatch'],
        detailType: ['CloudWatch Alarm State Change'],
        detail: {
          // CloudFormation names alarms by stack and logical id.
          alarmName: Match.prefix(`${Stack.of(this).stackName}-${prefixes[urgency]}`),
          state: { value: ['OK'] },
          previousState: { value: ['ALARM'] },
        },
      },
    });
    const alarm = EventField.fromPath('$.detail.alarmName');
    const reason = EventField.fromPath('$.detail.state.reason');
    rule.addTarget(
      new SnsTopic(topic, { message: RuleTargetInput.fromText(`Over: ${alarm}. ${reason}`) }),
    );
    Validations.of(rule).acknowledge({
      id: 'Serverless-EventBusDLQ',
      reason: 'The alarm shows its state in CloudWatch, whoever was told or not.',
    });
  }
}
