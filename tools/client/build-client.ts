import { join } from 'node:path';
import { runTool } from '../run-tool.ts';
import { bundleClient } from './bundle-client.ts';

/** `npm run prepare`, which `npm ci` runs: what `npx slipway` starts. */
await runTool(async () => {
  await bundleClient(join(import.meta.dirname, '../../client/dist'));
  return 0;
});
