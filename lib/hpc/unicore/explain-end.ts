import { explainWord } from '../script/explain-batch-end.ts';
import { explainExit } from '../script/explain-exit.ts';
import { scriptExits } from '../script/script-terms.ts';
import type { BatchRecord, NotedRun } from './job-runs.ts';
import type { UnicoreJob } from './read-answer.ts';

export function isAborted({ statusMessage }: UnicoreJob): boolean {
  return statusMessage.startsWith('Job aborted');
}

/** Explains to the owner why a job failed. */
export function explainEnd(
  job: UnicoreJob,
  run: NotedRun | undefined,
  batch: BatchRecord | undefined,
): string {
  const isOver = run?.end?.how === 'time';
  const word = batch && explainWord(batch.state);
  if (word !== undefined && !isOver) return word;
  const code = isOver ? scriptExits.timeLimit : findExitCode(job, run);
  if (code !== undefined && code > 0) return explainExit(code);
  if (isAborted(job)) return 'The job was aborted on the HPC system.';
  const said = explainMessage(job);
  if (said !== '') return said;
  return run && !run.end
    ? 'The HPC system ended the job before its command ended.'
    : explainExit(0);
}

/** UNICORE knows no exit code if it could not read one. Then its message or our note may have it. */
export function findExitCode(
  { exitCode, statusMessage }: UnicoreJob,
  run: NotedRun | undefined,
): number | undefined {
  const [, told = exitCode] = /exit code: <(\d+)>/.exec(statusMessage) ?? [];
  return /^\d{1,3}$/.test(told) ? Number(told) : run?.end?.code;
}

/** Names of Java's exceptions, such as `eu.unicore.xnjs.ems.ExecutionException: `. */
const exceptions = /(?:\w+\.)+\w*(?:Exception|Error)(?::\s*|\s*$)/g;

/** Paths on the server are nobody's business, and its quotes go with them. */
const paths = /(?:in )?(['"]?)(?<![\w.<])\/(?:[\w.+-]+\/?)+\1/g;

/** Returns UNICORE's message in plain words. */
export function explainMessage({ statusMessage }: UnicoreJob): string {
  const isFailure = statusMessage.startsWith('Processing failed:');
  const text = statusMessage
    .replace(/^Processing failed:\s*/, '')
    .replaceAll(exceptions, '')
    .replaceAll(paths, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, 300);
  if (!isFailure) return text;
  return text === '' ? 'UNICORE could not run the job.' : `UNICORE could not run the job: ${text}`;
}
