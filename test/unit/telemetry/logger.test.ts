import { afterEach, describe, expect, it, vi } from 'vitest';
import { logger } from '#lib/telemetry/logger.ts';
import { captureLog } from '#test/fixtures/captured-log.ts';
import packageFile from '../../../package.json' with { type: 'json' };

function linesOf(write: () => void) {
  const log = captureLog();
  write();
  return log.map((line) => JSON.parse(line));
}

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('a line of the log', () => {
  it('is JSON, and ends', () => {
    const log = captureLog();
    logger.info('request', { status: 200, user: undefined });
    expect(log).toEqual([expect.stringMatching(/^\{.*\}\n$/)]);
    expect(JSON.parse(log[0] ?? '')).toEqual({
      level: 'INFO',
      message: 'request',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      service: 'service_undefined',
      version: packageFile.version,
      sampling_rate: 0,
      status: 200,
    });
  });

  it('names the trace of its request', () => {
    const write = () => logger.info('a', {});
    vi.stubEnv('_X_AMZN_TRACE_ID', 'Root=1-5759e988-bd862e3fe1be46a994272793;Parent=5;Sampled=1');
    expect(linesOf(write)).toMatchObject([
      { xray_trace_id: '1-5759e988-bd862e3fe1be46a994272793' },
    ]);
    vi.stubEnv('_X_AMZN_TRACE_ID', undefined);
    expect(linesOf(write)[0]).not.toHaveProperty('xray_trace_id');
  });

  it('tells all of an error and of its causes', () => {
    const cause = Object.assign(new Error('inner'), { $metadata: { attempts: 3 } });
    const error = new TypeError('outer', { cause });
    expect(linesOf(() => logger.error('failed', { error }))).toMatchObject([
      {
        level: 'ERROR',
        error: {
          name: 'TypeError',
          message: 'outer',
          location: expect.stringMatching(/:\d+$/),
          stack: expect.stringContaining('logger.test.ts'),
          cause: { name: 'Error', message: 'inner', $metadata: { attempts: 3 } },
        },
      },
    ]);
  });

  it('is written whatever it is to hold', () => {
    const circle: Record<string, unknown> = {};
    circle.circle = circle;
    const write = () => logger.warn('odd', { circle });
    expect(linesOf(write)).toMatchObject([{ level: 'WARN', message: 'odd' }]);
    expect(linesOf(() => logger.warn('large', { n: 2n ** 64n }))).toMatchObject([
      { n: '18446744073709551616' },
    ]);
  });

  it.each([
    { least: 'INFO', written: ['INFO', 'WARN', 'ERROR'] },
    { least: 'WARN', written: ['WARN', 'ERROR'] },
    { least: 'ERROR', written: ['ERROR'] },
    { least: 'SILENT', written: [] },
  ] as const)('is written from the level $least on', ({ least, written }) => {
    const lines = linesOf(() => {
      logger.setLogLevel(least);
      logger.info('a', {});
      logger.warn('b', {});
      logger.error('c', {});
    });
    expect(lines.map(({ level }) => level)).toEqual(written);
  });
});
