import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { functionFiles } from '#tools/bundles/build-bundles.ts';
import { lambdaContext } from '../fixtures/api-event.ts';
import { blankOut } from './compare/blank-out.ts';
import { formatReports } from './compare/format-reports.ts';
import { listTypes } from './compare/list-types.ts';
import type { DeployedFunction } from './deployed/deployed-function.ts';
import { exampleEvent } from './deployed/example-event.ts';
import { longestSeconds } from './deployed/open-scene.ts';
import { openSurroundings, type Surroundings } from './deployed/surroundings.ts';
import { openFunction, type Report } from './platform/open-function.ts';

/** What an event was answered with: without the runtime client, and in it. */
interface Pair {
  readonly here: unknown;
  readonly there: Report;
}

const prepared = inject('lambda');

describe.skipIf(!prepared)("in Lambda's runtime client", () => {
  const { runtime = '', functions = [] } = prepared ?? {};
  const pairs = new Map<string, readonly [Pair, Pair]>();
  const lines = new Map<string, readonly string[]>();
  let here: Surroundings;
  let there: Surroundings;

  // Both have all the time in the world: how fast this machine is must not make them differ.
  const time = { seconds: longestSeconds };
  const context = { ...lambdaContext, getRemainingTimeInMillis: () => longestSeconds * 1000 };

  /** What Lambda sends on is JSON, and null where there is nothing. */
  async function callHere(deployed: DeployedFunction, event: unknown): Promise<unknown> {
    Object.assign(process.env, here.environmentOf(deployed));
    const { handler } = createRequire(import.meta.url)(join(deployed.directory, 'index.js'));
    return JSON.parse(JSON.stringify((await handler(event, context)) ?? null));
  }

  // Here and there begin with nothing and are given the same, one after the other: whatever an
  // event finds of those before it, it finds in both places.
  beforeAll(async () => {
    here = await openSurroundings();
    there = await openSurroundings();
    for (const deployed of functions) {
      const event = exampleEvent(deployed.name);
      const lambda = openFunction(runtime, deployed, there.environmentOf(deployed));
      const answer = async () => ({
        here: await callHere(deployed, event),
        there: await lambda.invoke(event, time),
      });
      pairs.set(deployed.name, [await answer(), await answer()]);
      await lambda.close();
      lines.set(deployed.name, lambda.log());
    }
  });
  afterAll(async () => {
    await here.close();
    await there.close();
    process.stdout.write(formatReports([...pairs].map(([name, [{ there }]]) => [name, there])));
  });

  const names = Object.keys(functionFiles);
  const pairOf = (name: string) => pairs.get(name) ?? expect.fail(`${name} was not called`);

  it('every function was called', () => {
    expect([...pairs.keys()]).toEqual(names);
  });

  it.each(names)('%s answers as it does without', (name) => {
    const [first] = pairOf(name);
    expect(first.there).toHaveProperty('initMs');
    expect(first.there).toHaveProperty('answer');
    expect(blankOut(Object(first.there).answer)).toEqual(blankOut(first.here));
  });

  it.each(names)('%s answers again when it was frozen, without another start', (name) => {
    const [first, second] = pairOf(name);
    expect(second.there.pid).toBe(first.there.pid);
    expect(second.there).not.toHaveProperty('initMs');
    expect(second.there).toHaveProperty('answer');
    expect(blankOut(Object(second.there).answer)).toEqual(blankOut(second.here));
  });

  it.each(functions)('$name stays within its memory', ({ name, memory }) => {
    const [, { there }] = pairOf(name);
    expect(there.megabytes ?? 0).toBeLessThan(memory);
  });

  it.each(names)('%s writes lines of JSON alone, as its log is told to hold', (name) => {
    for (const line of lines.get(name) ?? []) expect(JSON.parse(line)).toBeTypeOf('object');
  });

  it('they leave the same in the table and on the bus', async () => {
    expect(await listTypes(there.table)).toEqual(await listTypes(here.table));
    const typesOf = ({ events }: Surroundings) => events.map((event) => event['detail-type']);
    expect(typesOf(there)).toEqual(typesOf(here));
    expect(typesOf(there)).toContain('job.submitted');
  });
});
