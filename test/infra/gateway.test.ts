import { describe, expect, it } from 'vitest';
import { routeNames, routes } from '#functions/routes.ts';
import { routeThrottles } from '#infra/settings/limits.ts';
import { gatewayKeys } from '#lib/http/routes/gateway-keys.ts';
import { render } from './render.ts';
import {
  findAll,
  joinServing,
  production,
  synthesize,
  withConsole,
  withDomain,
} from './synthesize.ts';

const templates = synthesize();
const { service } = templates;
const [, stage] = findAll(service, 'AWS::ApiGatewayV2::Stage')[0]!;

describe('the routes of the gateway', () => {
  const keys = findAll(service, 'AWS::ApiGatewayV2::Route').map(
    ([, { Properties }]) => Properties.RouteKey,
  );

  it('are those of the route table and $default, no more and no fewer', () => {
    const expected = routeNames.flatMap((name) => gatewayKeys(routes[name]));
    expect(keys.toSorted()).toEqual([...expected, '$default'].toSorted());
  });

  it('lead each to the function of its row', () => {
    for (const name of routeNames) {
      for (const key of gatewayKeys(routes[name])) {
        expect(targetOf(key), key).toBe(name);
      }
    }
    expect(targetOf('$default')).toBe('fallback');
  });

  it('has one permission for each function, which is good for this gateway alone', () => {
    const permissions = findAll(templates.integrations, 'AWS::Lambda::Permission')
      .map(([, { Properties }]) => render(Properties, templates))
      .filter((permission) => JSON.stringify(permission).includes('apigateway'));
    expect(permissions).toHaveLength(routeNames.length + 1);
    expect(new Set(permissions.map((each) => Object(each).FunctionName)).size).toBe(
      permissions.length,
    );
    // What is no method and no path, `$default`, has two parts after the gateway.
    const ofDefault = permissions.filter((each) => /\w>\/\*\/\*$/.test(Object(each).SourceArn));
    expect(ofDefault).toHaveLength(1);
    for (const permission of permissions) {
      expect(permission).toMatchObject({
        Action: 'lambda:InvokeFunction',
        SourceArn: expect.stringMatching(/:<GatewayApi\w+>\/\*\/\*(\/\*)?$/),
      });
    }
  });

  it('hand on events in format 2.0', () => {
    const integrations = findAll(templates.integrations, 'AWS::ApiGatewayV2::Integration');
    expect(integrations).toHaveLength(routeNames.length + 1);
    for (const [, { Properties }] of integrations) {
      expect(Properties).toMatchObject({
        IntegrationType: 'AWS_PROXY',
        PayloadFormatVersion: '2.0',
      });
    }
  });

  it.each([
    ['dev', {}],
    ['prod', production],
  ])('are created at most twenty at a time in %s, and none waits for itself', (_, context) => {
    const found = new Map(findAll(synthesize(context).service, 'AWS::ApiGatewayV2::Route'));
    const levelOf = (id: string, waiting: readonly string[] = []): number => {
      expect(waiting).not.toContain(id);
      const before = (found.get(id)?.DependsOn ?? []).filter((other) => found.has(other));
      return Math.max(0, ...before.map((other) => 1 + levelOf(other, [...waiting, id])));
    };
    const levels = Map.groupBy(found.keys(), (id) => levelOf(id));
    expect(found.size).toBeGreaterThan(90);
    expect(Math.max(...[...levels.values()].map(({ length }) => length))).toBe(20);
    expect(levels.size).toBe(Math.ceil(found.size / 20));
  });

  /** The name of the function that a route key leads to. */
  function targetOf(key: string): string | undefined {
    const [, route] = findAll(service, 'AWS::ApiGatewayV2::Route').find(
      ([, { Properties }]) => Properties.RouteKey === key,
    )!;
    const integrationId = /<(\w+)>/.exec(String(render(route.Properties.Target, templates)))?.[1];
    const { Resources } = templates.integrations;
    const uri = String(
      render(Resources[integrationId ?? '']?.Properties.IntegrationUri, templates),
    );
    const called = findAll(joinServing(templates), 'AWS::Lambda::Function').find(
      ([id, { Properties }]) =>
        uri === `<${id}.Arn>` || uri.endsWith(`:function:${Properties.FunctionName}`),
    );
    return String(called?.[1].Metadata?.['aws:cdk:path']).split('/')[1];
  }
});

describe('the stage', () => {
  it('answers at the root and follows every deployment', () => {
    expect(stage.Properties).toMatchObject({ StageName: '$default', AutoDeploy: true });
  });

  it('takes 100 requests a second and 200 at once for each route', () => {
    expect(stage.Properties.DefaultRouteSettings).toEqual({
      ThrottlingRateLimit: 100,
      ThrottlingBurstLimit: 200,
    });
  });

  it('takes fewer of what costs more', () => {
    const expected = Object.entries(routeThrottles).flatMap(([name, { rate, burst }]) =>
      gatewayKeys(routes[name as keyof typeof routeThrottles]).map((key) => [
        key,
        { ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst },
      ]),
    );
    const { $default: _, ...ofRoutes } = Object(stage.Properties.RouteSettings);
    expect(ofRoutes).toEqual(Object.fromEntries(expected));
    expect(ofRoutes).toHaveProperty(['GET /files/{proxy+}']);
  });

  it('takes fewer by $default too, where /status/ comes in with its slash', () => {
    expect(stage.Properties.RouteSettings).toMatchObject({
      $default: { ThrottlingRateLimit: 50, ThrottlingBurstLimit: 100 },
    });
  });

  it('lets submissions in as everything else: one caller is held back by the functions', () => {
    expect(stage.Properties.RouteSettings).not.toHaveProperty(['POST /jobs/{proxy+}']);
  });

  it('never lets a route take more than the operator lets the stage take', () => {
    const narrow = synthesize({ throttleRate: '5', throttleBurst: '7' });
    const [, { Properties }] = findAll(narrow.service, 'AWS::ApiGatewayV2::Stage')[0]!;
    expect(Properties.DefaultRouteSettings).toEqual({
      ThrottlingRateLimit: 5,
      ThrottlingBurstLimit: 7,
    });
    expect(Properties.RouteSettings).toMatchObject({
      'GET /files/{proxy+}': { ThrottlingRateLimit: 5, ThrottlingBurstLimit: 7 },
      $default: { ThrottlingRateLimit: 5, ThrottlingBurstLimit: 7 },
    });
  });

  it('is made after its routes, whose settings it would otherwise be refused', () => {
    const ids = findAll(service, 'AWS::ApiGatewayV2::Route').map(([id]) => id);
    expect(stage.DependsOn).toEqual(expect.arrayContaining(ids));
  });

  it('logs each request as JSON, with what finds it again and nothing secret', () => {
    const { DestinationArn, Format } = stage.Properties.AccessLogSettings as {
      DestinationArn: unknown;
      Format: string;
    };
    expect(render(DestinationArn, templates)).toMatch(/^<GatewayAccessLog\w+\.Arn>$/);
    const line = JSON.parse(Format);
    expect(line).toMatchObject({
      requestId: '$context.requestId',
      routeKey: '$context.routeKey',
      status: '$context.status',
      latencyMs: '$context.responseLatency',
      integrationError: '$context.integrationErrorMessage',
    });
    expect(Format.toLowerCase()).not.toMatch(/authori[sz]|header|query|cookie|jwt|token/);
  });
});

describe('the address', () => {
  it('is that of the API, without a slash at its end', () => {
    expect(render(service.Outputs?.BaseUrl?.Value, templates)).toMatch(
      /^<GatewayApi\w+\.ApiEndpoint>$/,
    );
  });

  it('is the own name, where there is one', () => {
    const named = synthesize(withDomain);
    expect(named.service.Outputs?.BaseUrl?.Value).toBe('https://jobs.example.org');
    const [domainId, domain] = findAll(named.service, 'AWS::ApiGatewayV2::DomainName')[0]!;
    expect(domain.Properties).toMatchObject({
      DomainName: 'jobs.example.org',
      DomainNameConfigurations: [
        { CertificateArn: withDomain.certificateArn, EndpointType: 'REGIONAL' },
      ],
    });
    const mappings = findAll(named.service, 'AWS::ApiGatewayV2::ApiMapping');
    expect(mappings).toHaveLength(1);
    expect(mappings[0]![1].Properties).toMatchObject({ DomainName: { Ref: domainId } });
    expect(Object.keys(named.service.Outputs ?? {})).toEqual(
      expect.arrayContaining(['DomainTarget', 'DomainTargetZoneId']),
    );
  });
});

describe('other origins', () => {
  it('may not call it by default', () => {
    const [, { Properties }] = findAll(service, 'AWS::ApiGatewayV2::Api')[0]!;
    expect(Properties).not.toHaveProperty('CorsConfiguration');
  });

  it('may call it where they are named, without cookies', () => {
    const open = synthesize(withConsole);
    const [, { Properties }] = findAll(open.service, 'AWS::ApiGatewayV2::Api')[0]!;
    expect(Properties.CorsConfiguration).toEqual({
      AllowOrigins: ['https://console.example.org', 'http://localhost:5173'],
      AllowMethods: ['GET', 'POST', 'PUT', 'DELETE'],
      AllowHeaders: expect.arrayContaining([
        'authorization',
        'payload',
        'idempotency-key',
        'if-none-match',
      ]),
      ExposeHeaders: expect.arrayContaining([
        'apigw-requestid',
        'content-disposition',
        'etag',
        'link',
        'location',
        'retry-after',
      ]),
      MaxAge: 3600,
    });
  });
});
