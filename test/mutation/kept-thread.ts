import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { PoolWorker, TestProject, Vitest, WorkerRequest } from 'vitest/node';

const name = 'kept-thread';

/**
 * One thread for all mutants of a process. Vitest ends its threads after every run, and then most of
 * a mutant's time goes into loading the AWS SDK once more. Packages stay loaded so; our own modules
 * do not (`part-files.ts`).
 */
export const keepThread = {
  name,
  configureVitest({ vitest, project }: { vitest: Vitest; project: TestProject }) {
    let thread: Worker | undefined;
    project.config.pool = name;
    project.config.poolRunner = {
      name,
      createPoolWorker: ({ distPath, env, execArgv }) => {
        const isNew = thread === undefined;
        thread ??= new Worker(join(distPath, 'workers/threads.js'), { env, execArgv });
        return lend(thread, isNew, project);
      },
    };
    vitest.onClose(async () => {
      await thread?.terminate();
    });
  },
};

type Listener = (...parameters: unknown[]) => void;

/** A worker of Vitest's that starts and stops without the thread's knowing. */
function lend(thread: Worker, isNew: boolean, project: TestProject): PoolWorker {
  const listeners: [string, Listener][] = [];
  const answer = (type: 'started' | 'stopped') =>
    thread.emit('message', { type, __vitest_worker_response__: true });
  return {
    name,
    on(event: string, listener: Listener) {
      listeners.push([event, listener]);
      thread.on(event, listener);
    },
    off: (event: string, listener: Listener) => thread.off(event, listener),
    send(message: WorkerRequest) {
      if (message.type === 'stop') return answer('stopped');
      if (message.type === 'start' && !isNew) return answer('started');
      if (message.type !== 'run') return thread.postMessage(message);
      // Which tests to run is a matter of the configuration, which otherwise comes with the start.
      const context = { ...message.context, config: project.serializedConfig };
      return thread.postMessage({ ...message, context });
    },
    deserialize: (data: unknown) => data,
    start: async () => undefined,
    async stop() {
      for (const [event, listener] of listeners) thread.off(event, listener);
    },
  };
}
