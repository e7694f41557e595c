import { canceledJob, endedJob, estimate, job, timeline, upload } from '../examples/jobs.ts';
import type { WordsOf } from './operation-words.ts';

const fileProblems = ['job-not-found', 'system-unavailable', 'system-busy', 'storage-unavailable'];

export const jobWords = {
  'read-jobs': {
    list: {
      id: 'listJobs',
      summary: 'List your jobs',
      description:
        'In ascending order of `id`. Without parameters you get everything that fits into one answer. If there is more, `Link` leads to the next page.',
      example: [job, endedJob],
    },
    one: {
      id: 'getJob',
      summary: 'Get one of your jobs',
      problems: ['job-not-found'],
      example: endedJob,
    },
    timeline: {
      id: 'getTimeline',
      summary: 'Get the timeline of a job, and why it waits',
      problems: ['job-not-found'],
      example: timeline,
    },
  },
  'submit-job': {
    submit: {
      id: 'submitJob',
      summary: 'Submit a job',
      description:
        'The body is a zip of up to 4,500,000 bytes. Leave it empty for a job without input, and send a larger one with `POST /uploads/`. Without a project the job goes to the default project of the system. With `dry_run=true` nothing is written, and the answer says what the job would hold.',
      problems: [
        'account-missing',
        'banned',
        'body-too-large',
        'idempotency-key-in-use',
        'idempotency-key-reused',
        'no-quota',
        'project-closed',
        'quota-exceeded',
        'quota-expired',
        'storage-unavailable',
        'submission-uncertain',
        'too-many-jobs',
        'unsupported-body',
        'upload-unfinished',
        'upload-used',
      ],
      example: job,
      otherAnswer: {
        words: 'With `dry_run=true`: the amount that the job would hold.',
        example: estimate,
      },
    },
  },
  'delete-job': {
    delete: {
      id: 'deleteJob',
      summary: 'Cancel an active job, or delete an ended one',
      description:
        'Repeating the request changes nothing. With `only`, a job to which the request does not apply stays as it is, and you can delete a cancelled job.',
      problems: ['job-not-found', 'storage-unavailable'],
      example: canceledJob,
    },
  },
  'read-files': {
    list: {
      id: 'listFiles',
      summary: 'List the files of a job',
      problems: fileProblems,
      example: [{ fileid: 'stdout', filename: 'stdout', length: 1234 }],
    },
    one: {
      id: 'getFile',
      summary: 'Download a file',
      description:
        'A file of more than 4,500,000 bytes is at another address. Do not send the token there.',
      problems: [...fileProblems, 'file-not-found', 'file-too-large', 'too-many-downloads'],
      example: 'Hello, world\n',
    },
  },
  'create-upload': {
    create: {
      id: 'createUpload',
      summary: 'Get an address to which you can upload a large zip',
      problems: [
        'quota-exceeded',
        'no-quota',
        'banned',
        'quota-expired',
        'too-many-uploads',
        'uploads-too-large',
        'body-too-large',
        'unsupported-body',
      ],
      requestExample: { filename: 'big.zip', length: 123_456_789 },
      example: upload,
    },
  },
  'hand-out-input': {
    handOut: {
      id: 'handOutInput',
      summary: 'For a running job: fetch its input',
      problems: ['job-not-found'],
    },
  },
  'take-results': {
    take: {
      id: 'takeResults',
      summary: 'For a running job: get the address for its results',
      problems: ['job-not-found', 'results-too-large'],
    },
    follow: {
      id: 'sendOutput',
      summary: 'For a running job: send its output, and learn whether somebody follows it',
      problems: ['job-not-found'],
      example: { followed: true },
    },
  },
} as const satisfies WordsOf<
  | 'read-jobs'
  | 'submit-job'
  | 'delete-job'
  | 'read-files'
  | 'create-upload'
  | 'hand-out-input'
  | 'take-results'
>;
