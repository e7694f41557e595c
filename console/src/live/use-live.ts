import { useEffect, useRef, useState } from 'preact/hooks';
import type { Slipway } from '#client/src/index.ts';
import { useService } from '../connection/session.ts';

export interface Live<Value> {
  /** Undefined until the first answer. */
  readonly value: Value | undefined;
  /** Why the last try failed. The value before it is kept. */
  readonly error: unknown;
  /** Loads again at once. */
  refresh(): void;
}

/** True until the first answer, good or bad. */
export function isPending({ value, error }: Pick<Live<unknown>, 'value' | 'error'>): boolean {
  return value === undefined && error === undefined;
}

interface LiveOptions<Value> {
  /** Whether the value is expected to change by itself. Other values are loaded rarely. */
  readonly active?: (value: Value) => boolean;
}

/**
 * Keeps a value of the service up to date. It is loaded often while it changes, rarely while it does
 * not, and never in a hidden tab. `key` identifies the value.
 */
export function useLive<Value>(
  key: string,
  load: (service: Slipway, signal: AbortSignal) => PromiseLike<Value>,
  { active = () => false }: LiveOptions<Value> = {},
): Live<Value> {
  const service = useService();
  const [state, setState] = useState<{ key: string; value?: Value; error?: unknown }>({ key });
  const refresh = useRef<() => void>(() => undefined);
  const asked = useRef({ load, active });
  asked.current = { load, active };
  useEffect(() => {
    const leaving = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let seen: string | undefined;
    let pauseMs = 0;
    const look = async () => {
      clearTimeout(timer);
      try {
        const value = await asked.current.load(service, leaving.signal);
        if (leaving.signal.aborted) return;
        const text = JSON.stringify(value);
        const changed = text !== seen;
        if (changed) setState({ key, value });
        else setState((before) => (before.error === undefined ? before : { key, value }));
        seen = text;
        pauseMs = choosePause({ changed, active: asked.current.active(value), beforeMs: pauseMs });
      } catch (error) {
        if (leaving.signal.aborted) return;
        setState((before) => ({ ...before, key, error }));
        pauseMs = choosePause({ changed: false, active: true, beforeMs: pauseMs * 2 });
      }
      // Another load may have finished meanwhile and set a timer.
      clearTimeout(timer);
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
  // The state may still belong to the key before.
  const current = state.key === key ? state : { key };
  return { value: current.value, error: current.error, refresh: () => refresh.current() };
}

const fastMs = 1500;
const slowMs = 30_000;

/**
 * Returns the pause before the next load: short after a change, then longer and longer, but at most
 * ten seconds for an active value.
 */
export function choosePause({
  changed,
  active,
  beforeMs,
}: {
  /** Whether the last answer differed from the one before. */
  readonly changed: boolean;
  /** Whether the value is expected to change by itself. */
  readonly active: boolean;
  readonly beforeMs: number;
}): number {
  if (changed && active) return fastMs;
  const most = active ? slowMs / 3 : slowMs;
  if (!active) return most;
  return Math.min(most, Math.max(fastMs, beforeMs * 1.3));
}
