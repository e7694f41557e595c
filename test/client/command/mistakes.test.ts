import { describe, expect, it } from 'vitest';
import { suggest } from '#client/src/cli/terminal/explain-problem.ts';
import { describeCause, explain } from '#client/src/cli/terminal/outcome.ts';
import { SlipwayProblem } from '#client/src/index.ts';
import { openCommandHome } from '../fixtures/command-host.ts';
import { startServer } from '../fixtures/http-server.ts';

const systems = [{ name: 'hpc_one' }, { name: 'hpc_two' }];
const projects = [
  { project_hpc: 'HPC_ONE', project_name: 'proj_hpc_one_01' },
  { project_hpc: 'HPC_TWO', project_name: 'proj_hpc_two_01' },
];

function problem(name: string, members: object = {}) {
  return {
    type: `urn:slipway:problem:${name}`,
    title: 'A title',
    status: 404,
    detail: 'Unknown thing. GET /hpc/ lists all, Authorization: Bearer <ACCESS_TOKEN>.',
    instance: 'f00d',
    ...members,
  };
}

/** Runs a command before a service that refuses everything but lists of names. */
async function refuse(words: readonly string[], refusal: object) {
  const url = await startServer(({ method, url: path }, response) => {
    const list = { '/hpc/': systems, '/projects/': projects }[method === 'GET' ? `${path}` : ''];
    response.writeHead(list ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(list ?? refusal));
  });
  const environment = { SLIPWAY_URL: url, SLIPWAY_TOKEN: 'a.b.c' };
  const { code, err } = await openCommandHome().run(words, { environment });
  return { code, lines: err.trimEnd().split('\n') };
}

describe('a mistake', () => {
  it.each([
    ['hpc_on', 'Did you mean hpc_one?'],
    ['HPC_TOW', 'Did you mean hpc_two?'],
    ['nirvana', 'Known: hpc_one, hpc_two.'],
  ])('in the name of a system is shown with what was meant: %s', async (hpc, next) => {
    const { code, lines } = await refuse(['jobs', hpc], problem('system-not-found'));
    expect(lines).toEqual([`Unknown system '${hpc}'.`, next, 'Request f00d']);
    expect(code).toBe(3);
  });

  it.each([
    [['jobs', 'hpc_one', 'proj_hpc_one_1'], 'Did you mean proj_hpc_one_01?'],
    [['jobs', 'hpc_two', 'mine'], 'Known: proj_hpc_two_01.'],
  ])('in the name of a project is shown with those of the system: %s', async (words, next) => {
    const { lines } = await refuse(words, problem('project-not-found'));
    expect(lines.slice(0, 2)).toEqual([`Unknown project '${words[2]}'.`, next]);
  });

  it('in a field is shown with its flag', async () => {
    const errors = [
      { location: 'payload', name: 'node_number', message: 'It must be from 1 to 512.' },
      { location: 'payload', name: 'tool', message: 'Unknown. Known fields: command, runtime.' },
      { location: 'payload', name: 'init_file', message: 'Needed with core_number.' },
    ];
    const words = ['submit', 'hpc_one', '--command', 'ls'];
    const { lines } = await refuse(words, problem('invalid-request', { status: 400, errors }));
    expect(lines).toEqual([
      'The service refused this:',
      '  --nodes: It must be from 1 to 512.',
      '  --tool: Unknown. Known fields: --command, --runtime.',
      '  init_file: Needed with --cores.',
      'Request f00d',
    ]);
  });

  it('in the profile names it in the next step', async () => {
    const words = ['--profile', 'admin', 'quotas'];
    const { lines } = await refuse(words, problem('invalid-token', { status: 403 }));
    expect(lines[1]).toBe('Sign in again: slipway login --profile admin');
  });

  it('is never close to a name that is quite different', () => {
    expect(suggest('ab', ['xy', 'ac'])).toBe('Did you mean ac?');
    expect(suggest('ab', ['xy'])).toBeUndefined();
    expect(suggest(undefined, ['xy'])).toBeUndefined();
  });
});

/** The texts of the service for these problems name paths or parameters of the API. */
const ofTheApi = [
  'invalid-token',
  'job-not-found',
  'batch-not-found',
  'user-not-found',
  'account-not-found',
  'webhook-not-found',
  'delivery-not-found',
  'path-not-found',
  'submission-uncertain',
  'internal-error',
];

describe('the sentence of the command', () => {
  it.each(ofTheApi)('for %s has a next step and no words of the API', (name) => {
    const { lines } = explain(new SlipwayProblem(problem(name)), false);
    expect(lines.join('\n')).not.toMatch(/GET|Bearer/);
    expect(lines).toHaveLength(3);
  });
});

describe('a service that does not answer', () => {
  const fail = (code: string, message = '') => {
    const inner = Object.assign(new Error(message), { code });
    return new Error('fetch failed', { cause: new Error('fetch failed', { cause: inner }) });
  };

  it.each([
    [fail('ECONNREFUSED'), 'nothing answers at this address'],
    [fail('ENOTFOUND'), 'the name of the service is not known here'],
    [fail('DEPTH_ZERO_SELF_SIGNED_CERT'), 'this machine does not trust its certificate'],
    [new Error('x', { cause: new Error('It timed out') }), /came in time \(--timeout 2m/],
    [new Error('The answer is not JSON'), 'The answer is not JSON'],
    [fail('', 'bad port'), 'bad port'],
  ])('is described by its cause: %o', (error, words) => {
    expect(describeCause(error)).toMatch(words);
  });
});
