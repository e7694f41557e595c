import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { bundleClient } from '#tools/client/bundle-client.ts';
import { openHome, projectRoot } from '../../fixtures/edition.ts';
import { typeInTerminal } from '../fixtures/terminal.ts';

interface Step {
  readonly command: string;
  /** What the page shows of it. */
  readonly shown: readonly string[];
}

function readSteps(page: string): Step[] {
  const blocks = [...page.matchAll(/```console\n(.*?)```/gs)].map(([, block = '']) => block);
  return blocks
    .flatMap((block) => block.split(/^\$ /m).slice(1))
    .map((step) => {
      const [command = '', ...shown] = step.trimEnd().split('\n');
      return { command, shown };
    });
}

/** What differs from one time to the next: ids, moments, spans, where it runs. */
function mask(line: string): string {
  return (
    line
      // A terminal shows Ctrl-C where the cursor is.
      .replace(/\^C$/, '')
      .trim()
      .replaceAll(/\b[0-9A-F]{8}\b/g, 'ID')
      .replaceAll(/\d{4}-\d\d-\d\d[ T][\d:.]+Z?/g, 'MOMENT')
      .replaceAll(/\b\d+ s\b/g, 'SPAN')
      .replaceAll(/localhost:\d+/g, 'HOST')
      .replaceAll(/\S+\/slipway\/config\.json/g, 'FILE')
      .replaceAll(/ +/g, ' ')
  );
}

describe('docs/first-job.md', () => {
  it('is what somebody sees who types it', async () => {
    const steps = readSteps(readFileSync(join(projectRoot, 'docs/first-job.md'), 'utf8'));
    expect(steps.map(({ command }) => command.split(' ')[2])).toEqual([
      'login',
      'systems',
      'submit',
      'jobs',
      'wait',
      'wait',
      'logs',
      'download',
      'quotas',
      'ledger',
    ]);
    const folder = mkdtempSync(join(tmpdir(), 'slipway-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    cpSync(join(projectRoot, 'docs/examples'), join(folder, 'docs/examples'), { recursive: true });
    await bundleClient(join(folder, 'dist'));
    // Long enough that it still runs when somebody has typed two more commands on a busy machine.
    const edition = await openHome().start({ SIM_HOUR_SECONDS: '40' });
    const start = `${process.execPath} ${join(folder, 'dist/slipway.js')}`;
    for (const { command, shown } of steps) {
      const leaves = shown.includes('^C');
      const where = command.includes('login') ? ` --url ${edition.url}` : '';
      const { code, text } = await typeInTerminal(command.replace('npx slipway', start) + where, {
        cwd: folder,
        environment: { XDG_CONFIG_HOME: folder },
        ...(leaves && { interruptAt: /running .* s of 30 min/ }),
      });
      const seen = text.split('\n').map(mask);
      for (const line of shown.filter((each) => each !== '^C')) {
        expect(seen, command).toContain(mask(line));
      }
      expect(code, command).toBe(leaves && command.includes('wait') ? 130 : 0);
    }
  });
});
