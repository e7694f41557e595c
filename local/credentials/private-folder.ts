import {
  accessSync,
  chmodSync,
  constants,
  mkdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Creates a folder that only its owner can enter. Also makes the named files private, because
 * earlier versions may have left them readable. They hold tokens, signing keys and webhook secrets.
 */
export function openPrivateFolder(directory: string, files: readonly string[] = []): void {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK);
    restrict(directory, 0o700);
    for (const file of files) restrict(join(directory, file), 0o600);
  } catch (error) {
    throw explain(directory, error);
  }
}

/**
 * Reads a file that only its owner can read, or creates it. Uses `wx`, which fails if the file
 * exists. So two processes that start at once end up with the same content.
 */
export function readOrCreate(directory: string, name: string, create: () => string): string {
  const file = join(directory, name);
  openPrivateFolder(directory, [name]);
  try {
    if (statSync(file, { throwIfNoEntry: false }) === undefined) {
      writeFileSync(file, create(), { flag: 'wx', mode: 0o600 });
    }
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
  return readFileSync(file, 'utf8');
}

function restrict(path: string, mode: number): void {
  const found = statSync(path, { throwIfNoEntry: false })?.mode;
  if (found !== undefined && (found & 0o077) !== 0) chmodSync(path, mode);
}

const remedy =
  'Give it to the user that runs Slipway (chown, chmod), or choose another folder with DATA_DIR.';

function explain(directory: string, error: unknown): Error {
  const code = codeOf(nearestRefusal(directory) ?? error);
  switch (code) {
    case 'EROFS':
      return new Error(
        `The folder ${directory} is on a read-only file system. Mount it writable, or choose another folder with DATA_DIR.`,
        { cause: error },
      );
    case 'EACCES':
    case 'EPERM':
      return new Error(`The folder ${directory} cannot be read and written (${code}). ${remedy}`, {
        cause: error,
      });
    default: {
      const reason = error instanceof Error ? error.message : String(error);
      return new Error(
        `The folder ${directory} cannot be made (${reason}). Choose another folder with DATA_DIR.`,
        { cause: error },
      );
    }
  }
}

/**
 * Finds why the folder cannot be created. A recursive `mkdir` reports only ENOENT on a read-only
 * disk.
 */
function nearestRefusal(directory: string): unknown {
  let existing = directory;
  while (statSync(existing, { throwIfNoEntry: false }) === undefined) {
    const parent = dirname(existing);
    if (parent === existing) return undefined;
    existing = parent;
  }
  try {
    accessSync(existing, constants.W_OK);
    return undefined;
  } catch (error) {
    return error;
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
