import { packFiles } from '../../zip/pack-files.ts';
import type { Found } from './read-drop.ts';

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
