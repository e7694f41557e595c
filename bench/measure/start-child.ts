import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';

export interface Child {
  readonly pid: number;
  /** Why it is not there any more; nothing as long as it is. */
  findEnd(): string | undefined;
  stop(): Promise<void>;
}

export interface ChildOrder {
  readonly command: readonly string[];
  /** Beside the environment of this process. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly folder: string;
  /** What it prints goes here. */
  readonly logFile: string;
}

const secondsToEnd = 5;

/** A process of ours that ends with this one, however that ends. */
export function startChild({ command, environment = {}, folder, logFile }: ChildOrder): Child {
  const log = openSync(logFile, 'a');
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  // `env` replaces itself, so that the process id is the program's.
  const child = spawn('env', [...variables, ...command], {
    cwd: folder,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  const endWithUs = () => child.kill('SIGKILL');
  // Before its folder is removed.
  process.prependOnceListener('exit', endWithUs);
  return {
    pid: child.pid ?? Number.NaN,
    findEnd: () =>
      hasEnded(child)
        ? `${command.join(' ')} ended (${child.exitCode ?? child.signalCode}): ${readEnd(logFile)}`
        : undefined,
    async stop() {
      await stopChild(child);
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
