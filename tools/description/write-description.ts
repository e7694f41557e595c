import type { DescribedRouteName } from '#functions/routes.ts';
import { catalog } from '#lib/catalog/catalog.ts';
import type { DescribedHandler } from '#lib/http/chain/api-handler.ts';
import { runningVersion } from '#lib/telemetry/running-version.ts';
import { loadRoute } from '#local/load-handlers.ts';
import { describeApi } from './describe-api.ts';

/** Returns the content of docs/openapi.json. The functions must have their environment. */
export async function writeDescription(): Promise<string> {
  const document = await describeApi({ version: runningVersion, catalog, load });
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

async function load(name: DescribedRouteName): Promise<DescribedHandler> {
  const handler = await loadRoute(name);
  if (!isDescribed(handler)) throw new Error(`${name} does not tell what it answers.`);
  return handler;
}

function isDescribed(handler: unknown): handler is DescribedHandler {
  return typeof handler === 'function' && 'operations' in handler;
}
