import { canceledJob, endedJob, estimate, job, timeline, upload } from '../examples/jobs.ts';
import type { WordsOf } from './operation-words.ts';

const fileProblems = ['job-not-found', 'system-unavailable', 'system-busy', 'storage-unavailable'];

export const jobWords = {
  'read-jobs': {
    list: {
      id: 'listJobs',
      summary: 'Your jobs',
      description:
        'In ascending order of `id`. Without parameters everything that fits into one answer; if there is more, `Link` leads to the next page.',
      example: [job, endedJob],
    },
    one: {
      id: 'getJob',
      summary: 'One of your jobs',
      problems: ['job-not-found'],
      example: endedJob,
    },
    timeline: {
      id: 'getTimeline',
      summary: 'What has become of a job, and why it waits',
      problems: ['job-not-found'],
      example: timeline,
    },
  },
  'submit-job': {
    submit: {
      id: 'submitJob',
      summary: 'Submit a job',
      description:
        'The body is a zip, as it is, up to 4,500,000 bytes; none is a job without input; a larger one goes by `POST /uploads/`. Without a project it goes to the default project of the system. With `dry_run=true` nothing is written, and the answer says what the job would hold.',
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
      otherAnswer: { words: 'With `dry_run=true`: what the job would hold.', example: estimate },
    },
  },
  'delete-job': {
    delete: {
      id: 'deleteJob',
      summary: 'Cancel a living job, or delete an ended one',
      description:
        'Sending it again changes nothing. With `only` a job that the wish does not fit stays as it is, and a cancelled job can be deleted.',
      problems: ['job-not-found', 'storage-unavailable'],
      example: canceledJob,
    },
  },
  'read-files': {
    list: {
      id: 'listFiles',
      summary: 'The files that a job has written',
      problems: fileProblems,
      example: [{ fileid: 'stdout', filename: 'stdout', length: 1234 }],
    },
    one: {
      id: 'getFile',
      summary: 'The bytes of a file',
      description:
        'A file of more than 4,500,000 bytes is at another address. Do not send the token there.',
      problems: [...fileProblems, 'file-not-found', 'file-too-large', 'too-many-downloads'],
      example: 'Hello, world\n',
    },
  },
  'create-upload': {
    create: {
      id: 'createUpload',
      summary: 'Ask for an address for a large zip',
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
      summary: 'For a running job: its input',
      problems: ['job-not-found'],
    },
  },
  'take-results': {
    take: {
      id: 'takeResults',
      summary: 'For a running job: where its results go',
      problems: ['job-not-found', 'results-too-large'],
    },
    follow: {
      id: 'sendOutput',
      summary: 'For a running job: whether somebody follows it, and what it has written',
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
