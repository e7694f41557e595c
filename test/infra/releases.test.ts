import { describe, expect, it } from 'vitest';
import { routeNames } from '#functions/routes.ts';
import { schedules } from '#functions/schedules.ts';
import { render, renderText } from './render.ts';
import { findAll, findByPath, production, synthesize, type Templates } from './synthesize.ts';

const templates = synthesize(production);
const { service } = templates;
const releases = templates.releases!;
const answering = [...routeNames, 'fallback'];
const aliasType = 'AWS::Lambda::Alias';

describe.each(answering)('a release of %s', (name) => {
  const [functionId] = findByPath(service, `${name}/Function/Resource`);
  const [aliasId, alias] = findByPath(service, `${name}/Function/Aliaslive/Resource`);
  const [, group] = findByPath(releases, `Releases/${name}`);

  it('is a version of its own, that callers reach by a name', () => {
    expect(alias.Properties).toMatchObject({ Name: 'live', FunctionName: { Ref: functionId } });
    const versionId = /^<(\w+)\.Version>$/.exec(
      renderText(alias.Properties.FunctionVersion, templates),
    )?.[1];
    expect(service.Resources[versionId ?? '']).toMatchObject({
      Type: 'AWS::Lambda::Version',
      Properties: { FunctionName: { Ref: functionId } },
    });
    expect(targetsOf(templates)).toContain(aliasId);
    expect(targetsOf(templates)).not.toContain(functionId);
    expect(permitted(templates)).toContain(aliasId);
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
    // The names alone do not tell CloudFormation that the group must be there first.
    const [stackId] = findByPath(service, 'Releases.NestedStack/Releases.NestedStackResource');
    expect(alias.DependsOn).toEqual([stackId]);
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
      for (const [id] of findAll(service, type)) expect(text).not.toContain(id);
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
    const [, { Properties }] = findByPath(whole.service, `${name}/Function/Resource`);
    expect(Properties.FunctionName).toBe(`slipway-${stage}-${name}`);
    expect(Properties.FunctionName).toMatch(/^[\w-]{1,64}$/);
    expect(String(Properties.FunctionName).startsWith(start)).toBe(true);
  }
});

it('leaves what nobody waits for to change at once', () => {
  expect(findAll(service, aliasType)).toHaveLength(answering.length);
  for (const name of Object.keys(schedules)) {
    expect(() => findByPath(service, `${name}/Function/Aliaslive/Resource`)).toThrow();
  }
});

it.each([
  { stage: 'dev', context: {} },
  { stage: 'prod, if asked for', context: { ...production, release: 'at-once' } },
])('are at once in $stage', ({ context }) => {
  const whole = synthesize(context);
  expect(whole).not.toHaveProperty('releases');
  for (const type of [aliasType, 'AWS::Lambda::Version']) {
    expect(findAll(whole.service, type)).toEqual([]);
  }
  const [functionId] = findByPath(whole.service, 'read-jobs/Function/Resource');
  expect(targetsOf(whole)).toContain(`${functionId}.Arn`);
});

function targetsOf(whole: Templates): string[] {
  return findAll(whole.service, 'AWS::ApiGatewayV2::Integration').map(([, { Properties }]) =>
    renderText(Properties.IntegrationUri, whole).replaceAll(/[<>]/g, ''),
  );
}

function permitted(whole: Templates): string[] {
  return findAll(whole.service, 'AWS::Lambda::Permission').map(([, { Properties }]) =>
    renderText(Properties.FunctionName, whole).replaceAll(/[<>]/g, ''),
  );
}
