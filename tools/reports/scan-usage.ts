import { paginateScan } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { ownStages } from '#lib/catalog/hpc-system.ts';
import { jobFromItem } from '#lib/jobs/job.ts';
import { measureEnd } from '#lib/jobs/life/end-job.ts';
import { lifeFromItem } from '#lib/jobs/life/job-life.ts';
import { lineFromItem, type StoredLine } from '#lib/quotas/ledger.ts';
import { type EndedJob, endFromLine } from '#lib/reports/ended-job.ts';
import { sumFromItem } from '#lib/reports/usage-item.ts';
import { type AccountKey, accountOfLedger, jobKey, jobLifeKey } from '#lib/table/keys.ts';
import { parseItem } from '#lib/table/parse-item.ts';
import { readItems } from '#lib/table/reads.ts';
import type { Table } from '#lib/table/table.ts';

const Keyed = v.object({ PK: v.string() });

/**
 * Reads all settlements and sums, page by page. Scans the table, because ledgers outlive their
 * quotas and no index lists them all. Only tools do this, never a request.
 */
export async function* scanUsage(table: Table) {
  let itemsRead = 0;
  const pages = paginateScan(
    { client: table.client },
    {
      TableName: table.name,
      ConsistentRead: true,
      FilterExpression: '#type = :sum OR (#type = :line AND kind = :settle)',
      ExpressionAttributeNames: { '#type': 'type' },
      ExpressionAttributeValues: {
        ':sum': 'usage-sum',
        ':line': 'ledger-line',
        ':settle': 'settle',
      },
    },
  );
  for await (const { Items = [], ScannedCount = 0 } of pages) {
    itemsRead += ScannedCount;
    const { sums = [], lines = [] } = Object.groupBy(Items, ({ type }) =>
      type === 'usage-sum' ? 'sums' : 'lines',
    );
    const settlements = lines.map((item) => ({
      account: accountOfLedger(parseItem(Keyed, item).PK),
      line: lineFromItem(item),
    }));
    yield { ends: await readEnds(table, settlements), sums: sums.map(sumFromItem), itemsRead };
  }
}

async function readEnds(table: Table, settlements: readonly Settlement[]): Promise<EndedJob[]> {
  const told = settlements.flatMap(({ account, line }) => endFromLine(account, line) ?? []);
  const older = settlements.filter(({ line }) => line.end === undefined);
  return [...told, ...(await recallEnds(table, older))];
}

/** A settlement and the account of its ledger. */
interface Settlement {
  readonly account: AccountKey;
  readonly line: StoredLine;
}

/**
 * Reconstructs ends from before ledger lines recorded them. The job says how it ended, its life
 * when it ran, and the charge how long.
 */
async function recallEnds(table: Table, settlements: readonly Settlement[]): Promise<EndedJob[]> {
  const known = settlements.flatMap(({ account, line }) =>
    line.jobId === undefined ? [] : [{ account, line, jobId: line.jobId }],
  );
  const [jobs, lives] = await Promise.all([
    readItems(
      table,
      known.map(({ account, jobId }) => jobKey(account, jobId)),
    ),
    readItems(
      table,
      known.map(({ account, jobId }) => jobLifeKey(account, jobId)),
    ),
  ]);
  const jobsById = new Map(jobs.map(jobFromItem).map((job) => [job.jobId, job]));
  const livesById = new Map(lives.map((item) => [item.job_id, lifeFromItem(item)]));
  return known.map(({ account, line: { at, used, seconds }, jobId }) => {
    const job = jobsById.get(jobId);
    if (!job)
      throw new Error(`The ledger of ${account.user} settles ${jobId}, which is not there.`);
    const { hold, runtime, endedAt, failed, stage } = job;
    const ended = failed ? 'failed' : 'succeeded';
    const outcome = stage === ownStages.canceled ? 'cancelled' : ended;
    const facts = measureEnd(job, {
      outcome,
      endedAt: endedAt ?? at,
      ranSeconds: hold.seconds > 0 ? (used / hold.seconds) * runtime * 3600 : 0,
      runningSince: livesById.get(jobId)?.runningSince,
    });
    return { account, jobId, at, used, asked: used + seconds, ...facts };
  });
}
