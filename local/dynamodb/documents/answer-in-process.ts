import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  CreateTableCommand,
  DescribeTableCommand,
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
import { ServiceError } from '../refusals/service-error.ts';
import type { Engine } from '../store/engine.ts';
import { describeError } from './describe-error.ts';
import { readAnswer } from './read-answer.ts';
import { writeRequest } from './write-request.ts';

/** Each of them for itself: they change what the engine remembers of its tables. */
const changesOfTables: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  [CreateTableCommand, 'CreateTable'],
  [DescribeTableCommand, 'DescribeTable'],
  [UpdateTimeToLiveCommand, 'UpdateTimeToLive'],
]);

const ofItems: ReadonlyMap<unknown, string> = new Map<unknown, string>([
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

/**
 * Lets clients of the process that has the engine call it directly, in the place of the SDK's
 * stack, which is put together anew for each call and writes, signs and sends what nobody sends.
 */
export function answerInProcess(engine: Engine): Connection {
  const send = async (command: SentCommand): Promise<object> => {
    try {
      return await answerCommand(engine, command);
    } catch (error) {
      throw translateFailure(error);
    }
  };
  return (client) => Object.assign(client, { send });
}

async function answerCommand(engine: Engine, command: SentCommand): Promise<object> {
  const name = ofItems.get(command.constructor);
  if (name !== undefined) return callInProcess(engine, name, command.input);
  await nextTurn();
  const other = changesOfTables.get(command.constructor) ?? command.constructor.name;
  const outcome = runOperation(engine, other, command.input);
  if (outcome.refusal) throw describeError(outcome.refusal);
  return { $metadata: {}, ...outcome.answer };
}

/** One operation by its name, with what a document client is given and gives. */
export async function callInProcess(engine: Engine, name: string, input: object): Promise<object> {
  try {
    const answer = await runTogether(engine, name, writeRequest(input));
    return { $metadata: {}, ...readAnswer(answer) };
  } catch (error) {
    throw error instanceof ServiceError ? describeError(error) : error;
  }
}
