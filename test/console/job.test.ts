import { describe, expect, it } from 'vitest';
import { findFirstError } from '#console/src/job/files/find-first-error.ts';
import { readText } from '#console/src/job/files/read-contents.ts';
import { layOutTimeline, measureRun } from '#console/src/job/lay-out-timeline.ts';
import { whyItWaits } from '#console/src/job/why-it-waits.ts';

const at = (seconds: number) => new Date(Date.UTC(2026, 10, 15, 8, 30, seconds)).toISOString();

describe('a timeline', () => {
  const stages = [
    { stage: 'QUEUED', since: at(0) },
    { stage: 'RUNNING', since: at(25) },
    { stage: 'STAGINGOUT', since: at(90) },
    { stage: 'SUCCESSFUL', since: at(100) },
  ];

  it('is to scale, and ends where the job did', () => {
    const { segments } = layOutTimeline({ stages, tries: [] }, new Date(at(100)));
    expect(segments).toEqual([
      { stage: 'QUEUED', meaning: 'waiting', seconds: 25, share: 0.25 },
      { stage: 'RUNNING', meaning: 'running', seconds: 65, share: 0.65 },
      { stage: 'STAGINGOUT', meaning: 'finishing', seconds: 10, share: 0.1 },
    ]);
    expect(measureRun(segments)).toBe(65);
  });

  it('goes on to now while the job lives', () => {
    const living = { stages: stages.slice(0, 2), tries: [] };
    const { segments } = layOutTimeline(living, new Date(at(50)));
    expect(segments.map(({ share }) => share)).toEqual([0.5, 0.5]);
  });

  it('shows the tries to hand the job over where they were', () => {
    const tries = [
      { at: at(0), accepted: false, reason: 'It did not answer.' },
      { at: at(20), accepted: true, reason: null },
    ];
    const { ticks } = layOutTimeline({ stages, tries }, new Date(at(100)));
    expect(ticks.map(({ place, accepted }) => [place, accepted])).toEqual([
      [0, false],
      [0.2, true],
    ]);
  });

  it('is empty where nothing is known, and never beyond its ends', () => {
    expect(layOutTimeline({ stages: [], tries: [] }, new Date(at(0)))).toEqual({
      segments: [],
      ticks: [],
    });
    const early = [{ at: at(-5), accepted: true, reason: null }];
    const { ticks } = layOutTimeline({ stages, tries: early }, new Date(at(100)));
    expect(ticks[0]?.place).toBe(0);
  });
});

describe('why a job waits', () => {
  const timeline = { job_id: 'A', stage: 'QUEUED', terminal_stage: false, stages: [] };
  const refused = { at: at(0), accepted: false, reason: 'It did not answer.' };

  it.each([
    ['the system says it', { reason: 'Priority', tries: [refused] }, 'Priority'],
    ['the last try says it', { reason: null, tries: [refused] }, 'It did not answer.'],
    ['it is with its system', { reason: null, tries: [{ ...refused, accepted: true }] }, undefined],
    ['it was not tried yet', { reason: null, tries: [] }, undefined],
  ])('%s', (_, change, expected) => {
    expect(whyItWaits({ ...timeline, ...change })).toBe(expected);
  });

  it('is nothing once it has ended', () => {
    expect(
      whyItWaits({ ...timeline, terminal_stage: true, reason: null, tries: [refused] }),
    ).toBeUndefined();
  });
});

describe('an output', () => {
  it.each([
    ['fine\nTraceback (most recent call last):\n  x', 1],
    ['a\nb\nslurmstepd: ERROR: killed', 2],
    ['0 errorless lines\nterror', -1],
    ['', -1],
  ])('%j has its first error on line %d', (text, line) => {
    expect(findFirstError(text)).toBe(line);
  });

  it('is text, or is not shown', () => {
    expect(readText(new TextEncoder().encode('größer'))).toEqual({ kind: 'text', text: 'größer' });
    expect(readText(new Uint8Array([80, 75, 0])).kind).toBe('other');
  });
});
