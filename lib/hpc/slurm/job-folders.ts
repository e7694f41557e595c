import { type ByteSource, streamPieces } from '#lib/byte-streams/byte-stream.ts';
import type { FolderSize, OpenedFile, RemoteFile } from '../connector.ts';
import { RemoteFileNotFoundError, SystemBusyError, SystemUnavailableError } from '../errors.ts';
import { jobFolder } from '../script/build-script.ts';
import { readFailure } from './read-end.ts';
import type { CommandLine } from './ssh/command-line.ts';
import type { RemoteEnd } from './ssh/run-remotely.ts';

/** Where a job works, and the account that it belongs to; undefined for the service's own. */
export interface JobFolder {
  readonly path: string;
  readonly login: string | undefined;
}

/** The files of jobs, for clusters whose nodes do not reach this service. */
export interface JobFolders extends FolderFiles {
  /** Puts the same input into the folders of one account's jobs. */
  putInput(folders: readonly JobFolder[], input: ByteSource): Promise<void>;
  remove(folder: JobFolder): Promise<void>;
  /** The folders of projects, which hold their files directly. */
  readonly ofProjects: FolderFiles & {
    measure(folder: JobFolder): Promise<FolderSize>;
    removeFile(folder: JobFolder, fileId: string): Promise<void>;
    empty(folder: JobFolder): Promise<void>;
  };
}

interface FolderFiles {
  list(folder: JobFolder): Promise<RemoteFile[]>;
  find(folder: JobFolder, fileId: string): Promise<RemoteFile>;
  open(folder: JobFolder, fileId: string): Promise<OpenedFile>;
}

/** A job may have written a million files. */
const mostFiles = 10_000;

const seconds = 60;
/** 5 GB at 2 MB a second. */
const transferSeconds = 2500;

/** How a script says that there is no such file. */
const noFile = 44;

/** The folder must be the account's own: whoever made it under this name could read it. */
const makeFolder = `make() {
  mkdir -- "$1" 2>/dev/null || [ -O "$1" ] || mkdir -- "$1"
}
umask 077
`;

/** A zip that is cut off, because a connection was lost, must not be taken for the whole one. */
const putScript = `${makeFolder}make "$1" && cd -- "$1" && cat >input.part || exit
if [ "$(wc -c <input.part)" -ne "$2" ]; then
  rm -f -- input.part
  echo 'the input came in part' >&2
  exit 1
fi
mv -f -- input.part input.zip`;

const linkScript = `${makeFolder}while read -r folder; do
  make "$folder" && ln -f -- "$1/input.zip" "$folder/input.zip" || exit
done`;

const listScript = `cd -- "$1" 2>/dev/null || exit 0
find . -type f -printf '%s %P\\0' | head -z -n ${mostFiles}`;

const findScript = `cd -- "$1" 2>/dev/null && [ -f "./$2" ] || exit ${noFile}
wc -c <"./$2"`;

const openScript = `${findScript}
exec cat -- "./$2"`;

const measureScript = `find "$1" ! -type d -printf '%s\\n' 2>/dev/null |
  awk '{ bytes += $1 } END { printf "%.0f %d", bytes, NR }'`;

const removeFileScript = `${findScript} >/dev/null
rm -f -- "./$2"`;

/** The folder itself stays, because jobs may use it. */
const emptyScript = '[ ! -d "$1" ] || find "$1" -mindepth 1 -delete';

const removeScript = 'rm -rf -- "$1" "$1.log"';

export function openJobFolders(line: CommandLine): JobFolders {
  const files = openFiles(line);
  const inside = ({ path, login }: JobFolder) => ({ path: `${path}/${jobFolder}`, login });
  return {
    async putInput([first, ...others], input) {
      if (!first) return;
      const { bytes, stream } = await input.open();
      const order = { seconds: transferSeconds, input: stream };
      try {
        await run(line, first, putScript, [first.path, String(bytes)], order);
      } finally {
        await stream.cancel().catch(() => undefined);
      }
      if (others.length === 0) return;
      const paths = others.map(({ path }) => `${path}\n`).join('');
      await run(line, first, linkScript, [first.path], { input: paths });
    },
    list: (folder) => files.list(inside(folder)),
    find: (folder, fileId) => files.find(inside(folder), fileId),
    open: (folder, fileId) => files.open(inside(folder), fileId),
    ofProjects: {
      ...files,
      async measure(folder) {
        const text = await run(line, folder, measureScript, [folder.path]);
        const [bytes, count] = text.split(' ').map(Number);
        return { bytes: bytes ?? 0, files: count ?? 0 };
      },
      async removeFile(folder, fileId) {
        await run(line, folder, removeFileScript, [folder.path, readId(fileId)]);
      },
      async empty(folder) {
        await run(line, folder, emptyScript, [folder.path], { seconds: transferSeconds });
      },
    },
    async remove(folder) {
      await run(line, folder, removeScript, [folder.path]);
    },
  };
}

function openFiles(line: CommandLine): FolderFiles {
  return {
    async list(folder) {
      const entries = (await run(line, folder, listScript, [folder.path])).split('\0').slice(0, -1);
      return entries.map((entry) => {
        const space = entry.indexOf(' ');
        return describeFile(entry.slice(space + 1), entry.slice(0, space));
      });
    },
    async find(folder, fileId) {
      const name = readId(fileId);
      return describeFile(name, await run(line, folder, findScript, [folder.path, name]));
    },
    async open(folder, fileId) {
      const parameters = [folder.path, readId(fileId)];
      const command = writeCommand(folder, openScript, parameters, { seconds: transferSeconds });
      return splitSize(await line.read(command, judge));
    },
  };
}

type Order = { readonly seconds?: number; readonly input?: string | ReadableStream<Uint8Array> };

function writeCommand(
  { login }: JobFolder,
  script: string,
  parameters: readonly string[],
  order: Order = {},
) {
  const program = '/bin/sh';
  return { program, parameters: ['-c', script, 'sh', ...parameters], as: login, seconds, ...order };
}

async function run(
  line: CommandLine,
  folder: JobFolder,
  script: string,
  parameters: readonly string[],
  order?: Order,
): Promise<string> {
  const end = await line.run(writeCommand(folder, script, parameters, order));
  if (end.code !== 0) throw judge(end);
  return end.output;
}

function judge(end: RemoteEnd): Error {
  if (end.code === noFile) return new RemoteFileNotFoundError();
  const text = readFailure(end, 'sh').errors?.[0]?.text ?? '';
  return new SystemBusyError(`The files of a job: ${text}`, undefined, {
    said: `The HPC system does not take or give the files of the job. It says: ${text}`,
  });
}

function describeFile(name: string, bytes: string): RemoteFile {
  return { id: Buffer.from(name).toString('base64url'), name, bytes: Number(bytes) };
}

/** No id leads out of the folder. */
function readId(fileId: string): string {
  const name = Buffer.from(fileId, 'base64url').toString();
  const isUnsafe = name.includes('\0') || name.split('/').some((part) => /^\.{0,2}$/.test(part));
  if (isUnsafe) throw new RemoteFileNotFoundError();
  return name;
}

/** The first line is the size. */
async function splitSize(pieces: AsyncGenerator<Buffer, void>): Promise<OpenedFile> {
  let begin = Buffer.alloc(0);
  while (!begin.includes('\n')) {
    const { value } = await pieces.next();
    if (!value) throw new SystemUnavailableError('A file came without its size.');
    begin = Buffer.concat([begin, value]);
  }
  const at = begin.indexOf('\n');
  const rest = begin.subarray(at + 1);
  const release = () => void pieces.return().catch(() => undefined);
  return {
    bytes: Number(begin.subarray(0, at).toString()),
    stream: streamPieces(joinPieces(rest, pieces), release),
  };
}

async function* joinPieces(first: Buffer, others: AsyncIterable<Buffer>) {
  if (first.length > 0) yield first;
  yield* others;
}
