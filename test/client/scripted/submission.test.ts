import { describe, expect, it } from 'vitest';
import { job, scriptClient } from '../fixtures/scripted-client.ts';

const wishes = { hpc: 'hpc_two', tool: 'NEURON74_TG', nodes: 1, cores: 4, runtime: 0.5 };
const done = Response.json(job, { status: 201 });

describe('the headers of a submission', () => {
  it('carry text in any script, and the fields for the system', async () => {
    const { client, asked } = scriptClient([done]);
    await client.submit({
      ...wishes,
      project: 'proj_hpc_two_02',
      title: 'ñ 神经元 🧠',
      fields: { init_file: 'init.py' },
      filename: "it's (mine)* 神.zip",
    });
    expect(asked[0]).toMatchObject({ method: 'POST', path: '/jobs/hpc_two/proj_hpc_two_02/' });
    const headers = asked[0]?.headers;
    expect(headers?.get('payload')).toBe(
      '{"tool":"NEURON74_TG","node_number":1,"core_number":4,"runtime":0.5,' +
        '"title":"\\u00f1 \\u795e\\u7ecf\\u5143 \\ud83e\\udde0","init_file":"init.py"}',
    );
    expect(headers?.get('content-disposition')).toBe(
      "attachment; filename*=UTF-8''it%27s%20%28mine%29%2a%20%E7%A5%9E.zip",
    );
  });

  it('name the jobs to wait for', async () => {
    const { client, asked } = scriptClient([done]);
    const waits = {
      after: ['A1', 'B2'],
      afterAny: ['C3'],
      inputFrom: 'D4',
      inputFolder: 'before',
      inputFailed: 'leave_out',
    } as const;
    await client.submit({ ...wishes, ...waits });
    expect(JSON.parse(asked[0]?.headers.get('payload') ?? '')).toMatchObject({
      after: ['A1', 'B2'],
      after_any: ['C3'],
      input_from: 'D4',
      input_folder: 'before',
      input_failed: 'leave_out',
    });
  });

  it('name tasks, memory, GPUs, class and image as the interface does', async () => {
    const { client, asked } = scriptClient([done]);
    const inputs = [{ from: 'https://data.example.org/a', to: 'a' }];
    const resources = { inputs, tasks: 2, memory: '16 GB', gpus: 2, gpuKind: 'a100', class: 'gpu' };
    const image = 'ghcr.io/org/tool:2';
    await client.submit({ ...wishes, ...resources, image });
    expect(JSON.parse(asked[0]?.headers.get('payload') ?? '')).toMatchObject({
      task_number: 2,
      memory: '16 GB',
      gpu_number: 2,
      gpu_kind: 'a100',
      class: 'gpu',
      image,
    });
  });

  it('have a content type only if there is an input', async () => {
    const { client, asked } = scriptClient([done]);
    await client.submit(wishes);
    await client.submit({ ...wishes, input: new Uint8Array([80, 75, 5, 6]) });
    expect(asked.map(({ headers }) => headers.get('content-type'))).toEqual([
      null,
      'application/zip',
    ]);
  });
});
