import { describe, expect, it } from 'vitest';
import { findKeptSocket, readWatchdogMs } from '#local/supervision.ts';

const pid = 4711;

describe('a socket that systemd keeps', () => {
  it('is the third descriptor', () => {
    expect(findKeptSocket({ LISTEN_PID: '4711', LISTEN_FDS: '1' }, pid)).toBe(3);
  });

  it('is not that of another process, whose variables this one has inherited', () => {
    expect(findKeptSocket({ LISTEN_PID: '4710', LISTEN_FDS: '1' }, pid)).toBeUndefined();
    expect(findKeptSocket({}, pid)).toBeUndefined();
  });

  it('is one, or refused', () => {
    expect(() => findKeptSocket({ LISTEN_PID: '4711', LISTEN_FDS: '2' }, pid)).toThrow(
      'systemd has passed 2. Name one address in slipway.socket',
    );
  });
});

describe('the watchdog', () => {
  it('waits for this process', () => {
    expect(readWatchdogMs({ WATCHDOG_USEC: '120000000' }, pid)).toBe(120_000);
    expect(readWatchdogMs({ WATCHDOG_USEC: '120000000', WATCHDOG_PID: '4711' }, pid)).toBe(120_000);
  });

  it('waits for nobody, or for another process', () => {
    expect(readWatchdogMs({}, pid)).toBeUndefined();
    expect(readWatchdogMs({ WATCHDOG_USEC: '5', WATCHDOG_PID: '1' }, pid)).toBeUndefined();
  });
});
