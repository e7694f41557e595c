import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bundleClient } from '#tools/client/bundle-client.ts';
import { openHome, projectRoot } from '../../fixtures/edition.ts';
import { hideChance } from '../fixtures/hide-chance.ts';
import { typeInTerminal } from '../fixtures/terminal.ts';
import { readTranscript } from '../fixtures/transcript.ts';

describe('docs/first-job.md', () => {
  it('shows the real output of its commands', async () => {
    const steps = readTranscript(readFileSync(join(projectRoot, 'docs/first-job.md'), 'utf8'));
    expect(steps.map(({ words }) => words[2])).toEqual([
      'login',
      'systems',
      'submit',
      'logs',
      'wait',
      'download',
      'quotas',
      'ledger',
    ]);
    const { path: folder, start: startEdition } = openHome();
    cpSync(join(projectRoot, 'docs/examples'), join(folder, 'docs/examples'), { recursive: true });
    await bundleClient(join(folder, 'dist'));
    const edition = await startEdition({ SYSTEMS: 'machine' });
    const start = `${process.execPath} ${join(folder, 'dist/slipway.js')}`;
    for (const { line: command, written } of steps) {
      const shown = written.trimEnd().split('\n');
      const leaves = shown.includes('^C');
      const where = command.includes('login') ? ` --url ${edition.url}` : '';
      const { code, text } = await typeInTerminal(command.replace('npx slipway', start) + where, {
        cwd: folder,
        columns: 120,
        environment: { XDG_CONFIG_HOME: folder },
        ...(leaves && { interruptAt: /step 150 of 6000/ }),
      });
      const seen = text.split('\n').map(hideChance);
      for (const line of shown.filter((each) => each !== '^C')) {
        expect(seen, command).toContain(hideChance(line));
      }
      expect(code, command).toBe(leaves ? 130 : 0);
    }
  });
});
