import { describe, expect, it, vi } from 'vitest';
import type { ApiContext } from '#lib/http/chain/api-context.ts';
import { limitCallers } from '#lib/http/chain/limit-callers.ts';
import { TooManyCallsError } from '#lib/http/errors.ts';
import { logger } from '#lib/telemetry/logger.ts';
import type { CallCounter } from '#lib/users/call-counter.ts';
import { lambdaContext } from '#test/fixtures/api-event.ts';
import { userId } from '#test/fixtures/names.ts';

const limit = { rate: 10, burst: 500 };
const start = Date.parse('2026-11-15T08:30:00Z');

/** Containers with one clock, which are called in turn. */
function openContainers(size: number, count?: CallCounter) {
  let at = start;
  const containers = Array.from({ length: size }, () =>
    limitCallers({ limit, endpoint: 'read-jobs', count, now: () => at }),
  );
  return {
    pass(ms: number) {
      at += ms;
    },
    /** Whether the call passes. */
    async call(turn: number, user = '306328'): Promise<boolean> {
      const context: ApiContext = { ...lambdaContext };
      context.caller = { userId: userId(user), administrator: false };
      const before = containers[turn % size]?.before;
      try {
        await before?.({ context } as Parameters<NonNullable<typeof before>>[0]);
        return true;
      } catch (error) {
        if (error instanceof TooManyCallsError) return false;
        throw error;
      }
    },
  };
}

/** What the table does, in memory. */
function createCounter() {
  const counts = new Map<string, number>();
  let writes = 0;
  const count: CallCounter = async ({ user, endpoint, minute }, calls) => {
    writes += 1;
    const key = `${user} ${endpoint} ${minute.toISOString()}`;
    const all = (counts.get(key) ?? 0) + calls;
    counts.set(key, all);
    return all;
  };
  return { count, writes: () => writes };
}

/** How many of so many calls a second pass, for ten minutes, in containers that take turns. */
async function flood(size: number, perSecond: number, count?: CallCounter): Promise<number> {
  const { call, pass } = openContainers(size, count);
  let passed = 0;
  for (let turn = 0; turn < perSecond * 600; turn += 1) {
    if (await call(turn)) passed += 1;
    pass(1000 / perSecond);
  }
  return passed;
}

/** Of ten minutes: all at once, and then at the rate. */
const allowed = limit.burst + limit.rate * 600;

describe('a caller whose calls go to many containers', () => {
  it('is held back as by one, but for what they have not told each other', async () => {
    const { count, writes } = createCounter();
    const passed = await flood(8, 50, count);
    expect(passed).toBeLessThan(allowed * 1.5);
    expect(passed).toBeGreaterThan(allowed * 0.7);
    expect(writes()).toBeLessThanOrEqual(passed / 25);
  });

  it('would be held back by none of them, if each counted for itself', async () => {
    expect(await flood(8, 50)).toBeGreaterThan(allowed * 4);
  });

  it('costs no write below 25 calls a minute in a container', async () => {
    const { count, writes } = createCounter();
    // Eight containers, 180 calls a minute.
    expect(await flood(8, 3, count)).toBe(1800);
    expect(writes()).toBe(0);
  });
});

describe('a count', () => {
  it('of one caller is nothing to another', async () => {
    const { call } = openContainers(1, async () => 10_000);
    for (let turn = 0; turn < 25; turn += 1) expect(await call(0)).toBe(true);
    expect(await call(0)).toBe(false);
    expect(await call(0, '7')).toBe(true);
  });

  it('that fails holds nobody back, and is told', async () => {
    const warn = vi.spyOn(logger, 'warn').mockReturnValue();
    const { call } = openContainers(1, () => Promise.reject(new Error('the table is down')));
    for (let turn = 0; turn < 60; turn += 1) expect(await call(0)).toBe(true);
    expect(warn).toHaveBeenCalledTimes(2);
    warn.mockRestore();
  });

  it('that comes late, after another one, charges nothing twice', async () => {
    const late: ((all: number) => void)[] = [];
    let told = 0;
    const { call } = openContainers(1, async (_count, calls) => {
      told += calls;
      return told <= 50 ? new Promise((resolve) => late.push(resolve)) : told;
    });
    const first = Array.from({ length: 50 }, () => call(0));
    await vi.waitUntil(() => late.length === 2);
    late[1]?.(50);
    late[0]?.(25);
    expect(await Promise.all(first)).not.toContain(false);
    let passed = 50;
    while (await call(0)) passed += 1;
    expect(passed).toBe(limit.burst);
  });
});
