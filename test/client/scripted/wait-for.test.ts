import { describe, expect, it } from 'vitest';
import { pause } from '#client/src/calls/insist.ts';
import { ServiceUnreachable } from '../../../client/src/index.ts';
import { cutOff, job, scriptClient } from '../fixtures/scripted-client.ts';

const at = (stage: string, terminal = false) =>
  Response.json({ ...job, stage, terminal_stage: terminal });

describe('waiting for a job', () => {
  it('polls less and less often, speeds up after a change, and reports changes', async () => {
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

  it('sends no request for an ended job', async () => {
    const { client, asked } = scriptClient([cutOff]);
    await client.waitFor({ ...job, stage: 'FAILED', terminal_stage: true });
    expect(asked).toEqual([]);
  });

  it('survives a short outage, and sees that the job ended meanwhile', async () => {
    const { client } = scriptClient([cutOff, cutOff, cutOff, at('SUCCESSFUL', true)]);
    expect(await client.waitFor(job)).toMatchObject({ stage: 'SUCCESSFUL' });
  });

  it('fails when the outage lasts', async () => {
    const { client } = scriptClient([cutOff]);
    await expect(client.waitFor(job)).rejects.toBeInstanceOf(ServiceUnreachable);
  });

  it('stops at once when aborted during a pause', async () => {
    const giving = new AbortController();
    const { client } = scriptClient([at('QUEUED')], { pause });
    const waiting = client.waitFor(job, { signal: giving.signal });
    giving.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
  });
});
