import { findBatch } from '#lib/batches/batch-store.ts';
import { estimateBatch } from '#lib/batches/estimate-batch.ts';
import { repeatFailed } from '#lib/batches/repeat-failed.ts';
import { submitBatch } from '#lib/batches/submit-batch.ts';
import { joinsByGroup } from '#lib/budgets/joins-by-group.ts';
import { answer } from '#lib/http/chain/operation.ts';
import { currentProjectHandler } from '#lib/http/chain/project-handler.ts';
import { dryRunQuery } from '#lib/http/parsers/queries/job-queries.ts';
import { inputBody } from '#lib/http/parsers/submission/input-body.ts';
import { batchHeaders, keyHeaders } from '#lib/http/parsers/submission/submission-headers.ts';
import {
  batchLocation,
  presentBatch,
  presentBatchEstimate,
} from '#lib/http/presenters/present-batch.ts';
import { created, ok, replayed } from '#lib/http/respond.ts';
import { projectAt } from '#lib/http/routes/resolve-path.ts';
import { endpoints } from '../endpoints.ts';
import { context, submissionOf } from '../submissions.ts';
import { table } from '../table.ts';

export const handler = currentProjectHandler(endpoints, 'submit-batch', table, {
  submit: answer(
    {
      headers: ({ hpc, project_name: project }) => batchHeaders(hpc, project),
      query: dryRunQuery,
      body: inputBody,
    },
    async ({ query, ...submitted }) => {
      const submission = submissionOf(submitted);
      if (query.dryRun) return ok(presentBatchEstimate(await estimateBatch(context, submission)));
      const { idempotencyKey } = submitted.headers;
      const { batch, repeated } = await submitBatch(context, submission, idempotencyKey);
      const answered = created(presentBatch(batch), batchLocation(batch));
      return repeated ? replayed(answered) : answered;
    },
  ),
  again: answer({ headers: keyHeaders }, async ({ caller, path, headers }) => {
    const { project_name: project, batch_id: id } = path;
    const { userId, groups = [], claims } = caller;
    const batch = await findBatch(table, userId, id, projectAt(path));
    const { batch: again, repeated } = await repeatFailed(
      context,
      batch,
      { project, joins: joinsByGroup({ project, groups }), claims },
      headers.idempotencyKey,
    );
    const answered = created(presentBatch(again), batchLocation(again));
    return repeated ? replayed(answered) : answered;
  }),
});
