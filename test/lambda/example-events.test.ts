import { generateKeyPairSync } from 'node:crypto';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createIssuer } from '#local/issuer.ts';
import { functionFiles } from '#tools/bundles/build-bundles.ts';
import { lambdaContext } from '../fixtures/api-event.ts';
import { exampleEvent } from './deployed/example-event.ts';
import { openSurroundings, type Surroundings } from './deployed/surroundings.ts';
import { openFunction, type Report } from './platform/open-function.ts';

const prepared = inject('lambda');
const issuer = createIssuer(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey);

describe.skipIf(!prepared)('in the runtime client', () => {
  const { runtime = '', functions = [] } = prepared ?? {};
  const answers = new Map<string, unknown>();
  const reports = new Map<string, Report>();
  let here: Surroundings;
  let there: Surroundings;
  beforeAll(async () => {
    here = await openSurroundings(issuer);
    there = await openSurroundings(issuer);
    for (const each of functions) {
      const event = exampleEvent(each.name, issuer);
      Object.assign(process.env, here.environmentOf(each));
      const { handler } = createRequire(import.meta.url)(join(each.directory, 'index.js'));
      answers.set(each.name, JSON.parse(JSON.stringify((await handler(event, lambdaContext)) ?? null)));
      const lambda = openFunction(runtime, each, there.environmentOf(each));
      reports.set(each.name, await lambda.invoke(event));
      await lambda.close();
    }
  });
  afterAll(async () => {
    await here.close();
    await there.close();
  });

  it.each(Object.keys(functionFiles))('%s answers as it does here', (name) => {
    expect(reports.get(name)).toMatchObject({ answer: answers.get(name) });
  });
  it('prints', () => { for (const [n, r] of reports) console.log(n, r.initMs, r.megabytes); });
});
