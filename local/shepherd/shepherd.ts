import { type ChildProcess, spawn } from 'node:child_process';
import {
  appendFileSync,
  closeSync,
  existsSync,
  fchownSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findLogin, type UnixLogin } from '#lib/hpc/machine/find-login.ts';
import { createGroups, nameOfGroup, removeGroups } from '#lib/hpc/machine/processes/job-groups.ts';
import { markVariable, openTree } from '#lib/hpc/machine/processes/process-tree.ts';
import {
  claimJob,
  type FolderExit,
  type FolderOrder,
  folderVersion,
  partsOfFolder,
  writeExit,
  writeStarted,
} from '#lib/hpc/machine/record/job-folder.ts';
import {
  type ProcessMark,
  readBootId,
  readMark,
  readProcess,
} from '#lib/hpc/machine/record/process-mark.ts';
import { openMeter } from './measure-usage.ts';
import { judgeEnded, type WatchedJob, watchJob } from './watch-job.ts';
import { findProgram, wrapCommand } from './wrap-command.ts';

const version = folderVersion;
const defaultGraceSeconds = 10;
const cancelLookMs = 200;

type Ending = Omit<FolderExit, 'version' | 'startedAt' | 'endedAt' | 'seconds'> &
  Partial<Pick<FolderExit, 'seconds'>>;

/**
 * Runs the job of one folder and outlives the service: claims the folder, starts the command, stops
 * it at its limits or on request, ends what it leaves behind, and writes how it ended.
 */
async function main(folder: string): Promise<void> {
  closeInheritedFiles();
  const order = readOrder(folder);
  if (!claimJob(folder)) return;
  const wholeClock = startClock();
  const unfetched = await fetchFirst(folder, order).catch(explainFailure);
  const startedAt = new Date().toISOString();
  const clock = order.fetching?.paidBy === 'user' ? wholeClock : startClock();
  const ran = unfetched ?? (await runJob(folder, order, clock).catch(explainFailure));
  const stood = clock();
  const ending = await sendAfter(folder, order, ran, stood).catch(explainFailure);
  const seconds = order.sending?.paidBy === 'user' ? clock() : stood;
  const endedAt = new Date().toISOString();
  await writeEnd(folder, { version, seconds, ...ending, startedAt, endedAt });
}

/**
 * Closes what the command would inherit. Node opens its own files so that no command gets them; the
 * others are leftovers of whoever started the service.
 */
function closeInheritedFiles(): void {
  if (process.platform !== 'linux') return;
  const closesOnExec = 0o2000000;
  for (const file of readdirSync('/proc/self/fd').map(Number)) {
    if (file > 2 && (readFlags(file) & closesOnExec) === 0) closeSync(file);
  }
}

function readFlags(file: number): number {
  try {
    const text = readFileSync(`/proc/self/fdinfo/${file}`, 'utf8');
    return Number.parseInt(/^flags:\s*(\d+)/m.exec(text)?.[1] ?? '0', 8);
  } catch {
    // The listing of the folder itself, which is closed by now.
    return Number.MAX_SAFE_INTEGER;
  }
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

async function runJob(folder: string, order: FolderOrder, clock: () => number): Promise<Ending> {
  const { jobId, limits, login, image } = order;
  if (findProgram(folder, order) === undefined) {
    return notStarted(`The command '${order.argv[0]}' was not found, or is not a program.`);
  }
  const account = login === undefined ? undefined : findLogin(login);
  if (login !== undefined && account === undefined) {
    return notStarted(`This machine has no account '${login}' that jobs may use.`);
  }
  const groups = createGroups(limits.level ?? 'watched', nameOfGroup(jobId), limits);
  const place = { folder, groups, account, meter: openMeter(groups), clock };
  try {
    if (image === undefined) return await runInFolder(order, place);
    const fetched = await runCommand(toFetch(order, image.fetch), place, partsOfFolder.imageLog);
    if (fetched.cause === 'cancelled') return fetched;
    if (fetched.cause !== 'ended' || fetched.code !== 0) return explainUnfetched(folder, fetched);
    const ending = await runInFolder(order, place);
    if (ending.cause !== 'ended') await removeContainer(toFetch(order, image.remove), place);
    return ending;
  } finally {
    await removeGroups(groups.folders);
  }
}

interface Place extends Pick<WatchedJob, 'folder' | 'groups' | 'meter' | 'clock'> {
  readonly account: UnixLogin | undefined;
}

/** Runs the command, and attends to the folder of its project. */
async function runInFolder(order: FolderOrder, place: Place): Promise<Ending> {
  if (!order.kept) return runCommand(order, place);
  const { shareWithMembers, watchProjectFolder } = await import('./project-folder.ts');
  const over = new AbortController();
  watchProjectFolder(place.folder, order, over.signal);
  try {
    return await runCommand(order, place);
  } finally {
    over.abort();
    await shareWithMembers(order, place.account);
  }
}

/** Runs the program of an order to its end. Both of its outputs go to one file if that is named. */
async function runCommand(order: FolderOrder, place: Place, output?: string): Promise<Ending> {
  const { folder, groups, account } = place;
  const { mark, sandbox, image } = order;
  // A sandbox that is asked to end takes the job with it, before the job can react.
  const sparesFirst = sandbox !== undefined || image !== undefined;
  const uid = account?.uid ?? process.getuid?.();
  const tree = openTree({ mark, uid, groups: groups.folders, sparesFirst });
  try {
    const child = startCommand(order, place, output);
    const exited = waitForExit(child);
    // Until the next turn of the event loop, even a command that has ended is still listed.
    const job = child.pid === undefined ? undefined : readProcess(child.pid);
    if (job === undefined) return await exited;
    tree.add(job);
    writeStart(folder, job, groups.folders);
    return await followJob({ ...place, order, tree }, exited);
  } finally {
    // Ends a command that was started before something failed.
    await tree.end({ graceMs: 0 });
  }
}

/** Fetches what the job asks for, and returns why its command cannot run. */
async function fetchFirst(folder: string, order: FolderOrder): Promise<Ending | undefined> {
  const { fetching, limits, login } = order;
  const account = login === undefined ? undefined : findLogin(login);
  // Without its account the job does not start, and nothing is written in its place as anybody else.
  if (!fetching || (login !== undefined && !account)) return undefined;
  const { fetchInputs } = await import('#lib/files/staging/fetch-inputs.ts');
  const { openJobFolder } = await import('./write-inputs.ts');
  return untilCancelled(folder, limits.seconds, async (signal, wasCancelled) => {
    // What a job fetches counts as its output, whose limit nobody watches yet.
    const maxBytes = Math.min(fetching.maxBytes, limits.outputBytes);
    const place = { ...openJobFolder({ folder, account }), signal };
    const failure = await fetchInputs({ ...fetching, maxBytes }, place);
    if (wasCancelled()) return { cause: 'cancelled', code: null, signal: null };
    if (failure === undefined) return undefined;
    // The output of a command that printed nothing.
    const output = { stdout: '', stderr: `slipway: ${failure}\n` };
    for (const name of ['stdout', 'stderr'] as const) {
      writeFileSync(join(folder, partsOfFolder[name]), output[name], { mode: 0o600 });
    }
    return notStarted(failure);
  });
}

/**
 * Sends the outputs of a job that ended well, and returns its end, which is a failure if one could not
 * be sent. Where the owner pays, no more time is taken than the job has left.
 */
async function sendAfter(
  folder: string,
  { sending, limits, login }: FolderOrder,
  ran: Ending,
  stood: number,
): Promise<Ending> {
  if (!sending || ran.cause !== 'ended' || ran.code !== 0) return ran;
  const account = login === undefined ? undefined : findLogin(login);
  const seconds = sending.paidBy === 'user' ? Math.max(1, limits.seconds - stood) : limits.seconds;
  const { sendOutputs } = await import('./send-outputs.ts');
  return untilCancelled(folder, seconds, async (signal, wasCancelled) => {
    const unsent = await sendOutputs(sending, { folder, account, signal });
    if (unsent.length === 0) return ran;
    const lines = unsent.map((each) => `slipway: ${each}\n`).join('');
    appendFileSync(join(folder, partsOfFolder.stderr), lines, { mode: 0o600 });
    const cause = wasCancelled() ? 'cancelled' : 'unsent';
    return { ...ran, cause, code: null, reason: unsent[0] };
  });
}

/** Gives a task a signal that ends it when the job is cancelled, or its time is over. */
async function untilCancelled<Result>(
  folder: string,
  seconds: number,
  task: (signal: AbortSignal, wasCancelled: () => boolean) => Promise<Result>,
): Promise<Result> {
  const cancelled = new AbortController();
  const timer = setInterval(() => {
    if (existsSync(join(folder, partsOfFolder.cancel))) cancelled.abort();
  }, cancelLookMs);
  try {
    const timeOver = AbortSignal.timeout(seconds * 1000);
    const signal = AbortSignal.any([cancelled.signal, timeOver]);
    return await task(signal, () => cancelled.signal.aborted);
  } finally {
    clearInterval(timer);
  }
}

function startCommand(
  order: FolderOrder,
  { folder, groups, account }: Place,
  output?: string,
): ChildProcess {
  const [program = '', ...parameters] = wrapCommand(folder, order, groups.folders, account);
  const { stdout, stderr } = partsOfFolder;
  const files = [output ?? stdout, output ?? stderr].map((name) =>
    openSync(join(folder, name), 'a', 0o600),
  );
  try {
    // Some programs open their output by name (/dev/stdout).
    if (account !== undefined) for (const file of files) fchownSync(file, account.uid, account.gid);
    return spawn(program, parameters, {
      cwd: join(folder, partsOfFolder.work),
      // A session of its own, so that a signal for the shepherd does not reach the job.
      detached: true,
      env: { ...order.environment, ...(order.mark && { [markVariable]: order.mark }) },
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
      resolve(notStarted(`It could not be started: ${message}`)),
    );
  });
}

function writeStart(folder: string, { pid, startTime }: ProcessMark, groups: readonly string[]) {
  const shepherd = readMark(process.pid);
  if (shepherd === undefined) throw new Error('It cannot read when it started.');
  const at = new Date().toISOString();
  const job = { pid, startTime };
  writeStarted(folder, { version, shepherd, job, bootId: readBootId(), at, groups });
}

/** Waits for the end of the command or ends it, then ends the processes that it has left behind. */
async function followJob(job: WatchedJob, exited: Promise<Ending>): Promise<Ending> {
  const watch = watchJob(job);
  try {
    const stopped = await Promise.race([exited.then(() => undefined), watch.stopped]);
    const { graceSeconds = defaultGraceSeconds } = job.order.limits;
    job.meter.lookAt(job.tree.list());
    await job.tree.end({ graceMs: graceSeconds * 1000 });
    const cause = stopped ?? (await judgeEnded(job));
    return { ...(await exited), ...cause, ...job.meter.read() };
  } finally {
    watch.close();
  }
}

/** An image may have more bytes than the job may write, and is none of its files. */
function toFetch(order: FolderOrder, argv: readonly string[]): FolderOrder {
  const { image: _, ...rest } = order;
  const limits = { ...order.limits, outputBytes: Number.MAX_SAFE_INTEGER };
  return { ...rest, argv, limits };
}

/** Nothing of the job has run, so it has used no time. */
function explainUnfetched(folder: string, { cause, reason }: Ending): Ending {
  const log = readFileSync(join(folder, partsOfFolder.imageLog), 'utf8').trim();
  const said = [...(cause === 'ended' ? [] : [reason ?? whyStopped]), log.slice(-longestSaid)];
  const text = said.filter(Boolean).join(' ');
  return { cause: 'unfetched', code: null, signal: null, reason: text, seconds: 0 };
}

const whyStopped = 'Its time was over before the image was there.';
const longestSaid = 1000;
const removalMs = 30_000;

/** Ends what a program for images keeps apart from the processes of the job. */
async function removeContainer(order: FolderOrder, place: Place): Promise<void> {
  const removing = startCommand(order, place, partsOfFolder.imageLog);
  const timer = setTimeout(() => removing.kill('SIGKILL'), removalMs);
  await waitForExit(removing);
  clearTimeout(timer);
}

const notStarted = (reason: string): Ending => ({
  cause: 'missing',
  code: null,
  signal: null,
  reason,
});

function explainFailure(error: unknown): Ending {
  const message = error instanceof Error ? error.message : String(error);
  const reason = `The process that watches the job failed: ${message}`;
  return { cause: 'lost', code: null, signal: null, reason };
}

/** Waits for a full disk to have space again, because an end that is not written is lost. */
async function writeEnd(folder: string, end: FolderExit): Promise<void> {
  for (;;) {
    try {
      writeExit(folder, end);
      return;
    } catch (error) {
      const mayPass = ['ENOSPC', 'EDQUOT', 'EIO'];
      if (!(error instanceof Error && 'code' in error && mayPass.includes(String(error.code)))) {
        throw error;
      }
      await sleep(1_000);
    }
  }
}

await main(process.argv[2] ?? '');
