import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  claimJob,
  type FolderExit,
  type FolderOrder,
  folderVersion,
  partsOfFolder,
  writeExit,
  writeHeartbeat,
  writeStarted,
} from '#lib/hpc/machine/job-folder.ts';
import {
  type ProcessMark,
  readBootId,
  readMark,
  readProcess,
} from '#lib/hpc/machine/process-mark.ts';
import { openTree } from '#lib/hpc/machine/process-tree.ts';

const version = folderVersion;
const defaultGraceSeconds = 10;
const lookMs = 200;
const heartbeatMs = 1_000;

type Ending = Pick<FolderExit, 'cause' | 'code' | 'signal' | 'reason'>;

/**
 * Runs the job of one folder and outlives the service: claims the folder, starts the command, stops
 * it at its limits or on request, ends what it leaves behind, and writes how it ended.
 */
async function main(folder: string): Promise<void> {
  const order = readOrder(folder);
  const self = readMark(process.pid);
  if (self === undefined || !claimJob(folder)) return;
  const startedAt = new Date().toISOString();
  const clock = startClock();
  const ending = await runJob(folder, order, self, clock);
  writeExit(folder, {
    version,
    ...ending,
    startedAt,
    endedAt: new Date().toISOString(),
    seconds: clock(),
  });
}

/** The service checked the order when it wrote it: a schema would double the time to start. */
function readOrder(folder: string): FolderOrder {
  const order: FolderOrder = JSON.parse(readFileSync(join(folder, partsOfFolder.order), 'utf8'));
  if (order.version !== version) throw new Error(`${folder} has an order of another version.`);
  return order;
}

/** Counts seconds by a clock that nobody sets. */
function startClock(): () => number {
  const start = performance.now();
  return () => Math.round(performance.now() - start) / 1000;
}

async function runJob(
  folder: string,
  order: FolderOrder,
  self: ProcessMark,
  clock: () => number,
): Promise<Ending> {
  const child = startCommand(folder, order);
  const exited = waitForExit(child);
  // Until the next turn of the event loop, even a command that has ended is still listed.
  const job = child.pid === undefined ? undefined : readProcess(child.pid);
  if (job === undefined) return exited;
  const known = { pid: job.pid, startTime: job.startTime };
  const bootId = readBootId();
  const at = new Date().toISOString();
  writeStarted(folder, { version, shepherd: self, job: known, bootId, at, groups: [] });
  const tree = openTree({ jobId: order.jobId, known: [known], groups: [] });

  const graceMs = (order.limits.graceSeconds ?? defaultGraceSeconds) * 1000;
  const watch = watchJob(folder, order, clock);
  const stopped = await Promise.race([exited.then(() => undefined), watch.stopped]);
  await tree.end({ graceMs });
  const ending = await exited;
  watch.close();
  return stopped === undefined ? ending : { ...ending, ...stopped };
}

function startCommand(folder: string, order: FolderOrder): ChildProcess {
  const [program = '', ...parameters] = order.argv;
  const files = [partsOfFolder.stdout, partsOfFolder.stderr].map((name) =>
    openSync(join(folder, name), 'a', 0o600),
  );
  try {
    return spawn(program, parameters, {
      cwd: join(folder, partsOfFolder.work),
      // A session of its own, so that a signal for the shepherd does not reach the job.
      detached: true,
      env: { ...order.environment },
      stdio: ['ignore', ...files],
    });
  } finally {
    for (const file of files) closeSync(file);
  }
}

function waitForExit(child: ChildProcess): Promise<Ending> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve({ cause: 'ended', code, signal }));
    child.once('error', ({ message }) =>
      resolve({ cause: 'missing', code: null, signal: null, reason: message }),
    );
  });
}

type Stop = Pick<FolderExit, 'cause' | 'reason'>;

/** Writes heartbeats, and resolves `stopped` once the job must end. */
function watchJob(folder: string, order: FolderOrder, clock: () => number) {
  const beat = () =>
    writeHeartbeat(folder, { version, at: new Date().toISOString(), seconds: clock() });
  beat();
  const { promise: stopped, resolve } = Promise.withResolvers<Stop>();
  const heartbeats = setInterval(beat, heartbeatMs);
  const looks = setInterval(() => {
    if (existsSync(join(folder, partsOfFolder.cancel))) resolve({ cause: 'cancelled' });
    if (clock() >= order.limits.seconds) resolve({ cause: 'time' });
  }, lookMs);
  const close = () => {
    clearInterval(heartbeats);
    clearInterval(looks);
  };
  return { stopped, close };
}

await main(process.argv[2] ?? '');
