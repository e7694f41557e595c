import * as z from 'zod';
import type { Timeline } from '../../../index.ts';
import { placeOf } from '../../../index.ts';
import { findJob } from '../../jobs/find/find-job.ts';
import { cleanText } from '../../screen/clean-text.ts';
import { answer } from '../answers/answer.ts';
import { JobAnswer, presentJob, writeJob } from '../answers/job-answer.ts';
import { presentUse, UseAnswer, writeUse } from '../answers/use-answer.ts';
import { hints, type ToolSet } from '../call/tool-set.ts';

const Input = z.strictObject({ job: z.string().min(1).describe('its id, or the beginning of it') });

const Output = z.object({
  job: JobAnswer,
  reason: z.string().nullable().describe('why it waits or failed, in the words of its system'),
  stages: z.array(z.object({ stage: z.string(), since: z.string() })),
  tries: z
    .array(z.object({ at: z.string(), accepted: z.boolean(), reason: z.string().nullable() }))
    .describe('to hand it over to its system'),
  use: UseAnswer.nullable(),
});

type Output = z.infer<typeof Output>;

export function addJob({ server, connect }: ToolSet): void {
  server.registerTool(
    'job',
    {
      title: 'One job',
      description:
        'Says how a job stands: when it reached each stage, why it waits or failed, and what it used.',
      inputSchema: Input,
      outputSchema: Output,
      annotations: hints.reads,
    },
    (asked) =>
      answer<Output>(async () => {
        const client = connect();
        const job = await findJob(client, asked.job);
        const [timeline, use] = await Promise.all([
          client.getTimeline(placeOf(job)),
          presentUse(client, job),
        ]);
        const { reason, stages, tries } = timeline;
        return {
          data: { job: presentJob(job), reason, stages, tries, use },
          lines: [writeJob(job), ...writeTimeline(timeline), ...writeUse(use)],
        };
      }),
  );
}

function writeTimeline({ stages, reason }: Timeline): string[] {
  return [
    ...stages.map(({ stage, since }) => `${since}  ${stage}`),
    ...(reason === null ? [] : [cleanText(reason)]),
  ];
}
