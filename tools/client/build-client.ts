import { join } from 'node:path';
import { runTool } from '../run-tool.ts';
import { bundleClient, emitTypes } from './bundle-client.ts';

/** `npm run prepare`, which `npm ci` runs: what `npx slipway` starts, and what applications import. */
await runTool(async () => {
  const dist = join(import.meta.dirname, '../../client/dist');
  await bundleClient(dist);
  await emitTypes(join(dist, 'types'));
  return 0;
});
