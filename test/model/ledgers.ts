import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { Table } from '#lib/table/table.ts';
import type { Amount } from './accounts.ts';

interface Ledger {
  last: string;
  time: number;
  space: number;
  readonly settled: Map<string, number>;
}

/** The sums of ledgers, read line by line as they grow. */
export class Ledgers {
  readonly #table: Table;
  readonly #ledgers = new Map<string, Ledger>();

  constructor(table: Table) {
    this.#table = table;
  }

  async sum(user: string, hpc: string, project: string): Promise<Amount & Pick<Ledger, 'settled'>> {
    const partition = `LEDGER#${user}#${hpc}#${project}`;
    const ledger = this.#ledgers.get(partition) ?? {
      last: '0',
      time: 0,
      space: 0,
      settled: new Map<string, number>(),
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
    for (const { SK, kind, seconds, kilobytes, job_id: jobId } of Items) {
      ledger.last = SK;
      ledger.time += seconds;
      ledger.space += kilobytes;
      if (kind === 'settle') ledger.settled.set(jobId, (ledger.settled.get(jobId) ?? 0) + 1);
    }
    return ledger;
  }
}
