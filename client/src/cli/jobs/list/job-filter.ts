import type { Command } from '@commander-js/extra-typings';
import { readCount, readPastOption } from '../../session/read-options.ts';

const usualCount = 20;

/** What a list of jobs can be narrowed down by, one's own or everybody's. */
export function withJobFilter(command: Command) {
  return command
    .argument('[hpc]', 'only those on this HPC system')
    .argument('[project]', 'only those of this project')
    .option('--living', 'only those that have not ended')
    .option('--ended', 'only those that have ended')
    .option('--failed', 'only those that failed')
    .option('--stage <word>', 'only those in this stage, in the word of the system')
    .option('--title <text>', 'only those whose title contains this')
    .option('--since <when>', 'only those submitted since then: 7d, 2026-11-01', readPastOption)
    .option('--until <when>', 'only those submitted before', readPastOption)
    .option('-l, --limit <count>', 'how many', readCount, usualCount)
    .option('-a, --all', 'all of them')
    .option('--csv', 'as CSV, with all fields');
}

type Options = ReturnType<ReturnType<typeof withJobFilter>['opts']>;

export function readJobFilter(
  hpc: string | undefined,
  project: string | undefined,
  options: Options,
) {
  return {
    order: 'desc' as const,
    hpc: hpc?.toLowerCase(),
    project_name: project,
    terminal: chooseEnd(options),
    failed: options.failed,
    stage: options.stage?.toUpperCase(),
    title: options.title,
    since: options.since,
    until: options.until,
  };
}

/** Neither, or both, is all of them. */
function chooseEnd({ living, ended }: Pick<Options, 'living' | 'ended'>): boolean | undefined {
  return living === ended ? undefined : ended === true;
}
