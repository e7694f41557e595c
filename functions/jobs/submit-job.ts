import { answer } from '#lib/http/chain/operation.ts';
import { currentProjectHandler } from '#lib/http/chain/project-handler.ts';
import { dryRunQuery } from '#lib/http/parsers/queries/job-queries.ts';
import { inputBody } from '#lib/http/parsers/submission/input-body.ts';
import { submissionHeaders } from '#lib/http/parsers/submission/submission-headers.ts';
import { presentEstimate } from '#lib/http/presenters/present-estimate.ts';
import { jobLocation, presentJob } from '#lib/http/presenters/present-job.ts';
import { created, ok, replayed } from '#lib/http/respond.ts';
import { estimateJob } from '#lib/jobs/submit/estimate-job.ts';
import { submitJob } from '#lib/jobs/submit/submit-job.ts';
import { countSubmission } from '#lib/telemetry/metrics.ts';
import { endpoints } from '../endpoints.ts';
import { context, submissionOf } from '../submissions.ts';
import { table } from '../table.ts';

export const handler = currentProjectHandler(endpoints, 'submit-job', table, {
  submit: answer(
    {
      headers: ({ hpc, project_name: project }) => submissionHeaders(hpc, project),
      query: dryRunQuery,
      body: inputBody,
    },
    async ({ query, ...submitted }) => {
      const submission = submissionOf(submitted);
      if (query.dryRun) return ok(presentEstimate(await estimateJob(context, submission)));
      const { idempotencyKey } = submitted.headers;
      const { job, repeated } = await submitJob(context, submission, idempotencyKey);
      const answered = created(presentJob(job), jobLocation(job));
      if (repeated) return replayed(answered);
      countSubmission(job.project.hpc, job.stage);
      return answered;
    },
  ),
});
