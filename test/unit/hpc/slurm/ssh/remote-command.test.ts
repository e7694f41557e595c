import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { readAfterMark, writeLine } from '#lib/hpc/slurm/ssh/remote-command.ts';

const mark = 'slipway-0';

/** Runs a line as sshd does it, by the login shell of the user. */
function runByShell(line: string, shell = 'bash'): string {
  const env = { PATH: '/usr/bin:/bin', SECRET: 'of the session' };
  const output = execFileSync(shell, ['-c', line], { env, encoding: 'utf8', stdio: 'pipe' });
  return readAfterMark(output, mark) ?? 'no mark';
}

const hostile = [
  `'; echo bad; '`,
  '$(echo bad)',
  '`echo bad`',
  '"$HOME"',
  'a\nb',
  '\\',
  '*',
  '--version; reboot',
  `it's "this" & that | those > there < here # not`,
  'ü€😀',
];

describe('the line for a login shell', () => {
  it.each(hostile)('passes %j on as one word', (text) => {
    const line = writeLine({ program: 'printf', parameters: ['[%s]', text], seconds: 5 }, mark);
    expect(runByShell(line)).toBe(`[${text}]`);
    expect(runByShell(line, 'sh')).toBe(`[${text}]`);
  });

  it('gives the program no environment but what it is told', () => {
    const environment = { TZ: 'UTC' };
    const line = writeLine({ program: 'env', parameters: [], environment, seconds: 5 }, mark);
    expect(runByShell(line).trim().split('\n').toSorted()).toEqual([
      'PATH=/usr/local/bin:/usr/bin:/bin',
      'TZ=UTC',
    ]);
  });

  it('ends the program after its time, even if nobody waits for it', () => {
    const line = writeLine({ program: 'sleep', parameters: ['60'], seconds: 1 }, mark);
    expect(() => runByShell(line)).toThrow(expect.objectContaining({ status: 124 }));
  });

  it('names the commands of a directory of their own by their whole path', () => {
    const order = { program: 'printf', parameters: ['good'], seconds: 5 };
    expect(runByShell(writeLine(order, mark, { commands: '/usr/bin/' }))).toBe('good');
    expect(writeLine({ ...order, as: 'ada' }, mark, { commands: '/opt/slurm/bin' })).toContain(
      '/opt/slurm/bin/printf',
    );
  });

  it('runs it as an account by sudo, which never asks for a password', () => {
    const order = { program: 'sbatch', parameters: ['--parsable'], seconds: 60, as: 'ada' };
    expect(writeLine(order, mark).replaceAll(`'\\''`, '')).toContain(
      'timeout -k 5 60 sudo -n -u ada -- sbatch --parsable',
    );
  });
});
