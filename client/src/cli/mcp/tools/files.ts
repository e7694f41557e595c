import * as z from 'zod';
import { writeSize } from '../../../format/write-size.ts';
import { placeOf } from '../../../index.ts';
import { describeNoFiles } from '../../../jobs/read-file.ts';
import { findJob } from '../../jobs/find/find-job.ts';
import { cleanText } from '../../screen/clean-text.ts';
import { answer } from '../answers/answer.ts';
import { hints, type ToolSet } from '../call/tool-set.ts';

const Input = z.strictObject({ job: z.string().min(1).describe('its id, or the beginning of it') });

const Output = z.object({
  files: z.array(z.object({ name: z.string(), bytes: z.number() })),
});

type Output = z.infer<typeof Output>;

export function addFiles({ server, connect }: ToolSet): void {
  server.registerTool(
    'files',
    {
      title: 'Files of a job',
      description: 'Lists the files that a job has written, such as stdout and stderr.',
      inputSchema: Input,
      outputSchema: Output,
      annotations: hints.reads,
    },
    (asked, { signal }) =>
      answer<Output>(async () => {
        const client = connect();
        const job = await findJob(client, asked.job);
        const listed = await client.listFiles(placeOf(job), { signal });
        const files = listed.map(({ filename: name, length: bytes }) => ({ name, bytes }));
        return {
          data: { files },
          lines:
            files.length === 0
              ? [describeNoFiles(job)]
              : files.map(({ name, bytes }) => `${cleanText(name)}  ${writeSize(bytes)}`),
        };
      }),
  );
}
