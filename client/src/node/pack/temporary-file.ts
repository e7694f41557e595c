import { mkdtempSync, openAsBlob, rmSync } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file that is read as a Blob, piece by piece, and is gone when nobody needs it any more. */
export interface TemporaryFile {
  readonly blob: Blob;
  remove(): Promise<void>;
}

/** Of a process that ends by itself it does not stay; a process that is killed leaves it behind. */
export async function writeTemporaryFile(
  write: (file: FileHandle) => Promise<void>,
): Promise<TemporaryFile> {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-input-'));
  const removeNow = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', removeNow);
  const remove = async () => {
    process.off('exit', removeNow);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const path = join(folder, 'input.zip');
    await writeAndClose(await open(path, 'wx', 0o600), write);
    return { blob: await openAsBlob(path, { type: 'application/zip' }), remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function writeAndClose(
  file: FileHandle,
  write: (file: FileHandle) => Promise<void>,
): Promise<void> {
  try {
    await write(file);
  } finally {
    await file.close();
  }
}
