import type { Observation } from '#lib/hpc/connector.ts';
import { patienceSeconds } from '../submit/call-curl.ts';
import { scriptExits } from '../submit/script-exits.ts';
import { explainEnd, quoteReason } from './explain-end.ts';
import type { JobRecord } from './job-record.ts';
import { translateStates } from './translate-states.ts';

/** Nothing where the state is not known to us. Its directory is where it keeps what it did not send. */
export function observeJob(record: JobRecord, directory: string): Observation | undefined {
  const stage = translateStates(record.states);
  if (stage === undefined) return undefined;
  if (stage.state === 'living') {
    // Slurm keeps why a job waited in the record of the job that runs.
    const reason = stage.word === 'QUEUED' ? quoteReason(record) : '';
    return { state: 'living', stage: stage.word, ...(reason !== '' && { reason }) };
  }
  const { start, end } = record;
  const failed = stage.word === 'FAILED';
  return {
    state: 'ended',
    stage: stage.word,
    failed,
    ...(failed && { reason: explainEnd(stage.end, record, directory) }),
    ...(stage.end === 'FAILED' && mayHaveGivenUp(record) && { patienceSeconds }),
    ...(end !== undefined && {
      // Cancelled in the queue: it has an end, and never began.
      usedSeconds: start === undefined ? 0 : Math.max(0, end - start),
      endedAt: new Date(end * 1000),
    }),
  };
}

/**
 * A script that no signal ended, and not its limit either, has come to its own end. The code alone
 * does not tell: it is the command's if that failed, and 22.05's accounting has none.
 */
function mayHaveGivenUp({ exit }: JobRecord): boolean {
  return exit.signal === 0 && exit.code !== scriptExits.timeLimit;
}
