import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { CannotDo } from '../../outcome/outcome.ts';
import type { InlineFile } from './submission-input.ts';

/** Does something with a folder that has these files, and removes it. */
export async function withFiles<Result>(
  files: readonly InlineFile[],
  use: (folder: string) => Promise<Result>,
): Promise<Result> {
  for (const { name } of files) refuseStrangeName(name);
  const folder = await mkdtemp(join(tmpdir(), 'slipway-files-'));
  try {
    for (const { name, content } of files) await writeNew(join(folder, name), name, content);
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Parts of letters, one below the other: nothing that leads elsewhere, or is no name. */
function refuseStrangeName(name: string): void {
  const parts = name.split('/');
  const strange = parts.some((part) => part === '' || part === '.' || part === '..');
  if (strange || /[\\\p{Cc}]/u.test(name)) {
    throw new CannotDo(`'${name}' is no name for a file.`, {
      next: 'Write a relative one, such as main.py or data/input.txt.',
    });
  }
}

async function writeNew(path: string, name: string, content: string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content, { flag: 'wx' });
  } catch {
    throw new CannotDo(`'${name}' cannot be written beside the others.`, {
      next: 'Give each file once, and no file the name of a folder.',
    });
  }
}
