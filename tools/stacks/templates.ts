import type { Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import type { DomainName } from '#infra/settings/domains.ts';
import type { Stacks } from '#infra/stacks/add-stacks.ts';

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
  /** The functions of each domain. */
  readonly jobs: TemplateJson;
  readonly accounts: TemplateJson;
  readonly administration: TemplateJson;
  readonly service: TemplateJson;
  /** The nested stacks, with their parameters filled in. */
  readonly triggers: TemplateJson;
  readonly monitoring: TemplateJson;
  readonly integrations: TemplateJson;
  /** Present if releases are gradual. */
  readonly releases?: TemplateJson;
  /** Absent if no system needs a queue of AWS Batch. */
  readonly compute?: TemplateJson;
  /** Absent if the console is not deployed, as are its pages. */
  readonly console?: TemplateJson;
  readonly pages?: TemplateJson;
}

export function readTemplates(stacks: Stacks): Templates {
  const { data, domains, service, compute, console, pages } = stacks;
  const whole = toJson(service);
  const { triggers, monitoring, integrations, releases } = service;
  const readDomain = (name: DomainName): TemplateJson => {
    const stack = domains.get(name);
    if (!stack) throw new Error(`The domain ${name} has no stack.`);
    return toJson(stack);
  };
  return {
    data: toJson(data),
    jobs: readDomain('jobs'),
    accounts: readDomain('accounts'),
    administration: readDomain('administration'),
    service: whole,
    triggers: placeInside(whole, toJson(triggers)),
    monitoring: placeInside(whole, toJson(monitoring)),
    integrations: placeInside(whole, toJson(integrations)),
    ...(releases && { releases: placeInside(whole, toJson(releases)) }),
    ...(compute && { compute: toJson(compute) }),
    ...(console && { console: toJson(console) }),
    ...(pages && { pages: toJson(pages) }),
  };
}

/** Joins the stacks with functions, for whoever looks for one wherever it is. */
export function joinServing(templates: Templates): TemplateJson {
  const { jobs, accounts, administration, service } = templates;
  const stacks = [jobs, accounts, administration, service];
  return { Resources: Object.assign({}, ...stacks.map(({ Resources }) => Resources)) };
}

/** Finds all resources of a type, with their logical ids. */
export function findAll({ Resources }: TemplateJson, type: string): [string, Resource][] {
  return Object.entries(Resources).filter(([, { Type }]) => Type === type);
}

/** Adds empty sections, which the CDK leaves out. */
function toJson(stack: Stack): TemplateJson {
  const template = Template.fromStack(stack).toJSON();
  const { Resources = {}, Outputs = {}, Parameters = {}, Conditions = {} } = template;
  return { Resources, Outputs, Parameters, Conditions };
}

/** Replaces the parameters of a nested stack by the values that the outer stack passes. */
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
