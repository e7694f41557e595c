import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openCommandHome } from '../fixtures/command-host.ts';
import { startServer } from '../fixtures/http-server.ts';

const estimate = {
  held: { time: 3600, space: 1 },
  left: { time: 36_000, space: 1 },
  living_jobs: 1,
  max_living_jobs: 10,
};

/** A home before a service that estimates everything and notes what it was asked for. */
async function openHome() {
  const asked: { path: string; payload: Record<string, unknown> }[] = [];
  const url = await startServer(({ method, headers, url: path = '' }, response) => {
    if (method === 'POST') asked.push({ path, payload: JSON.parse(`${headers.payload}`) });
    const isKnown = !path.includes('nowhere');
    response.writeHead(isKnown ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(method === 'POST' && isKnown ? estimate : []));
  });
  const home = openCommandHome();
  const environment = { SLIPWAY_URL: url, SLIPWAY_TOKEN: 'a.b.c' };
  const run = (...words: string[]) => home.run(words, { environment });
  return { asked, run, file: join(home.path, 'slipway/templates.json') };
}

const study = ['submit', 'hpc_one', '--command', 'node study.mjs', '--dry-run'];

describe('a template', () => {
  it('keeps a submission, of which typed options change parts', async () => {
    const { asked, run, file } = await openHome();
    const saved = await run(...study, '-n', '2', '--runtime', '2h', '--save-template', 'study');
    expect(saved.err).toBe('Saved as study. Next time: slipway submit --template study\n');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await run('submit', '--template', 'study', '--nodes', '4', '--dry-run');
    await run('submit', 'hpc_two', '--template', 'study', '--tool', 'PYTHON', '--dry-run');
    expect(asked.map(({ path }) => path.split('/')[2])).toEqual(['hpc_one', 'hpc_one', 'hpc_two']);
    expect(asked.map(({ payload }) => payload)).toMatchObject([
      { command: 'node study.mjs', node_number: 2, runtime: 2 },
      { command: 'node study.mjs', node_number: 4, runtime: 2 },
      { tool: 'PYTHON', node_number: 2, runtime: 2 },
    ]);
    expect(asked[2]?.payload).not.toHaveProperty('command');
  });

  it('is listed and removed', async () => {
    const { run } = await openHome();
    await run(...study, '--save-template', 'study');
    expect((await run('templates')).out).toContain('study     hpc_one');
    expect((await run('complete', 'templates', 'st')).out).toBe('study\n');
    expect((await run('templates', '--remove', 'study')).out).toBe('Removed study.\n');
    expect((await run('templates', '--remove', 'study')).code).toBe(2);
    expect((await run('templates')).err).toContain('You have no templates.');
  });

  it('is not saved if the service refuses the submission', async () => {
    const { run } = await openHome();
    const nowhere = ['submit', 'nowhere', '--command', 'ls', '--dry-run'];
    expect((await run(...nowhere, '--save-template', 'study')).code).not.toBe(0);
    const { code, err } = await run('submit', '--template', 'study');
    expect([code, err.split('\n')[0]]).toEqual([2, "You have no template 'study'."]);
  });

  it('must have a plain name, and be in a file that can be read', async () => {
    const { run, file } = await openHome();
    expect((await run(...study, '--save-template', 'a b')).code).toBe(2);
    await run(...study, '--save-template', 'study');
    writeFileSync(file, '{');
    const { code, err } = await run('submit', '--template', 'study');
    expect([code, err]).toEqual([2, expect.stringContaining('templates.json cannot be read.')]);
  });

  it('or a system is required', async () => {
    const { run } = await openHome();
    expect(await run('submit', '--command', 'ls')).toMatchObject({
      code: 2,
      err: expect.stringContaining('The system is missing.'),
    });
  });
});
