import { stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { writeLeft, writeNodeTime, writeRest } from '../../format/node-time.ts';
import { writeSize, writeSizeLeft } from '../../format/size.ts';
import { writeShortId } from '../../format/write-short-id.ts';
import { type Estimate, type Job, placeOf, type Slipway, type System } from '../../index.ts';
import {
  FolderNotPackable,
  packFolder,
  type SlipwayOnNode,
  type SubmissionOnNode,
} from '../../node/index.ts';
import { readCharging } from '../session/find.ts';
import { readCount, readField, readTimeOption } from '../session/options.ts';
import { confirm, type Open, type Session, writeExamples } from '../session/session.ts';
import { CannotDo } from '../terminal/outcome.ts';
import { writeBar } from '../terminal/screen.ts';
import { cleanText, padText } from '../terminal/text.ts';
import { downloadFiles } from './files.ts';
import { waitToEnd } from './wait.ts';

const halfHour = 1800;

export function createSubmit(open: Open) {
  return new Command('submit')
    .description('submit a job: a folder or a zip, and what to run with it')
    .argument('<hpc>', 'the HPC system (slipway systems lists them)')
    .argument('[input]', 'a folder, which is packed, or a zip; none is a job without input')
    .option('-c, --command <command>', 'what to run, on a system that takes commands')
    .option('-t, --tool <tool>', 'what to run, on a system that takes tools')
    .option('-n, --nodes <count>', 'how many nodes', readCount, 1)
    .option('--cores <count>', 'how many cores on each node', readCount, 1)
    .option('--time <time>', 'how long it may run: 30m, 2h30m, 1d (default: 30m)', readTimeOption)
    .option('--title <title>', 'what to call it')
    .option('-p, --project <project>', 'the project that pays (default: that of the system)')
    .option('--field <name=value>', 'another field of the system; repeatable', readField)
    .option('--dry-run', 'only say what it would cost')
    .option('-y, --yes', 'do not ask, even if it takes most of what is left')
    .option('-w, --wait', 'wait until it has ended')
    .option('-d, --download <folder>', 'wait, then save its files there')
    .addHelpText(
      'after',
      writeExamples(
        'slipway submit hpc_one ./my-study --command "python3 main.py" --nodes 2 --time 30m --title first',
        'slipway submit hpc_two model.zip --tool NEURON74_TG --cores 4 --wait --download results',
      ),
    )
    .action(async (hpc, path, options, command) => {
      const session = open(command);
      const client = session.connect();
      if ((options.command ?? options.tool) === undefined) {
        throw new CannotDo('Nothing says what to run.', {
          next: 'Add --command "..." or --tool NAME: slipway systems says which one a system takes.',
        });
      }
      const submission: SubmissionOnNode = {
        hpc,
        nodes: options.nodes,
        cores: options.cores,
        runtime: (options.time ?? halfHour) / 3600,
        command: options.command,
        tool: options.tool,
        title: options.title,
        project_name: options.project,
        fields: options.field,
        signal: session.interrupt,
      };
      const { dryRun, yes, wait, download } = options;
      if (dryRun) return showEstimate(session, client, await withFile(submission, path));
      // Asked before anything is packed: what would be refused is refused at once.
      const price = await client.estimate(submission);
      if (!yes && !(await confirmPrice(session, client, submission, price))) return;
      const job = await send(session, client, submission, path);
      const waits = wait === true || download !== undefined;
      await reportSubmission(session, client, job, { held: price.held.time, waits });
      if (!waits) return;
      const ended = await waitToEnd(session, client, job);
      if (download !== undefined) await downloadFiles(session, client, ended, { folder: download });
    });
}

async function send(
  session: Session,
  client: { submit(submission: SubmissionOnNode): Promise<Job> },
  submission: SubmissionOnNode,
  path: string | undefined,
): Promise<Job> {
  const prepared = await prepareInput(session, path);
  try {
    return await client.submit({ ...submission, ...prepared.given });
  } finally {
    session.screen.endProgress();
    await prepared.clear();
  }
}

/** For an estimate nothing is packed twice: the client packs and clears up itself. */
async function withFile(
  submission: SubmissionOnNode,
  path: string | undefined,
): Promise<SubmissionOnNode> {
  if (path === undefined) return submission;
  const isFolder = (await stat(path).catch(() => undefined))?.isDirectory() === true;
  return { ...submission, ...(isFolder ? { folder: path } : { zip: path }) };
}

/** A job that takes more than half of what is left is worth a question; others are not. */
async function confirmPrice(
  session: Session,
  client: SlipwayOnNode,
  { hpc }: SubmissionOnNode,
  { held, left }: Estimate,
): Promise<boolean> {
  const { screen } = session;
  if (!screen.isLive || held.time <= left.time) return true;
  const charging = chargingOf(await client.listSystems(), hpc);
  const before = writeRest(held.time + left.time, charging);
  screen.tell(
    `This job reserves ${writeNodeTime(held.time, charging)} of the ${before} that you have left.`,
  );
  if (await confirm(session, 'Submit it?')) return true;
  screen.tell('Nothing was submitted.');
  return false;
}

/** What a submission would cost, and what would be left. */
async function showEstimate(
  { screen, json }: Session,
  client: SlipwayOnNode,
  submission: SubmissionOnNode,
): Promise<void> {
  const [price, systems] = await Promise.all([client.estimate(submission), client.listSystems()]);
  if (json) return screen.say(JSON.stringify(price, null, 2));
  const charging = chargingOf(systems, submission.hpc);
  const { held, left, living_jobs: living, max_living_jobs: most } = price;
  screen.say(
    `It would reserve ${writeNodeTime(held.time, charging)} and ${writeSize(held.space * 1000)}.`,
    `Left after it: ${writeRest(left.time, charging)} and ${writeSizeLeft(left.space * 1000)}.`,
    `It would be living job ${living} of at most ${most}. Nothing was submitted.`,
  );
}

function chargingOf(systems: readonly System[], hpc: string) {
  return systems.find(({ name }) => name === hpc)?.charging ?? 'mixed';
}

interface PreparedInput {
  readonly given: Pick<SubmissionOnNode, 'input' | 'zip' | 'filename' | 'onProgress'>;
  clear(): Promise<void>;
}

const barWidth = 18;

/** Packs a folder, and shows how far it has come and how far it has been sent. */
async function prepareInput(session: Session, path: string | undefined): Promise<PreparedInput> {
  if (path === undefined) return { given: {}, clear: async () => undefined };
  const found = await stat(path).catch(() => undefined);
  if (!found) throw new CannotDo(`There is no '${path}'.`, { next: 'Name a folder or a zip.' });
  if (!found.isDirectory()) {
    const onProgress = showProgress(
      session,
      `${basename(path)} (${writeSize(found.size)}) · uploading`,
    );
    return { given: { zip: path, onProgress }, clear: async () => undefined };
  }
  const packed = await packFolder(path, {
    onProgress: showProgress(session, 'Packing'),
    signal: session.interrupt,
  }).catch((error: unknown) => {
    throw error instanceof FolderNotPackable ? new CannotDo(error.message) : error;
  });
  const files = packed.files === 1 ? '1 file' : `${packed.files} files`;
  const words = `Packed ${files} (${writeSize(packed.blob.size)})`;
  const name = basename(resolve(path)) || 'input';
  return {
    given: {
      input: packed.blob,
      filename: `${name}.zip`,
      onProgress: showProgress(session, `${words} · uploading`),
    },
    clear: packed.remove,
  };
}

/** A line that stays when it is full: it says what was done. */
function showProgress({ screen }: Session, words: string) {
  let over = false;
  return (done: number, whole: number): void => {
    if (over) return;
    const share = whole > 0 ? done / whole : 1;
    screen.progress(`${words} ${writeBar(share, barWidth)} ${Math.floor(share * 100)} %`);
    if (share < 1 || words === 'Packing') return;
    over = true;
    screen.keepProgress();
  };
}

interface Report {
  /** Seconds. */
  readonly held: number;
  /** Whether the command goes on with it. */
  readonly waits: boolean;
}

/** What was made, what it reserves, what is left, and how to go on. */
async function reportSubmission(
  session: Session,
  client: Slipway,
  job: Job,
  { held, waits }: Report,
): Promise<void> {
  const { screen, json } = session;
  if (json) {
    if (!waits) screen.say(JSON.stringify(job, null, 2));
    return;
  }
  const { hpc, project_name } = placeOf(job);
  const [chargingOf, { usage }] = await Promise.all([
    readCharging(client),
    client.getQuota({ hpc, project_name, expand: 'usage' }),
  ]);
  const id = writeShortId(job.job_id);
  const charging = chargingOf(job.project_hpc);
  const name = `${screen.paint('bold', id)}  ${cleanText(job.title || '(no title)')}`;
  const reserved = writeNodeTime(held, charging);
  const left = usage ? `${writeLeft(usage.time.left, usage.time.granted)} left` : '';
  screen.say(
    `Submitted  ${padText(name, 26, 'end')}  ${hpc} / ${project_name}`,
    `Reserved   ${padText(reserved, 26, 'end')}  ${left}`,
    ...(waits ? [] : [`Follow it: slipway wait ${id}      Output: slipway logs -f ${id}`]),
  );
}
