const signatures = { end: 0x06054b50, end64: 0x06064b50 };
const endBytes = 22;
const end64Bytes = 56;
const locatorBytes = 20;

/** Where a directory was found, and what stands behind it. */
export interface DirectoryPlace {
  readonly first: number;
  /** The byte behind it. */
  readonly end: number;
  /** Where the last record of the archive begins. */
  readonly endRecord: number;
  read(position: number, length: number): Promise<Buffer>;
}

/**
 * Whether a directory is exactly what lies between its announced beginning and the archive's end.
 * Some programs count its lines, some measure it from its beginning and some from its end: an
 * archive in which these differ shows each of them another list of files.
 */
export async function isPlainDirectory(place: DirectoryPlace): Promise<boolean> {
  const { first, end, endRecord, read } = place;
  const record = await read(endRecord, endBytes);
  const size = record.readUInt32LE(12);
  const plain = record.readUInt32LE(0) === signatures.end;
  if (end === endRecord) return plain && size === end - first;
  if (end + end64Bytes + locatorBytes > endRecord) return false;
  const record64 = await read(end, end64Bytes);
  return (
    plain &&
    (size === 0xffffffff || size === end - first) &&
    record64.readUInt32LE(0) === signatures.end64 &&
    record64.readBigUInt64LE(40) === BigInt(end - first) &&
    record64.readBigUInt64LE(4) === BigInt(endRecord - locatorBytes - end - 12)
  );
}

export function placeOfEndRecord(archiveBytes: number, commentBytes: number): number {
  return archiveBytes - endBytes - commentBytes;
}
