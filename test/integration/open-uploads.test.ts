import { beforeEach, describe, expect, it } from 'vitest';
import { banUser } from '#lib/bans/ban-user.ts';
import { defaultProject, findSystem } from '#lib/catalog/catalog.ts';
import { TooManyUploadsError, UploadsTooLargeError } from '#lib/files/errors.ts';
import { uploadedKey } from '#lib/files/object-keys.ts';
import { createUpload } from '#lib/files/uploads/create-upload.ts';
import { removeUploads } from '#lib/files/uploads/remove-uploads.ts';
import { claimUpload, findUpload } from '#lib/files/uploads/upload-store.ts';
import { QuotaExpiredError, SubmissionBannedError } from '#lib/quotas/errors.ts';
import { grantQuota } from '#lib/quotas/grants/grant-quota.ts';
import { writeTransaction } from '#lib/table/transaction.ts';
import { catalog } from '#test/fixtures/catalog.ts';
import { createMemoryFiles } from '#test/fixtures/memory-files.ts';
import { jobId, userId } from '#test/fixtures/names.ts';
import { tableForEach } from '../engines/use-table.ts';

const owner = userId('7');
const at = new Date('2026-11-15T08:30:00Z');
const later = (hours: number) => new Date(at.getTime() + hours * 3_600_000);

const table = tableForEach();
let files: ReturnType<typeof createMemoryFiles>;
beforeEach(() => {
  files = createMemoryFiles();
});

async function create(bytes = 1000, moment = at) {
  const wish = { owner, fileName: 'a.zip', bytes };
  return (await createUpload(table, catalog, files.inputs, wish, [], moment)).upload;
}

const claim = async (moment: Date) => {
  const upload = await create(1000, moment);
  await writeTransaction(table, [claimUpload(upload, jobId('A'), moment)]);
  return upload;
};

describe('the open uploads of a user', () => {
  it('are ten out of twenty simultaneous requests', async () => {
    const asked = await Promise.allSettled(Array.from({ length: 20 }, () => create()));
    const refused = asked.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
    expect(refused).toHaveLength(10);
    for (const error of refused) expect(error).toBeInstanceOf(TooManyUploadsError);
    expect(refused[0]).toMatchObject({ facts: { limit: 10, count: 10 } });
  });

  it('leave room once a job uses one, and once they expire', async () => {
    const [first] = await Promise.all(Array.from({ length: 10 }, () => create()));
    await expect(create()).rejects.toThrow(TooManyUploadsError);
    await writeTransaction(table, [claimUpload(first!, jobId('A'), at)]);
    await create();
    await expect(create()).rejects.toThrow(TooManyUploadsError);
    await expect(create(1000, later(23.9))).rejects.toThrow(TooManyUploadsError);
    await create(1000, later(24));
  });

  it('have at most as many bytes as remain in the quotas', async () => {
    for (let each = 0; each < 4; each += 1) await create(5_000_000_000);
    await expect(create(1)).rejects.toMatchObject({
      name: 'UploadsTooLargeError',
      facts: { limit: 20_000_000, count: 20_000_001 },
    });
    await expect(create(1)).rejects.toThrow(UploadsTooLargeError);
  });

  it('are refused for a banned user, or if all quotas have expired', async () => {
    await create();
    for (const project of catalog.systems.map(defaultProject)) {
      const order = { user: owner, project, by: '100001', reason: 'over' };
      await grantQuota(table, catalog, { ...order, change: { validUntil: later(1) } }, at);
    }
    await create(1000, later(0.9));
    await expect(create(1000, later(1))).rejects.toThrow(QuotaExpiredError);
    const { name: hpc, projects } = findSystem(catalog, 'hpc_one');
    const order = { user: owner, by: '100001', reason: 'a loop' };
    await banUser(table, catalog, { ...order, from: { hpc, project: projects[0].name } }, at);
    await create();
    await banUser(table, catalog, order, at);
    await expect(create()).rejects.toThrow(SubmissionBannedError);
  });
});

describe('the file of an upload', () => {
  const keyOf = (upload: { id: string }) => uploadedKey(owner, upload.id);
  const sweep = (moment: Date) => removeUploads(table, files.inputs, () => moment);

  it('is removed after two days if no job has used it', async () => {
    const [unclaimed, claimed] = [await create(), await claim(at)];
    for (const upload of [unclaimed, claimed]) {
      await files.inputs.put(keyOf(upload), new Uint8Array(1000));
    }
    await sweep(later(47.9));
    expect([...files.inputs.objects.keys()]).toHaveLength(2);
    await sweep(later(48));
    expect([...files.inputs.objects.keys()]).toEqual([keyOf(claimed)]);
    await expect(findUpload(table, owner, unclaimed.id, at)).rejects.toThrow();
    expect(await findUpload(table, owner, claimed.id, at)).toMatchObject({ jobId: 'A' });
  });

  it('stays due if the storage fails, and does not block the others', async () => {
    const uploads = [await create(), await create()];
    const failing = async (key: string) => {
      if (uploads[0] && key === keyOf(uploads[0])) throw new Error('no storage');
    };
    const failed = removeUploads(table, { remove: failing }, () => later(48));
    await expect(failed).rejects.toThrow('Some uploads could not be removed');
    const removed: string[] = [];
    const remove = async (key: string) => void removed.push(key);
    await removeUploads(table, { remove }, () => later(49));
    expect(removed).toEqual(uploads.slice(0, 1).map(keyOf));
  });
});
