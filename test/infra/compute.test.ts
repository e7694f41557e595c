import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { allFunctions, declaredFunctions, lambdaOf } from './functions-of.ts';
import { fillIn } from './policies/fill-in.ts';
import { roleStatements } from './policies/role-statements.ts';
import { render } from './render.ts';
import { findAll, findByPath, synthesize, type Templates, withAwsBatch } from './synthesize.ts';

const folder = mkdtempSync(join(tmpdir(), 'slipway-catalogs-'));
afterAll(() => rmSync(folder, { recursive: true }));

const example = JSON.parse(readFileSync('docs/examples/aws-batch.json', 'utf8'));

/** Writes a catalog with these connectors on AWS Batch, one system each. */
function writeCatalog(connectors: Readonly<Record<string, object>>, more: object = {}): string {
  const [entry] = example.systems;
  const systems = Object.entries(connectors).map(([name, connector], at) => ({
    ...entry,
    name,
    projects: [{ number: at + 1, name: `${name}_open`, maxLivingJobs: 10 }],
    connector: { kind: 'batch', ...connector },
    ...more,
  }));
  const file = join(folder, `${Object.keys(connectors).join('-')}.json`);
  writeFileSync(file, JSON.stringify({ systems }));
  return file;
}

const templates = synthesize(withAwsBatch);
const several = synthesize({
  catalog: writeCatalog({
    plain: {},
    private: { image: '123456789012.dkr.ecr.eu-central-1.amazonaws.com/lab/tools:1.2' },
    spare: { spot: true },
    centre: { queue: 'centre-queue', jobDefinition: 'centre-job:3' },
  }),
});

const computeOf = ({ compute }: Templates) => {
  if (!compute) throw new Error('There is no compute stack.');
  return compute;
};

const propertiesOf = (of: Templates, type: string) =>
  findAll(computeOf(of), type).map(([, { Properties }]) => Properties);

describe('the network of jobs', () => {
  it('lets nobody in, and has no NAT gateway', () => {
    const types = Object.values(computeOf(templates).Resources).map(({ Type }) => Type);
    expect(types).not.toContain('AWS::EC2::NatGateway');
    expect(types).not.toContain('AWS::EC2::SecurityGroupIngress');
    const [group] = propertiesOf(templates, 'AWS::EC2::SecurityGroup');
    expect(group).not.toHaveProperty('SecurityGroupIngress');
    expect(group?.SecurityGroupEgress).toHaveLength(1);
  });

  it('has only subnets of different zones with a way out', () => {
    const subnets = findAll(computeOf(templates), 'AWS::EC2::Subnet');
    expect(subnets.map(([, { Properties }]) => Properties.CidrBlock)).toEqual([
      '10.0.0.0/17',
      '10.0.128.0/17',
    ]);
    const zones = subnets.map(([, { Properties }]) => JSON.stringify(Properties.AvailabilityZone));
    expect(new Set(zones).size).toBe(2);
    const joined = propertiesOf(templates, 'AWS::EC2::SubnetRouteTableAssociation');
    expect(joined.map(({ SubnetId }) => SubnetId)).toEqual(subnets.map(([id]) => ({ Ref: id })));
  });
});

describe('where jobs run', () => {
  it('is one environment and one queue for each kind of capacity', () => {
    const resources = (of: Templates) =>
      propertiesOf(of, 'AWS::Batch::ComputeEnvironment').map((each) => each.ComputeResources);
    const bounds = { MaxvCpus: 256 };
    expect(resources(templates)).toEqual([expect.objectContaining({ Type: 'FARGATE', ...bounds })]);
    expect(resources(several)).toEqual([
      expect.objectContaining({ Type: 'FARGATE', ...bounds }),
      expect.objectContaining({ Type: 'FARGATE_SPOT', ...bounds }),
    ]);
    const queues = propertiesOf(several, 'AWS::Batch::JobQueue');
    expect(queues.map(({ JobQueueName }) => JobQueueName)).toEqual([
      'slipway-dev-jobs',
      'slipway-dev-spot-jobs',
    ]);
  });

  it('is a container with the image of the catalog, a public address and no job role', () => {
    const [definition] = propertiesOf(templates, 'AWS::Batch::JobDefinition');
    expect(definition).toMatchObject({
      JobDefinitionName: 'slipway-dev-aws_batch',
      PlatformCapabilities: ['FARGATE'],
      ContainerProperties: {
        Image: 'public.ecr.aws/docker/library/python:3.13-slim',
        NetworkConfiguration: { AssignPublicIp: 'ENABLED' },
      },
    });
    for (const each of propertiesOf(several, 'AWS::Batch::JobDefinition')) {
      expect(each.ContainerProperties).not.toHaveProperty('JobRoleArn');
    }
  });

  it('is not created for a system whose queue the catalog names', () => {
    const names = propertiesOf(several, 'AWS::Batch::JobDefinition').map(
      ({ JobDefinitionName }) => JobDefinitionName,
    );
    expect(names).toEqual(['slipway-dev-plain', 'slipway-dev-private', 'slipway-dev-spare']);
    const catalog = writeCatalog({ alone: { queue: 'a', jobDefinition: 'b' } });
    expect(synthesize({ catalog })).not.toHaveProperty('compute');
    expect(synthesize()).not.toHaveProperty('compute');
  });
});

describe('the role that starts containers', () => {
  const statementsOf = (of: Templates) => {
    const [role] = propertiesOf(of, 'AWS::IAM::Role');
    const [policy] = Object(role?.Policies);
    return Object(render(Object(policy).PolicyDocument, of)).Statement;
  };

  it('writes the log of jobs, and does nothing else with a public image', () => {
    const [id] = findByPath(computeOf(templates), 'Log/Resource');
    expect(statementsOf(templates)).toEqual([
      {
        Effect: 'Allow',
        Action: ['logs:CreateLogStream', 'logs:PutLogEvents'],
        Resource: `<${id}.Arn>`,
      },
    ]);
  });

  it('pulls a private image from its repository alone', () => {
    expect(statementsOf(several)).toContainEqual({
      Effect: 'Allow',
      Action: ['ecr:BatchGetImage', 'ecr:GetDownloadUrlForLayer'],
      Resource: 'arn:<AWS::Partition>:ecr:eu-central-1:123456789012:repository/lab/tools',
    });
  });
});

describe('the functions that reach systems', () => {
  const placesOf = (of: Templates, name: string) => {
    const { Variables } = Object(lambdaOf(of, name).Properties.Environment);
    return Variables.BATCH_SYSTEMS === undefined ? undefined : JSON.parse(Variables.BATCH_SYSTEMS);
  };

  it('know the queues that were created, and find the others in their catalog', () => {
    expect(placesOf(templates, 'hand-over-jobs')).toEqual({
      aws_batch: { queue: 'slipway-dev-jobs', definition: 'slipway-dev-aws_batch' },
    });
    expect(Object.keys(placesOf(several, 'track-jobs'))).toEqual(['plain', 'private', 'spare']);
    expect(placesOf(several, 'track-jobs')).toMatchObject({
      spare: { queue: 'slipway-dev-spot-jobs', definition: 'slipway-dev-spare' },
    });
    expect(placesOf(templates, 'submit-job')).toBeUndefined();
    expect(placesOf(synthesize(), 'hand-over-jobs')).toBeUndefined();
  });
});

describe('queues of classes', () => {
  const classes = [
    { name: 'normal' },
    { name: 'large', queue: 'large-queue' },
    { name: 'lent', queue: 'arn:aws:batch:eu-west-1:123456789012:job-queue/lent' },
    { name: 'again', queue: 'large-queue' },
  ];
  const containers = { runtime: 'batch', images: { 'ghcr.io/org/tool:2': 'tool:3' } };
  const classy = synthesize({ catalog: writeCatalog({ classy: {} }, { classes, containers }) });
  const arnOf = (name: string) => `arn:aws:batch:eu-central-1:123456789012:${name}`;
  const [own, large, lent] = [
    arnOf('job-queue/slipway-dev-jobs'),
    arnOf('job-queue/large-queue'),
    'arn:aws:batch:eu-west-1:123456789012:job-queue/lent',
  ];

  it('are in the roles that hand jobs over and repeat them, and in no other', () => {
    const statements = allFunctions.flatMap(({ name }) =>
      roleStatements(classy, name).map((statement) => ({ name, ...statement })),
    );
    const naming = statements.filter(({ resources }) =>
      resources.some((each) => each.includes('job-queue/')),
    );
    const submitting = declaredFunctions.filter(({ awsBatch = [] }) =>
      awsBatch.includes('SubmitJob'),
    );
    expect(naming.map(({ name }) => name).sort()).toEqual(
      submitting.map(({ name }) => name).sort(),
    );
    for (const { actions, resources } of naming) {
      expect(actions).toEqual(['batch:SubmitJob']);
      expect(resources).toEqual([
        own,
        large,
        lent,
        arnOf('job-definition/slipway-dev-classy'),
        arnOf('job-definition/slipway-dev-classy:*'),
        arnOf('job-definition/tool:3'),
        arnOf('job/*'),
      ]);
    }
  });

  it('report their jobs, too', () => {
    const [, rule] = findByPath(classy.triggers, 'Triggers/hand-over-jobs-reports/Rule/Resource');
    const pattern = fillIn(rule.Properties.EventPattern, classy);
    expect(pattern).toMatchObject({ detail: { jobQueue: [own, large, lent] } });
  });
});

describe('reports of AWS Batch', () => {
  it('about our queues reach the function that checks jobs, without tasks of arrays', () => {
    const [, rule] = findByPath(
      templates.triggers,
      'Triggers/hand-over-jobs-reports/Rule/Resource',
    );
    const [functionId] = findByPath(templates.service, 'hand-over-jobs/Function/Resource');
    expect(rule.Properties).not.toHaveProperty('EventBusName');
    expect(render(rule.Properties.EventPattern, templates)).toEqual({
      source: ['aws.batch'],
      'detail-type': ['Batch Job State Change'],
      detail: {
        jobQueue: [
          'arn:<AWS::Partition>:batch:<AWS::Region>:<AWS::AccountId>:job-queue/slipway-dev-jobs',
        ],
        status: ['RUNNING', 'SUCCEEDED', 'FAILED'],
        arrayProperties: { index: [{ exists: false }] },
      },
    });
    expect(rule.Properties.Targets).toMatchObject([
      { Arn: { 'Fn::GetAtt': [functionId, 'Arn'] }, RetryPolicy: { MaximumRetryAttempts: 3 } },
    ]);
  });

  it('are not awaited without a system there', () => {
    expect(() =>
      findByPath(synthesize().triggers, 'Triggers/hand-over-jobs-reports/Rule/Resource'),
    ).toThrow('No resource');
  });
});
