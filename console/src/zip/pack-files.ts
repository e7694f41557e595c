import { checksum } from './checksum.ts';
import { writeDirectoryLine, writeEnd, writeLocalHeader, type ZipRecord } from './zip-records.ts';

/** A file as the zip will name it. */
export interface FileToPack {
  /** Relative, with `/`. */
  readonly name: string;
  readonly content: Blob;
}

/** The files cannot be packed as they are: the message says what is in the way, and what to do. */
export class FilesNotPackable extends Error {
  override readonly name = 'FilesNotPackable';
}

const mostFiles = 10_000;
/** What four bytes hold, less what deflate may add to what cannot be packed. */
const mostBytes = 4_000_000_000;

/** A zip of these files. Only one file at a time is read; what is packed is the browser's to keep. */
export async function packFiles(
  files: readonly FileToPack[],
  onProgress: (done: number, whole: number) => void = () => undefined,
): Promise<Blob> {
  const whole = files.reduce((sum, { content }) => sum + content.size, 0);
  if (files.length > mostFiles) {
    throw new FilesNotPackable(
      `There are ${files.length} files; a zip may have ${mostFiles}. Pack some of them together.`,
    );
  }
  if (whole > mostBytes) {
    throw new FilesNotPackable(
      'There are more than 4 GB, which a browser cannot pack. Use the command slipway.',
    );
  }
  const parts: Blob[] = [];
  const records: ZipRecord[] = [];
  let offset = 0;
  let done = 0;
  for (const { name, content } of files) {
    const { crc, packed } = await packFile(content, (bytes) => onProgress(done + bytes, whole));
    const record = { name, crc, packed: packed.size, bytes: content.size, offset };
    const header = writeLocalHeader(record);
    parts.push(new Blob([header]), packed);
    records.push(record);
    offset += header.length + packed.size;
    done += content.size;
  }
  const directory = new Blob(records.map(writeDirectoryLine));
  const end = writeEnd(records.length, { at: offset, bytes: directory.size });
  return new Blob([...parts, directory, end], { type: 'application/zip' });
}

async function packFile(
  content: Blob,
  onProgress: (bytes: number) => void,
): Promise<{ readonly crc: number; readonly packed: Blob }> {
  let crc = 0;
  let bytes = 0;
  const watched = content.stream().pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, controller) {
        crc = checksum(chunk, crc);
        bytes += chunk.length;
        onProgress(bytes);
        controller.enqueue(chunk);
      },
    }),
  );
  const deflated = watched.pipeThrough(new CompressionStream('deflate-raw'));
  return { packed: await new Response(deflated).blob(), crc };
}
