import { execFileSync } from 'node:child_process';
import { runningVersion } from '#lib/telemetry/running-version.ts';

/**
 * The version as a bundle tells it: `0.1.0+771cafa`, with `-dirty` behind it where the checkout was
 * changed since that commit. Where there is no checkout, or no git, it is the version alone.
 */
export function describeVersion(readCommit = readCommitByGit): string {
  const commit = readCommit();
  return commit === undefined ? runningVersion : `${runningVersion}+${commit}`;
}

let known: { readonly commit: string | undefined } | undefined;

/** Once: a deployment has some fifty bundles, and all of them are of one commit. */
function readCommitByGit(): string | undefined {
  known ??= { commit: askGit() };
  return known.commit;
}

function askGit(): string | undefined {
  try {
    return execFileSync('git', ['describe', '--always', '--dirty', '--exclude=*'], {
      cwd: import.meta.dirname,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return undefined;
  }
}
