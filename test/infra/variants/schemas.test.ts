import { loadAwsServiceSpecSync } from '@aws-cdk/aws-service-spec';
import { describe, expect, it } from 'vitest';
import type { Resource, TemplateJson } from '#tools/stacks/templates.ts';
import { findAll, synthesize } from '../synthesize.ts';
import { findBeyondLimits } from './find-beyond-limits.ts';
import { findMistakes } from './find-mistakes.ts';

const spec = loadAwsServiceSpecSync();

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
    [{ EphemeralStorage: { Size: 511 } }, 'is not within 512 and 10240'],
    [{ DurableConfig: { ExecutionTimeout: 60 } }, 'has no limits'],
    [{ FunctionName: 'a b' }, 'does not fit'],
    [{ DurableConfig: { SomeName: 'a' } }, 'has no limits'],
  ])('with %j is found out by the limits', (properties, mistake) => {
    expect(findBeyondLimits(change(properties))).toEqual([expect.stringContaining(mistake)]);
  });
});
