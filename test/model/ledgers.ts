import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { JobId, ProjectName, SystemName, UserId } from '#lib/catalog/identifiers.ts';
import { lineFromItem } from '#lib/quotas/ledger.ts';
import { type EndedJob, endFromLine } from '#lib/reports/ended-job.ts';
import type { AccountKey } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import type { Amount } from './accounts.ts';

interface Ledger {
  last: string;
  time: number;
  space: number;
  readonly settled: Map<string, number>;
  readonly ends: Map<string, EndedJob>;
}

/** The sums of ledgers, read line by line as they grow. */
export class Ledgers {
  readonly #table: Table;
  readonly #ledgers = new Map<string, Ledger>();

  constructor(table: Table) {
    this.#table = table;
  }

  /** The end of a settled job, as the listener hears of it. */
  async findEnd({ user, hpc, project }: AccountKey, jobId: JobId): Promise<EndedJob> {
    const { ends } = await this.sum(user, hpc, project);
    const end = ends.get(jobId);
    if (!end) throw new Error(`${jobId} has not ended.`);
    return end;
  }

  async sum(
    user: UserId,
    hpc: SystemName,
    project: ProjectName,
  ): Promise<Amount & Pick<Ledger, 'settled' | 'ends'>> {
    const partition = `LEDGER#${user}#${hpc}#${project}`;
    const ledger = this.#ledgers.get(partition) ?? {
      last: '0',
      time: 0,
      space: 0,
      settled: new Map<string, number>(),
      ends: new Map<string, EndedJob>(),
    };
    this.#ledgers.set(partition, ledger);
    const { Items = [] } = await this.#table.client.send(
      new QueryCommand({
        TableName: this.#table.name,
        KeyConditionExpression: 'PK = :ledger AND SK > :last',
        ExpressionAttributeValues: { ':ledger': partition, ':last': ledger.last },
        ConsistentRead: true,
      }),
    );
    for (const item of Items) {
      const { SK, kind, seconds, kilobytes, job_id: jobId } = item;
      ledger.last = SK;
      ledger.time += seconds;
      ledger.space += kilobytes;
      if (kind === 'settle') ledger.settled.set(jobId, (ledger.settled.get(jobId) ?? 0) + 1);
      const end = endFromLine({ user, hpc, project }, lineFromItem(item));
      if (end) ledger.ends.set(end.jobId, end);
    }
    return ledger;
  }
}
