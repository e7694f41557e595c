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
 * Lets clients in the engine's process call it directly. This skips the SDK's middleware stack,
 * which is rebuilt for each call and would serialize and sign requests that are never sent.
 */
export function answerInProcess(engine: Engine): Connection {
  return connectBy(
    (name, request) =>
      changesTables(name) ? runAlone(engine, name, request) : runTogether(engine, name, request),
    readRememberedItem,
  );
}

/**
 * Connects clients through any function that runs operations. Does not cache items by default,
 * because the lives of jobs read each state of an item only once.
 */
export function connectBy(run: RunOperation, read = readItem): Connection {
  const send = async (command: SentCommand): Promise<object> => {
    try {
      return await answerCommand(run, nameOperation(command), command.input, read);
    } catch (error) {
      throw translateFailure(error);
    }
  };
  return (client) => Object.assign(client, { send });
}

export function nameOperation(command: SentCommand): string {
  const kind = command.constructor;
  return operationsOf.get(kind) ?? kind.name;
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

/** Operations on tables run alone, because they change the engine's cached table definitions. */
function changesTables(name: string): boolean {
  return /Table$|TimeToLive$/.test(name);
}

async function runAlone(engine: Engine, name: string, request: object): Promise<Answer> {
  await nextTurn();
  const outcome = runOperation(engine, name, request);
  if (outcome.refusal) throw outcome.refusal;
  return outcome.answer;
}

/** Callers tell these errors apart by class, and all others by name. */
const classes = {
  ConditionalCheckFailedException,
  ResourceInUseException,
  ResourceNotFoundException,
  TransactionCanceledException,
};

/** Converts a refusal to the error that the AWS SDK throws. */
function describeError({ type, status, message, details }: ServiceError): Error {
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
