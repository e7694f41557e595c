import { presentBatch } from '#lib/http/presenters/present-batch.ts';
import * as story from '../../story/things.ts';
import { jobWords } from './jobs.ts';
import { operation, type RouteWords } from './parameters.ts';

const batch = presentBatch(story.batch);

const newBatch = presentBatch(story.submittedBatch());

const estimate = {
  accepted: true,
  count: 500,
  runtime: 0.5,
  held: { time: 900_000, space: 12.0 },
  left: { time: 17_100_000, space: 9_999_988.0 },
  living_jobs: 500,
  max_living_jobs: 10_000,
  preview: [
    { index: 0, program: 'python3 run.py 0.1', title: 'alpha 0.1' },
    { index: 1, program: 'python3 run.py 0.2', title: 'alpha 0.2' },
  ],
};

const { problems } = jobWords['submit-job'].submit;

export const batchWords = {
  'submit-batch': {
    submit: operation('submitBatch', 'Submit many jobs as one batch', {
      description:
        'The headers and the zip are those of one job. `Payload` also has either `count` or `table`. In `command`, `title` and additional fields, `{index}` and `{column}` stand for the values of each job. The batch is accepted as a whole or not at all, and what all its jobs may use is held at once. With `dry_run=true` nothing is written, and the answer says what the batch would hold.',
      payload: 'BatchPayload',
      problems,
      example: newBatch,
      otherAnswer: {
        words: 'With `dry_run=true`: the amount that the batch would hold, and its first jobs.',
        example: estimate,
      },
    }),
    again: operation('repeatFailed', 'Submit the failed jobs of a batch again', {
      description:
        'They become a batch of their own, with the same zip and the same values, also that of `{index}`.',
      problems: [
        ...problems.filter((name) => !name.startsWith('upload-')),
        'nothing-failed',
        'batch-input-gone',
      ],
      example: newBatch,
    }),
  },
  'read-batches': {
    list: operation('listBatches', 'List your batches', {
      description: 'The newest first. `Link` leads to the next page.',
      example: [batch],
    }),
    one: operation('getBatch', 'Get one of your batches', {
      description: 'Its jobs are at `GET /jobs/?batch=`.',
      example: batch,
    }),
  },
  'delete-batch': {
    delete: operation(
      'deleteBatch',
      'Cancel the active jobs of a batch, or delete an ended batch',
      {
        description:
          'The jobs are cancelled or deleted in the background. Repeating the request changes nothing: a cancelled batch is deleted only with `only=delete`.',
        query: {
          only: {
            description:
              '`cancel` only cancels active jobs. `delete` only deletes a batch whose jobs have all ended.',
          },
        },
        example: {
          ...batch,
          counts: { waiting: 0, running: 4, done: 7, failed: 1, cancelled: 488 },
        },
      },
    ),
  },
} as const satisfies Partial<RouteWords>;
