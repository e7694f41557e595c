import { joinsByGroup } from '#lib/budgets/joins-by-group.ts';
import { catalog, defaultProject } from '#lib/catalog/catalog.ts';
import { readBudget } from '#lib/config.ts';
import { answer } from '#lib/http/chain/operation.ts';
import { currentProjectHandler } from '#lib/http/chain/project-handler.ts';
import { dryRunQuery } from '#lib/http/parsers/job-queries.ts';
import { inputBody } from '#lib/http/parsers/submission/input-body.ts';
import { submissionHeaders } from '#lib/http/parsers/submission/submission-headers.ts';
import { jobLocation, presentEstimate, presentJob } from '#lib/http/presenters/present-job.ts';
import { created, ok, replayed } from '#lib/http/respond.ts';
import { estimateJob } from '#lib/jobs/submit/estimate-job.ts';
import { submitJob } from '#lib/jobs/submit/submit-job.ts';
import { countSubmission } from '#lib/telemetry/metrics.ts';
import { sampleSizes } from '#lib/telemetry/sample-sizes.ts';
import { endpoints } from '../endpoints.ts';
import { jobFiles } from '../job-files.ts';
import { table } from '../table.ts';

sampleSizes(table.client);
const context = { table, catalog, inputs: jobFiles.inputs, budget: readBudget() };

export const handler = currentProjectHandler(endpoints, 'submit-job', table, {
  submit: answer(
    {
      headers: ({ hpc, project_name: project }) => submissionHeaders(hpc, project),
      query: dryRunQuery,
      body: inputBody,
    },
    async ({ caller, path, headers, query, body: source }) => {
      const { hpc: system, project_name: project = defaultProject(system) } = path;
      const { payload, fileName, idempotencyKey } = headers;
      const input = { fileName, source };
      const { userId: owner, groups = [] } = caller;
      const joins = joinsByGroup({ project, groups });
      const submission = { owner, system, project, joins, ...payload, input };
      if (query.dryRun) return ok(presentEstimate(await estimateJob(context, submission)));
      const { job, repeated } = await submitJob(context, submission, idempotencyKey);
      const answered = created(presentJob(job), jobLocation(job));
      if (repeated) return replayed(answered);
      countSubmission(job.project.hpc, job.stage);
      return answered;
    },
  ),
});
