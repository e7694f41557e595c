import type { Answer } from '../operations/answer.ts';
import { ServiceError } from '../refusals/service-error.ts';
import type { Engine } from '../store/engine.ts';
import { operations } from './operations.ts';

export type Outcome =
  | { readonly answer: Answer; readonly refusal?: never }
  | { readonly refusal: ServiceError };

/** Whatever happens is an answer or a refusal. */
export function runOperation(engine: Engine, name: string, body: unknown): Outcome {
  try {
    const operation = operations.get(name);
    if (!operation) {
      throw new ServiceError('UnknownOperationException', `No such operation: ${name}`);
    }
    return { answer: operation(engine, body) };
  } catch (error) {
    return { refusal: error instanceof ServiceError ? error : describeFailure(engine, error) };
  }
}

/** A full disk, a damaged file, a mistake of ours: nothing was written, and the client may repeat it. */
function describeFailure({ database }: Engine, error: unknown): ServiceError {
  database.noteFailure(error);
  // Damage has been told once, by the database.
  if (!database.isDamaged) {
    console.error('Embedded DynamoDB:', error instanceof Error ? error.message : error);
  }
  return new ServiceError('InternalServerError', 'The embedded DynamoDB failed.', { status: 500 });
}
