import { writeFileSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { startAssistant } from '../fixtures/assistant.ts';
import { openCommandHome } from '../fixtures/command-host.ts';
import { startServer } from '../fixtures/http-server.ts';
import { scriptClient } from '../fixtures/scripted-client.ts';

const estimate = {
  ...{ held: { time: 3600, space: 0 }, left: { time: 3600, space: 0 }, runtime: 2, project: 1 },
  ...{ project_hpc: 'HPC_ONE', project_name: 'p', living_jobs: 1, max_living_jobs: 9 },
};

/** A service that takes every submission, and what was sent to it. */
async function startService() {
  const sent: unknown[] = [];
  const url = await startServer(({ method, headers: { payload } }, response) => {
    if (method === 'POST') sent.push(JSON.parse(String(payload)));
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(method === 'POST' ? estimate : []));
  });
  return { sent, url };
}

async function openHome() {
  const { sent, url } = await startService();
  const home = openCommandHome();
  const environment = { SLIPWAY_URL: url, SLIPWAY_TOKEN: 'a.b.c' };
  return { sent, home, run: (...words: string[]) => home.run(words, { environment }) };
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe('the old --time', () => {
  const submit = ['submit', 'hpc_one', '--command', 'ls', '--dry-run'];

  it('works, and says what to write instead', async () => {
    const { sent, run } = await openHome();
    const { code, err } = await run(...submit, '--time', '2h');
    expect([code, err]).toEqual([
      0,
      '--time is now --runtime. The old name works until version 0.5.0.\n',
    ]);
    expect(sent).toMatchObject([{ runtime: 2 }]);
    expect((await run(...submit, '--runtime', '2h')).err).toBe('');
    expect((await run('submit', '--help')).out).not.toContain('--time ');
  });

  it('is refused next to the new one', async () => {
    const { sent, run } = await openHome();
    const { code, err } = await run(...submit, '--time', '2h', '--runtime', '2h');
    expect([code, err]).toEqual([2, 'Give --runtime alone. --time is its old name.\n']);
    expect(sent).toEqual([]);
  });

  it('is in old templates, and wins over one when it is typed', async () => {
    const { sent, home, run } = await openHome();
    await run(...submit, '--save-template', 'study');
    const options = { command: 'ls', time: 5400 };
    writeFileSync(
      `${home.path}/slipway/templates.json`,
      JSON.stringify({ templates: { study: { hpc: 'hpc_one', options } } }),
    );
    expect((await run('templates')).out).toContain('1 node, 1 h 30 min');
    await run('submit', '--template', 'study', '--dry-run');
    await run('submit', '--template', 'study', '--dry-run', '--time', '3h');
    expect(sent.slice(1)).toMatchObject([{ runtime: 1.5 }, { runtime: 3 }]);
  });
});

describe('the old time of assistants', () => {
  const job = { hpc: 'hpc_one', command: 'ls', time: '2h' };

  it('works, and the answer says what to give instead', async () => {
    const { sent, url } = await startService();
    const { call } = await startAssistant({ url, token: 'a.b.c' });
    const { refused, text } = await call('estimate', job);
    expect([refused, text]).toEqual([
      false,
      expect.stringContaining('\ntime is now runtime. It works until version 0.5.0.'),
    ]);
    expect(sent).toMatchObject([{ runtime: 2 }]);
    const { text: other } = await call('estimate', { ...job, time: undefined, runtime: '2h' });
    expect(other).not.toContain('is now');
  });

  it('is refused next to the new one', async () => {
    const { sent, url } = await startService();
    const { call } = await startAssistant({ url, token: 'a.b.c' });
    expect(await call('estimate', { ...job, runtime: '2h' })).toMatchObject({
      refused: true,
      text: 'Give runtime alone. time is its old name.',
    });
    expect(sent).toEqual([]);
  });
});

describe('the old project_name of a submission', () => {
  const job = { hpc: 'hpc_one', command: 'ls', nodes: 1, cores: 1, runtime: 1 };
  const project_name = 'lab';

  it('works, and warns once', async () => {
    const warn = vi.spyOn(process, 'emitWarning').mockReturnValue();
    const { client, asked } = scriptClient([Response.json({ ...estimate, init_date: '' })]);
    await client.estimate({ ...job, project_name });
    await client.submit({ ...job, project_name });
    await client.submitBatch({ ...job, project: 'lab' });
    expect(asked.map(({ path }) => path)).toEqual([
      '/jobs/hpc_one/lab/?dry_run=true',
      '/jobs/hpc_one/lab/',
      '/batches/hpc_one/lab/',
    ]);
    expect(warn.mock.calls).toEqual([
      [
        "'project_name' of a submission is now 'project'. It works until 0.5.0.",
        'DeprecationWarning',
      ],
    ]);
  });

  it('is refused next to the new one', async () => {
    const { client, asked } = scriptClient([]);
    const both = { ...job, project_name, project: 'lab' };
    await expect(client.submit(both)).rejects.toThrow("Give 'project' alone.");
    expect(asked).toEqual([]);
  });
});
