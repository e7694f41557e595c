import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startServer } from '../fixtures/http-server.ts';
import { typeInTerminal } from '../fixtures/terminal.ts';

const source = join(import.meta.dirname, '../../../client/src/cli/slipway.ts');

const ended = {
  job_id: '2A77312F-0000-4000-8000-000000000000',
  project_hpc: 'HPC_ONE',
  project_name: 'proj_hpc_one_01',
  title: 'first study',
  runtime: 1,
  init_date: '2026-11-15T06:00:00Z',
  end_date: '2026-11-15T07:00:00Z',
  stage: 'SUCCESSFUL',
  terminal_stage: true,
  failed: false,
};

/** Types a command before a service with one ended job, and presses Ctrl-C at these words. */
async function interrupt(words: string, interruptAt: RegExp) {
  const changes: (string | undefined)[] = [];
  const url = await startServer(({ method, url: path = '' }, response) => {
    if (method !== 'GET') changes.push(method);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(path.startsWith('/jobs') ? [ended] : []));
  });
  const cwd = mkdtempSync(join(tmpdir(), 'slipway-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  const environment = { SLIPWAY_URL: url, SLIPWAY_TOKEN: 'a.b.c', XDG_CONFIG_HOME: cwd };
  const command = `${process.execPath} ${source} ${words}`;
  return { ...(await typeInTerminal(command, { environment, cwd, interruptAt })), changes };
}

const hasTerminal = spawnSync('script', ['--version']).status === 0;

describe.skipIf(!hasTerminal)('Ctrl-C ends with the exit code 130', () => {
  it.each([
    ['jobs --watch', /first study/],
    ['rm 2A77', /\[y\/N\]/],
    ['admin ban 306328 hpc_one', /Reason/],
    ['login --with-token --url http://localhost:1', /Paste the token/],
  ])('slipway %s', async (words, at) => {
    const { code, text, changes } = await interrupt(words, at);
    expect({ code, changes }, text).toEqual({ code: 130, changes: [] });
    expect(text).not.toMatch(/Error|invalid/);
  });
});
