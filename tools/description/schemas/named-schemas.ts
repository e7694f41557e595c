import * as administration from '#lib/http/answers/administration.ts';
import * as catalog from '#lib/http/answers/catalog.ts';
import * as files from '#lib/http/answers/files.ts';
import * as job from '#lib/http/answers/job.ts';
import * as ledger from '#lib/http/answers/ledger.ts';
import * as problem from '#lib/http/answers/problem.ts';
import * as quota from '#lib/http/answers/quota.ts';
import * as report from '#lib/http/answers/report.ts';
import * as request from '#lib/http/answers/request.ts';
import * as webhook from '#lib/http/answers/webhook.ts';

/** The shapes of answers, by their names. */
export const namedSchemas = {
  ...job,
  ...quota,
  ...ledger,
  ...files,
  ...catalog,
  ...webhook,
  ...administration,
  ...report,
  ...request,
  ...problem,
} as const;
