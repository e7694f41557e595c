import { once } from 'node:events';
import { getPriority, setPriority } from 'node:os';
import { type Transferable, Worker, type WorkerOptions } from 'node:worker_threads';
import { openGate } from '#lib/concurrency/open-gate.ts';

/** A thread that answers one question at a time. */
export interface WorkThread<Question, Answer> {
  ask(question: Question): Promise<Answer>;
  stop(): void;
}

/** Answers questions of many callers, each in turn. */
export type WorkApart<Question, Answer> = (owner: string, question: Question) => Promise<Answer>;

export interface WorkApartOptions<Question, Answer> {
  readonly startThread: () => WorkThread<Question, Answer>;
  /** Explains that too many ask at once. */
  readonly refuse: () => Error;
  readonly waitingPerOwner: number;
  readonly waitingOwners: number;
  /** How long a question may wait in the line. */
  readonly patienceMs: number;
  /** How long the thread may take for an answer, before it is replaced. */
  readonly answerMs: number;
  /**
   * After an answer, the next one of its owner rests for so many times as long, because the thread
   * that answers requests has work with it too.
   */
  readonly restTimes: number;
  /** Ends the thread. */
  readonly until?: AbortSignal;
}

const longestRestMs = 500;

/**
 * Works in a thread of its own, so that nobody else waits for what one caller asks for. A caller has
 * one question in the line at a time, so those of all callers take turns. What would wait too long
 * is refused, and a thread that does not answer is replaced.
 */
export function openWorkApart<Question, Answer>(
  options: WorkApartOptions<Question, Answer>,
): WorkApart<Question, Answer> {
  const { startThread, refuse, patienceMs, answerMs } = options;
  const takeTurn = openGate({ width: 1, waiting: options.waitingOwners }, refuse);
  const owners = new Map<string, { readonly enter: typeof takeTurn; questions: number }>();
  let thread: WorkThread<Question, Answer> | undefined;
  options.until?.addEventListener('abort', () => thread?.stop());

  async function ask(question: Question): Promise<Answer> {
    const asked = thread ?? startThread();
    thread = asked;
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => late.reject(refuse()), answerMs);
    try {
      return await Promise.race([asked.ask(question), late.promise]);
    } catch (error) {
      asked.stop();
      thread = undefined;
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Opens the line of an owner, and forgets it once nothing is left in it. */
  async function inLineOf(owner: string, work: () => Promise<void>): Promise<void> {
    const line = owners.get(owner) ?? {
      enter: openGate({ width: 1, waiting: options.waitingPerOwner }, refuse),
      questions: 0,
    };
    owners.set(owner, line);
    line.questions += 1;
    try {
      await line.enter(work);
    } finally {
      line.questions -= 1;
      if (line.questions === 0) owners.delete(owner);
    }
  }

  return (owner, question) => {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const giveUpAt = performance.now() + patienceMs;
    inLineOf(owner, async () => {
      let began = performance.now();
      const answer = await takeTurn(async () => {
        began = performance.now();
        if (began > giveUpAt) throw refuse();
        return ask(question);
      });
      resolve(answer);
      await rest(Math.min(longestRestMs, (performance.now() - began) * options.restTimes));
    }).catch(reject);
    return promise;
  };
}

/** Does not keep the process from ending. */
function rest(ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  setTimeout(resolve, ms).unref();
  return promise;
}

/** Below the threads that answer everybody. Only Linux gives a thread a priority of its own. */
const niceness = 10;

/** Lets this thread yield to those that answer everybody. */
export function yieldToOthers(): void {
  if (process.platform === 'linux') setPriority(Math.max(niceness, getPriority()));
}

/** Starts a thread that answers each message with one, and does not keep the process from ending. */
export function startWorkThread<Question, Answer>(
  file: URL,
  options: WorkerOptions,
  explain: (error: unknown) => Error,
  giveAway: (question: Question) => Transferable[] = () => [],
): WorkThread<Question, Answer> {
  const worker = new Worker(file, options);
  worker.unref();
  return {
    async ask(question) {
      try {
        const answer = once(worker, 'message');
        worker.postMessage(question, giveAway(question));
        const [found] = await answer;
        return found;
      } catch (error) {
        throw explain(error);
      }
    },
    stop: () => void worker.terminate(),
  };
}
