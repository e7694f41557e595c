import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll, expect, inject, vi } from 'vitest';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Of Stryker: none while the tests run for the first time. */
    activeMutant: string | undefined;
  }
}

/** What Stryker and the code that it instrumented share. */
interface Instrumented {
  activeMutant?: string | undefined;
  readonly mutantCoverage?: object;
  lastMutant?: string | undefined;
}

const shared: Instrumented = Reflect.get(globalThis, '__stryker__') ?? {};

// Stryker adds up what the files report, and expects each to have counted from nothing.
if (shared.mutantCoverage) Object.assign(shared.mutantCoverage, { static: {}, perTest: {} });

// The mutant comes to life with the tests: what is loaded before them is as it was written.
shared.activeMutant = undefined;

// A file that a mutant has ended early leaves its mock of the table behind.
const { send } = DynamoDBDocumentClient.prototype;
if ('restore' in send && typeof send.restore === 'function') send.restore();

/** Those that put something else in the place of a module, or set an environment of their own. */
const apart = /\/test\/(handlers\/apart|integration)\//;

const mutant = inject('activeMutant');
if (mutant !== shared.lastMutant) {
  vi.resetModules();
  shared.lastMutant = mutant;
}

if (apart.test(expect.getState().testPath ?? '')) {
  const environment = { ...process.env };
  vi.resetModules();
  afterAll(() => {
    vi.resetModules();
    for (const name of Object.keys(process.env)) delete process.env[name];
    Object.assign(process.env, environment);
  });
}
