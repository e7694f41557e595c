import { Stack } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';

export interface ContainerRoleProps {
  readonly log: ILogGroup;
  readonly images: readonly string[];
}

/**
 * Lets Fargate pull the images and write the log of a container. Containers cannot use this role,
 * and they have no other: jobs reach their files by passes alone.
 */
export class ContainerRole extends Role {
  constructor(scope: Construct, id: string, { log, images }: ContainerRoleProps) {
    const repositories = [...new Set(images.flatMap((image) => findRepository(scope, image)))];
    super(scope, id, {
      description: 'Slipway: starts the containers of jobs',
      assumedBy: new ServicePrincipal('ecs-tasks.amazonaws.com'),
      inlinePolicies: {
        Starting: new PolicyDocument({
          minimize: false,
          statements: [
            new PolicyStatement({
              actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
              resources: [log.logGroupArn],
            }),
            ...(repositories.length > 0 ? pullStatements(repositories) : []),
          ],
        }),
      },
    });
  }
}

function pullStatements(repositories: string[]): PolicyStatement[] {
  return [
    // It returns a token for all registries, and cannot be limited to one.
    new PolicyStatement({ actions: ['ecr:GetAuthorizationToken'], resources: ['*'] }),
    new PolicyStatement({
      actions: ['ecr:BatchGetImage', 'ecr:GetDownloadUrlForLayer'],
      resources: repositories,
    }),
  ];
}

const privateImage = /^(\d{12})\.dkr\.ecr\.([a-z0-9-]+)\.[a-z.]+\/([^:@]+)/;

/** Returns the ARN of an image's repository in ECR. Images of public registries have none. */
function findRepository(scope: Construct, image: string): string[] {
  const [, account, region, resourceName] = privateImage.exec(image) ?? [];
  if (account === undefined || region === undefined || resourceName === undefined) return [];
  const place = { account, region, service: 'ecr', resource: 'repository', resourceName };
  return [Stack.of(scope).formatArn(place)];
}
