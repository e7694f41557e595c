import { readFileSync } from 'node:fs';
import { loadAwsServiceSpecSync } from '@aws-cdk/aws-service-spec';
import { describe, expect, it } from 'vitest';
import { readCatalog } from '#lib/catalog/file/read-catalog.ts';
import { catalog } from '#test/fixtures/catalog.ts';
import { readBetween } from '#tools/put-between.ts';
import { variants } from '#tools/stacks/make-app.ts';
import {
  limits,
  measurePolicy,
  measureStacks,
  writeFigures,
} from '#tools/stacks/measure-stacks.ts';
import type { TemplateJson } from '#tools/stacks/templates.ts';
import { synthesize } from '../synthesize.ts';
import { findBeyondLimits } from './find-beyond-limits.ts';
import { findMistakes } from './find-mistakes.ts';
import { numberLimits, textLimits } from './limits.ts';
import { listValues } from './list-values.ts';

/** Far from CloudFormation's limit, so that no endpoint and no system needs another stack. */
const mostResources = 250;
const room = 20;

const figures = new Map(
  Object.entries(variants).map(([name, context]) => [name, measureStacks(synthesize(context))]),
);

describe.each([...figures])('%s', (_, stacks) => {
  it.each(stacks)('fits into a stack, and leaves some room: $stack', (measured) => {
    expect(measured.resources).toBeLessThan(mostResources);
    expect(measured.parameters).toBeLessThanOrEqual(limits.parameters - room);
    expect(measured.outputs).toBeLessThanOrEqual(limits.outputs - room);
    expect(measured.policy).toBeLessThanOrEqual(limits.policy);
    expect(measured.resources).toBeGreaterThan(0);
  });
});

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
  const values = stacks.flatMap(({ template }) => listValues(template));
  const places = new Set(values.map(({ place }) => place));
  const known = [...Object.keys(numberLimits), ...Object.keys(textLimits)];
  expect(known.filter((place) => !places.has(place))).toEqual([]);
});

it('shows them in docs/scale.md (npm run synth:figures)', () => {
  // The command takes the catalog that ships: these figures are the same for as long as this holds.
  const shipped = readCatalog().systems.map(({ name }) => name);
  expect(shipped).toEqual(catalog.systems.map(({ name }) => name));
  const page = readFileSync('docs/scale.md', 'utf8');
  expect(readBetween(page, 'npm run synth:figures')).toBe(writeFigures(figures));
});

it('counts a reference in a policy as long as what it may become', () => {
  const arn = { 'Fn::Join': ['', [{ Ref: 'Table' }, '/index/due']] };
  const plain = JSON.stringify({ 'Fn::Join': ['', ['', '/index/due']] }).length;
  expect(measurePolicy(arn)).toBe(plain + 128);
});
