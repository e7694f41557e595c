import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isUploadId } from '#lib/catalog/identifiers.ts';
import { UploadNotFoundError, UploadUsedError } from '#lib/files/errors.ts';
import { secondsLater, type Upload } from '#lib/files/uploads/upload.ts';
import { claimUpload, findUpload, putUpload } from '#lib/files/uploads/upload-store.ts';
import { uploadKey } from '#lib/table/keys.ts';
import { readItem } from '#lib/table/reads.ts';
import type { Table } from '#lib/table/table.ts';
import { writeTransaction } from '#lib/table/transaction.ts';
import { openInProcessTable } from '#test/engines/in-process.ts';
import { jobId, userId } from '#test/fixtures/names.ts';

let opened: Awaited<ReturnType<typeof openInProcessTable>>;
let table: Table;
beforeAll(async () => {
  opened = await openInProcessTable('uploads');
  table = opened.table;
});
afterAll(() => opened.close());

const owner = userId('306328');
const expiresAt = new Date('2026-01-02T00:00:00Z');
const before = new Date(expiresAt.getTime() - 1);
let uploads = 0;

async function put(): Promise<Upload> {
  uploads += 1;
  const upload = { id: `u-${uploads}`, owner, fileName: 'a.zip', bytes: 7, expiresAt };
  await writeTransaction(table, [putUpload(upload)]);
  return upload;
}

describe('an upload', () => {
  it('is found by its owner as it was written', async () => {
    const upload = await put();
    expect(await findUpload(table, owner, upload.id, before)).toEqual(upload);
    const stranger = userId('1');
    await expect(findUpload(table, stranger, upload.id, before)).rejects.toThrow(
      UploadNotFoundError,
    );
  });

  it('is not found once it has expired', async () => {
    const { id } = await put();
    await expect(findUpload(table, owner, id, expiresAt)).rejects.toThrow(UploadNotFoundError);
  });

  it('is written once', async () => {
    await expect(writeTransaction(table, [putUpload(await put())])).rejects.toThrow(
      'already exists',
    );
  });

  it('is claimed by one job, and kept for a day after that', async () => {
    const upload = await put();
    const claim = (id: string, at: Date) =>
      writeTransaction(table, [claimUpload(upload, jobId(id), at)]);
    await claim('A', new Date(before.getTime() - 998));
    await expect(claim('B', before)).rejects.toThrow(UploadUsedError);
    const key = uploadKey(owner, upload.id);
    expect(await readItem(table, key, (item) => item)).toMatchObject({
      job_id: 'A',
      expires_at: Date.parse('2026-01-02T23:59:59Z') / 1000,
    });
    expect(await findUpload(table, owner, upload.id, before)).toMatchObject({ jobId: 'A' });
  });

  it('is not claimed if its record has expired', async () => {
    const forgotten = { ...(await put()), id: 'forgotten' };
    const claim = writeTransaction(table, [claimUpload(forgotten, jobId('A'), before)]);
    await expect(claim).rejects.toThrow(UploadNotFoundError);
  });
});

describe('the identifier of an upload', () => {
  const id = '8c1d5f0e-3b7a-4c62-9e0d-6a1b2c3d4e5f';

  it('is a UUID in lower case and nothing else', () => {
    expect(isUploadId(id)).toBe(true);
    const others = [
      '',
      id.toUpperCase(),
      `${id}0`,
      `0${id}`,
      id.slice(1),
      id.slice(0, -1),
      id.replaceAll('-', ''),
      id.replace('-3b7a', ''),
      id.replace('3b7a', '3b7'),
      id.replace('3b7a', '3b7ab'),
      id.replace('8c', '8g'),
    ];
    expect(others.filter(isUploadId)).toEqual([]);
  });
});

describe('secondsLater', () => {
  it('returns whole seconds', () => {
    const at = new Date('2026-01-01T00:00:00.999Z');
    expect(secondsLater(at, 61)).toEqual(new Date('2026-01-01T00:01:01Z'));
  });
});
