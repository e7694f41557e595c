import { beforeEach, describe, expect, it } from 'vitest';
import { table as opened } from '#functions/table.ts';
import type { AllowedBucket } from '#lib/catalog/bucket-addresses.ts';
import { openObjectStore } from '#lib/files/storage/object-store.ts';
import { JobNotFoundError } from '#lib/jobs/errors.ts';
import { type BucketContext, signFetch, signSend } from '#lib/jobs/passes/sign-object.ts';
import { catalog } from '#test/fixtures/catalog.ts';
import { useTable } from '../fixtures/engine-table.ts';
import { hpcOne, jobItem, jobRequestItem, user } from '../fixtures/samples.ts';

const table = useTable();
const { jobId, hpc, project } = hpcOne;
const account = { user, hpc, project };
const region = 'eu-central-1';
const lab = { name: 'lab', prefix: 'open/', region };
const credentials = { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' };

function contextWith(inputs: readonly AllowedBucket[], outputs = inputs): BucketContext {
  const [first, ...others] = catalog.systems;
  if (!first) throw new Error('The test catalog is empty.');
  const rules = {
    inputs: { hosts: [], buckets: inputs },
    outputs: { hosts: [], buckets: outputs },
  };
  return {
    table: opened,
    catalog: { ...catalog, systems: [{ ...first, ...rules }, ...others] },
    openBucket: ({ name }) => openObjectStore(name, { AWS_REGION: region, ...credentials }),
  };
}

const moved = {
  inputs: [
    { from: 's3://lab/open/a b.nc', to: 'a.nc' },
    { from: 'https://data.example.org/a', to: 'b.nc' },
  ],
  outputs: [
    { files: '**', to: 's3://lab/open/runs/' },
    { files: 'a', to: 's3://lab/open/one' },
    { files: 'a', to: 'https://data.example.org/a' },
  ],
};

beforeEach(() => table.hold(jobItem(hpcOne), { ...jobRequestItem(hpcOne), ...moved }));

const file = { number: 0, file: 'x/y.nc', length: 5, sha256: '00'.repeat(32) };

function readSigned(address: string) {
  const { origin, pathname, searchParams } = new URL(address);
  return [`${origin}${pathname}`, searchParams.get('X-Amz-SignedHeaders')];
}

describe('the address of an object', () => {
  it('is that of the input, and holds for a quarter of an hour', async () => {
    const address = await signFetch(contextWith([lab]), account, jobId, 0);
    expect(readSigned(address)).toEqual([
      'https://lab.s3.eu-central-1.amazonaws.com/open/a%20b.nc',
      'host',
    ]);
    expect(new URL(address).searchParams.get('X-Amz-Expires')).toBe('900');
  });

  it('is in the folder of the output, for the announced content alone', async () => {
    const headers = 'content-length;host;x-amz-checksum-sha256';
    const context = contextWith([lab]);
    expect(readSigned(await signSend(context, account, jobId, file))).toEqual([
      'https://lab.s3.eu-central-1.amazonaws.com/open/runs/x/y.nc',
      headers,
    ]);
    const named = await signSend(context, account, jobId, { ...file, number: 1 });
    expect(readSigned(named)).toEqual([
      'https://lab.s3.eu-central-1.amazonaws.com/open/one',
      headers,
    ]);
  });

  it.each([
    ['is no input', contextWith([lab]), 2, 3],
    ['is at a web address', contextWith([lab]), 1, 2],
    ['is in a bucket that is not allowed any more', contextWith([]), 0, 0],
    ['is in another part of it now', contextWith([{ ...lab, prefix: 'other/' }]), 0, 0],
    ['needs credentials', { ...contextWith([lab]), openBucket: () => undefined }, 0, 0],
  ])('is not given if it %s', async (_, context, input, output) => {
    await expect(signFetch(context, account, jobId, input)).rejects.toThrow(JobNotFoundError);
    const sent = { ...file, number: output };
    await expect(signSend(context, account, jobId, sent)).rejects.toThrow(JobNotFoundError);
  });

  it('is given to active jobs alone', async () => {
    await table.hold(jobItem(hpcOne, { ended: true }));
    const context = contextWith([lab]);
    await expect(signFetch(context, account, jobId, 0)).rejects.toThrow(JobNotFoundError);
    await expect(signSend(context, account, jobId, file)).rejects.toThrow(JobNotFoundError);
  });
});
