import type { MessagePort } from 'node:worker_threads';
import type { Connection } from '#lib/table/connection.ts';
import type { FollowedStream } from '../stream/follow-stream.ts';
import { runTogether } from './dispatch/run-operation.ts';
import { connectBy } from './documents/answer-in-process.ts';
import { type Answer, Json } from './operations/answer.ts';
import { type ChangeStream, parseRow, type StreamRow } from './store/change-stream.ts';
import type { Engine } from './store/engine.ts';
import type { Caller } from './store/group-commit.ts';
import { ServiceError } from './values/errors.ts';
import { isRecord } from './values/read-item.ts';

/** A call of another thread to the one that owns the table. */
type Question =
  | { readonly kind: 'call'; readonly name: string; readonly request: object }
  | { readonly kind: 'read'; readonly after: number; readonly count: number }
  | { readonly kind: 'move'; readonly reader: string; readonly position: number };

type Refusal = Pick<ServiceError, 'type' | 'message' | 'status' | 'details'>;

type Reply =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly refusal: Refusal };

/** Messages of one turn are sent together, because each message wakes the other thread. */
type ToTable = readonly { readonly id: number; readonly question: Question }[];
type FromTable = readonly Reply[] | 'committed';

/** Initial positions of the readers. Only the readers move them. */
export type Places = Readonly<Record<string, number>>;

/** Serves a thread that answers requests, in one commit with calls of this thread. */
export function serveRequests(port: MessagePort, engine: Engine): void {
  serve(port, (question) => call(engine, question, 'requests'));
}

/**
 * Serves the lives thread, in one commit with calls of this thread. Returns the positions from
 * which its readers continue.
 */
export function serveLives(
  port: MessagePort,
  engine: Engine,
  stream: ChangeStream,
  readers: readonly string[],
): Places {
  stream.setReaders(readers);
  serve(port, async (question) => {
    switch (question.kind) {
      case 'call':
        return call(engine, question, 'lives');
      case 'read':
        return stream.readRows(question.after, question.count);
      case 'move':
        return stream.moveTo(question.reader, question.position);
    }
  });
  const announce = gather<true>(() => port.postMessage('committed' satisfies FromTable));
  stream.onCommit(() => announce(true));
  return Object.fromEntries(readers.map((name) => [name, stream.positionOf(name)]));
}

function serve(port: MessagePort, answer: (question: Question) => Promise<unknown>): void {
  const post = gather<Reply>((replies) => port.postMessage(replies satisfies FromTable));
  port.on('message', (questions: ToTable) => {
    for (const { id, question } of questions) {
      answer(question).then(
        (result) => post({ id, result }),
        (error: unknown) => post({ id, refusal: describe(error) }),
      );
    }
  });
}

async function call(engine: Engine, question: Question, caller: Caller): Promise<Answer> {
  if (question.kind === 'call') {
    return runTogether(engine, question.name, question.request, caller);
  }
  throw new Error('Only the lives thread reads the stream.');
}

function describe(error: unknown): Refusal {
  if (!(error instanceof ServiceError)) {
    const message = error instanceof Error ? error.message : String(error);
    return { type: 'InternalServerError', message, status: 500, details: {} };
  }
  const { type, message, status, details } = error;
  return { type, message, status, details };
}

/** Connects another thread to the table. */
export function openTablePort(
  port: MessagePort,
  places: Places,
): { readonly connection: Connection; readonly stream: FollowedStream } {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  const listeners: (() => void)[] = [];
  let asked = 0;
  const post = gather<ToTable[number]>((questions) =>
    port.postMessage(questions satisfies ToTable),
  );
  const ask = (question: Question): Promise<unknown> => {
    const resolvers = Promise.withResolvers<unknown>();
    asked += 1;
    waiting.set(asked, resolvers);
    post({ id: asked, question });
    return resolvers.promise;
  };
  port.on('message', (message: FromTable) => {
    if (message === 'committed') {
      for (const listener of listeners) listener();
      return;
    }
    for (const reply of message) {
      const resolvers = waiting.get(reply.id);
      waiting.delete(reply.id);
      if ('result' in reply) resolvers?.resolve(reply.result);
      else resolvers?.reject(revive(reply.refusal));
    }
  });
  return {
    connection: connectBy(async (name, request) =>
      reviveAnswer(await ask({ kind: 'call', name, request })),
    ),
    stream: {
      // `serveTable` has set the readers before this thread started.
      setReaders: () => undefined,
      positionOf: (reader) => places[reader] ?? 0,
      async read(after, count) {
        const rows = await ask({ kind: 'read', after, count });
        return Array.isArray(rows) ? rows.map((row: StreamRow) => parseRow(row)) : [];
      },
      async moveTo(reader, position) {
        await ask({ kind: 'move', reader, position });
      },
      onCommit: (listener) => listeners.push(listener),
    },
  };
}

function revive({ type, message, status, details }: Refusal): ServiceError {
  return new ServiceError(type, message, { ...details, status });
}

/** Restores `Json` instances, because messages between threads lose the class of an object. */
function reviveAnswer(answer: unknown): Answer {
  return isRecord(answer)
    ? Object.fromEntries(Object.entries(answer).map(([name, value]) => [name, reviveMember(value)]))
    : {};
}

function reviveMember(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reviveMember);
  if (!isRecord(value)) return value;
  return typeof value.text === 'string' ? new Json(value.text) : reviveAnswer(value);
}

/** Collects the values of one turn and hands them on together. */
function gather<T>(handOn: (gathered: T[]) => void): (one: T) => void {
  let gathered: T[] = [];
  return (one) => {
    gathered.push(one);
    if (gathered.length > 1) return;
    setImmediate(() => {
      const all = gathered;
      gathered = [];
      handOn(all);
    });
  };
}
