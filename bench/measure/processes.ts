import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

interface ChildOrder {
  readonly command: readonly string[];
  /** Added to the environment of this process. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly folder: string;
  /** The file for its output. */
  readonly logFile: string;
}

const secondsToEnd = 5;

/** Starts a process that ends when this one ends. */
export function startChild({ command, environment = {}, folder, logFile }: ChildOrder) {
  const log = openSync(logFile, 'a');
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  // `env` replaces itself with the program, so the process id is the program's.
  const child = spawn('env', [...variables, ...command], {
    cwd: folder,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  const endWithUs = () => child.kill('SIGKILL');
  // Kill the child before its folder is removed.
  process.prependOnceListener('exit', endWithUs);
  return {
    pid: child.pid ?? Number.NaN,
    /** Says why the process has ended; undefined while it runs. */
    findEnd: () =>
      hasEnded(child)
        ? `${command.join(' ')} ended (${child.exitCode ?? child.signalCode}): ${readEnd(logFile)}`
        : undefined,
    async stop() {
      await stopChild(child);
      process.off('exit', endWithUs);
    },
    async kill() {
      const ended = once(child, 'exit');
      if (!hasEnded(child) && child.kill('SIGKILL')) await ended;
      process.off('exit', endWithUs);
    },
  };
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const lastResort = setTimeout(() => child.kill('SIGKILL'), secondsToEnd * 1000);
  await ended;
  clearTimeout(lastResort);
}

function readEnd(logFile: string): string {
  return readFileSync(logFile, 'utf8').split('\n').slice(-10).join('\n');
}

/** Runs a program and returns its exit code. The program ends when this process ends. */
export async function runChild(
  program: string,
  parameters: readonly string[],
  options: SpawnOptions = {},
): Promise<number> {
  const child = spawn(program, parameters, { stdio: 'inherit', ...options });
  // Not by force, because it has its own files to remove.
  const endWithUs = () => child.kill('SIGTERM');
  process.prependOnceListener('exit', endWithUs);
  const [code] = await once(child, 'exit');
  process.off('exit', endWithUs);
  return typeof code === 'number' ? code : 1;
}

/**
 * Not the system's folder for temporary files, which may be in memory: the disk is part of what is
 * measured.
 */
const place = join(import.meta.dirname, '../../.slipway');

/** Creates a folder that is removed when this process ends. */
export function createTemporaryFolder(): string {
  mkdirSync(place, { recursive: true, mode: 0o700 });
  const folder = mkdtempSync(join(place, 'bench-'));
  process.once('exit', () =>
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }),
  );
  return folder;
}

/** Exits on a signal, so that listeners of 'exit' remove what was started and written. */
export function exitOnSignals(): void {
  process.once('SIGINT', () => process.exit(130));
  process.once('SIGTERM', () => process.exit(143));
}
