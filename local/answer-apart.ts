import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { ApiResponse } from '#lib/http/respond.ts';
import type { AnswerApart, RequestApart } from './gateway/start-gateway.ts';
import { LineFullError } from './gateway/waiting-line.ts';
import type { JoiningInput, ThreadInput } from './join-service.ts';
import { openWorkApart, startWorkThread, type WorkThread } from './work-apart.ts';

/**
 * A refusal says that nothing was done, so it must not replace the answer of a function that has
 * begun. The gateway itself gives up earlier than the thread is replaced, and says less.
 */
const limits = {
  waitingPerOwner: 64,
  waitingOwners: 64,
  patienceMs: 10_000,
  answerMs: 40_000,
  restTimes: 3,
};
/** Of the bodies of all waiting requests together. */
const mostBytes = 64 * 1024 * 1024;

const retryMs = 2_000;

/**
 * Answers large requests in a thread of its own, so that nobody else waits while megabytes of one
 * caller are read. The thread starts with the first of them.
 */
export function openAnswersApart(
  input: ThreadInput,
  openTable: (port: MessagePort) => void,
  until: AbortSignal,
): AnswerApart {
  const refuse = () => new LineFullError(retryMs);
  const startThread = () => startAnsweringThread(input, openTable);
  const ask = openWorkApart({ startThread, refuse, until, ...limits });
  let waiting = 0;
  return async (owner, request) => {
    if (waiting + request.bytes > mostBytes) throw refuse();
    waiting += request.bytes;
    try {
      return await ask(owner, request);
    } finally {
      waiting -= request.bytes;
    }
  };
}

/** Several times what the largest accepted request needs. */
const resourceLimits = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 16 };

function startAnsweringThread(
  input: ThreadInput,
  openTable: (port: MessagePort) => void,
): WorkThread<RequestApart, ApiResponse> {
  const { port1, port2 } = new MessageChannel();
  openTable(port1);
  port1.unref();
  const workerData: JoiningInput = { ...input, table: port2, places: {} };
  return startWorkThread(
    new URL('./answering-thread.ts', import.meta.url),
    { workerData, transferList: [port2], resourceLimits },
    (cause) => new Error('The thread for large requests ended.', { cause }),
    giveAway,
  );
}

/**
 * Lists the memory that the other thread takes over. Copies of it would stay in this thread until
 * they are collected, and megabytes of them would make it collect all the time.
 */
function giveAway({ pieces }: RequestApart): ArrayBuffer[] {
  return pieces.flatMap(({ buffer, length }) =>
    buffer instanceof ArrayBuffer && buffer.byteLength === length ? [buffer] : [],
  );
}
