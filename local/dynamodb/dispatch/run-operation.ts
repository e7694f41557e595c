import type { Answer } from '../operations/answer.ts';
import { ServiceError } from '../refusals/service-error.ts';
import type { Engine } from '../store/engine.ts';
import type { Caller } from '../store/group-commit.ts';
import { operations } from './operations.ts';

export type Outcome =
  | { readonly answer: Answer; readonly refusal?: never }
  | { readonly refusal: ServiceError };

/** Whatever happens is an answer or a refusal. */
export function runOperation(engine: Engine, name: string, body: unknown): Outcome {
  try {
    return { answer: callOperation(engine, name, body) };
  } catch (error) {
    return { refusal: explainFailure(engine, error) };
  }
}

/** The same for a caller of this process, together with what others call in the same turn. */
export async function runTogether(
  engine: Engine,
  name: string,
  body: unknown,
  caller?: Caller,
): Promise<Answer> {
  try {
    return await engine.commits.run(() => callOperation(engine, name, body), caller);
  } catch (error) {
    throw explainFailure(engine, error);
  }
}

function callOperation(engine: Engine, name: string, body: unknown): Answer {
  const operation = operations.get(name);
  if (operation) return operation(engine, body);
  throw new ServiceError('UnknownOperationException', `No such operation: ${name}`);
}

function explainFailure(engine: Engine, error: unknown): ServiceError {
  return error instanceof ServiceError ? error : describeFailure(engine, error);
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
