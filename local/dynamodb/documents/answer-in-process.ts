import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { runOperation } from '../dispatch/run-operation.ts';
import type { Engine } from '../store/engine.ts';
import { describeError } from './describe-error.ts';
import { readAnswer } from './read-answer.ts';
import { writeRequest } from './write-request.ts';

/**
 * Lets a client of the process that has the engine call it directly. It ends the client's stack
 * where a request is still an object: nothing is written as JSON, signed, sent and read again that
 * nobody sends.
 */
export function answerInProcess(engine: Engine): (client: DynamoDBClient) => void {
  return (client) => {
    // It would copy each answer for a logger that is not there.
    client.middlewareStack.remove('loggerMiddleware');
    client.middlewareStack.add(
      (_next, { commandName = '' }) =>
        async ({ input }) => {
          // As with a socket: whoever calls in a loop lets the others have their turn.
          await nextTurn();
          return { response: {}, output: { $metadata: {}, ...call(engine, commandName, input) } };
        },
      { name: 'answerInProcess', step: 'serialize', priority: 'high' },
    );
  };
}

function call(engine: Engine, commandName: string, input: object): object {
  const outcome = runOperation(engine, commandName.replace(/Command$/, ''), writeRequest(input));
  if (outcome.refusal) throw describeError(outcome.refusal);
  return readAnswer(outcome.answer);
}
