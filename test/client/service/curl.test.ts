import { describe, expect, it } from 'vitest';
import { openCheckout } from '../fixtures/checkout.ts';
import { readExamples } from '../fixtures/pages.ts';

/** Ids, moments and the seconds that a job takes differ from one time to the next. */
function hideChance(text: string): string {
  return text
    .replaceAll(/[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}/g, 'ID')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:]+Z/g, 'MOMENT')
    .replaceAll(/"time_left":1799\d{4}\b/g, '"time_left":NEARLY_ALL');
}

describe('docs/curl.md', () => {
  it('shows the real output of its commands', async () => {
    const blocks = readExamples('curl.md', 'sh', 'json');
    const watching = blocks.findIndex(({ code }) => code.startsWith('for second'));
    expect(watching).toBeGreaterThan(0);
    const checkout = await openCheckout();
    const { url, token } = await checkout.start({ SYSTEMS: 'machine' });
    let known = `TOKEN=${token}\n`;
    let shown = '';
    const run = async (part: typeof blocks) => {
      for (const { code, printed } of part) {
        const typed = code.replaceAll('http://localhost:3000', url);
        const { code: outcome, text } = await checkout.type(`${known}${typed}`);
        expect(outcome, code).toBe(0);
        shown += text;
        expect(hideChance(text), code).toContain(hideChance(printed));
        expect(text, code).not.toContain('urn:slipway:problem');
        known += /^JOB=.*\n/m.exec(typed)?.[0] ?? '';
      }
    };
    await run(blocks.slice(0, watching));
    // Watching is a loop of some seconds; here it goes on until both have ended.
    await expect
      .poll(async () => {
        const answer = await fetch(`${url}/jobs/`, {
          headers: { authorization: `Bearer ${token}` },
        });
        const jobs: { readonly stage: string }[] = await answer.json();
        return jobs.map(({ stage }) => stage);
      })
      .toEqual(['SUCCESSFUL', 'COMPLETED']);
    await run(blocks.slice(watching + 1));
    expect(shown).toContain('Prime number 10000 is 104729.\n104729\n');
  });
});
