import { type FileToPack, packFiles } from '../zip/pack-files.ts';

/** The zip that a job begins with. */
export interface Input {
  readonly zip: Blob;
  readonly filename: string;
  /** The folder that it was packed from, as its owner calls it. */
  readonly folder?: string;
  /** What is in it, where it was packed here. */
  readonly files: readonly { readonly name: string; readonly bytes: number }[];
}

const usualName = 'input.zip';

/** One zip is taken as it is; everything else is packed. */
export async function prepareInput(
  { files: found, folder }: Found,
  onProgress: (done: number, whole: number) => void,
): Promise<Input | undefined> {
  const files = found
    .filter(({ name }) => !isJunk(name))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const [only] = files;
  if (!only) return undefined;
  if (files.length === 1 && only.name.toLowerCase().endsWith('.zip')) {
    return { zip: only.content, filename: only.name.split('/').at(-1) ?? usualName, files: [] };
  }
  return {
    zip: await packFiles(files, onProgress),
    filename: folder === undefined ? usualName : `${folder}.zip`,
    ...(folder !== undefined && { folder }),
    files: files.map(({ name, content }) => ({ name, bytes: content.size })),
  };
}

/** What systems leave in folders, and no job wants. */
function isJunk(name: string): boolean {
  return /(^|\/)(\.DS_Store|Thumbs\.db|desktop\.ini|__MACOSX\/.*)$/.test(name);
}

/** Files, and the name of the folder that they are all in, if they came as one folder. */
export interface Found {
  readonly files: readonly FileToPack[];
  readonly folder?: string;
}

/** What was dropped: files, and folders with all that is in them. */
export async function readDrop(transfer: DataTransfer): Promise<Found> {
  // All at once: after the first pause the browser has forgotten the others.
  const entries = [...transfer.items]
    .map((item) => item.webkitGetAsEntry())
    .filter((entry) => entry !== null);
  if (entries.length === 0) return readChosen(transfer.files);
  const [only] = entries;
  // A folder that comes alone is the job's own folder: what is in it stands at the top of the zip.
  if (entries.length === 1 && only && isDirectory(only)) {
    return { files: await readBelow(only, ''), folder: only.name };
  }
  return { files: (await Promise.all(entries.map((entry) => readEntry(entry, '')))).flat() };
}

async function readEntry(entry: FileSystemEntry, prefix: string): Promise<FileToPack[]> {
  const name = `${prefix}${entry.name}`;
  if (isDirectory(entry)) return readBelow(entry, `${name}/`);
  if (!isFile(entry)) return [];
  const content = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
  return [{ name, content }];
}

async function readBelow(folder: FileSystemDirectoryEntry, prefix: string): Promise<FileToPack[]> {
  const reader = folder.createReader();
  const read = () =>
    new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
  const found: FileToPack[] = [];
  // A hundred at a time, until there are none left.
  for (let some = await read(); some.length > 0; some = await read()) {
    found.push(...(await Promise.all(some.map((entry) => readEntry(entry, prefix)))).flat());
  }
  return found;
}

function isDirectory(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

/** What was chosen with a button; of a folder, without its own name in front of every file. */
export function readChosen(chosen: Iterable<File>): Found {
  const files = [...chosen];
  const [folder = ''] = files[0]?.webkitRelativePath.split('/') ?? [];
  return {
    files: files.map((content) => {
      const path = content.webkitRelativePath;
      return { name: path === '' ? content.name : path.slice(path.indexOf('/') + 1), content };
    }),
    ...(folder !== '' && { folder }),
  };
}
