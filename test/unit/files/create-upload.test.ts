import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalog, defaultProject } from '#lib/catalog/catalog.ts';
import { createUpload } from '#lib/files/uploads/create-upload.ts';
import { NoQuotaError } from '#lib/quotas/errors.ts';
import { removeQuota } from '#lib/quotas/grants/remove-quota.ts';
import { welcomeUser } from '#lib/quotas/welcome.ts';
import type { Table } from '#lib/table/table.ts';
import { openInProcessTable } from '#test/engines/in-process.ts';
import { createMemoryFiles } from '#test/fixtures/memory-files.ts';
import { userId } from '#test/fixtures/names.ts';

let opened: Awaited<ReturnType<typeof openInProcessTable>>;
let table: Table;
beforeAll(async () => {
  opened = await openInProcessTable('uploads');
  table = opened.table;
});
afterAll(() => opened.close());

const { inputs } = createMemoryFiles();
const noSystems = { ...catalog, systems: [] };
const wish = (user: string, bytes: number) => ({
  owner: userId(user),
  fileName: 'a.zip',
  bytes,
});

describe('an upload of a user', () => {
  it('is offered at first contact, up to the room of the welcome', async () => {
    const { upload } = await createUpload(table, catalog, inputs, wish('1', 5_000_000_000));
    expect(upload).toMatchObject(wish('1', 5_000_000_000));
  });

  it('is refused without a quota, naming the first project', async () => {
    const user = userId('2');
    await welcomeUser(table, catalog, user);
    const order = { user, reason: 'over', by: '100001' };
    for (const project of catalog.systems.map(defaultProject)) {
      await removeQuota(table, { ...order, project });
    }
    const refusal = await createUpload(table, catalog, inputs, wish('2', 1)).catch(
      (error: unknown) => error,
    );
    expect(refusal).toBeInstanceOf(NoQuotaError);
    expect(refusal).toHaveProperty('message', expect.stringContaining('proj_hpc_one_01'));
    expect(refusal).toHaveProperty('message', expect.stringContaining('hpc_one'));
  });

  it('fails with an internal error if there is no system at all', async () => {
    const offer = createUpload(table, noSystems, inputs, wish('3', 1));
    await expect(offer).rejects.toThrow('The catalog has no HPC system.');
  });
});
