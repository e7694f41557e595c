import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openObjectStore } from '#lib/files/storage/object-store.ts';
import { type Service, startService } from '#local/start-service.ts';
import { fileOf } from '#local/storage/objects-on-disk.ts';
import { type JobBody, submit } from '../fixtures/service.ts';
import { zipOf } from '../fixtures/zip.ts';

interface UploadBody {
  readonly upload_id: string;
  readonly address: string;
}

describe('an upload to the whole service', () => {
  const user = '306328';
  const zip = Uint8Array.from(zipOf(5_000_000));
  let directory: string;
  let service: Service;
  let token: string;
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'slipway-'));
    service = await startService({
      port: 0,
      dataDirectory: join(directory, 'data'),
      stateDirectory: directory,
    });
    token = service.issuer.issueToken({ user });
  });
  afterAll(async () => {
    await service.close();
    rmSync(directory, { recursive: true });
  });

  async function upload(): Promise<UploadBody> {
    const response = await fetch(`${service.url}/uploads/`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ filename: 'big.zip', length: zip.length }),
    });
    const offer: UploadBody = JSON.parse(await response.text());
    const headers = { 'if-none-match': '*' };
    const sent = await fetch(offer.address, { method: 'PUT', headers, body: zip });
    expect(sent.status).toBe(200);
    return offer;
  }

  it('is the input of exactly one of many jobs that ask for it at once', async () => {
    const { upload_id: uploadId } = await upload();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => submit(service, token, {}, { 'upload-id': uploadId })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)]);
    const file = fileOf({ bucket: 'slipway-inputs', key: `${user}/uploads/${uploadId}.zip` });
    expect(existsSync(join(directory, 'data/files/buckets', file))).toBe(true);
  });

  it("is not shown to somebody who signs with anything but the service's own key", async () => {
    const { upload_id: uploadId, address } = await upload();
    const readAs = (secret: string) =>
      openObjectStore('slipway-inputs', {
        AWS_REGION: 'eu-central-1',
        AWS_ACCESS_KEY_ID: 'local',
        AWS_SECRET_ACCESS_KEY: secret,
        AWS_ENDPOINT_URL_S3: new URL(address).origin,
      }).addressToRead(`${user}/uploads/${uploadId}.zip`, { expiresInSeconds: 60 });
    const statusOf = async (secret: string) => (await fetch(await readAs(secret))).status;
    expect(await statusOf('local')).toBe(403);
    expect(await statusOf(service.issuer.passSecret)).toBe(403);
    expect(await statusOf(service.issuer.storageSecret)).toBe(200);
  });

  it('is gone with its job', async () => {
    const { upload_id: uploadId } = await upload();
    const { body } = await submit(service, token, {}, { 'upload-id': uploadId });
    const { job_id: jobId }: JobBody = body;
    const path = `/jobs/hpc_one/proj_hpc_one_01/${jobId}/`;
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(`${service.url}${path}`, { method: 'DELETE', headers });
    expect(response.status).toBe(200);
    const file = fileOf({ bucket: 'slipway-inputs', key: `${user}/uploads/${uploadId}.zip` });
    expect(existsSync(join(directory, 'data/files/buckets', file))).toBe(false);
  });
});
