import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openHookFolder } from '#local/hooks/hook-folder.ts';
import { runHook } from '#local/hooks/run-hook.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'slipway-hooks-'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

function write(name: string, script: string, mode = 0o755): string {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/bash\n${script}\n`);
  chmodSync(path, mode);
  return path;
}

const run = (script: string, timeoutMs?: number) =>
  runHook({
    program: write('hook', script),
    type: 'member.joined',
    input: '{"id":"e1"}\n',
    ...(timeoutMs !== undefined && { timeoutMs }),
  });

describe('a hook', () => {
  it('reads the event, and is told its type', async () => {
    const { output, reason } = await run('echo "$SLIPWAY_EVENT $(cat)"');
    expect([output, reason]).toEqual(['member.joined {"id":"e1"}', undefined]);
  });

  it('has no variable of the service', async () => {
    vi.stubEnv('PASS_SECRET', 'a secret');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'a secret');
    const { output } = await run('env | cut -d= -f1 | sort | tr "\\n" " "');
    const own = ['HOME', 'LANG', 'PATH', 'SLIPWAY_EVENT', 'TZ'];
    const ofBash = ['OLDPWD', 'PWD', 'SHLVL', '_'];
    expect(output.split(' ').filter((name) => ![...own, ...ofBash].includes(name))).toEqual([]);
  });

  it('fails with an exit code or a signal, and with the end of what it said', async () => {
    expect(await run('seq 1 10000; echo "no such user" >&2; exit 3')).toEqual({
      reason: 'exit code 3',
      output: expect.stringMatching(/^[\s\d]{900,}\nno such user$/),
    });
    expect((await run('kill -9 $$')).reason).toBe('signal SIGKILL');
  });

  it('may leave its input unread, and something running', async () => {
    expect(await run('sleep 30 & exit 0')).toEqual({ output: '' });
  });

  it('is ended after its time, with all that it started', async () => {
    const marker = join(folder, 'marker');
    const { reason } = await run(`(sleep 1.5; touch ${marker}) & sleep 30`, 300);
    expect(reason).toBe('no end within 0.3 s');
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    expect(() => chmodSync(marker, 0o600)).toThrow('ENOENT');
  });

  it('fails if it cannot be started', async () => {
    const program = join(folder, 'hook');
    writeFileSync(program, '#!/no/such/interpreter\n', { mode: 0o755 });
    const { reason } = await runHook({ program, type: 'member.left', input: '' });
    expect(reason).toMatch(/^it could not be started/);
  });
});

describe('a folder of hooks', () => {
  it('has a program for each type that is named there, links included', () => {
    const program = write('associations', 'true');
    symlinkSync(program, join(folder, 'member.joined'));
    const { find } = openHookFolder(folder);
    expect(find('member.joined')).toBe(program);
    expect(find('member.left')).toBeUndefined();
    const left = write('member.left', 'true');
    expect(find('member.left')).toBe(left);
  });

  it('must exist', () => {
    expect(() => openHookFolder(join(folder, 'none'))).toThrow('The folder of hooks is missing');
  });

  it.each([
    { mode: 0o775, who: 'a group' },
    { mode: 0o757, who: 'everybody' },
  ])('is refused if $who may write a hook, where it points or around it', ({ mode }) => {
    const program = write('associations', 'true', mode);
    symlinkSync(program, join(folder, 'member.joined'));
    const words = 'others than root and the service can change';
    expect(() => openHookFolder(folder)).toThrow(`${words} ${program}`);
    chmodSync(program, 0o755);
    const { find } = openHookFolder(folder);
    chmodSync(folder, mode);
    expect(() => openHookFolder(folder)).toThrow(`${words} ${folder}`);
    expect(() => find('member.joined')).toThrow(words);
  });

  it.runIf(process.getuid?.() === 0)('is refused if a hook belongs to somebody else', async () => {
    const { chownSync } = await import('node:fs');
    chownSync(write('member.joined', 'true'), 1234, 0);
    expect(() => openHookFolder(folder)).toThrow('cannot be trusted');
  });

  it('is refused if a hook cannot be executed', () => {
    write('member.joined', 'true', 0o644);
    expect(() => openHookFolder(folder)).toThrow('is not an executable file. Run chmod +x');
  });
});
