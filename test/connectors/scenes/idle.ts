import { expect } from 'vitest';
import type { Scene } from '../scene.ts';

/** The schedule of the laptop edition calls twice a second, that of AWS once a minute. */
const rounds = 6;
/** One health check, which may have to learn how the system is asked. */
const mostCalls = 3;

export const idle: Scene = {
  name: 'idle',
  title:
    'a service without jobs asks a system for its health once a minute, however often it sweeps',
  async play(stage) {
    const { faults } = stage.system.idleLine ?? stage.system.line;
    await stage.sweeps.pause();
    for (let round = 0; round < rounds; round += 1) await stage.sweeps.callSchedule();
    expect(faults.calls.length, faults.calls.join(', ')).toBeGreaterThan(0);
    expect(faults.calls.length, faults.calls.join(', ')).toBeLessThanOrEqual(mostCalls);
  },
};
