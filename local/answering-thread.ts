import { parentPort, workerData } from 'node:worker_threads';
import type { ApiHandler } from '#lib/http/chain/api-handler.ts';
import { withBody } from './gateway/build-event.ts';
import { callFunction } from './gateway/call-function.ts';
import type { RequestApart } from './gateway/start-gateway.ts';
import { joinService } from './join-service.ts';
import { loadHandler } from './load-handlers.ts';
import { yieldToOthers } from './work-apart.ts';

/** Runs the thread that answer-apart.ts starts: answers a request by its function. */
yieldToOthers();
joinService(workerData);
const handlers = new Map<string, Promise<ApiHandler>>();
parentPort?.on('message', async ({ event, pieces }: RequestApart) => {
  const loading = handlers.get(event.routeKey) ?? loadHandler(event.routeKey);
  handlers.set(event.routeKey, loading);
  parentPort?.postMessage(await callFunction(await loading, withBody(event, pieces)));
});
