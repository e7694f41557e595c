import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readExamples, runExamples } from './fixtures/pages.ts';
import { type RunningService, startRunningService } from './fixtures/running-service.ts';

let running: RunningService;

beforeAll(async () => {
  running = await startRunningService(1);
});

afterAll(() => running.close());

/** A folder as the pages have it, and the variables that they tell to set. */
function prepare(user: string) {
  const { service, directory } = running;
  const cwd = mkdtempSync(join(directory, 'page-'));
  mkdirSync(join(cwd, 'study'));
  writeFileSync(join(cwd, 'study/main.py'), 'print("hello")\n');
  const env = {
    PATH: process.env.PATH,
    SLIPWAY_URL: service.url,
    SLIPWAY_TOKEN: service.issuer.issueToken({ user }),
    SLIPWAY_ADMIN_TOKEN: service.issuer.issueToken({ user: '100001', administrator: true }),
  };
  return { cwd, env };
}

describe('docs/client.md', () => {
  it('prints what it says', async () => {
    const sources = new URL('../../client/src', import.meta.url).href;
    const examples = readExamples('client.md', 'ts').map(({ code, printed }) => ({
      printed,
      code: code
        .replaceAll("'@slipway/client/node'", `'${sources}/node/index.ts'`)
        .replaceAll("'@slipway/client'", `'${sources}/index.ts'`),
    }));
    const printed = await runExamples(examples, {
      command: [process.execPath, '--input-type=module-typescript', '--eval'],
      print: (line) => `console.log('${line}');`,
      ...prepare('306328'),
    });
    expect(printed).toEqual(examples.map((example) => example.printed));
    expect(printed.length).toBeGreaterThan(10);
  });
});

/** Debian's python3-requests. CI installs it where it can. */
const hasRequests = spawnSync('python3', ['-c', 'import requests']).status === 0;
if (!hasRequests) console.warn('docs/python.md is not run: apt-get install python3-requests');

describe('docs/python.md', () => {
  it.skipIf(!hasRequests)('prints what it says', async () => {
    const examples = readExamples('python.md', 'python');
    const printed = await runExamples(examples, {
      command: ['python3', '-c'],
      print: (line) => `print('${line}', flush=True)`,
      ...prepare('306329'),
    });
    expect(printed).toEqual(examples.map((example) => example.printed));
    expect(printed.length).toBeGreaterThan(5);
  });
});
