import { request } from 'node:http';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { expect, it, onTestFinished } from 'vitest';
import { listenForAssistants } from '#client/src/cli/mcp/serve-http.ts';
import { createServer } from '#client/src/cli/mcp/server.ts';
import { createBudget } from '#client/src/cli/mcp/tools/budget.ts';
import { createClient } from '../../../client/src/node/index.ts';
import { call } from '../fixtures/assistant.ts';
import { startServer } from '../fixtures/http-server.ts';

async function listen() {
  const baseUrl = await startServer((_, response) => response.end('[]'));
  const connect = () => createClient({ baseUrl, token: 'a.b.c', retries: 0 });
  const settings = { connect, folder: undefined, budget: createBudget(7200) };
  const listening = await listenForAssistants(() => createServer(settings), { port: 0, key: 'k' });
  onTestFinished(listening.close);
  return { ...listening, settings };
}

async function connectTo(url: string) {
  const client = new Client({ name: 'a test', version: '1' });
  const requestInit = { headers: { authorization: 'Bearer k' } };
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return { client, transport };
}

it('serves several assistants over HTTP, which spend one budget', async () => {
  const { url, settings } = await listen();
  const [{ client: first, transport }, { client: second }] = [
    await connectTo(url),
    await connectTo(url),
  ];
  expect((await first.listTools()).tools.length).toBeGreaterThan(10);
  settings.budget.take(3600);
  expect((await call(second, 'quotas')).text).toContain('has 1 of 2 charged hours left');
  await transport.terminateSession();
  await expect(first.listTools()).rejects.toThrow();
  expect((await second.listTools()).tools.length).toBeGreaterThan(10);
});

it('lets the session that was unused for the longest time make room', async () => {
  const { url } = await listen();
  const { client: first } = await connectTo(url);
  const { client: second } = await connectTo(url);
  for (let opened = 2; opened < 20; opened += 1) await connectTo(url);
  await first.listTools();
  const { client: last } = await connectTo(url);
  expect((await first.listTools()).tools.length).toBeGreaterThan(10);
  expect((await last.listTools()).tools.length).toBeGreaterThan(10);
  await expect(second.listTools()).rejects.toThrow();
});

it('refuses whoever has no key, comes by another name or asks for another path', async () => {
  const { url } = await listen();
  const ask = async (headers: Record<string, string>, path = '') => {
    const method = 'POST';
    const accept = 'application/json, text/event-stream';
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 'a test', version: '1' },
      },
    });
    const all = { 'content-type': 'application/json', accept, ...headers };
    const answer = await fetch(url + path, { method, headers: all, body });
    await answer.body?.cancel();
    return answer.status;
  };
  const authorization = 'Bearer k';
  expect(await ask({})).toBe(401);
  expect(await ask({ authorization: 'Bearer kk' })).toBe(401);
  expect(await ask({ authorization }, '/more')).toBe(404);
  expect(await ask({ authorization, 'mcp-session-id': 'none' })).toBe(404);
  expect(await askAs('rebound.example', url)).toBe(403);
});

/** As a browser does for a page whose name leads to this machine; `fetch` does not let one. */
function askAs(host: string, url: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = { host, authorization: 'Bearer k' };
    request(url, { method: 'POST', headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    })
      .on('error', reject)
      .end();
  });
}
