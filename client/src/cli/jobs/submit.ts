import { stat } from 'node:fs/promises';
import { Option } from '@commander-js/extra-typings';
import { writeLeft, writeNodeTime, writeSize } from '../../format/amounts/amounts.ts';
import { nameMemory } from '../../format/amounts/typed.ts';
import { describeResources } from '../../format/jobs/describe-resources.ts';
import { describeCut, describeSimilar } from '../../format/jobs/describe-usage.ts';
import { writeShortId } from '../../format/jobs/write-short-id.ts';
import { writeNumber } from '../../format/numbers/write-number.ts';
import { describeWait } from '../../format/systems/describe-maintenance.ts';
import { type Estimate, type Job, placeOf, type System } from '../../index.ts';
import type { SubmissionOnNode } from '../../node/index.ts';
import { submitBatch } from '../batches/submit-batch.ts';
import { downloadFiles } from '../files/files.ts';
import { readCharging } from '../session/find.ts';
import {
  readCount,
  readField,
  readInput,
  readList,
  readOutput,
  readRuntimeOption,
  readTemplateName,
} from '../session/options.ts';
import { confirm, createCommand, type Open, type Session } from '../session/session.ts';
import { describeStray } from '../submission/describe-unmatched.ts';
import { oldNameOf, renameOld } from '../submission/old-options.ts';
import { submitWithInput } from '../submission/prepare-input.ts';
import { readWaits } from '../submission/read-waits.ts';
import { createTemplate, fillIn, openTemplates, type Template } from '../submission/templates.ts';
import { CannotDo } from '../terminal/outcome.ts';
import { cleanText, padText } from '../terminal/text.ts';
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

interface JobOptions {
  readonly dryRun?: true | undefined;
  readonly yes?: true | undefined;
  readonly wait?: true | undefined;
  readonly download?: string | undefined;
  /** Called once the service has accepted the submission, or its dry run. */
  readonly onAccepted: () => void;
}

async function submitJob(
  session: Session,
  submission: SubmissionOnNode,
  path: string | undefined,
  { dryRun, yes, wait, download, onAccepted }: JobOptions,
): Promise<void> {
  if (dryRun) {
    await showEstimate(session, await withFile(submission, path));
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
  await reportSubmission(session, job, price, waits);
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

/** Asks before a job reserves more than half of the remaining quota, or gets less time than asked. */
async function confirmPrice(
  session: Session,
  submission: SubmissionOnNode,
  price: Estimate,
): Promise<boolean> {
  const { client, screen } = session;
  const { held, left } = price;
  const isMuch = held.time > left.time;
  if (!screen.isLive || !(isMuch || describeCut(submission, price).length > 0)) return true;
  if (isMuch) {
    const charging = chargingOf(await client.listSystems(), submission.hpc);
    const before = writeNodeTime(held.time + left.time, charging);
    const time = writeNodeTime(held.time, charging);
    screen.tell(phrase('jobs.thisJobReserves', { time, before }));
  }
  if (await confirm(session, phrase('jobs.submitIt'))) return true;
  screen.tell(phrase('jobs.nothingWasSubmitted'));
  return false;
}

/** Shows what a submission would reserve, and what would remain. */
async function showEstimate(
  { client, print }: Session,
  submission: SubmissionOnNode,
): Promise<void> {
  const [price, systems] = await Promise.all([client.estimate(submission), client.listSystems()]);
  const charging = chargingOf(systems, submission.hpc);
  const { held, left, living_jobs: active, max_living_jobs: most, resources } = price;
  print(
    price,
    ...(resources ? [phrase('jobs.itWouldGet', { resources: describeResources(resources) })] : []),
    phrase('jobs.itWouldReserve', {
      time: writeNodeTime(held.time, charging),
      size: writeSize(held.space * 1000),
    }),
    phrase('jobs.remainingAfterItAnd', {
      time: writeNodeTime(left.time, charging),
      size: writeSize(left.space * 1000),
    }),
    ...describeCut(submission, price),
    ...describeStray(submission),
    ...describeWait(price),
    ...hintAt(price),
    phrase('jobs.itWouldBeActiveJob', { active: writeNumber(active), most: writeNumber(most) }),
  );
}

function hintAt(price: Estimate): string[] {
  const hint = describeSimilar(price);
  return hint === undefined ? [] : [hint];
}

function chargingOf(systems: readonly System[], hpc: string) {
  return systems.find(({ name }) => name === hpc)?.charging ?? 'mixed';
}

/** Shows the new job, what it reserves, what remains, and the next commands. */
async function reportSubmission(
  { client, screen, json, print }: Session,
  job: Job,
  { held }: Estimate,
  waits: boolean,
): Promise<void> {
  // Once it has ended, the job is printed as it is then.
  if (json) return waits ? undefined : print(job);
  const { hpc, project_name } = placeOf(job);
  const [chargingOf, { usage }] = await Promise.all([
    readCharging(client),
    client.getQuota({ hpc, project_name, expand: 'usage' }),
  ]);
  const id = writeShortId(job.job_id);
  const charging = chargingOf(job.project_hpc);
  const name = `${screen.paint('bold', id)}  ${cleanText(job.title || phrase('shared.noTitle'))}`;
  const reserved = writeNodeTime(held.time, charging);
  const left = usage
    ? phrase('jobs.amountLeft', { left: writeLeft(usage.time.left, usage.time.granted) })
    : '';
  screen.say(
    phrase('jobs.submittedTo', { name: padText(name, 26, 'end'), hpc, projectname: project_name }),
    phrase('jobs.reservedForJob', { reserved: padText(reserved, 26, 'end'), left }),
    ...(waits ? [] : [phrase('jobs.followJob', { id })]),
  );
}
