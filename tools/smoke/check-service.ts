import { join } from 'node:path';
import {
  createClient,
  type Job,
  placeOf,
  problems,
  type SlipwayOnNode,
  SlipwayProblem,
  type SubmissionOnNode,
  type System,
} from '#client/src/node/index.ts';
import type { Outcome, TakeStep } from '../tell-steps.ts';

interface SmokeSettings {
  readonly baseUrl: string;
  readonly token: string;
  /** The system to run a job on; by default the first one that takes a command. */
  readonly hpc?: string | undefined;
  /** The command, or the tool if the system takes tools. */
  readonly program?: string | undefined;
  /** Time limit of the job. */
  readonly jobSeconds: number;
  /**
   * If true, a job that is still waiting at the limit is cancelled and does not count as a failure.
   */
  readonly mayWait: boolean;
}

/** A small zip, so that the storage is tested too. */
const zip = join(import.meta.dirname, '../../docs/examples/job_file.zip');

/** The timeout of every call except the wait for the job. */
const callSeconds = 15;

const within = () => ({ signal: AbortSignal.timeout(callSeconds * 1000) });

/** Uses a service once as a user does. Leaves no active job behind. */
export async function checkService(settings: SmokeSettings, step: TakeStep): Promise<void> {
  const { baseUrl, token } = settings;
  const client = createClient({ baseUrl, token, retries: 2 });
  await step('status', () => readStatus(client));
  await step('no token', () => beRefused(createClient({ baseUrl, retries: 2 })));
  await step('token', () => readQuotas(client));
  const submission = await step('dry run', () => estimate(client, settings));
  const job = await runJob(client, submission, settings, step);
  const isCancelled = job.stage === 'CANCELED';
  if (!isCancelled) await step('files', () => readFiles(client, job));
  await step('ledger', () => readLedger(client, job));
  if (!isCancelled) await step('delete', () => deleteJob(client, job));
}

type Told = Outcome<undefined>;

const tell = (words: string): Told => ({ words, result: undefined });

async function readStatus(client: SlipwayOnNode): Promise<Told> {
  const { status, version, systems } = await client.readStatus({}, within());
  if (status !== 'up') throw new Error(`The service reports the status '${status}'.`);
  const words = [version, ...systems.map((system) => `${system.name} ${system.status}`)];
  return tell(words.join(', '));
}

async function beRefused(nobody: SlipwayOnNode): Promise<Told> {
  try {
    await nobody.listJobs({}, within());
  } catch (error) {
    if (error instanceof problems['invalid-token']) return tell('refused, as expected');
    throw error;
  }
  throw new Error('A request without a token was answered. It must be refused.');
}

async function readQuotas(client: SlipwayOnNode): Promise<Told> {
  const quotas = await client.listQuotas({}, within());
  const [first] = quotas;
  if (!first) throw new Error('The user has no quota. Grant one on the system under test.');
  return tell(`user ${first.user}, ${quotas.length} quotas`);
}

async function estimate(
  client: SlipwayOnNode,
  settings: SmokeSettings,
): Promise<Outcome<SubmissionOnNode>> {
  const systems = await client.listSystems({}, within());
  const submission = { ...chooseSubmission(systems, settings), zip };
  const { held, left } = await client.estimate({ ...submission, ...within() });
  const words = `${submission.hpc}: ${held.time} s of node time, ${left.time} s remain`;
  return { words, result: submission };
}

async function readFiles(client: SlipwayOnNode, job: Job): Promise<Told> {
  const place = placeOf(job);
  const files = await client.listFiles(place, within());
  const [first] = files;
  if (!first) throw new Error('The job ended without files.');
  const bytes = await (
    await client.readFile({ ...place, file_id: first.fileid }, within())
  ).bytes();
  return tell(`${files.length} files, ${first.filename} has ${bytes.length} bytes`);
}

/** Checks that the hold was settled once, and that no more was used than held. */
async function readLedger(client: SlipwayOnNode, job: Job): Promise<Told> {
  const { hpc, project_name } = placeOf(job);
  const lines = (await client.readLedger({ hpc, project_name }, within())).filter(
    ({ job_id }) => job_id === job.job_id,
  );
  const kinds = lines.map(({ kind }) => kind).toSorted();
  if (kinds.join() !== 'hold,settle') {
    throw new Error(`The ledger has these lines of the job, not one hold and one settle: ${kinds}`);
  }
  const used = -lines.reduce((sum, { time }) => sum + time, 0);
  const held = Math.max(...lines.map(({ time }) => -time));
  if (used < 0 || used > held) throw new Error(`${used} s were used of ${held} s that were held.`);
  return tell(`${held} s held, ${used} s used`);
}

async function deleteJob(client: SlipwayOnNode, job: Job): Promise<Told> {
  return tell((await client.deleteJob(placeOf(job), within())).stage);
}

/** The smallest job. It takes some seconds on a simulator that runs an hour in a minute. */
const size = { nodes: 1, cores: 1, runtime: 0.1, title: 'smoke test' };

const anyCommand = 'echo slipway';

/** Chooses the job to run: on the named system, or on the first one that takes a command. */
function chooseSubmission(
  systems: readonly System[],
  { hpc, program }: SmokeSettings,
): SubmissionOnNode {
  const system =
    hpc === undefined ? systems.find(takesCommand) : systems.find((each) => each.name === hpc);
  if (!system) {
    const names = systems.map(({ name }) => name).join(', ');
    throw new Error(
      hpc === undefined
        ? `No system takes a command. Choose a system and a tool: --hpc NAME --program TOOL (${names}).`
        : `Unknown system '${hpc}'. Choose one of: ${names}.`,
    );
  }
  if (takesCommand(system)) return { ...size, hpc: system.name, command: program ?? anyCommand };
  if (program === undefined) throw new Error(`${system.name} takes a tool. Add --program TOOL.`);
  return { ...size, hpc: system.name, tool: program };
}

function takesCommand({ payload }: System): boolean {
  return !payload.required.includes('tool');
}

/** Submits a job and waits for its end. It is cancelled if anything goes wrong. */
async function runJob(
  client: SlipwayOnNode,
  submission: SubmissionOnNode,
  settings: SmokeSettings,
  step: TakeStep,
): Promise<Job> {
  const submitted = await step('submit', async () => {
    const job = await client.submit(submission);
    return { words: `${job.job_id} in ${job.project_name}, ${job.stage}`, result: job };
  });
  return step('job', () => endJob(client, submitted, settings));
}

async function endJob(
  client: SlipwayOnNode,
  submitted: Job,
  { jobSeconds, mayWait }: SmokeSettings,
): Promise<Outcome<Job>> {
  const inTime = AbortSignal.timeout(jobSeconds * 1000);
  let seen = submitted;
  const onChange = (now: Job) => {
    seen = now;
  };
  try {
    const ended = await client.waitFor(submitted, { signal: inTime, onChange });
    if (!ended.failed) return { words: ended.stage, result: ended };
    throw new Error(`The job ended as ${ended.stage}. ${await explainEnd(client, ended)}`);
  } catch (error) {
    if (seen.terminal_stage) throw error;
    const cancelled = await client.deleteJob(placeOf(submitted));
    if (!inTime.aborted) throw error;
    const words = `The job was still ${seen.stage} after ${jobSeconds} seconds and was cancelled.`;
    if (!mayWait) throw new Error(`${words} On a real system, add --may-wait.`);
    return { words, result: cancelled };
  }
}

async function explainEnd(client: SlipwayOnNode, job: Job): Promise<string> {
  const { reason } = await client.getTimeline(placeOf(job));
  return reason ?? 'No reason is known.';
}

/** Adds the id of the request, by which an operator finds it in the log. */
export function explainFailure(error: unknown): string {
  if (error instanceof SlipwayProblem) {
    const { status, instance } = error.problem;
    return `${status}: ${error.message}${instance === undefined ? '' : ` (request ${instance})`}`;
  }
  return error instanceof Error ? error.message : String(error);
}
