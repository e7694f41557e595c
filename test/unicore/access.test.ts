import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pollUntil } from '#test/slurm/poll-until.ts';
import { Caller, storageOf } from './caller.ts';
import { canStartUnicore } from './jars.ts';
import { startUnicore, type Unicore } from './server.ts';

const canStart = await canStartUnicore();

describe.runIf(canStart)('whom a real UNICORE/X lets in, and when its storages are ready', () => {
  let unicore: Unicore;
  let caller: Caller;

  beforeAll(async () => {
    unicore = await startUnicore({
      accounts: ['first', 'second'],
      storageDelayMs: 1500,
      jobLimit: 2,
    });
    caller = new Caller(unicore);
  }, 900_000);
  afterAll(() => unicore?.close(), 60_000);

  const sessionHeader = 'X-UNICORE-SecuritySession';
  const use = (account: string) => ({ 'X-UNICORE-User-Preferences': `uid:${account}` });
  const empty = { status: 403, body: '' };

  async function openSession(headers: Record<string, string> = {}): Promise<string> {
    const answer = await caller.send('', { headers });
    return answer.headers.get(sessionHeader) ?? '';
  }

  it('takes a session of eight hours for credentials, and answers 432 to one it does not know', async () => {
    const known = await openSession();
    expect(known).toMatch(/^[\da-f-]{36}$/);
    const answer = await caller.sendBare('/jobs', { headers: { [sessionHeader]: known } });
    expect(answer.status).toBe(200);
    expect(answer.headers.get(sessionHeader)).toBe(known);
    expect(Number(answer.headers.get(`${sessionHeader}-Lifetime`))).toBeGreaterThan(28_700_000);
    const headers = { [sessionHeader]: 'unknown' };
    const refused = { status: 432, body: '' };
    expect(await caller.sendBare('/jobs', { headers })).toMatchObject(refused);
    // Even if the right password is sent along.
    expect(await caller.send('/jobs', { headers })).toMatchObject(refused);
  });

  it('keeps the five sessions of a user that were used last', async () => {
    const sessions: string[] = [];
    for (let session = 0; session < 7; session += 1) sessions.push(await openSession());
    const statuses: number[] = [];
    for (const session of sessions) {
      const answer = await caller.sendBare('/jobs', { headers: { [sessionHeader]: session } });
      statuses.push(answer.status);
    }
    expect(statuses).toEqual([432, 432, 200, 200, 200, 200, 200]);
  });

  it.each(['', '/jobs'])(
    'refuses a wrong password: 403, no body, no session (GET %s)',
    async (path) => {
      const headers = { Authorization: `Basic ${btoa(`${unicore.user}:wrong`)}` };
      const answer = await caller.send(path, { headers });
      expect(answer).toMatchObject(empty);
      expect(answer.headers.has(sessionHeader)).toBe(false);
    },
  );

  it('takes an unknown token for nobody, who may look but not submit', async () => {
    const headers = { Authorization: 'Bearer unknown' };
    const { body } = await caller.send('', { headers });
    expect(JSON.parse(body).client).toEqual({
      ...{ role: { selected: 'anonymous' }, dn: 'CN=ANONYMOUS,O=UNKNOWN,OU=UNKNOWN', xlogin: {} },
    });
    const list = await caller.send('/jobs', { headers });
    expect(list.status).toBe(200);
    expect(JSON.parse(list.body).jobs).toEqual([]);
    expect(await caller.post('/jobs', { Executable: 'date' }, headers)).toMatchObject(empty);
    const id = await caller.submit({ Executable: 'date' });
    expect(await caller.send(`/jobs/${id}`, { headers })).toMatchObject(empty);
    expect(await caller.send('/jobs/nope', { headers })).toMatchObject({ status: 404 });
  });

  it('refuses an account that the user does not have, as it refuses a password', async () => {
    for (const path of ['', '/jobs', '/jobs/nope']) {
      const answer = await caller.send(path, { headers: use('somebody') });
      expect(answer).toMatchObject(empty);
      expect(answer.headers.has(sessionHeader)).toBe(false);
    }
    expect(await caller.post('/jobs', { Executable: 'date' }, use('somebody'))).toMatchObject(
      empty,
    );
  });

  it('keeps the account of a session until another one is asked for', async () => {
    const session = { [sessionHeader]: await openSession(use('second')) };
    const ask = async (headers = {}) => {
      const { status, body } = await caller.sendBare('', { headers: { ...session, ...headers } });
      return status === 200 ? JSON.parse(body).client.xlogin.UID : status;
    };
    expect(await ask()).toBe('second');
    expect(await ask(use('first'))).toBe('first');
    expect(await ask()).toBe('first');
    // It even keeps one that is refused.
    expect(await ask(use('somebody'))).toBe(403);
    expect(await ask()).toBe(403);
    expect(await ask(use('second'))).toBe('second');
  });

  it('has no storage for a new job yet, and takes no file until it has (delayed by our line)', async () => {
    const id = await caller.submit({ Executable: 'date', haveClientStageIn: 'true' });
    const look = () => caller.read<{ resourceStatus: string }>(storageOf(id));
    const put = () => caller.put(`${storageOf(id)}/files/f.zip`, 'x');
    expect((await look()).resourceStatus).toBe('INITIALIZING');
    const refused = await put();
    expect(refused.status).toBe(500);
    expect(refused.body).toContain("No such file or directory: 'null/f.zip'");
    expect(await caller.read(`/jobs/${id}`)).toMatchObject({ status: 'READY' });
    await pollUntil('the storage is ready', 10, async () =>
      (await look()).resourceStatus === 'READY' ? true : undefined,
    );
    expect((await put()).status).toBe(204);
    expect(await caller.readFile(id, 'f.zip')).toBe('x');
    expect(unicore.requests.at(-1)).toMatchObject({ method: 'GET' });
  });

  it('runs so many jobs at once as is set: the next is QUEUED, and looked at each half minute', async () => {
    for (let job = 0; job < 2; job += 1) {
      await caller.waitFor(await caller.submit({ Executable: 'sleep 5' }), 'RUNNING');
    }
    const id = await caller.submit({ Executable: 'date' });
    expect(await caller.waitFor(id, 'QUEUED')).toMatchObject({
      batchSystemID: 'N/A',
      queue: 'N/A',
    });
    const { consumedTime } = await caller.waitFor(id, 'SUCCESSFUL');
    // The waiting is in the total alone.
    expect(consumedTime).toMatchObject({ queued: '0', main: '0' });
    expect(Number(consumedTime.total)).toBeGreaterThan(20);
  });
});
