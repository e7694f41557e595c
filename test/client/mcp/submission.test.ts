import { expect, it } from 'vitest';
import { readSubmission, SubmissionInput } from '#client/src/cli/mcp/tools/submission.ts';
import { createClient } from '../../../client/src/node/index.ts';
import { startServer } from '../fixtures/http-server.ts';

const first = '6A9B2C4D-0000-4000-8000-000000000001';
const second = '6A9B2C4D-0000-4000-8000-000000000002';

it('sends every field of a submission that an assistant names', async () => {
  const sent: unknown[] = [];
  const baseUrl = await startServer(({ headers: { payload }, url }, response) => {
    sent.push([url, JSON.parse(String(payload))]);
    response.writeHead(400).end();
  });
  const client = createClient({ baseUrl, token: 'a.b.c', retries: 0 });
  const asked = SubmissionInput.parse({
    hpc: 'HPC_ONE',
    project: 'lab_42',
    command: 'run {index}',
    nodes: 2,
    cores: 8,
    tasks: 4,
    memory: '16 GB',
    gpus: 3,
    gpu_kind: 'a100',
    class: 'long',
    image: 'docker.io/lab/tool:1',
    runtime: '1h30m',
    title: 'all',
    inputs: [{ from: 'https://data.example/a.nc', to: 'a.nc', sha256: 'ab' }],
    outputs: [{ files: '*.out', to: 's3://results/run/' }],
    after: [first],
    after_any: [second],
    input_from: first,
    input_folder: 'before',
    input_failed: 'leave_out',
    count: 5,
    max_running: 2,
    fields: { shell: 'bash' },
  });
  const submission = await readSubmission(client, asked, AbortSignal.timeout(5_000));
  await expect(client.submitBatch(submission)).rejects.toThrow();
  expect(sent).toEqual([
    [
      '/batches/hpc_one/lab_42/',
      {
        command: 'run {index}',
        node_number: 2,
        core_number: 8,
        task_number: 4,
        runtime: 1.5,
        title: 'all',
        memory: '16 GB',
        gpu_number: 3,
        gpu_kind: 'a100',
        class: 'long',
        inputs: [{ from: 'https://data.example/a.nc', to: 'a.nc', sha256: 'ab' }],
        outputs: [{ files: '*.out', to: 's3://results/run/' }],
        image: 'docker.io/lab/tool:1',
        count: 5,
        max_running: 2,
        after: [first],
        after_any: [second],
        input_from: first,
        input_folder: 'before',
        input_failed: 'leave_out',
        shell: 'bash',
      },
    ],
  ]);
});
