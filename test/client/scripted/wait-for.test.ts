import { describe, expect, it } from 'vitest';
import { pause } from '#client/src/calls/insist.ts';
import { ServiceUnreachable } from '../../../client/src/index.ts';
import { cutOff, job, scriptClient } from '../fixtures/scripted-client.ts';

const at = (stage: string, terminal = false) =>
  Response.json({ ...job, stage, terminal_stage: terminal });

describe('waiting for a job', () => {
  it('asks ever more rarely, often again once something changes, and tells of changes', async () => {
    const waiting = Array.from({ length: 12 }, () => at('QUEUED'));
    const { client, asked, pauses } = scriptClient([
      ...waiting,
      at('RUNNING'),
      at('RUNNING'),
      at('SUCCESSFUL', true),
    ]);
    const seen: string[] = [];
    const ended = await client.waitFor(job, { onChange: ({ stage }) => seen.push(stage) });
    expect(ended.stage).toBe('SUCCESSFUL');
    expect(seen).toEqual(['RUNNING', 'SUCCESSFUL']);
    expect(pauses.slice(0, 4)).toEqual([1000, 1500, 2250, 3375]);
    expect(pauses.slice(10)).toEqual([30_000, 30_000, 30_000, 1000, 1500]);
    expect(asked[0]?.path).toBe(`/jobs/hpc_one/proj_hpc_one_01/${job.job_id}/`);
  });

  it('of a job that has ended asks nothing', async () => {
    const { client, asked } = scriptClient([cutOff]);
    await client.waitFor({ ...job, stage: 'FAILED', terminal_stage: true });
    expect(asked).toEqual([]);
  });

  it('outlasts a service that is away for a while, and sees that the job ended meanwhile', async () => {
    const { client } = scriptClient([cutOff, cutOff, cutOff, at('SUCCESSFUL', true)]);
    expect(await client.waitFor(job)).toMatchObject({ stage: 'SUCCESSFUL' });
  });

  it('ends when the service stays away', async () => {
    const { client } = scriptClient([cutOff]);
    await expect(client.waitFor(job)).rejects.toBeInstanceOf(ServiceUnreachable);
  });

  it('ends at once when it is given up, in the middle of a pause', async () => {
    const giving = new AbortController();
    const { client } = scriptClient([at('QUEUED')], { pause });
    const waiting = client.waitFor(job, { signal: giving.signal });
    giving.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
  });
});
