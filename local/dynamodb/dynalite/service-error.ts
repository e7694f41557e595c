import type { ServiceError } from 'dynalite/db/index.js';

class RefusedRequest extends Error implements ServiceError {
  readonly statusCode = 400;
  readonly body: Record<string, unknown>;

  constructor(type: string, message: string, details: Record<string, unknown>) {
    super(message);
    this.body = { __type: `com.amazonaws.dynamodb.v20120810#${type}`, message, ...details };
  }
}

/** An error of the service's own model, in the shape that dynalite gives its errors. */
export function createServiceError(
  type: string,
  message: string,
  details: Record<string, unknown> = {},
): ServiceError {
  return new RefusedRequest(type, message, details);
}

export function isServiceError(error: unknown): error is ServiceError {
  return error instanceof Error && 'statusCode' in error && 'body' in error;
}

/** The error's name without its namespace: `ConditionalCheckFailedException`. */
export function errorType(error: ServiceError): string {
  return String(error.body.__type).split('#').at(-1) ?? '';
}
