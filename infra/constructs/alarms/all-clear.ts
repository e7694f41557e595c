import { Stack, Validations } from 'aws-cdk-lib';
import { EventField, Match, Rule, RuleTargetInput } from 'aws-cdk-lib/aws-events';
import { SnsTopic } from 'aws-cdk-lib/aws-events-targets';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';

/**
 * Tells when an alarm that rang is over. An alarm could do so itself, but would then also tell that
 * it has begun to watch: a mail for each of them after the first deployment.
 */
export class AllClear extends Construct {
  constructor(scope: Construct, id: string, { topic }: { topic: ITopic }) {
    super(scope, id);
    const rule = new Rule(this, 'Rule', {
      description: 'Slipway: an alarm that rang is over',
      eventPattern: {
        source: ['aws.cloudwatch'],
        detailType: ['CloudWatch Alarm State Change'],
        detail: {
          // CloudFormation names alarms after the stack they are in.
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
