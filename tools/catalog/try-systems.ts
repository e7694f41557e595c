import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { HpcSystem } from '#lib/catalog/hpc-system.ts';
import { isJobId, isUserId } from '#lib/catalog/identifiers.ts';
import { systemKinds } from '#lib/catalog/kinds/system-kinds.ts';
import type { Connector, JobOrder, Observation } from '#lib/hpc/connector.ts';
import {
  CredentialsRefusedError,
  JobRefusedError,
  SystemBusyError,
  SystemUnavailableError,
} from '#lib/hpc/errors.ts';

/** The outcome of one trial, with a sentence for the operator. */
export interface Trial {
  readonly isRight: boolean;
  readonly text: string;
}

export interface TrialOptions {
  /** The accounts to run a job as, on systems whose jobs run as their owners' accounts. */
  readonly logins: readonly string[];
  /** How long a job may wait and run before it is cancelled. */
  readonly patienceSeconds?: number;
  readonly pauseMs?: number;
}

/**
 * Calls a system and runs a tiny job there: one for each given account if jobs run as their owners'
 * accounts, otherwise one. This finds a wrong port, partition, account or directory, which a check
 * of the catalog alone cannot find.
 */
export async function trySystem(
  system: HpcSystem,
  connector: Connector,
  options: TrialOptions,
): Promise<Trial[]> {
  const { name, connector: settings, runsAs } = system;
  const where = 'baseUrl' in settings ? ` at ${settings.baseUrl}` : '';
  try {
    await connector.checkHealth();
  } catch (error) {
    return [wrong(`${name} does not answer as it should${where}: ${explain(error)}`)];
  }
  const called = right(`${name} answers${where}.`);
  const { trialCommand } = systemKinds[settings.kind];
  if (trialCommand === undefined) return [called];
  const logins = runsAs === 'mapped' ? options.logins : [undefined];
  if (logins.length === 0) {
    return [
      called,
      wrong(`${name} runs jobs as the accounts of their owners: name one with --as.`),
    ];
  }
  const trials: Trial[] = [called];
  for (const login of logins) {
    const order = writeOrder(system, trialCommand, login);
    trials.push(await tryJob(system, connector, order, options));
  }
  return trials;
}

async function tryJob(
  system: HpcSystem,
  connector: Connector,
  order: JobOrder,
  { patienceSeconds = 300, pauseMs = 1000 }: TrialOptions,
): Promise<Trial> {
  const { login } = order;
  const who = `${system.name}: a job as ${login === undefined ? 'the service' : `'${login}'`}${describePlace(system, login)}`;
  let handle: string;
  try {
    handle = await connector.submit(order);
  } catch (error) {
    return wrong(`${who} was not taken. ${explain(error)}`);
  }
  const job = { jobId: order.jobId, owner: order.owner, login, handle };
  const end = Date.now() + patienceSeconds * 1000;
  let seen: Observation | undefined;
  while (Date.now() < end) {
    seen = (await connector.lookUp([job])).get(job.jobId);
    if (seen?.state === 'ended') return judgeEnd(who, handle, seen);
    await pause(pauseMs);
  }
  await connector.cancel(job);
  const reason = seen?.state === 'living' && seen.reason ? ` ${seen.reason}` : '';
  return wrong(
    `${who} was taken (${handle}), but did not end within ${patienceSeconds} s.${reason}`,
  );
}

function judgeEnd(
  who: string,
  handle: string,
  { failed, reason = '' }: Extract<Observation, { state: 'ended' }>,
): Trial {
  return failed ? wrong(`${who} (${handle}) failed. ${reason}`) : right(`${who} (${handle}) ran.`);
}

/** Lists the settings that a job depends on, because a wrong one may be why it failed. */
function describePlace({ connector }: HpcSystem, login: string | undefined): string {
  const { kind, baseUrl, ...settings }: Readonly<Record<string, unknown>> = connector;
  const places = Object.entries(settings).flatMap(([name, value]) =>
    typeof value === 'string' ? [`${name} '${value.replaceAll('{account}', login ?? '')}'`] : [],
  );
  return places.length === 0 ? '' : ` (${places.join(', ')})`;
}

function writeOrder(
  { projects: [project], classes = [] }: HpcSystem,
  program: string,
  login: string | undefined,
): JobOrder {
  const [owner, jobId] = ['0', `SLIPWAY-TRY-${randomBytes(8).toString('hex').toUpperCase()}`];
  if (!isUserId(owner) || !isJobId(jobId)) throw new Error('A job to try with has no such names.');
  return {
    jobId,
    owner,
    login,
    program,
    nodes: 1,
    coresPerNode: 1,
    project: project.name,
    className: classes[0]?.name,
    hours: 1 / 60,
    title: 'npm run catalog:check -- --try',
    extras: {},
  };
}

function explain(error: unknown): string {
  const isKnown =
    error instanceof SystemUnavailableError ||
    error instanceof SystemBusyError ||
    error instanceof JobRefusedError ||
    error instanceof CredentialsRefusedError;
  if (!isKnown) throw error;
  return error.message;
}

function right(text: string): Trial {
  return { isRight: true, text };
}

function wrong(text: string): Trial {
  return { isRight: false, text };
}
