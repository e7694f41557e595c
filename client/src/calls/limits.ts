import type { Settings } from './settings.ts';

/** Longer than any answer takes: the service's gateway ends requests after 30 seconds. */
const usualTimeout = 40_000;
const usualAnswerBytes = 32_000_000;
/** Even a poor connection sends this much in a millisecond. */
const bytesPerMs = 20;

export function timeoutOf(
  { timeout = usualTimeout }: { readonly timeout?: number | undefined },
  bytes = 0,
): number {
  return timeout + bytes / bytesPerMs;
}

export type CallLimit = ReturnType<typeof limitCall>;

/** Ends a call after a time, or when its caller gives up. */
export function limitCall(ms: number, signal: AbortSignal | null | undefined) {
  const limit = new AbortController();
  const tooLate = () => limit.abort(new Error('It timed out'));
  let timer = setTimeout(tooLate, ms);
  signal?.throwIfAborted();
  signal?.addEventListener('abort', () => limit.abort(signal.reason), { signal: limit.signal });
  /** Restarts the clock. Without a time, stops it. */
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

/** Reads a whole answer, and refuses one that is too large. */
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

/** Lets a body take its time, unless it stalls while somebody waits for more. */
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
