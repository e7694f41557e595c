import { JobRefusedError, SystemBusyError, SystemUnavailableError } from '../errors.ts';
import { explainNever, explainNotNow, type SentJob } from './explain-refusal.ts';
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
