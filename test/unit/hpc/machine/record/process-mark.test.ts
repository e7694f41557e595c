import { expect, it } from 'vitest';
import { isRunning, readBootId, readMark } from '#lib/hpc/machine/record/process-mark.ts';

it('takes no process for one of before the machine was started again', () => {
  const own = readMark(process.pid)!;
  expect(isRunning(own, readBootId())).toBe(true);
  expect(isRunning(own, 'another start')).toBe(false);
});

it('takes no process for another one with the same id', () => {
  const own = readMark(process.pid)!;
  expect(isRunning({ ...own, startTime: `${own.startTime}0` }, readBootId())).toBe(false);
});
