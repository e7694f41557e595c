import { stat } from 'node:fs/promises';
import { Option } from '@commander-js/extra-typings';
import { nameMemory } from '../../format/amounts/typed.ts';
import { describeCut, describeSimilar } from '../../format/jobs/describe-usage.ts';
import { describeWait } from '../../format/systems/describe-maintenance.ts';
import type { Estimate } from '../../index.ts';
import type { SubmissionOnNode } from '../../node/index.ts';
import { submitBatch } from '../batches/submit-batch.ts';
import { downloadFiles } from '../files/files.ts';
import {
  readCount,
  readField,
  readInput,
  readList,
  readOutput,
  readRuntimeOption,
  readTemplateName,
} from '../session/options.ts';
import { createCommand, type Open, type Session } from '../session/session.ts';
import { describeStray } from '../submission/describe-unmatched.ts';
import { oldNameOf, renameOld } from '../submission/old-options.ts';
import { submitWithInput } from '../submission/prepare-input.ts';
import {
  confirmPrice,
  reportSubmission,
  type SubmitWishes,
  showEstimate,
} from '../submission/price.ts';
import { readWaits } from '../submission/read-waits.ts';
import { createTemplate, fillIn, openTemplates, type Template } from '../submission/templates.ts';
import { CannotDo } from '../terminal/outcome.ts';
import { phrase } from '../words/phrase.ts';
import { waitToEnd } from './wait.ts';

/** Hours. */
const usualRuntime = 0.5;

export function createSubmit(open: Open) {
  return createCommand('submit', phrase('jobs.submitAJob'))
    .examples(
      'slipway submit hpc_one ./my-study --command "node study.mjs" --nodes 2 --runtime 30m --title first',
      'slipway submit hpc_two model.zip --tool SHELL --field init_file=run.sh --cores 4 --wait --download results',
      'slipway submit hpc_two plot.zip --tool PYTHON --field init_file=plot.py --input-from 3A5F0C1E',
      'slipway submit hpc_one ./my-study --command "node study.mjs {index}" --count 100',
      'slipway submit hpc_one ./my-study --command "node study.mjs {feed} {kill}" --table params.csv',
      'slipway submit hpc_one ./plot --command "python3 plot.py" --input-from 23C8 --input-folder sweep',
      'slipway submit --template study --nodes 4',
    )
    .argument('[hpc]', phrase('jobs.hpcSystem'))
    .argument('[input]', phrase('jobs.folderOrZip'))
    .option('-c, --command <command>', phrase('jobs.commandToRun'))
    .option('-t, --tool <tool>', phrase('jobs.toolToRun'))
    .option('-n, --nodes <count>', phrase('jobs.numberOfNodes'), readCount, 1)
    .option('--cores <count>', phrase('jobs.numberOfCoresOnEach'), readCount, 1)
    .option('--tasks <count>', phrase('jobs.numberOfTasksOnEach'), readCount)
    .option('--memory <size>', phrase('jobs.memoryOnEachNode'), nameMemory)
    .option('--gpus <count>', phrase('jobs.numberOfGPUsOnEach'), readCount)
    .option('--gpu-kind <kind>', phrase('jobs.kindOfTheseGPUs'))
    .option('--class <class>', phrase('jobs.classOfTheJob'))
    .option('--image <image>', phrase('jobs.imageToRunIn'))
    .option('--runtime <time>', phrase('jobs.timeLimit'), readRuntimeOption)
    .addOption(new Option('--time <time>').argParser(readRuntimeOption).hideHelp())
    .option('--title <title>', phrase('jobs.titleOfTheJob'))
    .option('-p, --project <project>', phrase('jobs.projectToCharge'))
    .option('--field <name=value>', phrase('jobs.furtherFieldOfTheSystem'), readField)
    .option('--input <address=path>', phrase('jobs.fileToFetch'), readInput)
    .option('--output <glob=address>', phrase('jobs.filesToSend'), readOutput)
    .option('--after <job>', phrase('jobs.jobThatMustEndWell'), readList)
    .option('--after-any <job>', phrase('jobs.jobThatMustEndFirst'), readList)
    .option('--input-from <job>', phrase('jobs.jobWhoseResultsBecome'))
    .option('--input-folder <name>', phrase('jobs.folderForTheseResults'))
    .addOption(
      new Option('--input-failed <what>', phrase('jobs.whatFailedJobsDo')).choices([
        'refuse',
        'leave_out',
      ]),
    )
    .option('--count <count>', phrase('jobs.thisManyJobsAs', { index: '{index}' }), readCount)
    .option('--table <csv>', phrase('jobs.aJobForEachRow', { column: '{column}' }))
    .option('--max-running <count>', phrase('jobs.howManyJobs'), readCount)
    .option('--allow-unmatched', phrase('jobs.leaveOtherBraces'))
    .option('--template <name>', phrase('jobs.beginWithASavedTemplate'))
    .option('--save-template <name>', phrase('jobs.saveThisSubmissionAs'), readTemplateName)
    .option('--upload <id>', phrase('jobs.uploadToGoOnWith'))
    .option('--dry-run', phrase('jobs.showThePrice'))
    .option('-y, --yes', phrase('jobs.skipTheQuestionAbout'))
    .option('-w, --wait', phrase('jobs.waitUntilTheJobEnds'))
    .option('-d, --download <folder>', phrase('jobs.waitThenDownloadTheFiles'))
    .action(async (namedHpc, namedPath, given, command) => {
      const session = open(command);
      const typed = renameOld(session, given);
      const isTyped = (name: string) =>
        [name, oldNameOf(name)].some((each) => command.getOptionValueSource(each) === 'cli');
      const { hpc, path, options } = withTemplate(session, isTyped, namedHpc, namedPath, typed);
      if ((options.command ?? options.tool) === undefined) {
        throw new CannotDo(phrase('jobs.theCommandOrTool'), {
          next: phrase('jobs.addCommandOrToolName'),
        });
      }
      const submission: SubmissionOnNode = {
        hpc,
        nodes: options.nodes,
        cores: options.cores,
        tasks: options.tasks,
        memory: options.memory,
        gpus: options.gpus,
        gpuKind: options.gpuKind,
        class: options.class,
        image: options.image,
        runtime: options.runtime ?? usualRuntime,
        command: options.command,
        tool: options.tool,
        title: options.title,
        project: options.project,
        fields: options.field,
        inputs: options.input,
        outputs: options.output,
        uploadId: options.upload,
        ...(await readWaits(session.client, options)),
        signal: session.interrupt,
      };
      const isBatch = (options.count ?? options.table) !== undefined;
      if (!isBatch && options.maxRunning !== undefined) {
        throw new CannotDo(phrase('jobs.maxRunningIsForBatches'), {
          next: phrase('jobs.addCountOrTable'),
        });
      }
      const onAccepted = () =>
        saveTemplate(session, options.saveTemplate, createTemplate(hpc, path, options));
      const wishes = { ...options, onAccepted };
      await (isBatch ? submitBatch : submitJob)(session, submission, path, wishes);
    });
}

/** Fills in what the template has and nobody typed. */
function withTemplate<Options extends { readonly template?: string | undefined }>(
  { host }: Session,
  isTyped: (name: string) => boolean,
  hpc: string | undefined,
  path: string | undefined,
  typed: Options,
) {
  const template =
    typed.template === undefined ? undefined : openTemplates(host).find(typed.template);
  const system = hpc ?? template?.hpc;
  if (system === undefined) {
    throw new CannotDo(phrase('jobs.theSystemIsMissing'), { next: phrase('jobs.nameOne') });
  }
  const options = template ? fillIn(typed, isTyped, template) : typed;
  return { hpc: system, path: path ?? template?.input, options };
}

function saveTemplate({ host, screen }: Session, name: string | undefined, template: Template) {
  if (name === undefined) return;
  openTemplates(host).save(name, template);
  screen.tell(phrase('jobs.savedTemplate', { name }));
}

async function submitJob(
  session: Session,
  submission: SubmissionOnNode,
  path: string | undefined,
  { dryRun, yes, wait, download, onAccepted }: SubmitWishes,
): Promise<void> {
  if (dryRun) {
    const whole = await withFile(submission, path);
    const price = await session.client.estimate(whole);
    await showEstimate(session, whole, price, [
      ...describeCut(whole, price),
      ...describeStray(whole),
      ...describeWait(price),
      ...hintAt(price),
    ]);
    return onAccepted();
  }
  // Estimate before packing, so that a refusal comes at once.
  const price = await session.client.estimate(submission);
  session.screen.tell(...describeCut(submission, price), ...describeStray(submission));
  if (!session.json) session.screen.tell(...describeWait(price));
  if (session.screen.isLive && !session.json) session.screen.tell(...hintAt(price));
  if (!yes && !(await confirmPrice(session, submission, price))) return;
  const job = await submitWithInput(session, path, undefined, (given) =>
    session.client.submit({ ...submission, ...given }),
  );
  const waits = wait === true || download !== undefined;
  await reportSubmission(session, job, price, { waits });
  onAccepted();
  if (!waits) return;
  const ended = await waitToEnd(session, job);
  if (download !== undefined) await downloadFiles(session, ended, download);
}

/** Names the input for an estimate; the client packs it and cleans up itself. */
async function withFile(
  submission: SubmissionOnNode,
  path: string | undefined,
): Promise<SubmissionOnNode> {
  if (path === undefined) return submission;
  const isFolder = (await stat(path).catch(() => undefined))?.isDirectory() === true;
  return { ...submission, ...(isFolder ? { folder: path } : { zip: path }) };
}

function hintAt(price: Estimate): string[] {
  const hint = describeSimilar(price);
  return hint === undefined ? [] : [hint];
}
