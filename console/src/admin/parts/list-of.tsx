import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Paged, Slipway } from '#client/src/index.ts';
import { useService } from '../../connection/session.ts';
import { Button } from '../../parts/form.tsx';
import { Loading } from '../../parts/loading.tsx';
import { phrase } from './words.ts';

interface ListOfProps<Item> {
  readonly pages: Pages<Item>;
  /** Shown if the list is empty. */
  readonly empty: ComponentChildren;
  readonly children: (items: readonly Item[]) => ComponentChildren;
}

/** Shows a list while it loads, its items, and a button for more. */
export function ListOf<Item>({ pages, empty, children }: ListOfProps<Item>) {
  const { items, error, hasMore, showMore, refresh } = pages;
  return (
    <>
      <Loading value={items} error={error} refresh={refresh} rows={5} />
      {items?.length === 0 && empty}
      {items !== undefined && items.length > 0 && children(items)}
      {hasMore && (
        <p>
          <Button onClick={showMore}>{phrase('showMore')}</Button>
        </p>
      )}
    </>
  );
}

interface Pages<Item> {
  /** Undefined until the first page. */
  readonly items: readonly Item[] | undefined;
  readonly error: unknown;
  readonly hasMore: boolean;
  showMore(): void;
  /** Reads the list again from its start. */
  refresh(): void;
}

interface Read<Item> {
  readonly key: string;
  readonly items?: readonly Item[];
  /** The next page. It is read ahead, because only that tells whether there is one. */
  readonly ahead?: readonly Item[] | undefined;
  readonly error?: unknown;
}

/** Reads a list page by page, as far as somebody wants to see it. `key` identifies the list. */
export function usePages<Item>(
  key: string,
  list: (service: Slipway, signal: AbortSignal) => Paged<Item>,
): Pages<Item> {
  const service = useService();
  const [round, setRound] = useState(0);
  const [read, setRead] = useState<Read<Item>>({ key });
  const reading = useRef<AsyncIterator<Item[]> | undefined>(undefined);
  const leaving = useRef(new AbortController());
  const readAhead = async (items: readonly Item[]) => {
    const { signal } = leaving.current;
    const ahead = await readFilledPage(reading.current);
    if (!signal.aborted) setRead({ key, items, ahead });
  };
  const attempt = (step: () => Promise<void>) => {
    const { signal } = leaving.current;
    step().catch((error: unknown) => {
      if (!signal.aborted) setRead((before) => ({ ...before, key, error }));
    });
  };
  useEffect(() => {
    leaving.current = new AbortController();
    const { signal } = leaving.current;
    reading.current = list(service, signal).pages()[Symbol.asyncIterator]();
    attempt(async () => {
      const items = (await readFilledPage(reading.current)) ?? [];
      if (signal.aborted) return;
      setRead({ key, items });
      await readAhead(items);
    });
    return () => leaving.current.abort();
  }, [key, round]);
  const current = read.key === key ? read : { key };
  return {
    items: current.items,
    error: current.error,
    hasMore: current.ahead !== undefined,
    showMore: () => {
      const { items = [], ahead = [] } = current;
      const together = [...items, ...ahead];
      setRead({ key, items: together });
      attempt(() => readAhead(together));
    },
    refresh: () => setRound((before) => before + 1),
  };
}

/** Reads the next page that has items. An empty page may be followed by others. */
async function readFilledPage<Item>(
  pages: AsyncIterator<Item[]> | undefined,
): Promise<Item[] | undefined> {
  for (;;) {
    const next = await pages?.next();
    if (!next || next.done) return undefined;
    if (next.value.length > 0) return next.value;
  }
}
