import { presentJob } from '#lib/http/presenters/present-job.ts';
import * as story from '../../story/things.ts';
import { operation, type RouteWords } from './parameters.ts';

export const job = presentJob(story.job);

export const endedJob = presentJob(story.toolJob);

export const canceledJob = presentJob({ ...story.endedJob, stage: 'CANCELED' });

export const timeline = {
  job_id: job.job_id,
  stage: 'RUNNING',
  terminal_stage: false,
  reason: null,
  running_since: '2026-11-15T08:31:02Z',
  ran_seconds: null,
  stages: [
    { stage: 'QUEUED', since: '2026-11-15T08:30:00Z' },
    { stage: 'RUNNING', since: '2026-11-15T08:31:02Z' },
  ],
  tries: [
    {
      at: '2026-11-15T08:30:00Z',
      accepted: false,
      reason: 'The HPC system did not answer. It will be tried again.',
    },
    { at: '2026-11-15T08:30:02Z', accepted: true, reason: null },
  ],
};

const estimate = {
  accepted: true,
  runtime: 2.0,
  held: { time: 14_400, space: 1.0 },
  left: { time: 17_985_600, space: 9_999_999.0 },
  living_jobs: 1,
  max_living_jobs: 1000,
};

const upload = {
  upload_id: 'b0f5c5a4-7f6e-4f0e-9d55-1f0a7d5c2e11',
  filename: 'big.zip',
  length: 123_456_789,
  expires: '2026-11-15T09:30:00Z',
  method: 'PUT',
  address: 'https://storage.example/inputs/b0f5c5a4',
  headers: { 'Content-Length': '123456789', 'If-None-Match': '*' },
};

const result = {
  place: 0,
  index: 0,
  job_id: job.job_id,
  stage: 'SUCCESSFUL',
  terminal_stage: true,
  failed: false,
  state: 'included',
  fileid: 'stdout',
  filename: 'stdout',
  length: 13,
  encoding: 'utf-8',
  content: 'Hello, world\n',
};

const fileProblems = ['system-unavailable', 'system-busy', 'storage-unavailable'];

const folder = {
  project_hpc: 'HPC_ONE',
  project_name: 'test',
  length: 1234,
  files: 1,
  measured: '2026-11-15T08:31:02Z',
  limit: 50_000_000_000,
  full: false,
  in_reach: true,
};

const folderProblems = [
  'folder-not-found',
  'folder-out-of-reach',
  'account-missing',
  'system-unavailable',
  'system-busy',
];

export const jobWords = {
  'read-jobs': {
    list: operation('listJobs', 'List your jobs', {
      description:
        'In ascending order of `id`. Without parameters you get everything that fits into one answer. If there is more, `Link` leads to the next page.',
      problems: ['batch-not-found'],
      example: [job, endedJob],
    }),
    one: operation('getJob', 'Get one of your jobs', {
      description: 'With `expand=request` the answer also says what the job asked for.',
      example: endedJob,
    }),
    timeline: operation('getTimeline', 'Get the timeline of a job, and why it waits', {
      example: timeline,
    }),
  },
  'submit-job': {
    submit: operation('submitJob', 'Submit a job', {
      description:
        'The body is a zip of up to 4,500,000 bytes. Leave it empty for a job without input, and send a larger one with `POST /uploads/`. Without a project the job goes to the default project of the system. With `dry_run=true` nothing is written, and the answer says what the job would hold.',
      problems: [
        'account-missing',
        'awaited-failed',
        'banned',
        'budget-spent',
        'idempotency-key-in-use',
        'idempotency-key-reused',
        'no-budget',
        'no-quota',
        'not-member',
        'folder-full',
        'project-closed',
        'quota-exceeded',
        'quota-expired',
        'storage-unavailable',
        'submission-uncertain',
        'too-many-jobs',
        'upload-unfinished',
        'upload-used',
      ],
      example: job,
      otherAnswer: {
        words: 'With `dry_run=true`: the amount that the job would hold.',
        example: estimate,
      },
    }),
  },
  'delete-job': {
    delete: operation('deleteJob', 'Cancel an active job, or delete an ended one', {
      description:
        'Repeating the request changes nothing. With `only`, a job to which the request does not apply stays as it is, and you can delete a cancelled job.',
      problems: ['storage-unavailable'],
      example: canceledJob,
    }),
  },
  'read-files': {
    list: operation('listFiles', 'List the files of a job', {
      description:
        'Without parameters the list is one answer. With any of them it comes in pages, and `Link` leads to the next one. A page may have fewer entries than `limit`, or none, although others follow.',
      query: {
        folder: {
          description:
            'Lists only what is directly in this folder, with its folders. Empty for the outermost one.',
          example: 'out/',
        },
      },
      problems: fileProblems,
      example: [{ fileid: 'stdout', filename: 'stdout', length: 1234 }],
    }),
    one: operation('getFile', 'Download a file', {
      description:
        'A file of more than 4,500,000 bytes is at another address. Do not send the token there.',
      problems: [...fileProblems, 'file-too-large', 'too-many-downloads'],
      example: 'Hello, world\n',
    }),
    ofBatch: operation('listResults', 'Read one file of each job of a batch', {
      description:
        'In the order of the jobs. A file of at most 262,144 bytes is included. `Link` leads to the next page, which begins when 4,500,000 bytes, 1,000 jobs or half of the time of one answer are reached. With `Accept: application/x-ndjson` each job is a line.',
      query: {
        name: { description: 'The name of the file. Default: `stdout`.', example: 'stdout' },
        first: { description: 'The place of the first job in the batch, from 0.', example: 0 },
        last: { description: 'The place of the last job in the batch.', example: 99 },
      },
      example: [result],
      exampleTable: `${JSON.stringify(result)}\n`,
    }),
    folder: operation('getProjectFolder', "Read how full a project's folder is", {
      description:
        'A folder in which the jobs of a project find what earlier ones left (`SLIPWAY_PROJECT_DIR`). For members, leaders and administrators; for everybody else it does not exist.',
      problems: ['folder-not-found', 'account-missing', 'system-unavailable', 'system-busy'],
      example: folder,
    }),
    folderFiles: operation('listProjectFiles', "List the files of a project's folder", {
      description: 'In pages, like the files of a job. `Link` leads to the next one.',
      query: {
        folder: {
          description:
            'Lists only what is directly in this folder, with its folders. Empty for the outermost one.',
          example: 'models/',
        },
      },
      problems: [
        'folder-not-found',
        'account-missing',
        'system-unavailable',
        'system-busy',
        'storage-unavailable',
      ],
      example: [{ fileid: 'model.pt', filename: 'model.pt', length: 1234 }],
    }),
    folderFile: operation('getProjectFile', "Download a file of a project's folder", {
      description:
        'A file of more than 4,500,000 bytes is at another address. Do not send the token there.',
      problems: [...folderProblems, 'storage-unavailable', 'file-too-large', 'too-many-downloads'],
      example: 'Hello, world\n',
    }),
  },
  'clear-folder': {
    remove: operation('deleteProjectFile', "Delete a file of a project's folder", {
      problems: folderProblems,
      example: folder,
    }),
    empty: operation('emptyProjectFolder', "Delete everything in a project's folder", {
      description:
        'For leaders of the project and administrators. Without `confirm` nothing is deleted, and the answer says what would be. The folder itself stays, because jobs may use it.',
      query: { confirm: { description: 'The name of the project.', example: 'test' } },
      problems: [...folderProblems, 'not-leader', 'emptying-unconfirmed'],
      example: { ...folder, length: 0, files: 0 },
    }),
  },
  'create-upload': {
    create: operation('createUpload', 'Get an address to which you can upload a large zip', {
      problems: [
        'quota-exceeded',
        'no-quota',
        'banned',
        'quota-expired',
        'too-many-uploads',
        'uploads-too-large',
      ],
      description:
        'A file of more than 5,000,000,000 bytes is sent in parts, and any other may be: with `"parts": true` the address takes the first part, and `POST /uploads/{upload_id}/` has those of the others.',
      requestExample: { filename: 'big.zip', length: 123_456_789 },
      example: upload,
    }),
    continue: operation('continueUpload', 'Get the addresses of the parts that are missing', {
      description:
        'Lists up to 32 parts that have not arrived. Send each with `PUT`, and call again until `complete` is true: the call that finds none missing joins them. An upload that was interrupted goes on in the same way.',
      example: {
        upload_id: upload.upload_id,
        length: 20_000_000_000,
        complete: false,
        expires: upload.expires,
        parts: [
          {
            number: 313,
            first: 19_968_000_000,
            length: 32_000_000,
            address: 'https://storage.example/inputs/b0f5c5a4?partNumber=313',
            headers: { 'Content-Length': '32000000' },
          },
        ],
      },
    }),
  },
  'hand-out-input': {
    input: operation('handOutInput', 'For a running job: fetch its input', {}),
    object: operation(
      'fetchObject',
      'For a running job: get the address of an object in a bucket that is one of its inputs',
      {},
    ),
    script: operation(
      'handOutScript',
      'For a starting job: fetch its script, unless another run of it has begun',
      {
        problems: ['job-runs-elsewhere'],
        example: 'job = {"command": "python3 main.py"}\n',
      },
    ),
  },
  'take-results': {
    take: operation('takeResults', 'For a running job: get the address for its results', {
      problems: ['results-too-large'],
    }),
    object: operation(
      'sendObject',
      'For a running job: get the address for a file that it sends to a bucket',
      {},
    ),
    follow: operation(
      'sendOutput',
      'For a running job: send its output, and learn whether somebody follows it',
      {
        example: { followed: true },
      },
    ),
    folder: operation(
      'tellFolder',
      "For a running job: tell what is in the project's folder, where only jobs see it",
      {
        query: {
          length: { description: 'The bytes of all files.', example: '1234' },
          files: { description: 'How many files there are.', example: '1' },
        },
        example: { ...folder, in_reach: false },
      },
    ),
  },
} as const satisfies Partial<RouteWords>;
