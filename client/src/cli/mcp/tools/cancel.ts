import * as z from 'zod';
import { writeShortId } from '../../../format/write-short-id.ts';
import { placeOf } from '../../../index.ts';
import { findJob } from '../../jobs/find/find-job.ts';
import { CannotDo, outcome } from '../../outcome/outcome.ts';
import { answer } from '../answers/answer.ts';
import { JobAnswer, presentJob, writeJob } from '../answers/job-answer.ts';
import { presentUse, UseAnswer, writeUse } from '../answers/use-answer.ts';
import { hints, type ToolSet } from '../call/tool-set.ts';

const Input = z.strictObject({ job: z.string().min(1).describe('its id, or the beginning of it') });

const Output = z.object({ job: JobAnswer, use: UseAnswer.nullable() });

type Output = z.infer<typeof Output>;

export function addCancel({ server, connect }: ToolSet): void {
  server.registerTool(
    'cancel',
    {
      title: 'Cancel a job',
      description:
        'Ends a job before its own end. The time that it has not used goes back to the quota. A job that has ended stays as it is.',
      inputSchema: Input,
      outputSchema: Output,
      annotations: hints.cancels,
    },
    (asked) =>
      answer<Output>(async () => {
        const client = connect();
        const job = await findJob(client, asked.job);
        // Of an ended job the same request would delete the files.
        if (job.terminal_stage && job.stage !== 'CANCELED') {
          throw new CannotDo(`${writeShortId(job.job_id)} has ended already: ${job.stage}.`, {
            outcome: outcome.refused,
            next: 'There is nothing to cancel.',
          });
        }
        const cancelled = await client.deleteJob({ ...placeOf(job), only: 'cancel' });
        const use = await presentUse(client, cancelled);
        return {
          data: { job: presentJob(cancelled), use },
          lines: [writeJob(cancelled), ...writeUse(use)],
        };
      }),
  );
}
