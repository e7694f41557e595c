import { describe, expect, it } from 'vitest';
import type { Observation } from '#lib/hpc/connector.ts';
import { judgeTimes } from '#lib/jobs/run/checks/judge-times.ts';

const now = new Date('2026-01-01T12:00:00Z');
const at = (time: string) => new Date(`2026-01-01T${time}Z`);
const runningSince = at('11:00:00');
const ended = { state: 'ended', stage: 'SUCCESSFUL', failed: false } as const;

const judge = (observation: Observation) => judgeTimes(observation, { runningSince }, now);

describe('the times that a system reports', () => {
  it('are kept if they can be true', () => {
    const measured = { cpuSeconds: 1.5, cores: undefined };
    const said = { ...ended, endedAt: at('11:30:00'), usedSeconds: 0, measured };
    expect(judge(said)).toEqual(said);
    const living = { state: 'living', stage: 'RUNNING', steadyUntil: at('13:00:00') } as const;
    expect(judge(living)).toEqual(living);
    expect(judge({ state: 'unknown' })).toEqual({ state: 'unknown' });
  });

  it('never end a job in the future', () => {
    expect(judge({ ...ended, endedAt: at('13:00:00') })).toEqual({ ...ended, endedAt: now });
  });

  it('never end a job an hour before it was seen running, but may be a minute off', () => {
    expect(judge({ ...ended, endedAt: at('10:58:59') })).toEqual(ended);
    const close = { ...ended, endedAt: at('10:59:00') };
    expect(judge(close)).toEqual(close);
    const unseen = { ...ended, endedAt: at('10:00:00') };
    expect(judgeTimes(unseen, {}, now)).toEqual(unseen);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, -1])('are dropped if they are %d', (value) => {
    expect(judge({ ...ended, usedSeconds: value })).toEqual(ended);
    expect(judge({ ...ended, measured: { cpuSeconds: 1, memoryBytes: value } })).toEqual(ended);
  });

  it.each([Number.NaN, -1])('leave out an earlier run of %d seconds', (seconds) => {
    const run = { number: 1, seconds: 5, isLost: false, reason: '' };
    const runs = { run: 3, earlierRuns: [run, { ...run, number: 2, seconds }] };
    expect(judge({ ...ended, ...runs })).toEqual({ ...ended, run: 3, earlierRuns: [run] });
    const living = { state: 'living', stage: 'RUNNING' } as const;
    expect(judge({ ...living, ...runs })).toEqual({ ...living, run: 3, earlierRuns: [run] });
  });

  it('are dropped if they are not moments', () => {
    const never = new Date(Number.NaN);
    expect(judge({ ...ended, startedAt: never, endedAt: never })).toEqual(ended);
    const living = { state: 'living', stage: 'RUNNING' } as const;
    expect(judge({ ...living, steadyUntil: never })).toEqual(living);
  });
});
