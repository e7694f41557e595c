import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import type { DeployedFunction } from '../deployed/deployed-function.ts';
import { describeExit, describeTimeout, type FunctionError, type Outcome } from './outcome.ts';
import { nodeArguments, ownVariables } from './own-variables.ts';
import { type Invocation, type RuntimeApi, startRuntimeApi } from './runtime-api.ts';

/** How long an event may take. */
export interface Time {
  readonly seconds: number;
  /**
   * How much longer the process is let live. Lambda gives nothing; but where a test is about what a
   * function does by itself, how fast this machine is must not decide it.
   */
  readonly overtimeSeconds: number;
}

/** One process of a function, which takes one event after another. */
export interface Sandbox {
  readonly pid: number;
  /** From its start until it asked for its first event. */
  readonly initMs: number;
  readonly log: readonly string[];
  hasEnded(): boolean;
  run(invocation: Invocation, time: Time): Promise<Outcome>;
  /** The most that it ever had; not known where there is no /proc. */
  peakMegabytes(): number | undefined;
  end(): Promise<void>;
}

/** Lambda's own runtime client, with the function in it, or why it could not be loaded. */
export async function startSandbox(
  runtime: string,
  deployed: DeployedFunction,
  environment: Readonly<Record<string, string>>,
): Promise<Sandbox | FunctionError> {
  const api = await startRuntimeApi();
  const startedAt = performance.now();
  const child = spawn(process.execPath, [...nodeArguments(deployed), runtime], {
    cwd: deployed.directory,
    // An environment may bring the credentials of a role.
    env: { ...ownVariables(deployed), ...environment, AWS_LAMBDA_RUNTIME_API: api.address },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const log = gatherLines(child);
  const exited = once(child, 'exit').then(([code, signal]) => ({ code, signal }));
  const error = await Promise.race([
    api.idle(),
    api.initError,
    exited.then((exit) => describeExit('init', exit)),
  ]);
  if (error) {
    await endProcess(child, api);
    return error;
  }
  const initMs = performance.now() - startedAt;
  freeze(child);
  return {
    pid: child.pid ?? Number.NaN,
    initMs,
    log,
    hasEnded: () => hasEnded(child),
    async run(invocation, { seconds, overtimeSeconds }) {
      const { requestId } = invocation;
      thaw(child);
      const late = Promise.withResolvers<Outcome>();
      const timer = setTimeout(
        () => late.resolve({ error: describeTimeout(requestId, seconds) }),
        invocation.deadline - Date.now() + overtimeSeconds * 1000,
      );
      const gone = exited.then((exit) => ({ error: describeExit(requestId, exit) }));
      const outcome = await Promise.race([api.give(invocation), late.promise, gone]);
      // What comes after the answer is part of the invocation until the process asks for the next.
      const over = await Promise.race([api.idle(), late.promise, gone]);
      clearTimeout(timer);
      if (over) await endProcess(child, api);
      else freeze(child);
      return outcome;
    },
    peakMegabytes: () => readPeak(child),
    end: () => endProcess(child, api),
  };
}

/** Between two events a process stands still: no timer of it runs, and no socket is read. */
function freeze(child: ChildProcess): void {
  child.kill('SIGSTOP');
}

function thaw(child: ChildProcess): void {
  child.kill('SIGCONT');
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

async function endProcess(child: ChildProcess, api: RuntimeApi): Promise<void> {
  if (!hasEnded(child)) {
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }
  await api.close();
}

function gatherLines({ stdout, stderr }: ChildProcess): string[] {
  const lines: string[] = [];
  for (const stream of [stdout, stderr]) {
    let rest = '';
    stream?.setEncoding('utf8').on('data', (text: string) => {
      const parts = (rest + text).split('\n');
      rest = parts.pop() ?? '';
      lines.push(...parts);
    });
  }
  return lines;
}

function readPeak({ pid }: ChildProcess): number | undefined {
  const file = `/proc/${pid}/status`;
  if (!existsSync(file)) return undefined;
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(file, 'utf8')) ?? [];
  return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
}
