import { afterEach, describe, expect, it } from 'vitest';
import { readSubmission, SubmissionInput } from '#client/src/cli/mcp/tools/submission.ts';
import { readRuntimeOption } from '#client/src/cli/session/options.ts';
import { readRuntime } from '#client/src/format/times/duration.ts';
import { chooseLanguage, speakEnglish } from '#client/src/words/language.ts';
import { createClient } from '../../../client/src/node/index.ts';
import { durations } from '../../fixtures/durations.ts';
import { scriptClient } from '../fixtures/scripted-client.ts';

const job = { hpc: 'hpc_one', command: 'ls', nodes: 1, cores: 1 };
const taken = [...durations.numbers, ...durations.texts];
const nowhere = createClient({ baseUrl: 'http://127.0.0.1:1', token: 'a.b.c' });

async function readAsAssistant(runtime: string | number) {
  const asked = SubmissionInput.parse({ hpc: 'hpc_one', command: 'ls', runtime });
  return (await readSubmission(nowhere, asked, AbortSignal.timeout(5_000))).runtime;
}

afterEach(speakEnglish);

describe('a runtime', () => {
  it.each(taken)('%j is taken by the client', async (runtime, hours) => {
    const { client, asked } = scriptClient([Response.json({ held: {} })]);
    await client.estimate({ ...job, runtime });
    const payload = JSON.parse(asked[0]?.headers.get('payload') ?? '');
    expect(payload.runtime).toBeCloseTo(hours, 9);
  });

  it.each(durations.texts)('%j is taken by the command', (runtime, hours) => {
    expect(readRuntimeOption(runtime)).toBeCloseTo(hours, 9);
  });

  it.each(durations.numbers)('%j could be minutes to who types it', (runtime) => {
    expect(() => readRuntimeOption(runtime)).toThrow('Write a time with its unit');
  });

  it.each(taken)('%j is taken from an assistant', async (runtime, hours) => {
    expect(await readAsAssistant(runtime)).toBeCloseTo(hours, 9);
  });

  it('may be a number in a client and from an assistant', async () => {
    const { client, asked } = scriptClient([Response.json({ held: {} })]);
    await client.estimate({ ...job, runtime: 0.5 });
    expect(JSON.parse(asked[0]?.headers.get('payload') ?? '').runtime).toBe(0.5);
    expect(await readAsAssistant(0.5)).toBe(0.5);
  });

  it.each(durations.refused)('%j is refused everywhere', async (runtime) => {
    const { client, asked } = scriptClient([]);
    await expect(client.estimate({ ...job, runtime })).rejects.toThrow('is not a duration');
    expect(asked).toEqual([]);
    expect(() => readRuntimeOption(runtime)).toThrow('Write a time with its unit');
    await expect(readAsAssistant(runtime)).rejects.toThrow('is not a valid duration');
  });

  it('is also read as Germans write it', async () => {
    await chooseLanguage(['de'], {
      de: async () => ({
        language: (await import('../../../client/src/words/german/german.ts')).german,
      }),
    });
    expect(readRuntime('1,5 Stunden')).toBe(1.5);
    expect(readRuntime('1.500 h')).toBe(1500);
  });
});
