import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { MessagePort } from 'node:worker_threads';
import { type Listening, listenOnLoopback } from '../loopback/listen-on-loopback.ts';
import { answerRequests } from './answer-requests.ts';
import { answerInProcess } from './documents/answer-in-process.ts';
import { ConditionFailedError } from './operations/evaluate-write.ts';
import { deleteItem } from './operations/write-items.ts';
import { Replica, type ReplicaOptions } from './replica/replica.ts';
import { enterReplica } from './replica/replica-folder.ts';
import { ChangeStream, type Wanted } from './store/change-stream.ts';
import type { Database } from './store/database.ts';
import type { Engine } from './store/engine.ts';
import { GroupCommit } from './store/group-commit.ts';
import { ItemStore } from './store/item-store.ts';
import { type DatabaseOptions, fileNames, openDatabase } from './store/open-database.ts';
import { keyNames, pickNames, type TableDefinition } from './store/table-definition.ts';
import { TableStore } from './store/table-store.ts';
import { forgetExpiredTokens } from './store/token-store.ts';
import { openTableFigures } from './table-figures.ts';
import { serveLives, serveRequests } from './table-port.ts';
import type { Item } from './values/attribute-value.ts';

export type EmbeddedDynamoDb = Awaited<ReturnType<typeof startEmbeddedDynamoDb>>;

export interface EmbeddedDynamoDbOptions extends EngineOptions {
  /** 0 picks a free port. */
  readonly port?: number;
  /** Must begin the path of every request, unless the table is open. The endpoint includes it. */
  readonly key?: string;
  /** Whether programs that do not know the key may use the table. By default if there is none. */
  readonly isOpen?: boolean;
  /** How often expired items are deleted. */
  readonly sweepSeconds?: number;
  /** Keeps a copy of the database in another folder. Only if the data is on disk. */
  readonly replica?: ReplicaOptions | undefined;
}

export async function startEmbeddedDynamoDb({
  port = 0,
  key = '',
  isOpen = key === '',
  sweepSeconds = 60,
  replica: replicaOptions,
  ...options
}: EmbeddedDynamoDbOptions = {}) {
  // Fenced data is not even opened.
  const openReplica = await prepareReplica(options.path, replicaOptions);
  const engine = openEngine(options);
  const server = createServer(answerRequests(engine, { key, isOpen }));
  try {
    const listening = await listen(server, port);
    const replica = openReplica?.(engine.database);
    const sweeps = startSweeps(engine, sweepSeconds);
    const closing = new AbortController();
    let closed: Promise<void> | undefined;
    const close = async (): Promise<void> => {
      closing.abort();
      await listening.close();
      await sweeps.stop();
      engine.database.close();
      await replica?.close();
    };
    return {
      /** For tools that run next to the service. */
      endpoint: key === '' ? listening.endpoint : `${listening.endpoint}/${key}`,
      /** Serves clients in this process without a socket. */
      connection: answerInProcess(engine),
      stream: engine.stream,
      /** Serves another thread of this process, which answers requests. */
      serveRequests: (port: MessagePort) => serveRequests(port, engine),
      /** Serves another thread of this process, which reads the stream. */
      serveLives: (port: MessagePort, stream: ChangeStream, readers: readonly string[]) =>
        serveLives(port, engine, stream, readers),
      /** Waits for the copy of what is committed now, if there is one. */
      waitForCopy: async () => replica?.waitForCopy(),
      figures: openTableFigures(engine, closing.signal, replica),
      close() {
        closed ??= close();
        return closed;
      },
    };
  } catch (error) {
    engine.database.close();
    throw error;
  }
}

async function prepareReplica(path: string | undefined, options: ReplicaOptions | undefined) {
  if (!options) return undefined;
  if (path === undefined) throw new Error('Only data on a disk can have a replica (REPLICA_DIR).');
  const own = await enterReplica(options.place, path);
  const main = join(path, fileNames.main);
  return (database: Database) => new Replica(database, main, own, options);
}

async function listen(server: Server, port: number): Promise<Listening> {
  // A client that reuses a connection just as the server closes it gets a reset and cannot know
  // whether its write took effect. So idle connections stay open until `close`.
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
  let stopped = false;
  const sweepAll = async (): Promise<void> => {
    // Yields between batches, so that requests are served.
    while (!stopped && !engine.database.isDamaged && sweepExpired(engine)) await nextTurn();
  };
  const sweep = (): void => {
    running ??= sweepAll()
      .catch((error) => console.error('Embedded DynamoDB: the sweep failed:', error))
      .finally(() => {
        running = undefined;
      });
  };
  const timer = setInterval(sweep, seconds * 1000).unref();
  return {
    async stop() {
      clearInterval(timer);
      stopped = true;
      await running;
    },
  };
}

interface EngineOptions extends DatabaseOptions {
  /** Milliseconds since 1970. Decides when items and transaction tokens expire. */
  readonly now?: () => number;
  /** Selects the changes that go into the stream. Without it, there is no stream. */
  readonly wanted?: Wanted;
}

export function openEngine({ now = Date.now, wanted, ...options }: EngineOptions = {}): Engine {
  const database = openDatabase(options);
  const commits = new GroupCommit(database);
  const tables = new TableStore(database);
  return {
    database,
    commits,
    tables,
    items: new ItemStore(database, tables),
    stream: wanted && new ChangeStream(database, commits, wanted, now),
    now,
  };
}

// Like DynamoDB, ignore older times. They are probably mistakes, so the items stay.
const oldestSeconds = 5 * 365 * 24 * 3600;
const batchSize = 100;

/** Deletes a batch of expired items. Returns whether there may be more. */
function sweepExpired(engine: Engine): boolean {
  const { database, tables, items } = engine;
  const now = Math.floor(engine.now() / 1000);
  forgetExpiredTokens(database, engine.now());
  let found = 0;
  for (const name of tables.names) {
    const table = tables.require(name);
    const attribute = tables.timeToLive(table);
    if (attribute === undefined) continue;
    const expired = items.findExpired(table, now - oldestSeconds, now, batchSize);
    for (const item of expired) deleteExpired(engine, table, attribute, item, now);
    found = Math.max(found, expired.length);
  }
  return found === batchSize;
}

function deleteExpired(
  engine: Engine,
  table: TableDefinition,
  attribute: string,
  item: Item,
  now: number,
): void {
  const request = {
    TableName: table.name,
    Key: pickNames(item, keyNames(table)),
    ConditionExpression: '#expires <= :now',
    ExpressionAttributeNames: { '#expires': attribute },
    ExpressionAttributeValues: { ':now': { N: String(now) } },
  };
  try {
    deleteItem(engine, request, 'expiry');
  } catch (error) {
    if (!(error instanceof ConditionFailedError)) throw error;
  }
}
