import { Readable } from 'node:stream';

export interface ClientOptions {
  /** Another address than the SDK finds in its environment. */
  readonly endpoint?: string;
  /** Other than the SDK finds there. */
  readonly region?: string;
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
  /** For one attempt, from its beginning to the last byte of its answer. */
  readonly attemptMs?: number;
}

/** Short against a function's own time: a lost answer is asked for again instead of waited for. */
const defaultAttemptMs = 5_000;
const longestConnectMs = 3_000;

/** What is set for every client, by the SDK's own names. */
interface Limits extends Omit<ClientOptions, 'attemptMs'> {
  readonly maxAttempts: number;
  readonly requestHandler: {
    readonly connectionTimeout: number;
    readonly requestTimeout: number;
    readonly throwOnRequestTimeout: boolean;
  };
}

type Attempt = (parameters: never) => Promise<{ readonly response: unknown }>;

/** As far as the clients of the SDK are alike. */
interface Client {
  readonly middlewareStack: {
    add(
      middleware: (next: Attempt) => Attempt,
      place: { readonly name: string; readonly step: 'deserialize'; readonly priority: 'low' },
    ): void;
  };
}

/** By this name the SDK knows that it may ask again. */
class AnswerTooLateError extends Error {
  override readonly name = 'TimeoutError';
}

/**
 * A client of AWS whose every attempt comes to an end. The SDK's own time ends when an answer
 * begins, and without `throwOnRequestTimeout` it only warns; the rest of an answer, which may
 * come a byte at a time, has what is left of it here.
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
    // Next to the socket, and so once for each attempt.
    { name: 'endLateAnswers', step: 'deserialize', priority: 'low' },
  );
  return client;
}

function endBody(response: unknown, leftMs: number): void {
  const body = readBody(response);
  if (!body) return;
  const late = setTimeout(
    () => body.destroy(new AnswerTooLateError('The answer did not end in time.')),
    Math.max(0, leftMs),
  );
  body.once('close', () => clearTimeout(late));
  // Whoever reads it hears of its end; where nobody does any more it must not end the process.
  body.on('error', () => undefined);
}

function readBody(response: unknown): Readable | undefined {
  const hasBody = typeof response === 'object' && response !== null && 'body' in response;
  return hasBody && response.body instanceof Readable ? response.body : undefined;
}
