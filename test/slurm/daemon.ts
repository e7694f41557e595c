import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { pollUntil } from './poll-until.ts';

export interface Daemon {
  readonly pid: number;
  stop(signal?: NodeJS.Signals): Promise<void>;
}

export interface DaemonOrder {
  readonly name: string;
  readonly command: readonly string[];
  readonly logFile: string;
  readonly environment?: Readonly<Record<string, string>>;
  isReady(pid: number): Promise<boolean>;
}

/**
 * A process of ours, in the foreground, until it is stopped by its own handle. All wrappers used
 * (setpriv, unshare) replace themselves, so that the process id is the daemon's.
 */
export async function startDaemon(order: DaemonOrder): Promise<Daemon> {
  const log = openSync(order.logFile, 'a');
  const [program = '', ...parameters] = order.command;
  const child = spawn(program, parameters, {
    cwd: '/',
    stdio: ['ignore', log, log],
    env: { ...process.env, ...order.environment },
  });
  closeSync(log);
  // A test run that is broken off leaves nothing behind, either.
  const endWithUs = () => child.kill('SIGKILL');
  process.once('exit', endWithUs);
  const stop = async (signal: NodeJS.Signals = 'SIGTERM') => {
    await stopChild(child, signal);
    process.off('exit', endWithUs);
  };
  try {
    await pollUntil(`${order.name} is ready`, 30, async () => {
      if (hasEnded(child)) throw new Error(`${order.name} ended: ${readEnd(order.logFile)}`);
      return (await order.isReady(child.pid ?? 0)) || undefined;
    });
  } catch (error) {
    await stop();
    throw error;
  }
  return { pid: child.pid ?? 0, stop };
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

async function stopChild(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (hasEnded(child)) return;
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill(signal);
  const lastResort = setTimeout(() => child.kill('SIGKILL'), 15_000);
  await ended;
  clearTimeout(lastResort);
}

function readEnd(logFile: string): string {
  return readFileSync(logFile, 'utf8').split('\n').slice(-20).join('\n');
}
