import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { lambdaContext } from '#test/fixtures/api-event.ts';

/** A process of its own: one request to one built function, for the calls that it makes. */
const [, , file = '', eventFile = ''] = process.argv;
const { handler } = createRequire(import.meta.url)(file);
const { statusCode, body } = await handler(
  JSON.parse(readFileSync(eventFile, 'utf8')),
  lambdaContext,
);
if (statusCode >= 300) throw new Error(`${statusCode} ${body}`);
process.exit(0);
