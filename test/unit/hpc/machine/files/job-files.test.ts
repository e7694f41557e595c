import {
  chownSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { RemoteFileNotFoundError } from '#lib/hpc/errors.ts';
import { encodeId } from '#lib/hpc/machine/files/file-ids.ts';
import { findJobFile, openJobFile } from '#lib/hpc/machine/files/job-files.ts';

const isRoot = process.getuid?.() === 0;

/** The folder of a job, and one of somebody else beside it. */
function makeFolders() {
  const place = mkdtempSync(join(tmpdir(), 'slipway-files-'));
  onTestFinished(() => rmSync(place, { recursive: true }));
  const [job, secret] = [join(place, 'job'), join(place, 'secret.txt')];
  mkdirSync(join(job, 'work'), { recursive: true });
  writeFileSync(secret, 'of somebody else');
  return { job, work: join(job, 'work'), secret };
}

async function expectRefused(job: string, name: string): Promise<void> {
  for (const use of [findJobFile, openJobFile]) {
    await expect(use({ folder: job }, encodeId(name))).rejects.toThrow(RemoteFileNotFoundError);
  }
}

describe('a file of a job', () => {
  it('is found where it is', async () => {
    const { job, work } = makeFolders();
    writeFileSync(join(work, 'out.txt'), 'good');
    expect(await findJobFile({ folder: job }, encodeId('out.txt'))).toMatchObject({
      name: 'out.txt',
      bytes: 4,
    });
  });

  it('is none if it is a link, or lies behind one', async () => {
    const { job, work, secret } = makeFolders();
    symlinkSync(secret, join(work, 'link.txt'));
    symlinkSync(join(secret, '..'), join(work, 'folder'));
    await expectRefused(job, 'link.txt');
    await expectRefused(job, 'folder/secret.txt');
  });

  it.runIf(isRoot)('is none if it is a hard link to a file of another account', async () => {
    const { job, work, secret } = makeFolders();
    chownSync(work, 12_345, 12_345);
    linkSync(secret, join(work, 'link.txt'));
    await expectRefused(job, 'link.txt');
    chownSync(secret, 12_345, 12_345);
    expect(await findJobFile({ folder: job }, encodeId('link.txt'))).toMatchObject({ bytes: 16 });
  });
});
