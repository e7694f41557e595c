import { lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import type { FolderSize } from '../connector.ts';

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
    for (const path of await listEntries(next)) {
      if (files > mostEntries) return { bytes: Number.MAX_SAFE_INTEGER, files };
      const found = await lstat(path).catch(() => undefined);
      if (!found) continue;
      if (found.isDirectory()) {
        waiting.push(path);
        continue;
      }
      files += 1;
      const name = `${found.dev}:${found.ino}`;
      if (found.nlink > 1 && linked.size === linked.add(name).size) continue;
      bytes += found.size;
    }
  }
  return { bytes, files };
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
