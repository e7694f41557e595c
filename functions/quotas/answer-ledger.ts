import type { ListCursors } from '#lib/http/parsers/queries/cursors.ts';
import type { LedgerQuery } from '#lib/http/parsers/queries/quota-queries.ts';
import { presentLine, presentSums } from '#lib/http/presenters/present-ledger.ts';
import { type ApiResponse, ok, respond } from '#lib/http/respond.ts';
import {
  type LedgerList,
  type LedgerPosition,
  readLedgerPage,
  readPeriod,
} from '#lib/quotas/read-ledger.ts';
import type { AccountKey } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';

export interface LedgerRequest {
  readonly query: LedgerQuery;
  linkTo(cursor: string | undefined): Record<string, string>;
}

/** Answers with a page of ledger lines or with sums, for users and administrators. */
export async function answerLedger(
  table: Table,
  cursors: ListCursors<LedgerList, LedgerPosition>,
  account: AccountKey,
  { query, linkTo }: LedgerRequest,
): Promise<ApiResponse> {
  const list = { ...account, ...query.period };
  if (query.kind === 'sums') return ok(presentSums(await readPeriod(table, list), query.per));
  const after = cursors.verify(list, query.cursor);
  const { entries, next } = await readLedgerPage(table, list, query.limit, after);
  return respond(200, entries.map(presentLine), linkTo(cursors.sign(list, next)));
}
