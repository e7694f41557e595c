import { sweepWaiting } from '#lib/jobs/chains/attend-waiting.ts';
import { reportFailures } from '#lib/telemetry/report-failures.ts';
import { waitingContext } from '../waiting-parts.ts';

/** Checks jobs that wait for others, should the news of an end have been lost. */
export async function handler(): Promise<void> {
  reportFailures(await sweepWaiting(waitingContext), 'Some waiting jobs could not be checked');
}
