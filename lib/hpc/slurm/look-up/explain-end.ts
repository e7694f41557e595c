import { scriptExits } from '../submit/script-exits.ts';
import type { JobRecord } from './job-record.ts';

const timeOver = 'The job reached its time limit.';

const ends: Readonly<Record<string, string>> = {
  CANCELLED: 'The job was cancelled on the system.',
  TIMEOUT: timeOver,
  OUT_OF_MEMORY: 'The job ran out of memory.',
  NODE_FAIL: 'A node of the job failed.',
  BOOT_FAIL: 'A node of the job did not start.',
  PREEMPTED: 'The job was stopped to make room for another one.',
  DEADLINE: 'The job could not end before its deadline.',
  LAUNCH_FAILED: 'The job could not be launched on its nodes.',
  RECONFIG_FAIL: 'The nodes for the job could not be prepared.',
};

const faultsOfScript: ReadonlyMap<number, string> = new Map([
  [scriptExits.noDirectory, "the job's directory could not be created"],
  [scriptExits.inputNotFetched, 'the input could not be fetched'],
  [scriptExits.inputNotUnpacked, 'the input could not be unpacked'],
  [scriptExits.resultsNotSent, 'the results could not be sent'],
  [scriptExits.resultsTooLarge, 'the results are too large to be sent'],
]);

const unsent: ReadonlySet<number> = new Set([
  scriptExits.resultsNotSent,
  scriptExits.resultsTooLarge,
]);

/** Reasons that say no more than the exit code does. */
const emptyReasons = new Set(['', 'None', 'NonZeroExitCode']);

/** The last signal that Linux itself sends; what is beyond is a number of Slurm's own. */
const lastSignal = 31;

/** Ends by which a script may have been cut off before it had sent anything. */
const cutOff = new Set(['TIMEOUT', 'OUT_OF_MEMORY', 'NODE_FAIL', 'PREEMPTED', 'DEADLINE']);

/** Why a job failed, for its owner. `end` is Slurm's word. */
export function explainEnd(end: string, record: JobRecord, directory: string): string {
  const known = ends[end];
  const lost = `What it wrote and did not send is in ${directory} on the system.`;
  if (known !== undefined) return cutOff.has(end) ? `${known} ${lost}` : known;
  const { code, signal } = record.exit;
  const isUnsent = (signal > 0 && signal <= lastSignal) || unsent.has(code);
  const said = `${explainExit(record)}${quoteReason(record, ' Slurm says: ')}`;
  return isUnsent ? `${said} ${lost}` : said;
}

/** Why a job waits, where Slurm says it. */
export function quoteReason({ reason = '' }: JobRecord, before = 'Slurm says: '): string {
  return emptyReasons.has(reason) ? '' : `${before}${reason}.`;
}

function explainExit({ exit: { code, signal } }: JobRecord): string {
  if (signal > lastSignal) return 'The job could not be launched.';
  if (signal > 0) return `The command was ended by signal ${signal}.`;
  if (code === scriptExits.timeLimit) return timeOver;
  const fault = faultsOfScript.get(code);
  if (fault !== undefined) return `The job ended with exit code ${code}: ${fault}.`;
  return code > 0 ? `The command ended with exit code ${code}.` : 'The job failed.';
}
