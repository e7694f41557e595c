import * as v from 'valibot';
import { routes } from '#functions/routes.ts';
import type { ScheduleName } from '#functions/schedules.ts';
import { publishInProcess } from '#lib/events/publish-events.ts';
import { storeInProcess } from '#lib/files/storage/direct-store.ts';
import type { Connector, ConnectorMeans } from '#lib/hpc/connector.ts';
import { keepCredentialsInProcess } from '#lib/hpc/credentials.ts';
import type { ApiHandler } from '#lib/http/chain/api-handler.ts';
import { findRoute } from '#lib/http/routes/route.ts';
import { connectInProcess } from '#lib/table/connection.ts';
import { openTable, type Table } from '#lib/table/table.ts';
import { describeTable } from '#local/create-table.ts';
import { runOperation, runTogether } from '#local/dynamodb/dispatch/run-operation.ts';
import { connectBy } from '#local/dynamodb/documents/answer-in-process.ts';
import { openEngine } from '#local/dynamodb/embedded-dynamodb.ts';
import {
  type LoadedSchedule,
  loadListeners,
  loadSchedule,
  loadSchedules,
  loadStreamReaders,
} from '#local/load-handlers.ts';
import type { LoadedListener } from '#local/stream/call-listeners.ts';
import { type LoadedReader, matchesFilter } from '#local/stream/follow-stream.ts';
import { type BusEvent, PutEventsRequest, putEvents } from '#local/stream/put-events.ts';
import { apiEvent, lambdaContext, type RequestFixture } from '../fixtures/api-event.ts';
import { createMemoryFiles } from '../fixtures/memory-files.ts';
import '../fixtures/captured-log.ts';
import { AsyncLocalStorage } from 'node:async_hooks';
import { issuer } from '../setup/function-environment.ts';
import type { Fault, TableCall } from './fault.ts';
import type { Witness } from './witness.ts';

/** The fault that is switched on. Everything below asks for it at each call. */
let fault: Fault | undefined;

/** How many calls have met a party that was at fault. */
let met = 0;

function meet<T>(part: T | undefined): T | undefined {
  if (part !== undefined) met += 1;
  return part;
}

/** The process of one call of a function, which may die. */
interface Process {
  isDead: boolean;
}

class KilledError extends Error {
  override readonly name = 'KilledError';
}

const processes = new AsyncLocalStorage<Process>();

/** Every call to another party is a place to die at. Afterwards the process makes no other call. */
function live(): void {
  const process = processes.getStore();
  if (!process) return;
  if (!process.isDead && fault?.kill?.()) {
    met += 1;
    process.isDead = true;
  }
  if (process.isDead) throw new KilledError();
}

/** Runs a function in a process of its own. A dead process gives no answer. */
async function invoke<T>(call: () => Promise<T>): Promise<T> {
  const process: Process = { isDead: false };
  const answer = await processes.run(process, call);
  if (process.isDead) throw new KilledError();
  return answer;
}

/** Jobs that a system was asked to start although it had them. */
let doubled: string[] = [];

/**
 * Stands between the functions and a simulator. Calls need the credentials of the system, as those
 * of real ones do, and a start of a job that the system already had is noted.
 */
export function surround(real: Connector, { openCredentials }: ConnectorMeans): Connector {
  const noting: Connector = {
    ...real,
    async submit(order) {
      try {
        return await real.submit(order);
      } catch (error) {
        // Without this refusal of the simulator, a real system would run the job twice.
        if (String(error).includes('submitted twice')) doubled.push(order.jobId);
        throw error;
      }
    },
  };
  const call = async <T>(work: (connector: Connector) => Promise<T>): Promise<T> => {
    live();
    await openCredentials().read();
    return work(meet(fault?.system?.(noting)) ?? noting);
  };
  return {
    ...real,
    submit: (order) => call((connector) => connector.submit(order)),
    findByTag: (tag) => call((connector) => connector.findByTag(tag)),
    lookUp: (jobs) => call((connector) => connector.lookUp(jobs)),
    cancel: (job) => call((connector) => connector.cancel(job)),
    listFiles: (job) => call((connector) => connector.listFiles(job)),
    openFile: (job, fileId) => call((connector) => connector.openFile(job, fileId)),
    checkHealth: () => call((connector) => connector.checkHealth()),
  };
}

type Engine = ReturnType<typeof openEngine>;

/** The time that a deployed function has. */
const functionMs = 300_000;

/** EventBridge repeats a call of a function that fails, then keeps the event in a queue of its own. */
const triesOfAnEvent = 3;

/**
 * All functions as they are deployed, on a table, a storage and a bus in this process. A round calls
 * every schedule once, and afterwards what the stream and the bus have to tell is told.
 */
export class Deployment {
  readonly table: Table;
  readonly #engine: () => Engine;
  readonly #handler: ApiHandler;
  readonly #schedules: readonly LoadedSchedule[];
  readonly #readers: readonly LoadedReader[];
  readonly #listeners: readonly LoadedListener[];
  readonly #queue: Waiting[];
  /** Events whose listener failed, for the next time. */
  readonly #failed: Waiting[] = [];
  /** Events whose listener failed too often, as in the dead-letter queue of a deployment. */
  readonly #deadLetters: Waiting[] = [];
  /** Readers at work. Each gets its records in order, one batch at a time. */
  readonly #reading = new Set<string>();
  readonly #positions = new Map<string, number>();
  readonly #witness: Witness | undefined;
  /** Calls of functions that threw, which a deployment repeats. */
  failedCalls = 0;

  constructor(parts: Parts) {
    this.table = parts.table;
    this.#engine = parts.engine;
    this.#handler = parts.handler;
    this.#schedules = parts.schedules;
    this.#readers = parts.readers;
    this.#listeners = parts.listeners;
    this.#queue = parts.queue;
    this.#witness = parts.witness;
  }

  begin(chosen: Fault): void {
    met = 0;
    fault = chosen;
  }

  /** Switches the fault off, and returns how many calls met it. */
  end(): number {
    fault = undefined;
    return met;
  }

  /** Jobs that a system was asked to start although it had them, until now. */
  takeDoubled(): readonly string[] {
    const taken = doubled;
    doubled = [];
    return taken;
  }

  /** All records of the stream, in order. */
  readChanges() {
    return this.#engine().stream?.read(0, 1_000_000) ?? [];
  }

  async call(user: string, request: RequestFixture) {
    const authorization = `Bearer ${issuer.issueToken({ user })}`;
    const event = apiEvent({ ...request, headers: { authorization, ...request.headers } });
    const answer = await invoke(() => this.#handler(event, { ...lambdaContext })).catch(
      () => undefined,
    );
    const name = findRoute(routes, event.requestContext.http.method, event.rawPath) ?? 'fallback';
    this.#witness?.ran(name, answer !== undefined);
    this.#witness?.answered(answer?.statusCode ?? 503);
    // The gateway has an answer of its own for a function that dies.
    if (!answer) return { status: 503, headers: { 'retry-after': '1' }, body: {} };
    const { statusCode, headers, body } = answer;
    return { status: statusCode, headers: headers ?? {}, body: JSON.parse(body ?? 'null') };
  }

  async round(): Promise<void> {
    const context = makeContext();
    await Promise.all(
      this.#schedules.map(({ name, call }) =>
        this.#run(name, () => call(context)).catch(() => this.#countFailure()),
      ),
    );
    await this.tell();
  }

  /** Tells readers and listeners everything that is new, until nothing more follows from it. */
  async tell(): Promise<void> {
    this.#queue.push(...this.#failed.splice(0));
    let moved = true;
    while (moved) {
      const read = await Promise.all(
        this.#readers
          .filter(({ name }) => !this.#reading.has(name))
          .map(async (reader) => {
            this.#reading.add(reader.name);
            return this.#read(reader).finally(() => this.#reading.delete(reader.name));
          }),
      );
      const delivered = await this.#deliver();
      moved = delivered || read.includes(true);
    }
  }

  /** Returns whether a reader moved on. After a failure it reads the same records the next time. */
  async #read({ name, filters, handler }: LoadedReader): Promise<boolean> {
    const position = this.#positions.get(name) ?? 0;
    const batch = this.#engine().stream?.read(position, 100) ?? [];
    const last = batch.at(-1);
    if (!last) return false;
    const records = batch
      .map(({ record }) => record)
      .filter((record) => filters.some((filter) => matchesFilter(record, filter)));
    const [oldest] = records;
    if (oldest) this.#witness?.read(name, oldest.dynamodb?.ApproximateCreationDateTime ?? 0);
    try {
      const answer = v.safeParse(
        PartialFailure,
        await this.#run(name, () =>
          handler({ Records: records }, { getRemainingTimeInMillis: () => 0 }),
        ),
      );
      const failed = answer.success ? answer.output.batchItemFailures : [];
      if (failed.length > 0) throw new Error('Some records are to be told again.');
    } catch {
      this.#countFailure();
      return false;
    }
    this.#positions.set(name, last.position);
    return true;
  }

  async #deliver(): Promise<boolean> {
    const waiting = this.#queue.splice(0);
    const tries = new Map(waiting.map((each) => [each.event, each.tries]));
    const all = waiting.map(({ event }) => event);
    const { now, later } = meet(fault?.deliver?.(all)) ?? { now: all, later: [] };
    const failed: BusEvent[] = [];
    await Promise.all(
      now.flatMap((event) =>
        this.#listeners
          .filter(({ source }) => source === event.source)
          .map(({ name, handler }) =>
            this.#run(name, () => handler(event, makeContext())).catch(() => {
              this.#countFailure();
              failed.push(event);
              if ((tries.get(event) ?? 0) + 1 === triesOfAnEvent) this.#witness?.putAside(name);
            }),
          ),
      ),
    );
    for (const event of new Set(failed)) {
      const each = { event, tries: (tries.get(event) ?? 0) + 1 };
      (each.tries < triesOfAnEvent ? this.#failed : this.#deadLetters).push(each);
    }
    this.#queue.push(...later.map((event) => ({ event, tries: tries.get(event) ?? 0 })));
    return now.length > failed.length;
  }

  /** Sends dead letters again, as an operator does after the alarm. Returns how many there were. */
  async redrive(): Promise<number> {
    const letters = this.#deadLetters.splice(0);
    this.#queue.push(...letters.map(({ event }) => ({ event, tries: 0 })));
    await this.tell();
    return letters.length;
  }

  /** Runs a function that nobody waits for. */
  async #run<T>(name: string, call: () => Promise<T>): Promise<T> {
    try {
      const answer = await invoke(call);
      this.#witness?.ran(name, true);
      return answer;
    } catch (error) {
      this.#witness?.ran(name, false);
      throw error;
    }
  }

  #countFailure(): void {
    this.failedCalls += 1;
  }
}

const PartialFailure = v.object({
  batchItemFailures: v.array(v.object({ itemIdentifier: v.string() })),
});

interface Waiting {
  readonly event: BusEvent;
  readonly tries: number;
}

interface Parts {
  readonly table: Table;
  readonly engine: () => Engine;
  readonly handler: ApiHandler;
  readonly schedules: readonly LoadedSchedule[];
  readonly readers: readonly LoadedReader[];
  readonly listeners: readonly LoadedListener[];
  readonly queue: Waiting[];
  readonly witness: Witness | undefined;
}

function makeContext() {
  const endsAt = performance.now() + functionMs;
  return { getRemainingTimeInMillis: () => Math.max(0, endsAt - performance.now()) };
}

/** Loads the functions once. Each call of what is returned gives them an empty table and storage. */
export async function loadDeployment(
  more: readonly ScheduleName[] = [],
): Promise<(witness?: Witness) => Deployment> {
  let engine: Engine;
  let files: ReturnType<typeof createMemoryFiles>;
  let queue: Waiting[] = [];
  let witness: Witness | undefined;
  const name = process.env.TABLE_NAME ?? '';
  const bus = process.env.EVENT_BUS_NAME ?? '';
  const run = (operation: string, request: object) => runTogether(engine, operation, request);
  connectInProcess(
    connectBy(async (operation, request) => {
      live();
      const call: TableCall = { name: operation, request: { ...request } };
      const send = async (asked: TableCall['request']) => ({ ...(await run(operation, asked)) });
      const answer = async () =>
        (await (meet(fault?.table?.(call, send)) ?? send(call.request))) as never;
      return witness ? witness.asked(answer) : answer();
    }),
  );
  storeInProcess((bucket) => {
    const choose = () => {
      live();
      const store = bucket === process.env.INPUTS_BUCKET ? files.inputs : files.results;
      return meet(fault?.storage?.(store)) ?? store;
    };
    return {
      put: (key, bytes) => choose().put(key, bytes),
      putFrom: (key, source) => choose().putFrom(key, source),
      read: (key, range) => choose().read(key, range),
      open: (key) => choose().open(key),
      measure: (key) => choose().measure(key),
      remove: (key) => choose().remove(key),
      parts: {
        begin: (key, bytes) => choose().parts.begin(key, bytes),
        list: (key, id) => choose().parts.list(key, id),
        join: (key, id, parts) => choose().parts.join(key, id, parts),
      },
    };
  });
  keepCredentialsInProcess(() => ({
    async read() {
      if (fault?.secrets) met += 1;
      fault?.secrets?.();
      return { token: 'a token' };
    },
    forget: () => undefined,
  }));
  publishInProcess((client) => {
    const send = async ({ input }: { readonly input: unknown }) => {
      live();
      const put = async () => {
        const { events, answer } = putEvents(v.parse(PutEventsRequest, input), bus, new Date());
        queue.push(...events.map((event) => ({ event, tries: 0 })));
        return answer;
      };
      return meet(fault?.bus?.(put)) ?? put();
    };
    Object.assign(client, { send });
  });
  const table = openTable(name);
  const { anyHandler: handler } = await import('../fixtures/any-handler.ts');
  const [schedules, others, readers, listeners] = await Promise.all([
    loadSchedules(),
    Promise.all(more.map((each) => loadSchedule(each))),
    loadStreamReaders(),
    loadListeners(),
  ]);
  return (chosen) => {
    witness = chosen;
    engine = openEngine({ wanted: () => true });
    runOperation(engine, 'CreateTable', describeTable(name));
    files = createMemoryFiles();
    queue = [];
    const own = engine;
    return new Deployment({
      table,
      engine: () => own,
      handler,
      schedules: [...schedules, ...others],
      readers,
      listeners,
      queue,
      witness,
    });
  };
}
