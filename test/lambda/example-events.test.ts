import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { functionFiles } from '#tools/bundles/build-bundles.ts';
import { lambdaContext } from '../fixtures/api-event.ts';
import { blankOut } from './compare/blank-out.ts';
import { formatReports } from './compare/format-reports.ts';
import type { DeployedFunction } from './deployed/deployed-function.ts';
import { countLeft, findDue, listItems, makeDue } from './deployed/items.ts';
import { noteIds } from './deployed/note-ids.ts';
import { longestSeconds } from './deployed/open-scene.ts';
import { openSurroundings, type Surroundings } from './deployed/surroundings.ts';
import { openFunction, type Report } from './platform/open-function.ts';
import { type Chapter, story, tell } from './story.ts';

/** What an event was answered with: without the runtime client, and in it. */
interface Pair {
  readonly here: unknown;
  readonly there: Report;
}

/** What the first call of a function did on one side. */
interface Deed {
  readonly left: readonly string[];
  readonly sent: readonly string[];
  readonly dueBefore: number;
  readonly dueAfter: number;
  readonly keysFetched: number;
  /** What the address in an answer leads to. */
  readonly opened: string | undefined;
}

const prepared = inject('lambda');

describe.skipIf(!prepared)("in Lambda's runtime client", () => {
  const { runtime = '', functions = [] } = prepared ?? {};
  const pairs = new Map<string, readonly [Pair, Pair]>();
  const deeds = new Map<string, { readonly here: Deed; readonly there: Deed }>();
  const keysAgain = new Map<string, number>();
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
    const made = { here: noteIds(), there: noteIds() };
    for (const chapter of story) {
      const { name, about = 'first' } = chapter;
      const deployed = functions.find((each) => each.name === name) ?? expect.fail(`no ${name}`);
      const lambda = openFunction(runtime, deployed, there.environmentOf(deployed));
      const callThere = (event: unknown) => lambda.invoke(event, time);
      const eventFor = async (side: 'here' | 'there', which: 'first' | 'second') => {
        const { table } = side === 'here' ? here : there;
        const told = { names: made[side].about(about), due: await findDue(table) };
        return tell(chapter, told, which);
      };
      const watched = async <Answer>(
        side: 'here' | 'there',
        call: (event: unknown) => Promise<Answer>,
      ) => {
        const [answer, deed] = await watch(side === 'here' ? here : there, chapter, async () =>
          call(await eventFor(side, 'first')),
        );
        return { answer, deed };
      };
      const firstHere = await watched('here', (event) => callHere(deployed, event));
      const firstThere = await watched('there', callThere);
      deeds.set(name, { here: firstHere.deed, there: firstThere.deed });
      const first = { here: firstHere.answer, there: firstThere.answer };
      const fetched = there.keysFetched();
      const second = {
        here: await callHere(deployed, await eventFor('here', 'second')),
        there: await callThere(await eventFor('there', 'second')),
      };
      keysAgain.set(name, there.keysFetched() - fetched);
      for (const pair of [first, second]) {
        made.here.note(pair.here);
        made.there.note(Object(pair.there).answer);
      }
      pairs.set(name, [first, second]);
      await lambda.close();
      lines.set(name, lambda.log());
    }
  });
  afterAll(async () => {
    await here.close();
    await there.close();
    process.stdout.write(formatReports([...pairs].map(([name, [{ there }]]) => [name, there])));
  });

  const names = Object.keys(functionFiles);
  const deedOf = (name: string) => deeds.get(name) ?? expect.fail(`${name} was not called`);
  const pairOf = (name: string) => pairs.get(name) ?? expect.fail(`${name} was not called`);

  it('every function has its chapter, and was called', () => {
    expect(story.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
    expect([...pairs.keys()]).toHaveLength(names.length);
  });

  it.each(story)('$name gives its real answer', ({ name, answers }) => {
    const [{ there }] = pairOf(name);
    const { answer } = Object(there);
    expect(typeof answers === 'number' ? answer?.statusCode : answer).toEqual(answers);
  });

  it.each(story)(
    '$name does what it is there for',
    ({ name, leaves = [], sends = [], takesUp, opens }) => {
      const { there } = deedOf(name);
      for (const type of leaves) expect(there.left).toContain(type);
      expect(there.sent).toEqual(sends);
      if (opens !== undefined) expect(there.opened).toMatch(new RegExp(`^${opens}`));
      if (takesUp === undefined) return;
      expect(there.dueBefore).toBeGreaterThan(0);
      expect(there.dueAfter).toBe(0);
    },
  );

  it.each(functions)('$name fetches the keys of the issuer once, if it needs them', (deployed) => {
    const { name, variables } = deployed;
    expect(deedOf(name).there.keysFetched).toBe('JWKS_URI' in variables ? 1 : 0);
    expect(keysAgain.get(name)).toBe(0);
  });

  it('every service of AWS was called with the token of the session', () => {
    for (const calls of Object.values(there.callsTaken())) expect(calls).toBeGreaterThan(0);
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
    const typesIn = async ({ table }: Surroundings) =>
      (await listItems(table)).map(({ type }) => type);
    expect(await typesIn(there)).toEqual(await typesIn(here));
    const typesOf = ({ events }: Surroundings) => events.map((event) => event['detail-type']);
    expect(typesOf(there)).toEqual(typesOf(here));
    expect(typesOf(there)).toContain('job.submitted');
  });
});

/** Watches what a call leaves in the table and sends to the bus. */
async function watch<Answer>(
  { table, events, keysFetched }: Surroundings,
  { takesUp, opens }: Chapter,
  call: () => Promise<Answer>,
): Promise<[Answer, Deed]> {
  if (takesUp !== undefined) await makeDue(table, takesUp);
  const countDue = async () => (takesUp === undefined ? 0 : countLeft(table, takesUp));
  const dueBefore = await countDue();
  const before = await listItems(table);
  const [sentBefore, keysBefore] = [events.length, keysFetched()];
  const answer = await call();
  const count = (items: readonly Record<string, unknown>[], type: unknown) =>
    items.filter((item) => item.type === type).length;
  const after = await listItems(table);
  const types = [...new Set(after.map(({ type }) => String(type)))];
  const deed = {
    left: types.filter((type) => count(after, type) > count(before, type)),
    sent: events.slice(sentBefore).map((event) => event['detail-type']),
    dueBefore,
    dueAfter: await countDue(),
    keysFetched: keysFetched() - keysBefore,
    opened: opens === undefined ? undefined : await open(answer),
  };
  return [answer, deed];
}

/** Reads what an answer leads to, as somebody without a token does. */
async function open(answer: unknown): Promise<string> {
  const { headers } = Object(Object(answer).answer ?? answer);
  const response = await fetch(headers.location);
  return response.ok ? response.text() : `status ${response.status}`;
}
