import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import * as v from 'valibot';
import { readEnvironment } from '#lib/config.ts';
import type { EventType } from '#lib/events/event.ts';
import { awaitShutdown } from '#lib/outbound/shutdown.ts';
import { systemPath } from '../shepherd/system-path.ts';

/** A hook has this long. It runs beside others, but holds up those of the same user or project. */
const timeoutMs = 60_000;

/** The end of its output goes into the log. */
const keptOutput = 1_000;

/** All that a hook sees of the service's variables. */
const HookEnvironment = v.object({
  PATH: v.optional(v.string(), systemPath),
  HOME: v.optional(v.string(), '/'),
  LANG: v.optional(v.string(), 'C.UTF-8'),
  TZ: v.optional(v.string()),
});

export interface HookResult {
  /** Why the run was no success, if it was not. */
  readonly reason?: string;
  /** True if the service ends, so that nobody knows what would have become of it. */
  readonly abandoned?: boolean;
  readonly output: string;
}

export interface HookCall {
  readonly program: string;
  readonly type: EventType;
  /** What the program reads on standard input. */
  readonly input: string;
  readonly timeoutMs?: number;
}

/**
 * Runs a hook to its end, or ends it with all that it started when its time is over. It gets no
 * variable of the service, because some hold secrets.
 */
export function runHook({ program, type, input, ...limits }: HookCall): Promise<HookResult> {
  const limitMs = limits.timeoutMs ?? timeoutMs;
  const env = { ...readEnvironment(HookEnvironment), SLIPWAY_EVENT: type };
  const child = spawn(program, [], { cwd: dirname(program), env, detached: true });
  const { promise, resolve } = Promise.withResolvers<HookResult>();
  let output = '';
  const end = (result: Omit<HookResult, 'output'>) => {
    clearTimeout(timer);
    shutdown.removeEventListener('abort', abandon);
    resolve({ ...result, output: output.trim() });
  };
  const endAll = (result: Omit<HookResult, 'output'>) => {
    killGroup(child.pid);
    end(result);
  };
  const timer = setTimeout(() => endAll({ reason: `no end within ${limitMs / 1000} s` }), limitMs);
  const shutdown = awaitShutdown();
  const abandon = () => endAll({ abandoned: true });
  shutdown.addEventListener('abort', abandon);
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output = `${output}${chunk}`.slice(-keptOutput);
    });
  }
  // A hook that does not read its input is fine.
  child.stdin.on('error', () => undefined).end(input);
  child.on('error', (error) => end({ reason: `it could not be started (${error.message})` }));
  child.on('exit', (code, signal) => {
    const reason = code === null ? `signal ${signal}` : `exit code ${code}`;
    // Gives what it printed last a moment to arrive. What it left running may print for ever.
    const settle = () => end(code === 0 ? {} : { reason });
    const late = setTimeout(settle, 200);
    child.on('close', () => {
      clearTimeout(late);
      settle();
    });
  });
  return promise;
}

/** The hook leads a process group of its own. */
function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}
