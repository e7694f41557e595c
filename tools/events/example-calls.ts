import type { endpoints } from '#functions/endpoints.ts';

/** What an example sends beside a token. */
export interface ExampleCall {
  /** Without it, the first operation of the endpoint is called. */
  readonly operation?: string;
  /** What the path names otherwise than the story does. */
  readonly names?: Readonly<Record<string, string>>;
  readonly query?: string;
  /** The pass that the query has instead of a token. */
  readonly pass?: 'input' | 'results' | 'unsubscribe';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly isBase64Encoded?: boolean;
}

const emptyZip = 'UEsFBgAAAAAAAAAAAAAAAAAAAAAAAA==';

function zipped(payload: object): ExampleCall {
  const headers = {
    'content-disposition': 'attachment; filename=job_file.zip',
    'content-type': 'application/zip',
    payload: JSON.stringify(payload),
  };
  return { headers, body: emptyZip, isBase64Encoded: true };
}

export function json(value: object): ExampleCall {
  return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) };
}

function rows(body: string, headers: Readonly<Record<string, string>>): ExampleCall {
  return { query: 'reason=a%20course%20in%20spring', headers, body };
}

const onHpcTwo = { hpc: 'hpc_two', project_name: 'proj_hpc_two_02' };

/** What is sent beside a token and a path, where it is not the body that the description shows. */
export const exampleCalls: Readonly<Partial<Record<keyof typeof endpoints, ExampleCall>>> = {
  'submit-job': zipped({
    command: 'ls -lisa',
    node_number: '2',
    core_number: '6',
    runtime: '2.0',
    title: 'a job title',
  }),
  'submit-batch': zipped({
    command: 'echo {index}',
    node_number: '1',
    core_number: '1',
    runtime: '0.5',
    title: 'job {index}',
    count: '3',
  }),
  'hand-out-input': { pass: 'input' },
  'take-results': { pass: 'results', query: 'bytes=12345', headers: { 'content-length': '0' } },
  'grant-quota': {
    ...json({
      reason: 'a course in spring',
      valid_until: '2099-12-31',
      set: { time: 3600, space: 1000 },
    }),
    names: onHpcTwo,
  },
  'grant-quotas': rows('user_id,hpc,project_name,add.time\n306328,hpc_one,proj_hpc_one_01,3600\n', {
    'content-type': 'text/csv',
    'idempotency-key': 'course-2027',
  }),
  'remove-quota': { names: onHpcTwo },
  'map-accounts': rows('{"user_id": "306328", "hpc": "hpc_one", "account": "ada"}\n', {
    'content-type': 'application/x-ndjson',
  }),
  'decide-request': { operation: 'decline' },
  'read-usage-report': { query: 'by=project,month' },
  'read-usage': { query: 'by=day' },
  'change-notifications': json({ email: null, events: ['job.ended'], digest: 'daily' }),
  'answer-mail': {
    operation: 'unsubscribe',
    pass: 'unsubscribe',
    body: 'List-Unsubscribe=One-Click',
  },
  'open-project': { names: onHpcTwo },
  'close-project': { names: onHpcTwo },
};
