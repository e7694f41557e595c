import type { JobRecord } from './job-record.ts';

const hopeless =
  'It does not start like this: cancel it and ask for less, or ask the administrators of the system.';

/**
 * Explains why a job waits, with Slurm's own word behind it. Slurm has about a hundred words. Those
 * that people meet are here; the limits have names that say what they limit.
 */
const reasons: Readonly<Record<string, string>> = {
  BeginTime: 'It may not start before a set time. A job that was started again waits for a while.',
  AccountNotAllowed: `Its Slurm account may not use its partition. ${hopeless}`,
  BadConstraints: `No node has what it asks for. ${hopeless}`,
  Cleaning: 'Its last run is being cleaned up.',
  Dependency: 'It waits for other jobs.',
  DependencyNeverSatisfied: 'It waits for other jobs, and they did not end as it needs.',
  InvalidAccount: `Its Slurm account is not valid. ${hopeless}`,
  InvalidQOS: `Its quality of service is not valid. ${hopeless}`,
  JobArrayTaskLimit: 'As many jobs of its batch run as may run at once.',
  JobHeldAdmin: 'An administrator of the system holds it back.',
  JobHeldUser: 'It is held back on the system.',
  launch_failed_requeued_held: 'It could not be launched, and an administrator must release it.',
  Licenses: 'It waits for a licence.',
  NodeDown: 'A node that it needs is down.',
  PartitionDown: 'Its partition is closed. It waits until the partition is open again.',
  PartitionInactive: 'Its partition starts no jobs right now.',
  PartitionConfig: `Its partition cannot run a job of this size. ${hopeless}`,
  PartitionNodeLimit: `It asks for more nodes than its partition gives to a job. ${hopeless}`,
  PartitionTimeLimit: `It asks for more time than its partition gives to a job. ${hopeless}`,
  Priority: 'Other jobs come before it.',
  ReqNodeNotAvail:
    'The nodes that it needs are down, or reserved, for example for maintenance. A job that asks for less time may start earlier.',
  QOSNotAllowed: `Its quality of service may not be used in its partition. ${hopeless}`,
  Reservation:
    'It waits for a reservation: its own has not begun, or somebody has reserved the nodes.',
  Resources: 'It waits for free nodes, cores, memory or GPUs.',
  SchedDefer: 'The system puts off starting jobs right now.',
  SystemFailure: 'The system failed while it started the job.',
};

/** The limit of an account, a user or a quality of service: AssocGrpCPUMinutesLimit, QOSMaxJobsPerUserLimit. */
const limit = /^(Assoc|QOS)\w*$/;

/** A limit that the job is beyond by itself: QOSMaxCpuPerJobLimit, QOSMinCpuNotSatisfied. */
const ownLimit = /PerJob|NotSatisfied/;

function explainLimit(word: string): string | undefined {
  if (!limit.test(word)) return undefined;
  if (ownLimit.test(word)) {
    return `Its account or quality of service allows no such job. ${hopeless}`;
  }
  return word.includes('Minutes')
    ? 'The time that its account or quality of service has on the system is used up, or too little for it.'
    : 'A limit of its account or quality of service is reached. It starts when there is room.';
}

/** Words that say nothing about a wait. */
const emptyReasons = new Set(['', 'None']);

export function explainPending({ reason = '' }: Pick<JobRecord, 'reason'>): string {
  if (emptyReasons.has(reason)) return '';
  // Slurm adds the names of nodes after a comma.
  const [word = ''] = reason.split(',');
  const text = reasons[word] ?? explainLimit(word);
  return text === undefined ? `Slurm says: ${reason}.` : `${text} Slurm says: ${reason}.`;
}
