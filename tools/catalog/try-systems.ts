import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { streamBytes } from '#lib/byte-streams/byte-stream.ts';
import type { HpcSystem } from '#lib/catalog/hpc-system.ts';
import { isJobId, isUserId, type ProjectName } from '#lib/catalog/identifiers.ts';
import { systemKinds } from '#lib/catalog/kinds/system-kinds.ts';
import { classesFor, grantMemory } from '#lib/catalog/resources.ts';
import type {
  Connector,
  JobInput,
  JobOrder,
  Observation,
  SubmittedJob,
} from '#lib/hpc/connector.ts';
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
 * of the catalog alone cannot find. If the system can rehearse, each class is rehearsed with each
 * project that may use it.
 */
export async function trySystem(
  system: HpcSystem,
  connector: Connector,
  options: TrialOptions,
): Promise<Trial[]> {
  const { name, connector: settings, runsAs } = system;
  const where = describeAddress(settings);
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
    const { taken, refused } = await rehearse(system, connector, login);
    trials.push(...refused);
    const [place] = taken;
    if (!place) continue;
    const order = carriesFiles(settings)
      ? { ...writeOrder(system, 'true', login, place), input: emptyInput }
      : writeOrder(system, trialCommand, login, place);
    trials.push(await tryJob(system, connector, order, options));
  }
  return trials;
}

/** True if the service brings input to the system and fetches results from it. */
function carriesFiles(settings: HpcSystem['connector']): boolean {
  return 'files' in settings && settings.files === 'ssh';
}

/** A zip without entries is its end record alone. */
const emptyZip = Buffer.from([0x50, 0x4b, 5, 6, ...new Array<number>(18).fill(0)]);

const emptyInput: JobInput = {
  fileName: 'empty.zip',
  address: 'https://localhost/',
  open: async () => ({ bytes: emptyZip.length, stream: streamBytes(emptyZip) }),
};

/** What a job can name besides its resources. */
interface Place {
  readonly className?: string;
  readonly project?: ProjectName;
}

/** Lists the classes with the projects of the catalog that may use each. */
function listPlaces(system: HpcSystem): Place[] {
  const { classes = [], projects } = system;
  if (classes.length === 0) return projects.map(({ name }) => ({ project: name }));
  return projects.flatMap(({ name }) =>
    classesFor(system, name).map((each) => ({ className: each.name, project: name })),
  );
}

/** Sorts the places into those that the system takes a job in, and what it says about the others. */
async function rehearse(
  system: HpcSystem,
  connector: Connector,
  login: string | undefined,
): Promise<{ readonly taken: readonly Place[]; readonly refused: readonly Trial[] }> {
  const places = listPlaces(system);
  if (!connector.rehearse) return { taken: places, refused: [] };
  const who = `${system.name}: a job as ${nameUser(login)}`;
  const taken: Place[] = [];
  const refused: Trial[] = [];
  for (const place of places) {
    try {
      await connector.rehearse(writeOrder(system, 'true', login, place));
      taken.push(place);
    } catch (error) {
      const { className, project } = place;
      const of = className === undefined ? '' : ` of the class '${className}'`;
      refused.push(wrong(`${who}${of} for the project '${project}' is refused. ${explain(error)}`));
    }
  }
  return { taken, refused };
}

function nameUser(login: string | undefined): string {
  return login === undefined ? 'the service' : `'${login}'`;
}

const littleMemory = 100;

function describeAddress(settings: HpcSystem['connector']): string {
  if ('reach' in settings && settings.reach) {
    const { host, port = 22, user } = settings.reach.ssh;
    return ` as ${user}@${host}:${port}`;
  }
  return 'baseUrl' in settings ? ` at ${settings.baseUrl}` : '';
}

async function tryJob(
  system: HpcSystem,
  connector: Connector,
  order: JobOrder,
  { patienceSeconds = 300, pauseMs = 1000 }: TrialOptions,
): Promise<Trial> {
  const { login } = order;
  const who = `${system.name}: a job as ${nameUser(login)}${describePlace(system, login)}`;
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
    if (seen?.state === 'ended') {
      const files = carriesFiles(system.connector) ? await takeFiles(connector, job) : undefined;
      return judgeEnd(who, handle, seen, files);
    }
    await pause(pauseMs);
  }
  await connector.cancel(job);
  const reason = seen?.state === 'living' && seen.reason ? ` ${seen.reason}` : '';
  return wrong(
    `${who} was taken (${handle}), but did not end within ${patienceSeconds} s.${reason}`,
  );
}

/** Returns the names of the files that the job left, and removes them. */
async function takeFiles(connector: Connector, job: SubmittedJob): Promise<string[]> {
  const files = await connector.listFiles(job);
  await connector.remove?.(job);
  return files.map(({ name }) => name);
}

function judgeEnd(
  who: string,
  handle: string,
  { failed, reason = '' }: Extract<Observation, { state: 'ended' }>,
  files: readonly string[] = ['stdout'],
): Trial {
  if (!failed && !files.includes('stdout')) {
    return wrong(`${who} (${handle}) ran, but its files cannot be seen from the login node.`);
  }
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

/** Asks for little, so that the job soon finds room. */
function writeOrder(
  system: HpcSystem,
  program: string,
  login: string | undefined,
  { className, project }: Place,
): JobOrder {
  const [owner, jobId] = ['0', `SLIPWAY-TRY-${randomBytes(8).toString('hex').toUpperCase()}`];
  if (!isUserId(owner) || !isJobId(jobId)) throw new Error('A job to try with has no such names.');
  const size = { nodes: 1, coresPerNode: 1, className };
  return {
    jobId,
    owner,
    login,
    program,
    ...size,
    memoryMegabytes: grantMemory(system, { ...size, memoryMegabytes: littleMemory }),
    project,
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
  return ('said' in error && error.said) || error.message;
}

function right(text: string): Trial {
  return { isRight: true, text };
}

function wrong(text: string): Trial {
  return { isRight: false, text };
}
