import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { lambdaContext } from '#test/fixtures/api-event.ts';

/** Runs in its own process: sends one request to a built function, to record its calls. */
const [, , file = '', eventFile = ''] = process.argv;
const { handler } = createRequire(import.meta.url)(file);
const { statusCode, body } = await handler(
  JSON.parse(readFileSync(eventFile, 'utf8')),
  lambdaContext,
);
if (statusCode >= 300) throw new Error(`${statusCode} ${body}`);
process.exit(0);
