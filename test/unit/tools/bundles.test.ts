import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleBudget } from '#tools/bundles/budget.ts';
import { type Bundle, buildBundles, functionFiles } from '#tools/bundles/build-bundles.ts';

let directory: string;
let bundles: Bundle[];
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'slipway-bundles-'));
  bundles = await buildBundles(directory);
});
afterAll(() => rmSync(directory, { recursive: true }));

describe('bundles', () => {
  it('are one per function', () => {
    expect(bundles.map(({ name }) => name)).toEqual(Object.keys(functionFiles));
  });

  it.each(Object.keys(functionFiles))('%s stays within the budget', (name) => {
    const bundle = bundles.find((each) => each.name === name);
    expect(bundle?.bytes).toBeGreaterThan(1000);
    expect(bundle?.bytes).toBeLessThanOrEqual(bundleBudget);
  });
});
