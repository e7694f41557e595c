import { stat } from 'node:fs/promises';
import { Command } from '@commander-js/extra-typings';
import type { Job } from '../../../index.ts';
import type { SubmissionOnNode } from '../../../node/index.ts';
import { CannotDo } from '../../outcome/outcome.ts';
import type { Open } from '../../session/open.ts';
import { readCount, readField, readTimeOption } from '../../session/read-options.ts';
import type { Session } from '../../session/session.ts';
import { writeExamples } from '../../session/write-examples.ts';
import { downloadFiles } from '../files/download.ts';
import { waitToEnd } from '../follow/wait.ts';
import { confirmPrice, showEstimate } from './confirm-price.ts';
import { prepareInput } from './prepare-input.ts';
import { reportSubmission } from './report-submission.ts';

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
