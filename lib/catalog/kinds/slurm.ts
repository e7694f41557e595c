import * as v from 'valibot';
import { coresAs, environmentSettings } from './environment.ts';
import {
  address,
  field,
  matching,
  optional,
  section,
  text,
  trueOrFalse,
  wholeNumber,
} from './forms.ts';
import type { SettingsDraft, SystemDraftContext, SystemKind } from './system-kind.ts';

/** Stands in `workDirectory` for the account that a job runs as. */
const accountMark = '{account}';

/** A Slurm cluster behind its slurmrestd. */
export const slurm = {
  settings: section({
    kind: v.literal('slurm'),
    baseUrl: field(address, 'The address of slurmrestd, without a version.'),
    partition: field(text(128), 'The partition of jobs whose class names none.'),
    account: optional(
      text(128),
      'The Slurm account that jobs are charged to, if the site uses accounts. {project} stands for the name of the project.',
    ),
    workDirectory: field(
      matching(/^\/\S*$/, 'a path that begins with / and has no spaces'),
      'A directory on the cluster that jobs may write to. {account} stands for the account that a job runs as.',
    ),
    ...environmentSettings,
    coresAs: optional(
      coresAs,
      'What the cores of a job are for Slurm: "tasks" (--ntasks-per-node, for MPI; the default), "threads" of one task on each node (--cpus-per-task, for OpenMP), or the "choice" of the job (task_number).',
    ),
    cluster: optional(
      text(128),
      'The name of the cluster (ClusterName), if its slurmdbd keeps the accounting of several. Only reconcile --against-system needs it.',
    ),
    pollFloorSeconds: optional(
      wholeNumber(1, 3600),
      'The shortest time between two checks of a job, in seconds (default: 30).',
    ),
    liveOutput: optional(
      trueOrFalse(),
      'Whether jobs send their output while somebody follows it (default: true).',
    ),
    keepsDirectories: optional(
      trueOrFalse(),
      'Whether a job keeps its directory after it has sent its results (default: false).',
    ),
  }),
  judgeSettings: ({ texts }: SettingsDraft, { runsAs }: SystemDraftContext) => [
    ...judgeBaseUrl(texts),
    ...judgeWorkDirectory(texts, runsAs),
  ],
  stages: {
    QUEUED: 'waiting',
    RUNNING: 'running',
    STAGINGOUT: 'finishing',
    SUCCESSFUL: 'done',
    FAILED: 'failed',
  },
  program: 'command',
  offers: ['memoryPerNode', 'gpusPerNode', 'classes'],
  classSettings: ['partition', 'qos', 'account', 'coresAs', 'setup'],
  // `time_limit` is in whole minutes.
  runtimeUnitSeconds: 60,
  simulated: false,
  runsAs: ['service', 'mapped'],
  credentials: {
    service: { user: 'slipway', token: '<JWT>' },
    // Only the key of the cluster, or a token of SlurmUser, can act for other accounts.
    mapped: { user: 'slipway', key: '<jwt_key of slurm.conf, in base64>' },
  },
  sendsResults: true,
  countsCancelledTime: true,
  cancelKeepsOutput: true,
  // The default of MaxArraySize, 1001, allows the numbers 0 to 1000.
  arraySize: 1000,
  arrayLimitsRunning: true,
  // The job removes its own directory. Other jobs leave that to the sending of results.
  trialCommand: 'rm -rf -- "$(dirname "$PWD")" "$(dirname "$PWD").log"',
} as const satisfies SystemKind;

/** With a version in its address, slurmrestd would answer 404 to every call. */
function judgeBaseUrl({ baseUrl = '' }: SettingsDraft['texts']) {
  const [versioned] = /\/(?:slurm(?:db)?\/)?v0\.0\.\d+\/?.*$/.exec(baseUrl) ?? [];
  if (versioned === undefined) return [];
  const plain = baseUrl.replace(versioned, '');
  const text = `has a version in it (${versioned}); write "${plain}", Slipway finds the version by itself`;
  return [{ setting: 'baseUrl', text }];
}

function judgeWorkDirectory({ workDirectory = '' }: SettingsDraft['texts'], runsAs: string) {
  if (workDirectory === '') return [];
  const setting = 'workDirectory';
  const isPerAccount = workDirectory.includes(accountMark);
  if (runsAs === 'mapped' && !isPerAccount) {
    const text = `is "${workDirectory}"; with "runsAs": "mapped" it must have ${accountMark} in it, so that each account has a directory of its own`;
    return [{ setting, text }];
  }
  if (runsAs === 'service' && isPerAccount) {
    const text = `is "${workDirectory}"; ${accountMark} can stand there only with "runsAs": "mapped"`;
    return [{ setting, text }];
  }
  return [];
}
