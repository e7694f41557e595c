import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { StoredPart } from '#lib/files/storage/parts.ts';
import type { ObjectParts, ObjectPlace } from './objects.ts';

interface Places {
  /** The folder for the parts of an object. */
  folderOf(place: ObjectPlace): string;
  /** The file of the object itself. */
  fileOf(place: ObjectPlace): string;
}

/** All parts of an object are written into one file, so that joining them copies nothing. */
const contentName = 'content';

/**
 * Keeps the parts of objects in a folder for each upload: the file that becomes the object, and an
 * empty one for each part that has arrived, whose name says its number, length and tag. The id of an
 * upload begins with the length of its parts.
 */
export function keepPartsOnDisk({ folderOf, fileOf }: Places): ObjectParts {
  const writers = new Map<string, Writer>();
  const joining = new Set<string>();

  async function listMarks(folder: string): Promise<Mark[] | undefined> {
    const names = await readdir(folder).catch(unlessMissing);
    const marks = names?.filter((name) => name !== contentName).map(readMark);
    return marks?.sort((one, other) => one.number - other.number);
  }

  return {
    async begin(place, partBytes) {
      const id = `${partBytes}-${randomUUID()}`;
      const folder = join(folderOf(place), id);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeFile(join(folder, contentName), '', { mode: 0o600 });
      return id;
    },
    async write(place, id, number, content) {
      const folder = join(folderOf(place), id);
      const name = `${folder}/${number}`;
      if (joining.has(folder)) return false;
      const mine = createWriter();
      const earlier = writers.get(name);
      writers.set(name, mine);
      try {
        // Bytes of an earlier try must not arrive after those of this one.
        await earlier?.stop();
        const marks = await listMarks(folder);
        if (!marks) return false;
        for (const mark of marks) if (mark.number === number) await rm(join(folder, mark.name));
        const partBytes = Number.parseInt(id, 10);
        const file = join(folder, contentName);
        const bytes = await mine.write(file, (number - 1) * partBytes, holdTo(content, partBytes));
        await writeFile(join(folder, `${number}.${bytes}.${randomUUID()}`), '', { mode: 0o600 });
        return true;
      } finally {
        if (writers.get(name) === mine) writers.delete(name);
      }
    },
    list: async (place, id) => listMarks(join(folderOf(place), id)),
    async join(place, id, parts) {
      const folder = join(folderOf(place), id);
      // A part that is being written has no mark, and none is written from now on.
      joining.add(folder);
      try {
        const marks = await listMarks(folder);
        const isSame = parts.every(({ tag }, index) => marks?.[index]?.tag === tag);
        const isWriting = [...writers.keys()].some((name) => name.startsWith(`${folder}/`));
        if (!isSame || isWriting || marks?.length !== parts.length) return false;
        const file = fileOf(place);
        await mkdir(dirname(file), { recursive: true, mode: 0o700 });
        await rename(join(folder, contentName), file);
        await rm(folder, { recursive: true });
        return true;
      } finally {
        joining.delete(folder);
      }
    },
  };
}

interface Mark extends StoredPart {
  readonly name: string;
}

function readMark(name: string): Mark {
  const [number = '', bytes = '', tag = ''] = name.split('.');
  return { number: Number(number), bytes: Number(bytes), tag, name };
}

type Writer = ReturnType<typeof createWriter>;

/** Writes to a part of a file until it is stopped. It may be waiting for a sender that is silent. */
function createWriter() {
  let isStopped = false;
  let writing: Promise<unknown> = Promise.resolve();
  return {
    /** Returns once nothing more is written. */
    async stop(): Promise<void> {
      isStopped = true;
      await writing.catch(() => undefined);
    },
    /** Returns the number of bytes. */
    async write(path: string, start: number, content: AsyncIterable<Uint8Array>): Promise<number> {
      const file = await open(path, 'r+');
      let at = start;
      try {
        for await (const piece of content) {
          if (isStopped) throw new Error('The part is sent again.');
          const written = file.write(piece, 0, piece.length, at);
          writing = written;
          if ((await written).bytesWritten < piece.length) throw new Error('The disk took less.');
          at += piece.length;
        }
        await file.datasync();
      } finally {
        await file.close();
      }
      if (isStopped) throw new Error('The part is sent again.');
      return at - start;
    },
  };
}

/** A longer part would overwrite the next one. */
async function* holdTo(content: AsyncIterable<Uint8Array>, bytes: number) {
  let found = 0;
  for await (const piece of content) {
    found += piece.length;
    if (found > bytes) throw new Error(`A part has more than ${bytes} bytes.`);
    yield piece;
  }
}

function unlessMissing(error: unknown): undefined {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
}
