import type { DescribedRouteName, routes } from '#functions/routes.ts';
import { userIdForm } from '#lib/catalog/identifiers.ts';

export interface ParameterWords {
  readonly description: string;
  /** Needed if the validating schema has no JSON Schema, or depends on the catalog. */
  readonly schema?: Readonly<Record<string, unknown>>;
  readonly example?: unknown;
}

/** Describes an operation beyond its schemas. */
export interface OperationWords {
  /** Becomes the `operationId`, and the method of generated clients. */
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  /** Lists problems beyond those that follow from the path and the access. */
  readonly problems?: readonly string[];
  /** Body of the first answer, and of others of the same shape. */
  readonly example?: unknown;
  /** The same body as CSV. */
  readonly exampleTable?: string;
  /** An answer of another shape. */
  readonly otherAnswer?: { readonly words: string; readonly example: unknown };
  /** Request body; if it has many rows, one of them. */
  readonly requestExample?: object;
  readonly requestTable?: string;
  /** The fields of the Payload header, if they are not those of one job. */
  readonly payload?: 'BatchPayload';
  /** Overrides the usual words of parameters. */
  readonly query?: Readonly<Record<string, ParameterWords>>;
}

export function operation<const Words extends Omit<OperationWords, 'id' | 'summary'>>(
  id: string,
  summary: string,
  words: Words,
) {
  return { id, summary, ...words };
}

/** Requires words for each operation of a route; a missing one does not compile. */
export type RouteWords = {
  readonly [Name in DescribedRouteName]: Readonly<
    Record<keyof (typeof routes)[Name]['paths'] & string, OperationWords>
  >;
};

const name = { type: 'string', pattern: '^[a-z][a-z0-9_]{0,62}$' };
const user = { type: 'string', pattern: userIdForm.source };
const moment = {
  type: 'string',
  pattern: '^\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}(:\\d{2}(\\.\\d{1,3})?)?(Z|[+-]\\d{2}:\\d{2}))?$',
};

const says = (description: string, more: Omit<ParameterWords, 'description'> = {}) => ({
  description,
  ...more,
});

export const pathWords: Readonly<Record<string, ParameterWords>> = {
  hpc: says('An HPC system, in lower case.', { schema: name, example: 'hpc_one' }),
  project_name: says('A project of that system.', { schema: name, example: 'proj_hpc_one_01' }),
  job_id: says('The `job_id` of a job.', {
    schema: { type: 'string', pattern: '^[A-Z0-9_-]{1,128}$' },
    example: 'AF17D39A-9E15-4FE3-9F84-0EAEB4CC94AA',
  }),
  batch_id: says('The `batch_id` of a batch.', {
    schema: { type: 'string', pattern: '^[0-9A-F-]{36}$' },
    example: '019A8B6C-4E00-7A10-9C55-1F0A7D5C2E11',
  }),
  user_id: says('The number that identifies a user.', { schema: user, example: '306328' }),
  file_id: says('The `fileid` of a file, from the list of files.', { example: 'stdout' }),
  upload_id: says('The `upload_id` of an upload.', {
    schema: { type: 'string', format: 'uuid' },
    example: 'b0f5c5a4-7f6e-4f0e-9d55-1f0a7d5c2e11',
  }),
  request_id: says('The `request_id` of a request for more.', {
    example: '306328-01a1de53db405c6a1f0e9b7d4c21a3f0',
  }),
  any_project_name: says('The name of a project, which may not exist yet.', {
    schema: name,
    example: 'course_2027',
  }),
  window_name: says('The name of a maintenance, which may not exist yet.', {
    schema: { type: 'string', pattern: '^[a-z0-9][a-z0-9_-]{0,62}$' },
    example: '2099-12-01',
  }),
  webhook_id: says('A webhook of the caller.', {
    schema: { type: 'string', format: 'uuid' },
    example: '7b0f3b52-8a0e-4a53-9d0a-4f5c6f1f9a11',
  }),
  delivery_id: says('The `delivery_id` of a delivery, from the list of deliveries.', {
    example: '1794737160000-AF17D39A-9E15-4FE3-9F84-0EAEB4CC94AA-ended',
  }),
};

export const queryWords: Readonly<Record<string, ParameterWords>> = {
  limit: says('The maximum number of entries on a page.'),
  cursor: says('Where the list continues. Take it from the `Link` of the previous page.'),
  stage: says('Only jobs in this stage, one of the stage words in `GET /hpc/`.', {
    schema: { type: 'string' },
    example: 'RUNNING',
  }),
  terminal: says('`true`: only ended jobs. `false`: only active jobs.'),
  failed: says('`true`: only jobs that failed. `false`: only the others.'),
  title: says('Only jobs whose title contains this text.'),
  since: says('The start: a moment with its time zone, or a whole day in UTC.', {
    schema: moment,
    example: '2026-11-01',
  }),
  until: says('The end: a moment with its time zone, or a whole day in UTC, which is included.', {
    schema: moment,
    example: '2026-11-30',
  }),
  month: says('A month in UTC. Without it, this month.', {
    schema: { type: 'string', pattern: '^\\d{4}-\\d{2}$' },
    example: '2026-11',
  }),
  order: says('Ascending or descending order of `id`.'),
  history: says('How many days of history each system has in the answer, today included.'),
  expand: says(
    '`usage` adds the granted, held and used amounts to a quota, `request` adds to a job what it asked for, `activity` adds to a user the last submission and the use of 30 days.',
  ),
  names: says('`true` adds what users are called, as far as the identity provider says it.'),
  search: says(
    'Finds users whose name or mail address begins so. Case and accents do not matter. There is one page.',
    { schema: { type: 'string', minLength: 1, maxLength: 100 }, example: 'lovelace' },
  ),
  sum: says('Returns sums by day or by job instead of lines.'),
  only: says(
    '`cancel` only cancels an active job. `delete` only deletes an ended or cancelled one.',
  ),
  dry_run: says('`true` only says what would happen and writes nothing.'),
  reason: says('The reason, for the audit. You can send it in the body instead.'),
  user: says('Only entries of this user.', { schema: user, example: '306328' }),
  by: says('Only acts of this administrator, or of `slipway` itself.', {
    schema: { type: 'string', pattern: '^(0|[1-9][0-9]{0,31}|slipway)$' },
  }),
  kind: says('Only acts of this kind.'),
  job_id: says('Finds the job with this `job_id`, on any system and in any project.', {
    schema: { type: 'string', pattern: '^[A-Z0-9_-]{1,128}$' },
  }),
  batch: says('Only jobs of this batch.', {
    schema: { type: 'string', pattern: '^[0-9A-F-]{36}$' },
  }),
  project: says('Only entries of this project.', { schema: name, example: 'proj_hpc_one_01' }),
  hpc: says('Only entries of this HPC system, in lower case.', {
    schema: name,
    example: 'hpc_one',
  }),
  project_name: says('Only entries of projects with this name.', { schema: name }),
  state: says('Only requests in this state.'),
  led: says('`true` lists only projects that you lead.'),
  subject: says('Finds the user whom the identity provider knows by this name.'),
  with_jobs: says('`true` also cancels and deletes the jobs that need the quota.'),
  run: says('The id that the HPC system gave to the run of the job.'),
  task: says('For a task of an array: its number.'),
  pass: says('The pass from the address that the job was given.'),
  language: says('The language of the page.', { example: 'de' }),
  bytes: says('The number of bytes that will be sent.', {
    schema: { type: 'string', pattern: '^[1-9][0-9]{0,14}$' },
  }),
  number: says('The number of the input or output in the request of the job, from 0.', {
    schema: { type: 'string', pattern: '^[0-9]{1,3}$' },
  }),
  file: says('The path of the file in the folder of the job.', { example: 'results/a.nc' }),
  length: says('The number of its bytes.', {
    schema: { type: 'string', pattern: '^[0-9]{1,10}$' },
  }),
  sha256: says('Its SHA-256 in hexadecimal digits.', {
    schema: { type: 'string', pattern: '^[0-9a-f]{64}$' },
  }),
  stdout: says(
    'The part of the standard output in the body: its first position in the stream, and its number of bytes.',
    { schema: { type: 'string', pattern: '^[0-9]{1,15},[0-9]{1,6}$' }, example: '0,120' },
  ),
  stderr: says('The same for the standard error, which comes next in the body.', {
    schema: { type: 'string', pattern: '^[0-9]{1,15},[0-9]{1,6}$' },
    example: '0,0',
  }),
  last: says('`true` if the job is being ended and will not send more.'),
  run_number: says(
    'Which run of its job sends, from 1. A system may start a job again. Each run has results of its own, and those of the last one count.',
  ),
  cut: says('`true` if the run did not end well.'),
  before: says('Seconds from the start of the job until the start of its command.', {
    schema: { type: 'string', pattern: '^[0-9]{1,9}$', default: '0' },
  }),
  after: says('Seconds from the end of its command until now.', {
    schema: { type: 'string', pattern: '^[0-9]{1,9}$', default: '0' },
  }),
};

const dayOrMonth = { type: 'string', pattern: '^\\d{4}-\\d{2}(-\\d{2})?$' };

/** Reports share these names with lists, but with other meanings. */
export const reportWords: Readonly<Record<string, ParameterWords>> = {
  by: says(
    'What each row stands for: `user` (for administrators), `project`, `system`, `day`, `month`, or two of them with a comma.',
    {
      schema: { type: 'string', pattern: '^[a-z]+(,[a-z]+)?$', default: 'project' },
      example: 'project,month',
    },
  ),
  since: says('The first day or month.', { schema: dayOrMonth, example: '2026-11-01' }),
  until: says('The last day or month, which is included.', {
    schema: dayOrMonth,
    example: '2026-11',
  }),
};

export const headerWords: Readonly<Record<string, ParameterWords & { readonly name: string }>> = {
  payload: {
    name: 'Payload',
    description:
      'The fields of the job, as a JSON object. Numbers may be text. A system may have further fields (`GET /hpc/`).',
    example: {
      command: 'ls -lisa',
      nodes: '2',
      cores: '6',
      runtime: '2.0',
      title: 'a job title',
    },
  },
  'content-disposition': {
    name: 'Content-Disposition',
    description: 'The name of the zip: `attachment; filename=<file.zip>`.',
    example: 'attachment; filename=job_file.zip',
  },
  'idempotency-key': {
    name: 'Idempotency-Key',
    description:
      'Makes a request safe to repeat: the same key with the same request takes effect once.',
    example: '2f9c7a9e-6f0d-4d0e-8a55-3c0f1f1d2b10',
  },
  'upload-id': {
    name: 'Upload-Id',
    description: 'The `upload_id` of a zip sent with `POST /uploads/`, instead of a body.',
  },
};
