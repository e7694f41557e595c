import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { defaultProject } from '#lib/catalog/catalog.ts';
import type { HpcSystem, Project } from '#lib/catalog/hpc-system.ts';
import type { InputSource, Submission } from '#lib/jobs/submit/submission.ts';
import type { Caller } from '../caller.ts';
import { type FieldProblem, InvalidRequestError } from '../errors.ts';
import { parseDryRun } from './parse-dry-run.ts';
import { parseFileName } from './parse-file-name.ts';
import { parseIdempotencyKey } from './parse-idempotency-key.ts';
import { parsePayload } from './parse-payload.ts';
import { parseUploadId } from './parse-upload-id.ts';
import { parseZip } from './parse-zip.ts';

export interface SubmissionRequest {
  readonly submission: Submission;
  readonly idempotencyKey: string | undefined;
  readonly dryRun: boolean;
}

/** Interface 4.2. All that is wrong with a request is reported at once. */
export async function parseSubmission(
  caller: Caller,
  path: { readonly hpc: HpcSystem; readonly project_name?: Project },
  event: APIGatewayProxyEventV2,
): Promise<SubmissionRequest> {
  const { hpc: system, project_name: project = defaultProject(system) } = path;
  const problems: FieldProblem[] = [];
  const payload = parsePayload(system, event.headers.payload, problems);
  const fileName = parseFileName(event.headers['content-disposition'], problems);
  const idempotencyKey = parseIdempotencyKey(event.headers['idempotency-key'], problems);
  const dryRun = parseDryRun(event, problems);
  const source = await parseInput(event, problems);
  if (problems.length > 0 || !payload || fileName === undefined || !source) {
    throw new InvalidRequestError(problems);
  }
  return {
    submission: { owner: caller.userId, system, project, ...payload, input: { fileName, source } },
    idempotencyKey,
    dryRun,
  };
}

/** The zip is in the body, or it was sent before and is named by a header. */
async function parseInput(
  event: APIGatewayProxyEventV2,
  problems: FieldProblem[],
): Promise<InputSource | undefined> {
  const header = event.headers['upload-id'];
  if (header === undefined) return parseZip(event, problems);
  const uploadId = parseUploadId(header, problems);
  if ((event.body ?? '') !== '') {
    problems.push({
      location: 'header',
      name: 'Upload-Id',
      message: 'The request has a body too. Send the zip in one of the two ways.',
    });
  }
  return uploadId === undefined ? undefined : { kind: 'upload', uploadId };
}
