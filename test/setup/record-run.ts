import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { type PlayedRun, type RecordedRun, recordsFolder } from '#tools/reliability/write-page.ts';

/**
 * Keeps a run of a suite for docs/reliability.md, if RECORD=1 asks for it. Other runs leave the tree
 * clean.
 */
export function recordRun({ suite, tried, figures = [], seconds }: PlayedRun): void {
  if (process.env.RECORD !== '1') return;
  const recorded: RecordedRun = {
    suite,
    tried,
    figures,
    seconds: Math.round(seconds * 10) / 10,
    // When this process began: some suites move the clock.
    date: new Date(performance.timeOrigin).toISOString().slice(0, 'YYYY-MM-DD'.length),
    commit: git('rev-parse', '--short=8', 'HEAD'),
    changed: git('status', '--porcelain', '--', ':!docs', ':!README.md') !== '',
    cores: availableParallelism(),
  };
  const file = `${recordsFolder}/${suite}.json`;
  writeFileSync(file, JSON.stringify(recorded));
  execFileSync('biome', ['format', '--write', file], { stdio: 'ignore' });
}

function git(...args: string[]): string {
  return execFileSync('git', args, { encoding: 'utf8' }).trim();
}
