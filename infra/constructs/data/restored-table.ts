import { type ITable, Table } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';

/** The table that the service uses: the one of the data stack, or one that was restored beside it. */
export interface ServedTable extends Omit<ITable, 'tableStreamArn'> {
  readonly streamArn: string;
}

/**
 * A table that was restored to a point in time (docs/restore.md). It belongs to no stack: what a
 * stack makes cannot begin with what another table held. Its stream names all of it.
 */
export function useRestoredTable(scope: Construct, id: string, streamArn: string): ServedTable {
  const tableArn = streamArn.slice(0, streamArn.indexOf('/stream/'));
  const table = Table.fromTableAttributes(scope, id, { tableArn, tableStreamArn: streamArn });
  return Object.assign(table, { streamArn });
}
