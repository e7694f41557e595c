const ownErrors = 'com.amazonaws.dynamodb.v20120810';
const commonErrors = 'com.amazon.coral.service';

/** A refusal of DynamoDB. */
export class ServiceError extends Error {
  readonly type: string;
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;

  constructor(
    type: string,
    message: string,
    { status = 400, ...details }: { status?: number; [detail: string]: unknown } = {},
  ) {
    super(message);
    this.type = type;
    this.status = status;
    const isOwn = type !== 'SerializationException' && type !== 'UnknownOperationException';
    this.body = { __type: `${isOwn ? ownErrors : commonErrors}#${type}`, message, ...details };
  }
}

export function invalid(message: string): ServiceError {
  return new ServiceError('ValidationException', message);
}

/** Refuses a value in the words that most such refusals begin with. */
export function invalidParameter(reason: string): ServiceError {
  return invalid(`One or more parameter values were invalid: ${reason}`);
}

/** What the database holds is not what was written. A person has to look at it. */
export class DamageError extends Error {
  override name = 'DamageError';
}

/** Another version of Slipway wrote the data. */
export class OtherLayoutError extends Error {
  override name = 'OtherLayoutError';
}

/** The page that a message about damage refers to. */
export const damageHelp = 'What to do is in docs/restore.md, "A damaged data folder".';
