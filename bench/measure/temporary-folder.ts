import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Not the machine's own place for such folders, which may be in memory: a disk is to be measured. */
const place = join(import.meta.dirname, '../../.slipway');

/** A folder that is gone when this process ends, however it ends. */
export function createTemporaryFolder(): string {
  mkdirSync(place, { recursive: true, mode: 0o700 });
  const folder = mkdtempSync(join(place, 'bench-'));
  process.once('exit', () =>
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }),
  );
  return folder;
}
