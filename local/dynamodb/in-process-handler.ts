import { setImmediate as nextTurn } from 'node:timers/promises';
import { answerCall } from './answer-call.ts';
import type { Engine } from './store/engine.ts';

interface Request {
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

interface Response {
  readonly response: {
    readonly statusCode: number;
    readonly headers: Record<string, string>;
    readonly body: Uint8Array;
  };
}

/** What a client of the AWS SDK sends its requests by, as far as it uses one. */
export interface InProcessHandler {
  handle(request: Request): Promise<Response>;
  updateHttpClientConfig(): void;
  httpHandlerConfigs(): Record<string, never>;
  destroy(): void;
}

/** In the place of sockets and signatures, for the clients of the process that has the engine. */
export function createInProcessHandler(engine: Engine): InProcessHandler {
  return {
    async handle({ headers, body }) {
      // As with a socket: whoever calls in a loop lets the others have their turn.
      await nextTurn();
      const { status, text } = answerCall(engine, headers['x-amz-target'] ?? '', decode(body));
      return {
        response: {
          statusCode: status,
          headers: { 'content-type': 'application/x-amz-json-1.0' },
          body: Buffer.from(text),
        },
      };
    },
    updateHttpClientConfig: () => undefined,
    httpHandlerConfigs: () => ({}),
    destroy: () => undefined,
  };
}

/** The SDK writes bytes. */
function decode(body: unknown): string {
  if (!(body instanceof Uint8Array)) return String(body);
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString();
}
