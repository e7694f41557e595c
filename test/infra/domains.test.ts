import { describe, expect, it } from 'vitest';
import { routeNames, routes } from '#functions/routes.ts';
import { readConfig } from '#infra/settings/config.ts';
import { domainNames, domainOf, listEndpoints } from '#infra/settings/domains.ts';
import { addStacks } from '#infra/stacks/add-stacks.ts';
import type { Route } from '#lib/http/routes/route.ts';
import { allFunctions } from './functions-of.ts';
import {
  type Context,
  centre,
  findAll,
  makeApp,
  production,
  synthesize,
  type TemplateJson,
  withDomain,
  withNetwork,
} from './synthesize.ts';

const stages = [
  ['dev', {}],
  ['prod', production],
] as const satisfies [string, Context][];

const functionType = 'AWS::Lambda::Function';

const dev = synthesize();

describe.each(domainNames)('the stack of %s', (domain) => {
  it('has the functions of its endpoints, and nothing else', () => {
    const names = listEndpoints(domain).map((name) => `slipway-dev-${domain}-${name}`);
    expect(names.length).toBeGreaterThan(5);
    expect(namesIn(dev[domain]).toSorted()).toEqual(names.toSorted());
    const types = new Set(Object.values(dev[domain].Resources).map(({ Type }) => Type));
    expect(types).toEqual(new Set([functionType, 'AWS::IAM::Role', 'AWS::Logs::LogGroup']));
  });

  it.each(stages)('shares nothing with the service in %s', (_, context) => {
    const templates = synthesize(context);
    const exported = Object.values(templates[domain].Outputs ?? {});
    expect(exported.filter(({ Export }) => Export !== undefined)).toEqual([]);
    expect(JSON.stringify(templates[domain])).not.toContain('-service:ExportsOutput');
  });
});

it('keeps in the service stack what needs the address of the API or the network of the operator', () => {
  const stay = routeNames.filter((name) => domainOf(name) === undefined);
  expect(stay).toEqual(['read-files', 'clear-folder', 'read-reference']);
  for (const name of stay) {
    const { secrets, namesSignIn }: Route = routes[name];
    expect(secrets || namesSignIn).toBe(true);
  }
  const endpoints = domainNames.flatMap(listEndpoints);
  expect(namesIn(dev.service)).toHaveLength(allFunctions.length - endpoints.length);
});

it('deploys functions before the gateway that calls them by their names', () => {
  const app = makeApp({});
  const { service, domains } = addStacks(app, readConfig(app.node));
  expect(service.dependencies).toEqual(expect.arrayContaining([...domains.values()]));
});

/**
 * Before the domains, the service stack had all functions, as `slipway-<stage>-<name>`. An update
 * creates the new ones before it removes the old ones, so no name may be in both.
 */
describe('an update from one stack for all functions', () => {
  it.each(stages)('finds every name free in %s', (stage, context) => {
    const templates = synthesize(context);
    const before = new Set(allFunctions.map(({ name }) => `slipway-${stage}-${name}`));
    for (const domain of domainNames) {
      expect(namesIn(templates[domain]).filter((name) => before.has(name))).toEqual([]);
      const others = Object.values(templates[domain].Resources).filter(
        ({ Type }) => Type === 'AWS::IAM::Role' || Type === 'AWS::Logs::LogGroup',
      );
      expect(others.length).toBeGreaterThan(0);
      for (const { Properties } of others) {
        expect(Object.keys(Properties).filter((key) => /^(Role|LogGroup)Name$/.test(key))).toEqual(
          [],
        );
      }
    }
  });

  /**
   * What has an address, messages or a position in the stream. Another logical id is another, empty
   * resource. The data stack has its own list in data.test.ts.
   */
  it('leaves what lasts under its logical id in the service stack', () => {
    const { service, monitoring, releases } = synthesize({
      ...production,
      ...centre,
      stage: 'prod',
      ...withDomain,
      ...withNetwork,
      alarmEmail: 'ops@example.org',
    });
    const found = [service, monitoring, releases!].flatMap((stack) =>
      Object.entries(stack.Resources).map(([id, { Type }]) => `${Type} ${id}`),
    );
    expect(lasting.filter((id) => !found.includes(id))).toEqual([]);
  });
});

const lasting = [
  'AWS::ApiGatewayV2::Api GatewayApi4EDF2151',
  'AWS::ApiGatewayV2::ApiMapping GatewayStageslipwayprodserviceGatewayDomainundefined9B5E4874',
  'AWS::ApiGatewayV2::DomainName GatewayDomainA47DB049',
  'AWS::ApiGatewayV2::Route GatewayGETjobsproxyDE8BA450',
  'AWS::ApiGatewayV2::Stage GatewayStage04E5B0D6',
  'AWS::Budgets::Budget CostsBudget7C87B49B',
  'AWS::CodeDeploy::Application Application',
  'AWS::EC2::SecurityGroup NetworkSecurityGroup27EB0023',
  'AWS::EC2::VPCEndpoint NetworkdynamodbF9E20F6C',
  'AWS::EC2::VPCEndpoint Networks3F2AD485C',
  'AWS::Lambda::EventSourceMapping dispatchjobsstreamMappingDC126D24',
  'AWS::Lambda::EventSourceMapping publisheventsstreamMappingA8A5F8BB',
  'AWS::SNS::Subscription PagesEmail8A4E6439',
  'AWS::SNS::Subscription TicketsEmail47B39FAF',
  'AWS::SNS::Topic PagesTopic7E8CFB07',
  'AWS::SNS::Topic TicketsTopicC7E9F99F',
  'AWS::SQS::Queue countendsdeadletters24E9A9FA',
  'AWS::SQS::Queue publisheventsdeadlettersFDFAF962',
  'AWS::SQS::Queue queuedeliveriesdeadlettersD9EFCF85',
];

function namesIn(template: TemplateJson): string[] {
  return findAll(template, functionType).map(([, { Properties }]) =>
    String(Properties.FunctionName),
  );
}
