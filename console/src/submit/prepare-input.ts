import { type FileToPack, packFiles } from '../browser/pack-files.ts';

/** The zip that a job starts with. */
export interface Input {
  readonly zip: Blob;
  readonly filename: string;
  /** The name of the folder that it was packed from. */
  readonly folder?: string;
  /** Its files, if it was packed here. */
  readonly files: readonly { readonly name: string; readonly bytes: number }[];
  /** Those of its files that can be the table of a batch, if it was packed here. */
  readonly tables?: readonly FileToPack[];
}

const usualName = 'input.zip';

/** Packs the files, unless they are a single zip. */
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
    tables: files.filter(({ name }) => /\.csv$/i.test(name)),
  };
}

/** Larger inputs are not sent with an estimate. */
const mostInEstimate = 4_500_000;

/** Returns what an estimate needs of an input. Of a large one, that is its table alone. */
export async function inputToEstimate({ zip, tables }: Input, table: string): Promise<Blob> {
  const chosen = tables?.find(({ name }) => name === table);
  return zip.size <= mostInEstimate || !chosen ? zip : packFiles([chosen]);
}

/** Finds files that operating systems leave in folders. */
function isJunk(name: string): boolean {
  return /(^|\/)(\.DS_Store|Thumbs\.db|desktop\.ini|__MACOSX\/.*)$/.test(name);
}

/** Files, and the name of their folder if they came as one. */
export interface Found {
  readonly files: readonly FileToPack[];
  readonly folder?: string;
}

/** Reads dropped files, and folders with everything in them. */
export async function readDrop(transfer: DataTransfer): Promise<Found> {
  // Before the first await, because the browser forgets the items after it.
  const entries = [...transfer.items]
    .map((item) => item.webkitGetAsEntry())
    .filter((entry) => entry !== null);
  if (entries.length === 0) return readChosen(transfer.files);
  const [only] = entries;
  // The contents of a single folder go to the top of the zip.
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
  // The browser returns a hundred entries at a time.
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

/** Reads chosen files, without the name of their folder in front. */
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
