import { mkdtempSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { expect, it, onTestFinished } from 'vitest';
import { composeZip, measureZip, type ZipPart } from '#lib/zips/compose-zip.ts';
import { inspectStoredZip } from '#lib/zips/inspect-zip.ts';
import { openStoredZip, readAllEntries, unpack } from '#lib/zips/stored-zip.ts';

const zeros = Buffer.alloc(1_000_000);

function describePart(name: string, pieces: readonly Buffer[]): ZipPart {
  const bytes = pieces.reduce((sum, { length }) => sum + length, 0);
  const checksum = pieces.reduce((sum, piece) => crc32(piece, sum), 0);
  async function* read() {
    yield* pieces;
  }
  const sizes = { packedBytes: bytes, expandedBytes: bytes, crc32: checksum };
  return { name, isDeflated: false, mode: 0o100644, ...sizes, open: read };
}

/** Writes a zip to a file that has holes where the zip has zeros. */
async function writeSparse(parts: readonly ZipPart[]) {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-zip-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'large.zip');
  const file = await open(path, 'w+');
  onTestFinished(() => file.close());
  const { bytes, stream } = await composeZip(parts).open();
  let at = 0;
  for await (const piece of stream) {
    if (piece !== zeros) await file.write(piece, 0, piece.length, at);
    at += piece.length;
  }
  const store = {
    async read(_: string, { first, last }: { first: number; last: number }) {
      const { buffer, bytesRead } = await file.read(
        Buffer.alloc(last - first + 1),
        0,
        last - first + 1,
        first,
      );
      return buffer.subarray(0, bytesRead);
    },
  };
  return { bytes, written: at, store, path };
}

const plainParts = [
  describePart(
    'large.bin',
    Array.from({ length: 4300 }, () => zeros),
  ),
  describePart('behind.txt', [Buffer.from('behind four gigabytes')]),
];

it('holds a file of more than four gigabytes, and one behind it', async () => {
  const { bytes, written, store } = await writeSparse(plainParts);
  expect([bytes, written]).toEqual([measureZip(plainParts), measureZip(plainParts)]);
  await inspectStoredZip(store, '', bytes);
  const zip = await openStoredZip(store, '', bytes);
  const entries = await readAllEntries(zip);
  expect(entries.map(({ fileName, uncompressedSize }) => [fileName, uncompressedSize])).toEqual([
    ['large.bin', 4_300_000_000],
    ['behind.txt', 21],
  ]);
  const behind: Uint8Array[] = [];
  for await (const piece of unpack(zip, entries[1]!)) behind.push(piece);
  expect(String(Buffer.concat(behind))).toBe('behind four gigabytes');
});

it('counts more than 65,534 entries', async () => {
  const parts = Array.from({ length: 65_535 }, (_, n) => describePart(`${n}`, []));
  const { bytes, written, store } = await writeSparse(parts);
  expect(written).toBe(bytes);
  const zip = await openStoredZip(store, '', bytes);
  expect(zip.entryCount).toBe(65_535);
});
