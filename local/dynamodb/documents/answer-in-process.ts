import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  ConditionalCheckFailedException,
  CreateTableCommand,
  DescribeTableCommand,
  DynamoDBServiceException,
  ResourceInUseException,
  ResourceNotFoundException,
  TransactionCanceledException,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  ScanCommand,
  TransactGetCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import type { Connection, SentCommand } from '#lib/table/connection.ts';
import { translateFailure } from '#lib/table/translate-failures.ts';
import { runOperation, runTogether } from '../dispatch/run-operation.ts';
import type { Answer } from '../operations/answer.ts';
import type { Engine } from '../store/engine.ts';
import { ServiceError } from '../values/errors.ts';
import {
  type ReadItem,
  readAnswer,
  readItem,
  readRememberedItem,
  writeRequest,
} from './read-answer.ts';

const operationsOf: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  [CreateTableCommand, 'CreateTable'],
  [DescribeTableCommand, 'DescribeTable'],
  [UpdateTimeToLiveCommand, 'UpdateTimeToLive'],
  [BatchGetCommand, 'BatchGetItem'],
  [BatchWriteCommand, 'BatchWriteItem'],
  [DeleteCommand, 'DeleteItem'],
  [GetCommand, 'GetItem'],
  [PutCommand, 'PutItem'],
  [QueryCommand, 'Query'],
  [ScanCommand, 'Scan'],
  [TransactGetCommand, 'TransactGetItems'],
  [TransactWriteCommand, 'TransactWriteItems'],
  [UpdateCommand, 'UpdateItem'],
]);

/** Runs an operation by its name, or throws a ServiceError. */
export type RunOperation = (name: string, request: object) => Promise<Answer>;

/**
 * Lets clients of the process that has the engine call it directly, in the place of the SDK's
 * stack, which is put together anew for each call and writes, signs and sends what nobody sends.
 */
export function answerInProcess(engine: Engine): Connection {
  return connectBy(
    (name, request) =>
      changesTables(name) ? runAlone(engine, name, request) : runTogether(engine, name, request),
    readRememberedItem,
  );
}

/**
 * The same for whoever reaches the engine in another way. Nothing is remembered there: the lives of
 * jobs read each state of an item once.
 */
export function connectBy(run: RunOperation, read = readItem): Connection {
  const send = async (command: SentCommand): Promise<object> => {
    try {
      const kind = command.constructor;
      const name = operationsOf.get(kind) ?? kind.name;
      return await answerCommand(run, name, command.input, read);
    } catch (error) {
      throw translateFailure(error);
    }
  };
  return (client) => Object.assign(client, { send });
}

/** Runs an operation with the input and output of a document client. */
export async function answerCommand(
  run: RunOperation,
  name: string,
  input: object,
  read: ReadItem,
): Promise<object> {
  try {
    return { $metadata: {}, ...readAnswer(await run(name, writeRequest(input)), read) };
  } catch (error) {
    throw error instanceof ServiceError ? describeError(error) : error;
  }
}

/** Each of these for itself: they change what the engine remembers of its tables. */
function changesTables(name: string): boolean {
  return /Table$|TimeToLive$/.test(name);
}

async function runAlone(engine: Engine, name: string, request: object): Promise<Answer> {
  await nextTurn();
  const outcome = runOperation(engine, name, request);
  if (outcome.refusal) throw outcome.refusal;
  return outcome.answer;
}

/** The errors that anybody tells apart by their class; the others have a name. */
const classes = {
  ConditionalCheckFailedException,
  ResourceInUseException,
  ResourceNotFoundException,
  TransactionCanceledException,
};

/** A refusal as a client of the AWS SDK throws it. */
function describeError({ type, status, message, body }: ServiceError): Error {
  const { __type, message: _, ...details } = body;
  const options = {
    name: type,
    message,
    $fault: status < 500 ? ('client' as const) : ('server' as const),
    $metadata: { httpStatusCode: status },
  };
  const known = Object.entries(classes).find(([name]) => name === type)?.[1];
  const error = known ? new known(options) : new DynamoDBServiceException(options);
  return Object.assign(error, JSON.parse(JSON.stringify(details)));
}
