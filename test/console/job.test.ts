import { describe, expect, it } from 'vitest';
import { createClient, type Job } from '#client/src/index.ts';
import { describeResult, discardActFor } from '#console/src/job/discard-jobs.ts';
import { readText } from '#console/src/job/file-view.tsx';
import { whyItWaits } from '#console/src/job/job-frame.tsx';
import { gatherFiles, nameFolder, nameInZip } from '#console/src/job/save-all-button.tsx';
import { findFirstError, findText, stepTo } from '#console/src/job/text-view.tsx';
import { layOutTimeline } from '#console/src/job/timeline-bar.tsx';
import { stageOf } from './stages.ts';

const at = (seconds: number) => new Date(Date.UTC(2026, 10, 15, 8, 30, seconds)).toISOString();

const job: Job = {
  id: 1,
  job_id: 'J-1',
  owner: '306328',
  project: 1,
  project_hpc: 'HPC_ONE',
  project_name: 'p',
  title: '',
  runtime: 1,
  stage: 'SUCCESSFUL',
  terminal_stage: true,
  failed: false,
  init_date: at(0),
  end_date: at(100),
};

describe('a timeline', () => {
  const meaningOf = (stage: string) =>
    stageOf({ project_hpc: 'HPC_ONE', stage, terminal_stage: false, failed: false }).meaning;
  const stages = [
    { stage: 'QUEUED', since: at(0) },
    { stage: 'RUNNING', since: at(25) },
    { stage: 'STAGINGOUT', since: at(90) },
    { stage: 'SUCCESSFUL', since: at(100) },
  ];

  it('is to scale, and ends where the job did', () => {
    const { segments } = layOutTimeline({ stages, tries: [] }, new Date(at(100)), meaningOf);
    expect(segments).toEqual([
      { stage: 'QUEUED', meaning: 'waiting', seconds: 25, share: 0.25 },
      { stage: 'RUNNING', meaning: 'running', seconds: 65, share: 0.65 },
      { stage: 'STAGINGOUT', meaning: 'finishing', seconds: 10, share: 0.1 },
    ]);
  });

  it('ends now while the job is active', () => {
    const active = { stages: stages.slice(0, 2), tries: [] };
    const { segments } = layOutTimeline(active, new Date(at(50)), meaningOf);
    expect(segments.map(({ share }) => share)).toEqual([0.5, 0.5]);
  });

  it('shows when the job was handed over', () => {
    const tries = [
      { at: at(0), accepted: false, reason: 'It did not answer.' },
      { at: at(20), accepted: true, reason: null },
    ];
    const { ticks } = layOutTimeline({ stages, tries }, new Date(at(100)), meaningOf);
    expect(ticks.map(({ place, accepted }) => [place, accepted])).toEqual([
      [0, false],
      [0.2, true],
    ]);
  });

  it('can be empty, and keeps ticks within its ends', () => {
    expect(layOutTimeline({ stages: [], tries: [] }, new Date(at(0)), meaningOf)).toEqual({
      segments: [],
      ticks: [],
    });
    const early = [{ at: at(-5), accepted: true, reason: null }];
    const { ticks } = layOutTimeline({ stages, tries: early }, new Date(at(100)), meaningOf);
    expect(ticks[0]?.place).toBe(0);
  });
});

describe('why a job waits', () => {
  const timeline = {
    job_id: 'A',
    stage: 'QUEUED',
    terminal_stage: false,
    running_since: null,
    ran_seconds: null,
    stages: [],
  };
  const refused = { at: at(0), accepted: false, reason: 'It did not answer.' };

  it.each([
    ['the system gives a reason', { reason: 'Priority', tries: [refused] }, 'Priority'],
    ['the last try gives a reason', { reason: null, tries: [refused] }, 'It did not answer.'],
    [
      'the system has the job',
      { reason: null, tries: [{ ...refused, accepted: true }] },
      undefined,
    ],
    ['nothing was tried yet', { reason: null, tries: [] }, undefined],
  ])('%s', (_, change, expected) => {
    expect(whyItWaits({ ...timeline, ...change })).toBe(expected);
  });

  it('is not said once the job has ended', () => {
    expect(
      whyItWaits({ ...timeline, terminal_stage: true, reason: null, tries: [refused] }),
    ).toBeUndefined();
  });
});

describe('an output', () => {
  it.each([
    ['fine\nTraceback (most recent call last):\n  x', { line: 2, at: 5, length: 34 }],
    ['a\nb\nslurmstepd: ERROR: killed', { line: 3, at: 4, length: 25 }],
    ['0 errorless lines\nterror', undefined],
    ['', undefined],
  ])('%j has its first error at %j', (text, place) => {
    expect(findFirstError(text)).toEqual(place);
  });

  it.each([
    ['step 1\nStep 2', 'step', [0, 7]],
    ['aaaa', 'aa', [0, 2]],
    ['İx x', 'x', [1, 3]],
    ['anything', '', []],
    ['anything', 'else', []],
  ])('%j has %j at %j', (text, wanted, places) => {
    expect(findText(text, wanted)).toEqual(places);
  });

  it('is searched from place to place, in a circle', () => {
    expect(stepTo([3, 5, 9], 0, 1)).toBe(1);
    expect(stepTo([3, 5, 9], 2, 1)).toBe(0);
    expect(stepTo([3, 5, 9], 0, -1)).toBe(2);
    expect(stepTo([], 0, 1)).toBe(0);
  });

  it('is only shown if it is text', () => {
    expect(readText(new TextEncoder().encode('größer'))).toEqual({ kind: 'text', text: 'größer' });
    expect(readText(new Uint8Array([80, 75, 0])).kind).toBe('other');
  });
});

describe('all files of a job', () => {
  it.each([
    ['out/a.txt', 'out/a.txt'],
    ['/etc/passwd', 'etc/passwd'],
    ['../../a', 'a'],
    ['a\\..\\b', 'a/b'],
    ['..', 'file'],
  ])('%j is %j in the zip', (name, packed) => {
    expect(nameInZip(name)).toBe(packed);
  });

  it('are in a folder named after the job', () => {
    const id = 'AF17D39A-9E15-4FE3-9F84-0EAEB4CC94AA';
    expect(nameFolder({ title: 'Größe: 1/2', job_id: id })).toBe('Größe-1-2-AF17D39A');
    expect(nameFolder({ title: '', job_id: id })).toBe('AF17D39A');
    expect(nameFolder({ title: '../', job_id: id })).toBe('AF17D39A');
  });

  it('are not packed if they are too large for a browser', async () => {
    const service = createClient({
      baseUrl: 'http://localhost',
      fetch: async () => Response.json([{ fileid: 'a', filename: 'a', length: 1_000_000_001 }]),
    });
    await expect(gatherFiles(service, [job], () => undefined)).rejects.toThrow(
      'use the command slipway download',
    );
  });
});

describe('discarding a job', () => {
  it('cancels an active job, and deletes an ended or cancelled one', () => {
    const act = (stage: string, ended = true) => discardActFor({ stage, terminal_stage: ended });
    expect(act('RUNNING', false)).toBe('cancel');
    expect(act('FAILED')).toBe('delete');
    expect(act('CANCELED')).toBe('delete');
    expect(act('DELETED')).toBeUndefined();
  });

  it('says what happened', () => {
    expect(describeResult('delete', { stage: 'DELETED' })).toBe('Job deleted.');
    expect(describeResult('delete', { stage: 'CANCELED' })).toMatch(/cannot be deleted yet/);
    expect(describeResult('cancel', { stage: 'CANCELED' })).toBe('Job cancelled.');
    expect(describeResult('cancel', { stage: 'FAILED' })).toMatch(/ended before/);
  });
});
