import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import { CfnComputeEnvironment, CfnJobDefinition, CfnJobQueue } from 'aws-cdk-lib/aws-batch';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { type ILogGroup, LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { JobNetwork } from '../constructs/compute/job-network.ts';
import { type Capacity, queueNames } from '../settings/aws-batch.ts';
import type { DeployConfig } from '../settings/config.ts';
import { keepData } from '../settings/stack-values.ts';

export interface ComputeStackProps extends StackProps {
  readonly config: DeployConfig;
}

/** Cores of all running jobs together. The limit also bounds what a mistake can cost. */
const mostCores = 256;

/** The smallest container with a whole core. Each job brings its own size. */
const smallest = { VCPU: '1', MEMORY: '2048' };

/**
 * Runs the jobs of systems on AWS Batch whose queue the catalog does not name. Nothing here costs
 * anything while no job runs. It is a stack of its own, because AWS removes a compute environment
 * only after its last job has ended.
 */
export class ComputeStack extends Stack {
  readonly #network: JobNetwork;
  readonly #log: LogGroup;
  readonly #role: ContainerRole;

  constructor(scope: Construct, id: string, { config, ...stack }: ComputeStackProps) {
    super(scope, id, stack);
    const { service, awsBatch, logDays, production } = config;
    const systems = awsBatch.flatMap(({ name, definition, creates }) =>
      creates ? [{ name, definition, ...creates }] : [],
    );
    this.#network = new JobNetwork(this, 'Network');
    this.#log = new LogGroup(this, 'Log', {
      retention: logDays,
      removalPolicy: keepData(production),
    });
    const images = systems.map(({ image }) => image);
    this.#role = new ContainerRole(this, 'ContainerRole', { log: this.#log, images });
    for (const capacity of new Set(systems.map((system) => system.capacity))) {
      this.#makeQueue(capacity, queueNames[capacity](service));
    }
    for (const { name, definition, image } of systems) {
      this.#defineJob(name, definition, image);
    }
    new CfnOutput(this, 'JobLog', { value: this.#log.logGroupName });
  }

  #makeQueue(capacity: Capacity, jobQueueName: string): void {
    const { subnetIds, securityGroupId } = this.#network;
    // Without a service role, AWS Batch uses its service-linked one, and creates it if necessary.
    const environment = new CfnComputeEnvironment(this, `${capacity}-environment`, {
      type: 'MANAGED',
      state: 'ENABLED',
      // Changed in place, so that running jobs go on.
      replaceComputeEnvironment: false,
      computeResources: {
        type: capacity,
        maxvCpus: mostCores,
        subnets: [...subnetIds],
        securityGroupIds: [securityGroupId],
      },
    });
    environment.node.addDependency(this.#network);
    new CfnJobQueue(this, `${capacity}-queue`, {
      jobQueueName,
      priority: 1,
      state: 'ENABLED',
      computeEnvironmentOrder: [{ order: 1, computeEnvironment: environment.ref }],
    });
  }

  /** Defines what all jobs of a system have in common. There is no job role on purpose. */
  #defineJob(system: string, jobDefinitionName: string, image: string): void {
    new CfnJobDefinition(this, `${system}-job`, {
      type: 'container',
      jobDefinitionName,
      platformCapabilities: ['FARGATE'],
      // So that the costs of jobs carry the tag of the stage.
      propagateTags: true,
      retryStrategy: { attempts: 1 },
      containerProperties: {
        image,
        // Every order brings its own command.
        command: ['python3', '--version'],
        executionRoleArn: this.#role.roleArn,
        resourceRequirements: Object.entries(smallest).map(([type, value]) => ({ type, value })),
        // Reaps the processes that a job leaves behind.
        linuxParameters: { initProcessEnabled: true },
        networkConfiguration: { assignPublicIp: 'ENABLED' },
        fargatePlatformConfiguration: { platformVersion: '1.4.0' },
        runtimePlatform: { cpuArchitecture: 'X86_64', operatingSystemFamily: 'LINUX' },
        logConfiguration: {
          logDriver: 'awslogs',
          options: {
            'awslogs-group': this.#log.logGroupName,
            'awslogs-region': this.region,
            'awslogs-stream-prefix': system,
          },
        },
      },
    });
  }
}

interface ContainerRoleProps {
  readonly log: ILogGroup;
  readonly images: readonly string[];
}

/**
 * Lets Fargate pull the images and write the log of a container. Containers cannot use this role,
 * and they have no other: jobs reach their files by passes alone.
 */
class ContainerRole extends Role {
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
