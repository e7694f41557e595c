import { renameSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { isMainThread } from 'node:worker_threads';

/**
 * Loaded into the measured process (`--import`): writes its memory down every second, in the folder
 * that it runs in, for whoever measures from outside.
 */
const file = resolve('memory.json');
if (isMainThread) {
  setInterval(() => {
    const draft = `${file}.draft`;
    writeFileSync(draft, JSON.stringify(process.memoryUsage()));
    renameSync(draft, file);
  }, 1000).unref();
}
