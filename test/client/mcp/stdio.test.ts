import { mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect, it, onTestFinished } from 'vitest';
import { openFolder } from '#client/src/cli/mcp/tools/input.ts';
import { compileCache, projectRoot } from '../../fixtures/edition.ts';
import { call } from '../fixtures/assistant.ts';

it('serves over stdin and stdout, says how to sign in, and ends when stdin is closed', async () => {
  const home = mkdtempSync(join(tmpdir(), 'slipway-home-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [join(projectRoot, 'client/src/cli/slipway.ts'), 'mcp', '--budget', '2h'],
    env: { XDG_CONFIG_HOME: home, NODE_COMPILE_CACHE: compileCache },
    stderr: 'pipe',
  });
  const strange: unknown[] = [];
  transport.stderr?.on('data', (chunk) => strange.push(String(chunk)));
  const client = new Client({ name: 'a test', version: '1' });
  client.onerror = (error) => strange.push(error);
  await client.connect(transport);
  expect(client.getServerVersion()).toMatchObject({ name: 'slipway', title: 'Slipway' });
  expect(await call(client, 'quotas')).toMatchObject({
    refused: true,
    text: expect.stringContaining('slipway login'),
  });
  const pid = transport.pid ?? 0;
  expect(isAlive(pid)).toBe(true);
  await client.close();
  expect(isAlive(pid)).toBe(false);
  expect(strange).toEqual([]);
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

it('opens the current folder by default, but not the home folder or the root of the disk', () => {
  expect(openFolder(undefined, projectRoot)).toBe(projectRoot);
  expect(openFolder(undefined, homedir())).toBeUndefined();
  expect(openFolder(undefined, '/')).toBeUndefined();
  expect(openFolder(homedir())).toBe(homedir());
  expect(() => openFolder('/no/such/folder')).toThrow('There is no folder');
});
