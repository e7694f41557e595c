import { paginateQuery } from '@aws-sdk/lib-dynamodb';
import { ownStages } from '#lib/catalog/hpc-system.ts';
import type { JobHolds } from '#lib/quotas/repair/check-account.ts';
import { type AccountKey, firstId, jobListRange, lastId, userPartition } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import { isDiscarded, type Job } from '../job.ts';
import { jobFromItem } from '../job-item.ts';

const nothing: JobHolds = { seconds: 0, kilobytes: 0, livingJobs: 0 };

/** What a job takes of its quota in the stage that it is in. */
function holdsOf(job: Job): JobHolds {
  const { terminal, hold } = job;
  return {
    seconds: terminal ? 0 : hold.seconds,
    kilobytes: isDiscarded(job) ? 0 : hold.kilobytes,
    livingJobs: terminal ? 0 : 1,
  };
}

/**
 * What all jobs of a user in a project hold, strongly consistent. The cost grows with the number of
 * those jobs, ended ones too: leaving them out saves their way here, but not their reading. `onPage`
 * may throw where that takes too long.
 */
export async function readHolds(
  table: Table,
  account: AccountKey,
  onPage: () => void = () => undefined,
): Promise<JobHolds> {
  const { index, from, to } = jobListRange(account, firstId, lastId);
  const pages = paginateQuery(
    { client: table.client },
    {
      TableName: table.name,
      IndexName: index,
      KeyConditionExpression: 'PK = :user AND #index BETWEEN :from AND :to',
      FilterExpression:
        'terminal = :no OR (held_kilobytes > :none AND NOT stage IN (:canceled, :deleted))',
      ExpressionAttributeNames: { '#index': index },
      ExpressionAttributeValues: {
        ':user': userPartition(account.user),
        ':from': from,
        ':to': to,
        ':no': false,
        ':none': 0,
        ':canceled': ownStages.canceled,
        ':deleted': ownStages.deleted,
      },
      ConsistentRead: true,
    },
  );
  let holds = nothing;
  for await (const { Items = [] } of pages) {
    onPage();
    holds = Items.map((item) => holdsOf(jobFromItem(item))).reduce(addHolds, holds);
  }
  return holds;
}

function addHolds(a: JobHolds, b: JobHolds): JobHolds {
  return {
    seconds: a.seconds + b.seconds,
    kilobytes: a.kilobytes + b.kilobytes,
    livingJobs: a.livingJobs + b.livingJobs,
  };
}
