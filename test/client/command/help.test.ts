import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createProgram } from '../../../client/src/cli/program.ts';
import { openCommandHome } from '../fixtures/command-host.ts';

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

describe('completion', () => {
  async function complete(shell: 'bash' | 'zsh' | 'fish'): Promise<string> {
    const folder = mkdtempSync(join(tmpdir(), 'slipway-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'completion');
    writeFileSync(file, (await openCommandHome().run(['completion', shell])).out);
    return file;
  }

  const has = (shell: string) => spawnSync(shell, ['-c', 'true']).status === 0;

  it('in bash completes commands, subcommands and options', async () => {
    const file = await complete('bash');
    const script = `source ${file}
      try() { COMP_WORDS=(slipway "$@"); COMP_CWORD=$#; _slipway; echo "\${COMPREPLY[@]}"; }
      try su; try webhooks del; try submit --nod; try --profile x qu`;
    const { stdout, stderr } = spawnSync('bash', ['-c', script], { encoding: 'utf8' });
    expect(stdout.split('\n')).toEqual(['submit', 'delete deliveries', '--nodes', 'quotas', '']);
    expect(stderr).toBe('');
  });

  it.skipIf(!has('fish'))('in fish completes commands too', async () => {
    const file = await complete('fish');
    const script = `source ${file}; complete -C 'slipway su'; complete -C 'slipway submit --nod'`;
    const { stdout } = spawnSync('fish', ['--no-config', '-c', script], { encoding: 'utf8' });
    expect(stdout.split('\n').map((line) => line.split('\t')[0])).toEqual([
      'submit',
      '--nodes',
      '',
    ]);
  });

  it.skipIf(!has('zsh'))('in zsh is a valid script', async () => {
    const file = await complete('zsh');
    expect(spawnSync('zsh', ['-n', file], { encoding: 'utf8' })).toMatchObject({
      status: 0,
      stderr: '',
    });
  });
});
