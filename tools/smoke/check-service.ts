import { join } from 'node:path';
import {
  createClient,
  type Job,
  placeOf,
  problems,
  type SlipwayOnNode,
  type SubmissionOnNode,
} from '#client/src/node/index.ts';
import { chooseSubmission } from './choose-submission.ts';
import { runJob } from './run-job.ts';
import type { Outcome, TakeStep } from './take-steps.ts';

export interface SmokeSettings {
  readonly baseUrl: string;
  readonly token: string;
  /** The system to run a job on; the first one that takes a command, where none is named. */
  readonly hpc?: string | undefined;
  /** The command, or the tool where the system takes one. */
  readonly program?: string | undefined;
  /** How long the job has until it must have ended. */
  readonly jobSeconds: number;
  /** Whether it may wait for longer, as on a real system: it is cancelled then. */
  readonly mayWait: boolean;
}

/** A small zip, so that the storage is a part of it. */
const zip = join(import.meta.dirname, '../../docs/examples/job_file.zip');

/** What every call has, beside the job itself. */
const callSeconds = 15;

const within = () => ({ signal: AbortSignal.timeout(callSeconds * 1000) });

/** Goes through a service as a user does, once, and leaves no living job behind. */
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
  if (status !== 'up') throw new Error(`The service says that it is ${status}.`);
  const words = [version, ...systems.map((system) => `${system.name} ${system.status}`)];
  return tell(words.join(', '));
}

async function beRefused(nobody: SlipwayOnNode): Promise<Told> {
  try {
    await nobody.listJobs({}, within());
  } catch (error) {
    if (error instanceof problems['invalid-token']) return tell('refused, as it must be');
    throw error;
  }
  throw new Error('A request without a token was answered. Nobody must be let in so.');
}

async function readQuotas(client: SlipwayOnNode): Promise<Told> {
  const quotas = await client.listQuotas({}, within());
  const [first] = quotas;
  if (!first) throw new Error('The caller has no quota. Grant one on the system that is tried.');
  return tell(`user ${first.user}, ${quotas.length} quotas`);
}

async function estimate(
  client: SlipwayOnNode,
  settings: SmokeSettings,
): Promise<Outcome<SubmissionOnNode>> {
  const systems = await client.listSystems({}, within());
  const submission = { ...chooseSubmission(systems, settings), zip };
  const { held, left } = await client.estimate({ ...submission, ...within() });
  const words = `${submission.hpc}: ${held.time} s of node time, ${left.time} s are left after it`;
  return { words, result: submission };
}

async function readFiles(client: SlipwayOnNode, job: Job): Promise<Told> {
  const place = placeOf(job);
  const files = await client.listFiles(place, within());
  const [first] = files;
  if (!first) throw new Error('The job has ended and has no files.');
  const bytes = await (
    await client.readFile({ ...place, file_id: first.fileid }, within())
  ).bytes();
  return tell(`${files.length} files, ${first.filename} has ${bytes.length} bytes`);
}

/** What was held is settled, once, and no more was used than was held. */
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
  const { stage } = await client.deleteJob(placeOf(job), within());
  return tell(stage);
}
