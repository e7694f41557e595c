import { stat } from 'node:fs/promises';
import { basename, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { writeSize } from '../../format/amounts/amounts.ts';
import { writeCount } from '../../format/numbers/write-number.ts';
import { FolderNotPackable, packFolder, type SubmissionOnNode } from '../../node/index.ts';
import type { Session } from '../session/session.ts';
import { CannotDo } from '../terminal/outcome.ts';
import { writeBar } from '../terminal/screen.ts';
import { phrase } from '../words/phrase.ts';

interface PreparedInput {
  readonly given: Pick<SubmissionOnNode, 'input' | 'zip' | 'filename' | 'onProgress' | 'onUpload'>;
  /** The size of the zip. */
  readonly bytes: number;
  clear(): Promise<void>;
}

/** A table for a batch, and its name in the zip. */
export interface TableSource {
  readonly name: string;
  /** The file on the disk. Undefined if only the given zip has it. */
  readonly path?: string;
  /** Whether the file is added, because it is not in the folder. */
  readonly isAdded?: boolean;
}

const barWidth = 18;

/** Packs a folder and shows the progress of packing and uploading. */
export async function prepareInput(
  session: Session,
  path: string | undefined,
  table?: TableSource,
): Promise<PreparedInput> {
  const add = table?.isAdded ? listTable(table) : [];
  if (path === undefined && add.length === 0) return { given: {}, bytes: 0, clear: doNothing };
  const found = path === undefined ? undefined : await findInput(path);
  if (path !== undefined && found && !found.isDirectory()) {
    const onProgress = showProgress(
      session,
      phrase('jobs.uploading', { basename: basename(path), size: writeSize(found.size) }),
    );
    return { given: { zip: path, onProgress }, bytes: found.size, clear: doNothing };
  }
  const packed = await packFolder(path, {
    onProgress: showProgress(session, phrase('jobs.packing'), { isKept: false }),
    signal: session.interrupt,
    add,
  }).catch((error: unknown) => {
    throw error instanceof FolderNotPackable ? new CannotDo(error.message) : error;
  });
  const name = basename(resolve(path ?? 'input')) || 'input';
  return {
    given: {
      input: packed.blob,
      filename: `${name}.zip`,
      onProgress: showProgress(
        session,
        phrase('jobs.packedUploading', {
          files: writeCount(packed.files, 'file'),
          size: writeSize(packed.blob.size),
        }),
      ),
    },
    bytes: packed.blob.size,
    clear: packed.remove,
  };
}

/** Submits with the input, and says how to go on if a large upload breaks off. */
export async function submitWithInput<Made>(
  session: Session,
  path: string | undefined,
  table: TableSource | undefined,
  submit: (given: PreparedInput['given']) => Promise<Made>,
): Promise<Made> {
  const { screen } = session;
  const prepared = await prepareInput(session, path, table);
  let uploadId: string | undefined;
  const onUpload = (id: string) => {
    uploadId = id;
  };
  try {
    return await submit({ ...prepared.given, onUpload });
  } catch (error) {
    screen.endProgress();
    if (uploadId !== undefined) screen.tell(phrase('jobs.goOnWithUpload', { id: uploadId }));
    throw error;
  } finally {
    screen.endProgress();
    await prepared.clear();
  }
}

async function doNothing(): Promise<void> {}

/** Packs the table alone, which is enough to check all of it before a large folder is packed. */
export function packTable(table: TableSource) {
  return packFolder(undefined, { add: listTable(table) });
}

function listTable({ name, path }: TableSource) {
  return path === undefined ? [] : [{ name, path }];
}

async function findInput(path: string) {
  const found = await stat(path).catch(() => undefined);
  if (found) return found;
  throw new CannotDo(phrase('jobs.doesNotExist', { path }), { next: phrase('jobs.nameAFolder') });
}

/** Finds a table in the folder or elsewhere on the disk. A zip is not searched. */
export async function findTable(input: string | undefined, table: string): Promise<TableSource> {
  const folder = input !== undefined && (await findInput(input)).isDirectory() ? input : undefined;
  if (input !== undefined && folder === undefined) return { name: table };
  for (const path of folder === undefined ? [] : [resolve(folder, table), resolve(table)]) {
    const name = relative(resolve(folder ?? ''), path);
    const isInside = name !== '' && !name.startsWith('..') && !isAbsolute(name);
    if (isInside && (await isFile(path))) return { name: name.replaceAll(sep, '/'), path };
  }
  const path = resolve(table);
  if (!(await isFile(path))) {
    throw new CannotDo(phrase('jobs.thereIsNoTable', { table }), {
      next: phrase('jobs.nameACsvFile'),
    });
  }
  const name = basename(path);
  if (folder !== undefined && (await isFile(join(folder, name)))) {
    throw new CannotDo(phrase('jobs.hasAnotherFile', { folder, name }), {
      next: phrase('jobs.renameTheTable'),
    });
  }
  return { name, path, isAdded: true };
}

async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isFile() === true;
}

/** Shows a progress bar, and keeps its line when it is full. */
function showProgress({ screen }: Session, words: string, { isKept = true } = {}) {
  let over = false;
  return (done: number, whole: number): void => {
    if (over) return;
    const share = whole > 0 ? done / whole : 1;
    screen.progress(`${words} ${writeBar(share, barWidth)} ${Math.floor(share * 100)} %`);
    if (share < 1 || !isKept) return;
    over = true;
    screen.keepProgress();
  };
}
