import { createServer } from 'node:http';

/** The simplest Node server: the same kilobyte of JSON for every request. */
const body = JSON.stringify({ text: 'x'.repeat(1000) });

const [, , port = '0'] = process.argv;
createServer((_, response) => {
  response.writeHead(200, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
}).listen(Number(port), '127.0.0.1');
