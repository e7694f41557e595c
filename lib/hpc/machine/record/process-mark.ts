import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';

/** A process id alone may belong to another process by now. */
export interface ProcessMark {
  readonly pid: number;
  /** When the process started, in the machine's own unit. */
  readonly startTime: string;
}

export interface ProcessFacts extends ProcessMark {
  readonly parent: number;
  readonly group: number;
  /** A letter such as R, S or Z. */
  readonly state: string;
  readonly residentBytes: number;
  /** Its processor time; always 0 without /proc. */
  readonly cpuSeconds: number;
  /** The processor time of all its descendants that have ended and were waited for. */
  readonly endedCpuSeconds: number;
}

const hasProc = process.platform === 'linux';

/** Identifies the time since the machine started: process ids begin anew with each start. */
export function readBootId(): string {
  if (hasProc) return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  return spawnSync('sysctl', ['-n', 'kern.boottime'], { encoding: 'utf8' }).stdout.trim();
}

/** Returns undefined for a process that has ended, whether its parent has noticed or not. */
export function readMark(pid: number): ProcessMark | undefined {
  const facts = readProcess(pid);
  if (facts === undefined || hasEnded(facts)) return undefined;
  return { pid, startTime: facts.startTime };
}

export function isRunning(mark: ProcessMark, bootId: string): boolean {
  return bootId === readBootId() && readMark(mark.pid)?.startTime === mark.startTime;
}

export const hasEnded = ({ state }: ProcessFacts) => state.startsWith('Z') || state === 'X';

export function readProcess(pid: number): ProcessFacts | undefined {
  if (!hasProc) return listByPs(['-p', String(pid)])[0];
  const text = readOrNothing(`/proc/${pid}/stat`);
  return text === undefined ? undefined : parseStat(text);
}

/** Lists the processes of all users, ended ones that nobody has waited for included. */
export function listProcesses(): ProcessFacts[] {
  if (!hasProc) return listByPs(['-A']);
  return readdirSync('/proc')
    .filter((name) => /^[0-9]+$/.test(name))
    .flatMap((name) => readProcess(Number(name)) ?? []);
}

/** Returns the id that was given last, to a process or a thread. Always 0 without /proc. */
export function readNewestPid(): number {
  return Number(readOrNothing('/proc/loadavg')?.trim().split(' ').at(-1) ?? 0);
}

/**
 * Returns whether a process was started with this variable. False if its environment belongs to
 * another user, and always false without /proc.
 */
export function startedWith(pid: number, variable: string): boolean {
  return readOrNothing(`/proc/${pid}/environ`)?.split('\0').includes(variable) ?? false;
}

export function isOwnedBy(pid: number, uid: number | undefined): boolean {
  return statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.uid === uid;
}

/** Returns the memory of a process, and its part of the memory that processes share by a file. */
export function readMemory({ pid, residentBytes }: ProcessFacts) {
  const text = readOrNothing(`/proc/${pid}/smaps_rollup`) ?? '';
  const read = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0) * 1024;
  if (!text.includes('Pss:')) return { ownBytes: residentBytes, sharedBytes: 0 };
  const sharedBytes = read('Pss_Shmem');
  return { ownBytes: read('Pss') - sharedBytes, sharedBytes };
}

const pageBytes = 4096;
/** The same on every Linux, whatever its timer. */
const ticksPerSecond = 100;

/** The name of the program, in brackets, may hold spaces and brackets itself. */
function parseStat(text: string): ProcessFacts {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const numberAt = (index: number) => Number(fields[index]);
  return {
    pid: Number.parseInt(text, 10),
    state: fields[0] ?? '',
    parent: numberAt(1),
    group: numberAt(2),
    startTime: fields[19] ?? '',
    residentBytes: numberAt(21) * pageBytes,
    cpuSeconds: (numberAt(11) + numberAt(12)) / ticksPerSecond,
    endedCpuSeconds: (numberAt(13) + numberAt(14)) / ticksPerSecond,
  };
}

function listByPs(selection: readonly string[]): ProcessFacts[] {
  const columns = ['-o', 'pid=,ppid=,pgid=,state=,rss=,lstart='];
  const { stdout } = spawnSync('ps', [...selection, ...columns], { encoding: 'utf8' });
  return stdout
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter((fields) => fields.length > 5)
    .map(([pid, parent, group, state = '', kilobytes, ...startTime]) => ({
      pid: Number(pid),
      parent: Number(parent),
      group: Number(group),
      state,
      residentBytes: Number(kilobytes) * 1024,
      cpuSeconds: 0,
      endedCpuSeconds: 0,
      startTime: startTime.join(' '),
    }));
}

/** A process may end at any time, and its files with it. */
function readOrNothing(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
