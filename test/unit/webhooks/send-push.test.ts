import dns from 'node:dns';
import { createServer } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { announceShutdownBy } from '#lib/outbound/shutdown.ts';
import { openSender, type SenderOptions } from '#lib/webhooks/send-push.ts';
import { startHostilePeer } from '#test/fixtures/hostile-peer.ts';
import { answerWith, startReceiver } from '#test/fixtures/receiver.ts';

const rules = { toLoopback: true };
const open = (options: Partial<SenderOptions> = {}) =>
  openSender({ rules, timeoutSeconds: 60, ...options });
const push = (url: string) => ({ url, headers: { 'webhook-id': 'e1' }, body: '{"a":"ä"}' });

describe('a push', () => {
  it('is a POST with its headers and its body as they are', async () => {
    const receiver = await startReceiver(answerWith(204));
    expect(await open()(push(receiver.url))).toEqual({ status: 204 });
    expect(receiver.received).toMatchObject([
      {
        method: 'POST',
        path: '/hook?a=1',
        headers: {
          host: `127.0.0.1:${receiver.port}`,
          'content-type': 'application/json',
          'content-length': '10',
          'user-agent': 'Slipway',
          'webhook-id': 'e1',
        },
        body: '{"a":"ä"}',
      },
    ]);
  });

  it.each([200, 400, 410, 500, 503])('reports the status %i', async (status) => {
    const { url } = await startReceiver(answerWith(status));
    expect(await open()(push(url))).toEqual({ status });
  });

  it.each([300, 302, 399])('follows no redirect of status %i', async (status) => {
    const target = await startReceiver();
    const { url } = await startReceiver((response) =>
      response.writeHead(status, { location: target.url }).end(),
    );
    const answer = { status, reason: 'redirects are not followed' };
    expect(await open()(push(url))).toEqual(answer);
    expect(target.received).toEqual([]);
  });

  it('waits for a response only so long', async () => {
    const { url, received } = await startReceiver(() => undefined);
    const answer = await open({ timeoutSeconds: 1 })(push(url));
    expect(answer).toEqual({ reason: 'no answer within 1 s' });
    await expect.poll(() => received, { interval: 5 }).toHaveLength(1);
  });

  it('fails if the receiver switches protocols', async () => {
    const peer = await startHostilePeer('switched protocols');
    onTestFinished(() => peer.close());
    const answer = { status: 101, reason: 'protocols are not switched' };
    expect(await open()(push(peer.url))).toEqual(answer);
    await expect.poll(() => peer.open, { interval: 5 }).toBe(0);
  });

  it('is aborted when the process ends, and none is started after that', async () => {
    const shutdown = new AbortController();
    announceShutdownBy(shutdown.signal);
    onTestFinished(() => announceShutdownBy());
    const { url, received } = await startReceiver(() => undefined);
    const send = open();
    const sent = send(push(url));
    await expect.poll(() => received, { interval: 5 }).toHaveLength(1);
    shutdown.abort();
    expect(await sent).toEqual({ abandoned: true });
    expect(await send(push(url))).toEqual({ abandoned: true });
    expect(received).toHaveLength(1);
  });

  it('waits for a host name only so long', async () => {
    const send = open({ timeoutSeconds: 0.05, resolveHost: () => new Promise(() => undefined) });
    expect(await send(push('https://example.org/'))).toEqual({ reason: 'no answer within 0.05 s' });
  });

  it('is answered by the status, however slow the rest is', async () => {
    const { url } = await startReceiver((response) => response.writeHead(200).write('a'));
    expect(await open({ timeoutSeconds: 2 })(push(url))).toEqual({ status: 200 });
  });

  it('reads only the beginning of an endless response', async () => {
    let written = 0;
    const { url } = await startReceiver((response) => {
      const write = () => {
        written += 65_536;
        if (!response.destroyed) response.write(Buffer.alloc(65_536), write);
      };
      response.writeHead(200);
      write();
    });
    expect(await open()(push(url))).toEqual({ status: 200 });
    expect(written).toBeLessThan(20_000_000);
  });

  it('lets the receiver finish a response of up to 64 KB', async () => {
    const finished = Promise.withResolvers<boolean>();
    const { url } = await startReceiver((response) => {
      response.on('close', () => finished.resolve(response.writableFinished));
      // A sender that hung up would have done so by the time the rest is written.
      response
        .writeHead(200)
        .write(Buffer.alloc(65_536), () => setTimeout(() => response.end(), 200));
    });
    expect(await open()(push(url))).toEqual({ status: 200 });
    expect(await finished.promise).toBe(true);
  });

  it('is answered by the status, even if the connection breaks after it', async () => {
    const { url } = await startReceiver((response, _push, { socket }) =>
      response
        .writeHead(202, { 'content-length': '100' })
        .write('a', () => socket.resetAndDestroy()),
    );
    expect(await open()(push(url))).toEqual({ status: 202 });
  });

  it('reports a connection that was closed before a response', async () => {
    const { url } = await startReceiver((_response, _push, { socket }) => socket.resetAndDestroy());
    const answer = { reason: 'the connection was closed before an answer' };
    expect(await open()(push(url))).toEqual(answer);
  });

  it('reports a connection that was refused', async () => {
    const { url, port } = await startReceiver();
    const closed = url.replace(String(port), '1');
    expect(await open()(push(closed))).toEqual({ reason: 'the connection was refused' });
  });

  it('reports a response that is not HTTP', async () => {
    const server = createServer((socket) => socket.end('hello\r\n\r\n'));
    server.listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    onTestFinished(() => void server.close());
    const { port } = Object(server.address());
    const answer = { reason: 'the answer is not HTTP' };
    expect(await open()(push(`http://127.0.0.1:${port}/`))).toEqual(answer);
  });

  it('opens a new connection', async () => {
    const { url, received } = await startReceiver();
    const send = open();
    await send(push(url));
    await send(push(url));
    expect(received.map(({ headers }) => headers.connection)).toEqual(['close', 'close']);
  });
});

describe('a host', () => {
  const at = (...addresses: string[]) =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

  it('is resolved once, and the connection goes to what was found then', async () => {
    const { port, received } = await startReceiver();
    const systemLookup = vi.spyOn(dns, 'lookup');
    const asked: string[] = [];
    const send = open({
      resolveHost: async (host) => {
        asked.push(host);
        // A name that resolves to another address the second time.
        return at(asked.length === 1 ? '127.0.0.1' : '169.254.169.254');
      },
    });
    expect(await send(push(`http://localhost:${port}/`))).toEqual({ status: 200 });
    expect(asked).toEqual(['localhost']);
    expect(systemLookup).not.toHaveBeenCalled();
    systemLookup.mockRestore();
    expect(received).toMatchObject([{ headers: { host: `localhost:${port}` } }]);
    expect(await send(push(`http://localhost:${port}/`))).toEqual({
      reason: 'the address is not public',
    });
    expect(received).toHaveLength(1);
  });

  // On other platforms the machine has only one loopback address.
  it.runIf(process.platform === 'linux')('is called where it was resolved to', async () => {
    const { port, received } = await startReceiver(undefined, '127.0.0.2');
    const send = open({ resolveHost: async () => at('127.0.0.2') });
    expect(await send(push(`http://localhost:${port}/`))).toEqual({ status: 200 });
    expect(received).toHaveLength(1);
  });

  it.each([
    { why: 'loopback', addresses: ['127.0.0.1'] },
    { why: 'private', addresses: ['10.0.0.5'] },
    { why: 'the metadata of instances', addresses: ['169.254.169.254'] },
    { why: 'the metadata of instances, IPv6', addresses: ['fd00:ec2::254'] },
    { why: 'a mapped address', addresses: ['::ffff:10.0.0.5'] },
    { why: 'one public address and one that is not', addresses: ['8.8.8.8', '10.0.0.5'] },
  ])('that resolves to $why is not called', async ({ addresses }) => {
    const send = openSender({
      rules: { toLoopback: false },
      resolveHost: async () => at(...addresses),
    });
    expect(await send(push('https://localhost:1/'))).toEqual({
      reason: 'the address is not public',
    });
  });

  it('that cannot be resolved is not called', async () => {
    const answer = { reason: 'the host name has no address' };
    expect(await open({ resolveHost: async () => [] })(push('https://a.test/'))).toEqual(answer);
    const unknown = Object.assign(new Error('getaddrinfo ENOTFOUND a.test'), { code: 'ENOTFOUND' });
    const send = open({ resolveHost: () => Promise.reject(unknown) });
    expect(await send(push('https://a.test/'))).toEqual({ reason: 'the host name is unknown' });
  });

  it('on this machine is not called without the setting, whoever registered it', async () => {
    const { url, port, received } = await startReceiver();
    const send = openSender({ rules: { toLoopback: false } });
    expect(await send(push(url))).toEqual({
      reason: expect.stringMatching(/^the address is not allowed: It must begin with https:/),
    });
    expect(await send(push(`https://127.0.0.1:${port}/`))).toEqual({
      reason: 'the address is not allowed: Its host is not a public address.',
    });
    expect(await send(push(`https://localhost:${port}/`))).toEqual({
      reason: 'the address is not public',
    });
    expect(received).toEqual([]);
  });
});
