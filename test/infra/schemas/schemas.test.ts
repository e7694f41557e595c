import { loadAwsServiceSpecSync } from '@aws-cdk/aws-service-spec';
import { describe, expect, it } from 'vitest';
import type { Resource, TemplateJson } from '#tools/stacks/templates.ts';
import { variants } from '#tools/stacks/variants.ts';
import { findAll, synthesize } from '../synthesize.ts';
import { findBeyondLimits } from './find-beyond-limits.ts';
import { findMistakes } from './find-mistakes.ts';
import { numberLimits, textLimits } from './limits.ts';
import { listValues } from './list-values.ts';

/** What CloudFormation knows of its resources: names, types, what is required, what can be chosen. */
const spec = loadAwsServiceSpecSync();

const stacks = Object.entries(variants).flatMap(([variant, context]) =>
  Object.entries<TemplateJson>({ ...synthesize(context) }).map(([stack, template]) => ({
    variant,
    stack,
    template,
  })),
);

describe.each(stacks)('$variant, the stack $stack', ({ template }) => {
  it('is what the schemas of its resources ask for', () => {
    expect(findMistakes(template, spec)).toEqual([]);
  });

  it('stays within what AWS takes of numbers and names', () => {
    expect(findBeyondLimits(template)).toEqual([]);
  });
});

it('has no limits for what no template has', () => {
  const places = new Set(
    stacks.flatMap(({ template }) => listValues(template)).map(({ place }) => place),
  );
  const known = [...Object.keys(numberLimits), ...Object.keys(textLimits)];
  expect(known.filter((place) => !places.has(place))).toEqual([]);
});

describe('a template that AWS would refuse', () => {
  const { service } = synthesize();
  const [id = '', lambda] = findAll(service, 'AWS::Lambda::Function')[0] ?? [];

  function change(properties: Record<string, unknown>, type = lambda?.Type ?? ''): TemplateJson {
    const resource: Resource = {
      Type: type,
      Properties: { ...lambda?.Properties, ...properties },
    };
    return { Resources: { [id]: resource } };
  }

  it.each([
    [{ Timeuot: 10 }, '.Timeuot: there is no such property'],
    [{ Timeout: '10 s' }, '.Timeout: "10 s" is no integer'],
    [{ Timeout: 10.5 }, '.Timeout: 10.5 is no integer'],
    [{ Role: ['a'] }, '.Role: ["a"] is no string'],
    [{ Architectures: 'arm64' }, '.Architectures is no list'],
    [{ Architectures: [1, {}] }, '.Architectures[1]: {} is no string'],
    [{ Environment: { Variables: { A: {} } } }, '.Environment.Variables.A: {} is no string'],
    [{ Environment: 'A=1' }, '.Environment is no object'],
    [{ TracingConfig: { Mode: 'Sometimes' } }, '.TracingConfig.Mode: "Sometimes" is none of'],
    [{ Tags: [{ Key: 'a' }] }, '.Tags[0] is no tag'],
  ])('with %j is found out by the schemas', (properties, mistake) => {
    expect(findMistakes(change(properties), spec)).toEqual([expect.stringContaining(mistake)]);
  });

  it('without what is required is found out', () => {
    const { Role: _, ...others } = lambda?.Properties ?? {};
    const template = { Resources: { [id]: { Type: lambda?.Type ?? '', Properties: others } } };
    expect(findMistakes(template, spec)).toEqual([`${id}: Role is missing`]);
  });

  it('with a type that is none is found out', () => {
    const mistakes = findMistakes(change({}, 'AWS::Lambda::Functoin'), spec);
    expect(mistakes).toEqual([`${id}: there is no type AWS::Lambda::Functoin`]);
  });

  it.each([
    [{ Timeout: 901 }, 'is not within 1 and 900'],
    [{ Timeout: 0 }, 'is not within 1 and 900'],
    [{ Description: 'a'.repeat(257) }, 'is longer than 256 characters'],
    [{ EphemeralStorage: { Size: 512 } }, 'has no limits'],
    [{ FunctionName: 'a' }, 'has no limits'],
  ])('with %j is found out by the limits', (properties, mistake) => {
    expect(findBeyondLimits(change(properties))).toEqual([expect.stringContaining(mistake)]);
  });
});
