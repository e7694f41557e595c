import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectRoot } from '../../fixtures/edition.ts';
import { openCheckout } from '../fixtures/checkout.ts';
import { hideChance } from '../fixtures/hide-chance.ts';
import { readTranscript } from '../fixtures/transcript.ts';

const page = readFileSync(join(projectRoot, 'docs/operations.md'), 'utf8');
const starting = 'CATALOG=.slipway/centre.json npm start';

describe('docs/operations.md', () => {
  it('shows the real output of its commands', async () => {
    const [before = '', after = ''] = page.split(starting);
    const checkout = await openCheckout();
    const run = async (part: string, url = '') => {
      for (const { line, written } of readTranscript(part)) {
        const where = line.includes('login') ? ` --url ${url}` : '';
        const typed = line.replace('http://localhost:3000', url) + where;
        const { code, text } = await checkout.type(typed);
        const seen = text.split('\n').map(hideChance);
        for (const shown of written.trimEnd().split('\n').filter(Boolean)) {
          expect(seen, line).toContain(hideChance(shown));
        }
        // Other catalogs than the centre's are there to be refused.
        const refused = /^CATALOG=(?!\.slipway\/centre)/.test(line);
        expect(code, line).toBe(refused ? 1 : 0);
      }
    };
    await run(before);
    const { url } = await checkout.start({ CATALOG: '.slipway/centre.json' });
    await run(after, url);
  });
});
