import { PagingEnvironment, readEnvironment, TableEnvironment } from '#lib/config.ts';
import { apiHandler } from '#lib/http/chain/api-handler.ts';
import { answerAuditPage } from '#lib/http/paging/audit-page.ts';
import { createPositionSigner } from '#lib/http/paging/position-signer.ts';
import { openTable } from '#lib/table/table.ts';
import { routes } from '../routes.ts';

const table = openTable(readEnvironment(TableEnvironment).TABLE_NAME);
const signer = createPositionSigner(readEnvironment(PagingEnvironment).CURSOR_SECRET);

export const handler = apiHandler(routes, routes['read-audit'], async ({ event }) =>
  answerAuditPage(table, signer, event),
);
