import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { hasEnded, listProcesses, startedWith } from '#lib/hpc/machine/record/process-mark.ts';

export interface RunOrder {
  readonly argv: readonly string[];
  readonly directory: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Where both streams of the program go; nowhere if it is missing. */
  readonly logFile?: string;
}

export interface RunEnd {
  readonly code: number;
  /** The name of the signal that ended the program, if one did. */
  readonly signal: NodeJS.Signals | undefined;
}

/** A program that an imitation runs for a job, together with everything that the program starts. */
export interface MarkedRun {
  readonly ended: Promise<RunEnd>;
  signalFirst(signal: NodeJS.Signals): void;
  signalAll(signal: NodeJS.Signals): void;
  measureBytes(): number;
  listPids(): number[];
}

/**
 * Starts a program in a session of its own. Its processes are found by a variable in their
 * environment, because commands of jobs have sessions of their own. What is left of them when the
 * program ends is killed, as every system does.
 */
export function startMarked({ argv, directory, environment, logFile }: RunOrder): MarkedRun {
  const [program = '', ...parameters] = argv;
  const mark = `IMITATED_RUN=${randomUUID()}`;
  const [name = '', value = ''] = mark.split('=');
  const log = logFile === undefined ? undefined : openSync(logFile, 'a', 0o666);
  const child = spawn(program, parameters, {
    cwd: directory,
    env: { ...environment, [name]: value },
    stdio: ['ignore', log ?? 'ignore', log ?? 'ignore'],
    detached: true,
  });
  if (log !== undefined) closeSync(log);
  const find = () =>
    listProcesses().filter((facts) => !hasEnded(facts) && startedWith(facts.pid, mark));
  const signalAll = (signal: NodeJS.Signals) => {
    for (const { pid } of find()) signalOne(pid, signal);
  };
  const wait = async (): Promise<RunEnd> => {
    const [code, signal]: [number | null, NodeJS.Signals | null] = await once(child, 'exit').then(
      ([code, signal]) => [code, signal],
    );
    signalAll('SIGKILL');
    return { code: code ?? 0, signal: signal ?? undefined };
  };
  return {
    ended: wait(),
    signalFirst: (signal) => void (child.pid !== undefined && signalOne(child.pid, signal)),
    signalAll,
    measureBytes: () => find().reduce((sum, { residentBytes }) => sum + residentBytes, 0),
    listPids: () => find().map(({ pid }) => pid),
  };
}

function signalOne(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended meanwhile.
  }
}
