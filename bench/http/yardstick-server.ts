import { createServer } from 'node:http';

/** The least that a server on Node can do: the same kilobyte of JSON for everybody. */
const body = JSON.stringify({ text: 'x'.repeat(1000) });

const [, , port = '0'] = process.argv;
createServer((_, response) => {
  response.writeHead(200, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
}).listen(Number(port), '127.0.0.1');
