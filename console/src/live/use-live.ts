import { useEffect, useRef, useState } from 'preact/hooks';

export interface Live<Value> {
  /** Nothing until the first answer. */
  readonly value: Value | undefined;
  /** Why the last try failed; what was there before is still shown. */
  readonly error: unknown;
  /** Asks at once. */
  refresh(): void;
}

interface LiveOptions<Value> {
  /** Whether it will change by itself; what does not is asked for rarely. */
  readonly living?: (value: Value) => boolean;
}

/**
 * What the service says, asked again and again while somebody looks: not in a tab that is hidden,
 * and often only while something changes. `key` says what is asked for.
 */
export function useLive<Value>(
  key: string,
  load: (signal: AbortSignal) => PromiseLike<Value>,
  { living = () => false }: LiveOptions<Value> = {},
): Live<Value> {
  const [state, setState] = useState<{ key: string; value?: Value; error?: unknown }>({ key });
  const refresh = useRef<() => void>(() => undefined);
  const asked = useRef({ load, living });
  asked.current = { load, living };
  useEffect(() => {
    const leaving = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let seen: string | undefined;
    let pauseMs = 0;
    const look = async () => {
      clearTimeout(timer);
      try {
        const value = await asked.current.load(leaving.signal);
        if (leaving.signal.aborted) return;
        const text = JSON.stringify(value);
        const changed = text !== seen;
        if (changed) setState({ key, value });
        else setState((before) => (before.error === undefined ? before : { key, value }));
        seen = text;
        pauseMs = choosePause({ changed, living: asked.current.living(value), beforeMs: pauseMs });
      } catch (error) {
        if (leaving.signal.aborted) return;
        setState((before) => ({ ...before, key, error }));
        pauseMs = choosePause({ changed: false, living: true, beforeMs: pauseMs * 2 });
      }
      if (!document.hidden) timer = setTimeout(look, pauseMs);
    };
    const wake = () => {
      clearTimeout(timer);
      if (!document.hidden) void look();
    };
    refresh.current = () => void look();
    document.addEventListener('visibilitychange', wake);
    void look();
    return () => {
      leaving.abort();
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', wake);
    };
  }, [key]);
  // What another key got is not an answer to this one.
  const current = state.key === key ? state : { key };
  return { value: current.value, error: current.error, refresh: () => refresh.current() };
}

const fastMs = 1500;
const slowMs = 30_000;

/**
 * How long to wait before asking again: briefly while something changes, ever longer while nothing
 * does, though never long while something is bound to change.
 */
export function choosePause({
  changed,
  living,
  beforeMs,
}: {
  /** Whether the last answer was another one than before. */
  readonly changed: boolean;
  /** Whether what it shows will change by itself. */
  readonly living: boolean;
  readonly beforeMs: number;
}): number {
  if (changed && living) return fastMs;
  const most = living ? slowMs / 3 : slowMs;
  if (!living) return most;
  return Math.min(most, Math.max(fastMs, beforeMs * 1.3));
}
