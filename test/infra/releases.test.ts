import { describe, expect, it } from 'vitest';
import { routeNames } from '#functions/routes.ts';
import { schedules } from '#functions/schedules.ts';
import { lambdaOf } from './functions-of.ts';
import { render, renderText } from './render.ts';
import {
  findAll,
  findByPath,
  joinServing,
  production,
  synthesize,
  type Templates,
} from './synthesize.ts';

const templates = synthesize(production);
const { service } = templates;
const serving = joinServing(templates);
const releases = templates.releases!;
const answering = [...routeNames, 'fallback'];
const aliasType = 'AWS::Lambda::Alias';

describe.each(answering)('a release of %s', (name) => {
  const [functionId, { Properties }] = findByPath(serving, `${name}/Function/Resource`);
  const [aliasId, alias] = findByPath(serving, `${name}/Function/Aliaslive/Resource`);
  const [, group] = findByPath(releases, `Releases/${name}`);

  it('is a version of its own, that callers reach by a name', () => {
    expect(alias.Properties).toMatchObject({ Name: 'live', FunctionName: { Ref: functionId } });
    const versionId = /^<(\w+)\.Version>$/.exec(
      renderText(alias.Properties.FunctionVersion, templates),
    )?.[1];
    expect(serving.Resources[versionId ?? '']).toMatchObject({
      Type: 'AWS::Lambda::Version',
      Properties: { FunctionName: { Ref: functionId } },
    });
    // In the service stack by reference, and in those of the domains by name.
    const called = service.Resources[aliasId] ? aliasId : `${Properties.FunctionName}:live`;
    expect(targetsOf(templates)).toContain(called);
    expect(targetsOf(templates)).not.toContain(`${functionId}.Arn`);
    expect(targetsOf(templates)).not.toContain(Properties.FunctionName);
    expect(permitted(templates)).toContain(called);
  });

  it('is moved by CodeDeploy in a group of its own, some callers first', () => {
    const [[applicationId, application] = []] = findAll(releases, 'AWS::CodeDeploy::Application');
    expect(application?.Properties).toMatchObject({ ApplicationName: 'slipway-prod' });
    expect(alias.UpdatePolicy).toEqual({
      CodeDeployLambdaAliasUpdate: { ApplicationName: 'slipway-prod', DeploymentGroupName: name },
    });
    expect(group.Properties).toMatchObject({
      ApplicationName: { Ref: applicationId },
      DeploymentGroupName: name,
    });
    // The names alone do not tell CloudFormation that the group must be there first. In the stack of
    // a domain, it is there from the deployment that created the function.
    const [stackId] = findByPath(service, 'Releases.NestedStack/Releases.NestedStackResource');
    expect(alias.DependsOn).toEqual(service.Resources[aliasId] ? [stackId] : undefined);
    expect(group.Properties).toMatchObject({
      DeploymentConfigName: 'CodeDeployDefault.LambdaCanary10Percent5Minutes',
      DeploymentStyle: { DeploymentType: 'BLUE_GREEN', DeploymentOption: 'WITH_TRAFFIC_CONTROL' },
    });
  });

  it('goes back when callers see errors', () => {
    const [alarmId] = findAll(releases, 'AWS::CloudWatch::Alarm')[0]!;
    expect(group.Properties).toMatchObject({
      AlarmConfiguration: { Enabled: true, Alarms: [{ Name: { Ref: alarmId } }] },
      AutoRollbackConfiguration: {
        Enabled: true,
        Events: expect.arrayContaining(['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_ALARM']),
      },
    });
  });
});

describe('the alarm of releases', () => {
  const [[, alarm] = [], ...others] = findAll(releases, 'AWS::CloudWatch::Alarm');

  it('is one for all of them, over what callers of the gateway see', () => {
    expect(others).toEqual([]);
    const [apiId] = findAll(service, 'AWS::ApiGatewayV2::Api')[0]!;
    const ofApi = { Dimensions: [{ Name: 'ApiId', Value: { Ref: apiId } }] };
    expect(alarm?.Properties).toMatchObject({
      Metrics: [
        { Expression: 'IF(errors >= 2, 100 * errors / requests, 0)' },
        { Id: 'errors', MetricStat: { Period: 60, Metric: { ...ofApi, MetricName: '5xx' } } },
        { Id: 'requests', MetricStat: { Period: 60, Metric: { ...ofApi, MetricName: 'Count' } } },
      ],
      Threshold: 1,
      EvaluationPeriods: 1,
      TreatMissingData: 'notBreaching',
    });
  });

  it('waits for nothing that a release changes, or no release could begin', () => {
    const text = JSON.stringify(alarm);
    for (const type of [aliasType, 'AWS::CloudFormation::Stack', 'AWS::ApiGatewayV2::Stage']) {
      for (const [id] of findAll(serving, type)) expect(text).not.toContain(id);
    }
  });
});

it('lets CodeDeploy move the aliases of this stack, and see alarms, and no more', () => {
  const [, role] = findByPath(releases, 'Releases/Role/Resource');
  expect(role.Properties).not.toHaveProperty('ManagedPolicyArns');
  expect(render(role.Properties, templates)).toMatchObject({
    AssumeRolePolicyDocument: {
      Statement: [{ Principal: { Service: 'codedeploy.amazonaws.com' } }],
    },
    Policies: [
      {
        PolicyDocument: {
          Statement: [
            {
              Action: [
                'lambda:GetAlias',
                'lambda:GetProvisionedConcurrencyConfig',
                'lambda:UpdateAlias',
              ],
              Resource: expect.stringMatching(/:function:slipway-prod-\*$/),
            },
            { Action: 'cloudwatch:DescribeAlarms', Resource: '*' },
          ],
        },
      },
    ],
  });
});

it('names functions so that the role means all of them, however long the stage is', () => {
  const stage = 'longestnameofall';
  const whole = synthesize({ stage, release: 'gradual' });
  const [, role] = findByPath(whole.releases!, 'Releases/Role/Resource');
  const [{ PolicyDocument }] = Object(role.Properties.Policies);
  const pattern = renderText(PolicyDocument.Statement[0].Resource, whole);
  const [, start = '-'] = /:function:(.+)\*$/.exec(pattern) ?? [];
  for (const name of answering) {
    const { Properties } = lambdaOf(whole, name);
    expect(Properties.FunctionName).toMatch(/^[\w-]{1,64}$/);
    expect(String(Properties.FunctionName).startsWith(start)).toBe(true);
  }
});

it('leaves what nobody waits for to change at once', () => {
  expect(findAll(serving, aliasType)).toHaveLength(answering.length);
  for (const name of Object.keys(schedules)) {
    expect(() => findByPath(serving, `${name}/Function/Aliaslive/Resource`)).toThrow();
  }
});

it.each([
  { stage: 'dev', context: {} },
  { stage: 'prod, if asked for', context: { ...production, release: 'at-once' } },
])('are at once in $stage', ({ context }) => {
  const whole = synthesize(context);
  expect(whole).not.toHaveProperty('releases');
  for (const type of [aliasType, 'AWS::Lambda::Version']) {
    expect(findAll(joinServing(whole), type)).toEqual([]);
  }
  const [ownId] = findByPath(whole.service, 'read-files/Function/Resource');
  const { FunctionName } = lambdaOf(whole, 'read-jobs').Properties;
  expect(targetsOf(whole)).toEqual(expect.arrayContaining([`${ownId}.Arn`, FunctionName]));
});

function targetsOf(whole: Templates): string[] {
  return findAll(whole.integrations, 'AWS::ApiGatewayV2::Integration').map(([, { Properties }]) =>
    nameCalled(Properties.IntegrationUri, whole),
  );
}

function permitted(whole: Templates): string[] {
  return findAll(whole.integrations, 'AWS::Lambda::Permission').map(([, { Properties }]) =>
    nameCalled(Properties.FunctionName, whole),
  );
}

/** The reference to a function of the service stack, or the name in the ARN of another. */
function nameCalled(arn: unknown, whole: Templates): string {
  return renderText(arn, whole).replace(/^<(.*)>$|^.*:function:/, '$1');
}
