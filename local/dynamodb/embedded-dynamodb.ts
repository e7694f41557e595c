import { createServer, type Server } from 'node:http';
import type { DynamoDBRecord } from 'aws-lambda';
import { type Listening, listenOnLoopback } from '../loopback/listen-on-loopback.ts';
import { answerRequests } from './answer-requests.ts';
import type { Engine } from './engine/engine.ts';
import { openStore } from './engine/open-store.ts';
import { createStreamRecorder } from './engine/stream-records.ts';
import { createWriteQueue } from './engine/write-queue.ts';
import { sweepExpired } from './sweep-expired.ts';

export interface EmbeddedDynamoDb {
  readonly endpoint: string;
  close(): Promise<void>;
}

export interface EmbeddedDynamoDbOptions {
  /** Directory of the data. Without it everything is in memory, and gone after `close`. */
  path?: string;
  /** 0 takes a free one. */
  port?: number;
  /** Milliseconds since 1970: what times to live and transaction tokens are measured against. */
  now?: () => number;
  /** How often expired items are deleted. */
  sweepSeconds?: number;
  /**
   * Told of every commit that changed something, in their order: the stream of all tables. The
   * write waits for it, so it must take note and no more.
   */
  onChanges?: (records: DynamoDBRecord[]) => void;
}

export async function startEmbeddedDynamoDb({
  path,
  port = 0,
  now = Date.now,
  sweepSeconds = 60,
  onChanges,
}: EmbeddedDynamoDbOptions = {}): Promise<EmbeddedDynamoDb> {
  const store = await openStore(path);
  const onCommit = onChanges ? createStream(onChanges, now) : () => undefined;
  const engine: Engine = { store, queue: createWriteQueue(), now, onCommit };
  const server = createServer(answerRequests(engine));
  try {
    const listening = await listen(server, port);
    const sweeps = startSweeps(engine, sweepSeconds);
    let closed: Promise<void> | undefined;
    const close = async (): Promise<void> => {
      await listening.close();
      await sweeps.stop();
      await engine.queue.drain();
      await store.db.close();
    };
    return {
      endpoint: listening.endpoint,
      close() {
        closed ??= close();
        return closed;
      },
    };
  } catch (error) {
    await store.db.close();
    throw error;
  }
}

function createStream(
  onChanges: (records: DynamoDBRecord[]) => void,
  now: () => number,
): Engine['onCommit'] {
  const recordChanges = createStreamRecorder(now);
  return (changes, by) => {
    const records = recordChanges(changes, by);
    if (records.length > 0) onChanges(records);
  };
}

async function listen(server: Server, port: number): Promise<Listening> {
  // A client that sends on a kept connection in the moment the server drops it sees a reset, and
  // cannot know whether its write was done. So idle connections stay until `close`.
  server.keepAliveTimeout = 0;
  try {
    return await listenOnLoopback(server, port);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`The embedded DynamoDB cannot listen on port ${port} (${reason}).`, {
      cause: error,
    });
  }
}

function startSweeps(engine: Engine, seconds: number): { stop(): Promise<void> } {
  let running: Promise<void> | undefined;
  const sweep = (): void => {
    running ??= sweepExpired(engine)
      .catch((error) => console.error('Embedded DynamoDB: the sweep failed:', error))
      .finally(() => {
        running = undefined;
      });
  };
  const timer = setInterval(sweep, seconds * 1000).unref();
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
