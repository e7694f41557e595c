import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { routes } from '#functions/routes.ts';
import type { Route } from '#lib/http/routes/route.ts';
import { exampleEvent } from './deployed/example-event.ts';
import { openScene, type Scene } from './deployed/open-scene.ts';
import { neverAnswer } from './deployed/table-gate.ts';
import { chapterOf, tell } from './story.ts';

const prepared = inject('lambda') ?? { runtime: '', functions: [] };
const isThere = prepared.runtime !== '';

const asking = Object.entries<Route>(routes).flatMap(([name, { table }]) => (table ? [name] : []));

/** Short, and ended late: what the function says by itself is what counts. */
const heldUp = { seconds: 2, overtimeSeconds: 120 };

const tooLate = {
  answer: {
    statusCode: 503,
    headers: { 'retry-after': '1' },
    body: expect.stringContaining('"urn:slipway:problem:timeout"'),
  },
};

describe.skipIf(!isThere)('while the table does not answer', () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await openScene(prepared);
    scene.gate.keepBy(neverAnswer);
  });
  afterAll(() => scene.close());

  it.concurrent.each(asking)('%s says by itself that it takes too long', async (name) => {
    const lambda = scene.open(name);
    expect(await lambda.invoke(tell(chapterOf(name)), heldUp)).toMatchObject(tooLate);
    await lambda.close();
  });
});

describe.skipIf(!isThere)('when the table', () => {
  const event = exampleEvent('read-jobs');
  const well = { answer: { statusCode: 200 } };
  let scene: Scene;
  beforeEach(async () => {
    scene = await openScene(prepared);
  });
  afterEach(() => scene.close());

  it('answers again, the same process does too', async () => {
    const lambda = scene.open('read-jobs');
    scene.gate.keepBy(neverAnswer);
    const late = await lambda.invoke(event, heldUp);
    expect(late).toMatchObject(tooLate);
    scene.gate.keepBy(() => undefined);
    // What was under way goes on beside it, and must not end it.
    const again = await lambda.invoke(event);
    expect(again).toMatchObject(well);
    expect(again.pid).toBe(late.pid);
  });

  it('is asked by a process that stands still, that one is ended, and another answers', async () => {
    const lambda = scene.open('read-jobs');
    expect(await lambda.invoke(event)).toMatchObject(well);
    scene.gate.keepBy(() => {
      process.kill(lambda.sandbox()?.pid ?? Number.NaN, 'SIGSTOP');
      return neverAnswer();
    });
    const late = await lambda.invoke(event, { seconds: 10 });
    expect(late).toMatchObject({
      error: {
        errorType: 'Sandbox.Timedout',
        errorMessage: `RequestId: ${late.requestId} Error: Task timed out after 10.00 seconds`,
      },
    });
    expect(lambda.sandbox()).toBeUndefined();
    scene.gate.keepBy(() => undefined);
    expect(await lambda.invoke(event)).toMatchObject({ ...well, initMs: expect.any(Number) });
  });

  it('has closed the connections of a frozen process, that process opens others', async () => {
    const reading = scene.open('read-jobs');
    const submitting = scene.open('submit-job');
    expect(await reading.invoke(event)).toMatchObject(well);
    expect(await reading.invoke(event)).toMatchObject(well);
    expect(scene.gate.connections).toBe(1);
    const submission = exampleEvent('submit-job');
    expect(await submitting.invoke(submission)).toMatchObject({ answer: { statusCode: 201 } });
    scene.gate.closeConnections();
    const after = await reading.invoke(event);
    expect(after).toMatchObject(well);
    expect(after).not.toHaveProperty('initMs');
    expect(await submitting.invoke(submission)).toMatchObject({ answer: { statusCode: 201 } });
    const { body } = Object(Object(await reading.invoke(event)).answer);
    expect(JSON.parse(body)).toHaveLength(2);
  });
});
