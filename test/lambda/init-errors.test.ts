import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { exampleEvent } from './deployed/example-event.ts';
import { openSurroundings } from './deployed/surroundings.ts';
import { openFunction } from './platform/open-function.ts';

const { runtime, functions } = inject('lambda') ?? { runtime: '', functions: [] };

describe.skipIf(runtime === '')('a variable that is missing', () => {
  it.each([
    { name: 'read-jobs', variable: 'TABLE_NAME' },
    { name: 'read-jobs', variable: 'CURSOR_SECRET' },
    { name: 'submit-job', variable: 'INPUTS_BUCKET' },
    { name: 'list-systems', variable: 'AUDIENCE' },
    { name: 'track-jobs', variable: 'PUBLIC_URL' },
    { name: 'publish-events', variable: 'EVENT_BUS_NAME' },
  ])('$variable is named when $name cannot be loaded', async ({ name, variable }) => {
    const surroundings = await openSurroundings();
    onTestFinished(() => surroundings.close());
    const deployed = functions.find((each) => each.name === name) ?? expect.fail(`no ${name}`);
    const { [variable]: value, ...rest } = surroundings.environmentOf(deployed);
    expect(value).toBeTypeOf('string');
    const report = await openFunction(runtime, deployed, rest).invoke(exampleEvent(name));
    expect(report).toMatchObject({
      error: {
        errorType: 'Error',
        errorMessage: `Missing or invalid environment variables: ${variable}`,
      },
    });
  });
});
