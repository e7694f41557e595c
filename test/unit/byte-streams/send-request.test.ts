import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { streamBytes } from '#lib/byte-streams/byte-stream.ts';
import { sendRequest } from '#lib/byte-streams/send-request.ts';
import { sendPieces, watchTransfer } from '#lib/byte-streams/transfer.ts';

let server: Server;
beforeEach(async () => {
  server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.write(
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: nothing\r\nConnection: upgrade\r\n\r\n',
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => server.close());

it('fails at once if the peer switches protocols, long before the timeout', async () => {
  const watch = watchTransfer(3_600_000);
  const sending = sendPieces({ bytes: 3, stream: streamBytes(Buffer.from('abc')) }, watch);
  const { port } = Object(server.address());
  const answer = sendRequest({
    url: `http://127.0.0.1:${port}/`,
    method: 'PUT',
    headers: {},
    sending,
    signal: watch.signal,
  });
  await expect(answer).rejects.toThrow('protocols are not switched');
  watch.end();
});
