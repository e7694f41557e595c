import type { Stats } from 'node:fs';
import { lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import type { FolderSize } from '../../connector.ts';

/** More than this are not counted, and the folder is taken for full. */
const mostEntries = 1_000_000;

/**
 * Adds up the files of a folder. A file with several names takes its space once, and what is removed
 * meanwhile is passed over. A link is not followed.
 */
export async function measureFolder(folder: string): Promise<FolderSize> {
  const linked = new Set<string>();
  const waiting = [folder];
  let [bytes, files] = [0, 0];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const { path, found } of await readEntries(next)) {
      if (found.isDirectory()) waiting.push(path);
      else {
        files += 1;
        bytes += isFirstName(found, linked) ? found.size : 0;
      }
      if (files > mostEntries) return { bytes: Number.MAX_SAFE_INTEGER, files };
    }
  }
  return { bytes, files };
}

function isFirstName({ nlink, dev, ino }: Stats, linked: Set<string>): boolean {
  return nlink === 1 || linked.size < linked.add(`${dev}:${ino}`).size;
}

async function readEntries(folder: string) {
  const paths = await listEntries(folder);
  const looked = await Promise.all(
    paths.map(async (path) => ({ path, found: await lstat(path).catch(() => undefined) })),
  );
  return looked.flatMap(({ path, found }) => (found ? [{ path, found }] : []));
}

async function listEntries(folder: string): Promise<string[]> {
  try {
    const names: string[] = [];
    for await (const { name } of await opendir(folder)) names.push(join(folder, name));
    return names;
  } catch {
    return [];
  }
}
