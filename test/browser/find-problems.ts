import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Lists accessibility problems in both themes, each as `light, rule: the first place`. */
export async function findProblems(
  page: Page,
  { minor = false }: { readonly minor?: boolean } = {},
): Promise<string[]> {
  await page.evaluate(source);
  const found: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const { violations } = await page.evaluate<AxeResults>(
      "axe.run({ resultTypes: ['violations'] })",
    );
    const counted = violations.filter(
      ({ impact }) => minor || impact === 'serious' || impact === 'critical',
    );
    for (const { id, nodes } of counted) {
      found.push(`${colorScheme}, ${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`);
    }
  }
  return found;
}
