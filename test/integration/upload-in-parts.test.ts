import { beforeEach, describe, expect, it } from 'vitest';
import { StorageUnavailableError, UploadGoneError } from '#lib/files/errors.ts';
import { uploadedKey } from '#lib/files/object-keys.ts';
import { continueUpload } from '#lib/files/uploads/continue-upload.ts';
import { createUpload } from '#lib/files/uploads/create-upload.ts';
import { removeUploads } from '#lib/files/uploads/remove-uploads.ts';
import { usualPartBytes } from '#lib/files/uploads/upload.ts';
import { catalog } from '#test/fixtures/catalog.ts';
import { createMemoryFiles } from '#test/fixtures/memory-files.ts';
import { userId } from '#test/fixtures/names.ts';
import { tableForEach } from '../engines/use-table.ts';

const owner = userId('7');
const at = new Date('2026-11-15T08:30:00Z');
const later = (hours: number) => new Date(at.getTime() + hours * 3_600_000);

const table = tableForEach();
let inputs: ReturnType<typeof createMemoryFiles>['inputs'];
beforeEach(() => {
  inputs = createMemoryFiles().inputs;
});

const create = async (bytes: number, inParts = true) =>
  createUpload(table, catalog, inputs, { owner, fileName: 'a.zip', bytes, inParts }, [], at);

const goOn = (id: string, { as = owner, moment = at } = {}) =>
  continueUpload(table, inputs, { owner: as, id }, moment);

describe('an upload in parts', () => {
  it('lists what is missing, a page at a time, with an address for each part', async () => {
    const { upload, bytes, headers } = await create(9_000_000_000);
    expect([bytes, headers]).toEqual([usualPartBytes, { 'Content-Length': '64000000' }]);
    const { missing } = await goOn(upload.id);
    expect(missing).toHaveLength(32);
    expect(missing[1]).toMatchObject({ number: 2, first: 64_000_000, bytes: 64_000_000 });
    await inputs.sendPart('', upload.partsId ?? '', 1, Buffer.alloc(usualPartBytes));
    await inputs.sendPart('', upload.partsId ?? '', 2, Buffer.alloc(5));
    const numbers = (await goOn(upload.id)).missing.map(({ number }) => number);
    expect([numbers[0], numbers.at(-1)]).toEqual([2, 33]);
  });

  it('is there once nothing is missing, and stays so', async () => {
    const { upload } = await create(usualPartBytes + 5);
    const key = uploadedKey(owner, upload.id);
    await inputs.sendPart(key, upload.partsId ?? '', 2, Buffer.from('hello'));
    const { missing } = await goOn(upload.id);
    expect(missing.map(({ number, bytes }) => [number, bytes])).toEqual([[1, usualPartBytes]]);
    expect(inputs.objects.size).toBe(0);
    await inputs.sendPart(key, upload.partsId ?? '', 1, Buffer.alloc(usualPartBytes));
    for (let time = 0; time < 2; time += 1) expect((await goOn(upload.id)).missing).toEqual([]);
    expect(inputs.objects.get(key)).toHaveLength(usualPartBytes + 5);
  });

  it('is not complete while one of its parts is sent again', async () => {
    const { upload } = await create(5);
    const key = uploadedKey(owner, upload.id);
    const { list } = inputs.parts;
    await inputs.sendPart(key, upload.partsId ?? '', 1, Buffer.from('hello'));
    inputs.parts.list = async (...asked) => {
      const listed = await list(...asked);
      await inputs.sendPart(key, upload.partsId ?? '', 1, Buffer.from('other'));
      return listed;
    };
    await expect(goOn(upload.id)).rejects.toThrow(StorageUnavailableError);
    inputs.parts.list = list;
    expect((await goOn(upload.id)).missing).toEqual([]);
    expect(String(inputs.objects.get(key))).toBe('other');
  });

  it("is nobody else's, and ends after a day", async () => {
    const { upload } = await create(5);
    await expect(goOn(upload.id, { as: userId('8') })).rejects.toThrow(UploadGoneError);
    await expect(goOn(upload.id, { moment: later(24) })).rejects.toThrow(UploadGoneError);
    await removeUploads(table, inputs, () => later(48));
    await expect(goOn(upload.id)).rejects.toThrow(UploadGoneError);
  });
});

it('an upload in one piece can be asked for, too', async () => {
  const { upload } = await create(5, false);
  const { missing } = await goOn(upload.id);
  expect(missing).toMatchObject([
    { number: 1, first: 0, bytes: 5, headers: { 'Content-Length': '5', 'If-None-Match': '*' } },
  ]);
  inputs.objects.set(uploadedKey(owner, upload.id), Buffer.from('hello'));
  expect((await goOn(upload.id)).missing).toEqual([]);
});
