import { Readable } from 'node:stream';

export interface ClientOptions {
  /** Overrides the address that the SDK finds in its environment. */
  readonly endpoint?: string;
  /** Overrides the region from the environment. */
  readonly region?: string;
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
  /** 3 by default. Set 1 if a call must not be sent twice. */
  readonly maxAttempts?: number;
  /** The time for one attempt, up to the last byte of the response. */
  readonly attemptMs?: number;
}

/** Short compared with a function's own time, so that a lost response is retried. */
const defaultAttemptMs = 5_000;
const longestConnectMs = 3_000;

/** Options of every client, under the SDK's names. */
interface Limits extends Omit<ClientOptions, 'attemptMs' | 'maxAttempts'> {
  readonly maxAttempts: number;
  readonly requestHandler: {
    readonly connectionTimeout: number;
    readonly requestTimeout: number;
    readonly throwOnRequestTimeout: boolean;
  };
}

type Attempt = (parameters: never) => Promise<{ readonly response: unknown }>;

/** The part that all clients of the SDK share. */
interface Client {
  readonly middlewareStack: {
    add(
      middleware: (next: Attempt) => Attempt,
      place: { readonly name: string; readonly step: 'deserialize'; readonly priority: 'low' },
    ): void;
  };
}

/** The SDK retries errors with this name. */
class AnswerTooLateError extends Error {
  override readonly name = 'TimeoutError';
}

/**
 * Opens a client of the AWS SDK whose attempts always end. The SDK's own timeout covers only the time
 * until a response begins, and without `throwOnRequestTimeout` it only warns. Here the rest of the
 * response, which may arrive byte by byte, must arrive in the remaining time.
 */
export function openClient<C extends Client>(
  Kind: new (limits: Limits) => C,
  { attemptMs = defaultAttemptMs, ...place }: ClientOptions = {},
): C {
  const client = new Kind({
    maxAttempts: 3,
    ...place,
    requestHandler: {
      connectionTimeout: Math.min(longestConnectMs, attemptMs),
      requestTimeout: attemptMs,
      throwOnRequestTimeout: true,
    },
  });
  client.middlewareStack.add(
    (next) => async (parameters) => {
      const beganAt = performance.now();
      const answer = await next(parameters);
      endBody(answer.response, attemptMs - (performance.now() - beganAt));
      return answer;
    },
    // Closest to the socket, so that it runs once per attempt.
    { name: 'endLateAnswers', step: 'deserialize', priority: 'low' },
  );
  return client;
}

function endBody(response: unknown, remainingMs: number): void {
  const body = readBody(response);
  if (!body) return;
  const late = setTimeout(
    () => body.destroy(new AnswerTooLateError('The response did not end in time.')),
    Math.max(0, remainingMs),
  );
  body.once('close', () => clearTimeout(late));
  // Readers get the error themselves. Without a reader it must not crash the process.
  body.on('error', () => undefined);
}

function readBody(response: unknown): Readable | undefined {
  const hasBody = typeof response === 'object' && response !== null && 'body' in response;
  return hasBody && response.body instanceof Readable ? response.body : undefined;
}
