import type { Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import type { addStacks } from '#infra/stacks/add-stacks.ts';

export interface Resource {
  readonly Type: string;
  readonly Properties: Readonly<Record<string, unknown>>;
  readonly DependsOn?: readonly string[];
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
  readonly UpdatePolicy?: Readonly<Record<string, unknown>>;
  readonly Metadata?: Readonly<Record<string, unknown>>;
}

export interface TemplateJson {
  readonly Resources: Readonly<Record<string, Resource>>;
  readonly Outputs?: Readonly<Record<string, { Value: unknown; Export?: { Name: string } }>>;
  readonly Parameters?: Readonly<Record<string, unknown>>;
  readonly Conditions?: Readonly<Record<string, unknown>>;
}

export interface Templates {
  readonly data: TemplateJson;
  readonly service: TemplateJson;
  /** A stack within the service, as if it were a part of it. */
  readonly monitoring: TemplateJson;
  /** The other one, only where releases are gradual. */
  readonly releases?: TemplateJson;
  /** Only where it is deployed. */
  readonly console?: TemplateJson;
}

export function readTemplates({ data, service, console }: ReturnType<typeof addStacks>): Templates {
  const whole = toJson(service);
  const { monitoring, releases } = service;
  return {
    data: toJson(data),
    service: whole,
    monitoring: placeInside(whole, toJson(monitoring)),
    ...(releases && { releases: placeInside(whole, toJson(releases)) }),
    ...(console && { console: toJson(console) }),
  };
}

/** All resources of a type with their logical ids. */
export function findAll({ Resources }: TemplateJson, type: string): [string, Resource][] {
  return Object.entries(Resources).filter(([, { Type }]) => Type === type);
}

/** The CDK leaves out what would be empty. */
function toJson(stack: Stack): TemplateJson {
  const template = Template.fromStack(stack).toJSON();
  const { Resources = {}, Outputs = {}, Parameters = {}, Conditions = {} } = template;
  return { Resources, Outputs, Parameters, Conditions };
}

/** A stack within another gets parameters: in their place, what the other one gives for them. */
function placeInside(outer: TemplateJson, inner: TemplateJson): TemplateJson {
  const given = Object.assign(
    {},
    ...findAll(outer, 'AWS::CloudFormation::Stack').map(
      ([, { Properties }]) => Properties.Parameters,
    ),
  );
  const fill = (_: string, value: unknown): unknown => {
    const name = typeof value === 'object' && value !== null && 'Ref' in value ? value.Ref : '';
    return given[String(name)] ?? value;
  };
  return JSON.parse(JSON.stringify(inner, fill));
}
