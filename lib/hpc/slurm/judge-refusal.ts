import {
  CredentialsRefusedError,
  JobRefusedError,
  SystemBusyError,
  SystemUnavailableError,
} from '../errors.ts';
import { hasCode, type SlurmAnswer } from './read-answer.ts';

/** Slurm's error numbers (slurm_errno.h) for a job that it will never accept as it is. */
const jobAtFault: readonly number[] = [
  2000, // no such partition
  2003, // not for the partition's users
  2004, // nodes outside the partition
  2005, // too many CPUs
  2006, // impossible number of nodes
  2008, // no size given
  2009, // no script
  2012, // script or path too long
  2014, // no node has what is asked for
  2025, // impossible number of tasks
  2029, // no such feature
  2044, // more memory than allowed
  2045, // no such account
  2050, // against the accounting policy
  2051, // longer than the partition allows
  2066, // no such quality of service
  2081, // array larger than MaxArraySize
];

/** Slurm's error numbers for a job that it may accept later. Nothing was done. */
const notNow: readonly number[] = [
  11, // the table of jobs is full (EAGAIN)
  2007, // no record could be made
  2016, // nodes busy
  2027, // controller in standby
  2037, // disabled
  2068, // nodes down, drained or reserved
  2070, // partition inactive or drained
  2101, // partition down
  2105, // submissions disabled
  2118, // maintenance
  2131, // controller in standby
];

/** ESLURM_ACCOUNTING_POLICY: too many submitted jobs, or a job beyond a limit. */
export function isAgainstPolicy(answer: SlurmAnswer): boolean {
  return hasCode(answer, 2050);
}

/** Explains that the job waits until others have ended. */
export function reportFull(answer: SlurmAnswer): SystemBusyError {
  const said = `As many jobs as allowed are on the HPC system already. Slurm says: ${describeErrors(answer)}`;
  return new SystemBusyError(`submit: ${describeErrors(answer)}`, undefined, { said });
}

/** ESLURM_ACCESS_DENIED */
const accessDenied = 2002;

/**
 * Returns the error that explains why a job was not accepted. If Slurm's error number is unknown, the
 * job may have been accepted after all.
 */
export function judgeRefusal(answer: SlurmAnswer, sent: SentJob): Error {
  const said = describeErrors(answer);
  const call = 'submit';
  if (answer.errors !== undefined) {
    if (hasCode(answer, ...notNow)) {
      return new SystemBusyError(`${call}: ${said}`, undefined, quoteErrors(answer));
    }
    if (hasCode(answer, accessDenied)) return new CredentialsRefusedError(`${call}: ${said}`);
    if (answer.status === 400 || hasCode(answer, ...jobAtFault)) {
      const place = hasCode(answer, ...placeAtFault) ? ` ${describePlace(sent)}` : '';
      return new JobRefusedError(`Slurm refused the job: ${said}${place}`);
    }
  }
  return reportFailure(answer, call);
}

/** The user and the place that a job was sent to. */
export interface SentJob {
  readonly user: string;
  readonly partition: string;
  readonly account?: string | undefined;
  readonly qos?: string | undefined;
  /** True if the user is the owner's account, which administrators enter. */
  readonly isMapped: boolean;
}

/** Slurm refuses an unknown user in the same way as a wrong account or partition. */
const placeAtFault: readonly number[] = [2000, 2003, 2045, 2050, 2066];

function describePlace({ user, partition, account, qos, isMapped }: SentJob): string {
  const terms = [
    ...(account === undefined ? [] : [`the account '${account}'`]),
    ...(qos === undefined ? [] : [`the quality of service '${qos}'`]),
  ];
  const charged = terms.length === 0 ? '' : ` with ${terms.join(' and ')}`;
  const sent = `It was sent as the user '${user}' to the partition '${partition}'${charged}.`;
  return isMapped
    ? `${sent} If '${user}' is not your account there, ask an administrator to correct it.`
    : `${sent} Ask an administrator: the catalog names them.`;
}

/** Explains a failed call that does not hand over a job, so no job is at fault. */
export function reportFailure(answer: SlurmAnswer, call: string): SystemUnavailableError {
  return new SystemUnavailableError(`${call}: ${describeErrors(answer)}`, quoteErrors(answer));
}

/** Quotes only Slurm's own texts, which name no hosts. A proxy's text is not quoted. */
function quoteErrors(answer: SlurmAnswer): { said?: string } {
  const hasText = (answer.errors ?? []).some(({ text }) => text !== '');
  return hasText ? { said: `Slurm says: ${describeErrors(answer)}` } : {};
}

export function describeErrors({ status, errors = [] }: SlurmAnswer): string {
  const texts = errors
    .filter(({ text }) => text !== '')
    .map(({ code, text }) => `${text} (${code})`);
  return texts.length > 0 ? `${texts.join('; ')}.` : `HTTP ${status}.`;
}
