import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { proofSuites } from '#tools/reliability/suites.ts';
import type { RecordedRun } from '#tools/reliability/write-page.ts';
import { fillPage, fillReadme, readRecords } from '#tools/reliability/write-page.ts';

const records = readRecords();
const { scripts }: { scripts: Record<string, string> } = JSON.parse(
  readFileSync('package.json', 'utf8'),
);

describe('docs/reliability.md', () => {
  const page = readFileSync('docs/reliability.md', 'utf8');

  it('shows what the suites recorded (npm run reliability)', () => {
    expect(page).toBe(fillPage(page, records));
  });

  it('differs if a suite recorded another figure', () => {
    const run: RecordedRun = {
      suite: 'states',
      tried: [
        { unit: 'states', tried: 2000, survived: 2000 },
        { unit: 'steps', tried: 1500, survived: 1499 },
      ],
      figures: ['deepest 9'],
      seconds: 3.14,
      date: '2026-11-17',
      commit: '01234567',
      changed: true,
      cores: 2,
    };
    const finding = { suite: 'states', finding: 'A hold.', test: 'a.test.ts', name: 'b' };
    const other = fillPage(page, { runs: [run], findings: [finding], planted: [] });
    expect(other).toContain(
      '| [Every state of a model](#states) | 2,000 states, 1,500 steps | 1,499 steps | 1 | 3.1 s | 2026-11-17, 01234567 with changes, 2 cores |',
    );
    expect(other).toContain('Last run: deepest 9.');
    expect(other).toContain('| states | A hold. | `a.test.ts`: b |');
  });

  it.each(records.runs)('shows the suite $suite, whose command exists', ({ suite }) => {
    const name = proofSuites[suite]?.command.replace(/^npm run ([\w:-]+).*$/, '$1') ?? '';
    expect(Object.keys(scripts)).toContain(name);
  });

  it.each(records.findings)('names a test that exists: $finding', ({ suite, test, name }) => {
    expect(Object.keys(proofSuites)).toContain(suite);
    expect(readFileSync(test, 'utf8')).toContain(name);
  });

  it.each(records.planted)('names a suite of the list: $bug', ({ suite }) => {
    expect(Object.keys(proofSuites)).toContain(suite);
  });
});

describe('README.md', () => {
  it('has the figures of the last runs (npm run reliability)', () => {
    const readme = readFileSync('README.md', 'utf8');
    expect(readme).toBe(fillReadme(readme, records));
  });
});
