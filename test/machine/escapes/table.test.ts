import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { putBetween, readBetween } from '#tools/put-between.ts';
import { attempts } from './attempts.ts';
import { ordeals } from './ordeals.ts';
import { levels } from './scene.ts';

const page = 'docs/machine.md';
const mark = 'RECORD=1 npm run suite -- machine';

function writeTable(): string {
  const rows = [...attempts, ...ordeals].map(({ what, stoppedAt }) => [
    what,
    ...levels.map((level) => (stoppedAt.includes(level) ? 'stopped' : '**no**')),
  ]);
  const head = ['a hostile job', ...levels];
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return lines.join('\n');
}

// What root may do is stopped for everybody else, so the table is that of a service of root.
it.runIf(process.getuid?.() === 0)(`${page} has the table that the suite makes (${mark})`, () => {
  if (process.env.RECORD === '1') {
    writeFileSync(page, putBetween(readFileSync(page, 'utf8'), mark, writeTable()));
  }
  expect(readBetween(readFileSync(page, 'utf8'), mark)).toBe(writeTable());
});
