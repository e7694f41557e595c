import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { bundleCommand } from '#tools/client/bundle-client.ts';
import manifest from '../../../client/package.json' with { type: 'json' };

it('the command as a single file runs alone, with the parts that it loads late', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'slipway');
  await bundleCommand(file);
  const run = (words: readonly string[], input = '') =>
    spawnSync(process.execPath, [file, ...words], {
      cwd: folder,
      input,
      encoding: 'utf8',
      env: {
        XDG_CONFIG_HOME: folder,
        SLIPWAY_URL: 'http://127.0.0.1:1',
        SLIPWAY_TOKEN: 'a.b.c',
      },
    });
  expect(run(['--version'])).toMatchObject({ stdout: `${manifest.version}\n`, status: 0 });
  const licences = readFileSync(file, 'utf8').split('\n/*\n').at(-1);
  expect(licences).toMatch(/^commander [\d.]+ \(MIT\)\n\n\(The MIT License\)/m);
  expect(licences).toMatch(/^zod [\d.]+ \(MIT\)$/m);
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  expect(run(['--version'])).toMatchObject({ stdout: `${manifest.version}\n`, status: 0 });
  // Looks for the key above the file itself.
  expect(run(['login', '--local', '--url', 'http://127.0.0.1:1'])).toMatchObject({
    stderr: expect.stringContaining('npm start'),
  });
  const params = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  };
  const hello = { jsonrpc: '2.0', id: 1, method: 'initialize', params };
  const { stdout } = run(['mcp'], `${JSON.stringify(hello)}\n`);
  expect(JSON.parse(stdout)).toMatchObject({ result: { serverInfo: { name: 'slipway' } } });
});
