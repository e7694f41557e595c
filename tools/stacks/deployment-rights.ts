/** What CloudFormation does with resources of a type, as `service:Verb` or `service:[Verb, ...]`. */
interface Right {
  readonly actions: string;
  /** The resources that it is limited to. AWS chooses the names of all others. */
  readonly on?: readonly string[];
  readonly only?: Conditions;
}

export type Conditions = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The name of the policy that limits every role of the stacks. No statement lets anybody change it. */
export const boundaryName = 'boundary-of-slipway';

const bounded: Conditions = {
  ArnLike: { 'iam:PermissionsBoundary': `arn:aws:iam::*:policy/${boundaryName}` },
};
/** CloudFormation gives the tag of the stack to everything that can have one. */
const ours: Conditions = { StringLike: { 'aws:ResourceTag/slipway:stage': '?*' } };

const tags = 'TagResource UntagResource ListTagsForResource';
const on = (service: string, ...resources: readonly string[]) =>
  resources.map((resource) => `arn:aws:${service}:*:*:${resource}`);
const functions = on('lambda', 'function:slipway-*');
const roles = ['arn:aws:iam::*:role/slipway-*'];
const gateway = (...paths: readonly string[]) =>
  paths.map((path) => `arn:aws:apigateway:*::${path}`);
const apis: readonly Right[] = [
  {
    actions: 'apigateway: GET POST PUT PATCH DELETE TagResource UntagResource',
    on: gateway('/apis', '/apis/*', '/tags/*'),
  },
];
const buckets: readonly Right[] = [
  {
    actions:
      's3: CreateBucket DeleteBucket ListBucket GetBucket* PutBucket* DeleteBucketPolicy GetEncryptionConfiguration PutEncryptionConfiguration GetLifecycleConfiguration PutLifecycleConfiguration GetAccelerateConfiguration GetReplicationConfiguration GetAnalyticsConfiguration GetMetricsConfiguration GetInventoryConfiguration GetIntelligentTieringConfiguration TagResource UntagResource ListTagsForResource',
    on: ['arn:aws:s3:::slipway-*'],
  },
];
const network = (actions: string, removals: string): readonly Right[] => [
  { actions: `ec2: ${actions} CreateTags DeleteTags Describe*` },
  { actions: `ec2: ${removals}`, only: ours },
];
const custom: readonly Right[] = [{ actions: 'lambda: InvokeFunction', on: functions }];
const topics: readonly Right[] = [
  {
    actions: `sns: CreateTopic DeleteTopic GetTopicAttributes SetTopicAttributes GetDataProtectionPolicy Subscribe Unsubscribe GetSubscriptionAttributes SetSubscriptionAttributes ListSubscriptionsByTopic ${tags}`,
    on: on('sns', 'slipway-*'),
  },
];
const queues: readonly Right[] = [
  {
    actions:
      'sqs: CreateQueue DeleteQueue GetQueueAttributes SetQueueAttributes GetQueueUrl TagQueue UntagQueue ListQueueTags',
    on: on('sqs', 'slipway-*'),
  },
];
const pools: readonly Right[] = [
  { actions: 'cognito-idp: CreateUserPool DescribeUserPoolDomain' },
  {
    actions: `cognito-idp: DescribeUserPool UpdateUserPool DeleteUserPool AddCustomAttributes GetUserPoolMfaConfig SetUserPoolMfaConfig CreateUserPoolClient DescribeUserPoolClient UpdateUserPoolClient DeleteUserPoolClient CreateUserPoolDomain UpdateUserPoolDomain DeleteUserPoolDomain CreateGroup GetGroup UpdateGroup DeleteGroup ${tags}`,
    on: on('cognito-idp', 'userpool/*'),
  },
];
const pages: readonly Right[] = [
  {
    actions: `cloudfront: CreateDistribution GetDistribution GetDistributionConfig UpdateDistribution DeleteDistribution CreateFunction DescribeFunction GetFunction PublishFunction UpdateFunction DeleteFunction CreateOriginAccessControl GetOriginAccessControl UpdateOriginAccessControl DeleteOriginAccessControl CreateResponseHeadersPolicy GetResponseHeadersPolicy UpdateResponseHeadersPolicy DeleteResponseHeadersPolicy ${tags}`,
  },
];

/**
 * What CloudFormation needs to create, read, change and remove resources of each type in the templates.
 * A type that is missing here fails a test. Written from the permissions that the resource handlers
 * of CloudFormation declare; nobody has deployed with them yet (docs/decisions/0117).
 */
export const rightsOfTypes: Readonly<Record<string, readonly Right[]>> = {
  'AWS::ApiGatewayV2::Api': apis,
  'AWS::ApiGatewayV2::ApiMapping': apis,
  'AWS::ApiGatewayV2::DomainName': [
    {
      actions:
        'apigateway: GET POST PUT PATCH DELETE AddCertificateToDomain RemoveCertificateFromDomain',
      on: gateway('/domainnames', '/domainnames/*'),
    },
  ],
  'AWS::ApiGatewayV2::Integration': apis,
  'AWS::ApiGatewayV2::Route': apis,
  'AWS::ApiGatewayV2::Stage': [
    ...apis,
    {
      actions:
        'logs: CreateLogDelivery GetLogDelivery UpdateLogDelivery DeleteLogDelivery ListLogDeliveries DescribeResourcePolicies PutResourcePolicy',
    },
  ],
  'AWS::Batch::ComputeEnvironment': [
    {
      actions: `batch: CreateComputeEnvironment UpdateComputeEnvironment DeleteComputeEnvironment ${tags}`,
      on: on('batch', 'compute-environment/*'),
    },
    { actions: 'batch: DescribeComputeEnvironments' },
  ],
  'AWS::Batch::JobDefinition': [
    {
      actions: `batch: RegisterJobDefinition DeregisterJobDefinition ${tags}`,
      on: on('batch', 'job-definition/slipway-*'),
    },
    { actions: 'batch: DescribeJobDefinitions' },
  ],
  'AWS::Batch::JobQueue': [
    {
      actions: `batch: CreateJobQueue UpdateJobQueue DeleteJobQueue ${tags}`,
      on: on('batch', 'job-queue/slipway-*', 'compute-environment/*'),
    },
    { actions: 'batch: DescribeJobQueues' },
  ],
  'AWS::Budgets::Budget': [
    {
      actions: `budgets: ViewBudget ModifyBudget ${tags}`,
      on: ['arn:aws:budgets::*:budget/slipway-*'],
    },
  ],
  'AWS::CloudFormation::Stack': [
    {
      actions:
        'cloudformation: CreateStack UpdateStack DeleteStack DescribeStacks DescribeStackEvents TagResource UntagResource',
      on: on('cloudformation', 'stack/slipway-*'),
    },
  ],
  'AWS::CloudFront::Distribution': pages,
  'AWS::CloudFront::Function': pages,
  'AWS::CloudFront::OriginAccessControl': pages,
  'AWS::CloudFront::ResponseHeadersPolicy': pages,
  'AWS::CloudWatch::Alarm': [
    {
      actions: `cloudwatch: PutMetricAlarm DeleteAlarms ${tags}`,
      on: on('cloudwatch', 'alarm:slipway-*'),
    },
    { actions: 'cloudwatch: DescribeAlarms' },
  ],
  'AWS::CloudWatch::Dashboard': [
    {
      actions: `cloudwatch: PutDashboard GetDashboard DeleteDashboards ${tags}`,
      on: ['arn:aws:cloudwatch::*:dashboard/*'],
    },
  ],
  'AWS::CodeDeploy::Application': [
    {
      actions: `codedeploy: CreateApplication GetApplication UpdateApplication DeleteApplication ${tags}`,
      on: on('codedeploy', 'application:slipway-*'),
    },
  ],
  'AWS::CodeDeploy::DeploymentGroup': [
    {
      actions: `codedeploy: CreateDeploymentGroup GetDeploymentGroup UpdateDeploymentGroup DeleteDeploymentGroup CreateDeployment GetDeployment StopDeployment RegisterApplicationRevision GetApplicationRevision GetDeploymentConfig ${tags}`,
      on: on(
        'codedeploy',
        'application:slipway-*',
        'deploymentgroup:slipway-*',
        'deploymentconfig:*',
      ),
    },
  ],
  'AWS::Cognito::UserPool': pools,
  'AWS::Cognito::UserPoolClient': pools,
  'AWS::Cognito::UserPoolDomain': pools,
  'AWS::Cognito::UserPoolGroup': pools,
  'AWS::DynamoDB::Table': [
    {
      actions:
        'dynamodb: CreateTable DescribeTable UpdateTable DeleteTable DescribeContinuousBackups UpdateContinuousBackups DescribeTimeToLive UpdateTimeToLive DescribeContributorInsights UpdateContributorInsights DescribeKinesisStreamingDestination GetResourcePolicy TagResource UntagResource ListTagsOfResource',
      on: on('dynamodb', 'table/slipway-*'),
    },
  ],
  'AWS::EC2::InternetGateway': network('CreateInternetGateway', 'DeleteInternetGateway'),
  'AWS::EC2::Route': network('CreateRoute', 'DeleteRoute ReplaceRoute'),
  'AWS::EC2::RouteTable': network('CreateRouteTable', 'DeleteRouteTable'),
  'AWS::EC2::SecurityGroup': network(
    'CreateSecurityGroup',
    'DeleteSecurityGroup AuthorizeSecurityGroupEgress AuthorizeSecurityGroupIngress RevokeSecurityGroupEgress RevokeSecurityGroupIngress',
  ),
  'AWS::EC2::Subnet': network('CreateSubnet', 'DeleteSubnet ModifySubnetAttribute'),
  'AWS::EC2::SubnetRouteTableAssociation': network('AssociateRouteTable', 'DisassociateRouteTable'),
  'AWS::EC2::VPC': network('CreateVpc', 'DeleteVpc ModifyVpcAttribute'),
  // It changes route tables of the operator's own network, which have no tag of ours.
  'AWS::EC2::VPCEndpoint': network('CreateVpcEndpoint ModifyVpcEndpoint DeleteVpcEndpoints', ''),
  'AWS::EC2::VPCGatewayAttachment': network('AttachInternetGateway', 'DetachInternetGateway'),
  'AWS::Events::EventBus': [
    {
      actions: `events: CreateEventBus DescribeEventBus UpdateEventBus DeleteEventBus ${tags}`,
      on: on('events', 'event-bus/slipway*'),
    },
  ],
  'AWS::Events::Rule': [
    {
      actions: `events: PutRule DescribeRule EnableRule DisableRule DeleteRule PutTargets RemoveTargets ListTargetsByRule ${tags}`,
      on: on('events', 'rule/slipway*'),
    },
  ],
  'AWS::IAM::ManagedPolicy': [
    {
      actions:
        'iam: CreatePolicy GetPolicy DeletePolicy CreatePolicyVersion GetPolicyVersion DeletePolicyVersion ListPolicyVersions SetDefaultPolicyVersion ListEntitiesForPolicy TagPolicy UntagPolicy',
      on: ['arn:aws:iam::*:policy/slipway-*'],
    },
  ],
  'AWS::IAM::Policy': [
    { actions: 'iam: PutRolePolicy', on: roles, only: bounded },
    { actions: 'iam: GetRolePolicy DeleteRolePolicy', on: roles },
  ],
  'AWS::IAM::Role': [
    {
      actions: 'iam: CreateRole PutRolePolicy AttachRolePolicy PutRolePermissionsBoundary',
      on: roles,
      only: bounded,
    },
    {
      actions:
        'iam: GetRole UpdateRole UpdateRoleDescription UpdateAssumeRolePolicy DeleteRole GetRolePolicy DeleteRolePolicy DetachRolePolicy ListRolePolicies ListAttachedRolePolicies TagRole UntagRole ListRoleTags PassRole',
      on: roles,
    },
    {
      actions: 'iam: CreateServiceLinkedRole',
      on: [
        'arn:aws:iam::*:role/aws-service-role/batch.amazonaws.com/*',
        'arn:aws:iam::*:role/aws-service-role/ecs.amazonaws.com/*',
        'arn:aws:iam::*:role/aws-service-role/ops.apigateway.amazonaws.com/*',
      ],
    },
  ],
  'AWS::KMS::Key': [
    { actions: 'kms: CreateKey' },
    {
      actions:
        'kms: DescribeKey GetKeyPolicy PutKeyPolicy GetKeyRotationStatus EnableKeyRotation DisableKeyRotation EnableKey DisableKey UpdateKeyDescription ScheduleKeyDeletion ListResourceTags TagResource UntagResource CreateGrant Decrypt GenerateDataKey',
      on: on('kms', 'key/*'),
      only: ours,
    },
  ],
  'AWS::Lambda::Alias': [
    { actions: 'lambda: CreateAlias GetAlias UpdateAlias DeleteAlias', on: functions },
  ],
  'AWS::Lambda::EventInvokeConfig': [
    {
      actions:
        'lambda: PutFunctionEventInvokeConfig GetFunctionEventInvokeConfig UpdateFunctionEventInvokeConfig DeleteFunctionEventInvokeConfig',
      on: functions,
    },
  ],
  'AWS::Lambda::EventSourceMapping': [
    {
      actions:
        'lambda: CreateEventSourceMapping GetEventSourceMapping UpdateEventSourceMapping DeleteEventSourceMapping TagResource UntagResource ListTags',
    },
  ],
  'AWS::Lambda::Function': [
    {
      actions:
        'lambda: CreateFunction GetFunction GetFunctionConfiguration UpdateFunctionCode UpdateFunctionConfiguration DeleteFunction GetFunctionCodeSigningConfig GetFunctionRecursionConfig PutFunctionRecursionConfig GetRuntimeManagementConfig PutRuntimeManagementConfig PutFunctionConcurrency DeleteFunctionConcurrency TagResource UntagResource ListTags',
      on: functions,
    },
  ],
  'AWS::Lambda::LayerVersion': [
    {
      actions: 'lambda: PublishLayerVersion GetLayerVersion DeleteLayerVersion',
      on: on('lambda', 'layer:*'),
    },
  ],
  'AWS::Lambda::Permission': [
    { actions: 'lambda: AddPermission RemovePermission GetPolicy', on: functions },
  ],
  'AWS::Lambda::Version': [
    {
      actions:
        'lambda: PublishVersion ListVersionsByFunction GetProvisionedConcurrencyConfig DeleteFunction',
      on: functions,
    },
  ],
  'AWS::Logs::LogGroup': [
    {
      actions: `logs: CreateLogGroup DeleteLogGroup PutRetentionPolicy DeleteRetentionPolicy AssociateKmsKey DisassociateKmsKey GetDataProtectionPolicy DescribeIndexPolicies ${tags}`,
      on: on('logs', 'log-group:slipway-*'),
    },
    { actions: 'logs: DescribeLogGroups' },
  ],
  'AWS::Logs::MetricFilter': [
    {
      actions: 'logs: PutMetricFilter DeleteMetricFilter DescribeMetricFilters',
      on: on('logs', 'log-group:slipway-*'),
    },
  ],
  'AWS::Logs::QueryDefinition': [
    { actions: 'logs: PutQueryDefinition DeleteQueryDefinition DescribeQueryDefinitions' },
  ],
  'AWS::S3::Bucket': buckets,
  'AWS::S3::BucketPolicy': buckets,
  'AWS::SNS::Subscription': topics,
  'AWS::SNS::Topic': topics,
  'AWS::SNS::TopicPolicy': topics,
  'AWS::SQS::Queue': queues,
  'AWS::SQS::QueuePolicy': queues,
  'AWS::SSM::Parameter': [
    {
      actions: `ssm: PutParameter GetParameters DeleteParameter AddTagsToResource RemoveTagsFromResource ListTagsForResource`,
      on: on('ssm', 'parameter/CFN-*'),
    },
  ],
  'AWS::SecretsManager::Secret': [
    { actions: 'secretsmanager: CreateSecret GetRandomPassword' },
    {
      actions: 'secretsmanager: DescribeSecret UpdateSecret DeleteSecret TagResource UntagResource',
      on: on('secretsmanager', 'secret:*'),
      only: ours,
    },
  ],
  'Custom::CDKBucketDeployment': custom,
  'Custom::S3AutoDeleteObjects': custom,
};

/** What every deployment of the CDK needs beside its resources: its own version, and what it uploaded. */
export const rightsOfTheCdk: readonly Right[] = [
  { actions: 'ssm: GetParameters', on: on('ssm', 'parameter/cdk-bootstrap/*') },
  { actions: 's3: GetObject', on: ['arn:aws:s3:::cdk-*-assets-*'] },
];

export type { Right };
