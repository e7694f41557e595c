import { userIdForm } from '#lib/catalog/identifiers.ts';

export interface ParameterWords {
  readonly description: string;
  /** Where the validating schema cannot be told in JSON Schema, or depends on the catalog. */
  readonly schema?: Readonly<Record<string, unknown>>;
  readonly example?: unknown;
}

const name = { type: 'string', pattern: '^[a-z][a-z0-9_]{0,62}$' };
const user = { type: 'string', pattern: userIdForm.source };
const moment = {
  type: 'string',
  pattern: '^\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}(:\\d{2}(\\.\\d{1,3})?)?(Z|[+-]\\d{2}:\\d{2}))?$',
};

export const pathWords: Readonly<Record<string, ParameterWords>> = {
  hpc: { description: 'An HPC system, in lower case.', schema: name, example: 'hpc_one' },
  project_name: {
    description: 'A project of that system.',
    schema: name,
    example: 'proj_hpc_one_01',
  },
  job_id: {
    description: 'The identifier of a job on its system.',
    schema: { type: 'string', pattern: '^[A-Z0-9_-]{1,128}$' },
    example: 'AF17D39A-9E15-4FE3-9F84-0EAEB4CC94AA',
  },
  user_id: { description: 'The number of a user.', schema: user, example: '306328' },
  file_id: { description: 'A file of the job, as its list names it.', example: 'stdout' },
  request_id: {
    description: 'A request for more.',
    example: '306328-01a1de53db405c6a1f0e9b7d4c21a3f0',
  },
  any_project_name: {
    description: 'The name of a project, whether there is one of this name or not.',
    schema: name,
    example: 'course_2027',
  },
  webhook_id: {
    description: 'A webhook of the caller.',
    schema: { type: 'string', format: 'uuid' },
    example: '7b0f3b52-8a0e-4a53-9d0a-4f5c6f1f9a11',
  },
};

export const queryWords: Readonly<Record<string, ParameterWords>> = {
  limit: { description: 'How many at most.' },
  cursor: { description: 'Where the list goes on: from the `Link` of the page before.' },
  stage: {
    description: 'Jobs in this stage: a stage word of the system (`GET /hpc/`).',
    schema: { type: 'string' },
    example: 'RUNNING',
  },
  terminal: { description: 'Jobs that have ended, or those that have not.' },
  failed: { description: 'Jobs that ended without success, or the others.' },
  title: { description: 'Jobs whose title contains this.' },
  since: {
    description: 'From this moment on: with its time zone, or a whole day in UTC.',
    schema: moment,
    example: '2026-11-01',
  },
  until: {
    description: 'Up to this moment: with its time zone, or a whole day in UTC, to its end.',
    schema: moment,
    example: '2026-11-30',
  },
  order: { description: 'By ascending or descending `id`.' },
  expand: { description: '`usage` shows how a quota came to be what is left.' },
  sum: { description: 'Sums by day or by job instead of lines.' },
  only: { description: 'Only cancels a living job, or only deletes an ended or cancelled one.' },
  dry_run: { description: 'Only says what would happen: nothing is written.' },
  reason: { description: 'Why. It is kept in the audit, and may be in the body instead.' },
  user: { description: 'Of this user alone.', schema: user, example: '306328' },
  by: {
    description: 'Acts of this administrator, or of `slipway` itself.',
    schema: { type: 'string', pattern: '^(0|[1-9][0-9]{0,31}|slipway)$' },
  },
  kind: { description: 'Acts of this kind.' },
  job_id: {
    description: 'The one job of this identifier, wherever it is.',
    schema: { type: 'string', pattern: '^[A-Z0-9_-]{1,128}$' },
  },
  hpc: {
    description: 'On this HPC system alone, in lower case.',
    schema: name,
    example: 'hpc_one',
  },
  project_name: { description: 'In projects of this name alone.', schema: name },
  state: { description: 'Requests in this state.' },
  subject: { description: 'The user whom the identity provider calls so.' },
  with_jobs: { description: 'Cancels and deletes the jobs that are in the way, too.' },
  pass: { description: 'What lets this job in, from the address that it was handed.' },
  bytes: {
    description: 'How many bytes will be sent.',
    schema: { type: 'string', pattern: '^[1-9][0-9]{0,14}$' },
  },
  stdout: {
    description:
      'Where the part of the standard output in the body begins in its stream, and its bytes.',
    schema: { type: 'string', pattern: '^[0-9]{1,15},[0-9]{1,6}$' },
    example: '0,120',
  },
  stderr: {
    description: 'The same of the standard error, which follows in the body.',
    schema: { type: 'string', pattern: '^[0-9]{1,15},[0-9]{1,6}$' },
    example: '0,0',
  },
  last: { description: 'Whether the job is being ended, and sends no more after this.' },
  before: {
    description: 'Seconds from the beginning of the job until its command ran.',
    schema: { type: 'string', pattern: '^[0-9]{1,9}$', default: '0' },
  },
  after: {
    description: 'Seconds from the end of its command until now.',
    schema: { type: 'string', pattern: '^[0-9]{1,9}$', default: '0' },
  },
};

const dayOrMonth = { type: 'string', pattern: '^\\d{4}-\\d{2}(-\\d{2})?$' };

/** A report is asked for by the names of lists, and means other things by them. */
export const reportWords: Readonly<Record<string, ParameterWords>> = {
  by: {
    description:
      'What a row is of: `user` (for administrators), `project`, `system`, `day`, `month`, or two of them with a comma.',
    schema: { type: 'string', pattern: '^[a-z]+(,[a-z]+)?$', default: 'project' },
    example: 'project,month',
  },
  since: {
    description: 'From this day or month on.',
    schema: dayOrMonth,
    example: '2026-11-01',
  },
  until: {
    description: 'Up to the end of this day or month.',
    schema: dayOrMonth,
    example: '2026-11',
  },
};

export const headerWords: Readonly<Record<string, ParameterWords & { readonly name: string }>> = {
  payload: {
    name: 'Payload',
    description:
      'What the job is to do, as a JSON object. Numbers may be text. A system may know more fields of its own (`GET /hpc/`).',
    example: {
      command: 'ls -lisa',
      node_number: '2',
      core_number: '6',
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
    description: 'The same key with the same request makes one job, however often it is sent.',
    example: '2f9c7a9e-6f0d-4d0e-8a55-3c0f1f1d2b10',
  },
  'upload-id': {
    name: 'Upload-Id',
    description: 'A zip that was sent before (`POST /uploads/`), instead of a body.',
  },
};
