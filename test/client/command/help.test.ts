import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createProgram } from '../../../client/src/cli/program.ts';
import { openCommandHome } from '../fixtures/command-host.ts';
import { startServer } from '../fixtures/http-server.ts';

const host = {
  out: { write: () => undefined },
  err: { write: () => undefined },
  environment: {},
  ask: async () => undefined,
  openPage: () => undefined,
  onInterrupt: () => undefined,
};

const program = createProgram(host, () => {
  throw new Error('No command is run here.');
});

function listAll(command: CommandUnknownOpts, path: readonly string[] = []): (readonly string[])[] {
  return [path, ...command.commands.flatMap((each) => listAll(each, [...path, each.name()]))];
}

describe('--help', () => {
  it.each(listAll(program).map((path) => [path.join(' '), path] as const))(
    'of slipway %s has an example and fits the width',
    async (_, path) => {
      const { code, out } = await openCommandHome().run([...path, '--help'], { columns: 80 });
      expect(code).toBe(0);
      expect(out).toMatch(/\nExamples?:\n {2}\$ /);
      const words = out.slice(0, out.indexOf('\nExample'));
      for (const line of words.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
    },
  );
});

describe('--help in German', () => {
  it.each(
    listAll(program)
      .filter(([name]) => name !== 'complete')
      .map((path) => [path.join(' '), path] as const),
  )('of slipway %s has German words for values and fits the width', async (_, path) => {
    const { out } = await openCommandHome().run([...path, '--help', '--lang', 'de'], {
      columns: 80,
    });
    const german = out.slice(0, out.indexOf('\nBeispiel'));
    // English words begin small, German ones do not, except for two.
    const left = [...german.matchAll(/[<[](?!was>|wann>)[a-z][^\s>\]]*[>\]]/g)].map(([it]) => it);
    expect(left).toEqual([]);
    for (const line of german.split('\n')) {
      expect(line.length).toBeLessThanOrEqual(80);
    }
  });
});

describe('the commands of docs/projects.md', () => {
  const page = readFileSync(new URL('../../../docs/projects.md', import.meta.url), 'utf8');
  const lines = [...page.matchAll(/(?:`|^\$ )(slipway [^`\n]+)/gm)].map(([, line = '']) => line);

  it.each(lines)('%s exist', (line) => {
    let command: CommandUnknownOpts = program;
    for (const word of line.split(' ').slice(1)) {
      command = command.commands.find((each) => each.name() === word) ?? command;
    }
    expect(command).not.toBe(program);
    const known = command.options.map(({ long }) => long);
    for (const [option] of line.matchAll(/--[a-z-]+/g)) expect(known).toContain(option);
  });
});

describe('completion', () => {
  async function complete(shell: 'bash' | 'zsh' | 'fish'): Promise<string> {
    const folder = mkdtempSync(join(tmpdir(), 'slipway-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'completion');
    writeFileSync(file, (await openCommandHome().run(['completion', shell])).out);
    return file;
  }

  const has = (shell: string) => spawnSync(shell, ['-c', 'true']).status === 0;

  /** Answers for the service, and shows what it was asked for. */
  const service = 'slipway() { echo "$2/$3"; }';

  it('in bash completes commands, subcommands and options', async () => {
    const file = await complete('bash');
    const script = `source ${file}
      try() { COMP_WORDS=(slipway "$@"); COMP_CWORD=$#; _slipway; echo "\${COMPREPLY[@]}"; }
      try su; try webhooks del; try submit --nod; try --profile x qu`;
    const { stdout, stderr } = spawnSync('bash', ['-c', script], { encoding: 'utf8' });
    expect(stdout.split('\n')).toEqual(['submit', 'delete deliveries', '--nodes', 'quotas', '']);
    expect(stderr).toBe('');
  });

  /** What is typed, and what the service is asked for then. */
  const asked: readonly (readonly [string, string])[] = [
    ['submit h', 'systems/h'],
    ['submit -n 2 h', 'systems/h'],
    ['submit hpc_one . -p pr', 'projects/pr'],
    ['submit hpc_one --after AF', 'jobs,batches/AF'],
    ['submit hpc_one --input-from AF', 'jobs,batches/AF'],
    ['wait 2a', 'jobs,batches/2a'],
    ['rm AF17 2A', 'jobs,batches/2A'],
    ['logs -f AF', 'jobs/AF'],
    ['jobs --batch 5C', 'batches/5C'],
    ['jobs hpc_one pr', 'projects/pr'],
    ['admin grant 306328 pr', 'projects/pr'],
  ];

  it('in bash asks the service for systems, projects and ids', async () => {
    const file = await complete('bash');
    const tries = asked.map(([typed]) => `try ${typed}`).join('\n');
    const script = `cd /; source ${file}; ${service}
      try() { COMP_WORDS=(slipway "$@"); COMP_CWORD=$#; _slipway; echo "$*: \${COMPREPLY[@]}"; }
      ${tries}
      try submit hpc_one et`;
    const { stdout } = spawnSync('bash', ['-c', script], { encoding: 'utf8' });
    expect(stdout.trimEnd().split('\n')).toEqual([
      ...asked.map(([typed, names]) => `${typed}: ${names}`),
      'submit hpc_one et: etc',
    ]);
  });

  it.skipIf(!has('fish'))('in fish completes commands too, and names of the service', async () => {
    const file = await complete('fish');
    const script = `source ${file}; function slipway; echo hpc_$argv[2]; end
      for typed in 'su' 'submit --nod' 'submit hpc_s' 'submit -p hpc_p' 'wait hpc_j'
        complete -C "slipway $typed"
      end`;
    const { stdout } = spawnSync('fish', ['--no-config', '-c', script], { encoding: 'utf8' });
    expect(stdout.split('\n').map((line) => line.split('\t')[0])).toEqual([
      'submit',
      '--nodes',
      'hpc_systems',
      'hpc_projects',
      'hpc_jobs,batches',
      '',
    ]);
  });

  it.skipIf(!has('zsh'))('in zsh asks the service for the same names', async () => {
    const file = await complete('zsh');
    const tries = asked.map(([typed]) => `try ${typed}`).join('\n');
    const script = `compdef() { :; }; _files() { :; }; source ${file}; ${service}
      _describe() { [ "$1" = name ] && print -r -- "$typed: \${(P)2}"; }
      try() { typed="$*"; words=(slipway "$@"); CURRENT=$(($# + 1)); _slipway; }
      ${tries}`;
    const { stdout, stderr } = spawnSync('zsh', ['-f', '-c', script], { encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(stdout.trimEnd().split('\n')).toEqual(
      asked.map(([typed, names]) => `${typed}: ${names}`),
    );
  });
});

describe('slipway complete', () => {
  const job = (id: string, title: string) => ({ job_id: id, title, stage: 'RUNNING' });

  async function startService() {
    const asked: string[] = [];
    const lists: Readonly<Record<string, unknown>> = {
      '/hpc/': [
        { name: 'hpc_one', description: 'fast' },
        { name: '$(reboot)', description: '' },
      ],
      '/jobs/?order=desc&limit=100': [
        job('2A77312F-0000-4000-8000-000000000000', 'first\tstudy'),
        job('AF17D39A-0000-4000-8000-000000000000', ''),
      ],
    };
    const url = await startServer(({ url: path = '' }, response) => {
      asked.push(path);
      response.writeHead(lists[path] ? 200 : 500, { 'content-type': 'application/json' });
      response.end(JSON.stringify(lists[path] ?? {}));
    });
    const home = openCommandHome();
    const environment = { SLIPWAY_URL: url, SLIPWAY_TOKEN: 'a.b.c', XDG_CACHE_HOME: home.path };
    return {
      asked,
      run: (...words: string[]) => home.run(['complete', ...words], { environment }),
    };
  }

  it('prints names that start this way, in the letters as typed', async () => {
    const { run } = await startService();
    expect(await run('jobs', '2a', '--describe')).toEqual({
      code: 0,
      out: '2a77312f\tfirst\ufffdstudy, RUNNING\n',
      err: '',
    });
    expect((await run('jobs')).out).toBe('2A77312F\nAF17D39A\n');
  });

  it('asks once in some seconds, and prints no name that a shell could run', async () => {
    const { run, asked } = await startService();
    for (let time = 0; time < 3; time += 1) expect((await run('systems')).out).toBe('hpc_one\n');
    expect(asked).toEqual(['/hpc/']);
  });

  it('is silent if anything fails', async () => {
    const { run } = await startService();
    const nothing = { code: 0, out: '', err: '' };
    expect(await run('batches')).toEqual(nothing);
    expect(await run('planets')).toEqual(nothing);
    expect(await openCommandHome().run(['complete', 'jobs'])).toEqual(nothing);
  });
});
