import { join } from 'node:path';
import { exitWith } from '../run-tool.ts';
import { bundleClient, emitTypes } from './bundle-client.ts';

/** `npm run prepare` builds the command and the client. `npm ci` runs it. */
await exitWith(async () => {
  const dist = join(import.meta.dirname, '../../client/dist');
  await bundleClient(dist);
  await emitTypes(join(dist, 'types'));
  return 0;
});
