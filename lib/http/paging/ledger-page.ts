import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { readLedgerPage, readPeriod } from '#lib/quotas/statement/read-ledger.ts';
import type { Table } from '#lib/table/table.ts';
import { blamePeriod, type LedgerRequest } from '../parsers/parse-ledger.ts';
import { presentLine, presentSums } from '../presenters/present-ledger.ts';
import { type ApiResponse, ok, respond } from '../respond.ts';
import { linkToOlder, readPosition } from './ledger-cursor.ts';
import type { PositionSigner } from './position-signer.ts';

/** What a ledger shows: a page of its lines, or the sums of a period. */
export async function answerLedger(
  table: Table,
  signer: PositionSigner,
  request: LedgerRequest,
  event: APIGatewayProxyEventV2,
): Promise<ApiResponse> {
  if (request.kind === 'sums') {
    const lines = await readPeriod(table, request.list).catch(blamePeriod);
    return ok(presentSums(lines, request.per));
  }
  const { list, limit } = request;
  const after = readPosition(signer, request);
  const page = await readLedgerPage(table, list, limit, after).catch(blamePeriod);
  return respond(200, page.lines.map(presentLine), linkToOlder(event, signer, request, page));
}
