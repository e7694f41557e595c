import { describe, expect, it } from 'vitest';
import { functionFiles } from '#tools/bundles/build-bundles.ts';
import { exampleNames } from '#tools/events/example-event.ts';
import { allFunctions, lambdaOf } from './functions-of.ts';
import { renderText } from './render.ts';
import { findAll, synthesize } from './synthesize.ts';

const context = {
  stage: 'sam',
  issuer: 'https://slipway.localhost',
  audience: 'slipway',
  jwks: '{"keys":[]}',
  dynamoDbEndpoint: 'http://127.0.0.1:8000',
};

/** What `sam local` reads in a template, held without Docker and without SAM. */
const templates = synthesize(context);
const { service } = templates;

describe.each(allFunctions)('$name for sam local', ({ name, verifiesTokens }) => {
  const { Properties } = lambdaOf(templates, name);

  it('names a handler and a runtime that a container has', () => {
    expect(Properties).toMatchObject({ Handler: 'index.handler', Runtime: 'nodejs24.x' });
  });

  it('declares the variables that a local run sets, for sam sets no others', () => {
    const { Variables } = Properties.Environment as { Variables: Record<string, unknown> };
    expect(Variables).toHaveProperty('AWS_ENDPOINT_URL_DYNAMODB', 'http://127.0.0.1:8000');
    if (verifiesTokens) expect(Variables).toHaveProperty('JWKS', '{"keys":[]}');
  });

  it('has an example event', () => {
    expect(exampleNames).toContain(name);
    expect(functionFiles).toHaveProperty(name);
  });
});

describe('the routes for sam local', () => {
  it('lead through an integration of format 2.0 to a function of the template', () => {
    const routes = findAll(service, 'AWS::ApiGatewayV2::Route');
    expect(routes.length).toBeGreaterThan(10);
    for (const [, { Properties }] of routes) {
      const target = renderText(Properties.Target, templates);
      const integrationId = /^integrations\/<(\w+)>$/.exec(target)?.[1] ?? '';
      const integration = service.Resources[integrationId];
      expect(integration?.Properties).toMatchObject({
        IntegrationType: 'AWS_PROXY',
        PayloadFormatVersion: '2.0',
      });
      const uri = renderText(integration?.Properties.IntegrationUri, templates);
      const functionId = /<(\w+)\.Arn>/.exec(uri)?.[1] ?? '';
      expect(service.Resources[functionId]?.Type).toBe('AWS::Lambda::Function');
    }
  });
});
