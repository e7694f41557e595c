import { describe, expect, it } from 'vitest';
import { loopbackAddresses } from '#client/src/sign-in/loopback.ts';
import { describeSignIn } from '#console/serving/describe-sign-in.ts';
import { render } from './render.ts';
import { findAll, findByPath, synthesize, withConsolePages } from './synthesize.ts';

const templates = synthesize(withConsolePages);
const pages = templates.console!;

/** A template is one object: what is only known at deployment stands in angle brackets. */
function propertiesOf(type: string): Record<string, unknown> {
  const [, { Properties }] = findAll(pages, type)[0]!;
  return Object(render(Properties, templates));
}

describe('the console', () => {
  it('is deployed only where it is asked for', () => {
    expect(synthesize().console).toBeUndefined();
    expect(synthesize({ console: 'false' }).console).toBeUndefined();
  });

  it('has a bucket that nobody reaches but its distribution', () => {
    const [, { Properties }] = findByPath(pages, 'Files/Bucket/Resource');
    expect(Properties.PublicAccessBlockConfiguration).toEqual({
      BlockPublicAcls: true,
      BlockPublicPolicy: true,
      IgnorePublicAcls: true,
      RestrictPublicBuckets: true,
    });
    expect(findAll(pages, 'AWS::CloudFront::OriginAccessControl')).toHaveLength(1);
    const policy = JSON.stringify(propertiesOf('AWS::S3::BucketPolicy'));
    expect(policy).toContain('cloudfront.amazonaws.com');
    expect(policy).toContain('AWS:SourceArn');
  });

  it('hands out its pages with a strict policy', () => {
    const { SecurityHeadersConfig: headers } = Object(
      propertiesOf('AWS::CloudFront::ResponseHeadersPolicy').ResponseHeadersPolicyConfig,
    );
    const policy: string = headers.ContentSecurityPolicy.ContentSecurityPolicy;
    expect(policy).not.toContain('unsafe');
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    const connect = /connect-src ([^;]+)/.exec(policy)?.[1]?.split(' ');
    expect(connect).toHaveLength(5);
    expect(connect).toEqual(
      expect.arrayContaining([
        "'self'",
        expect.stringContaining('https://cognito-idp.'),
        expect.stringContaining('.amazoncognito.com'),
      ]),
    );
    expect(headers).toMatchObject({
      ContentTypeOptions: { Override: true },
      FrameOptions: { FrameOption: 'DENY' },
      ReferrerPolicy: { ReferrerPolicy: 'no-referrer' },
    });
  });

  it('passes everything else on to the API, and keeps nothing of it', () => {
    const { DistributionConfig: config } = Object(propertiesOf('AWS::CloudFront::Distribution'));
    expect(config.DefaultCacheBehavior).toMatchObject({
      AllowedMethods: expect.arrayContaining(['DELETE', 'POST', 'PUT']),
      CachePolicyId: '4135ea2d-6df8-44a3-9df3-4b5a84be39ad',
      OriginRequestPolicyId: 'b689b0a8-53d0-40ab-baf2-68738e2966ac',
      ViewerProtocolPolicy: 'https-only',
    });
    expect(config.CacheBehaviors).toEqual([expect.objectContaining({ PathPattern: '/console/*' })]);
    // An error of the API is the API's to tell: no page stands in its place.
    expect(config).not.toHaveProperty('CustomErrorResponses');
    expect(config.Aliases).toEqual(['console.example.org']);
  });

  it('shows its one page for every path that names no file', () => {
    const code = String(propertiesOf('AWS::CloudFront::Function').FunctionCode);
    const show = new Function(`${code}; return handler;`)();
    const uriFor = (uri: string) => show({ request: { uri } }).uri;
    expect(uriFor('/console/')).toBe('/console/index.html');
    expect(uriFor('/console/jobs/hpc_one/proj/A-1/')).toBe('/console/index.html');
    expect(uriFor('/console/assets/start-A1.js')).toBe('/console/assets/start-A1.js');
    expect(uriFor('/console/config.json')).toBe('/console/config.json');
  });

  it('has names of its own in each region, because CloudFront knows none', () => {
    const configs = [
      propertiesOf('AWS::CloudFront::OriginAccessControl').OriginAccessControlConfig,
      propertiesOf('AWS::CloudFront::ResponseHeadersPolicy').ResponseHeadersPolicyConfig,
      propertiesOf('AWS::CloudFront::Function'),
    ];
    for (const config of configs) {
      const name: string = Object(config).Name;
      expect(name).toContain('<AWS::Region>');
      const inLongestRegion = name.replace('<AWS::Region>', 'ap-southeast-1');
      expect(inLongestRegion).toMatch(/^[\w-]{1,64}$/);
    }
  });

  it('may send files to the one bucket and fetch them from the other', () => {
    const rulesOf = (name: string) => {
      const [, { Properties }] = findByPath(templates.data, `Files/${name}/Resource`);
      return Object(Properties.CorsConfiguration).CorsRules;
    };
    expect(rulesOf('Inputs')).toEqual([
      {
        AllowedOrigins: ['https://console.example.org'],
        AllowedMethods: ['PUT'],
        AllowedHeaders: ['content-type', 'if-none-match'],
        ExposedHeaders: expect.arrayContaining(['etag']),
        MaxAge: 3600,
      },
    ]);
    expect(rulesOf('Results')).toEqual([
      expect.objectContaining({ AllowedOrigins: ['*'], AllowedMethods: ['GET', 'HEAD'] }),
    ]);
  });

  it('signs in at the directory of the deployment with a code, and no other way', () => {
    const [, { Properties }] = findByPath(templates.data, 'Directory/Users/Client/Resource');
    expect(Properties).toMatchObject({
      AllowedOAuthFlows: ['code'],
      AllowedOAuthScopes: ['openid'],
      CallbackURLs: ['https://console.example.org/console/', ...loopbackAddresses],
      LogoutURLs: ['https://console.example.org/console/'],
    });
    expect(findAll(templates.data, 'AWS::Cognito::UserPoolDomain')).toHaveLength(1);
  });

  it('signs in at the issuer that the service trusts', () => {
    const settings = {
      origin: undefined,
      domain: undefined,
      clientId: 'slipway-console',
      scope: 'openid profile',
    };
    const identity = {
      ISSUER: 'https://sso.example.org/realms/hpc',
      AUDIENCE: 'slipway',
      USER_CLAIM: 'uid',
      ADMIN_CLAIMS: 'roles,groups',
      ADMIN_VALUE: 'hpc-admin',
    };
    expect(describeSignIn(settings, identity, undefined)).toEqual({
      origins: ['https://sso.example.org'],
      config: {
        signIn: 'oidc',
        issuer: 'https://sso.example.org/realms/hpc',
        clientId: 'slipway-console',
        scope: 'openid profile',
        audience: 'slipway',
        token: 'access_token',
        claims: { user: 'uid', admin: ['roles', 'groups'], adminValue: 'hpc-admin' },
      },
    });
  });
});

describe('a deployment without the console', () => {
  const { data } = synthesize();

  it('lets no page at its buckets', () => {
    for (const [, { Properties }] of findAll(data, 'AWS::S3::Bucket')) {
      expect(Properties).not.toHaveProperty('CorsConfiguration');
    }
  });
});
