import { basename } from 'node:path';
import { packFolder, type SubmissionOnNode } from '../../../node/index.ts';
import { CannotDo } from '../../outcome/outcome.ts';
import { findFolder } from './find-folder.ts';
import type { SubmissionInput } from './submission-input.ts';
import { withFiles } from './with-files.ts';

type Packed = Pick<SubmissionOnNode, 'input' | 'filename'>;

/** Packs what a job is to begin with, once for its estimate and its submission, and clears it up. */
export async function withInput<Result>(
  { folder, files }: Pick<SubmissionInput, 'folder' | 'files'>,
  open: string | undefined,
  use: (packed: Packed) => Promise<Result>,
): Promise<Result> {
  if (folder !== undefined && files !== undefined) {
    throw new CannotDo('Give a folder or files, not both.');
  }
  if (files !== undefined) {
    return withFiles(files, (written) => withFolder(written, 'files.zip', use));
  }
  if (folder === undefined) return use({});
  const found = await findFolder(open, folder);
  return withFolder(found, `${basename(found) || 'input'}.zip`, use);
}

async function withFolder<Result>(
  folder: string,
  filename: string,
  use: (packed: Packed) => Promise<Result>,
): Promise<Result> {
  const packed = await packFolder(folder);
  try {
    return await use({ input: packed.blob, filename });
  } finally {
    await packed.remove();
  }
}
