import * as z from 'zod';
import { answer } from '../answers/answer.ts';
import { JobAnswer, presentJob, writeJob } from '../answers/job-answer.ts';
import { hints, type ToolSet } from '../call/tool-set.ts';

const Input = z.strictObject({
  hpc: z.string().optional().describe('only those on this HPC system'),
  ended: z
    .boolean()
    .optional()
    .describe('true: only those that have ended; false: only the others'),
  failed: z.boolean().optional().describe('true: only those that failed'),
  title: z.string().optional().describe('only those whose title contains this'),
  limit: z.int().min(1).max(100).default(20),
});

const Output = z.object({
  jobs: z.array(JobAnswer),
  more: z.boolean().describe('whether there are older ones'),
});

type Output = z.infer<typeof Output>;

export function addJobs({ server, connect }: ToolSet): void {
  server.registerTool(
    'jobs',
    {
      title: 'Jobs',
      description: 'Lists the jobs of the user, the newest first.',
      inputSchema: Input,
      outputSchema: Output,
      annotations: hints.reads,
    },
    ({ hpc, ended, failed, title, limit }, { signal }) =>
      answer<Output>(async () => {
        const filter = { hpc: hpc?.toLowerCase(), terminal: ended, failed, title };
        const found = await connect().listJobs(
          { ...filter, order: 'desc', limit: limit + 1 },
          { signal },
        );
        const jobs = found.slice(0, limit);
        const more = found.length > limit;
        return {
          data: { jobs: jobs.map(presentJob), more },
          lines: [
            ...(jobs.length === 0 ? ['There are no such jobs.'] : jobs.map(writeJob)),
            ...(more ? [`These are the newest ${limit}.`] : []),
          ],
        };
      }),
  );
}
