import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { projectRoot } from '../fixtures/edition.ts';

/** Returns the folder of a release, or undefined if the checkout has no history, as in an archive. */
export function checkOut(commit: string): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-release-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  try {
    const packed = execFileSync('git', ['archive', commit], {
      cwd: projectRoot,
      maxBuffer: 1e9,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    execFileSync('tar', ['-x', '-C', folder], { input: packed });
  } catch {
    return undefined;
  }
  symlinkSync(join(projectRoot, 'node_modules'), join(folder, 'node_modules'));
  return existsSync(join(folder, 'local/start.ts')) ? folder : undefined;
}
