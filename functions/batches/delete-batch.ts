import { findBatch } from '#lib/batches/batch-store.ts';
import { discardBatch } from '#lib/batches/cancel-batch.ts';
import { answer } from '#lib/http/chain/operation.ts';
import { projectHandler } from '#lib/http/chain/project-handler.ts';
import { discardQuery } from '#lib/http/parsers/queries/job-queries.ts';
import { presentBatch } from '#lib/http/presenters/present-batch.ts';
import { ok } from '#lib/http/respond.ts';
import { projectAt } from '#lib/http/routes/resolve-path.ts';
import { endpoints } from '../endpoints.ts';
import { table } from '../table.ts';

export const handler = projectHandler(endpoints, 'delete-batch', table, {
  delete: answer({ query: discardQuery }, async ({ caller, path, query }) => {
    const batch = await findBatch(table, caller.userId, path.batch_id, projectAt(path));
    return ok(presentBatch(await discardBatch(table, batch, new Date(), query.only)));
  }),
});
