import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as v from 'valibot';
import { type FieldProblem, InvalidRequestError } from '../errors.ts';
import { flag } from './query-fields.ts';
import { readQuery } from './read-query.ts';

const Query = v.object({ dry_run: flag('dry_run') });

/** Whether a submission is only to be judged. A mistyped parameter must not make a job. */
export function parseDryRun(event: APIGatewayProxyEventV2, problems: FieldProblem[]): boolean {
  try {
    return readQuery(Query, event).dry_run ?? false;
  } catch (error) {
    if (!(error instanceof InvalidRequestError)) throw error;
    problems.push(...error.problems);
    return false;
  }
}
