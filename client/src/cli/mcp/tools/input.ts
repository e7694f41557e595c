import { realpathSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { basename, dirname, isAbsolute, join, parse, relative, resolve, sep } from 'node:path';
import * as z from 'zod';
import { readDuration } from '../../../format/duration.ts';
import type { Slipway } from '../../../index.ts';
import { packFolder, type SubmissionOnNode } from '../../../node/index.ts';
import { readWaits } from '../../session/read-waits.ts';
import { CannotDo, outcome } from '../../terminal/outcome.ts';

const InlineFile = z.strictObject({
  name: z.string().max(255).describe('relative path, such as main.py or data/input.txt'),
  content: z.string().describe('text of the file'),
});

type InlineFile = z.infer<typeof InlineFile>;

const mostFiles = 100;
const mostCharacters = 1_000_000;

/** Fields with their own parameters. Refused in `fields`, because the two could contradict. */
const named = [
  'command',
  'tool',
  'node_number',
  'core_number',
  'runtime',
  'title',
  'after',
  'after_any',
  'input_from',
  'input_folder',
  'input_failed',
  'count',
  'table',
  'max_running',
];

export const SubmissionInput = z.strictObject({
  hpc: z.string().describe('HPC system; systems lists them'),
  project: z
    .string()
    .optional()
    .describe('project to charge; default: the default project of the system'),
  command: z.string().optional().describe('command to run, on systems that take commands'),
  tool: z.string().optional().describe('tool to run, on systems that take tools'),
  nodes: z.int().min(1).default(1),
  cores: z.int().min(1).default(1).describe('cores per node'),
  time: z.string().default('30m').describe('time limit with its unit: 30m, 2h30m, 1d'),
  title: z.string().max(200).optional().describe('title of the job'),
  fields: z
    .record(z.string(), z.string())
    .refine((fields) => named.every((name) => !(name in fields)), {
      error: `These have parameters of their own: ${named.join(', ')}.`,
    })
    .optional()
    .describe('other fields that the system takes, by name'),
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
});

/** A single job, which can wait for others. */
export const JobSubmissionInput = SubmissionInput.extend({
  after: z
    .array(z.string())
    .optional()
    .describe('jobs and batches that must end well first, by id'),
  after_any: z.array(z.string()).optional().describe('jobs and batches that must end first, by id'),
  input_from: z
    .string()
    .optional()
    .describe(
      'id of a job or batch whose results become the input; each job of a batch has a folder, named by its index',
    ),
  input_folder: z.string().optional().describe('folder for these results; default: none'),
  input_failed: z
    .enum(['refuse', 'leave_out'])
    .optional()
    .describe('what jobs of this batch do that did not end well; default: refuse'),
});

export async function readJobSubmission(
  client: Slipway,
  asked: z.infer<typeof JobSubmissionInput>,
  signal: AbortSignal,
): Promise<SubmissionOnNode> {
  const { after, after_any: afterAny, input_from: inputFrom } = asked;
  const { input_folder: inputFolder, input_failed: inputFailed } = asked;
  const waits = { after, afterAny, inputFrom, inputFolder, inputFailed };
  return { ...readSubmission(asked, signal), ...(await readWaits(client, waits)) };
}

export type SubmissionInput = z.infer<typeof SubmissionInput>;

export function readSubmission(asked: SubmissionInput, signal: AbortSignal): SubmissionOnNode {
  const { hpc, project, command, tool, nodes, cores, time, title, fields } = asked;
  const seconds = readDuration(time);
  if (seconds === undefined || seconds <= 0) {
    throw new CannotDo(`'${time}' is not a valid duration.`, {
      next: 'Write a time with its unit, such as 30m, 2h30m or 1d.',
    });
  }
  if ((command ?? tool) === undefined) {
    throw new CannotDo('The command or tool to run is missing.', {
      next: 'Give a command or a tool. The tool systems lists which one a system takes.',
    });
  }
  return {
    hpc: hpc.toLowerCase(),
    project_name: project,
    command,
    tool,
    nodes,
    cores,
    runtime: seconds / 3600,
    title,
    fields,
    signal,
  };
}

type Packed = Pick<SubmissionOnNode, 'input' | 'filename'>;

/** Packs the input once for both estimate and submission, and removes the zip afterwards. */
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
