import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openCommandHome } from '../fixtures/command-host.ts';
import { startServer } from '../fixtures/http-server.ts';
import { job } from '../fixtures/scripted-client.ts';

const order = '\x1b]0;owned\x07';
const output = Buffer.from(`${order}\x1b[31mred\x1b[0m\n\xff`, 'latin1');
const ended = { ...job, stage: `DONE${order}`, terminal_stage: true, title: `title${order}` };

/** A service whose every text would steer a terminal, and a home that is signed in there. */
async function signIn() {
  const url = await startServer((request, response) => {
    const path = request.url ?? '';
    if (path.startsWith('/files/') && path.endsWith('/out/')) return void response.end(output);
    if (path.startsWith('/files/')) {
      const names = ['stdout', `b${order}`, '../c', 'd'];
      return void response.end(
        JSON.stringify(names.map((filename) => ({ fileid: 'out', filename, length: 1 }))),
      );
    }
    if (path.includes('timeline')) {
      return void response.end(JSON.stringify({ entries: [], reason: `why${order}` }));
    }
    if (path.startsWith('/jobs/hpc_one/')) return void response.end(JSON.stringify(ended));
    if (path.startsWith('/jobs/')) return void response.end(JSON.stringify([ended]));
    if (path.startsWith('/batches/')) return void response.end('[]');
    const problem = { type: 'urn:x', title: order, status: 400, detail: order, instance: order };
    response.writeHead(400, { 'content-type': 'application/problem+json' });
    response.end(JSON.stringify(problem));
  });
  const home = openCommandHome();
  const environment = { SLIPWAY_URL: url, SLIPWAY_TOKEN: 'a.b.c', TERM: 'xterm' };
  return { home, environment };
}

describe('a terminal', () => {
  it.each([['logs'], ['jobs'], ['files'], ['status'], ['jobs', '--json'], ['jobs', '--csv']])(
    'gets no control sequences from slipway %s %s',
    async (...words) => {
      const { home, environment } = await signIn();
      const { out, err } = await home.run(words, { environment, columns: 100 });
      expect(`${out}${err}`).not.toContain('\x1b]');
      expect(`${out}${err}`).not.toContain('\x07');
      expect(`${out}${err}`).toContain('owned');
    },
  );

  it('gets the raw output of a job with --raw', async () => {
    const { home, environment } = await signIn();
    const { out } = await home.run(['logs', '--raw'], { environment, columns: 100 });
    expect(out).toBe(output.toString());
  });
});

describe('a file or a pipe', () => {
  it('gets the output of a job byte by byte', async () => {
    const { home, environment } = await signIn();
    expect((await home.run(['logs'], { environment })).out).toBe(output.toString());
  });
});

describe('slipway download', () => {
  it('continues after a bad name, reports it, and exits with 3', async () => {
    const { home, environment } = await signIn();
    const folder = join(home.path, 'results');
    const { code, out, err } = await home.run(['download', '--to', folder], { environment });
    expect(readdirSync(folder).sort()).toEqual(['b_]0;owned_', 'd', 'stdout']);
    expect(readFileSync(join(folder, 'd')).equals(output)).toBe(true);
    expect(err).toBe(
      `Saved 'b\ufffd]0;owned\ufffd' as ${join(folder, 'b_]0;owned_')}\n` +
        "Skipped '../c'. The name leads out of the folder.\n",
    );
    expect(out).toContain('Saved 3 files');
    expect(code).toBe(3);
  });
});

describe('--timeout', () => {
  it.each([
    { words: ['--timeout', '1s', 'status'], more: {} },
    { words: ['status'], more: { SLIPWAY_TIMEOUT: '1s' } },
  ])('limits the wait for one answer: $words', async ({ words, more }) => {
    const url = await startServer(() => undefined);
    const environment = { SLIPWAY_URL: url, SLIPWAY_TOKEN: 'a.b.c', ...more };
    const { code, err } = await openCommandHome().run(words, { environment });
    expect(err).toContain('no answer came in time');
    expect(code).toBe(4);
  });

  it('is a duration', async () => {
    const environment = { SLIPWAY_URL: 'http://localhost:1', SLIPWAY_TOKEN: 'a.b.c' };
    const home = openCommandHome();
    const wrong = await home.run(['status'], {
      environment: { ...environment, SLIPWAY_TIMEOUT: 'soon' },
    });
    expect(wrong.err).toBe(
      "SLIPWAY_TIMEOUT is 'soon', which is not a duration.\nWrite it with its unit, such as 30s or 2m.\n",
    );
    expect(wrong.code).toBe(2);
    expect((await home.run(['--timeout', 'soon', 'status'], { environment })).code).toBe(2);
  });
});
