/** Both ends included. */
export interface NumberLimits {
  readonly from: number;
  readonly to?: number;
  /** It must be a multiple of this. */
  readonly step?: number;
}

export interface TextLimits {
  /** Characters. */
  readonly most: number;
  readonly pattern?: RegExp;
}

const rate: NumberLimits = { from: 0 };
const days: NumberLimits = { from: 1, to: 2_147_483_647 };
const periods: NumberLimits = { from: 1, to: 1440 };

/**
 * What the documentation of each resource says of its numbers: the schemas know only that they are some.
 * Every number that a template has must be here.
 */
export const numberLimits: Readonly<Record<string, NumberLimits>> = {
  'AWS::ApiGatewayV2::Api.CorsConfiguration.MaxAge': { from: -1, to: 86_400 },
  'AWS::ApiGatewayV2::Stage.DefaultRouteSettings.ThrottlingBurstLimit': rate,
  'AWS::ApiGatewayV2::Stage.DefaultRouteSettings.ThrottlingRateLimit': rate,
  'AWS::ApiGatewayV2::Stage.RouteSettings.*.ThrottlingBurstLimit': rate,
  'AWS::ApiGatewayV2::Stage.RouteSettings.*.ThrottlingRateLimit': rate,
  'AWS::Batch::ComputeEnvironment.ComputeResources.MaxvCpus': { from: 1 },
  'AWS::Batch::JobDefinition.RetryStrategy.Attempts': { from: 1, to: 10 },
  'AWS::Batch::JobQueue.ComputeEnvironmentOrder.*.Order': { from: 0 },
  'AWS::Batch::JobQueue.Priority': { from: 0, to: 1000 },
  'AWS::Budgets::Budget.Budget.BudgetLimit.Amount': { from: 1 },
  'AWS::Budgets::Budget.NotificationsWithSubscribers.*.Notification.Threshold': {
    from: 0,
    to: 15_000_000_000_000,
  },
  'AWS::CloudFront::ResponseHeadersPolicy.ResponseHeadersPolicyConfig.SecurityHeadersConfig.StrictTransportSecurity.AccessControlMaxAgeSec':
    { from: 0, to: 2_147_483_647 },
  'AWS::CloudWatch::Alarm.DatapointsToAlarm': periods,
  'AWS::CloudWatch::Alarm.EvaluationPeriods': periods,
  'AWS::CloudWatch::Alarm.Metrics.*.MetricStat.Period': { from: 60, to: 86_400, step: 60 },
  'AWS::CloudWatch::Alarm.Period': { from: 60, to: 86_400, step: 60 },
  'AWS::CloudWatch::Alarm.Threshold': { from: 0 },
  'AWS::Cognito::UserPool.AccountRecoverySetting.RecoveryMechanisms.*.Priority': { from: 1, to: 2 },
  'AWS::Cognito::UserPool.Policies.PasswordPolicy.MinimumLength': { from: 6, to: 99 },
  'AWS::Events::Rule.Targets.*.RetryPolicy.MaximumEventAgeInSeconds': { from: 60, to: 86_400 },
  'AWS::Events::Rule.Targets.*.RetryPolicy.MaximumRetryAttempts': { from: 0, to: 185 },
  'AWS::KMS::Key.PendingWindowInDays': { from: 7, to: 30 },
  'AWS::Lambda::EventInvokeConfig.MaximumEventAgeInSeconds': { from: 60, to: 21_600 },
  'AWS::Lambda::EventInvokeConfig.MaximumRetryAttempts': { from: 0, to: 2 },
  'AWS::Lambda::EventSourceMapping.BatchSize': { from: 1, to: 10_000 },
  'AWS::Lambda::EventSourceMapping.MaximumBatchingWindowInSeconds': { from: 0, to: 300 },
  'AWS::Lambda::EventSourceMapping.MaximumRecordAgeInSeconds': { from: 60, to: 604_800 },
  'AWS::Lambda::EventSourceMapping.MaximumRetryAttempts': { from: -1, to: 10_000 },
  'AWS::Lambda::Function.EphemeralStorage.Size': { from: 512, to: 10_240 },
  'AWS::Lambda::Function.MemorySize': { from: 128, to: 10_240 },
  'AWS::Lambda::Function.Timeout': { from: 1, to: 900 },
  'AWS::Logs::LogGroup.RetentionInDays': { from: 1, to: 3653 },
  'AWS::S3::Bucket.CorsConfiguration.CorsRules.*.MaxAge': { from: 0 },
  'AWS::S3::Bucket.LifecycleConfiguration.Rules.*.AbortIncompleteMultipartUpload.DaysAfterInitiation':
    days,
  'AWS::S3::Bucket.LifecycleConfiguration.Rules.*.ExpirationInDays': days,
  'AWS::S3::Bucket.LifecycleConfiguration.Rules.*.NoncurrentVersionExpiration.NoncurrentDays': days,
  'AWS::SQS::Queue.MessageRetentionPeriod': { from: 60, to: 1_209_600 },
  'AWS::SecretsManager::Secret.GenerateSecretString.PasswordLength': { from: 1, to: 4096 },
};

const attribute: TextLimits = { most: 255 };
const index: TextLimits = { most: 255, pattern: /^[\w.-]{3,}$/ };
const policyName: TextLimits = { most: 128, pattern: /^[\w+=,.@-]+$/ };
const described: TextLimits = { most: 512 };
const groupDescription: TextLimits = { most: 255, pattern: /^[\w. \-:/()#,@[\]+=&;{}!$*]*$/ };

/** The same of names and descriptions, which the schemas take for any text. */
export const textLimits: Readonly<Record<string, TextLimits>> = {
  'AWS::ApiGatewayV2::Api.Name': { most: 128 },
  'AWS::ApiGatewayV2::DomainName.DomainName': { most: 512 },
  'AWS::ApiGatewayV2::Stage.StageName': { most: 128, pattern: /^(\$default|[\w-]+)$/ },
  'AWS::Batch::JobDefinition.JobDefinitionName': { most: 128, pattern: /^[\w-]+$/ },
  'AWS::Batch::JobQueue.JobQueueName': { most: 128, pattern: /^[\w-]+$/ },
  'AWS::Budgets::Budget.Budget.BudgetName': { most: 100, pattern: /^[^:\\]+$/ },
  'AWS::CloudWatch::Alarm.AlarmDescription': { most: 1024 },
  'AWS::CloudWatch::Alarm.Dimensions.*.Name': attribute,
  'AWS::CloudWatch::Alarm.MetricName': attribute,
  'AWS::CloudWatch::Alarm.Metrics.*.MetricStat.Metric.Dimensions.*.Name': attribute,
  'AWS::CloudWatch::Alarm.Metrics.*.MetricStat.Metric.MetricName': attribute,
  'AWS::CodeDeploy::Application.ApplicationName': { most: 100 },
  'AWS::CodeDeploy::DeploymentGroup.DeploymentConfigName': { most: 100 },
  'AWS::CodeDeploy::DeploymentGroup.DeploymentGroupName': { most: 100 },
  'AWS::Cognito::UserPool.AccountRecoverySetting.RecoveryMechanisms.*.Name': {
    most: 21,
    pattern: /^(verified_email|verified_phone_number|admin_only)$/,
  },
  'AWS::Cognito::UserPool.Schema.*.Name': { most: 20 },
  'AWS::Cognito::UserPoolGroup.GroupName': { most: 128 },
  'AWS::DynamoDB::Table.AttributeDefinitions.*.AttributeName': attribute,
  'AWS::DynamoDB::Table.GlobalSecondaryIndexes.*.IndexName': index,
  'AWS::DynamoDB::Table.GlobalSecondaryIndexes.*.KeySchema.*.AttributeName': attribute,
  'AWS::DynamoDB::Table.KeySchema.*.AttributeName': attribute,
  'AWS::DynamoDB::Table.LocalSecondaryIndexes.*.IndexName': index,
  'AWS::DynamoDB::Table.LocalSecondaryIndexes.*.KeySchema.*.AttributeName': attribute,
  'AWS::DynamoDB::Table.TimeToLiveSpecification.AttributeName': attribute,
  'AWS::EC2::SecurityGroup.GroupDescription': groupDescription,
  'AWS::EC2::SecurityGroup.SecurityGroupEgress.*.Description': groupDescription,
  'AWS::Events::EventBus.Description': described,
  'AWS::Events::EventBus.Name': { most: 256, pattern: /^[/\w.-]+$/ },
  'AWS::Events::Rule.Description': described,
  'AWS::IAM::ManagedPolicy.Description': { most: 1000 },
  'AWS::IAM::Policy.PolicyName': policyName,
  'AWS::IAM::Role.Description': { most: 1000 },
  'AWS::IAM::Role.Policies.*.PolicyName': policyName,
  'AWS::KMS::Key.Description': { most: 8192 },
  'AWS::Lambda::Alias.Name': { most: 128, pattern: /^(?![0-9]+$)[\w-]+$/ },
  'AWS::Lambda::Function.Description': { most: 256 },
  'AWS::Lambda::Function.FunctionName': { most: 64, pattern: /^[\w-]+$/ },
  'AWS::Lambda::LayerVersion.Description': { most: 256 },
  'AWS::Logs::MetricFilter.MetricTransformations.*.MetricName': { most: 255, pattern: /^[^:*$]+$/ },
  'AWS::Logs::QueryDefinition.Name': { most: 255 },
  'AWS::SSM::Parameter.Description': { most: 1024 },
  'AWS::SecretsManager::Secret.Description': { most: 2048 },
};
