const ownErrors = 'com.amazonaws.dynamodb.v20120810';
const commonErrors = 'com.amazon.coral.service';

/** An error response of DynamoDB. */
export class ServiceError extends Error {
  readonly type: string;
  readonly status: number;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(
    type: string,
    message: string,
    { status = 400, ...details }: { status?: number; [detail: string]: unknown } = {},
  ) {
    super(message);
    this.type = type;
    this.status = status;
    this.details = details;
  }

  get body(): object {
    const { type, message, details } = this;
    const isOwn = type !== 'SerializationException' && type !== 'UnknownOperationException';
    return { __type: `${isOwn ? ownErrors : commonErrors}#${type}`, message, ...details };
  }
}

export function invalid(message: string): ServiceError {
  return new ServiceError('ValidationException', message);
}

/** Creates an error with the prefix that DynamoDB uses for most invalid values. */
export function invalidParameter(reason: string): ServiceError {
  return invalid(`One or more parameter values were invalid: ${reason}`);
}

/** The database does not hold what was written to it. A person must repair or restore it. */
export class DamageError extends Error {
  override name = 'DamageError';
}

/** The data was written by another version of Slipway. */
export class OtherLayoutError extends Error {
  override name = 'OtherLayoutError';
}

/** Ends every message about damage. */
export const damageHelp = 'What to do is in docs/restore.md, "A damaged data folder".';
