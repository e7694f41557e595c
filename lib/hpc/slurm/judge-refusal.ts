import { JobRefusedError, SystemBusyError, SystemUnavailableError } from '../errors.ts';
import { hasCode, type SlurmAnswer } from './read-answer.ts';

/** ESLURM_ACCOUNTING_POLICY: too many submitted jobs, or a job beyond a limit. */
export function isAgainstPolicy(answer: SlurmAnswer): boolean {
  return hasCode(answer, 2050);
}

/**
 * Explains that the job waits until others have ended. Each try reads the queue, so a long queue is
 * asked less often.
 */
export function reportFull(answer: SlurmAnswer, otherJobs: number): SystemBusyError {
  const said =
    'The system takes no more jobs of this account or quality of service until others have ended, or the job is larger than a limit there.';
  return reportBusy(answer, said, Math.min(300, Math.max(20, Math.round(otherJobs / 10))));
}

/**
 * Returns the error that explains why a job was not accepted. If Slurm's error number is unknown, the
 * job may have been accepted after all.
 */
export function judgeRefusal(answer: SlurmAnswer, sent: SentJob): Error {
  if (answer.errors === undefined) return reportFailure(answer, 'submit');
  const codes = answer.errors.map(({ code }) => code);
  const wait = codes.map(explainNotNow).find((words) => words !== undefined);
  if (wait !== undefined) return reportBusy(answer, wait);
  const said = describeErrors(answer);
  const never = codes.map((code) => explainNever(code, sent)).find((words) => words !== undefined);
  if (never !== undefined) return new JobRefusedError(`${never} Slurm says: ${said}`);
  if (answer.status === 400) return new JobRefusedError(`Slurm refused the job: ${said}`);
  return reportFailure(answer, 'submit');
}

function reportBusy(answer: SlurmAnswer, words: string, seconds?: number): SystemBusyError {
  const said = `${words} Slurm says: ${describeErrors(answer)}`;
  return new SystemBusyError(`submit: ${describeErrors(answer)}`, seconds, { said });
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
    .map(({ code, text }) => (code === 0 ? text : `${text} (${code})`));
  return texts.length > 0 ? `${texts.join('; ')}.` : `HTTP ${status}.`;
}

/** The user and the place that a job was sent to. */
interface SentJob {
  readonly user: string;
  readonly partition: string;
  readonly account?: string | undefined;
  readonly qos?: string | undefined;
  /** True if the user is the owner's account, which administrators enter. */
  readonly isMapped: boolean;
}

/** Slurm's error numbers (slurm_errno.h) for a job that it may accept later. Nothing was done. */
const notNow: Readonly<Record<number, string>> = {
  11: 'The system has as many jobs as it can hold.',
  1804: 'The system asks for a pause, because it gets too many requests.',
  1805: 'The system asks for a pause, because it gets too many requests.',
  2007: 'The queue of the system is full.',
  2016: 'The nodes that the job needs are busy.',
  2027: 'The controller of the system stands by.',
  2037: 'The system does not do this right now.',
  2068: 'The nodes that the job needs are down, drained or reserved.',
  2070: 'The partition of the job takes no jobs right now.',
  2101: 'The partition of the job is closed.',
  2105: 'The system takes no jobs right now.',
  2118: 'The system is reserved for maintenance. A job that asks for less time may go earlier.',
  2131: 'The controller of the system stands by.',
};

/** Returns undefined for a number that does not mean "later". */
function explainNotNow(code: number): string | undefined {
  return notNow[code];
}

/**
 * Slurm's error numbers for a job that it will never accept as it is, where it was sent. A reason is
 * stored with a few hundred characters, so all this is short.
 */
const wrongPlace: Readonly<Record<number, (sent: SentJob) => string>> = {
  2000: ({ partition }) => `The system has no partition '${partition}'.`,
  2002: ({ user, partition }) => `'${user}' may not use the partition '${partition}'.`,
  2003: ({ user, partition }) => `No group of '${user}' may use the partition '${partition}'.`,
  2045: ({ user, account, partition }) => {
    const named = account === undefined ? '' : ` with the account '${account}'`;
    return `'${user}' has no Slurm association on the system${named}, for the partition '${partition}'.`;
  },
  2050: ({ user, account, qos, partition }) => {
    const named = [
      ...(account === undefined ? [] : [`the account '${account}'`]),
      ...(qos === undefined ? [] : [`the quality of service '${qos}'`]),
      `the partition '${partition}'`,
    ];
    return `No such job of '${user}' is allowed for ${named.join(', ')}.`;
  },
  2066: ({ user, qos }) =>
    `'${user}' may not use the quality of service${qos === undefined ? '' : ` '${qos}'`}.`,
};

const tooMuch: Readonly<Record<number, string>> = {
  2004: 'The partition does not have these nodes. Ask for fewer nodes.',
  2005: 'The partition does not have this many cores. Ask for fewer cores.',
  2006: 'The partition does not give a job this many nodes. Ask for fewer nodes.',
  2008: 'The job does not say how large it is.',
  2009: 'The job has no script.',
  2012: 'The script of the job is too long. Shorten the command.',
  2014: 'No node of the partition has what the job asks for. Ask for less on each node.',
  2025: 'The partition does not have this many cores. Ask for fewer cores.',
  2029: 'No node of the partition has a feature that the job asks for.',
  2044: 'The partition does not give a job this much memory. Ask for less memory.',
  2051: 'The partition does not give a job this much time. Ask for less time.',
  2081: 'The system does not take arrays of this size.',
};

/** Says what is wrong and who can correct it. Returns undefined for a number that may mean more. */
function explainNever(code: number, sent: SentJob): string | undefined {
  const place = wrongPlace[code];
  if (!place) return tooMuch[code];
  const advice = code === 2050 ? 'Ask for less, or ask an administrator.' : nameHelper(sent);
  return `${place(sent)} ${advice}`;
}

/** The site decides who may do what there, and the catalog of this service where jobs go. */
function nameHelper({ user, isMapped }: SentJob): string {
  return isMapped
    ? `Ask the administrators of the system, or one of this service if '${user}' is not your account.`
    : 'Ask an administrator of this service, whose catalog says where jobs go.';
}
