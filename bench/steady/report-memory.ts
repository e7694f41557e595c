import { renameSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { constants, PerformanceObserver } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import { isMainThread } from 'node:worker_threads';

/**
 * Records the memory of a thread every second, in the working directory of the process. `--import`
 * loads this file into each thread. `live` is the heap after the last full collection. It shows
 * leaks, which garbage hides in the heap in use.
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
