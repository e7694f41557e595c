import { stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { writeSize } from '../../../format/write-size.ts';
import { FolderNotPackable, packFolder, type SubmissionOnNode } from '../../../node/index.ts';
import { CannotDo } from '../../outcome/outcome.ts';
import { writeBar } from '../../screen/write-bar.ts';
import type { Session } from '../../session/session.ts';

export interface PreparedInput {
  readonly given: Pick<SubmissionOnNode, 'input' | 'zip' | 'filename' | 'onProgress'>;
  clear(): Promise<void>;
}

const barWidth = 18;

/** Packs a folder, and shows how far it has come and how far it has been sent. */
export async function prepareInput(
  session: Session,
  path: string | undefined,
): Promise<PreparedInput> {
  if (path === undefined) return { given: {}, clear: async () => undefined };
  const found = await stat(path).catch(() => undefined);
  if (!found) throw new CannotDo(`There is no '${path}'.`, { next: 'Name a folder or a zip.' });
  if (!found.isDirectory()) {
    const onProgress = showProgress(
      session,
      `${basename(path)} (${writeSize(found.size)}) · uploading`,
    );
    return { given: { zip: path, onProgress }, clear: async () => undefined };
  }
  const packed = await packFolder(path, {
    onProgress: showProgress(session, 'Packing'),
    signal: session.interrupt,
  }).catch((error: unknown) => {
    throw error instanceof FolderNotPackable ? new CannotDo(error.message) : error;
  });
  const files = packed.files === 1 ? '1 file' : `${packed.files} files`;
  const words = `Packed ${files} (${writeSize(packed.blob.size)})`;
  const name = basename(resolve(path)) || 'input';
  return {
    given: {
      input: packed.blob,
      filename: `${name}.zip`,
      onProgress: showProgress(session, `${words} · uploading`),
    },
    clear: packed.remove,
  };
}

/** A line that stays when it is full: it says what was done. */
function showProgress({ screen }: Session, words: string) {
  let over = false;
  return (done: number, whole: number): void => {
    if (over) return;
    const share = whole > 0 ? done / whole : 1;
    screen.progress(`${words} ${writeBar(share, barWidth)} ${Math.floor(share * 100)} %`);
    if (share < 1 || words === 'Packing') return;
    over = true;
    screen.keepProgress();
  };
}
