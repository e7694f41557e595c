import { findAll, type TemplateJson, type Templates } from './templates.ts';

type StackFigures = ReturnType<typeof measure>;

/** The limits of CloudFormation for a stack, and of IAM for all policies of a role. */
export const limits = { resources: 500, parameters: 200, outputs: 200, policy: 10_240 } as const;

/** Counts each reference, usually an ARN, as long as the longest one can be. */
const longestReference = 128;

export function measureStacks(templates: Templates): StackFigures[] {
  const { data, jobs, accounts, administration, service, compute, console, pages } = templates;
  const { triggers, monitoring, integrations, releases } = templates;
  return [
    measure('data', data),
    measure('jobs', jobs),
    measure('accounts', accounts),
    measure('administration', administration),
    measure('service', service),
    measure('triggers, within it', triggers),
    measure('monitoring, within it', monitoring),
    measure('integrations, within it', integrations),
    ...(releases ? [measure('releases, within it', releases)] : []),
    ...(compute ? [measure('compute', compute)] : []),
    ...(console ? [measure('console', console)] : []),
    ...(pages ? [measure('pages', pages)] : []),
  ];
}

function measure(stack: string, template: TemplateJson) {
  return {
    stack,
    resources: sizeOf(template.Resources),
    parameters: sizeOf(template.Parameters),
    outputs: sizeOf(template.Outputs),
    /** Characters of the largest attached policy, or of all inline policies of a role together. */
    policy: Math.max(0, ...listPolicies(template).map(measurePolicy)),
  };
}

function sizeOf(entries: Readonly<Record<string, unknown>> = {}): number {
  return Object.keys(entries).length;
}

function listPolicies(template: TemplateJson): unknown[] {
  const inRoles = findAll(template, 'AWS::IAM::Role').map(
    ([, { Properties }]) => Properties.Policies,
  );
  const attached = ['AWS::IAM::Policy', 'AWS::IAM::ManagedPolicy']
    .flatMap((type) => findAll(template, type))
    .map(([, { Properties }]) => Properties.PolicyDocument);
  return [...inRoles, ...attached].filter((policy) => policy !== undefined);
}

export function measurePolicy(policy: unknown): number {
  const filled = JSON.stringify(policy, (_, value) =>
    isReference(value) ? '*'.repeat(longestReference) : value,
  );
  return filled.length;
}

/** `Fn::Join` is not listed, because the references in it are counted one by one. */
function isReference(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return ['Ref', 'Fn::GetAtt', 'Fn::ImportValue', 'Fn::Select'].some((name) => name in value);
}

/** The table of docs/scale.md. */
export function writeFigures(figures: ReadonlyMap<string, readonly StackFigures[]>): string {
  const rows = [...figures].flatMap(([variant, stacks]) =>
    stacks.map(({ stack, resources, policy, parameters, outputs }) =>
      writeRow([variant, stack, ...[resources, policy, parameters, outputs].map(writeNumber)]),
    ),
  );
  const { resources, policy, parameters, outputs } = limits;
  return [
    writeRow(['variant', 'stack', 'resources', 'largest policy', 'parameters', 'outputs']),
    '|---|---|---:|---:|---:|---:|',
    ...rows,
    writeRow(['**limit**', '', ...[resources, policy, parameters, outputs].map(writeNumber)]),
  ].join('\n');
}

function writeNumber(number: number): string {
  return number.toLocaleString('en-US');
}

function writeRow(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`.replaceAll('|  |', '| |');
}
