import { createSocket, type Socket } from 'node:dgram';
import { lookup, Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { openResolver } from '#lib/outbound/resolve-host.ts';

const open: Socket[] = [];
afterEach(() => {
  for (const socket of open.splice(0)) socket.close();
});

/** Starts a name server that answers each question with these words of its header, or never. */
async function startNameServer(answer?: (question: Buffer) => Buffer | Promise<Buffer>) {
  const socket = createSocket('udp4');
  open.push(socket);
  let questions = 0;
  socket.on('message', async (question, { port, address }) => {
    questions += 1;
    if (answer) socket.send(await answer(question), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return { server: `127.0.0.1:${socket.address().port}`, questions: () => questions };
}

const recordA = 1;
const serverFailure = 2;
const nameError = 3;

/** Repeats the question with a response code, and one record of its type if there are bytes for it. */
function respond(question: Buffer, { code = 0, bytes }: { code?: number; bytes?: Buffer }): Buffer {
  const end = question.indexOf(0, 12) + 5;
  const head = Buffer.from(question.subarray(0, 12));
  head.writeUInt16BE(0x8180 | code, 2);
  head.writeUInt16BE(bytes ? 1 : 0, 6);
  head.writeUInt32BE(0, 8);
  const asked = question.subarray(12, end);
  if (!bytes) return Buffer.concat([head, asked]);
  const record = Buffer.from([0xc0, 12, ...asked.subarray(-4), 0, 0, 0, 60, 0, bytes.length]);
  return Buffer.concat([head, asked, record, bytes]);
}

const typeOf = (question: Buffer) => question.readUInt16BE(question.indexOf(0, 12) + 1);
const patiently = () => AbortSignal.timeout(60_000);

describe('a host name', () => {
  it('is asked for at the name servers', async () => {
    const { server } = await startNameServer((question) =>
      respond(question, {
        bytes:
          typeOf(question) === recordA
            ? Buffer.from([192, 0, 2, 7])
            : Buffer.from('20010db8000000000000000000000007', 'hex'),
      }),
    );
    const resolve = openResolver({ servers: [server] });
    expect(await resolve('a.example.org', patiently())).toEqual([
      { address: '192.0.2.7', family: 4 },
      { address: '2001:db8::7', family: 6 },
    ]);
  });

  it('may have addresses of one family only, or none', async () => {
    const { server } = await startNameServer((question) =>
      respond(question, typeOf(question) === recordA ? { bytes: Buffer.from([192, 0, 2, 7]) } : {}),
    );
    const resolve = openResolver({ servers: [server] });
    expect(await resolve('a.example.org', patiently())).toEqual([
      { address: '192.0.2.7', family: 4 },
    ]);
    const empty = await startNameServer((question) => respond(question, {}));
    const resolveNone = openResolver({ servers: [empty.server] });
    expect(await resolveNone('a.example.org', patiently())).toEqual([]);
  });

  it('is asked for at those of the machine if there are no others', async () => {
    vi.spyOn(Resolver.prototype, 'resolve4').mockResolvedValue(['192.0.2.7']);
    vi.spyOn(Resolver.prototype, 'resolve6').mockResolvedValue([]);
    onTestFinished(() => void vi.restoreAllMocks());
    expect(await openResolver()('a.example.org', patiently())).toEqual([
      { address: '192.0.2.7', family: 4 },
    ]);
  });

  it('may be unknown', async () => {
    const { server } = await startNameServer((question) => respond(question, { code: nameError }));
    const resolve = openResolver({ servers: [server] });
    await expect(resolve('a.example.org', patiently())).rejects.toMatchObject({
      code: 'ENOTFOUND',
    });
  });

  it('of this machine, or an address, is not asked for', async () => {
    const { server, questions } = await startNameServer();
    const resolve = openResolver({ servers: [server] });
    const own = [
      { address: '127.0.0.1', family: 4 },
      { address: '::1', family: 6 },
    ];
    expect(await resolve('localhost', patiently())).toEqual(own);
    expect(await resolve('app.localhost', patiently())).toEqual(own);
    expect(await resolve('192.0.2.7', patiently())).toEqual([{ address: '192.0.2.7', family: 4 }]);
    expect(questions()).toBe(0);
  });

  it('that no name server answers for keeps nobody else waiting', async () => {
    const late = Promise.withResolvers<void>();
    const { server, questions } = await startNameServer((question) =>
      late.promise.then(() => respond(question, {})),
    );
    const leaving = new AbortController();
    const resolve = openResolver({ servers: [server], timeoutMs: 600_000 });
    const asked = Array.from({ length: 50 }, (_, index) =>
      resolve(`slow-${index}.example.org`, leaving.signal),
    );
    const outcomes = Promise.allSettled(asked);
    await expect.poll(questions, { timeout: 30_000 }).toBe(100);
    // This one needs a thread that looks names up.
    await lookup('localhost');
    leaving.abort();
    // Nobody listens any more.
    late.resolve();
    const codes = (await outcomes).map((one) => one.status === 'rejected' && one.reason.code);
    expect(codes).toEqual(Array.from({ length: 50 }, () => 'EAI_AGAIN'));
  });

  it('is given up when no name server answers in time', async () => {
    const { server, questions } = await startNameServer();
    const resolve = openResolver({ servers: [server], timeoutMs: 20 });
    const failure = { code: 'EAI_AGAIN' };
    await expect(resolve('a.example.org', patiently())).rejects.toMatchObject(failure);
    // Two tries for each family.
    await expect.poll(questions).toBeGreaterThanOrEqual(4);
    expect(questions()).toBe(4);
    const failing = await startNameServer((question) =>
      respond(question, { code: typeOf(question) === recordA ? 0 : serverFailure }),
    );
    const resolveHalf = openResolver({ servers: [failing.server], timeoutMs: 20 });
    await expect(resolveHalf('a.example.org', patiently())).rejects.toMatchObject(failure);
  });
});
