import type { Settings } from './settings.ts';

/** Longer than the service takes for any answer: its gateway ends a request after 30 seconds. */
const usualTimeout = 40_000;
const usualAnswerBytes = 32_000_000;
/** What even a poor connection sends in a millisecond. */
const bytesPerMs = 20;

export function timeoutOf(
  { timeout = usualTimeout }: { readonly timeout?: number | undefined },
  bytes = 0,
): number {
  return timeout + bytes / bytesPerMs;
}

/** Ends a call after a time, or with its caller. */
export interface CallLimit {
  readonly signal: AbortSignal;
  /** Counts anew from now on; without a time it stands still. */
  allow(ms?: number): void;
  end(): void;
}

export function limitCall(ms: number, signal: AbortSignal | null | undefined): CallLimit {
  const limit = new AbortController();
  const tooLate = () => limit.abort(new Error('It took too long'));
  let timer = setTimeout(tooLate, ms);
  signal?.throwIfAborted();
  signal?.addEventListener('abort', () => limit.abort(signal.reason), { signal: limit.signal });
  const allow = (more?: number) => {
    clearTimeout(timer);
    if (more !== undefined) timer = setTimeout(tooLate, more);
  };
  return {
    signal: limit.signal,
    allow,
    end() {
      allow();
      limit.abort();
    },
  };
}

/** Reads an answer whole, and no more of it than was agreed. */
export async function readText(
  { body }: Response,
  { maxAnswerBytes = usualAnswerBytes }: Pick<Settings, 'maxAnswerBytes'>,
): Promise<string> {
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (let left = maxAnswerBytes; ; ) {
    const { done, value } = (await reader?.read()) ?? { done: true };
    if (done) return text + decoder.decode();
    left -= value.length;
    if (left < 0) {
      void reader?.cancel().catch(() => undefined);
      throw new Error(`Its answer has more than ${maxAnswerBytes} bytes`);
    }
    text += decoder.decode(value, { stream: true });
  }
}

/** Lets a body take as long as it takes, unless it stands still while somebody waits for more. */
export function watchBody(answer: Response, limit: CallLimit, ms: number): Response {
  const reader = answer.body?.getReader();
  limit.allow();
  if (!reader) return answer;
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        limit.allow(ms);
        const { done, value } = await reader.read();
        limit.allow();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  return new Response(body, answer);
}
