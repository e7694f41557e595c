import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findFreePort } from '../engines/find-free-port.ts';
import { compileCache, end, projectRoot, readToEnd, readUntil } from '../fixtures/edition.ts';
import { checkOut } from '../releases/check-out.ts';
import { type Answers, readAnswers } from '../releases/read-answers.ts';
import { releases } from '../releases/releases.ts';

const page = readFileSync(join(projectRoot, 'docs/updating.md'), 'utf8');
// The block that deploys to AWS is none of a laptop.
const [update = '', back = ''] = [...page.matchAll(/^ *```sh\n(.*?)```/gms)]
  .map(([, block = '']) => block)
  .filter((block) => block.includes('npm start'));
const [after = ''] = [...page.matchAll(/^```console\n(.*?)```/gms)].map(([, block = '']) => block);
const [first] = releases;

describe('docs/updating.md', () => {
  it('updates a laptop edition and goes back, by its own commands', async () => {
    const old = checkOut(first.commit);
    if (old === undefined) return;
    const { folder, port } = await prepare(old);
    const shell = openShell(folder, port);
    const before: Answers = JSON.parse(readFileSync(join(folder, 'answers.json'), 'utf8'));
    const url = `http://localhost:${port}`;
    await end((await shell.start()).child, 'SIGINT');

    shell.run(withoutStart(update));
    const { child, token } = await shell.start();
    const call = openCall(url, token);
    expect(Object.keys(await readAnswers(call))).toEqual(
      expect.arrayContaining(Object.keys(before)),
    );
    for (const [command, answer] of readConsole(after)) {
      const printed = shell.run(command.replaceAll('localhost:3000', `localhost:${port}`));
      expect(printed.replace(/\+\w+(-dirty)?/, '').trim()).toBe(answer);
    }
    await end(child, 'SIGINT');

    execFileSync('git', ['checkout', '-q', `v${first.release}`], { cwd: folder });
    const { code, text } = await readToEnd(shell.begin());
    expect([code, text]).toEqual([1, expect.stringContaining('its layout is version 2, not 1')]);
    execFileSync('git', ['checkout', '-q', '-'], { cwd: folder });

    shell.run(withoutStart(back));
    const again = await shell.start();
    const restored = openCall(url, again.token);
    const status = Object(await restored('/status/'));
    expect(status.version).toContain(first.release);
    expect(Object.keys(await readAnswers(restored))).toEqual(
      expect.arrayContaining(Object.keys(before)),
    );
    await end(again.child, 'SIGINT');
  }, 240_000);
});

/** A clone of a repository with two releases, at the first one, with data of it. */
async function prepare(old: string): Promise<{ folder: string; port: number }> {
  const place = mkdtempSync(join(tmpdir(), 'slipway-updating-'));
  onTestFinished(() => rmSync(place, { recursive: true }));
  const origin = join(place, 'origin');
  const git = (...words: string[]) => execFileSync('git', words, { cwd: origin, stdio: 'pipe' });
  const commit = (tag: string) => {
    git('add', '-A');
    git('-c', 'user.name=a', '-c', 'user.email=a@example.org', 'commit', '-qm', tag);
    git('tag', tag);
  };
  cpSync(old, origin, { recursive: true, filter: (path) => !path.endsWith('node_modules') });
  git('init', '-q');
  commit(`v${first.release}`);
  git('rm', '-rq', '.');
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
    cwd: projectRoot,
    encoding: 'utf8',
  });
  for (const file of files.trim().split('\n')) {
    cpSync(join(projectRoot, file), join(origin, file), { recursive: true });
  }
  const { version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'));
  commit(`v${version}`);
  const folder = join(place, 'slipway');
  execFileSync('git', ['clone', '-q', '-b', `v${first.release}`, origin, folder], {
    stdio: 'ignore',
  });
  symlinkSync(join(projectRoot, 'node_modules'), join(folder, 'node_modules'));
  const archive = join(projectRoot, 'test/releases', `${first.release}.tgz`);
  execFileSync('tar', ['-xzf', archive, '-C', folder, '--strip-components=2', './stopped']);
  return { folder, port: await findFreePort() };
}

/** Runs commands in the folder of the service. Packages are there, so `npm ci` has nothing to do. */
function openShell(cwd: string, port: number) {
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    NODE_COMPILE_CACHE: compileCache,
    PORT: String(port),
    SYSTEMS: 'simulated',
  };
  const run = (commands: string) =>
    execFileSync('sh', ['-ec', `npm() { [ "$1" = ci ] || command npm "$@"; }\n${commands}`], {
      cwd,
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  /** `npm start`, without npm around it, so that signals reach it. */
  const begin = (): ChildProcess =>
    spawn(process.execPath, [join(cwd, 'local/start.ts')], { cwd, env });
  const start = async () => {
    const child = begin();
    onTestFinished(async () => {
      if (child.exitCode === null && child.signalCode === null) await end(child, 'SIGKILL');
    });
    const welcome = await readUntil(child, /\/admin\/quotas\/.*\n/);
    return { child, token: /^ey\S+$/m.exec(welcome)?.[0] ?? '' };
  };
  return { run, begin, start };
}

function withoutStart(block: string): string {
  const lines = block.split('\n').map((line) => line.trim());
  expect(lines).toContain('npm start');
  return lines.filter((line) => line !== 'npm start').join('\n');
}

/** The commands of a console block, each with what it prints. */
function readConsole(block: string): [string, string][] {
  return block
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const [command = '', ...answer] = part.trim().split('\n');
      return [command, answer.join('\n')];
    });
}

function openCall(url: string, token: string) {
  return async (path: string): Promise<unknown> => {
    const answer = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } });
    return JSON.parse(await answer.text());
  };
}
