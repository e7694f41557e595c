import { findBatch, listBatches } from '#lib/batches/batch-store.ts';
import { answer } from '#lib/http/chain/operation.ts';
import { projectHandler } from '#lib/http/chain/project-handler.ts';
import { pageQuery } from '#lib/http/parsers/fields.ts';
import { batches, openCursors } from '#lib/http/parsers/queries/cursors.ts';
import { presentBatch } from '#lib/http/presenters/present-batch.ts';
import { ok, respond } from '#lib/http/respond.ts';
import { projectAt } from '#lib/http/routes/resolve-path.ts';
import { endpoints } from '../endpoints.ts';
import { table } from '../table.ts';

const cursors = openCursors(batches);

export const handler = projectHandler(endpoints, 'read-batches', table, {
  list: answer({ query: pageQuery }, async ({ caller, path, query, linkTo }) => {
    const list = { owner: caller.userId, ...projectAt(path) };
    const after = cursors.verify(list, query.cursor);
    const page = await listBatches(table, list, query.limit, after);
    return respond(200, page.entries.map(presentBatch), linkTo(cursors.sign(list, page.next)));
  }),
  one: answer({}, async ({ caller, path }) =>
    ok(presentBatch(await findBatch(table, caller.userId, path.batch_id, projectAt(path)))),
  ),
});
