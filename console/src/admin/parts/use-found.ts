import { useEffect, useState } from 'preact/hooks';
import type { Slipway } from '#client/src/index.ts';
import { useService } from '../../connection/session.ts';

const pauseMs = 400;
const mostLetters = 100;

/**
 * Asks the service at each pause in typing for what begins so. Undefined until it has answered, and
 * while the list on the page has everything anyway.
 */
export function useFound<Item>(
  text: string,
  isNeeded: boolean,
  search: (service: Slipway, text: string, signal: AbortSignal) => PromiseLike<readonly Item[]>,
): readonly Item[] | undefined {
  const service = useService();
  const wanted = text.trim().slice(0, mostLetters);
  const [found, setFound] = useState<{ wanted: string; items: readonly Item[] }>();
  useEffect(() => {
    if (wanted === '' || !isNeeded) return;
    const leaving = new AbortController();
    const { signal } = leaving;
    const timer = setTimeout(async () => {
      try {
        const items = await search(service, wanted, signal);
        if (!signal.aborted) setFound({ wanted, items });
      } catch {
        // The page goes on to say that it searches only what it shows.
      }
    }, pauseMs);
    return () => {
      leaving.abort();
      clearTimeout(timer);
    };
  }, [wanted, isNeeded]);
  return found?.wanted === wanted ? found.items : undefined;
}
