import { describe, expect, it } from 'vitest';
import { addHandOver, beginLife, enterStage, isParked, shorten } from '#lib/jobs/life/job-life.ts';
import { jobFixture } from '#test/fixtures/jobs.ts';
import { userId } from '#test/fixtures/names.ts';

const job = { ...jobFixture(userId('1'), 1), stage: 'QUEUED', terminal: false };
const life = beginLife(job);
const at = new Date('2026-01-01T00:00:00Z');

describe('a life', () => {
  it('enters a stage once, however often it is seen', () => {
    const running = enterStage(life, 'RUNNING', at);
    expect(running.map(({ stage }) => stage)).toEqual(['QUEUED', 'RUNNING']);
    const again = enterStage({ ...life, stages: running }, 'RUNNING', new Date());
    expect(again).toEqual(running);
  });

  it('enters no stage before the one that it follows', () => {
    const running = enterStage(life, 'RUNNING', at);
    const earlier = new Date(at.getTime() - 3_600_000);
    expect(enterStage({ ...life, stages: running }, 'STAGINGOUT', earlier).at(-1)).toEqual({
      stage: 'STAGINGOUT',
      at,
    });
  });

  it('may enter a stage for a second time: a system may queue a job again', () => {
    const stages = [...life.stages, { stage: 'RUNNING', at }];
    expect(enterStage({ ...life, stages }, 'QUEUED', at).map(({ stage }) => stage)).toEqual([
      'QUEUED',
      'RUNNING',
      'QUEUED',
    ]);
  });

  it('is parked until its turn comes, and never again once its system has the job', () => {
    const parked = beginLife(job, { parked: true });
    expect(isParked(parked)).toBe(true);
    expect(isParked(life)).toBe(false);
    expect(isParked({ ...parked, handle: '77' })).toBe(false);
    expect(isParked({ ...parked, cancelPending: true })).toBe(false);
  });

  it('keeps the last tries of many', () => {
    let tried = life;
    for (let count = 1; count <= 50; count += 1) {
      tried = { ...tried, handOvers: addHandOver(tried, at, `try ${count}`) };
    }
    expect(tried.handOvers).toHaveLength(20);
    expect(tried.handOvers.at(-1)).toEqual({ at, reason: 'try 50' });
    expect(addHandOver(tried, at).at(-1)).toEqual({ at });
  });

  it('keeps the beginning of a long reason', () => {
    expect(shorten('x'.repeat(300))).toBe('x'.repeat(300));
    expect(shorten('x'.repeat(301))).toBe(`${'x'.repeat(299)}…`);
  });
});
