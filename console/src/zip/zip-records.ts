/** What is said of a file, in the header before it and in the directory at the end. */
export interface ZipRecord {
  readonly name: string;
  readonly crc: number;
  readonly packed: number;
  readonly bytes: number;
  /** Where its header begins. */
  readonly offset: number;
}

const signatures = { local: 0x04034b50, directory: 0x02014b50, end: 0x06054b50 };
const version = 20;
const utf8 = 0x0800;
const deflated = 8;
/** The first day that a zip can name: the same folder is the same zip whenever it is packed. */
const firstDay = 0x0021;
/** Made on Unix, whose modes are in the upper half of the attributes: a file that all may read. */
const madeOnUnix = 3 << 8;
const mode = 0o100644;

type Bytes = Uint8Array<ArrayBuffer>;

export function writeLocalHeader(record: ZipRecord): Bytes {
  const name = new TextEncoder().encode(record.name);
  return join(30, [name], (view) => {
    view.setUint32(0, signatures.local, true);
    writeShared(view, 4, record, name.length);
  });
}

export function writeDirectoryLine(record: ZipRecord): Bytes {
  const name = new TextEncoder().encode(record.name);
  return join(46, [name], (view) => {
    view.setUint32(0, signatures.directory, true);
    view.setUint16(4, madeOnUnix | version, true);
    writeShared(view, 6, record, name.length);
    view.setUint32(38, mode * 0x10000, true);
    view.setUint32(42, record.offset, true);
  });
}

export function writeEnd(count: number, directory: { at: number; bytes: number }): Bytes {
  return join(22, [], (view) => {
    view.setUint32(0, signatures.end, true);
    view.setUint16(8, count, true);
    view.setUint16(10, count, true);
    view.setUint32(12, directory.bytes, true);
    view.setUint32(16, directory.at, true);
  });
}

/** From the version that reads it to the length of its name, both records are alike. */
function writeShared(view: DataView, at: number, record: ZipRecord, nameBytes: number): void {
  view.setUint16(at, version, true);
  view.setUint16(at + 2, utf8, true);
  view.setUint16(at + 4, deflated, true);
  view.setUint16(at + 8, firstDay, true);
  view.setUint32(at + 10, record.crc, true);
  view.setUint32(at + 14, record.packed, true);
  view.setUint32(at + 18, record.bytes, true);
  view.setUint16(at + 22, nameBytes, true);
}

function join(fixed: number, after: readonly Bytes[], write: (view: DataView) => void): Bytes {
  const whole = new Uint8Array(fixed + after.reduce((sum, { length }) => sum + length, 0));
  write(new DataView(whole.buffer));
  let at = fixed;
  for (const part of after) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
