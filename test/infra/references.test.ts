import { describe, expect, it } from 'vitest';
import { variants } from '#tools/stacks/make-app.ts';
import type { TemplateJson } from '#tools/stacks/templates.ts';
import { synthesize } from './synthesize.ts';

/** The CDK does not find all references from one stack to another, and leaves those in the air. */
describe.each(Object.entries(variants))('every reference in %s', (_, context) => {
  const { triggers, monitoring, integrations, releases, ...stacks } = synthesize(context);

  it('leads to something in its stack', () => {
    for (const stack of Object.values<TemplateJson>(stacks)) expect(findLost(stack)).toEqual([]);
  });

  it('leads to something in the stack within, or in the one around it', () => {
    for (const inner of [triggers, monitoring, integrations, ...(releases ? [releases] : [])]) {
      expect(findLost(inner, stacks.service)).toEqual([]);
    }
  });
});

it('is looked for everywhere in a resource', () => {
  const UpdatePolicy = { Group: { Ref: 'Gone' } };
  const Properties = { Role: { 'Fn::GetAtt': ['Away', 'Arn'] }, Own: { Ref: 'Alias' } };
  const Alias = { Type: 'AWS::Lambda::Alias', Properties, UpdatePolicy, DependsOn: ['Lost'] };
  expect(findLost({ Resources: { Alias } })).toEqual(['Away', 'Gone', 'Lost']);
});

function findLost(template: TemplateJson, around?: TemplateJson): string[] {
  const known = new Set(
    [template.Resources, template.Parameters, around?.Resources, around?.Parameters].flatMap(
      (part) => Object.keys(part ?? {}),
    ),
  );
  const named = new Set<string>();
  JSON.stringify(template, (key, value) => {
    if (key === 'Ref') named.add(String(value));
    if (key === 'Fn::GetAtt') named.add(String([value].flat()[0]));
    if (key === 'DependsOn') for (const id of [value].flat()) named.add(String(id));
    return value;
  });
  return [...named].filter((id) => !known.has(id) && !id.startsWith('AWS::')).toSorted();
}
