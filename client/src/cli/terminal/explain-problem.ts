import { nameOf } from '../../changes/describe-problem.ts';
import { describeRefusal } from '../../changes/describe-refusal.ts';
import { tell } from '../../format/sentences/tell.ts';
import type { SlipwayProblem } from '../../index.ts';
import { contractNames } from '../../jobs/contract-names.ts';
import { phrase } from '../words/phrase.ts';

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
  const name = nameOf(problem);
  const own = describers[name];
  if (own) return [...own(problem, around)];
  if (isAlike(name)) return alwaysAlike[name].map((key) => phrase(key));
  return [`${tell(problem.title)}.`, describeRefusal(problem)].filter((line) => line !== '.');
}

/** What is wrong and the next step, of problems that are told alike in all circumstances. */
const alwaysAlike = {
  'batch-not-found': ['session.youHaveNoSuchBatch', 'session.listYourBatches'],
  'file-not-found': ['session.theJobHasNoSuch', 'session.listItsFiles'],
  'account-not-found': ['session.theUserHasNoAccount', 'session.listTheAccounts'],
  'webhook-not-found': ['session.youHaveNoSuchWebhook', 'session.listYourWebhooks'],
  'delivery-not-found': ['session.theWebhookHasNoSuch', 'session.listItsDeliveries'],
  'path-not-found': ['session.theServiceDoesNotKnow', 'session.compareTheirVersions'],
  'submission-uncertain': ['session.theServiceLostContact', 'session.lookBeforeYouSubmit'],
  timeout: ['session.theRequestTookTooLong', 'session.lookBeforeYouRepeat'],
  'internal-error': ['session.theServiceFailedToAnswer', 'session.tellThePeopleWhoRun'],
} as const;

function isAlike(name: string): name is keyof typeof alwaysAlike {
  return Object.hasOwn(alwaysAlike, name);
}

type Describer = (problem: Problem, around: Circumstances) => readonly string[];

const describers: Readonly<Record<string, Describer>> = {
  'invalid-request': describeInvalid,
  'invalid-token': (_, { profile = '' }) => [
    phrase('session.theServiceDoesNotAccept'),
    phrase('session.signInAgain', { profile }),
  ],
  'not-administrator': (_, { isLead, project }) =>
    isLead
      ? [
          project === undefined
            ? phrase('session.youDoNotLeadThis')
            : phrase('session.youDoNotLead', { project }),
          phrase('session.listTheProjects'),
        ]
      : [
          phrase('session.onlyAdministratorsCanDo'),
          phrase('session.signInAsAnAdministrator'),
          phrase('session.thenUseThatProfile'),
        ],
  'system-not-found': (problem, { hpc, systems = [] }) =>
    describeUnknown(problem, 'system', hpc, systems),
  'project-not-found': (problem, { project, projects = [] }) =>
    describeUnknown(problem, 'project', project, projects),
  'quota-exceeded': (problem) => [describeRefusal(problem), phrase('session.requestLess')],
  'no-quota': (problem) => [describeRefusal(problem), phrase('shared.askForOne')],
  'quota-not-found': (problem, { isAdmin }) => [
    describeRefusal(problem),
    isAdmin ? phrase('session.listAllQuotas') : phrase('session.listYourQuotas'),
  ],
  'job-not-found': (_, { isAdmin }) => [
    phrase('session.thereIsNoSuchJob'),
    isAdmin ? phrase('session.listTheJobs') : phrase('session.listTheJobsSlipwayJobsAll'),
  ],
  'user-not-found': (_, { user }) => [
    user === undefined
      ? phrase('session.unknownUser')
      : phrase('session.unknownUserName', { user }),
    phrase('session.listAllUsers'),
  ],
  'request-not-found': (_, { isAdmin }) => [
    phrase('session.thereIsNoSuchRequest'),
    isAdmin ? phrase('session.listTheRequests') : phrase('session.listTheRequestsSlipwayRequests'),
  ],
  'too-many-jobs': (problem) => [describeRefusal(problem), phrase('session.listTheActiveOnes')],
};

function describeInvalid(problem: Problem, around: Circumstances): string[] {
  const { errors = [] } = problem;
  if (errors.length === 0) return [`${tell(problem.title)}.`, describeRefusal(problem)];
  // Without a command line, such as before an assistant, there are no flags to name.
  const hasFlags = around.address !== undefined;
  const name = hasFlags ? nameFlag : (field: string) => contractNames[field] ?? field;
  const reword = hasFlags ? nameFlags : nameFields;
  return [
    hasFlags ? phrase('session.theServiceRefused') : `${tell(problem.title)}.`,
    ...errors.map((each) => `  ${name(each.name)}: ${reword(tell(each.message))}`),
  ];
}

/** The flags of fields that have another name in the interface. */
const flags: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(contractNames).map(([field, word]) => [field, `--${word}`])),
  gpu_kind: '--gpu-kind',
  after_any: '--after-any',
  input_from: '--input-from',
  input_folder: '--input-folder',
  input_failed: '--input-failed',
  max_running: '--max-running',
  valid_until: '--until',
  project_name: '--project',
};

/** The fields whose flags have the same name. Others are given with --field. */
const alike = new Set(
  'command tool title runtime nodes cores tasks gpus memory class after count table since until limit reason stage kind by user events url'.split(
    ' ',
  ),
);

function nameFlag(field: string): string {
  return flags[field] ?? (alike.has(field) ? `--${field}` : field);
}

function nameFields(message: string): string {
  return message.replaceAll(/\b[a-z]+_number\b/g, (name) => contractNames[name] ?? name);
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
  if (wanted === undefined && names.length === 0) return [describeRefusal(problem)];
  const all =
    names.length === 0
      ? phrase('session.listSystems')
      : phrase('session.namesAre', { names: names.join(', ') });
  return [nameUnknown(what, wanted), suggest(wanted, names) ?? all];
}

function nameUnknown(what: 'system' | 'project', wanted: string | undefined): string {
  const isSystem = what === 'system';
  return wanted === undefined
    ? phrase(isSystem ? 'session.unknownSystem' : 'session.unknownProject')
    : phrase(isSystem ? 'session.unknownSystemName' : 'session.unknownProjectName', { wanted });
}

/** Suggests the name that was probably meant. Returns undefined if none is close. */
export function suggest(wanted: string | undefined, names: readonly string[]): string | undefined {
  if (wanted === undefined) return undefined;
  const far = Math.max(1, Math.floor(wanted.length * 0.4));
  const [nearest] = names
    .map((name) => ({ name, edits: countEdits(wanted.toLowerCase(), name.toLowerCase()) }))
    .filter(({ edits }) => edits <= far)
    .sort((one, other) => one.edits - other.edits);
  return nearest && phrase('session.didYouMean', { name: nearest.name });
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
