import { RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { EventField, Match, Rule, RuleTargetInput } from 'aws-cdk-lib/aws-events';
import { SnsTopic } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { type ITopic, Subscription, SubscriptionProtocol, Topic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';

/**
 * The topic that receives alarms and their ends. CloudWatch cannot publish with the AWS-managed SNS
 * key or without a topic policy, so this creates both. The key is separate from the data key.
 */
export class AlarmTopic extends Construct {
  readonly topic: Topic;

  constructor(scope: Construct, id: string, { email }: { email: string | undefined }) {
    super(scope, id);
    const cloudWatch = new ServicePrincipal('cloudwatch.amazonaws.com');
    const key = new Key(this, 'Key', {
      description: 'Slipway: the alarm topic',
      enableKeyRotation: true,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    key.addToResourcePolicy(
      new PolicyStatement({
        principals: [cloudWatch],
        actions: ['kms:Decrypt', 'kms:GenerateDataKey'],
        resources: ['*'],
      }),
    );
    this.topic = new Topic(this, 'Topic', { masterKey: key, enforceSSL: true });
    this.topic.addToResourcePolicy(
      new PolicyStatement({
        principals: [cloudWatch],
        actions: ['sns:Publish'],
        resources: [this.topic.topicArn],
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
      }),
    );
    new AllClear(this, 'AllClear', { topic: this.topic });
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

/**
 * Reports that an alarm has ended. An OK action of the alarm would also send an email for each new
 * alarm after the first deployment.
 */
class AllClear extends Construct {
  constructor(scope: Construct, id: string, { topic }: { topic: ITopic }) {
    super(scope, id);
    const rule = new Rule(this, 'Rule', {
      description: 'Slipway: an alarm that rang is over',
      eventPattern: {
        source: ['aws.cloudwatch'],
        detailType: ['CloudWatch Alarm State Change'],
        detail: {
          // CloudFormation prefixes alarm names with the stack name.
          alarmName: Match.prefix(Stack.of(this).stackName),
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
      reason: 'The state of an alarm is on the dashboard, whoever was told or not.',
    });
  }
}
