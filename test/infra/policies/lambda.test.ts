import { describe, expect, it } from 'vitest';
import { allFunctions, lambdaOf } from '../functions-of.ts';
import {
  centre,
  findByPath,
  joinServing,
  production,
  synthesize,
  type Templates,
  withNetwork,
} from '../synthesize.ts';
import { findDeployed } from './deployed.ts';
import { account, fillIn, region } from './fill-in.ts';
import { areAllowed, isAllowed } from './is-allowed.ts';
import { askForTableKey } from './requests-of.ts';
import { roleStatements } from './role-statements.ts';

const inNetwork = synthesize({ ...production, ...withNetwork });
const variants: [string, Templates][] = [
  ['dev', synthesize(centre)],
  ['prod, own network', inNetwork],
];

const plain = (action: string, resource = '*') => ({ action, resource, context: {} });

/** What a construct is called, once it is deployed. */
const arnOf = (templates: Templates, path: string): string =>
  String(fillIn({ 'Fn::GetAtt': [findByPath(joinServing(templates), path)[0], 'Arn'] }, templates));

describe.each(variants)('in the name of a function of %s Lambda', (_, templates) => {
  const roles = new Map(allFunctions.map(({ name }) => [name, roleStatements(templates, name)]));
  const whoMay = (...requests: ReturnType<typeof plain>[]) =>
    allFunctions
      .filter(({ name }) => areAllowed(roles.get(name) ?? [], requests))
      .map(({ name }) => name);

  it.each(allFunctions)('writes the log of $name, which no other function may', ({ name }) => {
    const group = arnOf(templates, `${name}/Log/Resource`).replace(/:\*$/, '');
    const stream = `${group}:log-stream:2026/11/16/[$LATEST]0a1b`;
    expect(whoMay(plain('logs:CreateLogStream', stream))).toEqual([name]);
    expect(whoMay(plain('logs:PutLogEvents', stream))).toEqual([name]);
  });

  it('writes traces for nobody', () => {
    const written = [plain('xray:PutTraceSegments'), plain('xray:PutTelemetryRecords')];
    expect(whoMay(...written)).toEqual([]);
  });

  it('reads the stream of the table for those that are told of its changes', () => {
    const deployed = findDeployed(templates);
    const stream = String(
      fillIn(
        Object(findByPath(templates.service, 'publish-events-stream/Mapping/Resource')[1])
          .Properties.EventSourceArn,
        templates,
      ),
    );
    const reading = ['DescribeStream', 'GetRecords', 'GetShardIterator'].map((action) =>
      plain(`dynamodb:${action}`, stream),
    );
    const all = [...reading, plain('dynamodb:ListStreams'), ...askForTableKey(deployed)];
    const readers = allFunctions.filter(({ readsStream }) => readsStream);
    expect(readers.length).toBeGreaterThan(0);
    for (const asked of [all, ...reading.map((each) => [each])]) {
      expect(whoMay(...asked)).toEqual(readers.map(({ name }) => name));
    }
  });

  it.each(allFunctions.filter(({ hasDeadLetters }) => hasDeadLetters))(
    'puts aside what $name could not be told, and nobody else does',
    ({ name }) => {
      const queue = arnOf(templates, `${name}-dead-letters/Resource`);
      expect(whoMay(plain('sqs:SendMessage', queue))).toEqual([name]);
    },
  );
});

describe('a network interface', () => {
  const connected = allFunctions.filter(
    ({ name }) => lambdaOf(inNetwork, name).Properties.VpcConfig !== undefined,
  );
  const actions = [
    'ec2:AssignPrivateIpAddresses',
    'ec2:CreateNetworkInterface',
    'ec2:DeleteNetworkInterface',
    'ec2:DescribeNetworkInterfaces',
    'ec2:DescribeSubnets',
    'ec2:UnassignPrivateIpAddresses',
  ];

  it.each(allFunctions)(
    'is made by Lambda for $name if that is in the network, and never by its code',
    ({ name }) => {
      const statements = roleStatements(inNetwork, name);
      const source = `arn:aws:lambda:${region}:${account}:function:${lambdaOf(inNetwork, name).Properties.FunctionName}`;
      const byCode = { 'lambda:SourceFunctionArn': [source] };
      for (const action of actions) {
        const byLambda = plain(action);
        expect(isAllowed(statements, byLambda)).toBe(connected.some((each) => each.name === name));
        expect(isAllowed(statements, { ...byLambda, context: byCode })).toBe(false);
      }
    },
  );

  it('is made for some function, so that this looks at something', () => {
    expect(connected.length).toBeGreaterThan(2);
    expect(connected.length).toBeLessThan(allFunctions.length / 2);
  });
});
