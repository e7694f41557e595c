import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { listeners } from '#functions/listeners.ts';
import { schedules } from '#functions/schedules.ts';
import { allFunctions, lambdaOf } from './functions-of.ts';
import { render } from './render.ts';
import {
  findAll,
  findByPath,
  joinServing,
  synthesize,
  type Templates,
  withNetwork,
} from './synthesize.ts';

const plain = synthesize();
const inside = synthesize(withNetwork);
const subnets = ['subnet-0a1b2c3d4e5f60718', 'subnet-0a1b2c3d4e5f60719'];

/** Those that call HPC systems, and those that call receivers of webhooks. */
const outgoing = [
  'check-waiting',
  'clear-folder',
  'deliver-events',
  'hand-over-jobs',
  'queue-deliveries',
  'read-files',
  'release-jobs',
  'track-jobs',
];

describe('with a network of the operator', () => {
  it('the functions that call out are in it, and no others', () => {
    const placed = allFunctions.filter(({ name }) => vpcOf(inside, name) !== undefined);
    expect(placed.map(({ name }) => name).toSorted()).toEqual(outgoing);
    const [groupId] = findByPath(inside.service, 'Network/SecurityGroup');
    for (const name of outgoing) {
      expect(vpcOf(inside, name)).toEqual({
        SubnetIds: subnets,
        SecurityGroupIds: [{ 'Fn::GetAtt': [groupId, 'GroupId'] }],
      });
    }
  });

  it('who sends pushes declares it', () => {
    const pushing = [...Object.values(listeners), ...Object.values(schedules)].filter((row) =>
      readFileSync(`functions/${row.file}.ts`, 'utf8').includes('webhooks/send-push.ts'),
    );
    expect(pushing).toHaveLength(2);
    for (const row of pushing) expect(row).toHaveProperty('pushes', true);
  });

  it('lets nothing in', () => {
    const [, { Properties }] = findByPath(inside.service, 'Network/SecurityGroup');
    expect(Properties).toMatchObject({ VpcId: withNetwork.vpcId });
    expect(Properties).not.toHaveProperty('SecurityGroupIngress');
    expect(findAll(inside.service, 'AWS::EC2::SecurityGroupIngress')).toEqual([]);
  });

  it('leads to the table and to the buckets without a NAT gateway', () => {
    const ways = findAll(inside.service, 'AWS::EC2::VPCEndpoint').map(([, { Properties }]) =>
      render(Properties, inside),
    );
    expect(ways).toEqual(
      ['dynamodb', 's3'].map((service) => ({
        VpcId: withNetwork.vpcId,
        VpcEndpointType: 'Gateway',
        ServiceName: `com.amazonaws.<AWS::Region>.${service}`,
        RouteTableIds: [withNetwork.routeTableIds],
      })),
    );
  });

  it('lets Lambda make interfaces in the name of those functions, and not their code', () => {
    for (const { name } of allFunctions) {
      const added = statementsOf(inside, name).filter(
        (each) => !statementsOf(plain, name).includes(each),
      );
      const interfaces = {
        Action: [
          'ec2:AssignPrivateIpAddresses',
          'ec2:CreateNetworkInterface',
          'ec2:DeleteNetworkInterface',
          'ec2:DescribeNetworkInterfaces',
          'ec2:DescribeSubnets',
          'ec2:UnassignPrivateIpAddresses',
        ],
        Resource: '*',
      };
      const everyFunction = 'arn:<AWS::Partition>:lambda:<AWS::Region>:<AWS::AccountId>:function:*';
      const expected = [
        { ...interfaces, Effect: 'Allow' },
        {
          ...interfaces,
          Effect: 'Deny',
          Condition: { ArnLike: { 'lambda:SourceFunctionArn': everyFunction } },
        },
      ];
      const wanted = outgoing.includes(name) ? expected : [];
      expect(
        added.map((each) => JSON.parse(each)),
        name,
      ).toEqual(wanted);
    }
  });

  it("has the operator's security group where one is named, and the operator's ways", () => {
    const { routeTableIds: _, ...bare } = withNetwork;
    const own = synthesize({ ...bare, securityGroupIds: 'sg-0a1b2c3d' });
    expect(vpcOf(own, 'track-jobs')).toEqual({
      SubnetIds: subnets,
      SecurityGroupIds: ['sg-0a1b2c3d'],
    });
    expect(findAll(own.service, 'AWS::EC2::SecurityGroup')).toEqual([]);
    expect(findAll(own.service, 'AWS::EC2::VPCEndpoint')).toEqual([]);
  });
});

describe('without one', () => {
  it('no function is in a network, and nothing of one is made', () => {
    expect(allFunctions.filter(({ name }) => vpcOf(plain, name) !== undefined)).toEqual([]);
    const types = Object.values(plain.service.Resources).map(({ Type }) => Type);
    expect(types.filter((type) => type.startsWith('AWS::EC2'))).toEqual([]);
  });
});

function vpcOf(templates: Templates, name: string): unknown {
  return lambdaOf(templates, name).Properties.VpcConfig;
}

/** What the role of a function says, statement by statement. */
function statementsOf(templates: Templates, name: string): string[] {
  const [, role] = findByPath(joinServing(templates), `${name}/Role/Resource`);
  const { Policies } = render(role.Properties, templates) as {
    Policies: { PolicyDocument: { Statement: unknown[] } }[];
  };
  return Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement).map((each) =>
    JSON.stringify(each),
  );
}
