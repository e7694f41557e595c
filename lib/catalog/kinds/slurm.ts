import * as v from 'valibot';
import { runtimes } from './containers.ts';
import { coresAs, environmentSettings } from './environment.ts';
import {
  address,
  field,
  filledListOf,
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

const hostName = matching(
  /^[A-Za-z0-9]([A-Za-z0-9.:-]{0,251}[A-Za-z0-9])?$/,
  'the name or the address of a host',
);
const unixUser = matching(/^[a-z_][a-z0-9_.-]{0,31}$/, 'the name of a user of the login node');

/** A line of known_hosts, without the name of the host. */
const hostKeys = filledListOf(
  matching(
    /^(ssh-ed25519|ecdsa-sha2-nistp(256|384|521)|ssh-rsa) [A-Za-z0-9+/]{40,}={0,3}( .*)?$/,
    'a public key such as "ssh-ed25519 AAAA..."',
  ),
  'a list of at least one public key',
);

const loginNode = {
  host: field(hostName, 'Its name or address.'),
  port: optional(wholeNumber(1, 65_535), 'Its port (default: 22).'),
  user: field(unixUser, "The service's own user there."),
  hostKeys: field(hostKeys, 'Its public keys. Any other is refused.'),
};

const ssh = section({
  ...loginNode,
  jump: optional(section(loginNode), 'A host through which alone the login node is reached.'),
  commands: optional(
    matching(/^\/[^\s'"]*$/, 'a path that begins with / and has no spaces'),
    "The directory of Slurm's commands, if it is not on the usual path.",
  ),
  accounts: optional(
    v.picklist(['sudo', 'certificate'], '"sudo" or "certificate"'),
    'With runsAs "mapped", how the service acts for an account: by "sudo" (the default), or logged in with a "certificate" that it signs for minutes.',
  ),
});

/** A Slurm cluster, behind its slurmrestd or behind ssh. */
export const slurm = {
  settings: section({
    kind: v.literal('slurm'),
    baseUrl: optional(
      address,
      'The address of slurmrestd, without a version. Either this or `reach` must be there.',
    ),
    reach: optional(
      section({ ssh: field(ssh, 'A login node, and how to be sure that it is the right one.') }),
      'How to reach a cluster without slurmrestd.',
    ),
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
    files: optional(
      v.literal('ssh', '"ssh"'),
      'With "ssh", the service brings the input and fetches the results itself, for clusters whose nodes do not reach it.',
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
  judgeSettings: ({ names, texts }: SettingsDraft, { runsAs }: SystemDraftContext) => [
    ...judgeWay(names),
    ...judgeFiles(names),
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
  wantsKeptPath: (runsAs) =>
    runsAs === 'mapped'
      ? 'name the folders that the site has made, each with a group of its members'
      : undefined,
  program: 'command',
  offers: ['memoryPerNode', 'gpusPerNode', 'classes', 'datasets', 'keep', 'outputs'],
  runtimes,
  classSettings: ['partition', 'qos', 'account', 'coresAs', 'setup'],
  // `time_limit` is in whole minutes.
  runtimeUnitSeconds: 60,
  simulated: false,
  runsAs: ['service', 'mapped'],
  credentials: {
    service: { user: 'slipway', token: '<JWT>' },
    // Only the key of the cluster, or a token of SlurmUser, can act for other accounts.
    mapped: { user: 'slipway', key: '<jwt_key of slurm.conf, in base64>' },
    ssh: { sshKey: '<private key, with \\n for its line ends>' },
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

function judgeWay(names: readonly string[]) {
  const [hasAddress, hasReach] = [names.includes('baseUrl'), names.includes('reach')];
  if (hasAddress && hasReach) {
    return [{ setting: 'reach', text: 'is there beside baseUrl; keep one of both' }];
  }
  if (hasAddress || hasReach) return [];
  const text =
    'is missing; write the address of slurmrestd, or reach for a cluster that is reached by ssh';
  return [{ setting: 'baseUrl', text }];
}

function judgeFiles(names: readonly string[]) {
  if (!names.includes('files') || names.includes('reach')) return [];
  return [{ setting: 'files', text: 'can be "ssh" only for a cluster that is reached by ssh' }];
}

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
