import { type Outcome, runOperation } from './dispatch/run-operation.ts';
import { renderAnswer } from './operations/answer.ts';
import { ServiceError } from './refusals/service-error.ts';
import type { Engine } from './store/engine.ts';

export interface CallAnswer {
  readonly status: number;
  /** JSON. */
  readonly text: string;
}

/** One call of DynamoDB's protocol: the operation by its header, and JSON both ways. */
export function answerCall(engine: Engine, target: string, body: string): CallAnswer {
  const name = /^DynamoDB_20120810\.(.+)$/.exec(target)?.[1] ?? target;
  const request = parseJson(body);
  const outcome: Outcome = request ? runOperation(engine, name, request) : { refusal: notJson() };
  return outcome.refusal
    ? { status: outcome.refusal.status, text: JSON.stringify(outcome.refusal.body) }
    : { status: 200, text: renderAnswer(outcome.answer) };
}

function parseJson(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function notJson(): ServiceError {
  return new ServiceError('SerializationException', 'The body is not a JSON object.');
}
