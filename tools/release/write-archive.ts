import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';

const sums = 'SHA256SUMS';

/** Writes the checksums of all files of a folder into it. `sha256sum -c SHA256SUMS` checks them. */
export function writeChecksums(folder: string): void {
  const lines = listFiles(folder).map((file) => {
    const sum = createHash('sha256').update(readFileSync(file)).digest('hex');
    return `${sum}  ${relative(folder, file)}\n`;
  });
  writeFileSync(join(folder, sums), lines.join(''));
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/**
 * Packs a folder, and returns the checksum of the archive. The same files make the same bytes: times,
 * owners, modes and the order are fixed, and Node's gzip notes no time.
 */
export function packFolder(folder: string, archive: string, time: Date): string {
  const fixed = ['--format=ustar', '--sort=name', '--owner=0', '--group=0', '--numeric-owner'];
  const tar = execFileSync(
    'tar',
    [
      ...['-c', ...fixed, `--mtime=${time.toISOString()}`, '--mode=u=rwX,go=rX'],
      ...['-C', dirname(folder), basename(folder)],
    ],
    { maxBuffer: 2 ** 28 },
  );
  const bytes = gzipSync(tar, { level: 9 });
  writeFileSync(archive, bytes);
  return createHash('sha256').update(bytes).digest('hex');
}
