import * as z from 'zod';
import { type Job, placeOf } from '../../../index.ts';
import type { SlipwayOnNode } from '../../../node/index.ts';
import { findJob } from '../../session/find.ts';
import { readStages } from '../../session/job-view.ts';
import { cleanText } from '../../terminal/text.ts';
import {
  JobAnswer,
  JobInput,
  presentJob,
  presentUse,
  UseAnswer,
  writeJob,
  writeUse,
} from './answers.ts';
import { defineTool, hints, type ToolCall, tellProgress } from './tool-set.ts';

/** Clients time out after a minute, so each call waits less. */
const longestSeconds = 50;

export const waitTool = defineTool({
  name: 'wait',
  title: 'Wait for a job',
  description: `Waits until a job has ended, at most ${longestSeconds} seconds. If the job is still active, returns its stage; call wait again.`,
  input: JobInput.extend({
    seconds: z
      .int()
      .min(1)
      .max(longestSeconds)
      .default(longestSeconds)
      .describe('maximum seconds to wait'),
  }),
  outputSchema: z.object({
    job: JobAnswer,
    reason: z.string().nullable().describe('why the job waits or failed, as its system puts it'),
    use: UseAnswer.nullable(),
  }),
  annotations: hints.reads,
  async run(asked, { client, call }) {
    const [found, stageOf] = await Promise.all([findJob(client, asked.job), readStages(client)]);
    const write = (seen: Job) => writeJob(seen, stageOf);
    const job = await waitAWhile(client, found, { seconds: asked.seconds, call, write });
    const [{ reason }, use] = await Promise.all([
      client.getTimeline(placeOf(job)),
      presentUse(client, job),
    ]);
    return {
      data: { job: presentJob(job, stageOf), reason, use },
      lines: [
        write(job),
        ...(reason === null ? [] : [cleanText(reason)]),
        ...writeUse(use),
        ...(job.terminal_stage ? [] : ['It has not ended yet: call wait again.']),
      ],
    };
  },
});

async function waitAWhile(
  client: SlipwayOnNode,
  job: Job,
  { seconds, call, write }: { seconds: number; call: ToolCall; write(job: Job): string },
): Promise<Job> {
  const enough = AbortSignal.timeout(seconds * 1000);
  const progress = tellProgress(call, seconds, write(job));
  try {
    return await client.waitFor(job, {
      onChange: (seen) => progress.say(write(seen)),
      signal: AbortSignal.any([enough, call.signal]),
    });
  } catch (error) {
    if (!enough.aborted) throw error;
    return await client.getJob(placeOf(job), { signal: call.signal });
  } finally {
    progress.stop();
  }
}
