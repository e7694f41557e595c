import { listHandOverShards } from '#lib/table/keys.ts';
import { findDue } from '#lib/table/reads/due-index.ts';
import { tableName } from '#local/settings.ts';
import { findFreePort } from '#test/engines/find-free-port.ts';
import { hpcOne } from '#test/fixtures/jobs.ts';
import { pollUntil } from '#test/slurm/poll-until.ts';
import { submitJobs } from '../life/submit-jobs.ts';
import { openTableAt } from '../measure/open-table-at.ts';
import { startLaptopEdition } from '../measure/start-laptop-edition.ts';

const patienceSeconds = 600;
const callMs = 100;
/** Also what waits for a second try. */
const everything = new Date('9999-01-01T00:00:00Z');

/** Seconds after the last 201 until no job waits any more. */
export async function measureBurst(folder: string, count: number): Promise<number> {
  const port = await findFreePort();
  const edition = await startLaptopEdition(folder, {
    SIM_FAULTS: `hpc_one:slow:${callMs}`,
    DYNAMODB_PORT: String(port),
  });
  const table = openTableAt(`http://127.0.0.1:${port}`, tableName);
  const authorization = `Bearer ${edition.issuer.issueToken({ user: '306328' })}`;
  await submitJobs(edition.url, authorization, count, () => undefined);
  const began = performance.now();
  await pollUntil('all jobs are handed over', patienceSeconds, async () => {
    const waiting = await findDue(table, listHandOverShards(hpcOne.hpc), everything, 1);
    return waiting.length === 0 ? true : undefined;
  });
  const seconds = (performance.now() - began) / 1000;
  table.client.destroy();
  await edition.stop();
  return seconds;
}
