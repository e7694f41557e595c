import { renameSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { constants, PerformanceObserver } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import { isMainThread } from 'node:worker_threads';

/**
 * Loaded into each thread of the measured process (`--import`): writes the thread's memory down
 * every second, in the folder that the process runs in. `live` is what the last full collection left
 * of the heap. It shows a leak, which the heap in use hides behind its garbage.
 */
const file = resolve(isMainThread ? 'memory.json' : 'memory-lives.json');
let live = getHeapStatistics().used_heap_size;

new PerformanceObserver((list) => {
  if (list.getEntries().some(isFullCollection)) live = getHeapStatistics().used_heap_size;
}).observe({ entryTypes: ['gc'] });

setInterval(() => {
  const { rss, external } = process.memoryUsage();
  const draft = `${file}.draft`;
  writeFileSync(draft, JSON.stringify({ rss, live, external }));
  renameSync(draft, file);
}, 1000).unref();

function isFullCollection(entry: object): boolean {
  const detail = 'detail' in entry ? entry.detail : undefined;
  const kind = typeof detail === 'object' && detail && 'kind' in detail ? detail.kind : undefined;
  return kind === constants.NODE_PERFORMANCE_GC_MAJOR;
}
