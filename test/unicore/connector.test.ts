import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createUnicoreConnector } from '#lib/hpc/unicore/unicore-connector.ts';
import { buildZip } from '../fixtures/build-zip.ts';
import { pollUntil } from '../slurm/poll-until.ts';
import { Researcher } from '../slurm/researcher.ts';
import { order, tag } from '../unit/hpc/unicore/open-unicore.ts';
import { Caller } from './caller.ts';
import { canStartUnicore } from './jars.ts';
import { startUnicore, type Unicore } from './server.ts';
import { startServiceOn } from './service.ts';

describe.runIf(await canStartUnicore())('the connector and a real UNICORE/X', () => {
  let unicore: Unicore;
  beforeAll(async () => {
    unicore = await startUnicore({ accounts: ['first', 'second'] });
    // Makes this process trust the server.
    new Caller(unicore);
  }, 900_000);
  afterAll(() => unicore?.close(), 60_000);

  function connect(credentials: Record<string, string> = {}) {
    const { baseUrl, user: username, password } = unicore;
    const shown = { username, password, ...credentials };
    const read = async () => shown;
    return createUnicoreConnector({ baseUrl, credentials: { read, forget: () => undefined } });
  }

  const { input: _, ...job } = { ...order, nodes: 1, coresPerNode: 1, program: 'true' };
  const refused = { name: 'CredentialsRefusedError' };

  it('is told of wrong credentials, and of those that make an anonymous client', async () => {
    await expect(connect().checkHealth()).resolves.toBeUndefined();
    const wrong = connect({ password: 'wrong' });
    for (const login of [undefined, 'first']) {
      await expect(wrong.submit({ ...job, login })).rejects.toMatchObject(refused);
    }
    const unknown = connect({ token: 'unknown' });
    const anonymous = { ...refused, message: expect.stringContaining('anonymous') };
    await expect(unknown.checkHealth()).rejects.toMatchObject(anonymous);
    await expect(unknown.findByTag(tag)).rejects.toMatchObject(anonymous);
    await expect(unknown.submit(job)).rejects.toMatchObject(anonymous);
  });

  it('refuses a job for an account that the site does not allow, and no other', async () => {
    const connector = connect();
    await expect(connector.submit({ ...job, login: 'somebody' })).rejects.toMatchObject({
      name: 'JobRefusedError',
      message: expect.stringContaining("the account 'somebody'"),
    });
    for (const login of ['first', 'second', undefined]) {
      const handle = await connector.submit({ ...job, login });
      expect(await connector.findBegun?.({ ...tag, login })).toBe(handle);
      await connector.remove?.({ ...tag, login, handle });
      expect(await connector.findBegun?.({ ...tag, login })).toBeUndefined();
    }
  });

  it('tells in words why a job cannot run, and that it used nothing', async () => {
    const connector = connect();
    const handle = await connector.submit({ ...job, nodes: 99 });
    const seen = await pollUntil('the job has failed', 30, async () => {
      const found = (await connector.lookUp([{ ...tag, handle }])).get(tag.jobId);
      return found?.state === 'ended' ? found : undefined;
    });
    expect(seen).toEqual({
      state: 'ended',
      stage: 'FAILED',
      failed: true,
      usedSeconds: 0,
      reason:
        'UNICORE could not run the job: Resource request <Nodes=99> is out of range. (Invalid resource request)',
    });
    expect(await connector.listFiles({ ...tag, handle })).toEqual([]);
    await connector.remove?.({ ...tag, handle });
  });

  it('lists ended jobs for a comparison', async () => {
    const connector = connect();
    const began = new Date();
    const handle = await connector.submit({ ...job, program: 'sleep 2' });
    const listed = await pollUntil('the job is listed', 30, async () => {
      const jobs = await connector.readAccounting?.(began);
      return jobs?.find((each) => each.handle === handle);
    });
    expect(listed).toMatchObject({
      name: tag.jobId,
      runs: [{ number: 1, seconds: 2, isLost: false }],
    });
    await connector.remove?.({ ...tag, handle });
  });

  it('lets jobs move their files themselves, and leaves nothing after their end', async () => {
    const slipway = await startServiceOn(unicore, { movesOwnFiles: true });
    try {
      const { url, issuer } = slipway.service;
      const ada = new Researcher({ url, token: issuer.issueToken({ user: '4711' }), user: '4711' });
      const zip = buildZip([{ name: 'in.txt', content: 'given\n' }]);
      const from = unicore.requests.length;
      // A job that was removed while it ran may have written once more.
      const before = await unicore.listJobDirectories();
      const { path } = await ada.submit('cat in.txt; echo 42 >"100%.txt"', { zip });
      expect(await ada.waitForEnd(path)).toMatchObject({ failed: false });
      await pollUntil('nothing is left of it', 30, async () => {
        const calls = unicore.requests.slice(from).filter(({ method }) => method === 'DELETE');
        const left = (await unicore.listJobDirectories()).filter((id) => !before.includes(id));
        return (calls.length > 0 && left.length === 0) || undefined;
      });
      expect(unicore.requests.slice(from).filter(({ method }) => method === 'PUT')).toEqual([]);
      const files = await ada.listFiles(path);
      const read = async (name: string) => {
        const file = files.find(({ filename }) => filename === name);
        return (await ada.fetchFile(path, file?.fileid ?? '')).toString();
      };
      expect(await read('stdout')).toBe('given\n');
      expect(await read('100%.txt')).toBe('42\n');
    } finally {
      await slipway.close();
    }
  });
});
