import { CredentialsRefusedError, SystemUnavailableError } from '../errors.ts';

/** AWS names throttling differently from one front to the next. Nothing was done in any case. */
const throttled: ReadonlySet<string> = new Set([
  'TooManyRequestsException',
  'ThrottlingException',
  'Throttling',
  'ThrottledException',
  'RequestThrottled',
  'RequestThrottledException',
  'RequestLimitExceeded',
  'SlowDown',
]);

const refused: ReadonlySet<string> = new Set([
  'AccessDenied',
  'AccessDeniedException',
  'UnrecognizedClientException',
  'InvalidClientTokenId',
  'ExpiredToken',
  'ExpiredTokenException',
  'InvalidSignatureException',
  'SignatureDoesNotMatch',
  'MissingAuthenticationToken',
  'IncompleteSignature',
  'CredentialsProviderError',
]);

export function isThrottled(error: unknown): boolean {
  return throttled.has(nameOf(error)) || statusOf(error) === 429;
}

/** True if AWS Batch understood the call and refuses it. Nothing was done. */
export function isClientException(error: unknown): error is Error {
  return nameOf(error) === 'ClientException' || nameOf(error) === 'ValidationException';
}

/** Returns the error for a call that failed, and its own error for one that AWS Batch refused. */
export function explainFailure(call: string, error: unknown): unknown {
  if (isClientException(error)) return error;
  const name = nameOf(error);
  const status = statusOf(error);
  const said = error instanceof Error ? error.message : String(error);
  const message = `${call}: ${name}${status === undefined ? '' : ` (HTTP ${status})`}: ${said}`;
  if (refused.has(name) || status === 401 || status === 403) {
    return new CredentialsRefusedError(message);
  }
  return new SystemUnavailableError(message, { cause: error });
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : '';
}

function statusOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('$metadata' in error)) return undefined;
  const { $metadata: metadata } = error;
  if (typeof metadata !== 'object' || metadata === null || !('httpStatusCode' in metadata)) {
    return undefined;
  }
  const { httpStatusCode: status } = metadata;
  return typeof status === 'number' ? status : undefined;
}
