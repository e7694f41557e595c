import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { Upload } from '#lib/http/answers/job.ts';
import { ask } from '../ask.ts';
import { badUploads } from '../cases/bad-uploads.ts';
import { expectJob, expectProblem } from '../shapes.ts';
import { submit, zipOf } from '../submit.ts';
import { type Account, itNeeding, type Target } from '../target.ts';

type OpenedUpload = v.InferOutput<typeof Upload>;

const zip = zipOf(5000);

/** Beyond the contract: a zip that is too large for one request goes to the storage by itself. */
export function uploadsSuite(target: Target): void {
  const wish = ({ token }: Account, body: unknown) =>
    ask(target, {
      method: 'POST',
      path: '/uploads/',
      token,
      headers: { 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  const open = async (account: Account, length = zip.length): Promise<OpenedUpload> => {
    const answer = await wish(account, { filename: 'big.zip', length });
    expect(answer.status, answer.text).toBe(201);
    const upload = v.parse(Upload, answer.json);
    expect(v.is(v.pipe(v.string(), v.uuid()), upload.upload_id)).toBe(true);
    return upload;
  };
  /** Content-Length is what fetch says by itself. */
  const send = ({ address, headers }: OpenedUpload, body: Uint8Array<ArrayBuffer> = zip) => {
    const { 'Content-Length': _, ...others } = headers;
    return fetch(address, { method: 'PUT', headers: others, body });
  };
  const submitWith = (account: Account, uploadId: string, headers = {}) =>
    submit(target, account, {
      fields: { node_number: '1', runtime: '0.01' },
      headers: { 'upload-id': uploadId, ...headers },
      body: '',
    });

  describe('uploads', () => {
    it('become the input of one job, and a repeated request is answered as before', async () => {
      const account = target.account();
      const upload = await open(account);
      expect(upload).toMatchObject({ filename: 'big.zip', length: 5000 });
      const early = expectProblem(await submitWith(account, upload.upload_id), 409);
      expect(early.type).toBe('urn:slipway:problem:upload-unfinished');

      expect((await send(upload)).status).toBe(200);
      const key = { 'idempotency-key': `upload-${upload.upload_id}` };
      const job = expectJob(await submitWith(account, upload.upload_id, key), 201);
      expect(expectJob(await submitWith(account, upload.upload_id, key), 201)).toEqual(job);

      for (const headers of [{}, { 'idempotency-key': `other-${upload.upload_id}` }]) {
        const late = expectProblem(await submitWith(account, upload.upload_id, headers), 409);
        expect(late.type).toBe('urn:slipway:problem:upload-used');
      }
    });

    it('take what was announced, once', async () => {
      const upload = await open(target.account());
      expect((await send(upload, zipOf(5001))).status).toBe(403);
      expect((await send(upload)).status).toBe(200);
      expect((await send(upload)).status).toBe(412);
    });

    it('are inspected before a job begins with them', async () => {
      const account = target.account();
      const upload = await open(account, 300);
      expect((await send(upload, zipOf(300).fill(0, 200))).status).toBe(200);
      const answer = await submitWith(account, upload.upload_id);
      expectProblem(answer, 400, ['header Upload-Id']);
    });

    itNeeding(target, 'newcomer')('hold their size of the quota', async () => {
      const account = target.account();
      const upload = await open(account);
      await send(upload);
      expectJob(await submitWith(account, upload.upload_id), 201);
      const path = '/quotas/hpc_one/proj_hpc_one_01/';
      const { json } = await ask(target, { path, token: account.token });
      expect(json).toMatchObject({ space_left: 10_000_000 - 5 });
    });

    itNeeding(target, 'other')('are their owner’s', async () => {
      const upload = await open(target.account());
      await send(upload);
      const answer = await submitWith(target.other(), upload.upload_id);
      expectProblem(answer, 400, ['header Upload-Id']);
    });

    it.each(['', 'x', '00000000-0000-4000-8000-000000000000', '../../x'])(
      'that do not exist are 400: %j',
      async (uploadId) => {
        const answer = await submitWith(target.account(), uploadId);
        expectProblem(answer, 400, ['header Upload-Id']);
      },
    );

    it('and a body beside them are 400', async () => {
      const account = target.account();
      const { upload_id: uploadId } = await open(account);
      const answer = await submit(target, account, { headers: { 'upload-id': uploadId } });
      expectProblem(answer, 400, ['header Upload-Id']);
    });

    it.each([...badUploads])('are not made of $body', async ({ body, named }) => {
      expectProblem(await wish(target.account(), body), 400, named);
    });

    it('are for callers with a token', async () => {
      const answer = await ask(target, { method: 'POST', path: '/uploads/', body: '{}' });
      expectProblem(answer, 401);
    });
  });
}
