import { describeProblem, nameOf } from '../../changes/describe-problem.ts';
import type { SlipwayProblem } from '../../index.ts';

type Problem = SlipwayProblem['problem'];

/** What the command knows about the failed request, to name flags, commands and similar names. */
export interface Circumstances {
  /** The address of the service. */
  readonly address?: string | undefined;
  /** ` --profile NAME`, or nothing for the usual profile. */
  readonly profile?: string;
  /** True for the commands below `slipway admin`. */
  readonly isAdmin?: boolean;
  /** True for the commands below `slipway project`. */
  readonly isLead?: boolean;
  /** The system, the project and the user that the person named. */
  readonly hpc?: string | undefined;
  readonly project?: string | undefined;
  readonly user?: string | undefined;
  /** The names that the service knows. Read only if it refused one. */
  readonly systems?: readonly string[];
  readonly projects?: readonly string[];
}

/** Writes a problem in the words of the command: what is wrong, then the next step. */
export function describeForCommand(problem: Problem, around: Circumstances): string[] {
  const own = describers[nameOf(problem)];
  if (own) return [...own(problem, around)];
  return [`${problem.title}.`, describeProblem(problem)].filter((line) => line !== '.');
}

type Describer = (problem: Problem, around: Circumstances) => readonly string[];

const describers: Readonly<Record<string, Describer>> = {
  'invalid-request': describeInvalid,
  'invalid-token': (_, { profile = '' }) => [
    'The service does not accept your token. It may have expired.',
    `Sign in again: slipway login${profile}`,
  ],
  'not-administrator': (_, { isLead, project = 'this project' }) =>
    isLead
      ? [`You do not lead ${project}.`, 'List the projects that you lead: slipway project']
      : [
          'Only administrators can do this.',
          'Sign in as an administrator: slipway login --profile admin   (on a laptop: slipway login --local --admin --profile admin)',
          'Then use that profile: slipway --profile admin admin ...',
        ],
  'system-not-found': (problem, { hpc, systems = [] }) =>
    describeUnknown(problem, 'system', hpc, systems),
  'project-not-found': (problem, { project, projects = [] }) =>
    describeUnknown(problem, 'project', project, projects),
  'quota-exceeded': (problem) => [
    describeProblem(problem),
    'Request less, or ask for a larger quota: slipway ask --help',
  ],
  'no-quota': (problem) => [describeProblem(problem), 'Ask for one: slipway ask --help'],
  'quota-not-found': (problem, { isAdmin }) => [
    describeProblem(problem),
    isAdmin ? 'List all quotas: slipway admin quotas' : 'List your quotas: slipway quotas',
  ],
  'job-not-found': (_, { isAdmin }) => [
    'There is no such job any more.',
    `List the jobs: slipway ${isAdmin ? 'admin ' : ''}jobs --all`,
  ],
  'batch-not-found': () => ['You have no such batch.', 'List your batches: slipway batches'],
  'file-not-found': () => [
    'The job has no such file, or not yet.',
    'List its files: slipway files JOB',
  ],
  'user-not-found': (_, { user }) => [
    user === undefined
      ? 'The service does not know this user.'
      : `The service does not know the user ${user}.`,
    'List all users: slipway admin users',
  ],
  'account-not-found': () => [
    'The user has no account on this system.',
    'List the accounts of a user: slipway admin accounts --help',
  ],
  'webhook-not-found': () => ['You have no such webhook.', 'List your webhooks: slipway webhooks'],
  'delivery-not-found': () => [
    'The webhook has no such delivery, or it is older than 30 days.',
    'List its deliveries: slipway webhooks deliveries WEBHOOK',
  ],
  'request-not-found': (_, { isAdmin }) => [
    'There is no such request.',
    `List the requests: slipway ${isAdmin ? 'admin ' : ''}requests`,
  ],
  'too-many-jobs': (problem) => [
    describeProblem(problem),
    'List the active ones: slipway jobs --active',
  ],
  'path-not-found': () => [
    'The service does not know what this command asks for. It may be older than the command.',
    'Compare their versions: slipway doctor',
  ],
  'submission-uncertain': () => [
    'The service lost contact with its database, so the job may exist.',
    'Look before you submit it again: slipway jobs',
  ],
  timeout: () => [
    'The request took too long, and may have taken effect.',
    'Look before you repeat it, for example with: slipway jobs',
  ],
  'internal-error': () => [
    'The service failed to answer. This is not your fault.',
    'Tell the people who run it the number of the request:',
  ],
};

function describeInvalid(problem: Problem, around: Circumstances): string[] {
  const { errors = [] } = problem;
  if (errors.length === 0) return [`${problem.title}.`, describeProblem(problem)];
  // Without a command line, such as before an assistant, there are no flags to name.
  const hasFlags = around.address !== undefined;
  const name = hasFlags ? nameFlag : (field: string) => field;
  const reword = hasFlags ? nameFlags : (text: string) => text;
  return [
    hasFlags ? 'The service refused this:' : `${problem.title}.`,
    ...errors.map((each) => `  ${name(each.name)}: ${reword(each.message)}`),
  ];
}

/** The flags of fields that have another name in the interface. */
const flags: Readonly<Record<string, string>> = {
  node_number: '--nodes',
  core_number: '--cores',
  runtime: '--time',
  gpu_number: '--gpus',
  gpu_kind: '--gpu-kind',
  after_any: '--after-any',
  input_from: '--input-from',
  input_folder: '--input-folder',
  max_running: '--max-running',
  valid_until: '--until',
  project_name: '--project',
};

/** The fields whose flags have the same name. Others are given with --field. */
const alike = new Set(
  'command tool title memory class after count table since until limit reason stage kind by user events url'.split(
    ' ',
  ),
);

function nameFlag(field: string): string {
  return flags[field] ?? (alike.has(field) ? `--${field}` : field);
}

/** Names flags in a message of the service instead of fields. */
function nameFlags(message: string): string {
  const [words = '', ...lists] = message.split(/(?<=fields: )/);
  const known = new RegExp(`\\b(${Object.keys(flags).join('|')})\\b`, 'g');
  return [
    words.replaceAll(known, nameFlag),
    ...lists.map((list) => list.replaceAll(/\w+/g, nameFlag)),
  ].join('');
}

/** Without the name and those that exist, such as before an assistant, the service's words are better. */
function describeUnknown(
  problem: Problem,
  what: 'system' | 'project',
  wanted: string | undefined,
  names: readonly string[],
): string[] {
  if (wanted === undefined && names.length === 0) return [describeProblem(problem)];
  const all = names.length === 0 ? 'List them: slipway systems' : `Known: ${names.join(', ')}.`;
  return [
    wanted === undefined ? `Unknown ${what}.` : `Unknown ${what} '${wanted}'.`,
    suggest(wanted, names) ?? all,
  ];
}

/** Suggests the name that was probably meant. Returns undefined if none is close. */
export function suggest(wanted: string | undefined, names: readonly string[]): string | undefined {
  if (wanted === undefined) return undefined;
  const far = Math.max(1, Math.floor(wanted.length * 0.4));
  const [nearest] = names
    .map((name) => ({ name, edits: countEdits(wanted.toLowerCase(), name.toLowerCase()) }))
    .filter(({ edits }) => edits <= far)
    .sort((one, other) => one.edits - other.edits);
  return nearest && `Did you mean ${nearest.name}?`;
}

/** Counts the letters to insert, remove or replace (Levenshtein's distance). */
function countEdits(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (const [line, letter] of [...from].entries()) {
    let before = line + 1;
    row = [
      before,
      ...[...to].map((other, at) => {
        const replaced = (row[at] ?? 0) + (letter === other ? 0 : 1);
        before = Math.min(replaced, (row[at + 1] ?? 0) + 1, before + 1);
        return before;
      }),
    ];
  }
  return row.at(-1) ?? 0;
}
