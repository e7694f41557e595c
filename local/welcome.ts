import { hostname } from 'node:os';
import type * as v from 'valibot';
import { type HpcSystem, runsAsOwner } from '#lib/catalog/hpc-system.ts';
import { traitsOf } from '#lib/catalog/kinds/kind-traits.ts';
import { hasPrice } from '#lib/charging/price-job.ts';
import type { BudgetEnvironment } from '#lib/config.ts';
import { type MachineFacts, runsInSandbox } from '#lib/hpc/machine/this-machine.ts';
import type { OwnIssuer } from './own-issuer.ts';
import { sampleName } from './sample-names.ts';
import type { LocalEnvironment } from './settings.ts';
import type { Service } from './start-service.ts';

const demoUser = '306328';
const demoAdministrator = '100001';

type WelcomeSettings = Pick<v.InferOutput<typeof LocalEnvironment>, 'DATA_DIR'> &
  v.InferOutput<typeof BudgetEnvironment>;

/** Writes the welcome: the console, the address, two tokens, and three lines to paste. */
export function welcome(
  service: Service,
  settings: WelcomeSettings,
  systems: readonly HpcSystem[],
): string {
  const [system] = systems;
  const { url, consoleUrl, issuer } = service;
  const token = issuer.issueToken({ user: demoUser, claims: { name: sampleName(demoUser) } });
  const adminToken = issuer.issueToken({
    user: demoAdministrator,
    administrator: true,
    claims: { name: sampleName(demoAdministrator) },
  });
  return `
${describeJobs(service, settings, systems)}

Open the console: ${consoleUrl}

Slipway is running at ${url}   (Ctrl-C stops it; data: ${settings.DATA_DIR})
Its API, to read: ${url}/docs/   for programs: ${url}/openapi.json

Token of user ${demoUser}, for 12 hours:
${token}

Token of an administrator, for 12 hours:
${adminToken}

Paste one:

# what the user has left
curl -sw '\\n' ${url}/quotas/ -H 'Authorization: Bearer ${token}'

# submit a job
curl -sw '\\n' -X POST ${url}/jobs/${system?.name}/ -H 'Authorization: Bearer ${token}' -H 'Content-Disposition: attachment; filename=job_file.zip' -H 'Payload: ${system && writePayload(system)}'

# the user's quotas, as an administrator sees them
curl -sw '\\n' ${url}/admin/quotas/${demoUser}/ -H 'Authorization: Bearer ${adminToken}'

`;
}

/** Writes the welcome of a service whose users sign in at an issuer of their own. */
export function welcomeGroup(
  service: Service,
  { ISSUER }: OwnIssuer['identity'],
  settings: WelcomeSettings,
  systems: readonly HpcSystem[],
): string {
  const { url, consoleUrl } = service;
  return `
${describeJobs(service, settings, systems)}

Open the console: ${consoleUrl}

Slipway is running at ${url}   (data: ${settings.DATA_DIR})
Users sign in at ${ISSUER}. No tokens are made here.

`;
}

/** Says where jobs run, what keeps them apart from the rest of the machine, and what they cost. */
export function describeJobs(
  { machine, formerlySimulated }: Pick<Service, 'machine' | 'formerlySimulated'>,
  { MONTHLY_BUDGET_USD: budget }: Pick<WelcomeSettings, 'MONTHLY_BUDGET_USD'>,
  systems: readonly HpcSystem[],
): string {
  const simulated = systems.filter((system) => traitsOf(system).simulated);
  const here = systems.filter(({ connector }) => connector.kind === 'machine');
  const lines: string[] = [];
  if (machine && here.length > 0) {
    const memory = (machine.memoryBytes / 1_000_000_000).toFixed(1);
    lines.push(
      `Jobs of ${listNames(here)} run on this machine, ${hostname()}, with ${machine.cores} cores and ${memory} GB of memory.`,
      machine.limits.sentence,
      ...describeReach(here, machine),
    );
  }
  if (simulated.length > 0) {
    lines.push(
      `Jobs of ${listNames(simulated)} are simulated: they keep time and compute nothing.`,
    );
  }
  if (formerlySimulated.length > 0) {
    lines.push(
      `Jobs of ${listNames(formerlySimulated)} in this data were simulated. They have no files here, and nobody follows those that still run. To go on with them, start with SYSTEMS=simulated.`,
    );
  }
  const priced = systems.filter(hasPrice);
  if (priced.length > 0) {
    lines.push(
      `Jobs of ${listNames(priced)} run on AWS Batch, and AWS charges your account for them.`,
      budget === undefined
        ? 'Nothing limits what they cost. Set MONTHLY_BUDGET_USD to limit it.'
        : `They may cost ${budget} US dollars in a month.`,
    );
  }
  return lines.join('\n');
}

/** A person who lets jobs run here must know what they can reach. */
function describeReach(here: readonly HpcSystem[], machine: MachineFacts): string[] {
  const {
    sandboxed = [],
    mapped = [],
    open = [],
  } = Object.groupBy(here, (system) => {
    if (runsInSandbox(system, machine)) return 'sandboxed';
    return runsAsOwner(system) ? 'mapped' : 'open';
  });
  const name = (systems: readonly HpcSystem[]) =>
    systems.length === here.length ? 'Jobs' : `Jobs of ${listNames(systems)}`;
  return [
    ...(sandboxed.length > 0
      ? [
          `${name(sandboxed)} run in a sandbox: they read the programs of this machine and their own folders.`,
        ]
      : []),
    ...(mapped.length > 0 ? [`${name(mapped)} run as the accounts of their owners.`] : []),
    ...(open.length > 0
      ? [
          `${name(open)} run as you: they can read and change whatever you can, such as your files, your keys in ~/.ssh, and other jobs.`,
        ]
      : []),
  ];
}

function listNames(systems: readonly HpcSystem[]): string {
  return systems.map(({ name }) => name).join(', ');
}

/** Counts the primes below 100,000. It has no quotes, because it stands in a line for the shell. */
const commandToTry = 'seq 100000 | factor | awk NF==2 | wc -l';

/** Writes a job that every system accepts. */
function writePayload({ program, limits, connector }: HpcSystem): string {
  const [tool = 'NEURON74_TG'] = Object.keys(('tools' in connector && connector.tools) || {});
  const example = program.field === 'command' ? commandToTry : tool;
  return JSON.stringify({
    [program.field]: example.slice(0, program.maxLength),
    nodes: String(Math.min(2, limits.nodes)),
    cores: String(Math.min(6, limits.coresPerNode)),
    runtime: '2.0',
    title: 'a job title',
  });
}

/** Too short for people to notice, but saves a busy service most of its writes. */
const gatheredMs = 30;

interface Lines {
  write(text: string): void;
  /** Writes the remaining lines, before the process ends. */
  flush(): void;
}

/** Combines lines that follow each other quickly into one write. */
export function gatherLines(print: (text: string) => void): Lines {
  let waiting = '';
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (waiting !== '') print(waiting);
    waiting = '';
  };
  return {
    write(text) {
      waiting += text;
      timer ??= setTimeout(flush, gatheredMs);
    },
    flush,
  };
}
