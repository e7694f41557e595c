import { describe, expect, it } from 'vitest';
import { listLoopbackAddresses } from '#client/src/sign-in/loopback.ts';
import { limitConnections } from '#console/serving/console-headers.ts';
import { describeSignIn } from '#console/serving/describe-sign-in.ts';
import { render } from './render.ts';
import {
  type Context,
  findAll,
  findByPath,
  synthesize,
  type TemplateJson,
  withConsolePages,
  withDomain,
} from './synthesize.ts';

const templates = synthesize(withConsolePages);
const pages = templates.console!;

/** The address that CloudFront chooses. No setting can name it. */
const atCloudFront: Context = { console: 'true' };

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
    expect(policy).toContain("connect-src 'self' https:;");
    expect(headers).toMatchObject({
      ContentTypeOptions: { Override: true },
      FrameOptions: { FrameOption: 'DENY' },
      ReferrerPolicy: { ReferrerPolicy: 'no-referrer' },
    });
  });

  it('has pages that limit themselves to the API, the storage and the issuer', () => {
    const page = '<head><meta charset="utf-8" /><title>Slipway</title></head>';
    expect(limitConnections(page, ['https://api.example.org', 'https://sso.example.org'])).toBe(
      '<head><meta charset="utf-8" /><meta http-equiv="Content-Security-Policy" ' +
        `content="connect-src 'self' https://api.example.org https://sso.example.org" />\n    <title>Slipway</title></head>`,
    );
    expect(() => limitConnections('<head></head>', [])).toThrow();
    const [, { Properties }] = findByPath(templates.pages!, 'Files/Page/CustomResource/Default');
    const [, inPage] = Object(Properties.SourceMarkers);
    expect(Object.values(inPage).map((value) => render(value, templates))).toEqual([
      expect.stringMatching(/^<GatewayApi\w+\.ApiEndpoint>$/),
      expect.stringMatching(/^<FilesInputs\w+\.RegionalDomainName>$/),
      expect.stringMatching(/^<FilesResults\w+\.RegionalDomainName>$/),
      '<AWS::Region>',
      '<AWS::URLSuffix>',
      '<AWS::AccountId>',
      '<AWS::Region>',
    ]);
  });

  it('serves files only, and never another page in place of an error', () => {
    const { DistributionConfig: config } = Object(propertiesOf('AWS::CloudFront::Distribution'));
    expect(config.Origins).toHaveLength(1);
    expect(config.DefaultCacheBehavior).not.toHaveProperty('AllowedMethods');
    expect(config).not.toHaveProperty('CacheBehaviors');
    expect(config).not.toHaveProperty('CustomErrorResponses');
    expect(config.Aliases).toEqual(['console.example.org']);
    expect(config.ViewerCertificate.MinimumProtocolVersion).toBe('TLSv1.2_2021');
  });

  it('keeps its logical ids: another id is another address', () => {
    expect(Object.keys(pages.Resources)).toEqual(
      expect.arrayContaining(['FilesBucket7C17EE2E', 'PagesDistributionFE2E404A']),
    );
  });

  it('has a bucket that its removal empties, because a stack with files cannot be removed', () => {
    expect(findAll(pages, 'Custom::S3AutoDeleteObjects')).toHaveLength(1);
    expect(findByPath(pages, 'Files/Bucket/Resource')[1].DeletionPolicy).toBe('Delete');
  });

  it('shows its one page for every path that names no file', () => {
    const code = String(propertiesOf('AWS::CloudFront::Function').FunctionCode);
    const show = new Function(`${code}; return handler;`)();
    const uriFor = (uri: string) => show({ request: { uri } }).uri;
    expect(uriFor('/console/')).toBe('/console/index.html');
    expect(uriFor('/console/jobs/hpc_one/proj/A-1/')).toBe('/console/index.html');
    expect(uriFor('/console/assets/start-A1.js')).toBe('/console/assets/start-A1.js');
    expect(uriFor('/console/config.json')).toBe('/console/config.json');
    for (const uri of ['/', '/console', '/jobs/']) {
      expect(show({ request: { uri } })).toMatchObject({
        statusCode: 302,
        headers: { location: { value: '/console/' } },
      });
    }
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
      CallbackURLs: ['https://console.example.org/console/', ...listLoopbackAddresses('localhost')],
      LogoutURLs: ['https://console.example.org/console/'],
    });
    expect(findAll(templates.data, 'AWS::Cognito::UserPoolDomain')).toHaveLength(1);
  });

  it('signs in at the issuer that the service trusts', () => {
    const settings = {
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

describe('one deployment is enough for a console', () => {
  const atOnce = synthesize(atCloudFront);
  const address = `https://<${findAll(atOnce.console!, 'AWS::CloudFront::Distribution')[0]![0]}.DomainName>`;

  it('to which the user directory sends people back', () => {
    const [, { Properties }] = findByPath(atOnce.data, 'Directory/Users/Client/Resource');
    expect(render(Properties, atOnce)).toMatchObject({
      CallbackURLs: [`${address}/console/`, ...listLoopbackAddresses('localhost')],
      LogoutURLs: [`${address}/console/`],
    });
  });

  it('whose pages may call the API and send files', () => {
    const [, api] = findAll(atOnce.service, 'AWS::ApiGatewayV2::Api')[0]!;
    expect(render(api.Properties, atOnce)).toMatchObject({
      CorsConfiguration: { AllowOrigins: [address] },
    });
    const [, inputs] = findByPath(atOnce.data, 'Files/Inputs/Resource');
    expect(render(inputs.Properties, atOnce)).toMatchObject({
      CorsConfiguration: { CorsRules: [{ AllowedOrigins: [address], AllowedMethods: ['PUT'] }] },
    });
  });

  it('whose configuration names the API, the issuer and the client', () => {
    const [, { Properties }] = findByPath(atOnce.pages!, 'Files/Page/CustomResource/Default');
    const [, , inConfig] = Object(Properties.SourceMarkers);
    expect(Object.values(inConfig).map((value) => render(value, atOnce))).toEqual([
      expect.stringMatching(/^<GatewayApi\w+\.ApiEndpoint>$/),
      '<AWS::Region>',
      '<AWS::URLSuffix>',
      '<DirectoryUsers36265AA6>',
      '<DirectoryUsersClient036DCB47>',
    ]);
  });

  it('whose stacks import only from stacks that are deployed before them', () => {
    const { console, data, service, pages: last } = atOnce;
    const known = new Set<string>();
    for (const stack of [console!, data, service, last!]) {
      expect(listImports(stack).filter((name) => !known.has(name))).toEqual([]);
      for (const name of listExports(stack)) known.add(name);
    }
    expect(listImports(data)).not.toEqual([]);
  });

  it.each([
    ['the console', withConsolePages],
    ['the API', { ...atCloudFront, ...withDomain }],
  ])('and may get a domain name for %s later, without removing what is in use', (_, context) => {
    const later = synthesize(context);
    for (const name of ['console', 'service'] as const) {
      const before = listExports(atOnce[name]!).filter((each) => isUsed(each));
      expect(listExports(later[name]!)).toEqual(expect.arrayContaining(before));
    }
    function isUsed(name: string): boolean {
      return [atOnce.data, atOnce.service, atOnce.pages!].flatMap(listImports).includes(name);
    }
  });

  function listImports(template: TemplateJson): string[] {
    const found = new Set<string>();
    JSON.stringify(template, (key, value) => {
      if (key === 'Fn::ImportValue') found.add(String(value));
      return value;
    });
    return [...found];
  }

  function listExports({ Outputs = {} }: TemplateJson): string[] {
    return Object.values(Outputs).flatMap(({ Export }) => (Export ? [Export.Name] : []));
  }
});

describe('a deployment without the console', () => {
  const { data } = synthesize();

  it('lets no page at its buckets', () => {
    for (const [, { Properties }] of findAll(data, 'AWS::S3::Bucket')) {
      expect(Properties).not.toHaveProperty('CorsConfiguration');
    }
  });
});
