import type { TemplateJson, Templates } from './synthesize.ts';

/**
 * Turns what CloudFormation would compute into text that a test can compare: a reference becomes
 * `<LogicalId.Attribute>`, and what one stack imports from the other becomes what it refers to.
 */
export function render(value: unknown, templates: Templates): unknown {
  if (Array.isArray(value)) return value.map((item) => render(item, templates));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const [name, operand] = entries[0] ?? [];
  if (entries.length === 1 && name !== undefined) {
    const computed = compute(name, operand, templates);
    if (computed !== undefined) return computed;
  }
  return Object.fromEntries(entries.map(([key, item]) => [key, render(item, templates)]));
}

export function renderText(value: unknown, templates: Templates): string {
  const rendered = render(value, templates);
  if (typeof rendered !== 'string') throw new Error(`Not a text: ${JSON.stringify(rendered)}`);
  return rendered;
}

function compute(name: string, operand: unknown, templates: Templates): string | undefined {
  if (name === 'Ref') return `<${operand}>`;
  if (name === 'Fn::GetAtt' && Array.isArray(operand)) {
    const told = findOutput(templates, String(operand[1]));
    return told === undefined ? `<${operand.join('.')}>` : renderText(told, templates);
  }
  if (name === 'Fn::ImportValue') {
    const { data, service, console } = templates;
    const exporting = console ? [data, service, console] : [data, service];
    return renderText(findExport(exporting, operand), templates);
  }
  if (name === 'Fn::Join' && Array.isArray(operand)) {
    const [separator, parts] = operand;
    return parts.map((part: unknown) => renderText(part, templates)).join(separator);
  }
  if (name === 'Fn::Split' && Array.isArray(operand)) {
    const [separator, whole] = operand;
    return `${renderText(whole, templates)} at ${separator}`;
  }
  if (name === 'Fn::Select' && Array.isArray(operand)) {
    const [index, list] = operand;
    return `part ${index} of ${renderText(list, templates)}`;
  }
  return undefined;
}

/** What a nested stack tells the one around it. */
function findOutput({ triggers, integrations }: Templates, attribute: string): unknown {
  const [, name = ''] = attribute.split('Outputs.');
  return [triggers, integrations].map(({ Outputs }) => Outputs?.[name]?.Value).find(Boolean);
}

function findExport(exporting: readonly TemplateJson[], name: unknown): unknown {
  const output = exporting
    .flatMap(({ Outputs = {} }) => Object.values(Outputs))
    .find(({ Export }) => Export?.Name === name);
  if (!output) throw new Error(`Nothing is exported as ${name}.`);
  return output.Value;
}
