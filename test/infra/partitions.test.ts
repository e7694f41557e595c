import { describe, expect, it } from 'vitest';
import { variants } from '#tools/stacks/make-app.ts';
import { centre, findByPath, joinServing, synthesize, type TemplateJson } from './synthesize.ts';

interface Place {
  readonly region: string;
  readonly partition: string;
  readonly suffix: string;
  readonly console: string;
}

const places: readonly Place[] = [
  {
    region: 'eu-central-1',
    partition: 'aws',
    suffix: 'amazonaws.com',
    console: 'console.aws.amazon.com',
  },
  {
    region: 'cn-north-1',
    partition: 'aws-cn',
    suffix: 'amazonaws.com.cn',
    console: 'console.amazonaws.cn',
  },
  {
    region: 'us-gov-west-1',
    partition: 'aws-us-gov',
    suffix: 'amazonaws.com',
    console: 'console.amazonaws-us-gov.com',
  },
  {
    region: 'eusc-de-east-1',
    partition: 'aws-eusc',
    suffix: 'amazonaws.eu',
    console: 'console.amazonaws-eusc.eu',
  },
];

describe.each(places)('deployed in $region', (place) => {
  const templates = synthesize({ ...centre, dashboard: 'true' });
  const [, reading] = findByPath(templates.service, 'read-files/Role/Resource');
  const role = JSON.stringify(deploy(reading, templates.service, place));

  it('functions use the key through services as KMS names them there', () => {
    for (const service of ['dynamodb', 's3']) {
      expect(role).toContain(`"${service}.${place.region}.${place.suffix}"`);
    }
    const [, policy] = findByPath(templates.data, 'Credentials/Reading/Resource');
    expect(JSON.stringify(deploy(policy, templates.data, place))).toContain(
      `"secretsmanager.${place.region}.${place.suffix}"`,
    );
  });

  it('the issuer is where the user directory answers', () => {
    const [, { Properties }] = findByPath(joinServing(templates), 'read-jobs/Function/Resource');
    const { Variables } = Object(deploy(Properties.Environment, templates.service, place));
    expect(Variables.ISSUER).toMatch(
      new RegExp(`^https://cognito-idp\\.${place.region}\\.${place.suffix}/`),
    );
  });

  it('the dashboard opens in the console of that partition', () => {
    const { DashboardUrl } = templates.service.Outputs ?? {};
    expect(deploy(DashboardUrl?.Value, templates.service, place)).toMatch(
      new RegExp(`^https://${place.region}\\.${place.console}/cloudwatch/`),
    );
  });
});

/** Principals have one name in all partitions; what stands there is never an address. */
const principal = /^[a-z0-9.-]+\.amazonaws\.com$/;
/** What operators give in ARNs of their own is theirs, and the CDK adds a rule to the key below. */
const given = Object.values(variants).flatMap((context) => Object.values(context));

describe.each(Object.entries(variants))('%s', (_, context) => {
  const templates = synthesize(context);

  it.each(Object.entries<TemplateJson>({ ...templates }))(
    'fixes no partition in the stack %s',
    (_stack, { Resources, Outputs }) => {
      const fixed = listTexts('', { Resources, Outputs })
        .filter(({ text }) => /amazonaws\.com|aws\.amazon\.com|arn:aws:/.test(text))
        .filter(({ place, text }) => !(principal.test(text) && /\.Principal\b/.test(place)))
        .filter(({ place }) => !/^\.Resources\.Key\w+\.Properties\.KeyPolicy\./.test(place))
        .filter(({ place }) => !/^\.Outputs\.DashboardUrl\./.test(place))
        .filter(({ text }) => !given.includes(text));
      expect(fixed).toEqual([]);
    },
  );

  it.runIf(templates.data.Outputs?.KeyArn)(
    'lets the account decide on its key, whatever the CDK adds for one partition',
    () => {
      const [, { Properties }] = findByPath(templates.data, 'Key/Resource');
      const [account, ...others] = Object(Properties.KeyPolicy).Statement;
      expect(account).toMatchObject({ Effect: 'Allow', Action: 'kms:*', Resource: '*' });
      expect(account).not.toHaveProperty('Condition');
      for (const { Effect, Principal } of others) {
        expect({ Effect, Principal }).toEqual({ Effect: 'Allow', Principal: account.Principal });
      }
    },
  );
});

/** Fills in what CloudFormation knows of a place, in a part of a template. */
function deploy(value: unknown, template: TemplateJson, place: Place): unknown {
  if (Array.isArray(value)) return value.map((item) => deploy(item, template, place));
  if (typeof value !== 'object' || value === null) return value;
  const pseudo: Readonly<Record<string, string>> = {
    'AWS::Region': place.region,
    'AWS::Partition': place.partition,
    'AWS::URLSuffix': place.suffix,
  };
  const { Ref, 'Fn::Join': join, 'Fn::If': choice } = Object(value);
  if (Ref !== undefined) return pseudo[Ref] ?? `<${Ref}>`;
  if (join !== undefined) {
    const [separator, parts] = join;
    return parts.map((part: unknown) => toText(deploy(part, template, place))).join(separator);
  }
  if (choice !== undefined) {
    const [condition, yes, no] = choice;
    const [left, right] = Object(template.Conditions?.[condition])['Fn::Equals'];
    const holds = deploy(left, template, place) === deploy(right, template, place);
    return deploy(holds ? yes : no, template, place);
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, deploy(item, template, place)]),
  );
}

function toText(part: unknown): string {
  return typeof part === 'string' ? part : '<computed>';
}

function listTexts(place: string, value: unknown): { place: string; text: string }[] {
  if (typeof value === 'string') return [{ place, text: value }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => listTexts(`${place}.${name}`, each));
}
