import { renderAnswer } from './operations/answer.ts';
import { operations } from './operations.ts';
import { ServiceError } from './refusals/service-error.ts';
import type { Engine } from './store/engine.ts';

export interface CallAnswer {
  readonly status: number;
  /** JSON. */
  readonly text: string;
}

/** One call of DynamoDB's protocol: the operation by its header, and JSON both ways. */
export function answerCall(engine: Engine, target: string, body: string): CallAnswer {
  try {
    const operation = operations.get(/^DynamoDB_20120810\.(.+)$/.exec(target)?.[1] ?? '');
    if (!operation) {
      throw new ServiceError('UnknownOperationException', `No such operation: ${target}`);
    }
    return { status: 200, text: renderAnswer(operation(engine, parseJson(body))) };
  } catch (error) {
    const refusal = error instanceof ServiceError ? error : describeFailure(error);
    return { status: refusal.status, text: JSON.stringify(refusal.body) };
  }
}

function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // Told below.
  }
  throw new ServiceError('SerializationException', 'The body is not a JSON object.');
}

/** A full disk, a damaged file, a mistake of ours: nothing was written, and the client may repeat it. */
function describeFailure(error: unknown): ServiceError {
  console.error('Embedded DynamoDB:', error instanceof Error ? error.message : error);
  return new ServiceError('InternalServerError', 'The embedded DynamoDB failed.', { status: 500 });
}
