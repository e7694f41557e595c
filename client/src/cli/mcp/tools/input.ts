import { realpathSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { basename, dirname, isAbsolute, join, parse, relative, resolve, sep } from 'node:path';
import * as z from 'zod';
import { packFolder, type SubmissionOnNode } from '../../../node/index.ts';
import { CannotDo, outcome } from '../../terminal/outcome.ts';

const InlineFile = z.strictObject({
  name: z.string().max(255).describe('relative path, such as main.py or data/input.txt'),
  content: z.string().describe('text of the file'),
});

type InlineFile = z.infer<typeof InlineFile>;

const mostFiles = 100;
const mostCharacters = 1_000_000;

/** Where the files of a submission come from. */
export const inputFields = {
  folder: z
    .string()
    .optional()
    .describe('input folder for the job, relative to the folder that is open to you'),
  files: z
    .array(InlineFile)
    .min(1)
    .max(mostFiles)
    .refine(
      (files) => files.reduce((sum, file) => sum + file.content.length, 0) <= mostCharacters,
      {
        error: `They may have ${mostCharacters} characters in all. Put them into a folder instead.`,
      },
    )
    .optional()
    .describe('input files for the job, instead of a folder'),
};

type Packed = Pick<SubmissionOnNode, 'input' | 'filename'>;

/** Packs the input once for both estimate and submission, and removes the zip afterwards. */
export async function withInput<Result>(
  {
    folder,
    files,
  }: { readonly folder?: string | undefined; readonly files?: InlineFile[] | undefined },
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

/** Writes the files to a temporary folder that is removed after use. */
async function withFiles<Result>(
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

/** Refuses names that could lead out of the folder, such as `../x` or `/x`. */
function refuseStrangeName(name: string): void {
  const parts = name.split('/');
  const strange = parts.some((part) => part === '' || part === '.' || part === '..');
  if (strange || /[\\\p{Cc}]/u.test(name)) {
    throw new CannotDo(`'${name}' is not a valid file name.`, {
      next: 'Write a relative name, such as main.py or data/input.txt.',
    });
  }
}

async function writeNew(path: string, name: string, content: string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content, { flag: 'wx' });
  } catch {
    throw new CannotDo(`'${name}' conflicts with another file.`, {
      next: 'Give each file once, and do not name a file like a folder.',
    });
  }
}

/**
 * Finds a folder inside the one that is open to the assistant, with links resolved. Injected text
 * may have made the assistant ask for it, so nothing outside the open folder is read.
 */
async function findFolder(open: string | undefined, wanted: string): Promise<string> {
  if (open === undefined) {
    throw new CannotDo('No folder is open to you.', {
      outcome: outcome.refused,
      next: 'Give files instead, or tell the user to start the server with --folder.',
    });
  }
  const asked = resolve(open, wanted);
  // Refuse before reading the disk, so that the answer does not reveal whether the path exists.
  if (!isWithin(open, asked)) throw leadsOut(open, wanted);
  const found = await realpath(asked).catch(() => undefined);
  if (found === undefined) throw new CannotDo(`There is no folder '${wanted}' in ${open}.`);
  if (!isWithin(open, found)) throw leadsOut(open, wanted);
  if (!(await stat(found)).isDirectory()) throw new CannotDo(`'${wanted}' is not a folder.`);
  return found;
}

function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function leadsOut(open: string, wanted: string): CannotDo {
  return new CannotDo(`'${wanted}' leads out of ${open}.`, {
    outcome: outcome.refused,
    next: 'Only files in that folder can be submitted. The user can start the server with another --folder.',
  });
}

/**
 * Returns the folder that is open to the assistant, with links resolved. The home folder and the
 * root of the disk are open only if named, because desktop programs start servers there.
 */
export function openFolder(wanted: string | undefined, here = process.cwd()): string | undefined {
  if (wanted === undefined) {
    return here === parse(here).root || here === homedir() ? undefined : realpathSync(here);
  }
  try {
    return realpathSync(wanted);
  } catch {
    throw new CannotDo(`There is no folder '${wanted}'.`, {
      next: 'Name one that exists: slipway mcp --folder FOLDER',
    });
  }
}
