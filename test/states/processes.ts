import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { SentCommand } from '#lib/table/connection.ts';
import type { Table } from '#lib/table/table.ts';
import {
  answerCommand,
  nameOperation,
  readItem,
} from '#local/dynamodb/documents/answer-in-process.ts';
import { type Call, type RemoteJob, type Reply, tableName } from './world.ts';

/**
 * A process is where it is by the replies that it got, because its code does nothing by chance. So
 * its place is a node of a tree, and is reached again by running the code with the same replies.
 */
export interface Place {
  readonly id: number;
  readonly task: Task;
  readonly replies: readonly Reply[];
  /** The call that it makes next. Undefined once it is done. */
  readonly next: Call | undefined;
  /** What came of it, once it is done. */
  readonly result: unknown;
  readonly children: Map<string, Place>;
}

/** A piece of the service's code, which runs from its beginning to its end in one process. */
export interface Task {
  readonly name: string;
  run(): Promise<unknown>;
  /** The request that it answers, if it answers one. */
  readonly answers?: 'job' | 'batch';
  /** Fills what the code would take from chance. */
  readonly seed: number;
}

interface Replay {
  readonly replies: readonly Reply[];
  made: number;
  pause(call: Call): void;
}

let replay: Replay = { replies: [], made: 0, pause: () => undefined };
let seed = 0;

/** Bytes in place of random ones, different for each attempt of a task. */
export function seededBytes(count: number): Buffer {
  return Buffer.alloc(count, seed + 1);
}

const client = DynamoDBDocumentClient.from(new DynamoDBClient({ region: 'eu-central-1' }));
Object.assign(client, { send });

/** The table as all tasks see it. */
export const table: Table = { name: tableName, client };

async function send(command: SentCommand): Promise<object> {
  const operation = nameOperation(command);
  const run = async (_name: string, request: object) => {
    const sent = forgetsConditions ? withoutConditions(request) : request;
    const { outcome } = await take({ to: 'table', operation, request: sent });
    if ('remote' in outcome) throw new Error('The table did not answer.');
    if (outcome.refusal) throw outcome.refusal;
    return outcome.answer;
  };
  return answerCommand(run, operation, command.input, readItem);
}

/** Calls the HPC system. */
export async function callSystem(
  operation: Extract<Call, { to: 'system' }>['operation'],
  jobId: string,
): Promise<RemoteJob> {
  const { outcome } = await take({ to: 'system', operation, jobId });
  if (!('remote' in outcome)) throw new Error('The system did not answer.');
  return outcome.remote;
}

/** Returns the recorded reply, or never returns: then the process stands before this call. */
function take(call: Call): Promise<Reply> {
  const current = replay;
  const reply = current.replies[current.made];
  current.made += 1;
  if (reply) return Promise.resolve(reply);
  current.pause(call);
  return new Promise(() => undefined);
}

let places = 0;
let forgetsConditions = false;
const beginnings = new Map<string, Place>();

/**
 * Begins another scenario. With `conditions` the table takes every write, whatever its condition
 * says, as if the code had forgotten them all.
 */
export function forgetTasks(conditions = false): void {
  beginnings.clear();
  forgetsConditions = conditions;
}

/** Lets every condition of a request hold. */
function withoutConditions(request: object): object {
  return JSON.parse(
    JSON.stringify(request, (name, value) =>
      name === 'ConditionExpression' ? `(${value}) OR attribute_not_exists(nowhere)` : value,
    ),
  );
}

/** Returns the place of a process that begins a task. */
export async function begin(task: Task): Promise<Place> {
  const known = beginnings.get(task.name);
  if (known) return known;
  const place = await reach(task, []);
  beginnings.set(task.name, place);
  return place;
}

/** Returns where a process stands after a reply. */
export async function proceed(place: Place, reply: Reply): Promise<Place> {
  const known = place.children.get(reply.name);
  if (known) return known;
  const next = await reach(place.task, [...place.replies, reply]);
  place.children.set(reply.name, next);
  return next;
}

async function reach(task: Task, replies: readonly Reply[]): Promise<Place> {
  const paused = Promise.withResolvers<Call>();
  replay = { replies, made: 0, pause: paused.resolve };
  const current = replay;
  seed = task.seed;
  const done = task.run().then(
    (result) => ({ next: undefined, result }),
    (error: unknown) => ({ next: undefined, result: error }),
  );
  const stands = await Promise.race([
    done,
    paused.promise.then((next) => ({ next, result: undefined })),
  ]);
  if (current.made > replies.length + 1) throw new Error(`${task.name} makes calls side by side.`);
  places += 1;
  return { id: places, task, replies, ...stands, children: new Map() };
}
