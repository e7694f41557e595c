import { setTimeout as pause } from 'node:timers/promises';
import { writeShortId } from '../../format/jobs/write-short-id.ts';
import { type Job, type JobFile, placeOf, type Slipway } from '../../index.ts';
import { readWhyFailed } from '../../jobs/last-line.ts';
import { startOf } from '../../jobs/read-file.ts';
import { findJob } from '../session/find.ts';
import { createCommand, type Open, type Session } from '../session/session.ts';
import type { Output } from '../terminal/host.ts';
import { CannotDo, outcome } from '../terminal/outcome.ts';
import { cleanText, createOutputCleaner } from '../terminal/text.ts';
import { phrase } from '../words/phrase.ts';

const firstPauseMs = 1_000;
const longestPauseMs = 10_000;

export function createLogs(open: Open) {
  return createCommand('logs', phrase('jobs.printTheOutput'))
    .examples('slipway logs -f AF17', 'slipway logs --file result.txt')
    .argument('[job]', phrase('jobs.jobId'))
    .option('-f, --follow', phrase('jobs.keepPrintingUntilTheJob'))
    .option('-e, --errors', phrase('jobs.printStandardErrorInstead'))
    .option('--file <name>', phrase('jobs.printAnotherFile'))
    .option('--raw', phrase('jobs.printUnchanged'))
    .action(async (wanted, { follow, errors, file, raw = false }, command) => {
      const session = open(command);
      const { client } = session;
      const job = await findJob(client, wanted);
      const name = file ?? (errors ? 'stderr' : 'stdout');
      const printer = createPrinter(session.host.out, raw);
      // Of a failed job, what it wrote about that is wanted last.
      const thenErrors = (last: Job) =>
        name === 'stdout' && last.failed ? printErrors(session, last, raw) : false;
      if (follow) return followFile(session, job, { name, printer, thenErrors });
      const found = await findFile(client, job, name);
      if (found) await printFrom(client, job, found, { from: 0, printer });
      printer.end();
      if (!(await thenErrors(job)) && !found) throw await explainNoFile(client, job, name);
    });
}

/** Prints the errors of a job to those of the command. Returns false if the job wrote none. */
async function printErrors({ client, host }: Session, job: Job, raw: boolean): Promise<boolean> {
  const found = await findFile(client, job, 'stderr');
  if (!found || found.length === 0) return false;
  const printer = createPrinter(host.err, raw);
  await printFrom(client, job, found, { from: 0, printer });
  printer.end();
  return true;
}

interface Printer {
  print(bytes: Uint8Array): void;
  end(): void;
}

/** Prints output of a job: cleaned on a terminal, as it is to files and pipes. */
function createPrinter(out: Output, raw: boolean): Printer {
  if (raw || !out.isTTY) return { print: (bytes) => out.write(bytes), end: () => undefined };
  const cleaner = createOutputCleaner();
  return {
    print: (bytes) => out.write(cleaner.clean(bytes)),
    end: () => out.write(cleaner.end()),
  };
}

interface Following {
  readonly name: string;
  readonly printer: Printer;
  /** Prints the errors of a job that failed. Returns false if there are none. */
  readonly thenErrors: (job: Job) => Promise<boolean> | false;
}

/** Prints new output until the job ends. Backs off while there is none. */
async function followFile(
  session: Session,
  first: Job,
  { name, printer, thenErrors }: Following,
): Promise<void> {
  const { client, screen, interrupt } = session;
  const showMore = createFollower(session, { name, printer });
  let ms = firstPauseMs;
  for (let job = first; ; ) {
    // Read the job first: its last output is there once its end is known.
    job = await client.getJob(placeOf(job));
    const seen = await showMore(job);
    if (job.terminal_stage) {
      printer.end();
      if (!(await thenErrors(job)) && seen === 'never a file') {
        throw await explainNoFile(client, job, name);
      }
      return;
    }
    ms = seen === 'more' ? firstPauseMs : Math.min(longestPauseMs, ms * 1.5);
    await pause(ms, undefined, { signal: interrupt }).catch((error: unknown) => {
      const id = writeShortId(job.job_id);
      screen.tell('', phrase('jobs.goesOn', { id }));
      throw error;
    });
  }
}

/**
 * Prints what is new since the last check. Running Slurm jobs show only the end of their output, so
 * some may be missed between two checks.
 */
function createFollower(
  { client, screen }: Session,
  { name, printer }: Pick<Following, 'name' | 'printer'>,
) {
  let shown = 0;
  let isTold = false;
  return async (job: Job): Promise<'more' | 'nothing new' | 'never a file'> => {
    const file = await findFile(client, job, name);
    if (!file) {
      if (!job.terminal_stage && !isTold) screen.tell(await describeWaiting(client, job));
      isTold = true;
      return shown === 0 ? 'never a file' : 'nothing new';
    }
    if ((file.starts_at ?? 0) + file.length <= shown) return 'nothing new';
    const onMissed = (bytes: number) => screen.tell(phrase('jobs.bytesAreMissingHere', { bytes }));
    shown = await printFrom(client, job, file, { from: shown, printer, onMissed });
    return 'more';
  };
}

/** Finds the output file, which systems name in their own ways: `stdout`, `slurm-12.out`. */
async function findFile(client: Slipway, job: Job, name: string): Promise<JobFile | undefined> {
  const files = await client.listFiles(placeOf(job));
  const ending = name === 'stdout' ? '.out' : '.err';
  return (
    files.find(({ filename }) => filename === name) ??
    (name === 'stdout' || name === 'stderr'
      ? files.find(({ filename }) => filename.endsWith(ending))
      : undefined)
  );
}

/** Explains why there is no output yet. */
async function describeWaiting(client: Slipway, { project_hpc }: Job): Promise<string> {
  const systems = await client.listSystems();
  const system = systems.find((each) => each.project_hpc === project_hpc);
  return system?.live_output === false
    ? phrase('jobs.showsOutputOnlyAfter', { name: system.name })
    : phrase('jobs.noOutputYet');
}

interface Printing {
  readonly from: number;
  readonly printer: Printer;
  /** Called with the number of bytes that are gone. */
  readonly onMissed?: (bytes: number) => void;
}

/** Prints a file from this position on, as it arrives. Returns the end of the file. */
async function printFrom(
  client: Slipway,
  job: Job,
  { fileid }: JobFile,
  { from, printer, onMissed }: Printing,
): Promise<number> {
  const answer = await client.readFile({ ...placeOf(job), file_id: fileid });
  let seen = startOf(answer);
  if (seen > from) onMissed?.(seen - from);
  for await (const piece of answer.body ?? []) {
    const news = piece.subarray(Math.max(0, from - seen));
    if (news.length > 0) printer.print(news);
    seen += piece.length;
  }
  return Math.max(seen, from);
}

async function explainNoFile(client: Slipway, job: Job, name: string): Promise<CannotDo> {
  const id = writeShortId(job.job_id);
  const isOutput = name === 'stdout' || name === 'stderr';
  const why = job.failed && isOutput ? cleanText((await readWhyFailed(client, job)) ?? '') : '';
  return new CannotDo(
    job.terminal_stage
      ? phrase('jobs.hasNoFile', { name })
      : phrase('jobs.theJobHasNotWritten', { name }),
    {
      outcome: outcome.refused,
      next: job.terminal_stage
        ? why || phrase('jobs.listItsFiles', { id })
        : phrase('jobs.followOutput', { id }),
    },
  );
}
