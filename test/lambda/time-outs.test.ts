import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { routes } from '#functions/routes.ts';
import type { Route } from '#lib/http/routes/route.ts';
import { exampleEvent } from './deployed/example-event.ts';
import { openScene, type Scene } from './deployed/open-scene.ts';
import { neverAnswer } from './deployed/table-gate.ts';

const prepared = inject('lambda');

const withTable = Object.entries<Route>(routes).flatMap(([name, { table }]) =>
  table ? [name] : [],
);

describe.skipIf(!prepared)('the time of a function', () => {
  const { functions = [], runtime = '' } = prepared ?? {};
  let scene: Scene;
  beforeEach(async () => {
    scene = await openScene({ runtime, functions });
  });
  afterEach(() => scene.close());

  it.each(withTable)('%s answers before it is out, though the table does not', async (name) => {
    const calls: string[] = [];
    scene.gate.keepBy(({ operation }) => {
      calls.push(operation);
      return neverAnswer();
    });
    const report = await scene.open(name, { seconds: 4 }).invoke(exampleEvent(name));
    if (calls.length === 0) expect(report).toHaveProperty('answer.statusCode', 404);
    else {
      expect(report).toMatchObject({
        answer: { statusCode: 503, body: expect.stringContaining('urn:slipway:problem:timeout') },
      });
    }
  });
});
