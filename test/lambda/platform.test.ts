import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, inject, it, onTestFinished, vi } from 'vitest';
import { openFunction } from './platform/open-function.ts';

const prepared = inject('lambda');

/** Small functions of its own, to see that what is around them behaves as Lambda does. */
describe.skipIf(!prepared)('Lambda', () => {
  const { runtime = '' } = prepared ?? {};
  const bundles = mkdtempSync(join(tmpdir(), 'slipway-platform-'));
  afterAll(() => rmSync(bundles, { recursive: true }));

  function deploy(source: string) {
    const directory = mkdtempSync(join(bundles, 'function-'));
    writeFileSync(join(directory, 'index.js'), source);
    const deployed = {
      name: 'sample',
      directory,
      handler: 'index.handler',
      memory: 512,
      seconds: 300,
      variables: {},
    };
    const lambda = openFunction(runtime, deployed, {});
    onTestFinished(() => lambda.close());
    return lambda;
  }

  it('gives a handler its event and its context', async () => {
    const lambda = deploy(
      `exports.handler = async (event, context) => ({
        event,
        id: context.awsRequestId,
        left: context.getRemainingTimeInMillis(),
        trace: process.env._X_AMZN_TRACE_ID,
        memory: context.memoryLimitInMB,
      });`,
    );
    const report = await lambda.invoke({ a: [1] });
    expect(report).toMatchObject({
      answer: {
        event: { a: [1] },
        id: report.requestId,
        trace: expect.stringMatching(/^Root=1-[0-9a-f]{8}-[0-9a-f]{24};/),
        memory: '512',
      },
    });
    const { left } = Object(Object(report).answer);
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(300_000);
  });

  it('tells what a handler throws, and keeps its process', async () => {
    const lambda = deploy('exports.handler = async () => { throw new RangeError("too far"); };');
    const first = await lambda.invoke({});
    expect(first).toMatchObject({ error: { errorType: 'RangeError', errorMessage: 'too far' } });
    expect((await lambda.invoke({})).pid).toBe(first.pid);
  });

  it('tells of a process that ends by itself, and starts another', async () => {
    const lambda = deploy(
      `exports.handler = async ({ code }) => (code === undefined ? 'well' : process.exit(code));`,
    );
    const first = await lambda.invoke({ code: 1 });
    expect(first).toMatchObject({
      error: {
        errorType: 'Runtime.ExitError',
        errorMessage: `RequestId: ${first.requestId} Error: Runtime exited with error: exit status 1`,
      },
    });
    expect(await lambda.invoke({ code: 0 })).toMatchObject({
      error: { errorMessage: expect.stringMatching(/Runtime exited without providing a reason$/) },
    });
    const last = await lambda.invoke({});
    expect(last).toMatchObject({ answer: 'well', initMs: expect.any(Number) });
    expect(last.pid).not.toBe(first.pid);
  });

  it('ends a process whose time is out, and starts another', async () => {
    const lambda = deploy(
      `exports.handler = ({ hangs }) => (hangs ? new Promise(() => setInterval(() => {}, 1)) : 'well');`,
    );
    const first = await lambda.invoke({ hangs: true }, { seconds: 1 });
    expect(first).toMatchObject({
      error: {
        errorType: 'Sandbox.Timedout',
        errorMessage: `RequestId: ${first.requestId} Error: Task timed out after 1.00 seconds`,
      },
    });
    expect(lambda.sandbox()).toBeUndefined();
    const second = await lambda.invoke({});
    expect(second).toMatchObject({ answer: 'well', initMs: expect.any(Number) });
  });

  it('lets nothing run between two events', async () => {
    const lambda = deploy(`setInterval(() => {}, 1); exports.handler = async () => 'well';`);
    const first = await lambda.invoke({});
    const isStopped = () =>
      /^State:\tT \(stopped\)$/m.test(readFileSync(`/proc/${first.pid}/status`, 'utf8'));
    await vi.waitUntil(isStopped, { timeout: 120_000 });
    expect(await lambda.invoke({})).toMatchObject({ answer: 'well', pid: first.pid });
  });

  it('tells why a handler could not be loaded', async () => {
    const lambda = deploy('throw new TypeError("no such thing");');
    expect(await lambda.invoke({})).toMatchObject({
      error: { errorType: 'TypeError', errorMessage: 'no such thing' },
    });
    expect(await deploy('exports.other = 1;').invoke({})).toMatchObject({
      error: { errorType: 'Runtime.HandlerNotFound' },
    });
  });
});
