import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { startLargeNsg, startLargeUnicore } from '#test/upstreams/large-file-servers.ts';

/**
 * Runs a system in its own process that discards its input. It prints its address, then the bytes
 * received.
 */
const [, , kind, bytes = '0'] = process.argv;
const resultBytes = Number(bytes);

async function receive(upload: IncomingMessage): Promise<void> {
  let received = 0;
  for await (const piece of upload) received += piece.length;
  process.stdout.write(`received ${received}\n`);
}

async function send(response: ServerResponse): Promise<void> {
  response.writeHead(200, { 'content-length': resultBytes });
  await pipeline(Readable.from(makeZeros(resultBytes)), response);
}

function* makeZeros(total: number): Generator<Buffer> {
  const piece = Buffer.alloc(65_536);
  for (let left = total; left > 0; left -= piece.length) yield piece.subarray(0, left);
}

const start = kind === 'nsg' ? startLargeNsg : startLargeUnicore;
const { baseUrl } = await start({ resultBytes, receive, send });
process.stdout.write(`listening ${baseUrl}\n`);
